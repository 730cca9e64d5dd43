// Writes the binary form of a GOAL schedule as txt2bin does (engine/goal/goal_binary.h), for the tests of its reader.
#pragma once
#include "engine/goal/goal.h"

// Returns the bytes of a graph; free with g_byte_array_unref.
GByteArray *goal_bytes(const Goal *goal);

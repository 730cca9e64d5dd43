// Between platform.c and platform_pieces.c: the section [pieces] of an .ini file.
#pragma once
#include "platform/platform.h"

enum { MAX_PIECES = 16 };
extern const char *const piece_keys[]; // NULL-terminated

// Reads the value of piece_keys[key] into the platform.
gboolean pieces_read(Platform *platform, int key, const char *value, GError **error);
// All keys are given, or none; lines[k] is where piece_keys[k] stands, 0: nowhere. On error *line is the last of them.
gboolean pieces_check(const guint *lines, guint *line, GError **error);

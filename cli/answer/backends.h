// What `check --backends` says.
#pragma once
#include "launch/backends.h"

void backends_table(const BackendCheck *check);
void backends_json(const BackendCheck *check);

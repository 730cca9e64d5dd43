// The texts of all ranks as lists of operations, for interpreters that step through them. Private to the drawing of
// rounds.
#pragma once
#include "api/backend.h"
#include "engine/schedule/operation.h"
#include <glib.h>

// Returns one GArray of CollOp for each rank, in a GPtrArray to free with g_ptr_array_unref. Slices and peers are kept;
// what the operations point to (blocks, which) is gone.
GPtrArray *texts_of(const Operation *op);

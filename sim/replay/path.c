#include "replay/path.h"
#include "base/error.h"

void path_in_order(GArray *path)
{
    ClockTally n = {0};
    for (guint i = 0, j = path->len; i < j--; i++) {
        PathStep *a = &g_array_index(path, PathStep, i), *b = &g_array_index(path, PathStep, j), t = *a;
        *a = *b;
        *b = t;
    }
    for (guint i = 0; i < path->len; i++) {
        PathStep *x = &g_array_index(path, PathStep, i);
        if (x->kind == OP_REDUCE)
            tally_reduction(&n, x->bytes);
        else
            tally_message(&n, x->bytes);
        x->end = n;
    }
}

void path_too_long(GError **error)
{
    bad_input(error,
              "the replay has too many operations for --why; allowed: at most %d, with a smaller -p or larger segments",
              MAX_TRACE);
}

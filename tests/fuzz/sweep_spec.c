// Specifications of sweeps: what is read becomes a grid whose points have numbers that lead to them; small ones run.
#include "ask/ask_sweep.h"
#include "fuzz.h"
#include <string.h>

// Returns TRUE if the text names a file that is there, whose content would belong to the input.
static gboolean is_file(const char *text)
{
    return text && g_file_test(text, G_FILE_TEST_EXISTS);
}

// Runs the first points, unless they are large.
static void run(SweepGrid *grid)
{
    enum { FEW = 3, SMALL_P = 24, SMALL_M = 4096 };
    for (guint64 i = 0; i < MIN(grid->points, FEW); i++) {
        const SweepCell cell = sweep_grid_at(grid, i);
        g_autofree char *note = NULL;
        if (cell.p > SMALL_P || cell.m > SMALL_M)
            continue;
        Point *x = sweep_grid_run(grid, &cell, &note);
        g_assert_true(x->prediction || note);
        point_free(x);
    }
}

FUZZ_HARNESS(sweep_spec)
{
    enum { MOST_COMMAS = 8, MOST_TEXT = 1000 };
    g_auto(SweepSpec) spec = {0};
    g_auto(AskedSweep) sweep = {0};
    g_autoptr(GError) error = NULL;
    guint commas = 0;
    if (!fuzz_outcome(sweep_spec_parse(&spec, "f.ini", (const char *)data, size, &error), &error))
        return 0;
    for (size_t i = 0; i < size; i++)
        commas += data[i] == ',';
    if (commas > MOST_COMMAS || size > MOST_TEXT || is_file(spec.text[SWEEP_MAP]) || is_file(spec.text[SWEEP_COUNTS]))
        return 0;
    if (!fuzz_outcome(ask_sweep(&spec, &sweep, &error), &error))
        return 0;
    g_assert_cmpuint(strlen(sweep.hash), ==, 64);
    for (guint64 i = 0; i < sweep.grid->points; i += 1 + sweep.grid->points / 7) {
        const SweepCell cell = sweep_grid_at(sweep.grid, i);
        g_assert_true(cell.index == i && cell.place < sweep.grid->places && cell.p >= 1 && cell.root >= 0);
    }
    run(sweep.grid);
    return 0;
}

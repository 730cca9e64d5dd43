#include "measurements/calibrate/measured_rings.h"
#include "base/units.h"
#include "measurements/calibrate/measured_steps.h"
#include <math.h>
#include <string.h>

enum { SIZES = 3 }; // in common, so that two rings can be compared

// Returns the number of nodes of a ring with one rank a node; 0 for another row.
static int ring_nodes(const CalibrateRow *row, MeasuredSteps *steps)
{
    const gboolean flat = !row->map || !row->map->code || row->map->nodes->n == row->op.c.p;
    return flat && strcmp(row->op.algorithm->name, "ring") == 0 && measured_steps(&row->op, steps) &&
                   steps->part == PART_STEP
               ? row->op.c.p
               : 0;
}

int measured_rings_nodes(const GArray *rows, const gboolean *uses_row)
{
    int most = 0;
    MeasuredSteps steps;
    for (guint i = 0; i < rows->len; i++)
        if (uses_row[i])
            most = MAX(most, ring_nodes(&g_array_index(rows, CalibrateRow, i), &steps));
    return most;
}

// Appends how many times as long the steps of the ring on `nodes` nodes take as those of row k, a ring on fewer nodes.
static void add_ratios(const GArray *rows, const gboolean *uses_row, int nodes, guint k, GArray *ratios, GString *first)
{
    MeasuredSteps own, other;
    const CalibrateRow *few = &g_array_index(rows, CalibrateRow, k);
    const int n = uses_row[k] ? ring_nodes(few, &other) : 0;
    for (guint i = 0; n && n < nodes && i < rows->len; i++) {
        const CalibrateRow *row = &g_array_index(rows, CalibrateRow, i);
        if (!uses_row[i] || ring_nodes(row, &own) != nodes || own.bytes != other.bytes || own.reduced || other.reduced)
            continue;
        const double slow = row->sample->time_s / (double)own.k, fast = few->sample->time_s / (double)other.k,
                     ratio = slow / fast;
        g_array_append_val(ratios, ratio);
        if (first->len)
            continue;
        g_autofree char *size = units_format_size(own.bytes), *now = units_format_time(slow),
                        *then = units_format_time(fast);
        g_string_printf(first, "%s in %s, and on %d nodes in %s", size, now, n, then);
    }
}

void measured_rings_note(const GArray *rows, const gboolean *uses_row, GPtrArray *notes)
{
    const int nodes = measured_rings_nodes(rows, uses_row);
    g_autoptr(GArray) ratios = g_array_new(FALSE, FALSE, sizeof(double));
    g_autoptr(GString) first = g_string_new(NULL);
    for (guint k = 0; k < rows->len; k++)
        add_ratios(rows, uses_row, nodes, k, ratios, first);
    if (ratios->len < SIZES)
        return;
    const double ratio = fit_errors((const double *)(const void *)ratios->data, ratios->len).median;
    if (ratio > RINGS_CONGESTED)
        g_ptr_array_add(notes,
                        g_strdup_printf("the ring on %d nodes takes %.2g times as long for a step as rings on fewer "
                                        "(%s), so its network may be congested; --where leaves it out",
                                        nodes, ratio, first->str));
}

double measured_rings_ratio(const Table *slow, const Table *fast)
{
    g_autoptr(GArray) ratios = g_array_new(FALSE, FALSE, sizeof(double));
    for (int i = 0; i < slow->n; i++) {
        const uint64_t bytes = slow->at[i].bytes;
        const double ratio = slow->at[i].value / table_time_at(fast, bytes);
        if (bytes >= fast->at[0].bytes && bytes <= fast->at[fast->n - 1].bytes)
            g_array_append_val(ratios, ratio);
    }
    return ratios->len < SIZES ? NAN : fit_errors((const double *)(const void *)ratios->data, ratios->len).median;
}

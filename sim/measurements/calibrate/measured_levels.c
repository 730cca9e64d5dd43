// The tables of each level, from its evidence.
#include "measurements/calibrate/measured_fitting.h"
#include "base/units.h"
#include "measurements/calibrate/measured_table.h"
#include "measurements/calibrate/fit.h"

#define LEAST_GAP 0.02 // of the time of 8 bytes one way; bursts whose messages are closer than that say nothing
#define BYTES_DECIDE                                                                                                   \
    2 // at least half of a message's time is for its bytes if it takes this many times as long as the shortest

// Makes a table of its evidence, or leaves it NULL if it has none.
static void make_table(Fit *f, int level, MeasuredPart part)
{
    g_autofree char *name = fit_table_name(f, level, part);
    *fit_table_of(f, level, part) = measured_table(fit_evidence_of(f, level, part)->points, name, f->out->notes);
}

// Takes a table of `assumed` if the rows did not make one.
static void keep_table(Fit *f, int level, MeasuredPart part)
{
    Table **t = fit_table_of(f, level, part);
    const Table *before = fit_assumed_table(f, level, part);
    if (!before || (*t && (part != PART_ONE || (*t)->n > 1)))
        return;
    g_autofree char *name = *t ? fit_table_name(f, level, part) : NULL;
    if (name)
        fit_say(f->out->notes,
                g_strdup_printf("%s: rows of one size do not make a table, so it stays as it was", name));
    table_free(*t);
    *t = table_copy(before);
    *fit_kept_of(f, level, part) = TRUE;
}

// Returns the median of the values, or 0 if there are none.
static double median_of(const GArray *values)
{
    return fit_errors((const double *)(const void *)values->data, values->len).median;
}

// Appends to `slope` by how much a byte takes longer in windows of both directions than one way. Up to the eager limit,
// windows only show how often a rank can send.
static void add_slope_of_both(Fit *f, int level, GArray *slope)
{
    const Table *one = *fit_table_of(f, level, PART_ONE);
    const MeasuredPoint *first = NULL, *last = NULL;
    GArray *points = f->both[level].points;
    measured_table_sizes(points);
    for (guint i = 0; i < points->len; i++) {
        last = &g_array_index(points, MeasuredPoint, i);
        if (!first && last->bytes > MEASURED_EAGER)
            first = last;
    }
    if (!first || first->bytes == last->bytes)
        return;
    const double bytes = (double)(last->bytes - first->bytes);
    const double more =
        (last->time_s - first->time_s) - (table_time_at(one, last->bytes) - table_time_at(one, first->bytes));
    const double value = more / bytes;
    g_array_append_val(slope, value);
}

// Makes the table of steps from times of a few sizes: to the time one way it adds a fixed time, and a time per byte.
// The fixed time is the median of what short messages take longer; a message is short if its bytes take less than half
// of its time. The time per byte is the median of what long messages take longer still. Neither is negative.
static void make_few_steps(Fit *f, int level)
{
    const Evidence *e = fit_evidence_of(f, level, PART_STEP);
    const Table *one = *fit_table_of(f, level, PART_ONE);
    g_autoptr(GArray) fixed = g_array_new(FALSE, FALSE, sizeof(double)),
                      slope = g_array_new(FALSE, FALSE, sizeof(double));
    const double shortest = table_time_at(one, 0);
    double a = 0, b = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (guint i = 0; i < e->points->len; i++) {
            const MeasuredPoint *p = &g_array_index(e->points, MeasuredPoint, i);
            const double way = table_time_at(one, p->bytes), more = p->time_s - way;
            const gboolean is_long = way >= BYTES_DECIDE * shortest;
            const double value = is_long ? (more - a) / (double)p->bytes : more;
            if (is_long == pass)
                g_array_append_val(pass ? slope : fixed, value);
        }
        if (pass && slope->len == 0)
            add_slope_of_both(f, level, slope);
        if (pass)
            b = MAX(median_of(slope), 0);
        else
            a = MAX(median_of(fixed), 0);
    }
    Table *t = table_copy(one);
    for (int i = 0; i < t->n; i++)
        t->at[i].value += a + b * (double)t->at[i].bytes;
    if (!e->from->len)
        g_string_assign(e->from, f->both[level].from->str);
    *fit_table_of(f, level, PART_STEP) = t;
    g_autofree char *name = fit_table_name(f, level, PART_STEP), *fixed_text = units_format_time(a),
                    *slope_text = platform_figure_text(KEY_BETA, b);
    fit_say(f->out->notes, g_strdup_printf("%s: of too few sizes for a table, so it is `one` and %s and %s more", name,
                                           fixed_text, slope_text));
}

static double last_slope(const Table *t)
{
    const TablePoint *b = &t->at[t->n - 1], *a = b - 1;
    return t->n < 2 ? 0 : (b->value - a->value) / (double)(b->bytes - a->bytes);
}

// Turns the evidence of gaps into a table. Rows of a linear tree have k gaps and then one message one way, which is
// taken off here. A gap is at least a small share of what a short message takes. A few sizes give a fixed time, which
// is added to the bytes' time of a message one way.
static void make_gaps(Fit *f, int level)
{
    Evidence *e = fit_evidence_of(f, level, PART_GAP);
    const Table *one = *fit_table_of(f, level, PART_ONE);
    const double least = LEAST_GAP * table_time_at(one, 8), slope = last_slope(one);
    for (guint i = 0; i < e->points->len; i++) {
        MeasuredPoint *p = &g_array_index(e->points, MeasuredPoint, i);
        p->time_s = MAX(p->time_s, least);
    }
    const guint sizes = measured_table_sizes(e->points);
    if (sizes == 0 || sizes > FIT_FEW) {
        make_table(f, level, PART_GAP);
        return;
    }
    g_autoptr(GArray) fixed = g_array_new(FALSE, FALSE, sizeof(double));
    for (guint i = 0; i < e->points->len; i++) {
        const MeasuredPoint *p = &g_array_index(e->points, MeasuredPoint, i);
        const double value = p->time_s - slope * (double)p->bytes;
        g_array_append_val(fixed, value);
    }
    const double a = MAX(median_of(fixed), least);
    Table *t = g_new(Table, 1);
    *t = (Table){.n = 2, .at = g_new(TablePoint, 2)};
    for (int i = 0; i < 2; i++)
        t->at[i] = (TablePoint){i ? 1 << 20 : 0, a + (i ? slope * (1 << 20) : 0)};
    *fit_table_of(f, level, PART_GAP) = t;
}

// Returns the gap that a row of a linear tree shows. Its last message leaves after k gaps and arrives `one` later, but the
// root may have own work after the gap of that message too. No chain can take longer than the row, so the one that
// leaves less for a gap counts.
static double linear_gap(const Fit *f, guint i, int level, const MeasuredSteps *steps)
{
    const double time_s = fit_row_of(f, i)->sample->time_s, k = (double)steps->k;
    const double one = table_time_at(*fit_table_of(f, level, PART_ONE), steps->bytes);
    const double others = (time_s - one - f->own[i].others_s) / k, root = (time_s - f->own[i].all_s) / (k + 1);
    return f->own[i].all_s > f->own[i].others_s ? MIN(others, root) : others;
}

// Adds the rows of linear trees.
static void add_linear(Fit *f, int level)
{
    const double least =
        LEAST_GAP * table_time_at(*fit_table_of(f, level, PART_ONE), 8); // so that the row counts as used
    if (fit_evidence_of(f, level, PART_GAP)->points->len > 0 || fit_is_fixed(f, level, PART_GAP))
        return;
    for (guint i = 0; i < f->rows->len; i++) {
        int at;
        MeasuredSteps steps;
        if (fit_is_simple(f, i, &at, &steps) && at == level && steps.part == PART_GAP)
            fit_add_row(f, i, level, &steps, MAX(linear_gap(f, i, level, &steps), least));
    }
}

void fit_busy_rows(const Fit *f, int level, GArray *rows)
{
    const int fewest = fit_fewest_ranks(f, level, PART_STEP);
    int most = 0;
    for (int pass = 0; pass < 2; pass++)
        for (guint i = 0; i < f->rows->len; i++) {
            int at;
            MeasuredSteps steps;
            const int p = fit_row_of(f, i)->op.c.p;
            if (!fit_is_simple(f, i, &at, &steps) || at != level || steps.part != PART_STEP ||
                steps.rank != RANK_BEST || p <= fewest)
                continue;
            if (pass == 0)
                most = MAX(most, p);
            else if (p == most)
                g_array_append_val(rows, i);
        }
}

// Adds to the steps inside a node the delay of short messages when all ranks are busy: the median over the messages
// whose bytes take less than half of their time. The delay of long messages comes from the memory, which is fitted
// later.
static void add_busy(Fit *f, int level)
{
    const MeasuredPart part = *fit_table_of(f, level, PART_STEP) ? PART_STEP : PART_ONE;
    Table *t = *fit_table_of(f, level, part);
    if (*fit_kept_of(f, level, part))
        return;
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(guint)), more = g_array_new(FALSE, FALSE, sizeof(double));
    fit_busy_rows(f, level, rows);
    for (guint i = 0; i < rows->len; i++) {
        int at;
        MeasuredSteps steps;
        const guint row = g_array_index(rows, guint, i);
        fit_is_simple(f, row, &at, &steps);
        const double alone = table_time_at(t, steps.bytes), value = fit_steps_time(f, row) / (double)steps.k - alone;
        f->out->uses_row[row] = TRUE;
        if (alone < BYTES_DECIDE * table_time_at(t, 0))
            g_array_append_val(more, value);
    }
    const double a = MAX(median_of(more), 0);
    for (int i = 0; i < t->n; i++)
        t->at[i].value += a;
    if (a > 0) {
        g_autofree char *text = units_format_time(a), *name = fit_table_name(f, level, PART_STEP);
        fit_say(f->out->notes,
                g_strdup_printf("%s: short messages take another %s if many ranks of a node send", name, text));
    }
}

void fit_tables(Fit *f, int level)
{
    Evidence *one = fit_evidence_of(f, level, PART_ONE), *step = fit_evidence_of(f, level, PART_STEP);
    fit_add_rows(f, level, PART_ONE);
    fit_add_rows(f, level, PART_STEP);
    if (one->points->len == 0 && !fit_assumed_table(f, level, PART_ONE)) {
        const Evidence moved = *one;
        *one = *step;
        *step = moved;
    }
    make_table(f, level, PART_ONE);
    keep_table(f, level, PART_ONE);
    if (!*fit_table_of(f, level, PART_ONE))
        return;
    const guint sizes = measured_table_sizes(step->points);
    if (sizes > FIT_FEW)
        make_table(f, level, PART_STEP);
    else if ((sizes > 0 || f->both[level].points->len > 0) && !fit_is_fixed(f, level, PART_STEP))
        make_few_steps(f, level);
    keep_table(f, level, PART_STEP);
    if (level < f->n_levels - 1)
        add_busy(f, level);
    add_linear(f, level);
    if (!fit_is_fixed(f, level, PART_GAP))
        make_gaps(f, level);
    keep_table(f, level, PART_GAP);
}

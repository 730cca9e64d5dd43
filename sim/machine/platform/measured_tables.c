#include "machine/platform/measured_tables.h"
#include <stdlib.h>

#define MOST_EAGER ((int64_t)1 << 62) // from here on, no message is longer

Measured *measured_new(int n_levels)
{
    Measured *m = g_new0(Measured, 1);
    m->n_levels = n_levels;
    m->level = g_new0(MeasuredLevel, n_levels);
    m->ports = 1;
    m->swap = 1;
    m->swap_from = MEASURED_SWAP_FROM;
    for (int k = 0; k < n_levels; k++)
        m->level[k].eager = MEASURED_EAGER;
    return m;
}

Measured *measured_copy(const Measured *m)
{
    if (!m)
        return NULL;
    Measured *copy = g_memdup2(m, sizeof *m);
    copy->level = g_memdup2(m->level, (gsize)m->n_levels * sizeof *m->level);
    for (int k = 0; k < m->n_levels; k++) {
        copy->level[k].one = table_copy(m->level[k].one);
        copy->level[k].step = table_copy(m->level[k].step);
        copy->level[k].gap = table_copy(m->level[k].gap);
        copy->level[k].take = table_copy(m->level[k].take);
    }
    for (int i = 0; i < N_WORK_KINDS; i++)
        copy->work[i].table = table_copy(m->work[i].table);
    return copy;
}

void measured_free(Measured *m)
{
    if (!m)
        return;
    for (int k = 0; k < m->n_levels; k++) {
        table_free(m->level[k].one);
        table_free(m->level[k].step);
        table_free(m->level[k].gap);
        table_free(m->level[k].take);
    }
    for (int i = 0; i < N_WORK_KINDS; i++)
        table_free(m->work[i].table);
    g_free(m->level);
    g_free(m);
}

// Returns the time at `bytes`, beyond b, on the line through two points; never below that of b.
static double beyond(const TablePoint *a, const TablePoint *b, uint64_t bytes)
{
    const double share = ((double)bytes - (double)a->bytes) / (double)(b->bytes - a->bytes);
    return MAX(a->value + (b->value - a->value) * share, b->value);
}

double table_time_at(const Table *t, uint64_t bytes)
{
    const int n = t->n;
    return n == 1 || bytes <= t->at[n - 1].bytes ? table_at(t, bytes) : beyond(&t->at[n - 2], &t->at[n - 1], bytes);
}

double measured_take(const MeasuredLevel *level, uint64_t bytes)
{
    static const double saved = 0.13;
    if (level->take)
        return table_time_at(level->take, bytes);
    const double gap = table_time_at(level->gap, bytes);
    return level->take_gap ? gap : MAX(gap - saved * table_time_at(level->one, 8), 0);
}

// Returns the last slope of a table, in s per byte.
static double last_slope(const Table *t)
{
    if (t->n == 1)
        return 0;
    const TablePoint *a = &t->at[t->n - 2], *b = &t->at[t->n - 1];
    return MAX((b->value - a->value) / (double)(b->bytes - a->bytes), 0);
}

// The default gap before it is limited to `one`: a line up to eager, and another one beyond it.
static double gap_line(const MeasuredLevel *level, uint64_t bytes)
{
    const bool eager = level->eager >= 0 && bytes <= (uint64_t)level->eager;
    return measured_gap_part(eager) * table_time_at(level->one, 8) + (double)bytes * last_slope(level->one);
}

static int by_bytes(const void *a, const void *b)
{
    const uint64_t x = ((const TablePoint *)a)->bytes, y = ((const TablePoint *)b)->bytes;
    return x < y ? -1 : x > y;
}

// Returns the sizes between which both the line and `one` are straight, ascending, as points without values. There is
// one beyond the last size, where both go on along one slope. Free with table_free.
static Table *straight_parts(const MeasuredLevel *level)
{
    const Table *one = level->one;
    const uint64_t beyond = one->at[one->n - 1].bytes;
    Table *t = g_new(Table, 1);
    *t = (Table){.at = g_new(TablePoint, one->n + 5)};
    for (int i = 0; i < one->n; i++)
        t->at[t->n++].bytes = one->at[i].bytes;
    t->at[t->n++].bytes = 0;
    if (level->eager >= 0 && level->eager < MOST_EAGER) {
        t->at[t->n++].bytes = (uint64_t)level->eager;
        t->at[t->n++].bytes = (uint64_t)level->eager + 1;
    }
    t->at[t->n++].bytes = MAX(beyond, level->eager < MOST_EAGER ? (uint64_t)MAX(level->eager, 0) : 0) + 1024;
    qsort(t->at, (size_t)t->n, sizeof *t->at, by_bytes);
    return t;
}

// Returns the default gap of a level: the line, but never above `one`.
static Table *default_gap(const MeasuredLevel *level)
{
    g_autoptr(Table) part = straight_parts(level);
    Table *t = g_new(Table, 1);
    *t = (Table){.at = g_new(TablePoint, 2 * part->n)};
    double before = 0; // how far the line is above `one` at the last point
    for (int i = 0; i < part->n; i++) {
        const uint64_t bytes = part->at[i].bytes;
        if (i > 0 && bytes == part->at[i - 1].bytes)
            continue;
        const double one = table_time_at(level->one, bytes), above = gap_line(level, bytes) - one;
        const bool crosses = t->n > 0 && (before > 0) != (above > 0);
        const uint64_t from = t->n ? t->at[t->n - 1].bytes : 0,
                       cross = crosses ? from + (uint64_t)((double)(bytes - from) * (before / (before - above))) : from;
        if (cross > from && cross < bytes)
            t->at[t->n++] = (TablePoint){cross, MIN(gap_line(level, cross), table_time_at(level->one, cross))};
        t->at[t->n++] = (TablePoint){bytes, MIN(gap_line(level, bytes), one)};
        before = above;
    }
    return t;
}

void measured_complete(Measured *m)
{
    for (int k = 0; k < m->n_levels; k++)
        if (!m->level[k].gap)
            m->level[k].gap = default_gap(&m->level[k]);
}

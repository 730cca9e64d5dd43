#include "platform/measured.h"

#define MOST_EAGER ((int64_t)1 << 62) // from here on, no message is longer

Measured *measured_new(int n_levels)
{
    Measured *m = g_new0(Measured, 1);
    m->n_levels = n_levels;
    m->level = g_new0(MeasuredLevel, n_levels);
    m->ports = 1;
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

// Returns the last slope of a table, in s per byte.
static double last_slope(const Table *t)
{
    if (t->n == 1)
        return 0;
    const TablePoint *a = &t->at[t->n - 2], *b = &t->at[t->n - 1];
    return MAX((b->value - a->value) / (double)(b->bytes - a->bytes), 0);
}

// Adds two points of the line fixed + n slope, at `from` and at `to`; one if these are equal.
static void add_line(Table *t, uint64_t from, uint64_t to, double fixed, double slope)
{
    t->at[t->n++] = (TablePoint){from, fixed + (double)from * slope};
    if (to > from)
        t->at[t->n++] = (TablePoint){to, fixed + (double)to * slope};
}

// Returns the default gap: one line up to eager, and another one beyond it.
static Table *default_gap(const MeasuredLevel *level)
{
    const double eight = table_time_at(level->one, 8), slope = last_slope(level->one);
    const bool all_eager = level->eager >= MOST_EAGER;
    const uint64_t beyond = (uint64_t)(all_eager ? 0 : level->eager + 1);
    Table *t = g_new(Table, 1);
    *t = (Table){.at = g_new(TablePoint, 4)};
    if (level->eager >= 0)
        add_line(t, 0, all_eager ? 1024 : (uint64_t)level->eager, 0.18 * eight, slope);
    if (!all_eager)
        add_line(t, beyond, beyond + 1024, 0.1 * eight, slope);
    return t;
}

void measured_complete(Measured *m)
{
    for (int k = 0; k < m->n_levels; k++)
        if (!m->level[k].gap)
            m->level[k].gap = default_gap(&m->level[k]);
}

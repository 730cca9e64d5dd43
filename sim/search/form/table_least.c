#include "search/form/table_least.h"
#include <glib.h>
#include <math.h>

// Returns the least time of a byte by a table. It is straight between its points, so that is the time of a byte at one
// of these, or of a message of `most` bytes.
static double of_table(const Table *t, double most)
{
    double byte_s = INFINITY;
    for (int i = 0; t && i <= t->n; i++) {
        const uint64_t bytes = i < t->n ? t->at[i].bytes : (uint64_t)most;
        if (bytes > 0)
            byte_s = fmin(byte_s, table_time_at(t, bytes) / (double)bytes);
    }
    return byte_s;
}

double table_least_byte(const Measured *figures, int first, double most)
{
    double byte_s = INFINITY;
    for (int i = first; i < figures->n_levels; i++)
        byte_s = fmin(byte_s, fmin(of_table(figures->level[i].one, most), of_table(figures->level[i].step, most)));
    return byte_s;
}

double table_least_way(const Measured *figures, int first, int end)
{
    double way_s = INFINITY;
    for (int i = first; i < end; i++) {
        const Table *const tables[] = {figures->level[i].one, figures->level[i].step};
        for (size_t k = 0; k < G_N_ELEMENTS(tables); k++)
            for (int j = 0; tables[k] && j < tables[k]->n; j++)
                way_s = fmin(way_s, tables[k]->at[j].value);
    }
    return way_s;
}

// Takes a message of this length into account, at whichever end its port is free again first.
static void port_add(LeastPort *x, const MeasuredLevel *level, uint64_t bytes)
{
    const bool eager = level->eager >= 0 && bytes <= (uint64_t)level->eager;
    const double gap_s = table_time_at(level->gap, bytes),
                 port_s = eager ? fmin(gap_s, measured_take(level, bytes)) : gap_s;
    x->message_s = fmin(x->message_s, port_s);
    x->byte_s = bytes > 0 ? fmin(x->byte_s, port_s / (double)bytes) : x->byte_s;
}

LeastPort table_least_port(const Measured *figures, int first, int end, double most)
{
    LeastPort x = {INFINITY, INFINITY};
    for (int i = first; i < end; i++) {
        const MeasuredLevel *level = &figures->level[i];
        const Table *const tables[] = {level->gap, level->take};
        for (size_t k = 0; k < G_N_ELEMENTS(tables); k++)
            for (int j = 0; tables[k] && j < tables[k]->n; j++)
                port_add(&x, level, tables[k]->at[j].bytes);
        port_add(&x, level, (uint64_t)most);
        if (level->eager > 0)
            port_add(&x, level, (uint64_t)level->eager);
    }
    return x;
}

double table_least_work(const MeasuredWork *work, double bytes)
{
    return bytes == 0        ? 0
           : work->table     ? bytes * of_table(work->table, bytes)
           : work->above > 0 ? 0
                             : bytes * work->per_byte;
}

#include "search/form/bounds_tables.h"
#include <math.h>

// ---- The least that a message costs ---------------------------------------------------------------------------------

// Returns the least time of a byte by a table. It is straight between its points, so that is the time of a byte at one
// of these, or of a message of `most` bytes.
static double least_byte(const Table *t, double most)
{
    double byte_s = INFINITY;
    for (int i = 0; t && i <= t->n; i++) {
        const uint64_t bytes = i < t->n ? t->at[i].bytes : (uint64_t)most;
        if (bytes > 0)
            byte_s = fmin(byte_s, table_time_at(t, bytes) / (double)bytes);
    }
    return byte_s;
}

double tables_least_byte(const Measured *figures, int first, double most)
{
    double byte_s = INFINITY;
    for (int i = first; i < figures->n_levels; i++)
        byte_s = fmin(byte_s, fmin(least_byte(figures->level[i].one, most), least_byte(figures->level[i].step, most)));
    return byte_s;
}

// Returns the least time of a message, of any length, at the levels from `first` on.
static double least_way(const Measured *figures, int first)
{
    double way_s = INFINITY;
    for (int i = first; i < figures->n_levels; i++) {
        const Table *const tables[] = {figures->level[i].one, figures->level[i].step};
        for (size_t k = 0; k < G_N_ELEMENTS(tables); k++)
            for (int j = 0; tables[k] && j < tables[k]->n; j++)
                way_s = fmin(way_s, tables[k]->at[j].value);
    }
    return way_s;
}

// How long messages keep a port busy, at least.
typedef struct LeastPort {
    double message_s; // of any length
    double byte_s;    // each byte of a message
} LeastPort;

// Takes a message of this length into account, at whichever end its port is free again first.
static void port_add(LeastPort *x, const MeasuredLevel *level, uint64_t bytes)
{
    const bool eager = level->eager >= 0 && bytes <= (uint64_t)level->eager;
    const double gap_s = table_time_at(level->gap, bytes),
                 port_s = eager ? fmin(gap_s, measured_take(level, bytes)) : gap_s;
    x->message_s = fmin(x->message_s, port_s);
    x->byte_s = bytes > 0 ? fmin(x->byte_s, port_s / (double)bytes) : x->byte_s;
}

// Returns this for the levels from `first` to the one before `end`. Between the lengths that are looked at, times are
// straight.
static LeastPort least_port(const Measured *figures, int first, int end, double most)
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

// ---- Messages that follow each other --------------------------------------------------------------------------------

// Returns how many ranks at most know by t_s what one rank knew at 0, but no more than `enough`. One message arrives
// way_s after it began, and each of a rank's ports begins one every gap_s. A rank that i messages lead to, which wait
// for j gaps in all, knows it at i way_s + j gap_s: for up to J gaps there are C(i + J, i) ways to share them out.
static double reached(double t_s, double way_s, double gap_s, double ports, double enough)
{
    double ranks = 1;
    for (int i = 1; i * way_s <= t_s && ranks < enough; i++) {
        const double waits = floor((t_s - i * way_s) / gap_s);
        double leads = 1;
        for (int k = 1; k <= i && leads < enough; k++)
            leads *= ports * (waits + k) / k;
        ranks += leads;
    }
    return ranks;
}

// Returns the least time by which all of n ranks can know what one of them knew at 0; this is also the least by which
// one can know something of each.
static double spread_s(double n, double way_s, double gap_s, double ports)
{
    enum { STEPS = 60 };
    if (n <= 1)
        return 0;
    if (gap_s <= 0)
        return way_s;
    double low_s = 0, high_s = way_s * ceil(log2(n));
    for (int i = 0; i < STEPS; i++) {
        const double t_s = (low_s + high_s) / 2;
        *(reached(t_s, way_s, gap_s, ports, n) < n ? &low_s : &high_s) = t_s;
    }
    return low_s;
}

// ---- The bound ------------------------------------------------------------------------------------------------------

// Returns the least time of some work on this many bytes, which may be cut.
static double least_work(const MeasuredWork *work, double bytes)
{
    return bytes == 0        ? 0
           : work->table     ? bytes * least_byte(work->table, bytes)
           : work->above > 0 ? 0
                             : bytes * work->per_byte;
}

double bounds_by_tables(Collective collective, int p, double m, const Platform *platform, const Mapping *map)
{
    const Measured *figures = platform->measured;
    const Bounds least = bounds_lower(collective, p, m);
    if (least.rounds == 0)
        return 0;
    const int end = figures->n_levels, first = map && map->code ? 0 : end - 1, between = map ? bounds_between(map) : 0;
    const int nodes = map && map->code ? map->nodes->n : 1;
    const double ports = figures->ports;
    const LeastPort any = least_port(figures, first, end, least.bytes);
    double bound_s = spread_s(p, least_way(figures, first), any.message_s, ports);
    bound_s = fmax(bound_s, least.bytes * any.byte_s / ports);
    bound_s = fmax(bound_s, least_work(&figures->work[WORK_REDUCE], least.work));
    if (nodes == 1)
        return bound_s;
    const LeastPort near = least_port(figures, 0, between, least.bytes),
                    far = least_port(figures, between, end, least.bytes);
    const double of_node = ports * coll_nodes_largest(map->nodes);
    bound_s = fmax(bound_s, spread_s(nodes, least_way(figures, between), far.message_s, of_node));
    bound_s = fmax(bound_s, bounds_nics(collective, m, platform, TRANSFER_MEASURED, map));
    return fmax(bound_s, bounds_nodes_at(collective, m, platform, TRANSFER_MEASURED, map,
                                         &(LevelBytes){near.byte_s / ports, far.byte_s / ports}));
}

// What:   Rows of K or more consecutive ranks, K = `group`: the first K ranks of a row own one of K parts of the vector
//         each. An owner gets its part of the row's vectors, adds them up as they arrive, and keeps each sum that it
//         passes. The owners of the same part, a column, make an exscan of the rows' sums. An owner then adds
//         what comes before its row to the sums that it kept, and hands each to the rank that it is for. It is what
//         `lane` does, without nodes and for any p. See shapes/prefix_parts.h and shapes/rank_rows.h.
// Cost:   K divides p: T_outer(p/K) of m/K bytes + the recurrence of one row, whose ranks differ in when they have added
//         up what they got.
// Source: van de Geijn, On global combine operations, 1994, for the grid; its use for prefixes is ours.
// Needs:  parts that can run; else recursive_doubling runs.
//
//   p = 7, group = 3      0-1-2   3-4-5 (m/3)
//                         0 -> 3   1 -> 4   2 -> 5 (m/3)
//                         0-1-2   3-4-5   3 4 5 -> 6 (m/3)
#include "coll.h"
#include "times/times.h"

enum { OUTER };

static void run(const Coll *c, bool exclusive)
{
    const RankRows g = rank_rows_of(c);
    const bool owns = g.i < g.K;
    PrefixParts x = prefix_parts_row(&g);
    x.alone = g.rows == 1;
    coll_phase(c, "sums");
    const Slice sum = prefix_parts_up(c, &x), before = coll_scratch(c, sum.len);
    if (owns && g.rows > 1) {
        Coll column = rank_rows_column(c, &g);
        column.in = sum;
        column.out = before;
        coll_phase(c, "exscan");
        coll_call(&column, c->par.part[OUTER]);
    }
    coll_phase(c, "prefixes");
    prefix_parts_down(c, &x, before, g.row > 0, exclusive);
}

static void scan_grid(const Coll *c)
{
    run(c, false);
}

static void exscan_grid(const Coll *c)
{
    run(c, true);
}

// Ranks are alike if their rows are, and so are their parts and what they do in their columns. The first row has
// nothing to add, and is like no other.
static int same_as(const Coll *c)
{
    const RankRows g = rank_rows_of(c);
    if (g.row == 0 || c->p % g.rows != 0 || c->in.len % ((size_t)g.K * (size_t)g.rows * c->elem) != 0)
        return c->rank;
    if (g.i >= g.K)
        return g.n + g.i;
    const PrefixParts x = prefix_parts_row(&g);
    Coll column = rank_rows_column(c, &g);
    column.in = column.out = prefix_parts_own(&x, c, c->in);
    const int like = call_same(&column, c->par.part[OUTER]);
    return like > 0 ? like * g.n + g.i : c->rank;
}

// Every rank owns a part if the groups of K ranks are the rows. The first rank of a column receives nothing in its
// exscan, so it is not the only one that ends last.
static int64_t time_of(const CollPoint *x, bool exclusive)
{
    const int K = x->par.chains < x->p ? x->par.chains : x->p;
    const CollAlgorithm *outer = x->par.part[OUTER];
    if (x->p == 1)
        return 0;
    if (x->p % K != 0 || algorithm_is_added(outer))
        return -1;
    const PrefixGroups g = prefix_groups(x->p, K, K);
    const int64_t t = call_time(x, outer, g.groups, x->m / K);
    return prefix_parts_time(x, &g, &(PrefixEnds){.first = t, .others = t}, exclusive);
}

static int64_t scan_formula(const CollPoint *x)
{
    return time_of(x, false);
}

static int64_t exscan_formula(const CollPoint *x)
{
    return time_of(x, true);
}

#define COMMON                                                                                                         \
    .name = "grid", .summary = "rows of ranks exchange parts; exscans of the parts in columns; prefixes back",         \
    .needs = {&need_group_parts}, .groups = {[OUTER] = RAILS_ALL}, .otherwise = "recursive_doubling",                  \
    .params = {ROW_PARTS, PART("outer", OUTER, COLL_EXSCAN, "two_phase", "the exscan of a part in a column")},         \
    .ordered = true, .peers = PEERS_SHIFT, .same_as = same_as,                                                         \
    .cost = "K divides p: T_outer(p/K) of m/K bytes + the recurrence of one row, whose ranks differ in when they "     \
            "have added up what they got",                                                                             \
    .unknown = "rows of unequal length, a first row that may end last, or a part without a formula",                   \
    .source = "van de Geijn, On global combine operations, 1994, for the grid; its use for prefixes is ours"

const CollAlgorithm exscan_grid_algorithm = {COMMON, .collective = COLL_EXSCAN, .run = exscan_grid,
                                             .formula = exscan_formula};
const CollAlgorithm scan_grid_algorithm = {COMMON, .collective = COLL_SCAN, .run = scan_grid, .formula = scan_formula};

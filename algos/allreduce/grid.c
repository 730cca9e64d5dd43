// What:   Rows of K or more consecutive ranks, K = `group`: each rank of a row sends its row's first K ranks one of K
//         parts of the vector each, all at once, and these add up what they get. The ranks with the same part make an
//         allreduce, and send the result to all others of their row at once. It is what `lane` does, without nodes.
//         See shapes/rank_rows.h.
// Cost:   no formula: a rank that owns no part has fewer messages than the others.
// Source: van de Geijn, On global combine operations, 1994, for the grid.
// Needs:  a commutative operation, parts that can run; else recursive_doubling runs.
//
//   p = 7, group = 3      0-1-2   3-4-5   6 -> 3 4 5 (m/3)
//                         0-3   1-4   2-5 (m/3)
//                         0-1-2   3-4-5   3 4 5 -> 6 (m/3)
#include "coll.h"

enum { OUTER };

static Coll column_view(const Coll *c, const RankRows *g)
{
    const Blocks part = blocks_even(c, c->out, g->K);
    Coll column = rank_rows_column(c, g);
    column.in = column.out = block(&part, g->i);
    return column;
}

static void allreduce_grid(const Coll *c)
{
    const RankRows g = rank_rows_of(c);
    const bool owns = g.i < g.K;
    const Coll column = owns ? column_view(c, &g) : *c;
    Coll sum = column;
    sum.in = sum.out = slice_like(coll_scratch_if(c, owns, column.out.len), column.out);
    coll_phase(c, "rows");
    rank_rows_reduce(c, &g, sum.out);
    if (owns) {
        coll_phase(c, "columns");
        coll_call(&sum, c->par.part[OUTER]);
        coll_copy(c, column.out, sum.out);
    }
    coll_phase(c, "rows");
    rank_rows_gather(c, &g);
}

// Ranks are alike if their rows are, and so are their parts and what they do in their columns.
static int same_as(const Coll *c)
{
    const RankRows g = rank_rows_of(c);
    if (c->p % g.rows != 0 || c->in.len % ((size_t)g.K * (size_t)g.rows * c->elem) != 0)
        return coll_v(c);
    if (g.i >= g.K)
        return g.i;
    const Coll column = column_view(c, &g);
    return call_same(&column, c->par.part[OUTER]) * g.n + g.i;
}

const CollAlgorithm allreduce_grid_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "grid",
    .summary =
        "rows of ranks exchange parts of the vector, columns make allreduces of the parts, and the parts go back",
    .run = allreduce_grid,
    .needs = {&need_commutative, &need_group_parts},
    .groups = {[OUTER] = RAILS_ALL},
    .otherwise = "recursive_doubling",
    .params = {ROW_PARTS, PART("outer", OUTER, COLL_ALLREDUCE, "k_census", "the allreduce of a part in a column")},
    .peers = PEERS_SHIFT,
    .same_as = same_as,
    .cost = "no formula: a rank that owns no part has fewer messages than the others",
    .unknown = "a rank that owns no part has fewer messages than the others",
    .source = "van de Geijn, On global combine operations, 1994, for the grid",
};

// What:   Rows of K or more consecutive ranks, K = `group`: each rank of a row sends its row's first K ranks one of K
//         parts of the vector each, all at once, and these add up what they get. The ranks with the same part reduce
//         it up a postal tree, and those of the first row send the result to the root. For machines on which many
//         short messages can be under way. See shapes/rank_rows.h and shapes/postal.h.
// Cost:   no formula: the owners of parts enter the trees at different times.
// Source: van de Geijn, On global combine operations, 1994; Bar-Noy, Kipnis, Schieber 1993; the grid is ours.
// Needs:  a commutative operation.
//
//   p = 7, group = 3      0-1-2   3-4-5   6 -> 3 4 5 (m/3)
//                         3 -> 0   4 -> 1   5 -> 2 (m/3)
//                         1 -> 0   2 -> 0 (m/3)
#include "coll.h"

static Slice own_part(const Coll *c, const RankRows *g, Slice vector)
{
    const Blocks part = blocks_even(c, vector, g->K);
    return block(&part, g->i < g->K ? g->i : 0);
}

static void gather(const Coll *c, const RankRows *g, Slice sum)
{
    const Blocks part = blocks_even(c, c->out, g->K);
    const CollReq first = coll_mark(c);
    if (g->i > 0)
        coll_send(c, c->root, sum);
    else
        coll_copy(c, block(&part, 0), sum);
    for (int i = 1; i < g->K && g->i == 0; i++)
        coll_irecv(c, coll_rank(c, i), block(&part, i));
    coll_waitall(c, first);
}

static void reduce_grid(const Coll *c)
{
    const RankRows g = rank_rows_of(c);
    const Slice mine = own_part(c, &g, c->in), sum = slice_like(coll_scratch_if(c, g.i < g.K, mine.len), mine);
    coll_phase(c, "rows");
    rank_rows_reduce(c, &g, sum);
    if (g.i >= g.K)
        return;
    Coll column = rank_rows_column(c, &g);
    column.in = sum;
    coll_phase(c, "columns");
    tree_reduce(&column, tree_postal_reversed(&column, 0), sum);
    coll_phase(c, "gather");
    if (g.row == 0)
        gather(c, &g, sum);
}

const CollAlgorithm reduce_grid_algorithm = {
    .collective = COLL_REDUCE,
    .name = "grid",
    .summary = "rows of ranks exchange parts of the vector, and columns reduce the parts up postal trees",
    .run = reduce_grid,
    .needs = {&need_commutative},
    .params = {SEGMENT, POSTAL_LATENCY, ROW_PARTS},
    .peers = PEERS_SHIFT,
    .pattern = rank_rows_pattern,
    .cost = "no formula: the owners of parts enter the trees at different times",
    .unknown = "the owners of parts enter the trees at different times",
    .source = "van de Geijn, On global combine operations, 1994; Bar-Noy, Kipnis, Schieber 1993; the grid is ours",
};

// What:   Rows of K or more consecutive ranks, K = `group`: the root sends the first K ranks of its row, itself among
//         them, one of K parts of the message each, all at once. Postal trees bring each part to a rank of every row,
//         and these ranks send their parts to all others of their row at once. For machines on which many short
//         messages can be under way. See shapes/rank_rows.h and shapes/postal.h.
// Cost:   no formula: the trees of the parts begin one after the other.
// Source: van de Geijn, On global combine operations, 1994; Bar-Noy, Kipnis, Schieber 1993; the grid is ours.
// Needs:  nothing.
//
//   p = 7, group = 3      0 -> 1   0 -> 2 (m/3)
//                         0 -> 3   1 -> 4   2 -> 5 (m/3)
//                         0-1-2   3-4-5   3 4 5 -> 6 (m/3)
#include "coll.h"

static void bcast_grid(const Coll *c)
{
    const RankRows g = rank_rows_of(c);
    const Blocks part = blocks_even(c, c->out, g.K);
    const CollReq first = coll_mark(c);
    coll_phase(c, "parts");
    for (int i = 1; i < g.K && coll_v(c) == 0; i++)
        coll_isend(c, coll_rank(c, i), block(&part, i));
    if (g.row == 0 && g.i > 0 && g.i < g.K)
        coll_recv(c, c->root, block(&part, g.i));
    coll_phase(c, "columns");
    if (g.i < g.K) {
        const Coll column = rank_rows_column(c, &g);
        const Blocks segments = blocks_size(c, block(&part, g.i), c->par.segment);
        tree_bcast(&column, tree_postal(&column, 0), &segments);
    }
    coll_waitall(c, first);
    coll_phase(c, "rows");
    rank_rows_gather(c, &g);
}

const CollAlgorithm bcast_grid_algorithm = {
    .collective = COLL_BCAST,
    .name = "grid",
    .summary = "parts of the message go to a row of ranks, down postal trees to all rows, and to all ranks of a row",
    .run = bcast_grid,
    .params = {SEGMENT, POSTAL_LATENCY, ROW_PARTS},
    .peers = PEERS_SHIFT,
    .pattern = rank_rows_pattern,
    .cost = "no formula: the trees of the parts begin one after the other",
    .unknown = "the trees of the parts begin one after the other",
    .source = "van de Geijn, On global combine operations, 1994; Bar-Noy, Kipnis, Schieber 1993; the grid is ours",
};

// What:   Rows of consecutive ranks, in which the first K ranks work for 1/K of the vector each: they get this part of
//         the vectors of the row and add them up. Those with the same part make rows again, of at most `levels` levels;
//         then the ranks with the same part in all groups make an exscan, and the levels run backwards: a rank hands
//         what comes before each rank of its row, or up to it, to that rank. K is the largest divisor of the number of
//         ranks up to `radix`, if that is above half of `radix`; else it is `radix`, and some rows have more ranks,
//         which own nothing. It is k_halving for any p, and its levels overlap: a block is added while another one
//         travels. See shapes/prefix_parts.h.
// Cost:   as k_halving, and up to 2 m gamma less.
// Source: this page. With radix 2 the levels are Rabenseifner's halvings of 2004, as in scan halving; the exscan is
//         Träff's of 2025.
// Needs:  nothing.
//
//   p = 7, radix = 3, levels = 1      0-1-2   3-4-5 (m/3)      0 -> 3   1 -> 4   2 -> 5 (m/3)
//                                     0-1-2   3-4-5   3 4 5 -> 6 (m/3)
#include "coll.h"
#include "times/times.h"

static void run(const Coll *c, bool exclusive)
{
    if (c->p == 1) {
        if (!exclusive)
            coll_copy(c, c->out, c->in);
        return;
    }
    PrefixParts x;
    Coll lane;
    const bool owns = prefix_parts_rows(c, c->par.radix, c->par.halvings, &x, &lane);
    x.overlap = true;
    coll_phase(c, "sums");
    const Slice sum = prefix_parts_up(c, &x), before = coll_scratch(c, sum.len);
    if (owns) {
        lane.in = sum;
        lane.out = before;
        coll_phase(c, "exscan");
        prefix_two_phase(&lane);
    }
    coll_phase(c, "prefixes");
    prefix_parts_down(c, &x, before, owns && lane.rank > 0, exclusive);
}

static void scan_k_halving_overlap(const Coll *c)
{
    run(c, false);
}

static void exscan_k_halving_overlap(const Coll *c)
{
    run(c, true);
}

// The ranks of two groups are alike if the groups are in the exscan and all rows of a level have as many ranks.
static int same_as(const Coll *c)
{
    int K = 1, groups = c->p;
    for (int l = 0; l < c->par.halvings && groups > 1; l++) {
        const int r = prefix_parts_owners(groups, c->par.radix);
        if (groups % r != 0)
            return c->rank;
        K *= r;
        groups /= r;
    }
    return prefix_two_phase_same(c->rank / K, groups) * K + c->rank % K;
}

#define COMMON                                                                                                         \
    .name = "k_halving_overlap",                                                                                       \
    .summary = "k_halving for any p, in which a block is added while another one travels between the levels",          \
    .params = {RADIX_UP_TO(64, 4, "ranks that exchange parts at a time, or the most where a divisor serves as well"),  \
               {"levels", PARAM_INT, offsetof(CollParams, halvings), 2, 1, 30, NULL,                                   \
                "number of levels; more than ceil(log2 p) means that", CUT_ROUNDS}},                                   \
    .ordered = true, .peers = PEERS_SHIFT, .same_as = same_as, .cost = "as k_halving, and up to 2 m gamma less",       \
    .unknown = "levels overlap, and ranks of a row are not in step", .source = "this page"

const CollAlgorithm exscan_k_halving_overlap_algorithm = {COMMON, .collective = COLL_EXSCAN,
                                                          .run = exscan_k_halving_overlap};
const CollAlgorithm scan_k_halving_overlap_algorithm = {COMMON, .collective = COLL_SCAN, .run = scan_k_halving_overlap};

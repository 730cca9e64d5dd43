// What:   The message travels in segments down the tree that the parameter selects. See shapes/tree.h for the trees,
//         and shapes/tree_engines.c for the order in which a rank sends and receives.
// Cost:   the tree's recurrence; S = 1: T(v) = T(parent) + (place among its children) (alpha + m beta). T(v) is the
//         time at which v has the message; places count from 1. S > 1 segments mostly add (S-1) (largest number of
//         children) (alpha + m/S beta). times/tree_time.c has the recurrence.
// Source: Open MPI 4.1, bcast_generic.
// Needs:  nothing.
//
//   p = 8, tree = binomial      0 -> 1
//                               0 -> 2   1 -> 3
//                               0 -> 4   1 -> 5   2 -> 6   3 -> 7
#include "coll.h"
#include "times/times.h"

static void bcast_generic(const Coll *c)
{
    const Blocks segments = blocks_size(c, c->out, c->par.segment);
    tree_bcast(c, tree_chosen(c, c->root), &segments);
}

static int64_t formula(const CollPoint *x)
{
    return tree_bcast_time(x, tree_chosen, 0);
}

const CollAlgorithm bcast_generic_algorithm = {
    .collective = COLL_BCAST,
    .name = "generic",
    .summary = "the message travels in segments down a tree of your choice",
    .run = bcast_generic,
    .params = {CHOICE("tree", tree_names, "shape of the tree"), SEGMENT},
    .peers = PEERS_SHIFT,
    .same_as = same_chosen,
    .cost = "the tree's recurrence; S = 1: T(v) = T(parent) + (place among its children) (alpha + m beta)",
    .formula = formula,
    .source = "Open MPI 4.1, bcast_generic",
};

// Needs: the conditions that must hold for an algorithm to run.
#pragma once
#include "api/view.h"

typedef struct CollNeed {
    bool (*holds)(const Coll *c); // must give the same answer at all ranks
    const char *otherwise;        // the text if the need is not met: "count < p"
    const char *text;             // the text of the need: "count >= p"
} CollNeed;
// There are at most COLL_FEW_RANKS ranks. Among more, an algorithm would take too much time or room to simulate.
enum { COLL_FEW_RANKS = 1024 };
extern const CollNeed need_few_ranks;
extern const CollNeed need_pow2, need_even, need_two, need_commutative, need_count_p, need_count_pow2, need_fragment;
// There are several nodes, and several ranks in a node.
extern const CollNeed need_nodes;
// Every node has as many ranks as the others. It comes after need_nodes in a list of needs.
extern const CollNeed need_nodes_equal;
// The contrary: nodes differ in size. It comes after need_nodes too.
extern const CollNeed need_nodes_unequal;
// Both: every node has as many ranks as the others, and they are consecutive. It comes after need_nodes too.
extern const CollNeed need_nodes_regular;
// A block of an allgather or alltoall has at most 4096 bytes: MPICH's share of a rank in the shared memory of a node.
extern const CollNeed need_block_4096;
// The ranks of a node are consecutive, and follow those of the node before: always, or unless the operation is
// commutative. Both come after need_nodes in a list of needs.
extern const CollNeed need_nodes_ordered, need_nodes_order;

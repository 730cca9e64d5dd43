// Needs: what must hold for an algorithm to run.
#pragma once
#include "api/view.h"

typedef struct CollNeed {
    bool (*holds)(const Coll *c);
    const char *otherwise; // says that it does not hold: "count < p"
    const char *text;      // says what is needed: "count >= p"
} CollNeed;
extern const CollNeed need_pow2, need_even, need_two, need_commutative, need_count_p, need_count_pow2, need_fragment;
// There are several nodes, and several ranks in a node.
extern const CollNeed need_nodes;

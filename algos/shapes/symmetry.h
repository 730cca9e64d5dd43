// Symmetries: which ranks do the same. An entry declares one (CollAlgorithm.same_as): it returns the least v that does,
// relative to itself, what this rank's v does; v itself if no symmetry is known.
#pragma once
#include "api/view.h"

// All ranks are alike: at every p; if p is a power of two; if moreover the vector is cut evenly.
int same_always(const Coll *c);
int same_pow2(const Coll *c);
int same_pow2_even(const Coll *c);
// All ranks but the root are alike.
int same_linear(const Coll *c);
// Places of equal shape in the trees of tree.h.
int same_chain(const Coll *c);
int same_pipeline(const Coll *c);
int same_binary(const Coll *c);
int same_binomial(const Coll *c);
int same_binomial_in_order(const Coll *c);
int same_knomial(const Coll *c);
int same_chosen(const Coll *c);
// Places of equal shape whose parents have equal shape too.
int same_knomial_siblings(const Coll *c);
// The same for a scatter or gather, where the place also says how many blocks a rank handles.
int same_chain_run(const Coll *c);
int same_binary_run(const Coll *c);
// In-order binomial, after runs_tell_counts.
int same_told(const Coll *c);
// A symmetry of the tree's places, if the tree ends at the root; the hop to another root breaks it.
int same_under_top(const Coll *c, int (*same)(const Coll *c));
// All exchanges are by butterfly_swing_peer; p is a power of two and the vector is cut evenly.
int same_swing(const Coll *c);
// After fold_ranks, three kinds of ranks are alike: those folded away, those they are folded into, and the others.
int same_fold(const Coll *c);
// The same if moreover the vector is cut evenly.
int same_fold_even(const Coll *c);
// After fold_runs or fold_beyond, all exchanges are by butterfly_digit_peer, of whole vectors; the radix is a power of
// two.
int same_fold_runs(const Coll *c);
int same_fold_beyond(const Coll *c);

// Equivalent mutants: proves, without executing contents, that a mutant of an algorithm still computes what the
// algorithm computes. Test_mutants needs this to judge the contents checker, which must accept exactly these mutants.
//
// The proofs use one fact. If contents_rules() holds, nothing touches what a pending request sends or receives. So each
// send may be taken to read, and each receive to write, at the moment when it is posted; waits move no data. What a
// rank holds then follows from the order of its own operations and from which message meets which receive.
#pragma once
#include "judge/prove/mutant_flags.h"

// Why a mutant is equivalent. Each of the functions below returns DIFFERENT if it has no proof.
typedef enum Rule {
    DIFFERENT,
    // Every element that is no longer written already has the same value: tracing both values back through copies and
    // messages leads to the same element of the same input, or to equal reductions, perhaps on different ranks. Two
    // values are also the same if both are poison; some algorithms send scratch that nobody wrote, for its cost alone.
    REPEATS,
    // Every element that is no longer written is there already, or has no effect: it is overwritten before a result, or
    // a message that has an effect, is made of it. A reduction that reads such an element must still not meet poison.
    UNUSED,
    // The operation is a throttle, which limits how many requests are pending but does not order any two operations.
    THROTTLES,
    // The two swapped operations are reductions into the same place, and neither adds that place to itself. Either the
    // operation is commutative, or one reduction adds on the left and the other on the right.
    SUMS,
    // The two swapped operations are independent, and the swap causes no deadlock:
    // - Neither writes what the other reads or writes. Exceptions are a write that repeats what is there, a read whose
    //   value has no effect, and two operations that both have no effect at all.
    // - Their messages do not go between the same two ranks in the same direction, unless both are empty.
    // - contents_rules() still holds.
    // - No ranks wait for each other in a circle.
    // - In a barrier, every rank still hears of all others.
    //
    // Then every message and every slice that has an effect holds the same as before, and the end is reached. There is
    // one name for each kind of pair:
    SWAP_LOCAL,    // one of the two is local work, a copy or a reduction
    SWAP_REQUESTS, // both post a request
    SWAP_WAITS,    // one is a wait and neither is local work
    SWAP_MESSAGES, // one is a blocking message, the other is one too or posts a request
    // In shared memory: with the flags that remain, no rank waits for ever; every read of a slot certainly comes after
    // the same write as before, and before the next write to the slot. Two swapped operations are independent as above.
    ORDERED,
    N_RULES
} Rule;
extern const char *const rule_names[N_RULES];

// What the functions below ask of the original algorithm, for all of its mutants.
typedef struct Original {
    Messages ms;
    Story *story; // NULL if the algorithm has no flags
} Original;

// Judges a mutant whose operation i does not write the last `elements` of the elements that it writes in each slice; if
// `elements` is SIZE_MAX, it writes nothing, as if it were dropped. c is the original algorithm, and ms has its
// messages.
Rule rule_of_missing_writes(const Contents *c, const Messages *ms, int rank, int i, size_t elements);
// Judges a mutant in which operations i and i+1 of one rank are swapped. c is the mutant, `before` is what is known of
// the original, and `original` holds the rank's operations before the swap.
Rule rule_of_swap(Contents *c, const Original *before, int rank, int i, CollOp *original);

// Which mutants of an algorithm are the same schedule, or another one that computes the same: proven from the original's
// operations by rules, without executing contents.
//
// What the proofs stand on. Where contents_rules hold, nobody touches what a pending request sends or receives, so each
// send reads, and each receive writes, as if at once where it is posted; waits move no data. What a rank holds then
// follows from the order of its own operations, and from which message meets which receive.
#pragma once
#include "contents.h"

typedef enum Rule {
    DIFFERENT,
    // The operation, or the part of it that is missing, writes what is there already: it is traced back to the same
    // element of the same input, or of the same reduction, by whichever rank; or both are scratch that nobody wrote, a
    // message sent for its cost.
    REPEATS,
    // What it writes, or the part of it that is missing, is there already, or is overwritten before a result or a message that counts is made
    // of it; and a reduction that is made of it finds contents there all the same.
    UNUSED,
    // Limits how much is under way, and orders nothing.
    THROTTLES,
    // The two swapped operations add to the same place, the operation is commutative or one adds from the left and one
    // from the right, and neither adds what is there.
    SUMS,
    // The two swapped operations do not touch each other: neither writes what the other reads or writes (unless it
    // repeats what is there, or what is made of it or all that they do is unused), their messages are not between the same
    // two ranks, the rules hold, nobody waits in a circle, and a barrier still hears of all. The first three say that every
    // message and every slice that counts holds the same as before, the last two that the end is reached. By what they are:
    SWAP_LOCAL,    // one is local work
    SWAP_REQUESTS, // both post a request
    SWAP_WAITS,    // one is a wait
    SWAP_MESSAGES, // one is a blocking message, the other one too or a request
    // In shared memory: by the flags that remain, nobody waits for ever, every read of a slot comes after the same write as
    // before, and before the next one; and two operations that are swapped do not touch each other.
    ORDERED,
    N_RULES
} Rule;
extern const char *const rule_names[N_RULES];

// c is the original. Its operation i does not write the last `elements` elements that it writes, or none: SIZE_MAX.
Rule rule_of_missing_writes(const Contents *c, int rank, int i, size_t elements);
// c is the original with other operations of a rank of an algorithm of shared memory; was[i] says which of `original` its
// operation i is, or is in place of.
Rule rule_of_order(Contents *c, int rank, const ContentsRank *original, const int *was);
// c is the original with operations i and i+1 of a rank swapped, `original` what the rank did before.
Rule rule_of_swap(Contents *c, int rank, int i, CollOp *original);

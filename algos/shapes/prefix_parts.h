// Scans in groups of consecutive ranks, in which every rank works for its own part of the vector.
//
// A group has K ranks. On the first level, runs of r consecutive ranks cut the vector into r parts, and each rank gets
// the same part of all r vectors. It adds them up in the order of the ranks, those behind it apart from the others,
// because they arrive first, and keeps each sum that it passes. On the next level it does so with the last sum, among
// the r' ranks at distance r, and so on, until the product of the numbers r, r' .. is K and a rank has 1/K of the sum
// over its group. Then the levels run backwards: a rank that knows what comes before a run, for its part, adds each sum
// that it has kept and hands the result to the rank that it is for.
//
// Example, K = 6 as 2 and 3, ranks 0 .. 5: the pairs 0-1, 2-3 and 4-5 exchange halves; then 0, 2 and 4 exchange thirds
// of theirs, and 1, 3 and 5 do.
//
// A row of a grid (shapes/rank_rows.h) can be the only level: its first ranks then own the parts, and the others give
// and get parts all the same.
#pragma once
#include "api/blocks.h"
#include "api/communicate.h"
#include "shapes/rank_rows.h"

enum { PREFIX_PARTS_LEVELS = 31 };

// What one rank does on a level.
typedef struct PrefixLevel {
    int r, digit;      // the ranks of a run, and the caller's number in it
    int owners;        // the number of parts; the first `owners` ranks of the run own one each
    int first, stride; // rank i of the run is first + i stride
    Blocks part;       // the parts of the vector of this level
    Slice own;         // the caller's part of its own vector
    Slice inbox;       // .. and of the vectors of the other ranks, by rank of the run
    CollReq *request;  // by rank of the run: that of what comes from it
    // Nothing comes before the run or behind it, so that what comes before its ranks can be added up while it is sent.
    bool alone;
    // Sum i is over the parts of the ranks 0 .. i. Where ranks are added up apart (prefix_parts_apart), sum i, digit < i <
    // r-1, is over those of digit+1 .. i.
    Slice sums;
    int known; // the first `known` sums are made
} PrefixLevel;
typedef struct PrefixParts {
    int levels;
    PrefixLevel level[PREFIX_PARTS_LEVELS];
    bool alone; // the group is the only one: its sum is not asked for
    int rest;   // a rank behind the last group that gets what comes before it; -1 if the caller has none
} PrefixParts;

// Returns how many ranks of a run of r the rank with this digit adds up apart from the others: those behind it, because
// their parts arrive before that of rank 0. Returns 0 for a run that is alone.
static inline int prefix_parts_apart(int r, int digit, bool alone)
{
    return digit > 0 && !alone ? r - 1 - digit : 0;
}
// Returns the largest divisor of n up to `most`, or its smallest one above; n > 1.
int prefix_parts_radix(int n, int most);
// Returns the levels of groups of K ranks: numbers r up to `most`, where K has such divisors.
PrefixParts prefix_parts(const Coll *c, int K, int most);
// Returns the single level of a row.
PrefixParts prefix_parts_row(const RankRows *row);
// Returns the caller's part of a vector. It must own one.
Slice prefix_parts_own(const PrefixParts *x, const Coll *c, Slice vector);
// Goes up the levels with a copy of c->in. Returns the sum over the caller's group, for the caller's part, or an empty
// slice if it owns none. The sum of a group that is alone is not made.
Slice prefix_parts_up(const Coll *c, PrefixParts *x);
// Goes down the levels. `before` is what comes before the group, for the caller's part, if `some` rank does. Afterwards
// `out` is the result of an exscan, or of a scan; it is untouched if it is that of the first rank in an exscan.
void prefix_parts_down(const Coll *c, PrefixParts *x, Slice before, bool some, bool exclusive);

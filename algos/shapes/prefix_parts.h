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
// Levels can overlap. On the way up, a rank then adds what arrives last in the order in which the next level sends it
// on, so that a block is added while the one before it travels. On the way down, the first sum that the next level makes
// takes what comes before the run block by block, as the blocks arrive.
//
// The runs of a level can be the rows of a grid (shapes/rank_rows.h), so that any number of ranks has levels: the first
// ranks of a row own the parts, and the others give and get parts all the same. The owners of the same part make the
// rows of the next level. Where the last row is one rank longer than all others, its last rank gives nothing: nobody is
// behind it, so that only its own result has its vector, which it adds itself.
#pragma once
#include "api/blocks.h"
#include "api/communicate.h"
#include "shapes/rank_rows.h"

enum { PREFIX_PARTS_LEVELS = 31 };

// What one rank does on a level.
typedef struct PrefixLevel {
    int r, digit;      // the ranks of a run, and the caller's number in it
    int given;         // the first `given` ranks give parts
    int owners;        // the number of parts; the first `owners` ranks of the run own one each
    Coll view;         // has the ranks of the run; if it has none, the caller's view has them
    int first, stride; // .. rank i of the run is first + i stride
    Blocks part;       // the parts of the vector of this level
    Slice own;         // the caller's part of its own vector
    Slice inbox;       // .. and of the vectors of the other ranks, by rank of the run
    CollReq *request;  // by rank of the run: that of what comes from it
    // Nothing comes before the run or behind it, so that what comes before its ranks can be added up while it is sent.
    bool alone;
    // Sum i is over the parts of the ranks 0 .. i. Where ranks are added up apart (prefix_parts_apart), sum i is over
    // those of digit .. i, if digit <= i < r-1.
    Slice sums;
    int known;     // the first `known` sums are made
    CollReq *back; // on the way down, by rank of the run: the request of what comes from it
} PrefixLevel;
typedef struct PrefixParts {
    int levels;
    PrefixLevel level[PREFIX_PARTS_LEVELS];
    bool alone;   // the group is the only one: the sum of its last level is not asked for
    bool overlap; // .. levels overlap
    int rest;     // a rank behind the last group that gets what comes before it; -1 if the caller has none
} PrefixParts;

// Returns how many ranks of a run of r the rank with this digit adds up apart from the others: itself and those behind
// it, because their parts arrive before that of rank 0. Returns 0 for a run that is alone.
static inline int prefix_parts_apart(int r, int digit, bool alone)
{
    return digit > 0 && !alone ? r - digit : 0;
}
// Returns the largest divisor of n up to `most`, or its smallest one above; n > 1.
int prefix_parts_radix(int n, int most);
// Returns the levels of groups of K ranks: numbers r up to `most`, where K has such divisors.
PrefixParts prefix_parts(const Coll *c, int K, int most);
// Returns the single level of a row.
PrefixParts prefix_parts_row(const RankRows *row);
// Returns how many ranks of n own a part in a row of prefix_parts_rows: the largest divisor of n that is at most
// `radix`, if it is above half of that, so that all rows are alike; else `radix`, or n if that is less.
int prefix_parts_owners(int n, int radix);
// Sets the levels, at most this many, of groups that are made of rows. Returns false if the caller owns no part on the
// last of them. Otherwise `lane` is the view of those that have the same part in all groups. x must not outlive c, nor
// `lane` x.
bool prefix_parts_rows(const Coll *c, int radix, int levels, PrefixParts *x, Coll *lane);
// Returns the caller's part of a vector. It must own one.
Slice prefix_parts_own(const PrefixParts *x, const Coll *c, Slice vector);
// Goes up the levels with a copy of c->in. Returns the sum over the caller's group, for the caller's part, or an empty
// slice if it owns none. The sum of a group that is alone is not made.
Slice prefix_parts_up(const Coll *c, PrefixParts *x);
// Goes down the levels. `before` is what comes before the group, for the caller's part, if `some` rank does. Afterwards
// `out` is the result of an exscan, or of a scan; it is untouched if it is that of the first rank in an exscan.
void prefix_parts_down(const Coll *c, PrefixParts *x, Slice before, bool some, bool exclusive);

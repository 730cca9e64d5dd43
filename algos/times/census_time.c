// The time of a census.
#include "times/times.h"

int64_t census_time(const CollPoint *x, const Census *census, int64_t block, bool overlap)
{
    int64_t t = 0, before = 0; // how long the round before adds up while this one's message travels
    for (int i = 0; i < census->rounds; i++) {
        const CensusRound r = census->round[i];
        const bool sums = r.keep && i > 0; // what comes is added to two sums; the first rest is a copy
        const bool late = overlap && r.keep && (i > 0 || census->round[i + 1].rest);
        const int64_t add = g(x, r.blocks * block);
        t += later(u(x, r.blocks * block), before) + (1 + sums - late) * add;
        before = late ? add : 0;
    }
    return t;
}

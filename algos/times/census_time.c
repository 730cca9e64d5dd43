// The time of a census.
#include "times/times.h"

int64_t census_time(const CollPoint *x, const Census *census, int64_t block)
{
    int64_t t = 0;
    for (int i = 0; i < census->rounds; i++) {
        const CensusRound r = census->round[i];
        t += u(x, r.blocks * block) + (r.keep && i > 0 ? 2 : 1) * g(x, r.blocks * block);
    }
    return t;
}

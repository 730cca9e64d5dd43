// The times of a census.
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

int64_t census_overlap_time(const CollPoint *x, const Census *census, int64_t block)
{
    int64_t t = 0, late = 0;
    for (int i = 0; i < census->rounds; i++) {
        const CensusRound r = census->round[i];
        const int64_t add = g(x, r.blocks * block);
        const bool rests = r.keep && census->round[i + 1].rest;
        t += later(u(x, r.blocks * block), late) + (rests && i == 0 ? 0 : add);
        late = rests || (r.keep && i > 0) ? add : 0; // what is added up while the next message travels
    }
    return t;
}

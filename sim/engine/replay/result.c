#include "engine/replay/result.h"
#include <math.h>

const char *const gear_names[] = {"auto", "event", "flow", "chain", "lockstep"};

Replay *replay_new(int p, bool clocks)
{
    Replay *r = g_new0(Replay, 1);
    r->clocks = clocks ? g_new(Stamp, p) : NULL;
    r->simulated = p;
    r->clock_s = -1;
    r->stuck = g_array_new(FALSE, FALSE, sizeof(Stuck));
    return r;
}

Replay *replay_beyond(int simulated)
{
    Replay *r = replay_new(simulated, false);
    r->beyond = true;
    r->time_s = INFINITY;
    return r;
}

void replay_end_rank(Replay *r, int rank, Stamp end)
{
    if (r->clocks)
        r->clocks[rank] = end;
    if (end.t <= r->clock_s)
        return;
    r->tally = end.n;
    r->clock_s = end.t;
    r->origin = (int)end.node;
}

void replay_free(Replay *r)
{
    if (!r)
        return;
    g_free(r->clocks);
    g_free(r->count);
    g_free(r->field);
    if (r->path)
        g_array_free(r->path, TRUE);
    if (r->stuck)
        g_array_free(r->stuck, TRUE);
    g_free(r);
}

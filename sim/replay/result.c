#include "replay/result.h"

const char *const gear_names[] = {"auto", "event", "dataflow", "blocking", "convoy", "lockstep"};

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

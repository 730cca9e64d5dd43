#include "engine/replay/in_port.h"

bool in_port_may_be_free_at_once(const Measured *figures)
{
    bool may = false;
    for (int k = 0; k < figures->n_levels; k++) {
        const Table *gap = figures->level[k].gap;
        for (int i = 0; i < gap->n; i++)
            may |= gap->at[i].value == 0;
    }
    return may;
}

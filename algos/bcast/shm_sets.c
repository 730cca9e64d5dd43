// What:   in shared memory, as shm_flat, but slots are freed by halves: the root uses a half again once its atomic
//         counter has been passed by every reader, one after the other. What shm_flat is compared with.
// Cost:   n = ceil(m/f) < floor(s/2) fragments: as shm_flat, t_w + flag + t_r + (n-1) max(t_w, t_r); else a recurrence:
//         besides up to (p-1) flag for each half of the slots. The recurrence is in shm_time.c.
// Source: Graham, Shipman 2008, Open MPI coll/sm. Romanyuta and Kurnosov describe it; the paper is "MPI support for
//         multi-core architectures".
// Needs:  element <= fragment.
//
//   p = 8, s = 2      0 writes | 1..7 read 0, 0 writes | 1..7 read 0 | flags 1 -> 2 -> .. -> 7 -> 0 | 0 writes | ..
#include "coll.h"
#include "times/times.h"

static void bcast_shm_sets(const Coll *c)
{
    shm_sets_bcast(c, 0);
}

const CollAlgorithm bcast_shm_sets_algorithm = {
    .collective = COLL_BCAST,
    .name = "shm_sets",
    .summary = "shared memory: as shm_flat, with slots freed by halves through an atomic counter",
    .run = bcast_shm_sets,
    .needs = {&need_fragment},
    .params = {FRAGMENT, SLOTS},
    .shared = true,
    .peers = PEERS_SHIFT,
    .cost = "n = ceil(m/f) < floor(s/2) fragments: as shm_flat, t_w + flag + t_r + (n-1) max(t_w, t_r); else a "
            "recurrence: besides up to (p-1) flag for each half of the slots",
    .formula = shm_sets_bcast_time,
    .source = "Graham, Shipman 2008, Open MPI coll/sm",
};

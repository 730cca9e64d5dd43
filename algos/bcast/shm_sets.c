// What:   The root writes fragments into shared memory and all other ranks read them, as in shm_flat, but the slots are
//         freed in two halves: the root reuses a half after every reader, one after the other, has passed the atomic
//         counter of that half. This is the algorithm that shm_flat is compared with. See shapes/shm.c.
// Cost:   n = ceil(m/f) < floor(s/2) fragments: as shm_flat, t_w + flag + t_r + (n-1) max(t_w, t_r); else a recurrence,
//         which adds up to (p-1) flag for each half of the slots. times/shm_time.c has the recurrence; f, s, t_w and
//         t_r are those of shm_flat.
// Source: Graham, Shipman 2008, Open MPI coll/sm. The paper is "MPI support for multi-core architectures"; Romanyuta
//         and Kurnosov (2023) describe the algorithm.
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
    .summary = "shared memory: like shm_flat, but slots are freed in halves, through an atomic counter",
    .run = bcast_shm_sets,
    .needs = {&need_fragment},
    .params = {FRAGMENT, SLOTS},
    .shared = true,
    .peers = PEERS_SHIFT,
    .cost = "n = ceil(m/f) < floor(s/2) fragments: as shm_flat, t_w + flag + t_r + (n-1) max(t_w, t_r); else a "
            "recurrence, which adds up to (p-1) flag for each half of the slots",
    .formula = shm_sets_bcast_time,
    .source = "Graham, Shipman 2008, Open MPI coll/sm",
};

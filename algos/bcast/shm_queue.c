// What:   The root copies each fragment into a slot of its queue in shared memory, raises a counter, and all ranks copy
//         the fragment out. No flag frees a slot: once all slots have been used, all ranks meet in a barrier, and the
//         queue begins anew. See shapes/shm.c.
// Cost:   a recurrence; n = ceil(m/f) <= s fragments: as shm_flat_counter, t_w + flag + t_r + (n-1) max(t_w, t_r). The
//         recurrence over fragments is in times/shm_time.c; f, s, t_w, t_r and g are those of shm_flat.
// Source: MVAPICH, as Romanyuta and Kurnosov 2023 describe it. Its queues have 128 slots of 8192 bytes, and a slot
//         holds the number of the operation that wrote it, which our counter stands for. The paper is "Shared memory
//         based MPI Reduce and Bcast algorithms", section 3.
// Needs:  element <= fragment.
//
//   p = 4, s = 2      0 writes | 1 2 3 read 0, 0 writes | 1 2 3 read 0 | barrier | 0 writes | ..
#include "coll.h"
#include "times/times.h"

const CollAlgorithm bcast_shm_queue_algorithm = {
    .collective = COLL_BCAST,
    .name = "shm_queue",
    .summary = "shared memory: the root writes fragments, all ranks read them, and meet in a barrier after each queue",
    .run = shm_queue_bcast,
    .needs = {&need_fragment},
    .params = {FRAGMENT, SLOTS_OF(128)},
    .shared = true,
    .peers = PEERS_SHIFT,
    .cost = "a recurrence; n = ceil(m/f) <= s fragments: as shm_flat_counter, t_w + flag + t_r + (n-1) max(t_w, t_r)",
    .formula = shm_queue_bcast_time,
    .source = "MVAPICH, as Romanyuta and Kurnosov 2023 describe it",
};

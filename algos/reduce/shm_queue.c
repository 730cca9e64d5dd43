// What:   All ranks copy their fragments into the slots of their queues in shared memory and raise a counter, and the
//         root copies them out and reduces them. No flag frees a slot: once all slots have been used, all ranks meet in
//         a barrier, and the queues begin anew. See shapes/shm.c.
// Cost:   a recurrence; n = ceil(m/f) <= s fragments: as shm_flat, t_w + flag + n (p-1) (t_r + g). The recurrence over
//         fragments is in times/shm_time.c; f, s, t_w, t_r and g are those of shm_flat.
// Source: MVAPICH, as Romanyuta and Kurnosov 2023 describe it. Its queues have 128 slots of 8192 bytes, and a slot
//         holds the number of the operation that wrote it, which our counter stands for. The paper is "Shared memory
//         based MPI Reduce and Bcast algorithms", section 3.
// Needs:  element <= fragment.
//
//   p = 4, s = 2      1 2 3 write | 0 reads 3 | 0 reads 2 | 0 reads 1 | 0 reads 3 .. | barrier | 1 2 3 write | ..
#include "coll.h"
#include "times/times.h"

const CollAlgorithm reduce_shm_queue_algorithm = {
    .collective = COLL_REDUCE,
    .name = "shm_queue",
    .summary =
        "shared memory: all ranks write fragments, the root reduces them, and all meet in a barrier after each queue",
    .run = shm_queue_reduce,
    .needs = {&need_fragment},
    .params = {FRAGMENT, SLOTS_OF(128)},
    .ordered = true,
    .shared = true,
    .peers = PEERS_SHIFT,
    .cost = "a recurrence; n = ceil(m/f) <= s fragments: as shm_flat, t_w + flag + n (p-1) (t_r + g)",
    .formula = shm_queue_reduce_time,
    .source = "MVAPICH, as Romanyuta and Kurnosov 2023 describe it",
};

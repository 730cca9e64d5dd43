// What:   in shared memory, as shm_flat, but slots are freed by halves: a rank uses a half again once the root has
//         passed its atomic counter, and after it every rank before this one. What shm_flat is compared with.
// Cost:   m <= s f, t_w <= (p-1) (t_r + g): as shm_flat, t_w + flag + n (p-1) (t_r + g), n = ceil(m/f) fragments; else
//         a recurrence. The recurrence is in shm_time.c.
// Source: Graham, Shipman 2008, Open MPI coll/sm. Romanyuta and Kurnosov describe it; the paper is "MPI support for
//         multi-core architectures".
// Needs:  element <= fragment.
//
//   p = 8, s = 2      1..7 write | 0 reads 7, 1..7 write | 0 reads and reduces 6 | .. 1 | flags 0 -> 1 -> .. -> 7 | ..
#include "coll.h"
#include "times/times.h"

const CollAlgorithm reduce_shm_sets_algorithm = {
    .collective = COLL_REDUCE,
    .name = "shm_sets",
    .summary = "shared memory: as shm_flat, with slots freed by halves through an atomic counter",
    .run = shm_sets_reduce,
    .needs = {&need_fragment},
    .params = {FRAGMENT, SLOTS},
    .ordered = true,
    .shared = true,
    .peers = PEERS_SHIFT,
    .cost = "m <= s f, t_w <= (p-1) (t_r + g): as shm_flat, t_w + flag + n (p-1) (t_r + g), n = ceil(m/f) fragments; "
            "else a recurrence",
    .formula = shm_sets_reduce_time,
    .source = "Graham, Shipman 2008, Open MPI coll/sm",
};

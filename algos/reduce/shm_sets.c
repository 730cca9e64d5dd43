// What:   All ranks write fragments into shared memory and the root reduces them, as in shm_flat, but the slots are
//         freed in two halves: a rank adds to an atomic counter when it has filled a half. When the root comes to use a
//         half again, it waits until all have added, and then tells them that the half is free. This is the algorithm
//         that shm_flat is compared with. See shapes/shm.c.
// Cost:   n = ceil(m/f) < floor(s/2) fragments, t_w <= (p-1) (t_r + g): as shm_flat, t_w + flag + n (p-1) (t_r + g);
//         else a recurrence. times/shm_time.c has the recurrence; f, s, t_w, t_r and g are those of shm_flat.
// Source: Graham, Shipman 2008, Open MPI coll/sm. The paper is "MPI support for multi-core architectures"; Romanyuta
//         and Kurnosov (2023) describe the algorithm.
// Needs:  element <= fragment.
//
//   p = 8, s = 2      1..7 write, and add 1 one after the other | 0 reads 7 .. | .. 1 | 0 awaits the count, tells 1..7 | ..
#include "coll.h"
#include "times/times.h"

const CollAlgorithm reduce_shm_sets_algorithm = {
    .collective = COLL_REDUCE,
    .name = "shm_sets",
    .summary = "shared memory: like shm_flat, but slots are freed in halves, through an atomic counter",
    .run = shm_sets_reduce,
    .needs = {&need_fragment},
    .params = {FRAGMENT, SLOTS},
    .ordered = true,
    .shared = true,
    .peers = PEERS_SHIFT,
    .cost = "n = ceil(m/f) < floor(s/2) fragments, t_w <= (p-1) (t_r + g): as shm_flat, t_w + flag + n (p-1) "
            "(t_r + g); else a recurrence",
    .formula = shm_sets_reduce_time,
    .source = "Graham, Shipman 2008, Open MPI coll/sm",
};

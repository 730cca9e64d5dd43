// What:   Single copies, as by CMA, KNEM or XPMEM: a rank's flag tells the root where its vector is, and the root
//         reduces it there, the highest rank's first. A rank ends when the root no longer needs its vector. See
//         shapes/shm.c.
// Cost:   T = flag + (p-1) (single + m read) + (p-2) m gamma + max(m gamma, flag). `single`, the start-up time of such
//         a copy, is 0 where the machine does not give it.
// Source: this project's. Open MPI's coll/xhc reduces out of the ranks' buffers in this way, over a tree of groups.
// Needs:  nothing.
//
//   p = 4      0 reads 3 | 0 reads and reduces 2 | 0 reads and reduces 1 | 0 reduces its own
#include "coll.h"
#include "times/times.h"

const CollAlgorithm reduce_shm_single_algorithm = {
    .collective = COLL_REDUCE,
    .name = "shm_single",
    .summary = "single copies: the root reduces the vectors in the ranks' own buffers",
    .run = shm_single_reduce,
    .ordered = true,
    .shared = true,
    .peers = PEERS_ABSOLUTE,
    .same_as = same_linear,
    .cost = "flag + (p-1) (single + m read) + (p-2) m gamma + max(m gamma, flag)",
    .formula = shm_single_reduce_time,
    .source = "this project's",
};

// What:   The root makes single copies, as CMA, KNEM or XPMEM do: it reads the other ranks' buffers in place. A rank
//         raises a flag when the root may read its vector, and ends when the root no longer needs it. The root reduces
//         the vectors where they are, the highest rank's first. See shapes/shm.c.
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

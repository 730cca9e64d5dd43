// What:   Rank r puts its block for rank r+j at place j, so that this block must travel j ranks. It does so one digit
//         of j (in base k) at a time, in rounds d = 1, k, k^2 ..: the blocks of all places whose digit at d is z travel
//         z d ranks, as one message. In k_bruck the messages of a round are under way together. The padded algorithms
//         pad blocks of different lengths to the longest.
// Cost:   T = N alpha + H m beta, N = (k-1)(h-1) + floor((p-1)/k^(h-1)), h = ceil(log_k p), H = non-zero digits of 0 ..
//         p-1 in base k; p = 2^d, k = 2: d alpha + d p/2 m beta. N is the number of messages that a rank sends; m is
//         the size of one block, in bytes.
// Source: alltoall bruck: Bruck et al. 1997; Open MPI 4.1, alltoall bruck; MPICH, alltoall brucks.
//         alltoall k_bruck: Bruck et al. 1997; MPICH, alltoall k_brucks.
//         alltoallv padded_bruck: Fan et al. 2022, padded Bruck.
//         alltoallv padded_k_bruck: Fan et al. 2022, padded Bruck; Bruck et al. 1997.
// Needs:  nothing.
//
//   p = 8      to r+1: places 1 3 5 7   to r+2: places 2 3 6 7   to r+4: places 4 5 6 7
#include "coll.h"
#include "times/times.h"

// Sends the blocks of `size` bytes at places 0 .. p-1 to their ranks; the blocks that arrive take their places. The
// messages of a digit are under way together, or one after the other.
static void rounds(const Coll *c, Slice places, size_t size, bool together)
{
    const int p = c->p, k = c->par.radix;
    const Slice outbox = coll_scratch(c, (size_t)p * size), inbox = coll_scratch(c, (size_t)p * size);
    for (int64_t d = 1; d < p; d *= k) {
        // All d places of a run have the same digit at d: the number of the run mod k.
        const Blocks run = blocks_pieces(c, places, (size_t)d * size);
        const int runs = (int)((p - 1) / d + 1);
        const size_t last = (size_t)(p - (runs - 1) * d) * size;
        int *which = coll_ints(c, (size_t)(runs - 1 - (runs - 1) / k)), n = 0; // digits that are not 0
        size_t got = 0;
        const CollReq digit = coll_mark(c);
        for (int z = 1; z < k && z < runs; z++) {
            const int to = (int)((c->rank + z * d) % p), from = (int)((c->rank - z * d + p) % p), before = n;
            for (int i = z; i < runs; i += k)
                which[n++] = i;
            const size_t len =
                (size_t)(n - before - 1) * (size_t)d * size + (which[n - 1] == runs - 1 ? last : (size_t)d * size);
            const Slice sent = slice_at(outbox, got, len), into = slice_at(inbox, got, len);
            coll_pack(c, sent, &run, n - before, which + before);
            if (together) {
                coll_irecv(c, from, into);
                coll_isend(c, to, sent);
            } else
                coll_sendrecv(c, to, sent, from, into);
            got += len;
        }
        coll_waitall(c, digit);
        coll_unpack(c, &run, n, which, slice_at(inbox, 0, got));
    }
}

static void exchange(const Coll *c, bool together)
{
    const int p = c->p;
    const Blocks in = coll_in(c), out = coll_out(c);
    const Slice places = coll_scratch(c, c->in.len);
    exchange_pack(c, places, &in, c->rank, 1);
    rounds(c, places, block(&in, 0).len, together);
    exchange_unpack(c, &out, c->rank, p - 1, places);
}

static void alltoall_bruck(const Coll *c)
{
    exchange(c, false);
}

static void alltoall_k_bruck(const Coll *c)
{
    exchange(c, true);
}

// Pads all blocks to the longest.
static void exchange_padded(const Coll *c, bool together)
{
    const int p = c->p;
    const Blocks in = coll_in(c), out = coll_out(c);
    const size_t size = blocks_longest(&in);
    const Slice places = coll_scratch(c, (size_t)p * size);
    exchange_pad(c, places, &in, c->rank, 1, size);
    rounds(c, places, size, together);
    exchange_unpad(c, &out, c->rank, p - 1, places, size);
}

static void alltoallv_padded_bruck(const Coll *c)
{
    (c->counts ? exchange_padded : exchange)(c, false); // without counts there is nothing to pad
}

static void alltoallv_padded_k_bruck(const Coll *c)
{
    (c->counts ? exchange_padded : exchange)(c, true);
}

static int64_t formula(const CollPoint *x)
{
    const int k = x->par.radix;
    return times_knomial_rounds(x->p, k) * x->alpha + times_digits(x->p, k) * x->m * x->beta;
}

#define COMMON                                                                                                         \
    .peers = PEERS_SHIFT, .same_as = same_always,                                                                      \
    .cost = "N alpha + H m beta, N = (k-1)(h-1) + floor((p-1)/k^(h-1)), h = ceil(log_k p), H = non-zero digits of "    \
            "0 .. p-1 in base k; p = 2^d, k = 2: d alpha + d p/2 m beta",                                              \
    .formula = formula

const CollAlgorithm alltoall_bruck_algorithm = {
    COMMON,
    .collective = COLL_ALLTOALL,
    .name = "bruck",
    .aliases = {"ompi:3", "mpich:brucks", "smpi:bruck", "ucc:bruck", "intel:1"},
    .summary = "blocks travel one digit of their distance at a time, many in one message",
    .run = alltoall_bruck,
    .params = {RADIX(2, "k, the base of the digits")},
    .source = "Bruck et al. 1997; Open MPI 4.1, alltoall bruck; MPICH, alltoall brucks",
};

const CollAlgorithm alltoall_k_bruck_algorithm = {
    COMMON,
    .collective = COLL_ALLTOALL,
    .name = "k_bruck",
    .aliases = {"mpich:k_brucks"},
    .presets = {{"mpich:k_brucks", "radix", 2}},
    .summary = "Bruck's algorithm with the messages of a digit under way together",
    .run = alltoall_k_bruck,
    .params = {RADIX(4, "k, the base of the digits")},
    .source = "Bruck et al. 1997; MPICH, alltoall k_brucks",
};

const CollAlgorithm alltoallv_padded_bruck_algorithm = {
    COMMON,
    .collective = COLL_ALLTOALLV,
    .name = "padded_bruck",
    .summary = "blocks are padded to the longest and travel one digit of their distance at a time",
    .run = alltoallv_padded_bruck,
    .params = {RADIX(2, "k, the base of the digits")},
    .source = "Fan et al. 2022, padded Bruck",
};

const CollAlgorithm alltoallv_padded_k_bruck_algorithm = {
    COMMON,
    .collective = COLL_ALLTOALLV,
    .name = "padded_k_bruck",
    .summary = "padded_bruck with the messages of a digit under way together",
    .run = alltoallv_padded_k_bruck,
    .params = {RADIX(4, "k, the base of the digits")},
    .source = "Fan et al. 2022, padded Bruck; Bruck et al. 1997",
};

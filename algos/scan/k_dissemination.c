// What:   A rank has the sum over itself and the d-1 ranks before it. In rounds d = 1, k, k^2 .. it sends this to the
//         ranks at distance d, 2 d .. (k-1) d, and adds what comes from as many ranks before it. The messages of a
//         round are under way together. In an exscan, a rank keeps what comes before it apart, and adds its own vector
//         to what it sends. In k_dissemination_overlap it adds a vector while the next one arrives; in a scan, a sum
//         travels meanwhile, so it grows in another buffer.
// Cost:   scan k_dissemination: (k-1) d (alpha + m beta + m gamma), p = k^d, gamma small; else the last round has fewer
//         messages.
//         exscan k_dissemination: the same, and m gamma for each further round.
//         scan k_dissemination_overlap: as k_dissemination, and d m gamma instead of (k-1) d m gamma.
//         exscan k_dissemination_overlap: the same, and m gamma for each further round.
// Source: Hillis, Steele, Data parallel algorithms, 1986, for k = 2; Bruck et al. 1997 for k-1 messages in a round.
// Needs:  nothing.
//
//   p = 8, k = 3      r -> r+1   r -> r+2      r -> r+3   r -> r+6
#include "coll.h"
#include "times/times.h"

// Adds up in `into` what came from n ranks, and behind it `last`, if that has bytes. inbox[n-1] came from the farthest
// rank, and comes first. If `come` is not NULL, the function waits for each vector.
static void add_up(const Coll *c, Slice into, const Blocks *inbox, int n, Slice last, const CollReq *come)
{
    for (int i = 0; i < n; i++) {
        if (come)
            coll_wait(c, come[i]);
        if (last.len > 0)
            coll_reduce(c, into, block(inbox, i), last);
        else
            coll_copy(c, into, block(inbox, i));
        last = into;
    }
}

// Returns the number of rounds in which rank r gets something.
static int growths(int r, int k)
{
    int n = 0;
    for (int64_t d = 1; d <= r; d *= k)
        n++;
    return n;
}

static void run(const Coll *c, bool exclusive, bool overlap)
{
    const int k = c->par.radix, r = c->rank;
    const size_t m = c->in.len;
    const int most = k - 1 < r ? k - 1 : r;
    const Slice room = coll_scratch(c, (size_t)most * m);
    const Slice own = prefix_own(c, exclusive);
    const bool apart = overlap && !exclusive; // sums grow in two buffers in turn, and the last one in c->out
    CollReq *const come = coll_ints(c, (size_t)most);
    Slice sum = own, next = apart ? slice_like(coll_scratch(c, m), own) : c->out;
    if (apart && growths(r, k) % 2) {
        coll_copy(c, next, own);
        sum = next;
        next = own;
    }
    bool any = false;
    for (int64_t d = 1; d < c->p; d *= k) {
        const CollReq round = coll_mark(c);
        const int64_t before = r / d < k - 1 ? r / d : k - 1;
        const Blocks inbox = blocks_even(c, slice_at(room, 0, (size_t)before * m), before > 0 ? (int)before : 1);
        if (exclusive && any && r + d < c->p) {
            sum = sum.buf == own.buf ? coll_scratch(c, m) : sum;
            coll_reduce(c, sum, c->out, own);
        }
        for (int j = 1; j <= before; j++)
            come[j - 1] = coll_irecv(c, (int)(r - j * d), block(&inbox, j - 1));
        for (int64_t j = 1; j < k && r + j * d < c->p; j++)
            coll_isend(c, (int)(r + j * d), sum);
        if (!overlap)
            coll_waitall(c, round);
        const Slice last = apart ? sum : !exclusive || any ? c->out : slice_at(c->out, 0, 0);
        add_up(c, next, &inbox, (int)before, last, overlap ? come : NULL);
        coll_waitall(c, round);
        any |= before > 0;
        if (apart && before > 0) {
            const Slice old = sum;
            sum = next;
            next = old;
        }
    }
}

static void scan_k_dissemination(const Coll *c)
{
    run(c, false, false);
}

static void exscan_k_dissemination(const Coll *c)
{
    run(c, true, false);
}

static void scan_k_dissemination_overlap(const Coll *c)
{
    run(c, false, true);
}

static void exscan_k_dissemination_overlap(const Coll *c)
{
    run(c, true, true);
}

#define COMMON                                                                                                         \
    .params = {RADIX(4, "k, the factor by which sums grow in a round")}, .ordered = true, .peers = PEERS_SHIFT,        \
    .unknown = "ranks are not in step, and messages of a round compete for ports",                                     \
    .source = "Hillis, Steele, Data parallel algorithms, 1986, for k = 2; Bruck et al. 1997 for k-1 messages in a "    \
              "round"
#define AT_ONCE                                                                                                        \
    COMMON, .name = "k_dissemination", .summary = "sums of k times as many ranks in each round, from k-1 ranks at once"
#define OVERLAP                                                                                                        \
    COMMON, .name = "k_dissemination_overlap",                                                                         \
            .summary = "k_dissemination, in which a vector is added while the next one arrives"

const CollAlgorithm scan_k_dissemination_algorithm = {
    AT_ONCE,
    .collective = COLL_SCAN,
    .run = scan_k_dissemination,
    .cost = "(k-1) d (alpha + m beta + m gamma), p = k^d, gamma small; else the last round has fewer messages",
};

const CollAlgorithm exscan_k_dissemination_algorithm = {
    AT_ONCE,
    .collective = COLL_EXSCAN,
    .run = exscan_k_dissemination,
    .cost = "the same, and m gamma for each further round",
};

const CollAlgorithm scan_k_dissemination_overlap_algorithm = {
    OVERLAP,
    .collective = COLL_SCAN,
    .run = scan_k_dissemination_overlap,
    .cost = "as k_dissemination, and d m gamma instead of (k-1) d m gamma",
};

const CollAlgorithm exscan_k_dissemination_overlap_algorithm = {
    OVERLAP,
    .collective = COLL_EXSCAN,
    .run = exscan_k_dissemination_overlap,
    .cost = "the same, and m gamma for each further round",
};

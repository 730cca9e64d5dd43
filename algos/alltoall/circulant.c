// What:   Rank r puts its block for rank r+j at place j, so that this block must travel j ranks. In each of R rounds it
//         sends the blocks of some places to rank r + s, s the round's skip: a block travels in the rounds whose skips
//         add up to j, modulo p, and in as few of them as can be. In bruck the skips are the digits of j; here they are
//         1, 2, 4 .. and `extra` others, and then each is changed as long as that leaves fewer blocks to send. Among
//         few ranks the same is done from random skips, too, and the best skips are taken.
// Cost:   T = R alpha + H m beta, R = min(ceil(log2 p) + extra, p-1), H the sum over j of the fewest skips that add up
//         to j. m is the size of one block, in bytes.
// Source: Bruck et al. 1997 for the rounds; the skips are found by a descent.
// Needs:  at most 1024 ranks; else bruck runs.
//
//   p = 12, extra = 0      skips 7 2 4 1: to r+7 (6 blocks)   to r+2 (4)   to r+4 (5)   to r+1 (4)
#include "coll.h"
#include "times/times.h"
#include <stdlib.h>
#include <string.h>

enum { FAR = 100 }; // more than the fewest skips to any place

static int rounds(int p, int extra)
{
    const int fewest = log2_ceil(p), most = p - 1;
    return fewest < most - extra ? fewest + extra : most;
}

// Returns the sum, over n places, of the fewer of a[j] and b[j] + 1 skips. Short sums fit into 16 bits, which is faster.
static int64_t sum_fewer(int n, const uint8_t *a, const uint8_t *b)
{
    enum { SHORT = 256 };
    int64_t sum = 0;
    for (int from = 0; from < n; from += SHORT) {
        const int end = n - from < SHORT ? n : from + SHORT;
        uint16_t part = 0;
        for (int j = from; j < end; j++) {
            const uint8_t one = (uint8_t)(b[j] + 1), fewer = a[j] < one ? a[j] : one;
            part = (uint16_t)(part + fewer);
        }
        sum += part;
    }
    return sum;
}

// Returns how many blocks are sent with one more round of this skip, if `fewest` has the fewest skips to each place.
static int64_t blocks_with(int p, const uint8_t *fewest, int skip)
{
    return sum_fewer(skip, fewest, fewest + p - skip) + sum_fewer(p - skip, fewest + skip, fewest);
}

// Adds a round of this skip to the fewest skips, and sets taken[j], if it is not NULL, to whether place j takes it.
static void add_round(int p, uint8_t *fewest, int skip, uint8_t *taken)
{
    uint8_t before[2 * COLL_FEW_RANKS];
    memcpy(before, fewest, (size_t)p);
    memcpy(before + p, fewest, (size_t)p);
    for (int j = 0; j < p; j++) {
        const uint8_t here = before[p + j], there = before[p + j - skip];
        fewest[j] = here <= there ? here : (uint8_t)(there + 1);
    }
    for (int j = 0; taken && j < p; j++)
        taken[j] = before[j] > fewest[j];
}

// Finds the fewest skips that lead to each place, without round number `without`; all n rounds count if it is n. A round
// whose skip is 0 does not exist.
static void count_skips(int p, const int *skip, int n, int without, uint8_t *fewest)
{
    memset(fewest, FAR, (size_t)p);
    fewest[0] = 0;
    for (int i = 0; i < n; i++)
        if (i != without && skip[i] > 0)
            add_round(p, fewest, skip[i], NULL);
}

// Changes the skips of n rounds, one at a time, as long as that leaves fewer blocks to send, and returns how many.
static int64_t descend(int p, int *skip, int n)
{
    uint8_t fewest[COLL_FEW_RANKS];
    int64_t least = INT64_MAX;
    for (int i = n - 1, quiet = 0; quiet < n; i = (i + n - 1) % n, quiet++) {
        count_skips(p, skip, n, i, fewest);
        const int now = skip[i];
        least = blocks_with(p, fewest, now);
        for (int s = 1; s < p; s++) {
            const int64_t sent = blocks_with(p, fewest, s);
            if (sent < least) {
                least = sent;
                skip[i] = s;
            }
        }
        quiet = skip[i] == now ? quiet : -1;
    }
    return n > 0 ? least : 0;
}

// Returns how many blocks n rounds must send at least: there are n ways to take one skip, n (n-1) / 2 to take two, and so
// on, and each way leads to one place.
static int64_t least_blocks(int p, int n)
{
    int64_t sent = 0, ways = 1, left = p - 1;
    for (int k = 1; k <= n && left > 0; k++) {
        ways = ways * (n - k + 1) / k; // fewer than p before, so this is small
        const int64_t places = ways < left ? ways : left;
        sent += k * places;
        left -= places;
    }
    return sent;
}

// Finds the skips of n rounds, and returns how many blocks a rank sends in all of them. It descends from 1, 2, 4 ..,
// and among few ranks also from random skips: with 7 rounds or fewer among up to 33 ranks, no skips send fewer blocks.
static int64_t search_skips(int p, int *skip, int n)
{
    enum { MOST_STARTS = 160, WORK = MOST_STARTS * 9 * 33 * 33 };
    const int64_t each = (int64_t)n * p * p, starts = each * MOST_STARTS <= WORK ? MOST_STARTS : WORK / each;
    int trial[COLL_FEW_RANKS];
    uint64_t random = 1;
    for (int i = 0; i < n; i++)
        skip[i] = i < log2_ceil(p) ? 1 << i : 0;
    int64_t least = descend(p, skip, n);
    const int64_t enough = least_blocks(p, n);
    for (int64_t k = 1; k < starts && n > 0 && least > enough; k++) {
        for (int i = 0; i < n; i++) {
            random = random * 6364136223846793005U + 1442695040888963407U;
            trial[i] = 1 + (int)((random >> 33) % (uint64_t)(p - 1));
        }
        const int64_t sent = descend(p, trial, n);
        if (sent < least) {
            least = sent;
            memcpy(skip, trial, (size_t)n * sizeof *skip);
        }
    }
    return least;
}

// Does the same, and keeps what it has found, because a search asks for the same rounds many times: those of all ranks,
// of a node's, and of one of each node in turn.
static int64_t find_skips(int p, int *skip, int n)
{
    enum { KEPT = 61, MOST_KEPT = 20 };
    typedef struct Found {
        uint16_t p, n, skip[MOST_KEPT];
        int32_t sent;
    } Found;
    static __thread Found kept[KEPT]; // small, since it takes room of each thread's stack
    Found *x = &kept[(p * 16 + n) % KEPT];
    const bool keeps = n <= MOST_KEPT && p <= UINT16_MAX;
    if (keeps && x->p == p && x->n == n) {
        for (int i = 0; i < n; i++)
            skip[i] = x->skip[i];
        return x->sent;
    }
    const int64_t sent = search_skips(p, skip, n);
    if (keeps) {
        *x = (Found){.p = (uint16_t)p, .n = (uint16_t)n, .sent = (int32_t)sent};
        for (int i = 0; i < n; i++)
            x->skip[i] = (uint16_t)skip[i];
    }
    return sent;
}

// Writes the places whose blocks are sent, round by round, to `which`, and their number in each round to `many`.
static void find_places(int p, const int *skip, int n, int *which, int *many)
{
    enum { TAKES = 1, SENT = 2 };
    uint8_t fewest[COLL_FEW_RANKS], *state = calloc((size_t)n * (size_t)p + 1, 1);
    int at[COLL_FEW_RANKS]; // how far the block of each place travels until the round
    count_skips(p, skip, 0, 0, fewest);
    for (int i = 0; i < n; i++)
        add_round(p, fewest, skip[i], state + (size_t)i * (size_t)p);
    for (int j = 0; j < p; j++)
        at[j] = j;
    for (int i = n - 1; i >= 0; i--) {
        uint8_t *round = state + (size_t)i * (size_t)p;
        for (int j = 0; j < p; j++)
            if (round[at[j]] & TAKES) {
                round[j] |= SENT;
                at[j] = (at[j] - skip[i] + p) % p;
            }
    }
    int all = 0;
    for (int i = 0; i < n; i++) {
        const int before = all;
        for (int j = 0; j < p; j++)
            if (state[(size_t)i * (size_t)p + (size_t)j] & SENT)
                which[all++] = j;
        many[i] = all - before;
    }
    free(state);
}

static void alltoall_circulant(const Coll *c)
{
    const int p = c->p, n = rounds(p, c->par.halvings);
    int *skip = coll_ints(c, (size_t)n), *many = coll_ints(c, (size_t)n);
    int *which = coll_ints(c, (size_t)find_skips(p, skip, n));
    find_places(p, skip, n, which, many);
    const Blocks in = coll_in(c), out = coll_out(c);
    const size_t size = block(&in, 0).len;
    const Slice places = coll_scratch(c, c->in.len), outbox = coll_scratch(c, c->in.len),
                inbox = coll_scratch(c, c->in.len);
    const Blocks place = blocks_pieces(c, places, size);
    exchange_pack(c, places, &in, c->rank, 1);
    for (int i = 0; i < n; which += many[i++]) {
        const Slice sent = slice_at(outbox, 0, (size_t)many[i] * size), got = slice_like(inbox, sent);
        coll_pack(c, sent, &place, many[i], which);
        coll_sendrecv(c, (c->rank + skip[i]) % p, sent, (c->rank - skip[i] + p) % p, got);
        coll_unpack(c, &place, many[i], which, got);
    }
    exchange_unpack(c, &out, c->rank, p - 1, places);
}

// Returns H, which is the same for all sizes, so that it is kept if something can be.
static int64_t sum_of_skips(const CollPoint *x, int n)
{
    if (x->kept && x->kept->data)
        return *(const int64_t *)x->kept->data;
    int skip[COLL_FEW_RANKS];
    const int64_t sum = find_skips(x->p, skip, n);
    if (x->kept) {
        *x->kept = (CollKept){malloc(sizeof sum), free};
        memcpy(x->kept->data, &sum, sizeof sum);
    }
    return sum;
}

static int64_t formula(const CollPoint *x)
{
    const int n = rounds(x->p, x->par.halvings);
    return n * x->alpha + sum_of_skips(x, n) * x->m * x->beta;
}

const CollAlgorithm alltoall_circulant_algorithm = {
    .collective = COLL_ALLTOALL,
    .name = "circulant",
    .summary = "blocks travel in rounds of skips that add up to their distance, with as few skips as can be",
    .run = alltoall_circulant,
    .needs = {&need_few_ranks},
    .otherwise = "bruck",
    .params = {EXTRA},
    .peers = PEERS_SHIFT,
    .same_as = same_always,
    .cost = "R alpha + H m beta, R = min(ceil(log2 p) + extra, p-1), H the sum over j of the fewest skips that add up "
            "to j",
    .formula = formula,
    .source = "Bruck et al. 1997 for the rounds; the skips are found by a descent",
};

#include "loggops_patterns.h"
#include <string.h>

#define NONE UINT32_MAX // no operation

static uint32_t send_after(Goal *goal, uint32_t rank, uint64_t bytes, uint32_t peer, uint32_t required)
{
    const uint32_t op = goal_add(goal, rank, GOAL_SEND, bytes, peer, 0);
    if (required != NONE)
        goal_require(goal, op, required);
    return op;
}

static uint32_t receive(Goal *goal, uint32_t rank, uint64_t bytes, uint32_t peer)
{
    return goal_add(goal, rank, GOAL_RECV, bytes, peer, 0);
}

// Returns the largest power of two that is at most `rank` (1 or more): a rank's distance to its parent in the binomial
// tree.
static uint32_t top_bit(uint32_t rank)
{
    uint32_t bit = 1;
    while (bit <= rank / 2)
        bit *= 2;
    return bit;
}

static void binomial_bcast(Goal *goal, uint32_t p, uint32_t r, uint64_t bytes)
{
    const uint32_t got = r > 0 ? receive(goal, r, bytes, r - top_bit(r)) : NONE;
    for (uint32_t bit = r > 0 ? 2 * top_bit(r) : 1; r + bit < p; bit *= 2)
        send_after(goal, r, bytes, r + bit, got);
}

static void binomial_reduce(Goal *goal, uint32_t p, uint32_t r, uint64_t bytes)
{
    const uint32_t up = r > 0 ? send_after(goal, r, bytes, r - top_bit(r), NONE) : NONE;
    for (uint32_t bit = r > 0 ? 2 * top_bit(r) : 1; r + bit < p; bit *= 2) {
        const uint32_t got = receive(goal, r, bytes, r + bit);
        if (up != NONE)
            goal_require(goal, up, got);
    }
}

static void binary_bcast(Goal *goal, uint32_t p, uint32_t r, uint64_t bytes)
{
    const uint32_t got = r > 0 ? receive(goal, r, bytes, (r - 1) / 2) : NONE;
    for (uint32_t child = 2 * r + 1; child <= 2 * r + 2; child++)
        if (child < p)
            send_after(goal, r, bytes, child, got);
}

static void dissemination(Goal *goal, uint32_t p, uint32_t r, uint64_t bytes)
{
    uint32_t got = NONE;
    for (uint32_t d = 1; d < p; d *= 2) {
        send_after(goal, r, bytes, (r + d) % p, got);
        got = receive(goal, r, bytes, (r + p - d) % p);
    }
}

// Every rank has two peers per round. The calcs, of `bytes` ns each, stand for the work on the two messages of the
// round before.
static void nway_dissemination(Goal *goal, uint32_t p, uint32_t r, uint64_t bytes)
{
    enum { WAYS = 2 };
    uint32_t got[WAYS + 1] = {NONE, NONE, NONE};
    for (uint32_t d = 1; d < p; d *= WAYS + 1) {
        uint32_t sent[WAYS + 1];
        for (uint32_t w = 1; w <= WAYS; w++)
            sent[w] = goal_add(goal, r, GOAL_SEND, bytes, (r + w * d) % p, 0);
        if (d > 1) {
            const uint32_t both = goal_add(goal, r, GOAL_CALC, bytes, 0, 0);
            goal_require(goal, both, got[2]);
            goal_require(goal, both, got[1]);
            const uint32_t first = goal_add(goal, r, GOAL_CALC, bytes, 0, 0);
            goal_require(goal, first, got[1]);
            goal_require(goal, sent[WAYS], both);
            for (uint32_t w = 1; w <= WAYS; w++)
                goal_require(goal, sent[w], first);
        }
        for (uint32_t w = 1; w <= WAYS; w++)
            got[w] = receive(goal, r, bytes, (r + p - w * d % p) % p);
    }
}

static void allreduce_ring(Goal *goal, uint32_t p, uint32_t r, uint64_t bytes)
{
    uint32_t got = NONE;
    for (uint32_t step = 0; step < 2 * (p - 1); step++) {
        send_after(goal, r, bytes / p, (r + 1) % p, got);
        got = receive(goal, r, bytes / p, (r + p - 1) % p);
    }
}

static void allreduce_recdoub(Goal *goal, uint32_t p, uint32_t r, uint64_t bytes)
{
    uint32_t got = NONE;
    uint64_t part = bytes;
    for (uint32_t bit = 1; bit < p; bit *= 2) {
        part /= 2;
        send_after(goal, r, part, r ^ bit, got);
        got = receive(goal, r, part, r ^ bit);
    }
    for (uint32_t bit = p / 2; bit >= 1; bit /= 2) {
        send_after(goal, r, part, r ^ bit, got);
        got = receive(goal, r, part, r ^ bit);
        part *= 2;
    }
}

static void linear_alltoall(Goal *goal, uint32_t p, uint32_t r, uint64_t bytes)
{
    for (uint32_t i = 1; i < p; i++) {
        send_after(goal, r, bytes, (r + i) % p, NONE);
        receive(goal, r, bytes, (r + p - i) % p);
    }
}

static void gather(Goal *goal, uint32_t p, uint32_t r, uint64_t bytes)
{
    if (r > 0)
        send_after(goal, r, bytes, 0, NONE);
    for (uint32_t i = 1; r == 0 && i < p; i++)
        receive(goal, 0, bytes, i);
}

static void scatter(Goal *goal, uint32_t p, uint32_t r, uint64_t bytes)
{
    if (r > 0)
        receive(goal, r, bytes, 0);
    for (uint32_t i = 1; r == 0 && i < p; i++)
        send_after(goal, 0, bytes, i, NONE);
}

// Ignores `bytes`: every message has one byte.
static void linear_barrier(Goal *goal, uint32_t p, uint32_t r, uint64_t bytes)
{
    (void)bytes;
    if (r > 0) {
        send_after(goal, r, 1, 0, NONE);
        receive(goal, r, 1, 0);
        return;
    }
    const uint32_t all_came = goal_add(goal, 0, GOAL_CALC, 0, 0, 0);
    for (uint32_t i = 1; i < p; i++) {
        goal_require(goal, all_came, receive(goal, 0, 1, i));
        send_after(goal, 0, 1, i, all_came);
    }
}

static void double_ring(Goal *goal, uint32_t p, uint32_t r, uint64_t bytes)
{
    const uint32_t right = (r + 1) % p, left = (r + p - 1) % p;
    for (int way = 0; way < 2; way++) {
        const uint32_t sent = send_after(goal, r, bytes, way == 0 ? right : left, NONE);
        const uint32_t got = receive(goal, r, bytes, way == 0 ? left : right);
        if (r > 0)
            goal_require(goal, sent, got);
    }
}

// With `in_turn`, a rank receives a segment only after it has sent the one before.
static void pipelined_ring(Goal *goal, uint32_t p, uint32_t r, uint64_t bytes, uint64_t segment, gboolean in_turn)
{
    uint32_t sent = NONE;
    for (uint64_t at = 0; at < bytes; at += segment) {
        const uint64_t part = MIN(segment, bytes - at);
        const uint32_t got = r > 0 ? receive(goal, r, part, r - 1) : NONE;
        if (in_turn && got != NONE && sent != NONE)
            goal_require(goal, got, sent);
        if (r < p - 1)
            sent = send_after(goal, r, part, r + 1, got);
    }
}

Goal *loggops_pattern(const char *name, uint32_t p, uint64_t bytes, uint64_t segment)
{
    static const struct {
        const char *name;
        void (*add_rank)(Goal *goal, uint32_t p, uint32_t r, uint64_t bytes); // NULL: a pipelined ring
    } patterns[] = {
        {"binomialtreebcast", binomial_bcast},
        {"binomialtreereduce", binomial_reduce},
        {"binarytreebcast", binary_bcast},
        {"dissemination", dissemination},
        {"nwaydissemination", nway_dissemination},
        {"allreduce_ring", allreduce_ring},
        {"allreduce_recdoub", allreduce_recdoub},
        {"linear_alltoall", linear_alltoall},
        {"gather", gather},
        {"scatter", scatter},
        {"linbarrier", linear_barrier},
        {"doublering", double_ring},
        {"pipelinedring", NULL},
        {"pipelinedringdep", NULL},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(patterns); i++) {
        if (strcmp(name, patterns[i].name) != 0)
            continue;
        Goal *goal = goal_new(p);
        for (uint32_t r = 0; r < p; r++) {
            if (patterns[i].add_rank)
                patterns[i].add_rank(goal, p, r, bytes);
            else
                pipelined_ring(goal, p, r, bytes, segment, strcmp(name, "pipelinedringdep") == 0);
        }
        return goal;
    }
    return NULL;
}

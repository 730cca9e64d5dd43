// What:   The messages of k_census, but a rank adds a vector while the next one arrives. A sum travels while the next
//         one grows, so it has two buffers, and so has the rest. What the next round does not send, the sum or the
//         rest, is added up while the messages of that round travel.
// Cost:   p = k^d, g <= u: d ((k-1) u + g), u = alpha + m beta, g = m gamma; else a recurrence over the rounds.
// Source: Bar-Noy, Kipnis, Schieber, Optimal computation of census functions in the postal model, 1993, for k = 2; this
//         page for more messages in a round and for the overlap.
// Needs:  a commutative operation; else recursive_doubling runs.
//
//   p = 5, k = 3      r -> r-1   r -> r-2      r -> r-2 (without the rank itself)
#include "coll.h"
#include "times/times.h"

// What the messages of a round are.
typedef struct Sends {
    bool sums, rests;
} Sends;

// Returns what is sent after round i. After the last one that is nothing, but the sum is the result.
static Sends sends_after(const CensusPlan *x, int i)
{
    const int next = i + 1;
    if (next == x->rounds)
        return (Sends){.sums = true};
    return (Sends){.sums = x->terms[next] - x->shorter[next] > 1, .rests = x->shorter[next] > 0};
}

// The sum, or the rest, of a rank: its value, and the buffer in which the next one grows.
typedef struct Growing {
    Slice value, next;
    bool none; // a rest before the first round is the sum of no ranks
} Growing;

static void grow(const Coll *c, Growing *x, int j, Slice got)
{
    if (j > 1)
        coll_reduce(c, x->next, x->next, got);
    else if (x->none)
        coll_copy(c, x->next, got);
    else
        coll_reduce(c, x->next, x->value, got);
}

static void grown(Growing *x)
{
    const Slice old = x->value;
    *x = (Growing){.value = x->next, .next = old};
}

typedef struct Inbox {
    Slice all;
    size_t len; // of a vector
} Inbox;

static Slice vector(const Inbox *x, int j)
{
    return slice_at(x->all, (size_t)(j - 1) * x->len, x->len);
}

static void post(const Coll *c, const CensusPlan *x, int i, Slice sum, Slice others, const Inbox *inbox, CollReq *come)
{
    for (int j = 1; j < x->terms[i]; j++) {
        bool rest;
        const int behind = census_behind(x, i, j, &rest);
        come[j] = coll_irecv(c, (int)(((int64_t)c->rank + behind) % c->p), vector(inbox, j));
        coll_isend(c, (c->rank - behind + c->p) % c->p, rest ? others : sum);
    }
}

static void allreduce_k_census_overlap(const Coll *c)
{
    const CensusPlan x = census_plan(c->p, c->par.radix);
    const size_t len = c->out.len;
    const int most = c->par.radix - 1 < c->p - 1 ? c->par.radix - 1 : c->p - 1;
    const bool rests = x.rounds > 0 && x.rest[0];
    const Slice room = slice_like(coll_scratch(c, len), c->out);
    // The last sum is to grow in c->out.
    Growing sum = {.value = x.rounds % 2 ? room : c->out, .next = x.rounds % 2 ? c->out : room};
    Growing others = {coll_scratch(c, rests ? len : 0), coll_scratch(c, rests ? len : 0), .none = true};
    const Inbox inbox[2] = {{coll_scratch(c, (size_t)most * len), len},
                            {coll_scratch(c, rests ? (size_t)most * len : 0), len}};
    CollReq *come = coll_ints(c, (size_t)most + 1);
    Growing *late = NULL; // what still lacks the vectors of the round before
    coll_copy(c, sum.value, c->in);
    for (int i = 0; i < x.rounds; i++) {
        const CollReq first = coll_mark(c);
        const Inbox *now = &inbox[rests ? i % 2 : 0], *before = &inbox[rests ? (i + 1) % 2 : 0];
        post(c, &x, i, sum.value, others.value, now, come);
        for (int j = 1; late && j < x.terms[i - 1]; j++)
            grow(c, late, j, vector(before, j));
        if (late)
            grown(late);
        const Sends next = sends_after(&x, i);
        late = !next.sums ? &sum : x.rest[i] && !next.rests ? &others : NULL;
        for (int j = 1; j < x.terms[i]; j++) {
            coll_wait(c, come[j]);
            if (late != &sum)
                grow(c, &sum, j, vector(now, j));
            if (x.rest[i] && late != &others)
                grow(c, &others, j, vector(now, j));
        }
        coll_waitall(c, first);
        if (late != &sum)
            grown(&sum);
        if (x.rest[i] && late != &others)
            grown(&others);
    }
}

static int64_t formula(const CollPoint *x)
{
    const CensusPlan plan = census_plan(x->p, x->par.radix);
    const int64_t um = u(x, x->m), gm = g(x, x->m);
    int64_t t = 0, late = 0;
    for (int i = 0; i < plan.rounds; i++) {
        const Sends next = sends_after(&plan, i);
        const int64_t begin = t, n = plan.terms[i] - 1, copies = i == 0; // the first rest begins with a copy
        t += late;
        for (int j = 1; j <= n; j++) {
            const bool rest = plan.rest[i] && next.rests && !(copies && j == 1);
            t = later(t, begin + j * um) + (next.sums + rest) * gm;
        }
        late = !next.sums ? n * gm : plan.rest[i] && !next.rests ? (n - copies) * gm : 0;
    }
    return t;
}

const CollAlgorithm allreduce_k_census_overlap_algorithm = {
    .collective = COLL_ALLREDUCE,
    .name = "k_census_overlap",
    .summary = "k_census, in which a vector is added while the next one arrives",
    .run = allreduce_k_census_overlap,
    .needs = {&need_commutative},
    .otherwise = "recursive_doubling",
    .params = {RADIX(3, "k, the factor by which sums grow in a round")},
    .peers = PEERS_SHIFT,
    .same_as = same_always,
    .cost = "p = k^d, g <= u: d ((k-1) u + g), u = alpha + m beta, g = m gamma; else a recurrence over the rounds",
    .formula = formula,
    .source =
        "Bar-Noy, Kipnis, Schieber, Optimal computation of census functions in the postal model, 1993, for k = 2; "
        "this page for more messages in a round and for the overlap",
};

// What:   Every rank sends every other rank its block at once, and adds up in the order of the ranks what comes. The
//         blocks of the ranks behind it arrive first: it adds them to its own as they come, those of the ranks before
//         it apart from them, and the two sums at last. So no reduction waits for a message that comes later.
// Cost:   T = max((p-1) u + 2 g, 2 u + (p-1) g) for p > 2, u = alpha + m/p beta, g = m/p gamma, m the whole vector; p =
//         2: u + g.
// Source: this page.
// Needs:  at most 1024 ranks; else bruck_in_order_overlap runs.
//
//   p = 8      r -> r-1   r -> r-2   ..   r -> r-7
#include "coll.h"
#include "times/times.h"

// The sum of what has come from ranks that follow each other; before the first, it is empty.
typedef struct OrderedSum {
    Slice sum;
    bool any;
} OrderedSum;

static void add(const Coll *c, OrderedSum *x, Slice got)
{
    if (x->any)
        coll_reduce(c, x->sum, x->sum, got);
    else
        coll_copy(c, x->sum, got);
    x->any = true;
}

static void reduce_scatter_direct_in_order(const Coll *c)
{
    const Blocks in = coll_in(c);
    const Slice own = block(&in, c->rank), inbox = coll_scratch(c, (size_t)c->p * own.len);
    OrderedSum behind = {.sum = slice_like(coll_scratch(c, own.len), own)};
    OrderedSum before = {.sum = slice_like(coll_scratch(c, own.len), own)};
    CollReq *request = coll_ints(c, (size_t)c->p);
    for (int j = 1; j < c->p; j++) {
        const int from = (c->rank + j) % c->p, to = (c->rank - j + c->p) % c->p;
        request[j] = coll_irecv(c, from, slice_like(slice_at(inbox, (size_t)j * own.len, own.len), own));
        coll_isend(c, to, block(&in, to));
    }
    add(c, &behind, own);
    for (int j = 1; j < c->p; j++) {
        coll_wait(c, request[j]);
        add(c, c->rank + j < c->p ? &behind : &before, slice_like(slice_at(inbox, (size_t)j * own.len, own.len), own));
    }
    coll_waitall(c, 0);
    if (before.any)
        coll_reduce(c, behind.sum, before.sum, behind.sum);
    coll_copy(c, c->out, behind.sum);
}

// Rank p-1, behind which there is none, copies the first block that comes; then it has p-1 sums to make.
static int64_t formula(const CollPoint *x)
{
    const int64_t um = u(x, x->m / x->p), gm = g(x, x->m / x->p);
    return x->p < 3 ? (x->p - 1) * (um + gm) : later((x->p - 1) * um + 2 * gm, 2 * um + (x->p - 1) * gm);
}

#define COMMON                                                                                                         \
    .name = "direct_in_order",                                                                                         \
    .summary = "every rank sends every other rank its block at once; sums in the order of the ranks, as blocks come",  \
    .run = reduce_scatter_direct_in_order, .needs = {&need_few_ranks}, .otherwise = "bruck_in_order_overlap",          \
    .ordered = true, .peers = PEERS_SHIFT,                                                                             \
    .cost = "max((p-1) u + 2 g, 2 u + (p-1) g) for p > 2, u = alpha + m/p beta, g = m/p gamma, m the whole vector; "   \
            "p = 2: u + g",                                                                                            \
    .formula = formula, .source = "this page"

const CollAlgorithm reduce_scatter_direct_in_order_algorithm = {COMMON, .collective = COLL_REDUCE_SCATTER};
const CollAlgorithm reduce_scatter_block_direct_in_order_algorithm = {COMMON, .collective = COLL_REDUCE_SCATTER_BLOCK};

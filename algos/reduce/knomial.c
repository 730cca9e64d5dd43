// What:   The vectors travel up a k-nomial tree. A rank receives the vectors of all its children, then reduces them one
//         after the other. In knomial_levels it receives those of the k-1 children at distance 1, reduces them, goes on
//         to distance k, and so on. See shapes/tree.c for the tree.
// Cost:   reduce knomial: p = k^d: (k-1) d (alpha + m beta) + (k-1) d (d+1)/2 m gamma; gamma = 0: N (alpha + m beta);
//         else, and eager, a recurrence over subtrees.
//         reduce knomial_levels: N (alpha + m beta + m gamma); eager: by levels.
//         N is the number of the root's children.
// Source: reduce knomial: Open MPI main, reduce knomial.
//         reduce knomial_levels: UCC, reduce knomial.
// Needs:  a commutative operation.
//
//   p = 8, k = 4           0
//                    4   1   2   3
//                  5 6 7
#include "coll.h"
#include "times/times.h"

// Open MPI gives this tree a segment and a limit of requests, as it does the others. The tree uses neither: messages
// travel whole, so that a leaf sends one.
static void reduce_knomial(const Coll *c)
{
    const Tree t = tree_knomial(c, c->root, c->par.radix);
    const size_t m = c->in.len;
    if (t.n == 0 && t.parent >= 0) {
        coll_send(c, t.parent, c->in);
        return;
    }
    const Slice into = t.parent < 0 ? c->out : coll_scratch(c, m);
    const Slice inbox = coll_scratch(c, (size_t)t.n * m);
    for (int i = 0; i < t.n; i++)
        coll_irecv(c, t.child[i], slice_at(inbox, (size_t)i * m, m));
    coll_waitall(c, 0);
    coll_copy(c, into, c->in);
    for (int i = 0; i < t.n; i++)
        coll_reduce(c, into, into, slice_at(inbox, (size_t)i * m, m));
    if (t.parent >= 0)
        coll_send(c, t.parent, into);
}

static void reduce_knomial_levels(const Coll *c)
{
    const int v = coll_v(c), k = c->par.radix;
    const Slice acc = reduce_acc(c);
    const int most = k - 1 < c->p - 1 ? k - 1 : c->p - 1;
    const Slice inboxes = coll_scratch(c, v % k == 0 ? (size_t)most * acc.len : 0);
    coll_copy(c, acc, c->in);
    for (int64_t d = 1; d < c->p; d *= k) {
        if (v / d % k) {
            coll_send(c, coll_rank(c, (int)(v - v / d % k * d)), acc);
            return;
        }
        const CollReq level = coll_mark(c);
        int n = 0;
        for (; n < k - 1 && v + (n + 1) * d < c->p; n++)
            coll_irecv(c, coll_rank(c, (int)(v + (n + 1) * d)), slice_at(inboxes, (size_t)n * acc.len, acc.len));
        coll_waitall(c, level);
        for (int i = 0; i < n; i++)
            coll_reduce(c, acc, acc, slice_at(inboxes, (size_t)i * acc.len, acc.len));
    }
}

// Children that follow each other and become ready at the same time.
typedef struct Children {
    int n;
    int64_t ready;
} Children;

// Returns when a rank has received the vectors of all its children and reduced them.
static int64_t reduced(const CollPoint *x, Children *of, int kinds)
{
    const int64_t um = u(x, x->m);
    int64_t end = 0;
    int n = 0;
    for (int i = 0; i < kinds; i++)
        n += of[i].n;
    for (int i = 0; i < n; i++) {
        // The port takes the first child in tree order that is ready. If no child is ready, it takes the one that
        // becomes ready first.
        int next = -1;
        for (int j = 0; j < kinds; j++)
            if (of[j].n > 0 && (next < 0 || (of[next].ready > end && of[j].ready < of[next].ready)))
                next = j;
        const int64_t come = of[next].ready + um, after = end + um;
        end = later(come, x->eager ? end : after);
        of[next].n--;
    }
    return end + n * g(x, x->m);
}

// Returns when the root has reduced all vectors; `power` is the least power of k that is not below p. Subtrees of as
// many ranks take the same time, and of those with room for as many, only the last one may lack ranks. Example: p = 6,
// k = 2 has the subtrees 4 5, 2 3 and 1; the first has room for 4 ranks.
static int64_t tree_time(const CollPoint *x, int64_t power)
{
    enum { DIGITS = 32 };
    const int k = x->par.radix;
    // By the ranks that a subtree has room for.
    int64_t full[DIGITS] = {0}, cut[DIGITS] = {0}, rest[DIGITS], place[DIGITS];
    int digits = 0;
    for (int64_t of = 1; of <= power; of *= k)
        place[digits++] = of;
    for (int d = 0; d < digits; d++) {
        rest[d] = x->p % place[d]; // ranks in the subtree that lacks some; 0 if none does
        Children whole[DIGITS], part[2 * DIGITS];
        int n = 0, kinds = 0;
        const int64_t left = rest[d] - 1; // the ranks of the subtree without its root
        for (int i = d - 1; i >= 0; i--) {
            whole[n++] = (Children){k - 1, full[i]};
            if (left < place[i])
                continue;
            // The children are at the distances j place[i], 1 <= j < k. Only the last of them may lack ranks.
            const int64_t reached = left / place[i], all = reached < k - 1 ? reached : k - 1;
            const bool lacks = rest[d] - all * place[i] < place[i];
            part[kinds++] = (Children){(int)all - lacks, full[i]};
            if (lacks)
                part[kinds++] = (Children){1, cut[i]};
        }
        full[d] = reduced(x, whole, n);
        cut[d] = reduced(x, part, kinds);
    }
    return x->p == power ? full[digits - 1] : cut[digits - 1];
}

static int64_t formula(const CollPoint *x)
{
    const int k = x->par.radix;
    int64_t power = 1, d = 0;
    for (; power < x->p; power *= k)
        d++;
    if (power == x->p && !x->eager)
        return (k - 1) * d * u(x, x->m) + (k - 1) * d * (d + 1) / 2 * g(x, x->m);
    if (x->gamma == 0 && !x->eager)
        return times_knomial_rounds(x->p, k) * u(x, x->m);
    return tree_time(x, power);
}

// Returns T under eager of p ranks. Of the root's farthest children, the last one may lack ranks.
static int64_t levels_eager(const CollPoint *x, int p)
{
    const int k = x->par.radix;
    if (p == 1)
        return 0;
    const int m = pow_floor(p - 1, k), n = (p - 1) / m, rest = p - n * m;
    int64_t whole = 0; // T of m ranks
    for (int64_t d = 1; d < m; d *= k)
        whole += u(x, x->m) + (k - 1) * g(x, x->m);
    const int64_t arrived = n > 1 || rest == m ? whole : later(whole - u(x, x->m), levels_eager(x, rest));
    return arrived + u(x, x->m) + n * g(x, x->m);
}

static int64_t formula_levels(const CollPoint *x)
{
    return x->eager ? levels_eager(x, x->p) : times_knomial_rounds(x->p, x->par.radix) * (u(x, x->m) + g(x, x->m));
}

const CollAlgorithm reduce_knomial_algorithm = {
    .collective = COLL_REDUCE,
    .name = "knomial",
    .aliases = {"ompi-main:8", "smpi:mvapich2_knomial", "intel:7"},
    .summary = "a k-nomial tree; a rank receives from all its children at once, then reduces in turn",
    .run = reduce_knomial,
    .needs = {&need_commutative},
    .params = {RADIX(4, "k of the k-nomial tree")},
    .peers = PEERS_SHIFT,
    .same_as = same_knomial,
    .cost = "p = k^d: (k-1) d (alpha + m beta) + (k-1) d (d+1)/2 m gamma; gamma = 0: N (alpha + m beta); else, "
            "and eager, a recurrence over subtrees",
    .formula = formula,
    .source = "Open MPI main, reduce knomial",
};

const CollAlgorithm reduce_knomial_levels_algorithm = {
    .collective = COLL_REDUCE,
    .name = "knomial_levels",
    .aliases = {"ucc:knomial"},
    .summary =
        "a k-nomial tree; a rank receives from the k-1 children at a distance at once, the nearest distance first",
    .run = reduce_knomial_levels,
    .needs = {&need_commutative},
    .params = {RADIX(4, "k of the k-nomial tree")},
    .peers = PEERS_SHIFT,
    .same_as = same_knomial,
    .cost = "N (alpha + m beta + m gamma); eager: by levels",
    .formula = formula_levels,
    .source = "UCC, reduce knomial",
};

// What:   The vectors travel up a k-nomial tree. A rank receives the vectors of all its children, then reduces them one
//         after the other. See shapes/tree.c for the tree.
// Cost:   p = k^d: (k-1) d (alpha + m beta) + (k-1) d (d+1)/2 m gamma; gamma = 0: N (alpha + m beta); else, and eager,
//         a recurrence over subtrees. N is the number of the root's children.
// Source: Open MPI main, reduce knomial.
// Needs:  a commutative operation.
//
//   p = 8, k = 4           0
//                    4   1   2   3
//                  5 6 7
#include "coll.h"
#include "times/times.h"

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

#include "shapes/pat.h"
#include "api/communicate.h"
#include "api/integers.h"
#include "shapes/exchange.h"

typedef struct Pat {
    const Coll *c;
    const Blocks *b;
    int top, D, groups; // the first distance; that of the last round before the groups, 0 if p = 1; how many these are
    bool back;          // from the leaves to the roots
} Pat;

static Pat pat_of(int p, int a)
{
    Pat x = {.top = p > 1 ? 1 << (log2_ceil(p) - 1) : 0};
    for (int d = x.top; d >= 1 && ((p - 1) / d + 1) / 2 <= a; d /= 2)
        x.D = d;
    x.groups = x.D > 1 ? (int)(((int64_t)(p - 1) / x.D) / a) + 1 : 0;
    return x;
}

// Sends over the edges from u to u + d, u = first, first + stride .., of as many trees as a message may have.
static void message(const Pat *x, int64_t first, int stride, int d)
{
    const int p = x->c->p, r = x->c->rank, a = x->c->par.chains, most = (int)((p - 1 - d - first) / stride) + 1;
    const int n = most < a ? most : a, step = (2 * p - stride) % p, ahead = (r + d) % p, behind = (r - d + p) % p;
    const int near = (int)((r - first + p) % p), far = (int)((behind - first + p) % p);
    if (x->back)
        exchange_reduced(x->c, x->b, n, step, behind, far, ahead, near);
    else
        exchange_blocks(x->c, x->b, n, step, ahead, near, behind, far);
}

// Takes the edges below u = first, to distances of at most d, of the trees of a group.
static void subtree(const Pat *x, int64_t first, int d)
{
    for (int i = 0; d >> i >= 1; i++) {
        const int e = x->back ? 1 << i : d >> i;
        if (first + e >= x->c->p)
            continue;
        if (!x->back)
            message(x, first, x->D, e);
        subtree(x, first + e, e / 2);
        if (x->back)
            message(x, first, x->D, e);
    }
}

static void group(const Pat *x, int i)
{
    subtree(x, (int64_t)i * x->c->par.chains * x->D, x->D / 2);
}

void pat_allgather(const Coll *c, const Blocks *b)
{
    Pat x = pat_of(c->p, c->par.chains);
    x.c = c;
    x.b = b;
    for (int d = x.top; d >= x.D && d >= 1; d /= 2)
        message(&x, 0, 2 * d, d);
    for (int i = 0; i < x.groups; i++)
        group(&x, i);
}

void pat_reduce_scatter(const Coll *c, const Blocks *acc)
{
    Pat x = pat_of(c->p, c->par.chains);
    x.c = c;
    x.b = acc;
    x.back = true;
    for (int i = x.groups - 1; i >= 0; i--)
        group(&x, i);
    for (int d = x.D; d >= 1 && d <= x.top; d *= 2)
        message(&x, 0, 2 * d, d);
}

int64_t pat_messages(int p, int a)
{
    const Pat x = pat_of(p, a);
    int64_t n = p > 1 ? log2_floor(x.top / x.D) + 1 : 0;
    for (int i = 0; i < x.groups; i++) {
        const int64_t left = p - 1 - (int64_t)i * a * x.D;
        n += left < x.D - 1 ? left : x.D - 1;
    }
    return n;
}

// Recursive halving: what every power-of-two algorithm on parts of a vector shares, and how long it takes.
#include "coll.h"
#include <stdlib.h>
#include <string.h>

// The first block of part i.
static int first_block(const Halving *h, int i)
{
    return i < h->doubled ? 2 * i : i + h->doubled;
}

Halves halves(const Coll *c, const Halving *h, int k)
{
    int from = 0, to = c->p, m = 0;
    for (int i = 0; i <= k; i++) {
        if (m)
            *(c->rank & m ? &from : &to) = (from + to) / 2;
        m = h->nearest ? 1 << i : c->p >> (i + 1);
    }
    const int mid = first_block(h, (from + to) / 2);
    const Slice low = blocks(&h->blocks, first_block(h, from), mid), high = blocks(&h->blocks, mid, first_block(h, to));
    const bool upper = c->rank & m;
    return (Halves){.peer = c->rank ^ m, .upper = upper, .keep = upper ? high : low, .give = upper ? low : high};
}

void halve(const Coll *c, const Halving *h)
{
    if (c->p == 1)
        return;
    const Slice inbox = coll_scratch(c, halves(c, h, 0).keep.len);
    for (int k = 0; k < log2_floor(c->p); k++) {
        const Halves s = halves(c, h, k);
        const Slice got = slice_like(inbox, s.keep);
        coll_sendrecv(c, s.peer, s.give, s.peer, got);
        coll_reduce(c, s.keep, s.upper ? got : s.keep, s.upper ? s.keep : got);
    }
}

int64_t exchanged(const CollPoint *x, int64_t mine, int64_t peers, int64_t give, int64_t get)
{
    const int64_t start = mine > peers ? mine : peers, sent = (x->eager ? mine : start) + u(x, give);
    const int64_t come = (x->eager ? peers : start) + u(x, get);
    return sent > come ? sent : come;
}

void passed(const CollPoint *x, int64_t *from, int64_t *to, int64_t bytes)
{
    const int64_t end = (x->eager || *from > *to ? *from : *to) + u(x, bytes);
    *from = end;
    *to = *to > end ? *to : end;
}

void halving_time(const CollPoint *x, int P, bool nearest, int64_t *t)
{
    Coll c = {.p = P, .elem = 1};
    const Halving h = {blocks_even(&c, (Slice){.len = (size_t)x->m}, x->p), x->p - P, nearest};
    int64_t *before = malloc((size_t)P * sizeof *before);
    for (int k = 0; k < log2_floor(P); k++) {
        memcpy(before, t, (size_t)P * sizeof *before);
        for (c.rank = 0; c.rank < P; c.rank++) {
            const Halves s = halves(&c, &h, k);
            const int64_t keep = (int64_t)s.keep.len;
            t[c.rank] = exchanged(x, before[c.rank], before[s.peer], (int64_t)s.give.len, keep) + g(x, keep);
        }
    }
    free(before);
}

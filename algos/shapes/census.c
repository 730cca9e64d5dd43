// A member has the sum of w members, itself and those behind it, and the rest: the same sum without itself. The member
// that is w behind it has the sum of the next w, which makes 2w. If only 2w-1 are needed, what is missing is the rest
// of the member w-1 behind it. The numbers w are 1 .. ceil(n/4), ceil(n/2), n, which are the skips of a circulant
// graph.
#include "shapes/census.h"
#include "api/communicate.h"
#include "shapes/circulant.h"

static Census census_of(int n, int stride, bool slides)
{
    const Circulant graph = circulant_graph(n);
    Census x = {.rounds = graph.q, .stride = stride, .slides = slides};
    bool keep = false;
    for (int i = graph.q - 1; i >= 0; i--) {
        const int members = graph.skip[i + 1];
        x.round[i] = (CensusRound){.distance = members - graph.skip[i],
                                   .members = members,
                                   .blocks = slides ? 2 * n - members : 1,
                                   .rest = members % 2 == 1,
                                   .keep = keep};
        keep |= x.round[i].rest;
    }
    return x;
}

Census census_ring(int n, int stride)
{
    return census_of(n, stride, false);
}

Census census_line(int n)
{
    return census_of(n, 1, true);
}

// Sends a vector and receives another one. Meanwhile it adds `late`, which came before, to its sum, if there is any.
static void exchange(const Coll *c, int to, Slice send, int from, Slice got, Slice sum, Slice late)
{
    if (late.len == 0) {
        coll_sendrecv(c, to, send, from, got);
        return;
    }
    const CollReq first = coll_mark(c);
    coll_irecv(c, from, got);
    coll_isend(c, to, send);
    coll_reduce(c, sum, sum, late);
    coll_waitall(c, first);
}

void census_run(const Coll *c, const Census *x, const Blocks *sum, bool overlap)
{
    if (x->rounds == 0)
        return;
    const bool two = overlap && x->round[0].keep; // what is late needs its inbox a round longer
    const size_t most = blocks(sum, 0, x->round[0].blocks).len;
    const Slice inbox[2] = {coll_scratch(c, most), coll_scratch_if(c, two, most)};
    const Blocks rest = x->round[0].keep ? blocks_of(coll_scratch(c, sum->all.len), sum) : *sum;
    Slice late_sum = {0}, late = {0};
    for (int i = 0; i < x->rounds; i++) {
        const CensusRound r = x->round[i];
        const int far = x->stride * r.distance, first = x->slides ? r.distance : 0;
        const Slice total = blocks(sum, 0, r.blocks), others = blocks(&rest, 0, r.blocks),
                    got = slice_like(inbox[two ? i % 2 : 0], total);
        exchange(c, (c->rank + far) % c->p, blocks(r.rest ? &rest : sum, first, first + r.blocks),
                 (c->rank + c->p - far) % c->p, got, late_sum, late);
        const bool rests = r.keep && x->round[i + 1].rest; // what the next round does not send can wait
        const bool total_waits = overlap && rests, others_wait = overlap && r.keep && i > 0 && !rests;
        if (!total_waits)
            coll_reduce(c, total, total, got);
        if (r.keep && i == 0)
            coll_copy(c, others, got);
        else if (r.keep && !others_wait)
            coll_reduce(c, others, others, got);
        late_sum = total_waits ? total : others;
        late = slice_at(got, 0, total_waits || others_wait ? got.len : 0);
    }
}

CensusPlan census_plan(int n, int radix)
{
    CensusPlan x = {.rounds = 0};
    for (int64_t at = n; at > 1; at = (at + radix - 1) / radix)
        x.rounds++;
    x.n[x.rounds] = n;
    bool rest = false;
    for (int i = x.rounds - 1; i >= 0; i--) {
        const int sum = x.n[i + 1], part = (int)(((int64_t)sum + radix - 1) / radix);
        x.n[i] = part;
        x.terms[i] = (sum + part - 1) / part;
        x.shorter[i] = x.terms[i] * part - sum;
        x.rest[i] = rest;
        rest |= x.shorter[i] > 0;
    }
    return x;
}

int census_behind(const CensusPlan *x, int i, int j, bool *rest)
{
    const int whole = x->terms[i] - x->shorter[i];
    *rest = j >= whole;
    return j * x->n[i] - (*rest ? j - whole + 1 : 0);
}

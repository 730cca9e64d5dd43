#include "shapes/prefix_parts.h"
#include "api/communicate.h"

int prefix_parts_radix(int n, int most)
{
    for (int r = most < n ? most : n; r >= 2; r--)
        if (n % r == 0)
            return r;
    int r = most + 1;
    while (n % r != 0)
        r++;
    return r;
}

PrefixParts prefix_parts(const Coll *c, int K, int most)
{
    PrefixParts x = {.rest = -1};
    for (int stride = 1; stride < K; x.levels++) {
        const int r = prefix_parts_radix(K / stride, most), digit = c->rank % K / stride % r;
        x.level[x.levels] =
            (PrefixLevel){.r = r, .owners = r, .digit = digit, .first = c->rank - digit * stride, .stride = stride};
        stride *= r;
    }
    return x;
}

PrefixParts prefix_parts_row(const RankRows *row)
{
    const PrefixLevel level = {.r = row->n, .owners = row->K, .digit = row->i, .first = row->first, .stride = 1};
    return (PrefixParts){.levels = 1, .level = {level}, .rest = -1};
}

Slice prefix_parts_own(const PrefixParts *x, const Coll *c, Slice vector)
{
    for (int l = 0; l < x->levels; l++) {
        const Blocks part = blocks_even(c, vector, x->level[l].owners);
        vector = block(&part, x->level[l].digit);
    }
    return vector;
}

static int rank_of(const PrefixLevel *x, int i)
{
    return x->first + i * x->stride;
}

// Returns item i of what the caller has for each rank of the run: slices as long as its own part.
static Slice of_rank(const PrefixLevel *x, Slice all, int i)
{
    const size_t len = block(&x->part, x->digit).len;
    return slice_at(all, (size_t)i * len, len);
}

static Slice level_up(const Coll *c, PrefixLevel *x, Slice vector)
{
    const int r = x->r;
    const bool owns = x->digit < x->owners;
    x->part = blocks_even(c, vector, x->owners);
    const Slice own = owns ? block(&x->part, x->digit) : (Slice){0}, inbox = coll_scratch(c, (size_t)r * own.len);
    x->sums = coll_scratch(c, (size_t)r * own.len);
    CollReq *request = coll_ints(c, (size_t)r);
    for (int j = 1; j < r; j++) {
        const int from = (x->digit + j) % r, to = (x->digit - j + r) % r;
        if (owns)
            request[from] = coll_irecv(c, rank_of(x, from), of_rank(x, inbox, from));
        if (to < x->owners)
            coll_isend(c, rank_of(x, to), block(&x->part, to));
    }
    for (int i = 0; i < r && owns; i++) {
        const Slice sum = of_rank(x, x->sums, i), one = i == x->digit ? own : of_rank(x, inbox, i);
        if (i != x->digit)
            coll_wait(c, request[i]);
        if (i == 0)
            coll_copy(c, sum, one);
        else
            coll_reduce(c, sum, of_rank(x, x->sums, i - 1), one);
    }
    return owns ? of_rank(x, x->sums, r - 1) : own;
}

Slice prefix_parts_up(const Coll *c, PrefixParts *x)
{
    const CollReq first = coll_mark(c);
    Slice sum = coll_scratch(c, c->in.len);
    coll_copy(c, sum, c->in);
    for (int l = 0; l < x->levels; l++)
        sum = level_up(c, &x->level[l], sum);
    coll_waitall(c, first);
    return sum;
}

// Returns what comes before a rank of the run, or up to it: `before`, if there is `some`, with the first `count` of the
// run's parts. `into` is room for the sum.
static Slice up_to(const Coll *c, const PrefixLevel *x, Slice before, bool some, int count, Slice into)
{
    if (count == 0)
        return before;
    const Slice sum = of_rank(x, x->sums, count - 1);
    if (!some)
        return sum;
    coll_reduce(c, into, before, sum);
    return into;
}

// Goes down a level: what the ranks of the run get includes their own vectors if `with` is 1.
static void level_down(const Coll *c, const PrefixLevel *x, Slice before, bool some, int with, Slice out)
{
    const int r = x->r, d = x->digit;
    const Blocks part = blocks_of(out, &x->part);
    for (int j = 1; j < r && (some || d + with > 0); j++)
        if ((d + j) % r < x->owners)
            coll_irecv(c, rank_of(x, (d + j) % r), block(&part, (d + j) % r));
    if (d >= x->owners)
        return;
    const Slice room = coll_scratch_if(c, some, (size_t)r * block(&part, d).len);
    for (int j = 1; j <= r; j++) {
        const int to = (d - j + r) % r, count = to + with;
        if (!some && count == 0)
            continue;
        const Slice into = to == d ? block(&part, d) : of_rank(x, room, to);
        const Slice value = up_to(c, x, before, some, count, into);
        if (to == d)
            coll_copy(c, into, value);
        else
            coll_isend(c, rank_of(x, to), value);
    }
}

void prefix_parts_down(const Coll *c, const PrefixParts *x, Slice before, bool some, bool exclusive)
{
    for (int l = x->levels - 1; l >= 0; l--) {
        const PrefixLevel *const level = &x->level[l];
        const CollReq first = coll_mark(c);
        const Slice out = l == 0 ? c->out : coll_scratch(c, level->part.all.len);
        level_down(c, level, before, some, l == 0 && !exclusive, out);
        if (l == 0 && x->rest >= 0) {
            const Slice room = coll_scratch_if(c, some, block(&level->part, level->digit).len);
            coll_isend(c, x->rest, up_to(c, level, before, some, level->r, room));
        }
        coll_waitall(c, first);
        some = some || level->digit > 0;
        before = out;
    }
}

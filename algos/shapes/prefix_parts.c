#include "shapes/prefix_parts.h"

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

static int apart(const PrefixLevel *x)
{
    return prefix_parts_apart(x->r, x->digit, x->alone);
}

// Makes sum i of the one before it and what has come from rank i of the run; the first sum is a copy.
static void add_next(const Coll *c, const PrefixLevel *x, int i)
{
    const Slice sum = of_rank(x, x->sums, i), one = i == x->digit ? x->own : of_rank(x, x->inbox, i);
    if (i != x->digit)
        coll_wait(c, x->request[i]);
    if (i == 0 || i == x->r - apart(x))
        coll_copy(c, sum, one);
    else
        coll_reduce(c, sum, of_rank(x, x->sums, i - 1), one);
}

static Slice level_up(const Coll *c, PrefixLevel *x, Slice vector)
{
    const int r = x->r;
    const bool owns = x->digit < x->owners;
    x->part = blocks_even(c, vector, x->owners);
    x->own = owns ? block(&x->part, x->digit) : (Slice){0};
    x->inbox = coll_scratch(c, (size_t)r * x->own.len);
    x->sums = coll_scratch(c, (size_t)r * x->own.len);
    x->request = coll_ints(c, (size_t)r);
    for (int j = 1; j < r; j++) {
        const int from = (x->digit + j) % r, to = (x->digit - j + r) % r;
        if (owns)
            x->request[from] = coll_irecv(c, rank_of(x, from), of_rank(x, x->inbox, from));
        if (to < x->owners)
            coll_isend(c, rank_of(x, to), block(&x->part, to));
    }
    if (!owns)
        return x->own;
    // In the order in which they arrive, so that hardly a reduction is left at the end.
    for (int i = r - apart(x); i < r; i++)
        add_next(c, x, i);
    x->known = x->alone ? x->digit + 1 : r;
    for (int i = 0; i < x->known - apart(x); i++)
        add_next(c, x, i);
    const Slice total = of_rank(x, x->sums, r - 1);
    if (apart(x) > 0)
        coll_reduce(c, total, of_rank(x, x->sums, x->digit), total);
    return total;
}

Slice prefix_parts_up(const Coll *c, PrefixParts *x)
{
    const CollReq first = coll_mark(c);
    Slice sum = coll_scratch(c, c->in.len);
    coll_copy(c, sum, c->in);
    for (int l = 0; l < x->levels; l++) {
        x->level[l].alone = x->alone && l == x->levels - 1;
        sum = level_up(c, &x->level[l], sum);
    }
    coll_waitall(c, first);
    return sum;
}

// What comes before a run, if there is `some`, for the caller's part; and, once it `has_base`, what comes before it with
// the sum up to the caller.
typedef struct PrefixBefore {
    Slice before, base;
    bool some, has_base;
} PrefixBefore;

static void find_base(const Coll *c, const PrefixLevel *x, PrefixBefore *y, Slice room)
{
    const Slice sum = of_rank(x, x->sums, x->digit);
    if (y->some && !y->has_base)
        coll_reduce(c, room, y->before, sum);
    y->base = y->some ? room : sum;
    y->has_base = true;
}

// Returns what comes before a rank of the run, or up to it: `before` with the first `count` of the run's parts. `into`
// is room for the sum, and `room` for the base.
static Slice up_to(const Coll *c, PrefixLevel *x, PrefixBefore *y, int count, Slice into, Slice room)
{
    const int i = count - 1;
    if (count == 0)
        return y->before;
    for (; x->known < count; x->known++)
        add_next(c, x, x->known);
    const Slice sum = of_rank(x, x->sums, i);
    const bool on_base = apart(x) > 0 && i > x->digit && i < x->r - 1;
    if (on_base || i == x->digit)
        find_base(c, x, y, room);
    if (i == x->digit)
        return y->base;
    if (!on_base && !y->some)
        return sum;
    coll_reduce(c, into, on_base ? y->base : y->before, sum);
    return into;
}

// Goes down a level: what the ranks of the run get includes their own vectors if `with` is 1. If sums are still to be
// made, the ranks behind the caller come first, as their sums do.
static void level_down(const Coll *c, PrefixLevel *x, Slice before, bool some, int with, Slice out)
{
    const int r = x->r, d = x->digit, step = x->alone ? r - 1 : 1;
    const Blocks part = blocks_of(out, &x->part);
    for (int j = 1; j < r && (some || d + with > 0); j++) {
        const int from = (d + j * step) % r;
        if (from < x->owners)
            coll_irecv(c, rank_of(x, from), block(&part, from));
    }
    if (d >= x->owners)
        return;
    const Slice room = coll_scratch_if(c, some || d > 0, (size_t)(r + 1) * block(&part, d).len);
    PrefixBefore y = {.before = before, .some = some};
    for (int j = 1; j <= r; j++) {
        const int to = (d + (r - step) * j) % r, count = to + with;
        if (!some && count == 0)
            continue;
        const Slice into = to == d ? block(&part, d) : of_rank(x, room, to);
        const Slice value = up_to(c, x, &y, count, into, of_rank(x, room, r));
        if (to == d)
            coll_copy(c, into, value);
        else
            coll_isend(c, rank_of(x, to), value);
    }
}

void prefix_parts_down(const Coll *c, PrefixParts *x, Slice before, bool some, bool exclusive)
{
    for (int l = x->levels - 1; l >= 0; l--) {
        PrefixLevel *const level = &x->level[l];
        const CollReq first = coll_mark(c);
        const Slice out = l == 0 ? c->out : coll_scratch(c, level->part.all.len);
        level_down(c, level, before, some, l == 0 && !exclusive, out);
        if (l == 0 && x->rest >= 0) {
            const Slice room = coll_scratch_if(c, some, block(&level->part, level->digit).len);
            PrefixBefore y = {.before = before, .some = some};
            coll_isend(c, x->rest, up_to(c, level, &y, level->r, room, room));
        }
        coll_waitall(c, first);
        some = some || level->digit > 0;
        before = out;
    }
}

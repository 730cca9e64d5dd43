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
        x.level[x.levels] = (PrefixLevel){
            .r = r, .given = r, .owners = r, .digit = digit, .first = c->rank - digit * stride, .stride = stride};
        stride *= r;
    }
    return x;
}

// Returns the level of a row. The last rank of the last row gives nothing if it owns nothing and makes this row longer
// than all others.
static PrefixLevel level_of(const RankRows *row)
{
    const bool last = row->row > 0 && row->row == row->rows - 1, longer = row->row * (row->n - 1) == row->first,
               waits = last && longer && row->n > row->K;
    return (PrefixLevel){
        .r = row->n, .given = row->n - waits, .owners = row->K, .digit = row->i, .first = row->first, .stride = 1};
}

PrefixParts prefix_parts_row(const RankRows *row)
{
    return (PrefixParts){.levels = 1, .level = {level_of(row)}, .rest = -1};
}

int prefix_parts_owners(int n, int radix)
{
    if (n <= radix)
        return n;
    const int divisor = prefix_parts_radix(n, radix);
    return divisor <= radix && 2 * divisor > radix ? divisor : radix;
}

bool prefix_parts_rows(const Coll *c, int radix, int levels, PrefixParts *x, Coll *lane)
{
    *x = (PrefixParts){.rest = -1};
    *lane = *c;
    while (x->levels < levels && lane->p > 1) {
        Coll view = *lane;
        view.par.chains = prefix_parts_owners(lane->p, radix);
        const RankRows row = rank_rows_of(&view);
        PrefixLevel *const level = &x->level[x->levels++];
        *level = level_of(&row);
        level->view = view;
        x->alone = row.rows == 1;
        if (row.i >= row.K)
            return false;
        *lane = rank_rows_column(&level->view, &row);
    }
    return true;
}

Slice prefix_parts_own(const PrefixParts *x, const Coll *c, Slice vector)
{
    for (int l = 0; l < x->levels; l++) {
        const Blocks part = blocks_even(c, vector, x->level[l].owners);
        vector = block(&part, x->level[l].digit);
    }
    return vector;
}

// The view that has the ranks of the run.
static const Coll *view_of(const Coll *c, const PrefixLevel *x)
{
    return x->view.p > 0 ? &x->view : c;
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
    return prefix_parts_apart(x->given, x->digit, x->alone);
}

// Some bytes of a part.
typedef struct PrefixSpan {
    size_t off, len;
} PrefixSpan;

static Slice span(Slice part, PrefixSpan s)
{
    return slice_at(part, s.off, s.len);
}

// Makes these bytes of sum i, of the one before it and what has come from rank i of the run; the first sum is a copy.
static void add_next(const Coll *c, const PrefixLevel *x, int i, PrefixSpan s)
{
    const Slice sum = of_rank(x, x->sums, i), one = i == x->digit ? x->own : of_rank(x, x->inbox, i);
    if (i != x->digit)
        coll_wait(c, x->request[i]);
    if (i == 0 || i == x->given - apart(x))
        coll_copy(c, span(sum, s), span(one, s));
    else
        coll_reduce(c, span(sum, s), span(of_rank(x, x->sums, i - 1), s), span(one, s));
}

// Makes these bytes of the sum over the run: adds what arrives last, and the ranks that were added up apart.
static void finish(const Coll *c, const PrefixLevel *x, PrefixSpan s)
{
    const int last = x->known - apart(x) - 1;
    const Slice total = of_rank(x, x->sums, x->given - 1);
    add_next(c, x, last, s);
    if (apart(x) > 0)
        coll_reduce(c, span(total, s), span(of_rank(x, x->sums, last), s), span(total, s));
}

// Begins a level with a vector. If the level `under` it has not finished that, it is finished block by block.
static void level_begin(const Coll *c, PrefixLevel *x, Slice vector, const PrefixLevel *under)
{
    const int r = x->r;
    const bool owns = x->digit < x->owners, gives = x->digit < x->given;
    x->part = blocks_even(c, vector, x->owners);
    x->own = owns ? block(&x->part, x->digit) : (Slice){0};
    x->inbox = coll_scratch(c, (size_t)r * x->own.len);
    x->sums = coll_scratch(c, (size_t)r * x->own.len);
    x->request = coll_ints(c, (size_t)r);
    for (int j = 1; j <= r; j++) {
        const int from = (x->digit + j) % r, to = (x->digit - j + r) % r;
        const Slice sent = to < x->owners ? block(&x->part, to) : (Slice){0};
        if (owns && j < r && from < x->given)
            x->request[from] = coll_irecv(view_of(c, x), rank_of(x, from), of_rank(x, x->inbox, from));
        if (under && to < x->owners)
            finish(c, under, (PrefixSpan){sent.off - vector.off, sent.len});
        if (gives && to < x->owners && j < r)
            coll_isend(view_of(c, x), rank_of(x, to), sent);
    }
}

// Adds up what comes in the order in which it arrives, so that hardly a reduction is left at the end: `finish`.
static void level_add(const Coll *c, PrefixLevel *x)
{
    const PrefixSpan all = {0, x->own.len};
    for (int i = x->given - apart(x); i < x->given; i++)
        add_next(c, x, i, all);
    x->known = x->alone ? x->digit + 1 : x->given;
    for (int i = 0; i < x->known - apart(x) - 1; i++)
        add_next(c, x, i, all);
}

Slice prefix_parts_up(const Coll *c, PrefixParts *x)
{
    const CollReq first = coll_mark(c);
    Slice sum = coll_scratch(c, c->in.len);
    coll_copy(c, sum, c->in);
    for (int l = 0; l < x->levels; l++) {
        PrefixLevel *const level = &x->level[l];
        level->alone = x->alone && l == x->levels - 1;
        level_begin(c, level, sum, x->overlap && l > 0 ? level - 1 : NULL);
        sum = level->own;
        if (level->digit >= level->owners)
            break;
        level_add(c, level);
        if (!x->overlap || l == x->levels - 1)
            finish(c, level, (PrefixSpan){0, level->own.len});
        sum = of_rank(level, level->sums, level->given - 1);
    }
    coll_waitall(c, first);
    return sum;
}

// What comes before a run, if there is `some`, for the caller's part; and, once it `has_base`, what comes before it
// with the sum over the ranks of the run before the caller. If `above` is not NULL, what comes before may still be on
// its way from the ranks of this level.
typedef struct PrefixBefore {
    Slice before, base;
    bool some, has_base;
    const PrefixLevel *above;
} PrefixBefore;

// The ranks of a run that is alone send to those behind them first, as their sums come in that order.
static int step_of(const PrefixLevel *x)
{
    return x->alone ? x->r - 1 : 1;
}

// Waits for what comes from the j-th rank of a run, the caller's own block being there first. Returns its number, or
// -1 if nothing comes from it.
static int await(const Coll *c, const PrefixLevel *above, int j)
{
    const int from = (above->digit + j * step_of(above)) % above->r;
    if (from >= above->owners)
        return -1;
    if (j > 0)
        coll_wait(c, above->back[from]);
    return from;
}

static void await_all(const Coll *c, PrefixBefore *y)
{
    for (int j = 0; y->above && j < y->above->r; j++)
        await(c, y->above, j);
    y->above = NULL;
}

// Adds what comes before to a sum, block by block where it is still on its way.
static void add_before(const Coll *c, PrefixBefore *y, Slice into, Slice sum)
{
    if (!y->above) {
        coll_reduce(c, into, y->before, sum);
        return;
    }
    const Blocks part = blocks_of(y->before, &y->above->part), out = blocks_of(into, &part),
                 mine = blocks_of(sum, &part);
    for (int j = 0; j < y->above->r; j++) {
        const int i = await(c, y->above, j);
        if (i >= 0)
            coll_reduce(c, block(&out, i), block(&part, i), block(&mine, i));
    }
    y->above = NULL;
}

static void find_base(const Coll *c, const PrefixLevel *x, PrefixBefore *y, Slice room)
{
    const Slice sum = of_rank(x, x->sums, x->digit - 1);
    if (y->some && !y->has_base)
        add_before(c, y, room, sum);
    y->base = y->some ? room : sum;
    y->has_base = true;
}

// Returns what comes before a rank of the run, or up to it: `before` with the first `count` of the run's parts. `into`
// is room for the sum, and `room` for the base.
static Slice up_to(const Coll *c, PrefixLevel *x, PrefixBefore *y, int count, Slice into, Slice room)
{
    const int i = count - 1;
    if (count == 0) {
        await_all(c, y);
        return y->before;
    }
    for (; x->known < count; x->known++)
        add_next(c, x, x->known, (PrefixSpan){0, x->own.len});
    const Slice sum = of_rank(x, x->sums, i);
    const bool is_base = apart(x) > 0 && i == x->digit - 1, on_base = apart(x) > 0 && i >= x->digit && i < x->given - 1;
    if (is_base || on_base)
        find_base(c, x, y, room);
    if (on_base)
        coll_reduce(c, into, y->base, sum);
    else if (y->some && !is_base)
        add_before(c, y, into, sum);
    return is_base ? y->base : on_base || y->some ? into : sum;
}

// Adds the caller's own vector to what comes before it, block by block as these arrive.
static void add_own(const Coll *c, const PrefixLevel *x, const Blocks *out, const Blocks *before)
{
    const Blocks own = blocks_of(c->in, &x->part);
    for (int j = 1; j < x->r; j++) {
        const int i = await(c, x, j);
        if (i >= 0)
            coll_reduce(c, block(out, i), block(before, i), block(&own, i));
    }
}

// Goes down a level: what the ranks of the run get includes their own vectors if `with` is 1. If sums are still to be
// made, the ranks behind the caller come first, as their sums do.
static void level_down(const Coll *c, PrefixLevel *x, PrefixBefore *y, int with, Slice out)
{
    const int r = x->r, d = x->digit, step = step_of(x);
    const bool some = y->some;
    const bool adds = with && d >= x->given;
    const Blocks part = blocks_of(out, &x->part), come = adds ? blocks_of(coll_scratch(c, out.len), &x->part) : part;
    x->back = coll_ints(c, (size_t)r);
    for (int j = 1; j < r && (some || d + with > 0); j++) {
        const int from = (d + j * step) % r;
        if (from < x->owners)
            x->back[from] = coll_irecv(view_of(c, x), rank_of(x, from), block(&come, from));
    }
    if (adds)
        add_own(c, x, &part, &come);
    if (d >= x->owners)
        return;
    const Slice room = coll_scratch_if(c, some || d > 0, (size_t)(r + 1) * block(&part, d).len);
    for (int j = 1; j <= r; j++) {
        const int to = (d + (r - step) * j) % r, count = to < x->given ? to + with : to;
        if (!some && count == 0)
            continue;
        const Slice into = to == d ? block(&part, d) : of_rank(x, room, to);
        const Slice value = up_to(c, x, y, count, into, of_rank(x, room, r));
        if (to == d)
            coll_copy(c, into, value);
        else
            coll_isend(view_of(c, x), rank_of(x, to), value);
    }
}

void prefix_parts_down(const Coll *c, PrefixParts *x, Slice before, bool some, bool exclusive)
{
    const CollReq first = coll_mark(c);
    const PrefixLevel *above = NULL;
    for (int l = x->levels - 1; l >= 0; l--) {
        PrefixLevel *const level = &x->level[l];
        const Slice out = l == 0 ? c->out : coll_scratch(c, level->part.all.len);
        PrefixBefore y = {.before = before, .some = some, .above = some ? above : NULL};
        level_down(c, level, &y, l == 0 && !exclusive, out);
        if (l == 0 && x->rest >= 0) {
            const Slice room = coll_scratch_if(c, some, block(&level->part, level->digit).len);
            y.has_base = false;
            coll_isend(c, x->rest, up_to(c, level, &y, level->r, room, room));
        }
        if (!x->overlap || l == 0)
            coll_waitall(c, first);
        above = x->overlap ? level : NULL;
        some = some || level->digit > 0;
        before = out;
    }
}

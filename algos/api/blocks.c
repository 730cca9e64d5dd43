// Slices and blocks. No other file knows where elements begin.
#include "api/blocks.h"
#include "api/backend.h"
#include "api/communicate.h"
#include <glib.h>

Slice slice_at(Slice s, size_t off, size_t len)
{
    if (G_UNLIKELY(off > s.len || len > s.len - off))
        g_error("slice_at: bytes %zu + %zu lie outside of a slice of %zu bytes", off, len, s.len);
    return (Slice){.buf = s.buf, .off = s.off + off, .len = len};
}

Slice slice_like(Slice s, Slice like)
{
    if (G_UNLIKELY(like.len > s.len))
        g_error("slice_like: %zu bytes do not fit into a slice of %zu bytes", like.len, s.len);
    return (Slice){.buf = s.buf, .off = s.off, .len = like.len, .cut = like.cut};
}

void blocks_note_uneven(const Coll *c, bool differ)
{
    if (differ && c->run)
        c->run->irregular = true;
}

Blocks blocks_even(const Coll *c, Slice s, int n)
{
    if (G_UNLIKELY(n < 1 || s.len % c->elem != 0))
        g_error("blocks_even: %zu bytes of elements of %zu cannot be cut into %d blocks", s.len, c->elem, n);
    const size_t elements = s.len / c->elem;
    blocks_note_uneven(c, elements % (size_t)n != 0);
    return (Blocks){.all = s,
                    .n = n,
                    .plain = n,
                    .size = elements / (size_t)n * c->elem,
                    .longer = (int)(elements % (size_t)n),
                    .elem = c->elem,
                    .even = true};
}

Blocks blocks_spread(const Coll *c, Slice s, int n)
{
    Blocks b = blocks_even(c, s, n);
    if (b.longer > 0) {
        b.even = false;
        b.spread = true;
        b.plain = 0;
    }
    return b;
}

// Returns true if n blocks are more than the run allows, and keeps n.
static bool too_many(const Coll *c, size_t n)
{
    CollRun *run = c->run;
    if (!run || run->most_segments == 0)
        return false;
    while (c->up)
        c = c->up;
    const bool more = n > run->most_segments / (size_t)c->p;
    if (more)
        run->segments = n;
    return more;
}

size_t blocks_first(const Coll *c, Slice s, size_t size)
{
    const size_t whole = MAX(size / c->elem, 1) * c->elem;
    blocks_note_uneven(c, size > 0 && s.len > whole && s.len % whole != 0);
    return size == 0 ? s.len : MIN(whole, s.len);
}

Blocks blocks_pieces(const Coll *c, Slice s, size_t size)
{
    const size_t first = blocks_first(c, s, size), n = first == 0 ? 1 : (s.len - 1) / first + 1;
    if (G_UNLIKELY(n > INT32_MAX))
        g_error("blocks_pieces: blocks of %zu bytes cut %zu bytes into too many", first, s.len);
    return (Blocks){.all = s, .n = (int)n, .plain = (int)n, .elem = c->elem, .size = first};
}

Blocks blocks_size(const Coll *c, Slice s, size_t size)
{
    const size_t first = blocks_first(c, s, size), n = first == 0 ? 1 : (s.len - 1) / first + 1;
    if (n > 1 && too_many(c, n))
        return (Blocks){.all = s, .n = 1, .plain = 1, .elem = c->elem, .size = first};
    return blocks_pieces(c, s, size);
}

static Blocks ranks_blocks(const Coll *c, Slice s)
{
    if (!c->counts)
        return blocks_even(c, s, c->p);
    return (Blocks){.all = s, .n = c->p, .elem = c->elem, .counts = c->counts, .shift = c->counts_shift};
}

Blocks coll_in(const Coll *c)
{
    return ranks_blocks(c, c->in);
}

Blocks coll_out(const Coll *c)
{
    return ranks_blocks(c, c->out);
}

Blocks blocks_of(Slice s, const Blocks *like)
{
    Blocks b = *like;
    if (G_UNLIKELY(s.len != like->all.len))
        g_error("blocks_of: a slice of %zu bytes cannot be cut like one of %zu bytes", s.len, like->all.len);
    b.all = s;
    return b;
}

// Returns the number of block i of blocks that follow counts.
static int counted(const Blocks *b, int i)
{
    if (G_UNLIKELY((unsigned)i >= (unsigned)b->n))
        g_error("block %d is asked for, and there are %d, which begin with 0", i, b->n);
    return i + b->shift < b->n ? i + b->shift : i + b->shift - b->n;
}

static Slice blocks_by_counts(const Blocks *b, int i, int j)
{
    Slice s = {.buf = b->all.buf, .off = b->all.off};
    for (int k = i; k < j; k++) {
        const int number = counted(b, k);
        if (k == i)
            s.off += b->counts->at[number];
        g_assert(s.off + s.len == b->all.off + b->counts->at[number]);
        s.len += b->counts->len[number];
    }
    return s;
}

// Returns where block i begins, relative to the whole slice; i = n gives the end of the slice.
static size_t block_start(const Blocks *b, int i)
{
    const size_t n = (size_t)b->n,
                 longer = b->spread ? ((size_t)i * (size_t)b->longer + n - 1) / n : (size_t)MIN(i, b->longer),
                 start = (size_t)i * b->size + longer * b->elem;
    return MIN(start, b->all.len);
}

// Returns where block i begins if the blocks follow each other twice, 0 <= i <= 2n: block n + k is block k again.
static size_t start_around(const Blocks *b, int i)
{
    return i <= b->n ? block_start(b, i) : block_start(b, b->n) + block_start(b, i - b->n);
}

// Returns how many bytes blocks i .. j-1 have together, 0 <= i <= j <= 2n; block n + k means block k. `turned` is
// ignored: the numbers are those of the original blocks.
static size_t bytes_around(const Blocks *b, int i, int j)
{
    size_t len = 0;
    if (!b->counts)
        return start_around(b, j) - start_around(b, i);
    for (int k = i; k < j; k++)
        len += b->counts->len[(k + b->shift) % b->n];
    return len;
}

Blocks blocks_turned(const Coll *c, const Blocks *like, int first)
{
    if (G_UNLIKELY(first < 0 || first >= like->n))
        g_error("blocks_turned: there is no block %d of %d", first, like->n);
    Blocks b = *like;
    b.all = coll_scratch(c, bytes_around(like, 0, like->n));
    b.turned = true;
    b.plain = 0;
    b.turn = first;
    return b;
}

Slice blocks(const Blocks *b, int i, int j)
{
    if (G_UNLIKELY(i < 0 || i > j || j > b->n))
        g_error("blocks %d .. %d are asked for, and there are %d, which begin with 0", i, j - 1, b->n);
    Slice s;
    if (b->turned)
        s = slice_at(b->all, bytes_around(b, b->turn, b->turn + i), bytes_around(b, b->turn + i, b->turn + j));
    else if (b->counts)
        return blocks_by_counts(b, i, j);
    else
        s = slice_at(b->all, block_start(b, i), block_start(b, j) - block_start(b, i));
    if (b->even) {
        s.cut.first = b->turned ? b->turn + i : i;
        if (b->turned && s.cut.first >= b->n) // a division would take as long as all the rest
            s.cut.first -= b->n;
        s.cut.count = j - i;
        s.cut.parts = b->n;
        s.cut.whole = b->all.len;
    }
    return s;
}

bool blocks_touch(const Blocks *b, int i, int j)
{
    if (b->counts && !b->turned) { // texts ask for each of their blocks, and a slice takes long to make
        const int first = counted(b, i);
        return b->counts->at[first] + b->counts->len[first] == b->counts->at[counted(b, j)];
    }
    const Slice first = block(b, i);
    return first.off + first.len == block(b, j).off;
}

// Does what blocks_total does for blocks that follow counts.
static size_t total_by_counts(const Blocks *b, int n, const int *which)
{
    const size_t *len = b->counts->len;
    size_t total = 0;
    if (b->shift != 0) {
        for (int i = 0; i < n; i++)
            total += len[counted(b, which[i])];
        return total;
    }
    const unsigned most = (unsigned)b->n; // texts on many ranks do this at each rank for all blocks
    for (int i = 0; i < n; i++)
        total += len[G_LIKELY((unsigned)which[i] < most) ? which[i] : counted(b, which[i])];
    return total;
}

size_t blocks_total(const Blocks *b, int n, const int *which)
{
    size_t len = 0;
    if (b->even && b->longer == 0)
        return (size_t)n * b->size;
    if (b->even && !b->turned) { // texts on many ranks ask for all blocks at each rank: this loop is made of vectors
        int longer = 0;
        for (int i = 0; i < n; i++)
            longer += which[i] < b->longer;
        return (size_t)n * b->size + (size_t)longer * b->elem;
    }
    if (b->counts && !b->turned)
        return total_by_counts(b, n, which);
    for (int i = 0; i < n; i++)
        len += block(b, which[i]).len;
    return len;
}

// Returns the sum of floor((a i + b) / m) over i = 0 .. n-1, like Euclid's algorithm.
static int64_t floor_sum(int64_t n, int64_t m, int64_t a, int64_t b)
{
    int64_t sum = 0;
    while (n > 0) {
        sum += n * (n - 1) / 2 * (a / m) + n * (b / m);
        a %= m;
        b %= m;
        const int64_t top = a * n + b, from = m; // swaps the axes: counts the points below the line by rows
        n = top / m;
        b = top % m;
        m = a;
        a = from;
    }
    return sum;
}

size_t blocks_total_stepped(const Blocks *b, int first, int step, int n)
{
    // A number x mod b->n is less than `longer` where floor(x / b->n) exceeds floor((x - longer) / b->n).
    const int64_t longer =
        b->longer == 0 ? 0 : n + floor_sum(n, b->n, step, first) - floor_sum(n, b->n, step, first - b->longer + b->n);
    return (size_t)n * b->size + (size_t)longer * b->elem;
}

size_t blocks_longest(const Blocks *b)
{
    size_t longest = 0;
    for (int i = 0; i < (b->counts ? b->n : 1); i++)
        longest = MAX(longest, block(b, i).len);
    return longest;
}

int *blocks_numbers(const Coll *c, int first, int step, int n, int of)
{
    int *which = coll_ints(c, (size_t)n);
    for (int i = 0, number = first; i < n; i++) {
        which[i] = number;
        number = number + step < of ? number + step : number + step - of;
    }
    return which;
}

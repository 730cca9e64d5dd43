// What:   TuNA: Bruck's algorithm for blocks of different lengths, which are not padded. Rank r's block for rank r+j
//         has place j, and travels j ranks, one digit of j (in base k) at a time, in rounds d = 1, k, k^2 ..: the
//         blocks of all places whose digit at d is z travel z d ranks, as one message. A block leaves from the caller's
//         input in its first round and arrives in the result in its last one; between them it waits in a slot of
//         scratch. Before the messages of a digit, its ranks tell each other the lengths of their blocks, eight bytes
//         each, unless all ranks know them. In k_tuna the messages of a digit are under way together. So they are in
//         hybrid, where the lengths lie in front of the blocks, and blocks of `limit` bytes or more do not travel, but
//         go straight to their ranks after all rounds.
// Cost:   alltoallv k_tuna: sent: 2 N alpha + H (m+8) beta; known: N alpha + H m beta; N = (k-1)(h-1) +
//         floor((p-1)/k^(h-1)), h = ceil(log_k p), H = non-zero digits of 0 .. p-1 in base k.
//         alltoallv tuna: sent: 2 N alpha + H (m+8) beta; known: N alpha + H m beta; N = (k-1)(h-1) +
//         floor((p-1)/k^(h-1)), h = ceil(log_k p), H = non-zero digits of 0 .. p-1 in base k.
//         alltoallv hybrid: 0 < m < limit: N alpha + (H (m+8) + 8 N) beta; m >= limit: N (alpha + 8 beta) + (p-1)
//         (alpha + m beta); N = (k-1)(h-1) + floor((p-1)/k^(h-1)), h = ceil(log_k p), H = non-zero digits of 0 .. p-1
//         in base k.
//         N is the number of messages that a rank sends; m is the size of one block, in bytes.
// Source: alltoallv k_tuna: Fan, Domke, Ba, Kumar, Configurable non-uniform all-to-all algorithms, 2024.
//         alltoallv tuna: Fan, Domke, Ba, Kumar, Configurable non-uniform all-to-all algorithms, 2024.
//         alltoallv hybrid: UCC, alltoallv hybrid.
//         TuNA's allreduce of the longest block, which says how much room a slot needs, is left out, and all lengths of
//         a digit go before its blocks. UCC's lengths have four bytes; it begins the next digit before its own sends
//         have ended, and lets a long block that would make a single hop go with the others if its buffer has room.
// Needs:  nothing.
//
//   p = 8      to r+1: places 3 5 7 1   to r+2: places 6 2 3 7   to r+4: places 4 5 6 7
#include "coll.h"
#include "times/times.h"

enum { LENGTH_BYTES = 8 };

typedef enum { SIZES_SENT, SIZES_KNOWN } Sizes;
static const char *const sizes[] = {"sent", "known", NULL};

// The message that moves blocks z d ranks on. First come those that begin their way with it and do not end it, then one
// that does both, then those that end it.
typedef struct Message {
    int to, from, n;
    int *place;     // the places of its n blocks
    int begin;      // the first `begin` of them come from the input
    int first, end; // blocks first .. end-1 arrive in the result
} Message;

// Returns the number of places below p whose digit at d is z.
static int64_t count(int p, int k, int64_t d, int64_t z)
{
    const int64_t rest = p % (k * d) - z * d;
    return p / (k * d) * d + (rest < 0 ? 0 : rest < d ? rest : d);
}

static Message message(const Coll *c, int64_t d, int64_t z)
{
    const int64_t p = c->p, k = c->par.radix;
    Message x = {.to = (int)((c->rank + z * d) % p), .from = (int)((c->rank - z * d + p) % p)};
    x.place = coll_ints(c, (size_t)count(c->p, c->par.radix, d, z));
    for (int64_t j = (z + k) * d; j < p; j += k * d)
        x.place[x.n++] = (int)j;
    x.first = x.n;
    x.begin = x.n + 1;
    for (int64_t j = z * d; j < (z + 1) * d && j < p; j++)
        x.place[x.n++] = (int)j;
    x.end = x.n;
    for (int64_t run = (z + k) * d; run < p; run += k * d)
        for (int64_t j = run + 1; j < run + d && j < p; j++)
            x.place[x.n++] = (int)j;
    return x;
}

// What a rank has while blocks travel.
typedef struct Tuna {
    Blocks in, out;
    Blocks slots; // p slots; a block that is on its way is in one of them
    CollCounts counts;
    size_t *len; // by place: the length of the block in the slot; NULL if all blocks have the same
    Slice sent, got;
    bool together;
    bool hybrid;  // lengths travel with the blocks, and long blocks do not
    size_t limit; // .. of at least this length; they have length 0 in `len`
} Tuna;

static void start(const Coll *c, Tuna *t)
{
    const size_t p = (size_t)c->p, longest = blocks_longest(&t->in);
    const Slice room = coll_scratch(c, p * longest);
    const size_t headers = t->hybrid ? LENGTH_BYTES * p * (size_t)c->par.radix : 0;
    t->sent = coll_scratch(c, room.len + headers);
    t->got = coll_scratch(c, room.len + headers);
    t->slots = blocks_even(c, room, c->p);
    if (!c->counts && !t->hybrid)
        return;
    size_t *at = coll_sizes(c, p + 1);
    t->len = coll_sizes(c, p);
    for (size_t j = 0; j <= p; j++)
        at[j] = j * longest;
    t->counts = (CollCounts){.len = t->len, .at = at};
    t->slots = (Blocks){.all = room, .n = c->p, .elem = c->elem, .counts = &t->counts};
}

// Notes the lengths of a message's blocks, which have travelled j mod d ranks, and `more` beyond these. Returns their
// sum. The block at place j comes from rank s = r - travelled and goes to rank s+j, so it is as long as the one that
// rank r has for rank s+j + s-r.
static size_t note_lengths(const Coll *c, const Tuna *t, const Message *x, int64_t d, int64_t more)
{
    if (!t->len)
        return blocks_total(&t->slots, x->n, x->place);
    size_t sum = 0;
    for (int i = 0; i < x->n; i++) {
        const int64_t j = x->place[i], travelled = j % d + more, p = c->p;
        const size_t len = block(&t->in, (int)((c->rank + j - 2 * travelled + 2 * p) % p)).len;
        t->len[j] = t->hybrid && len >= t->limit ? 0 : len;
        sum += t->len[j];
    }
    return sum;
}

// Returns blocks i .. j-1 of a message that is in s. Their lengths have been noted.
static Slice part(const Tuna *t, const Message *x, Slice s, int i, int j)
{
    return slice_at(s, blocks_total(&t->slots, i, x->place), blocks_total(&t->slots, j - i, x->place + i));
}

// Returns the ranks that blocks i .. j-1 of a message go to (sign 1), or come from (-1), and how many they are, without
// those of blocks that go directly.
static int *ranks(const Coll *c, const Tuna *t, const Message *x, int i, int j, int sign, int *n)
{
    int *rank = coll_ints(c, (size_t)(j - i));
    *n = 0;
    for (int at = i; at < j; at++)
        if (!t->hybrid || t->len[x->place[at]] > 0)
            rank[(*n)++] = (int)(((int64_t)c->rank + sign * x->place[at] + c->p) % c->p);
    return rank;
}

// Returns how many bytes of lengths a message has in front of its blocks: a number, and a length for each block, or if
// fewer than half of the blocks are there, a place and a length for each of these.
static size_t header(const Tuna *t, const Message *x)
{
    int there = 0;
    for (int i = 0; t->hybrid && i < x->n; i++)
        there += t->len[x->place[i]] > 0;
    return !t->hybrid ? 0 : LENGTH_BYTES * (size_t)(1 + (2 * there < x->n ? 2 * there : x->n));
}

static void pack(const Coll *c, const Tuna *t, const Message *x, Slice into)
{
    int n;
    const int *to = ranks(c, t, x, 0, x->begin, 1, &n);
    coll_pack(c, part(t, x, into, 0, x->begin), &t->in, n, to);
    coll_pack(c, part(t, x, into, x->begin, x->n), &t->slots, x->n - x->begin, x->place + x->begin);
}

static void unpack(const Coll *c, const Tuna *t, const Message *x, Slice from)
{
    int arrived;
    const int *source = ranks(c, t, x, x->first, x->end, -1, &arrived);
    coll_unpack(c, &t->slots, x->first, x->place, part(t, x, from, 0, x->first));
    coll_unpack(c, &t->out, arrived, source, part(t, x, from, x->first, x->end));
    coll_unpack(c, &t->slots, x->n - x->end, x->place + x->end, part(t, x, from, x->end, x->n));
}

// Sends a message and receives another one. Messages that are under way together are waited for later.
static void pass(const Coll *c, const Tuna *t, int64_t distance, Slice out, Slice in)
{
    const int to = (int)((c->rank + distance) % c->p), from = (int)((c->rank - distance + c->p) % c->p);
    if (t->together) {
        coll_irecv(c, from, in);
        coll_isend(c, to, out);
    } else
        coll_sendrecv(c, to, out, from, in);
}

static void tell_lengths(const Coll *c, const Tuna *t, int64_t d)
{
    const int k = c->par.radix;
    const CollReq all = coll_mark(c);
    coll_phase(c, "lengths");
    for (int z = 1; z < k && z * d < c->p; z++) {
        const size_t len = (size_t)count(c->p, k, d, z) * LENGTH_BYTES;
        pass(c, t, z * d, coll_scratch(c, len), coll_scratch(c, len));
    }
    coll_waitall(c, all);
}

static void move_blocks(const Coll *c, const Tuna *t, int64_t d)
{
    const int k = c->par.radix;
    const CollReq all = coll_mark(c);
    size_t sent = 0, got = 0;
    coll_phase(c, "blocks");
    for (int z = 1; z < k && z * d < c->p; z++) {
        const Message x = message(c, d, z);
        size_t in = note_lengths(c, t, &x, d, z * d);
        in += header(t, &x);
        size_t out = note_lengths(c, t, &x, d, 0);
        const size_t lengths = header(t, &x);
        pack(c, t, &x, slice_at(t->sent, sent + lengths, out));
        out += lengths;
        pass(c, t, z * d, slice_at(t->sent, sent, out), slice_at(t->got, got, in));
        sent += out;
        got += in;
    }
    coll_waitall(c, all);
    got = 0;
    for (int z = 1; z < k && z * d < c->p; z++) {
        const Message x = message(c, d, z);
        const size_t in = note_lengths(c, t, &x, d, z * d), lengths = header(t, &x);
        unpack(c, t, &x, slice_at(t->got, got + lengths, in));
        got += lengths + in;
    }
}

static void exchange(const Coll *c, Tuna *t)
{
    t->in = coll_in(c);
    t->out = coll_out(c);
    start(c, t);
    coll_copy(c, block(&t->out, c->rank), block(&t->in, c->rank));
    for (int64_t d = 1; d < c->p; d *= c->par.radix) {
        if (!t->hybrid && c->par.choice == SIZES_SENT)
            tell_lengths(c, t, d);
        move_blocks(c, t, d);
    }
}

// Sends the long blocks to the next rank, to the one after it .., as many at a time as max_requests says.
static void send_directly(const Coll *c, const Tuna *t)
{
    const int p = c->p;
    int posted = 0;
    coll_phase(c, "long blocks");
    for (int j = 1; j < p; j++) {
        const int to = (int)(((int64_t)c->rank + j) % p), from = (c->rank - j + p) % p;
        const Slice out = block(&t->in, to), in = block(&t->out, from);
        const bool sends = out.len >= t->limit, receives = in.len >= t->limit;
        if (sends)
            coll_isend(c, to, out);
        if (receives)
            coll_irecv(c, from, in);
        posted += sends || receives;
        if (posted == c->par.max_requests) {
            coll_waitall(c, 0);
            posted = 0;
        }
    }
    coll_waitall(c, 0);
}

static void alltoallv_tuna(const Coll *c)
{
    exchange(c, &(Tuna){.together = false});
}

static void alltoallv_k_tuna(const Coll *c)
{
    exchange(c, &(Tuna){.together = true});
}

static void alltoallv_hybrid(const Coll *c)
{
    Tuna t = {.together = true, .hybrid = true, .limit = c->par.fragment};
    exchange(c, &t);
    send_directly(c, &t);
}

static int64_t formula(const CollPoint *x)
{
    const int64_t N = times_knomial_rounds(x->p, x->par.radix), H = times_digits(x->p, x->par.radix);
    const int64_t blocks = N * x->alpha + H * x->m * x->beta;
    return x->par.choice == SIZES_SENT ? blocks + N * x->alpha + H * LENGTH_BYTES * x->beta : blocks;
}

// All blocks have the same length, so all of them travel or none does.
static int64_t formula_hybrid(const CollPoint *x)
{
    const int64_t N = times_knomial_rounds(x->p, x->par.radix), H = times_digits(x->p, x->par.radix);
    if (x->m >= (int64_t)x->par.fragment)
        return N * u(x, LENGTH_BYTES) + (x->p - 1) * u(x, x->m);
    return x->m == 0 ? N * u(x, LENGTH_BYTES) : N * u(x, LENGTH_BYTES) + H * (x->m + LENGTH_BYTES) * x->beta;
}

#define COMMON(k)                                                                                                      \
    .collective = COLL_ALLTOALLV,                                                                                      \
    .params = {RADIX(k, "k, the base of the digits"),                                                                  \
               CHOICE("sizes", sizes, "lengths of blocks are sent before them, or all ranks know them")},              \
    .peers = PEERS_SHIFT, .same_as = same_always,                                                                      \
    .cost = "sent: 2 N alpha + H (m+8) beta; known: N alpha + H m beta; N = (k-1)(h-1) + floor((p-1)/k^(h-1)), h = "   \
            "ceil(log_k p), H = non-zero digits of 0 .. p-1 in base k",                                                \
    .formula = formula, .source = "Fan, Domke, Ba, Kumar, Configurable non-uniform all-to-all algorithms, 2024"

const CollAlgorithm alltoallv_k_tuna_algorithm = {
    COMMON(4),
    .name = "k_tuna",
    .summary = "tuna with the messages of a digit under way together",
    .run = alltoallv_k_tuna,
};

const CollAlgorithm alltoallv_tuna_algorithm = {
    COMMON(2),
    .name = "tuna",
    .summary = "blocks keep their lengths and travel one digit of their distance at a time",
    .run = alltoallv_tuna,
};

const CollAlgorithm alltoallv_hybrid_algorithm = {
    .collective = COLL_ALLTOALLV,
    .name = "hybrid",
    .aliases = {"ucc:hybrid"},
    .summary = "short blocks travel one digit of their distance at a time, with their lengths; long ones go directly",
    .run = alltoallv_hybrid,
    .params = {RADIX(2, "k, the base of the digits"),
               {"limit", PARAM_SIZE, offsetof(CollParams, fragment), 1250, 1, INT64_MAX, NULL,
                "blocks of at least this length go directly, in bytes", CUT_NOT},
               {"max_requests", PARAM_INT, offsetof(CollParams, max_requests), 3, 1, INT32_MAX, NULL,
                "number of distances whose long blocks are under way at a time", CUT_PEERS}},
    .peers = PEERS_SHIFT,
    .same_as = same_always,
    .cost =
        "0 < m < limit: N alpha + (H (m+8) + 8 N) beta; m >= limit: N (alpha + 8 beta) + (p-1) (alpha + m beta); N = "
        "(k-1)(h-1) + floor((p-1)/k^(h-1)), h = ceil(log_k p), H = non-zero digits of 0 .. p-1 in base k",
    .formula = formula_hybrid,
    .source = "UCC, alltoallv hybrid",
};

// What:   Rows of K or more consecutive ranks, K = `group`: the first K ranks of a row own one of K parts of the vector
//         each. The owners of the same part, a column, are a pipeline: an owner gets what comes before its row, adds the
//         row's vectors to it one after the other, hands each sum to the rank that it is for, and the last one to the
//         next row. So a rank adds no more than in `pipeline`, where each rank is a row, but there are K times fewer
//         steps, and K messages at a time between two nodes. All of it goes on at the same time, in segments: a message
//         to a rank of the row has several segments of a part, and with each segment that it adds up, a rank sends about
//         `rate` pieces of its vector to the row, and as many of results. See shapes/rank_rows.h.
// Cost:   no formula: messages of rows and columns share ports, and sums wait for either. G rows of K ranks, S segments,
//         A = ceil(K/rate) of them in a message of a row, u = alpha + m/(KS) beta, g = m/(KS) gamma: about
//         (G-1) (u + K g) + max(m gamma, 2 S K/A (alpha + A m/(KS) beta) + S u).
// Source: this page; Sanders, Träff, Parallel prefix (scan) algorithms for MPI, 2006, for the pipeline.
// Needs:  nothing.
//
//   p = 7, group = 3      0-1-2   3-4-5   6 -> 3 4 5 (m/3)
//                         0 -> 3   1 -> 4   2 -> 5 (m/3)
//                         0-1-2   3-4-5   3 4 5 -> 6 (m/3)
#include "coll.h"
#include "times/times.h"

// What a rank does. In each turn it goes on with a segment of its part.
typedef struct PartWalk {
    const Coll *c;
    RankRows g;
    Coll column;
    bool exclusive;
    bool owns, receives, sends; // the caller owns a part; it gets what comes before its row; it has a next row
    Blocks in, out;             // the parts
    int segments, joined;       // of a part; those of a message in the row
    Slice own;
    Slice inbox;   // the caller's part of the other ranks' vectors, by rank of the row
    Slice through; // what comes before each rank of the row, by rank, and then what comes before the next row
    CollReq *near; // the requests of the inbox, by message and rank
    CollReq *far;  // those of what comes before the row, by segment
} PartWalk;

// Returns segments of a part, or of a slice as long as one: those of a message in the row, or a single one.
static Slice message_at(const PartWalk *w, Slice part, int segment)
{
    const Blocks b = blocks_even(w->c, part, w->segments);
    const int end = segment + w->joined;
    return blocks(&b, segment, end < w->segments ? end : w->segments);
}

static Slice segment_of(const PartWalk *w, Slice part, int segment)
{
    const Blocks b = blocks_even(w->c, part, w->segments);
    return block(&b, segment);
}

static Slice nth(const PartWalk *w, Slice all, int i)
{
    return slice_like(slice_at(all, (size_t)i * w->own.len, w->own.len), w->own);
}

// Returns the part of the vector of a rank of the row, and the sum over what comes before it.
static Slice vector_of(const PartWalk *w, int i)
{
    return i == w->g.i ? w->own : nth(w, w->inbox, i);
}

static Slice before(const PartWalk *w, int i)
{
    return i == w->g.i + !w->exclusive ? block(&w->out, w->g.i) : nth(w, w->through, i);
}

// Returns the rank of the row that is `distance` ahead of the caller.
static int ahead(const PartWalk *w, int distance)
{
    return (w->g.i + distance + w->g.n) % w->g.n;
}

// A rank has messages for the others of its row, those of the first segments first. These say how many of them it has
// sent after a turn: of vectors, which leave so early that nobody waits for them in the turn of their first segment,
// and of results, which are there in that of their last one.
static int sent_by(const PartWalk *w, int turn, int lead)
{
    const int others = w->g.n - 1, n = (w->segments + w->joined - 1) / w->joined;
    const int64_t sent = ((int64_t)turn + 1 + lead) * others / w->joined, all = (int64_t)n * others;
    return (int)(sent < 0 ? 0 : sent < all ? sent : all);
}

static int vectors_by(const PartWalk *w, int turn)
{
    return turn < 0 ? 0 : sent_by(w, turn, 2 * w->joined);
}

static int results_by(const PartWalk *w, int turn)
{
    return turn + 1 < w->segments ? sent_by(w, turn, 1 - w->joined) : sent_by(w, turn, 2 * w->joined);
}

// Posts all receives at once, so that nobody waits for one. Those of the row come in the order in which the others send.
static void receive(PartWalk *w)
{
    const Coll *c = w->c;
    const int n = w->g.n, others = n - 1;
    for (int t = 0; t < w->segments && n > 1; t++) {
        for (int x = vectors_by(w, t - 1); x < vectors_by(w, t) && w->owns; x++) {
            const int from = ahead(w, -1 - x % others), message = x / others;
            w->near[message * n + from] = coll_irecv(c, coll_rank(c, w->g.first + from),
                                                     message_at(w, nth(w, w->inbox, from), message * w->joined));
        }
        for (int x = results_by(w, t - 1); x < results_by(w, t); x++) {
            const int from = ahead(w, 1 + x % others);
            if (from < w->g.K && (w->g.row > 0 || w->g.i > 0 || !w->exclusive))
                coll_irecv(c, coll_rank(c, w->g.first + from),
                           message_at(w, block(&w->out, from), x / others * w->joined));
        }
    }
    for (int t = 0; t < w->segments && w->receives; t++)
        w->far[t] = coll_irecv(&w->column, w->column.rank - 1, segment_of(w, before(w, 0), t));
}

static void give_vectors(const PartWalk *w, int turn)
{
    const int others = w->g.n - 1;
    for (int x = vectors_by(w, turn - 1); x < vectors_by(w, turn); x++) {
        const int to = ahead(w, 1 + x % others);
        if (to < w->g.K)
            coll_isend(w->c, coll_rank(w->c, w->g.first + to),
                       message_at(w, block(&w->in, to), x / others * w->joined));
    }
}

static void give_results(const PartWalk *w, int turn)
{
    const int others = w->g.n - 1;
    for (int x = results_by(w, turn - 1); x < results_by(w, turn); x++) {
        const int to = ahead(w, -1 - x % others), result = to + !w->exclusive;
        if (w->receives || result > 0)
            coll_isend(w->c, coll_rank(w->c, w->g.first + to),
                       message_at(w, before(w, result), x / others * w->joined));
    }
}

// Adds up a segment of the caller's part, and passes it on to the next row.
static void pass(const PartWalk *w, int segment)
{
    const Coll *c = w->c;
    const int n = w->g.n, end = w->sends || !w->exclusive ? n : n - 1; // the last rank's exscan needs one sum less
    if (w->receives)
        coll_wait(c, w->far[segment]);
    for (int i = 0; i < n; i++)
        if (i != w->g.i)
            coll_wait(c, w->near[segment / w->joined * n + i]);
    for (int i = 0; i < end; i++) {
        const Slice sum = segment_of(w, before(w, i + 1), segment), vector = segment_of(w, vector_of(w, i), segment);
        if (i > 0 || w->receives)
            coll_reduce(c, sum, segment_of(w, before(w, i), segment), vector);
        else
            coll_copy(c, sum, vector);
    }
    if (w->sends)
        coll_isend(&w->column, w->column.rank + 1, segment_of(w, before(w, n), segment));
}

static PartWalk walk_of(const Coll *c, bool exclusive)
{
    PartWalk w = {.c = c, .g = rank_rows_of(c), .exclusive = exclusive};
    const Slice vector = coll_scratch(c, c->in.len); // in place, results come where the caller's vector was
    coll_copy(c, vector, c->in);
    w.in = blocks_even(c, vector, w.g.K);
    w.out = blocks_of(c->out, &w.in);
    w.segments = blocks_size(c, block(&w.in, 0), c->par.segment).n;
    const int joined = (w.g.K + c->par.leaders - 1) / c->par.leaders;
    w.joined = joined < w.segments ? joined : w.segments;
    w.owns = w.g.i < w.g.K;
    if (!w.owns)
        return w;
    w.column = rank_rows_column(c, &w.g);
    w.receives = w.g.row > 0;
    w.sends = w.g.row + 1 < w.g.rows;
    w.own = block(&w.in, w.g.i);
    w.inbox = coll_scratch(c, (size_t)w.g.n * w.own.len);
    w.through = coll_scratch(c, (size_t)(w.g.n + 1) * w.own.len);
    w.near = coll_ints(c, (size_t)w.segments * (size_t)w.g.n);
    w.far = coll_ints(c, (size_t)w.segments);
    return w;
}

static void run(const Coll *c, bool exclusive)
{
    PartWalk w = walk_of(c, exclusive);
    coll_phase(c, "rows");
    receive(&w);
    for (int t = 0; t < w.segments; t++) {
        coll_phase(c, "rows");
        give_vectors(&w, t);
        if (!w.owns)
            continue;
        coll_phase(c, "columns");
        pass(&w, t);
        coll_phase(c, "rows");
        give_results(&w, t);
    }
    coll_waitall(c, 0);
}

static void scan_grid_pipeline(const Coll *c)
{
    run(c, false);
}

static void exscan_grid_pipeline(const Coll *c)
{
    run(c, true);
}

// As in the head, but steps within a node cost less, and reductions and messages keep each other waiting: what takes
// less adds to what takes longer, the more so the closer they are.
static int64_t about(const CollPoint *x)
{
    const int K = x->par.chains < x->p ? x->par.chains : x->p, rows = x->p / K,
              node = x->levels ? coll_nodes_equal(x->nodes) : 0;
    const bool within = node > 0 && node % K == 0; // rows lie in nodes
    const int far_steps = (within ? x->p / node : rows) - 1;
    const CollPoint near = within ? point_near(x) : *x;
    const int64_t part = (x->m + K - 1) / K, S = segments(x, part), segment = (part + S - 1) / S,
                  wanted = (K + x->par.leaders - 1) / x->par.leaders, A = wanted < S ? wanted : S;
    const int64_t steps = far_steps * u(x, segment) + (rows - 1 - far_steps) * u(&near, segment) +
                          (rows - 1) * K * g(x, segment),
                  messages = 2 * ((S + A - 1) / A) * (K - 1) * u(&near, A * segment) + S * u(x, segment),
                  sums = g(x, x->m), longer = later(messages, sums), shorter = messages + sums - longer;
    return steps + longer + (longer > 0 ? (int64_t)((double)shorter / (double)longer * (double)shorter / 2) : 0);
}

// Rows are alike, but for the first and the last one. They have the same parts.
static int same_as(const Coll *c)
{
    const RankRows g = rank_rows_of(c);
    const bool inside = g.row > 1 && g.row + 1 < g.rows && c->p % g.rows == 0;
    return inside ? g.n + g.i : c->rank;
}

#define COMMON                                                                                                         \
    .name = "grid_pipeline",                                                                                           \
    .summary = "the ranks of a row share out the vector, and sums of each part go from row to row", .ordered = true,   \
    .peers = PEERS_SHIFT, .same_as = same_as,                                                                          \
    .params = {ROW_PARTS,                                                                                              \
               SEGMENT_OF(8192),                                                                                       \
               {"rate", PARAM_INT, offsetof(CollParams, leaders), 1, 1, 4, NULL,                                       \
                "number of messages, of vectors and of results each, that a rank sends to its row with a segment",     \
                CUT_NOT}},                                                                                             \
    .cost = "no formula: messages of rows and columns share ports, and sums wait for either. G rows of K ranks, S "    \
            "segments, A = ceil(K/rate) of them in a message of a row, u = alpha + m/(KS) beta, g = m/(KS) gamma: "    \
            "about (G-1) (u + K g) + max(m gamma, 2 S K/A (alpha + A m/(KS) beta) + S u)",                             \
    .estimate = about, .unknown = "messages of rows and columns share ports, and sums wait for either",                \
    .source = "this page; Sanders, Träff, Parallel prefix (scan) algorithms for MPI, 2006, for the pipeline"

const CollAlgorithm scan_grid_pipeline_algorithm = {COMMON, .collective = COLL_SCAN, .run = scan_grid_pipeline};
const CollAlgorithm exscan_grid_pipeline_algorithm = {COMMON, .collective = COLL_EXSCAN, .run = exscan_grid_pipeline};

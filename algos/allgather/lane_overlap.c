// What:   allgather lane whose steps overlap, with a message of its own for each rank. Every rank sends its block in
//         pieces to the ranks of its number in all other nodes, and hands what comes from these, and its own block
//         first, on to all other ranks of its node, `batch` pieces in a message. The ranks of a node take turns: while
//         one sends to another node, the others send within the node, so that a NIC is busy without a line of messages
//         that keep ports waiting. A piece leaves `ahead` batches before its turn, so that it is there when it is to be
//         handed on. This is for machines where ports and NICs are the limit, not how long a message takes.
// Cost:   no formula: the ranks of a node take turns. n nodes of K ranks: a rank sends n-1 blocks to other nodes, and
//         n (K-1) blocks within its own.
// Source: this page; Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER 2020,
//         for the lanes.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size; else lane runs.
//
//   p = 6, 3 per node, batch = 1      0 -> 3, 1, 2   1 -> 2, 4, 0   2 -> 0, 1, 5   (own blocks)
//                                     0 -> 1, 2      1 -> 2, 0      2 -> 0, 1      (those of 3, 4 and 5)
#include "coll.h"

// The blocks of a lane lie in the order in which they come to its ranks, each cut into pieces.
typedef struct LanePieces {
    const Coll *c;
    int n, k, number; // nodes, ranks of a node, and the caller's number among these
    int cut, all;     // the pieces of a block, and of all blocks of a lane
    int sent;         // as many are on their way to other nodes, counted as the pieces that come
    const int *order; // the ranks, lane by lane
    Blocks blocks;    // of these
    CollCounts counts;
} LanePieces;

// Returns the rank that is w nodes ahead, with this number in its node.
static int rank_of(const LanePieces *x, int w, int number)
{
    const CollNodes *nodes = x->c->nodes;
    return coll_nodes_members(nodes, coll_nodes_node_ahead(nodes, x->c->rank, w))[number];
}

// Returns a piece of the lane with this number.
static Slice piece(const LanePieces *x, int number, int i)
{
    const Blocks pieces = blocks_even(x->c, block(&x->blocks, number * x->n + i / x->cut), x->cut);
    return block(&pieces, i % x->cut);
}

// Returns the pieces from `first` to before `end`.
static Slice run_of(const LanePieces *x, int number, int first, int end)
{
    const Slice from = piece(x, number, first), last = piece(x, number, end - 1), all = x->blocks.all;
    return slice_at(all, from.off - all.off, last.off + last.len - from.off);
}

static int batch_end(const LanePieces *x, int first)
{
    return x->c->par.chains < x->all - first ? first + x->c->par.chains : x->all;
}

static void make_pieces(const Coll *c, LanePieces *x)
{
    const Blocks out = coll_out(c);
    const int n = c->nodes->n, k = coll_nodes_equal(c->nodes);
    *x = (LanePieces){.c = c, .n = n, .k = k, .number = c->nodes->local[c->rank]};
    int *order = coll_ints(c, (size_t)c->p);
    for (int i = 0; i < c->p; i++)
        order[i] = rank_of(x, -(i % n), i / n);
    x->order = order;
    x->blocks = rails_copies(c, coll_scratch(c, blocks_total(&out, c->p, order)), &x->counts, &out, order, c->p);
    x->cut = blocks_size(c, slice_at(c->out, 0, blocks_longest(&out)), c->par.segment).n;
    x->sent = x->cut;
    x->all = n * x->cut;
}

// Asks for all pieces, those of other nodes first.
static void receive_all(const LanePieces *x)
{
    coll_phase(x->c, "across nodes");
    for (int i = x->cut; i < x->all; i++)
        coll_irecv(x->c, rank_of(x, -(i / x->cut), x->number), piece(x, x->number, i));
    coll_phase(x->c, "in the node");
    for (int i = 0; i < x->all; i = batch_end(x, i))
        for (int l = 1; l < x->k; l++) {
            const int from = (x->number + x->k - l) % x->k;
            coll_irecv(x->c, rank_of(x, 0, from), run_of(x, from, i, batch_end(x, i)));
        }
}

// Sends other nodes the pieces whose turn comes before message number `step` within the node, and at least the first
// `least` ones, for which the ranks there wait.
static void pass_on(LanePieces *x, int64_t step, int least)
{
    const int64_t k = x->k, due = (step + x->c->par.leaders * (k - 1)) * x->c->par.chains * k;
    coll_phase(x->c, "across nodes");
    while (x->sent < x->all && (x->sent < least || ((x->sent - x->cut) * k + x->number) * (k - 1) <= due)) {
        coll_isend(x->c, rank_of(x, x->sent / x->cut, x->number), piece(x, x->number, x->sent % x->cut));
        x->sent++;
    }
}

static void allgather_lane_overlap(const Coll *c)
{
    LanePieces x;
    make_pieces(c, &x);
    const Blocks out = coll_out(c);
    int64_t step = 0;
    coll_copy(c, block(&x.blocks, x.number * x.n), c->in);
    const CollReq first = coll_mark(c);
    receive_all(&x);
    for (int i = 0; i < x.all; i = batch_end(&x, i)) {
        const int end = batch_end(&x, i);
        pass_on(&x, step, end);
        coll_wait_range(c, first + (i > x.cut ? i : x.cut) - x.cut, first + end - x.cut);
        for (int l = 1; l < x.k; l++, step++) {
            pass_on(&x, step, 0);
            coll_phase(c, "in the node");
            coll_isend(c, rank_of(&x, 0, (x.number + l) % x.k), run_of(&x, x.number, i, end));
        }
    }
    coll_waitall(c, first);
    coll_unpack(c, &out, c->p, x.order, x.blocks.all);
}

// If the nodes are runs of ranks, a rank does what its number in its node says.
static int pattern(const Coll *c, int *x)
{
    x[0] = c->nodes->local[c->rank];
    return c->nodes->ordered;
}

#define COMMON                                                                                                         \
    .name = "lane_overlap",                                                                                            \
    .summary = "lane in pieces, which some ranks send to other nodes while others hand them on in theirs",             \
    .run = allgather_lane_overlap, .needs = {&need_nodes, &need_nodes_equal}, .otherwise = "lane",                     \
    .params = {SEGMENT,                                                                                                \
               {"batch", PARAM_INT, offsetof(CollParams, chains), 2, 1, 8, NULL,                                       \
                "number of pieces that a rank hands on in one message", CUT_NOT},                                      \
               {"ahead", PARAM_INT, offsetof(CollParams, leaders), 1, 0, 2, NULL,                                      \
                "number of batches by which pieces for other nodes leave before their turns", CUT_NOT}},               \
    .peers = PEERS_SHIFT, .pattern = pattern, .cost = "no formula: the ranks of a node take turns",                    \
    .unknown = "the ranks of a node take turns",                                                                       \
    .source =                                                                                                          \
        "this page; Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER "     \
        "2020, for the lanes"

const CollAlgorithm allgather_lane_overlap_algorithm = {COMMON, .collective = COLL_ALLGATHER};

const CollAlgorithm allgatherv_lane_overlap_algorithm = {COMMON, .collective = COLL_ALLGATHERV};

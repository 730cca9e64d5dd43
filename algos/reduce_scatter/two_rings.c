// What:   Partial results travel around two rings at once, in p-1 steps each. `share` percent of each block go around
//         the ranks node by node, so that most of these messages stay within a node, and the rest goes around them lane
//         by lane: every message of this ring goes to another node. So NICs work while ranks of a node talk to each
//         other. Each ring's share is cut into `pieces`, and a rank reduces one while the others travel. Where the
//         memory of a node is slower than its NICs, this is faster than either ring alone.
// Cost:   no formula: pieces wait for those of the other ring. About (p-1)/p m beta, or (p-1)/p m gamma if that is
//         more, and 2 pieces (p-1) alpha. m is the size of the whole vector, in bytes.
// Source: this page; NCCL, whose rings each carry a share of the vector.
// Needs:  several nodes of several ranks (--map or --per-node), at most 1024 ranks, a commutative
//         operation; else ring runs.
//
//   p = 6, 3 per node      first ring    0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 0
//                          second ring   0 -> 3 -> 1 -> 4 -> 2 -> 5 -> 0
#include "coll.h"

enum { MOST_PIECES = 8 };

// A piece of every block, which travels around a ring.
typedef struct RingStream {
    RankWay way;
    int piece;
    CollReq comes, goes;
} RingStream;

// Returns the stream's piece of a block.
static Slice piece_of(const Coll *c, const RingStream *x, Slice block_of)
{
    const Blocks pieces = blocks_even(c, two_ways_share(c, x->way, block_of), c->par.leaders);
    return block(&pieces, x->piece);
}

// Begins a step: the stream's piece in `from` goes on, and that of the block of the rank 2 + step places before comes.
// The piece of the step before has left the port by then, or nearly so.
static void begin(const Coll *c, RingStream *x, int step, const Blocks *from, const Blocks *acc)
{
    x->comes =
        coll_irecv(c, two_ways_before(c, x->way, 1), piece_of(c, x, block(acc, two_ways_before(c, x->way, step + 2))));
    if (step > 0)
        coll_wait(c, x->goes);
    x->goes = coll_isend(c, two_ways_before(c, x->way, -1),
                         piece_of(c, x, block(from, two_ways_before(c, x->way, step + 1))));
}

static void reduce_scatter_two_rings(const Coll *c)
{
    const int n = 2 * c->par.leaders;
    const Blocks in = coll_in(c), acc = blocks_of(coll_scratch(c, c->in.len), &in);
    const CollReq began = coll_mark(c);
    RingStream stream[2 * MOST_PIECES];
    for (int i = 0; i < n; i++) {
        stream[i] = (RingStream){.way = i % 2 ? WAY_BY_LANE : WAY_BY_NODE, .piece = i / 2};
        begin(c, &stream[i], 0, &in, &acc);
    }
    for (int step = 0; step < c->p - 1; step++)
        for (int i = 0; i < n; i++) {
            const int owner = two_ways_before(c, stream[i].way, step + 2);
            const Slice sum = piece_of(c, &stream[i], block(&acc, owner));
            coll_wait(c, stream[i].comes);
            coll_reduce(c, sum, piece_of(c, &stream[i], block(&in, owner)), sum);
            if (step < c->p - 2)
                begin(c, &stream[i], step + 1, &acc, &acc);
        }
    coll_waitall(c, began);
    coll_copy(c, c->out, block(&acc, c->rank));
}

// Each of the 2 pieces p^2 messages is simulated by itself, so there must be few ranks.
#define COMMON                                                                                                         \
    .name = "two_rings", .summary = "a share of each block goes around the ranks by node, the rest around the nodes",  \
    .run = reduce_scatter_two_rings, .needs = {&need_nodes, &need_few_ranks, &need_commutative}, .otherwise = "ring",  \
    .params = {WAY_SHARE("block", "around"),                                                                           \
               {"pieces", PARAM_INT, offsetof(CollParams, leaders), 2, 1, MOST_PIECES, NULL,                           \
                "number of pieces of a ring's share; a rank reduces one of them while the others travel", CUT_NOT}},   \
    .peers = PEERS_SHIFT, .same_as = same_two_rings_divided,                                                           \
    .cost = "no formula: pieces wait for those of the other ring",                                                     \
    .unknown = "pieces wait for those of the other ring",                                                              \
    .source = "this page; NCCL, whose rings each carry a share of the vector"

const CollAlgorithm reduce_scatter_two_rings_algorithm = {COMMON, .collective = COLL_REDUCE_SCATTER};

const CollAlgorithm reduce_scatter_block_two_rings_algorithm = {COMMON, .collective = COLL_REDUCE_SCATTER_BLOCK};

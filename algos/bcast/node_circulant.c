// What:   Segments travel over the circulant graph of the nodes, and every rank of a node gets its part of each: the
//         ranks of one number in all nodes, a lane, run the rounds of bcast circulant with their parts. After each
//         round a node gathers the parts of the segment that has arrived. In the root's node the segments travel in
//         pieces, by the rounds of bcast circulant among its ranks, and a rank sends its part of a segment on once it
//         has this. More pieces cost more messages there, but its ranks begin to send earlier. So all ranks of a node
//         talk to other nodes at once, and no rank sends or receives more than the message, but for the root, which
//         also sends its parts. See shapes/circulant.c and registry/rails.h.
// Cost:   no formula: the ranks of the root's node begin one after the other. S segments of P pieces, n nodes of K
//         ranks, q = ceil(log2 n): about (S-1 + q + ceil(log2 K)/P) times a part between nodes and K-1 parts within
//         one, a part m/(S K).
// Source: this page; Träff 2022-2024, n-block broadcast schedules; Träff, Hunold, Decomposing MPI collectives for
//         exploiting multi-lane communication, CLUSTER 2020.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size, parts that can run; else circulant
//         runs.
//
//   p = 4, 2 per node, S = 2      round 1   0 -> 1 (segment 0)      0 -> 2   1 -> 3 (a half of 0 each)      2-3
//                                 round 2   0 -> 1 (segment 1)      0 -> 2   1 -> 3 (a half of 1 each)      2-3
#include "coll.h"

enum { GATHER };

// Returns the view of the caller's lane.
static Coll in_lane(const Coll *c)
{
    Coll lane = rails_group(c, RAILS_LANE);
    lane.root = c->nodes->of[c->root];
    return lane;
}

static Slice part_of(const Coll *c, const Blocks *segments, int segment, int number)
{
    const Blocks parts = blocks_even(c, block(segments, segment), coll_nodes_equal(c->nodes));
    return block(&parts, number);
}

static Slice piece_of(const Coll *c, const Blocks *segments, int piece)
{
    const Blocks pieces = blocks_even(c, block(segments, piece / c->par.chains), c->par.chains);
    return block(&pieces, piece % c->par.chains);
}

// Returns how many rounds after the root has sent a piece the last rank of the graph receives it. In round k of a
// group the root sends piece k of that group, and v receives piece block[k]. All ranks of the root's node wait this
// long before they send parts. Otherwise one that sends its parts late would hold up another node's gather, and this
// node's ranks would hold up the others.
static int lateness(const Circulant *graph)
{
    int late = 0, block[32];
    for (int v = 1; v < graph->p; v++) {
        circulant_receives(graph, v, block);
        for (int k = 0; k < graph->q; k++)
            late = k - block[k] > late ? k - block[k] : late;
    }
    return late;
}

static void send_parts(const Coll *c, const Coll *lane, const Blocks *segments)
{
    const Coll node = coll_node(c);
    const int n = c->par.chains;
    const CirculantSchedule pieces = circulant_schedule(&node, segments->n * n),
                            parts = circulant_schedule(lane, segments->n);
    const int late = lateness(&pieces.graph), local = c->nodes->local[c->rank];
    for (int i = 0; i < pieces.rounds || i < n * parts.rounds + late; i++) {
        if (i < pieces.rounds) {
            const CirculantRound r = circulant_round(&node, &pieces, i);
            coll_phase(c, "in the node");
            coll_exchange(&node, r.to, piece_of(c, segments, r.send), r.from, piece_of(c, segments, r.recv));
        }
        const int complete = i + 1 - late; // pieces that all ranks have
        if (complete > 0 && complete % n == 0 && complete / n <= parts.rounds) {
            const CirculantRound r = circulant_round(lane, &parts, complete / n - 1);
            coll_phase(c, "across nodes");
            if (r.to >= 0)
                coll_send(lane, r.to, part_of(c, segments, r.send, local));
        }
    }
}

static void pass_parts(const Coll *c, const Coll *lane, const Blocks *segments)
{
    Coll node = rails_group(c, RAILS_NODE);
    const CirculantSchedule x = circulant_schedule(lane, segments->n);
    bool complete = false; // the last segment, which comes again while others still lack it
    for (int i = 0; i < x.rounds; i++) {
        const CirculantRound r = circulant_round(lane, &x, i);
        const Slice give = part_of(c, segments, r.send, node.rank), get = part_of(c, segments, r.recv, node.rank);
        coll_phase(c, "across nodes");
        coll_exchange(lane, r.to, give, r.from, get);
        if (r.from < 0 || (complete && r.recv == segments->n - 1))
            continue;
        complete |= r.recv == segments->n - 1;
        node.in = get;
        node.out = block(segments, r.recv);
        coll_phase(c, "in the node");
        coll_call(&node, c->par.part[GATHER]);
    }
}

static void bcast_node_circulant(const Coll *c)
{
    const Coll lane = in_lane(c);
    const Blocks segments = blocks_size(c, c->out, c->par.segment);
    if (lane.rank == lane.root)
        send_parts(c, &lane, &segments);
    else
        pass_parts(c, &lane, &segments);
}

// A rank does what its number in its node and the rounds of its lane say, if the nodes are runs of ranks.
static int pattern(const Coll *c, int *x)
{
    const Coll lane = in_lane(c);
    if (!c->nodes->ordered)
        return 0;
    const CirculantSchedule parts = circulant_schedule(&lane, blocks_size(c, c->out, c->par.segment).n);
    x[0] = c->nodes->local[c->rank];
    x[1] = lane.rank == lane.root;
    return 2 + circulant_pattern(&lane, &parts, x + 2);
}

const CollAlgorithm bcast_node_circulant_algorithm = {
    .collective = COLL_BCAST,
    .name = "node_circulant",
    .summary =
        "segments travel over a circulant graph of the nodes, a part with each rank of a node, which gathers them",
    .run = bcast_node_circulant,
    .needs = {&need_nodes, &need_nodes_equal, &need_group_parts},
    .groups = {[GATHER] = RAILS_NODE},
    .otherwise = "circulant",
    .params = {SEGMENT,
               {"pieces", PARAM_INT, offsetof(CollParams, chains), 1, 1, 8, NULL,
                "number of pieces in which the root's node passes on a segment", CUT_NOT},
               PART_WITHIN("gather", GATHER, COLL_ALLGATHERV, "bruck", "the allgather within a node")},
    .peers = PEERS_SHIFT,
    .pattern = pattern,
    .cost = "no formula: the ranks of the root's node begin one after the other",
    .unknown = "the ranks of the root's node begin one after the other",
    .source = "this page; Träff 2022-2024, n-block broadcast schedules; Träff, Hunold, Decomposing MPI collectives for "
              "exploiting multi-lane communication, CLUSTER 2020",
};

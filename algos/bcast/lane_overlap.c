// What:   bcast lane in segments, all of whose steps overlap. The root cuts a segment into a part for each rank of its
//         node, and sends each to its rank. The ranks of one number in all nodes, a lane, pass their part on by the
//         rounds of bcast circulant, and every rank sends the part that it has to all others of its node, while the
//         next parts travel. The root's own part goes to another rank of its node, its helper, which passes it on as
//         well; each segment has another helper. So no port has much more than the message to carry, and a NIC is busy
//         while nodes exchange parts. This is for long messages on machines where a NIC, or how often a port can send,
//         is the limit, not how long a message takes. See shapes/circulant.c.
// Cost:   no formula: the ranks of the root's node begin one after the other. S segments, n nodes of K ranks, a part of
//         m/(S K): about S times K parts through a port, and ceil(log2 n) + 2 messages, until the last part has come.
// Source: this page; Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER 2020,
//         for the lanes; Träff 2022-2024, n-block broadcast schedules.
// Needs:  several nodes of several ranks (--map or --per-node), nodes of equal size; else lane runs.
//
//   p = 6, 3 per node      0 -> 1   0 -> 2   0 -> 1 (part 0)      1 -> 4   2 -> 5   1 -> 3      1-2   3-4   3-5   4-5
#include "coll.h"

// A segment's requests are waited for this many rounds after its first part was asked for.
enum { IN_FLIGHT = 4 };

// One round of the circulant graph of the nodes.
typedef struct LaneTurn {
    int segment;                // the one that is new to the node; -1 for none
    CollReq first, own, others; // receives: the first, the end of those of the caller's own parts, and the end of all
    CollReq sends, end;
} LaneTurn;

typedef struct Lanes {
    const Coll *c;
    Blocks segments;
    int k, number; // ranks of a node, and the caller's number among them
    int node, roots_node, root;
    Coll nodes; // a view in which the ranks are nodes
    CirculantSchedule schedule;
    bool complete; // the last segment has come
    Slice spare;   // for what comes again, by round in flight
    LaneTurn ring[IN_FLIGHT];
} Lanes;

static Slice part_of(const Lanes *w, int segment, int number)
{
    const Blocks parts = blocks_even(w->c, block(&w->segments, segment), w->k);
    return block(&parts, number);
}

// Returns the number of the rank that has the root's part of a segment.
static int helper_of(const Lanes *w, int segment)
{
    return (w->root + 1 + segment % (w->k - 1)) % w->k;
}

static bool helps(const Lanes *w, int segment)
{
    return w->node == w->roots_node && w->number == helper_of(w, segment);
}

// Returns which of a node's ranks sends a part to the next nodes.
static int sender_of(const Lanes *w, int node, int segment, int number)
{
    return node == w->roots_node && number == w->root ? helper_of(w, segment) : number;
}

static int rank_of(const Lanes *w, int node, int number)
{
    return coll_nodes_members(w->c->nodes, node)[number];
}

static LaneTurn *slot(Lanes *w, int t)
{
    return &w->ring[t % IN_FLIGHT];
}

static bool has_round(const Lanes *w, int t)
{
    return t >= 0 && t < w->schedule.rounds;
}

// Returns the segment that comes to the node in a round; -1 for none.
static int coming(const Lanes *w, const CirculantRound *r)
{
    return w->node == w->roots_node ? r->send : r->from >= 0 ? r->recv : -1;
}

// Asks for the parts that the caller passes on, of the root or of its lane.
static void receive_own(Lanes *w, int t, int segment, bool again)
{
    const Slice own = part_of(w, segment, w->number);
    if (w->node != w->roots_node) {
        const int from = circulant_round(&w->nodes, &w->schedule, t).from;
        const Slice spare = slice_at(w->spare, (size_t)(t % IN_FLIGHT) * (w->spare.len / IN_FLIGHT), own.len);
        coll_phase(w->c, "across nodes");
        coll_irecv(w->c, rank_of(w, from, sender_of(w, from, segment, w->number)), again ? spare : own);
    } else if (!again) {
        coll_phase(w->c, "in the node");
        coll_irecv(w->c, w->c->root, own);
        if (helps(w, segment))
            coll_irecv(w->c, w->c->root, part_of(w, segment, w->root));
    }
}

// Asks for all other parts, of the ranks of the node.
static void receive_others(Lanes *w, int segment)
{
    coll_phase(w->c, "in the node");
    for (int i = 1; i < w->k; i++) {
        const int from = (w->number + w->k - i) % w->k;
        if (w->node == w->roots_node && from == w->root)
            continue;
        coll_irecv(w->c, rank_of(w, w->node, from), part_of(w, segment, from));
        if (w->node == w->roots_node && from == helper_of(w, segment))
            coll_irecv(w->c, rank_of(w, w->node, from), part_of(w, segment, w->root));
    }
}

static void begin(Lanes *w, int t)
{
    const CirculantRound r = circulant_round(&w->nodes, &w->schedule, t);
    LaneTurn *x = slot(w, t);
    const int segment = coming(w, &r);
    const bool again = segment == w->segments.n - 1 && w->complete;
    x->segment = again ? -1 : segment;
    w->complete |= segment == w->segments.n - 1;
    x->first = coll_mark(w->c);
    if (segment >= 0 && w->c->rank != w->c->root)
        receive_own(w, t, segment, again);
    x->own = coll_mark(w->c);
    if (x->segment >= 0 && w->c->rank != w->c->root)
        receive_others(w, segment);
    x->others = x->sends = x->end = coll_mark(w->c);
}

// Sends the parts of the segment to their ranks, to the helper first.
static void scatter(Lanes *w, int t)
{
    LaneTurn *x = slot(w, t);
    if (x->segment < 0)
        return;
    coll_phase(w->c, "in the node");
    x->sends = coll_mark(w->c);
    for (int i = 0; i < w->k - 1; i++) {
        const int to = helper_of(w, x->segment + i);
        coll_isend(w->c, rank_of(w, w->node, to), part_of(w, x->segment, to));
        if (i == 0)
            coll_isend(w->c, rank_of(w, w->node, to), part_of(w, x->segment, w->root));
    }
    x->end = coll_mark(w->c);
}

// Sends what a round says to the next node.
static void pass_on(Lanes *w, int t)
{
    const CirculantRound r = circulant_round(&w->nodes, &w->schedule, t);
    if (r.to < 0 || r.send < 0)
        return;
    coll_phase(w->c, "across nodes");
    coll_isend(w->c, rank_of(w, r.to, w->number), part_of(w, r.send, w->number));
    if (helps(w, r.send))
        coll_isend(w->c, rank_of(w, r.to, w->root), part_of(w, r.send, w->root));
}

// Sends the parts that have come in a round to all others of the node.
static void spread(Lanes *w, int t)
{
    const LaneTurn *x = slot(w, t);
    if (x->segment < 0)
        return;
    coll_phase(w->c, "in the node");
    for (int i = 1; i < w->k; i++) {
        const int to = (w->number + i) % w->k;
        if (w->node == w->roots_node && to == w->root)
            continue;
        coll_isend(w->c, rank_of(w, w->node, to), part_of(w, x->segment, w->number));
        if (helps(w, x->segment))
            coll_isend(w->c, rank_of(w, w->node, to), part_of(w, x->segment, w->root));
    }
}

// A node has what it passes on in a round since the round before; the root's node gets it in this one.
static void take_round(Lanes *w, int t)
{
    const bool roots = w->node == w->roots_node;
    if (has_round(w, t - 1))
        coll_wait_range(w->c, slot(w, t - 1)->first, slot(w, t - 1)->own);
    const CollReq sends = coll_mark(w->c);
    if (has_round(w, roots ? t - 1 : t))
        pass_on(w, roots ? t - 1 : t);
    if (has_round(w, t - 1)) {
        spread(w, t - 1);
        slot(w, t - 1)->sends = sends;
        slot(w, t - 1)->end = coll_mark(w->c);
    }
}

static Lanes lanes_of(const Coll *c)
{
    const CollNodes *nodes = c->nodes;
    Lanes w = {.c = c,
               .segments = blocks_size(c, c->out, c->par.segment),
               .k = coll_nodes_equal(nodes),
               .number = nodes->local[c->rank],
               .node = nodes->of[c->rank],
               .roots_node = nodes->of[c->root],
               .root = nodes->local[c->root],
               .nodes = coll_lane(c)};
    w.nodes.root = w.roots_node;
    w.schedule = circulant_schedule(&w.nodes, w.segments.n);
    return w;
}

static void bcast_lane_overlap(const Coll *c)
{
    Lanes w = lanes_of(c);
    w.spare = coll_scratch(c, IN_FLIGHT * part_of(&w, 0, 0).len);
    for (int t = 0; t < w.schedule.rounds + IN_FLIGHT - 1; t++) {
        if (has_round(&w, t))
            begin(&w, t);
        if (c->rank == c->root && has_round(&w, t))
            scatter(&w, t);
        else if (c->rank != c->root)
            take_round(&w, t);
        const int before = t - IN_FLIGHT + 1;
        if (has_round(&w, before)) {
            coll_wait_range(c, slot(&w, before)->own, slot(&w, before)->others);
            coll_wait_range(c, slot(&w, before)->sends, slot(&w, before)->end);
        }
    }
    coll_waitall(c, 0);
}

// A rank does what its number in its node and the rounds of its lane say, if the nodes are runs of ranks. Those with the
// root's number also receive from the helpers, if their nodes receive from the root's.
static int pattern(const Coll *c, int *x)
{
    const Lanes w = lanes_of(c);
    if (!c->nodes->ordered)
        return 0;
    x[0] = w.number;
    x[1] = w.node == w.roots_node ? -1 : w.number == w.root ? w.node : 0;
    return 2 + circulant_pattern(&w.nodes, &w.schedule, x + 2);
}

const CollAlgorithm bcast_lane_overlap_algorithm = {
    .collective = COLL_BCAST,
    .name = "lane_overlap",
    .summary = "lane in segments, whose parts travel between nodes while others are spread in them",
    .run = bcast_lane_overlap,
    .needs = {&need_nodes, &need_nodes_equal},
    .otherwise = "lane",
    .params = {SEGMENT},
    .peers = PEERS_SHIFT,
    .pattern = pattern,
    .cost = "no formula: the ranks of the root's node begin one after the other",
    .unknown = "the ranks of the root's node begin one after the other",
    .source = "this page; Träff, Hunold, Decomposing MPI collectives for exploiting multi-lane communication, CLUSTER "
              "2020, for the lanes; Träff 2022-2024, n-block broadcast schedules",
};

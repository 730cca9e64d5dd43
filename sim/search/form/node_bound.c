#include "search/form/node_bound.h"
#include "search/form/bounds.h"
#include "search/form/path_walk.h"
#include "registry/composition.h"
#include "shapes/symmetry.h"
#include <float.h>
#include <math.h>

// After this many operations of a node's ranks, the rest only run if its NICs may be busy for long enough.
enum { NODE_OPERATIONS = 1 << 18 };
// node_late_bound() gives up if the ranks run more operations than this, or if a rank receives from more ranks of other
// nodes. It follows the messages after a node's last one as far as this.
enum { LATE_OPERATIONS = 1 << 20, LATE_SENDERS = 64, LATE_MESSAGES = 64 };

// ---- Where all ranks do the same ------------------------------------------------------------------------------------

// Returns the least time from the end of a message's turn at a NIC to its end, at whatever level.
static double rest_of(const PathCosts *costs, size_t len)
{
    double rest_s = INFINITY;
    for (int i = 0; i < costs->n_levels; i++)
        rest_s = MIN(rest_s, path_way(costs, i, len) - path_nic(costs, len));
    return rest_s;
}

// Adds up how long the messages that leave a node occupy its NICs, if each of its n ranks does, relative to itself,
// what the walker's rank has done: what this rank has received from another one, every rank sends over the same
// distance. Adds the least rest_of() of these messages.
static double alike_nics_s(const Walker *x, const Operation *op, const int *member, int n)
{
    const int p = op->c.p, *of = x->costs->map->nodes->of;
    double nics_s = 0, rest_s = INFINITY;
    for (int i = 0; i < x->n_received; i++) {
        const int from = x->received[i].from, shift = x->rank >= from ? x->rank - from : x->rank - from + p;
        const size_t len = x->received[i].len;
        int far = 0;
        for (int k = 0; k < n; k++) {
            const int to = member[k] < p - shift ? member[k] + shift : member[k] + shift - p;
            far += of[to] != of[member[k]];
        }
        nics_s += far * path_nic(x->costs, len) / x->costs->nics;
        rest_s = far > 0 ? MIN(rest_s, rest_of(x->costs, len)) : rest_s;
    }
    return isinf(rest_s) ? 0 : nics_s + rest_s;
}

// Returns true if all ranks do the same, relative to themselves, and the n ranks of a node are consecutive and at most
// half of all. Then, of what its first and its last rank send first, at least one message leaves the node.
static bool are_alike(const Operation *op, const int *member, int n)
{
    return op->algorithm->same_as == same_always && !op->c.counts && op->algorithm->peers == PEERS_SHIFT &&
           member[n - 1] - member[0] == n - 1 && n <= op->c.p / 2;
}

// Returns what node_bound() does, if all ranks are alike, from the texts of two of them. One of these sends its first
// message to another node, and no rank of the node begins one earlier.
static double alike_bound(Walker *x, const Operation *op, const int *member, int n, double enough_s)
{
    double far_s = INFINITY;
    for (int i = 0; i < 2; i++) {
        if (!walker_run(x, op, member[i * (n - 1)], -1, 0, enough_s))
            return x->now_s;
        far_s = MIN(far_s, x->far_out.begins_s);
    }
    const double nics_s = alike_nics_s(x, op, member, n);
    return nics_s > 0 ? far_s + nics_s : 0;
}

// ---- Where the collective says what must leave ----------------------------------------------------------------------

// Returns how long the messages that leave each node must occupy its NICs, whatever the algorithm is; 0 if that is not
// known of each of them.
static double least_nics(const PathCosts *costs, const Operation *op, const Platform *platform)
{
    const Collective of = op->algorithm->collective;
    const bool each = (of == COLL_ALLTOALL || of == COLL_ALLTOALLV) && !op->c.counts;
    return each ? bounds_nics(of, (double)op->m, platform, costs->transfer, costs->map) : 0;
}

// Returns what node_bound() does where every node must send at least nics_s of messages, from the beginning of each
// text alone.
static double begun_bound(Walker *x, const Operation *op, const int *member, int n, double nics_s, double enough_s)
{
    double far_s = INFINITY;
    x->nics_enough_s = DBL_MIN; // a few messages to other nodes are enough
    for (int i = 0; i < n; i++) {
        walker_run(x, op, member[i], -1, 0, enough_s);
        far_s = MIN(far_s, MIN(x->far_out.begins_s, x->now_s));
    }
    x->nics_enough_s = INFINITY;
    return far_s + nics_s;
}

// ---- All ranks of a node --------------------------------------------------------------------------------------------

// What passes a side of a NIC.
typedef struct NodeSide {
    FarSide of;
    double tail_s; // what any rank must do after the last of its messages
} NodeSide;

// Adds what a rank sends through a NIC, or receives, and then has to do for at least tail_s.
static void add_side(NodeSide *x, const FarSide *of, double tail_s)
{
    if (of->messages == 0)
        return;
    if (x->of.messages == 0) {
        *x = (NodeSide){*of, tail_s};
        return;
    }
    x->of.messages += of->messages;
    x->of.nics_s += of->nics_s;
    x->of.begins_s = MIN(x->of.begins_s, of->begins_s);
    x->of.way_rest_s = MIN(x->of.way_rest_s, of->way_rest_s);
    x->of.gap_rest_s = MIN(x->of.gap_rest_s, of->gap_rest_s);
    x->tail_s = MIN(x->tail_s, tail_s);
}

// Returns when the last message has come to its receiver, or what follows its sending is done.
static double out_ends_s(const NodeSide *x)
{
    return x->of.messages == 0 ? 0
                               : x->of.begins_s + x->of.nics_s + MAX(x->of.way_rest_s, x->of.gap_rest_s + x->tail_s);
}

// Returns when what follows the last message is done.
static double in_ends_s(const NodeSide *x)
{
    return x->of.messages == 0 ? 0 : x->of.begins_s + x->of.nics_s + x->of.way_rest_s + x->tail_s;
}

// Returns what node_bound() does, from the texts of all n ranks of the node.
static double whole_bound(Walker *x, const Operation *op, const int *member, int n, double enough_s)
{
    const int nics = x->costs->nics;
    g_autofree NodeSide *out = g_new0(NodeSide, nics), *in = g_new0(NodeSide, nics);
    double begins_s = INFINITY, nics_s = 0, most_s = 0;
    uint64_t operations = 0;
    x->after = AFTER_FAR;
    for (int i = 0; i < n; i++) {
        // Once the NICs alone take so long, it does not matter how much longer they do.
        x->nics_enough_s = nics * (enough_s - nics_s + most_s);
        if (!walker_run(x, op, member[i], -1, 0, enough_s) && x->now_s >= enough_s)
            return x->now_s;
        const double tail_s = x->ended == x->far_out.messages + x->far_in.messages ? x->after_s : 0;
        add_side(&out[i % nics], &x->far_out, tail_s);
        add_side(&in[i % nics], &x->far_in, tail_s);
        begins_s = MIN(begins_s, x->far_out.begins_s);
        nics_s += x->far_out.nics_s / nics;
        most_s = MAX(most_s, x->far_out.nic_most_s);
        operations += x->operations;
        const double hoped_s = enough_s - (isinf(begins_s) ? 0 : begins_s);
        const bool hopeful = operations < NODE_OPERATIONS || nics_s * n >= hoped_s * (i + 1);
        if (!hopeful || nics_s - most_s >= enough_s)
            return MAX(nics_s - most_s, 0);
    }
    double ends_s = 0;
    for (int i = 0; i < nics; i++)
        ends_s = MAX(ends_s, MAX(out_ends_s(&out[i]), in_ends_s(&in[i])));
    return ends_s;
}

// ---- What comes before a node's messages, and after them ------------------------------------------------------------

// A rank that sends to one of the node's ranks, through one of its NICs.
typedef struct FarSender {
    int from, to, nic;
} FarSender;

// What is known of a node whose NICs receive messages.
typedef struct LateNode {
    NodeSide *in;        // by NIC
    GArray *senders;     // of FarSender
    uint64_t operations; // that have run
    bool given_up;       // there are too many, or too many senders
} LateNode;

// Runs a rank to its end, or until its clock has come to enough_s. Returns false in the second case.
static bool run_late(Walker *x, LateNode *late, const Operation *op, int rank, double enough_s)
{
    const bool ends = walker_run(x, op, rank, -1, 0, enough_s);
    late->operations += x->operations;
    late->given_up |= late->operations > LATE_OPERATIONS;
    return ends;
}

// Notes from which ranks of other nodes the walker's rank has received.
static void add_senders(LateNode *late, const Walker *x, int nic)
{
    const guint before = late->senders->len;
    const int *of = x->costs->map->nodes->of;
    for (int i = 0; i < x->n_received && !late->given_up; i++) {
        const FarSender sender = {x->received[i].from, x->rank, nic};
        bool known = of[sender.from] == of[sender.to];
        for (guint k = before; k < late->senders->len && !known; k++)
            known = g_array_index(late->senders, FarSender, k).from == sender.from;
        if (!known)
            g_array_append_val(late->senders, sender);
        late->given_up |= late->senders->len - before > LATE_SENDERS;
    }
}

// Returns the least time from the end of the last message that the walker's rank exchanges with other nodes to the end
// of the operation. The rank, which has run to its end, may itself be at work until then. Or else it sends a last
// message, its receiver goes on after that and sends one, and so on along a chain. INFINITY if one of the ranks takes
// enough_s by itself.
static double tail_of(Walker *x, LateNode *late, const Operation *op, double enough_s)
{
    double before_s = 0, latest_s = 0;
    bool known = x->ended == x->far_out.messages + x->far_in.messages;
    for (int i = 0; known && i < LATE_MESSAGES && !late->given_up; i++) {
        const int rank = x->rank;
        int next, nth;
        WalkerSend sent;
        latest_s = MAX(latest_s, before_s + x->after_s);
        if (!walker_forth(x, &next, &nth, &sent))
            break;
        before_s += sent.after_s + path_way(x->costs, sent.hop.level, sent.hop.len);
        latest_s = MAX(latest_s, before_s);
        x->after = AFTER_ONE;
        x->after_from = rank;
        x->after_nth = nth;
        if (!run_late(x, late, op, next, enough_s))
            latest_s = INFINITY;
        known = x->ended == 1 && isfinite(latest_s);
    }
    x->after = AFTER_FAR;
    return latest_s;
}

// Returns when the first message for a NIC begins at its sender at least; 0 if that is before enough_s, which is of no
// use to the caller, or if it takes too long to find. INFINITY as enough_s asks for any time.
static double first_of(Walker *x, LateNode *late, const Operation *op, int nic, double enough_s)
{
    double first_s = INFINITY;
    for (guint i = 0; i < late->senders->len && !late->given_up; i++) {
        const FarSender *sender = &g_array_index(late->senders, FarSender, i);
        if (sender->nic != nic)
            continue;
        walker_run(x, op, sender->from, sender->to, 1, enough_s);
        first_s = MIN(first_s, x->now_s);
        late->operations += x->operations;
        late->given_up |= late->operations > LATE_OPERATIONS;
        if (first_s < enough_s && isfinite(enough_s))
            return 0; // another NIC's first message may come later
    }
    return late->given_up ? 0 : first_s;
}

// Returns when what follows the last message that a NIC receives is done.
static double late_ends_s(Walker *x, LateNode *late, const Operation *op, int nic, double enough_s)
{
    const NodeSide *in = &late->in[nic];
    const double rest_s = in->of.nics_s + in->of.way_rest_s + in->tail_s;
    if (in->of.messages == 0 || rest_s >= enough_s)
        return in->of.messages == 0 ? 0 : rest_s;
    return rest_s + fmax(in->of.begins_s, first_of(x, late, op, nic, enough_s - rest_s));
}

// Returns what node_late_bound() does, from the texts of all n ranks of the node and of those around them.
static double find_late(Walker *x, LateNode *late, const Operation *op, const int *member, int n, double enough_s)
{
    const int nics = x->costs->nics;
    x->after = AFTER_FAR;
    x->notes_sends = true;
    for (int i = 0; i < n; i++) {
        if (!run_late(x, late, op, member[i], enough_s))
            return enough_s;
        const FarSide far = x->far_in; // tail_of() runs other ranks
        add_senders(late, x, i % nics);
        add_side(&late->in[i % nics], &far, far.messages > 0 ? tail_of(x, late, op, enough_s) : 0);
        if (late->given_up)
            return 0;
    }
    double ends_s = 0;
    for (int i = 0; i < nics && ends_s < enough_s; i++)
        ends_s = fmax(ends_s, late_ends_s(x, late, op, i, enough_s));
    return ends_s;
}

// Returns the node whose NICs are looked at: the root's, but in a scan one that is neither among the first nor among
// the last, which have less to do.
static int busy_node(const Operation *op, const CollNodes *nodes)
{
    const Collective of = op->algorithm->collective;
    return nodes->of[of == COLL_SCAN || of == COLL_EXSCAN ? op->c.p / 3 : op->c.root];
}

// The node whose NICs are looked at, and what runs the texts of its ranks.
typedef struct NodeWalk {
    PathCosts costs;
    Walker walker;
    const int *member; // the node's ranks
    int n;             // how many they are; 0 if nodes have no NICs
} NodeWalk;

static void node_walk_begin(NodeWalk *x, const Operation *op, const Platform *platform, Transfer transfer,
                            const Mapping *map)
{
    path_costs_begin(&x->costs, platform, transfer, map);
    walker_begin(&x->walker, &x->costs);
    x->n = 0;
    if (x->costs.nics > 0) {
        const CollNodes *nodes = x->costs.map->nodes;
        const int node = busy_node(op, nodes);
        x->n = coll_nodes_size(nodes, node);
        x->member = coll_nodes_members(nodes, node);
    }
}

static void node_walk_end(NodeWalk *x)
{
    walker_end(&x->walker);
    path_costs_end(&x->costs);
}

// Returns what node_begun_bound() does.
static double find_begun(NodeWalk *x, const Operation *op, const Platform *platform, double enough_s)
{
    const double least_s = x->n > 0 ? least_nics(&x->costs, op, platform) : 0;
    return least_s > 0 && !are_alike(op, x->member, x->n)
               ? begun_bound(&x->walker, op, x->member, x->n, least_s, enough_s)
               : 0;
}

// Returns what node_bound() does, without that.
static double find_all(NodeWalk *x, const Operation *op, double enough_s)
{
    if (x->n == 0)
        return 0;
    return are_alike(op, x->member, x->n) ? alike_bound(&x->walker, op, x->member, x->n, enough_s)
                                          : whole_bound(&x->walker, op, x->member, x->n, enough_s);
}

double node_begun_bound(const Operation *op, const Platform *platform, Transfer transfer, const Mapping *map,
                        double enough_s)
{
    NodeWalk x;
    node_walk_begin(&x, op, platform, transfer, map);
    const double bound_s = find_begun(&x, op, platform, enough_s);
    node_walk_end(&x);
    return bound_s;
}

double node_bound(const Operation *op, const Platform *platform, Transfer transfer, const Mapping *map, double enough_s)
{
    NodeWalk x;
    node_walk_begin(&x, op, platform, transfer, map);
    double bound_s = isfinite(enough_s) ? find_begun(&x, op, platform, enough_s) : 0;
    if (bound_s < enough_s)
        bound_s = fmax(bound_s, find_all(&x, op, enough_s));
    node_walk_end(&x);
    return bound_s;
}

double node_late_bound(const Operation *op, const Platform *platform, Transfer transfer, const Mapping *map,
                       double enough_s)
{
    NodeWalk x;
    node_walk_begin(&x, op, platform, transfer, map);
    double bound_s = 0;
    if (x.n > 0) {
        g_autofree NodeSide *in = g_new0(NodeSide, x.costs.nics);
        LateNode late = {.in = in, .senders = g_array_new(FALSE, FALSE, sizeof(FarSender))};
        bound_s = find_late(&x.walker, &late, op, x.member, x.n, enough_s);
        g_array_unref(late.senders);
    }
    node_walk_end(&x);
    return bound_s;
}

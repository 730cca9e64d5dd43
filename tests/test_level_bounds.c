// Lower bounds on machines with levels, and with NICs and memory that the ranks of a node share. None of bound_times_on(),
// text_bound(), path_bound(), node_bound() and node_late_bound() is ever above the simulated time of an
// algorithm, wherever its ranks are, and segment_bound() is not above it with any length of segments. The search for
// the best algorithm passes over candidates because of these bounds.
#include "api/make.h"
#include "machines.h"
#include "search/form/bound_times.h"
#include "search/form/node_bound.h"
#include "search/form/path_bound.h"
#include "search/form/segment_bound.h"
#include "search/form/text_bound.h"
#include "engine/schedule/variant.h"
#include "registry/registry.h"
#include "sample.h"
#include "tap.h"
#include <math.h>

// Machines with nodes of 4 ranks, and one with sockets. No order of the levels is taken for granted: in the second one,
// a node is slower than the network.
static const char *const machines[] = {
    "[levels]\nnode = 4 ranks\n"
    "[hockney]\nalpha.node = 2s\nalpha.far = 7s\nbeta.node = 1s/B\nbeta.far = 3s/B\ngamma = 1s/B\n",
    "[levels]\nnode = 4 ranks\n"
    "[hockney]\nalpha.node = 5s\nalpha.far = 3s\nbeta.node = 4s/B\nbeta.far = 1s/B\ngamma = 2s/B\n",
    "[levels]\nnode = 4 ranks\n"
    "[hockney]\nalpha.node = 0s\nalpha.far = 7s\nbeta.node = 3s/B\nbeta.far = 1s/B\ngamma = 0s/B\n",
    "[levels]\nsocket = 2 ranks\nnode = 2 sockets\n"
    "[hockney]\nalpha.socket = 1s\nalpha.node = 3s\nalpha.far = 11s\nbeta.socket = 1s/B\nbeta.node = 2s/B\n"
    "beta.far = 5s/B\ngamma = 1s/B\n",
    "[levels]\nnode = 4 ranks\n"
    "[hockney]\nalpha.node = 2s\nalpha.far = 7s\nbeta.node = 1s/B\nbeta.far = 3s/B\ngamma = 1s/B\n"
    "[node]\nnics = 1\nnic.rate = 1B/s\nnic.messages = 1/s\nmemory = 0.5\n", // WITH_NICS
    // Two NICs, each slower than a port of a rank.
    "[levels]\nnode = 4 ranks\n"
    "[hockney]\nalpha.node = 2s\nalpha.far = 7s\nbeta.node = 1s/B\nbeta.far = 0.2s/B\ngamma = 1s/B\n"
    "[node]\nnics = 2\nnic.rate = 1B/s\n",
};

enum { WITH_NICS = 4 };

// What is checked, and how often.
typedef struct BoundRuns {
    int runs, below_far; // below_far: times below the bound by the figures of far, which does not hold
    int texts_reached;   // how often a text's bound is the time
    int by_nics;         // how often a collective's bound is that of NICs
    int by_nodes;        // how often it is that of the ports of a node's ranks
    int by_node;         // how often the bound of a node is longer than those of ranks
    int by_late;         // .. and how often node_late_bound() is longer than those of the node and of ranks
} BoundRuns;

// With a limit, the beginnings of texts may give a node's bound, or the whole text of one of its ranks. Checks that a
// limit just above `node`, the bound by the texts of all of them, gives no bound above the time.
static void check_limit(const Operation *op, const Platform *platform, const Mapping *map, Transfer t, double node,
                        double time_s)
{
    const double limit_s = MAX(node, 1) * (1 + 1e-9);
    const double bound_s = node_bound(op, platform, t, map, limit_s),
                 begun_s = node_begun_bound(op, platform, t, map, limit_s),
                 late_s = node_late_bound(op, platform, t, map, limit_s);
    if (MAX(MAX(bound_s, begun_s), late_s) > time_s * (1 + 1e-12))
        g_error("%s %s p=%d m=%zu, %d nodes, %s: bound of a node %g, and %g, %g and %g with the limit %g, time %g",
                collectives[op->algorithm->collective].name, op->algorithm->name, op->c.p, op->m, map->nodes->n,
                transfer_names[t], node, bound_s, begun_s, late_s, limit_s, time_s);
}

// Where all ranks are alike, two texts give a node's bound. Checks that those of all its ranks, which also say what
// follows its messages, give a longer one, but none above the time.
static void check_alike(const Operation *op, const Platform *platform, const Mapping *map, Transfer t, double node,
                        double time_s)
{
    CollAlgorithm unlike = *op->algorithm;
    Operation each = *op;
    unlike.same_as = NULL;
    each.algorithm = &unlike;
    const double whole = node_bound(&each, platform, t, map, INFINITY);
    g_assert_cmpfloat(whole, >=, node * (1 - 1e-12));
    if (whole > time_s * (1 + 1e-12))
        g_error("%s %s p=%d m=%zu, %d nodes, %s: bound of all of a node's ranks %g, time %g",
                collectives[op->algorithm->collective].name, op->algorithm->name, op->c.p, op->m, map->nodes->n,
                transfer_names[t], whole, time_s);
    check_limit(&each, platform, map, t, whole, time_s);
}

static void check_run(const Operation *op, const Platform *platform, const Mapping *map, Transfer t, BoundRuns *n)
{
    g_autoptr(GError) error = NULL;
    const PredictOptions options = {.transfer = t, .map = map};
    g_autoptr(Prediction) x = hockney_model.predict(&hockney_model, op, platform, &options, &error);
    g_assert_no_error(error);
    const Collective collective = op->algorithm->collective;
    const BoundTimes any = bound_times_on(collective, op->c.p, (double)op->m, 1, platform, t, map),
                     by_far = bound_times_on(collective, op->c.p, (double)op->m, 1, platform, t, NULL);
    const double nics = bounds_nics(collective, (double)op->m, platform, t, map),
                 nodes = bounds_nodes(collective, (double)op->m, 1, platform, t, map),
                 bound = bound_times_longest(&any), ranks = MAX(MAX(any.latency_s, any.bandwidth_s), any.computation_s),
                 text = text_bound(op, platform, t, map, INFINITY), node = node_bound(op, platform, t, map, INFINITY),
                 path = path_bound(op, platform, t, map, INFINITY),
                 late = node_late_bound(op, platform, t, map, INFINITY), most = x->time_s * (1 + 1e-12);
    if (bound > most || text > most || node > most || path > most || late > most)
        g_error("%s %s p=%d m=%zu, %d nodes, %s: bounds %g, %g, %g, %g and %g, time %g", collectives[collective].name,
                op->algorithm->name, op->c.p, op->m, map->nodes->n, transfer_names[t], bound, text, node, path, late,
                x->time_s);
    check_alike(op, platform, map, t, node, x->time_s);
    n->runs++;
    n->by_nics += nics > ranks;
    n->by_nodes += nodes > ranks;
    n->below_far += bound_times_longest(&by_far) > most;
    n->by_node += node > MAX(text, path);
    n->by_late += late > MAX(node, MAX(text, path));
    n->texts_reached += x->time_s > 0 && text >= x->time_s * (1 - 1e-12);
}

static void check_algorithm(const CollAlgorithm *a, int p, const Platform *platform, const MapSpec *spec, BoundRuns *n)
{
    g_autoptr(Mapping) map = mapping_new(spec, &platform->levels, p, NULL);
    const size_t m = a->collective == COLL_BARRIER ? 0 : 48 * (size_t)p;
    const Coll all = {.p = p, .elem = 1, .commutative = true, .nodes = map->nodes, .par = algorithm_defaults(a)};
    Operation op = {.c = coll_make(a->collective, &all, 0, m, NULL), .m = m};
    const char *why;
    op.algorithm = coll_resolve(a, &op.c, &why) == a ? a : NULL;
    for (Transfer t = TRANSFER_RENDEZVOUS; op.algorithm && t <= TRANSFER_EAGER_PORT; t++)
        check_run(&op, platform, map, t, n);
}

enum { APART = 10 }; // a sample has one in so many points

static void test_bounds(void)
{
    static const int ranks[] = {2, 3, 5, 8, 13, 16};
    static const MapSpec maps[] = {{.kind = MAP_NONE},
                                   {.kind = MAP_BLOCK, .k = 2},
                                   {.kind = MAP_BLOCK, .k = 4},
                                   {.kind = MAP_BLOCK, .k = 16},
                                   {.kind = MAP_CYCLIC, .k = 4}};
    BoundRuns n = {0};
    guint point = 0;
    for (size_t k = 0; k < G_N_ELEMENTS(machines); k++) {
        g_autoptr(Platform) platform = machines_parse(machines[k]);
        for (int i = 0; i < n_algorithms; i++)
            for (size_t j = 0; j < G_N_ELEMENTS(ranks) * G_N_ELEMENTS(maps) && !algorithms[i]->shared; j++)
                if (sample_takes(point++, APART))
                    check_algorithm(algorithms[i], ranks[j % G_N_ELEMENTS(ranks)], platform,
                                    &maps[j / G_N_ELEMENTS(ranks)], &n);
    }
    g_test_message("%d runs; %d are below the bound by the figures of far, %d reach the bound of a text, %d by node, "
                   "%d by late",
                   n.runs, n.below_far, n.texts_reached, n.by_node, n.by_late);
    g_assert_cmpint(n.runs, >, sample_of(50000, 4000));
    g_assert_cmpint(n.below_far, >, sample_of(1000, 50));
    g_assert_cmpint(n.texts_reached, >, sample_of(5000, 300));
    g_assert_cmpint(n.by_nics, >, sample_of(100, 5));
    g_assert_cmpint(n.by_nodes, >, sample_of(300, 5));
    g_assert_cmpint(n.by_node, >, sample_of(300, 5));
    g_assert_cmpint(n.by_late, >, sample_of(300, 5));
}

// ---- Bounds of nodes by hand ----------------------------------------------------------------------------------------

// Two nodes of two ranks and one byte a block.
static double nodes_bound(Collective collective, Transfer t, const char *text)
{
    g_autoptr(Platform) platform = machines_parse(text);
    const MapSpec two = {.kind = MAP_BLOCK, .k = 2};
    g_autoptr(Mapping) map = mapping_new(&two, &platform->levels, 4, NULL);
    return bounds_nodes(collective, 1, 1, platform, t, map);
}

static void test_nodes(void)
{
#define MACHINE "[levels]\nnode = 4 ranks\n[hockney]\nalpha = 1s\ngamma = 0s/B\n"
    static const char *const slow_far = MACHINE "beta = 10s/B\nbeta.node = 1s/B\n",
                             *const slow_node =
                                 MACHINE "beta = 1s/B\nbeta.node = 10s/B\n[node]\nnics = 1\nnic.rate = 1B/s\n";
#undef MACHINE
    const double near = 1e-12;
    // A node's two ranks receive three bytes each, and at least two of these are from the other node.
    g_assert_cmpfloat_with_epsilon(nodes_bound(COLL_ALLGATHER, TRANSFER_RENDEZVOUS, slow_far), (4 * 1 + 2 * 10) / 2.0,
                                   near);
    // A node's two ranks receive the byte, once from the other node.
    g_assert_cmpfloat_with_epsilon(nodes_bound(COLL_BCAST, TRANSFER_RENDEZVOUS, slow_far), (1 + 10) / 2.0, near);
    // The root receives 17/19 bytes from the other node, as long as the other rank of its node receives the rest.
    g_assert_cmpfloat_with_epsilon(nodes_bound(COLL_GATHER, TRANSFER_RENDEZVOUS, slow_far), 3 + 9 * 17 / 19.0, near);
    g_assert_cmpfloat_with_epsilon(nodes_bound(COLL_SCATTER, TRANSFER_EAGER, slow_far), 3 + 9 * 17 / 19.0, near);
    g_assert_cmpfloat(nodes_bound(COLL_GATHER, TRANSFER_EAGER, slow_far), ==, 0);
    // In T, the NICs of both nodes carry 2 T of 12 bytes. The ports need 10 (12 - 2 T) + 2 T, and there are four.
    g_assert_cmpfloat_with_epsilon(nodes_bound(COLL_ALLGATHER, TRANSFER_RENDEZVOUS, slow_node), 120 / 22.0, near);
    g_assert_cmpfloat(nodes_bound(COLL_SCAN, TRANSFER_RENDEZVOUS, slow_node), ==, 0);
}

// ---- What follows the messages through a NIC ------------------------------------------------------------------------

// Sends 8 bytes to the rank of the other node and receives as many, and then twice within the node.
static void cross_and_stay(const Coll *c)
{
    const int other = (c->rank + 4) % 8, beside = c->rank ^ 1;
    coll_sendrecv(c, other, c->in, other, c->out);
    for (int i = 0; i < 2; i++)
        coll_sendrecv(c, beside, c->in, beside, c->out);
}

static void test_follows(void)
{
    static const CollAlgorithm a = {.collective = COLL_ALLREDUCE, .name = "cross", .run = cross_and_stay};
    g_autoptr(Platform) platform = machines_parse(machines[WITH_NICS]);
    g_autoptr(Mapping) map = mapping_new(&(MapSpec){.kind = MAP_BLOCK, .k = 4}, &platform->levels, 8, NULL);
    const Coll all = {.p = 8, .elem = 1, .nodes = map->nodes};
    const Operation op = {&a, coll_make(COLL_ALLREDUCE, &all, 0, 8, NULL), 8};
    // The NIC serves the last of four messages from second 24 on. It arrives after 7 + 8 * 3 seconds, and what follows
    // takes 2 (2 + 8).
    g_assert_cmpfloat(node_bound(&op, platform, TRANSFER_RENDEZVOUS, map, INFINITY), ==, 24 + 31 + 20);
}

// ---- What comes before the messages through a NIC, and leads from rank to rank after them ---------------------------

// Exchanges 8 bytes within the node, then with the other node; then they go from the node's last rank to its first, and
// from there once more to the second.
static void cross_and_gather(const Coll *c)
{
    const int other = (c->rank + 4) % 8, beside = c->rank ^ 1, place = c->rank % 4;
    coll_sendrecv(c, beside, c->in, beside, c->out);
    coll_sendrecv(c, other, c->in, other, c->out);
    if (place < 3)
        coll_recv(c, c->rank + 1, c->out);
    if (place > 0)
        coll_send(c, c->rank - 1, c->in);
    if (place == 0)
        coll_send(c, c->rank + 1, c->in);
    if (place == 1)
        coll_recv(c, c->rank - 1, c->out);
}

static void test_late(void)
{
    static const CollAlgorithm a = {.collective = COLL_ALLREDUCE, .name = "gather", .run = cross_and_gather};
    g_autoptr(Platform) platform = machines_parse(machines[WITH_NICS]);
    g_autoptr(Mapping) map = mapping_new(&(MapSpec){.kind = MAP_BLOCK, .k = 4}, &platform->levels, 8, NULL);
    const Coll all = {.p = 8, .elem = 1, .nodes = map->nodes};
    const Operation op = {&a, coll_make(COLL_ALLREDUCE, &all, 0, 8, NULL), 8};
    // The first message between nodes begins after 2 + 8 seconds, and the NIC is through with the last of four 32
    // seconds later. The last one arrives after 23 more. If the node's first rank receives it, a message of 2 + 8
    // seconds follows; if another rank does, at least one message follows, too.
    const double late_s = 10 + 32 + 23 + 10;
    g_assert_cmpfloat(node_late_bound(&op, platform, TRANSFER_EAGER, map, INFINITY), ==, late_s);
    g_assert_cmpfloat(node_late_bound(&op, platform, TRANSFER_EAGER, map, late_s), >=, late_s);
    g_assert_cmpfloat(node_late_bound(&op, platform, TRANSFER_EAGER, map, late_s + 1), <=, late_s);
    g_assert_cmpfloat(node_bound(&op, platform, TRANSFER_EAGER, map, INFINITY), <=, late_s);
}

// The first two ranks of the other node that use NIC 0 send at once. Those that use NIC 1 exchange 8 bytes three times
// before they do.
static void send_by_nic(const Coll *c)
{
    if (c->rank < 4) {
        coll_recv(c, c->rank + 4, c->out);
        return;
    }
    for (int i = 0; i < 3 && c->rank % 2 == 1; i++)
        coll_sendrecv(c, c->rank ^ 2, c->in, c->rank ^ 2, c->out);
    coll_send(c, c->rank - 4, c->in);
}

// That the first NIC's messages begin too early to be of use says nothing of the other NIC's.
static void test_late_nics(void)
{
    static const CollAlgorithm a = {.collective = COLL_ALLREDUCE, .name = "by-nic", .run = send_by_nic};
    g_autoptr(Platform) platform = machines_parse(machines[WITH_NICS]);
    platform->value[KEY_NICS] = 2;
    g_autoptr(Mapping) map = mapping_new(&(MapSpec){.kind = MAP_BLOCK, .k = 4}, &platform->levels, 8, NULL);
    const Coll all = {.p = 8, .elem = 1, .nodes = map->nodes};
    const Operation op = {&a, coll_make(COLL_ALLREDUCE, &all, 0, 8, NULL), 8};
    // Three exchanges within the node; then NIC 1 serves two messages, and the last one arrives after 23 more seconds.
    const double late_s = 3 * 10 + 16 + 23;
    g_assert_cmpfloat(node_late_bound(&op, platform, TRANSFER_EAGER, map, INFINITY), ==, late_s);
    g_assert_cmpfloat(node_late_bound(&op, platform, TRANSFER_EAGER, map, late_s), >=, late_s);
}

// ---- Where a text begins --------------------------------------------------------------------------------------------

static int said; // by the texts, as operations

// Exchanges one byte within the node, one with the other node, and then many.
static void late(const Coll *c)
{
    const Slice out = slice_at(c->in, 0, 1), in = slice_at(c->out, 0, 1);
    for (int i = 0; i < 1000; i++, said++) {
        const int other = i == 0 ? c->rank ^ 1 : (c->rank + 4) % 8;
        coll_sendrecv(c, other, out, other, in);
    }
}

// What must leave a node bounds the time from the beginnings of texts, and only where the collective says how much it is.
static void test_begun(void)
{
    CollAlgorithm a = {.collective = COLL_ALLTOALL, .name = "late", .run = late};
    g_autoptr(Platform) platform = machines_parse(machines[WITH_NICS]);
    g_autoptr(Mapping) map = mapping_new(&(MapSpec){.kind = MAP_BLOCK, .k = 4}, &platform->levels, 8, NULL);
    const Coll all = {.p = 8, .elem = 1, .nodes = map->nodes};
    Operation op = {&a, coll_make(COLL_ALLTOALL, &all, 0, 8, NULL), 8};
    const double nics_s = bounds_nics(COLL_ALLTOALL, 8, platform, TRANSFER_RENDEZVOUS, map);
    said = 0;
    const double begun_s = node_begun_bound(&op, platform, TRANSFER_RENDEZVOUS, map, 1e9);
    g_assert_cmpfloat(nics_s, >, 0);
    g_assert_cmpfloat(begun_s, ==, 2 + 1 + nics_s); // the first exchange takes 2 + 1 s
    g_assert_cmpint(said, <, 100);
    a.collective = COLL_ALLREDUCE;
    g_assert_cmpfloat(node_begun_bound(&op, platform, TRANSFER_RENDEZVOUS, map, 1e9), ==, 0);
}

// ---- A text is left once its bound suffices ------------------------------------------------------------------------

static int issued;

static void send_on(const Coll *c)
{
    for (issued = 0; issued < 1000; issued++)
        coll_sendrecv(c, (c->rank + 1) % c->p, c->in, (c->rank + 1) % c->p, c->out);
}

static void test_leave(void)
{
    static const CollAlgorithm a = {.collective = COLL_ALLREDUCE, .name = "on", .run = send_on};
    g_autoptr(Platform) platform = machines_parse(machines[0]);
    const Coll all = {.p = 2, .elem = 1};
    const Operation op = {&a, coll_make(COLL_ALLREDUCE, &all, 0, 1, NULL), 1};
    const double message_s = 10; // alpha + beta of far
    g_assert_cmpfloat(text_bound(&op, platform, TRANSFER_RENDEZVOUS, NULL, INFINITY), ==, 1000 * message_s);
    g_assert_cmpint(issued, ==, 1000);
    g_assert_cmpfloat(text_bound(&op, platform, TRANSFER_RENDEZVOUS, NULL, 5 * message_s), ==, 5 * message_s);
    g_assert_cmpint(issued, ==, 4);
    g_assert_cmpfloat(path_bound(&op, platform, TRANSFER_RENDEZVOUS, NULL, 5 * message_s), ==, 5 * message_s);
    g_assert_cmpint(issued, ==, 5);
}

// ---- The lower bound for all segments -------------------------------------------------------------------------------

typedef struct SegmentRuns {
    int runs, near, below_far; // near: how often the bound is at least half of the time
} SegmentRuns;

static const CollParam *param_of_kind(const CollAlgorithm *a, CollParamKind kind)
{
    for (int i = 0; i < algorithm_n_params(a); i++)
        if (a->params[i].kind == kind)
            return &a->params[i];
    return NULL;
}

// Compares the bound with the times of segments of these lengths. The first operation gives the bound of all.
static void check_segments(const CollAlgorithm *a, const Coll *all, const Platform *platform, const Mapping *map,
                           SegmentRuns *n)
{
    static const size_t lengths[] = {0, 1, 5, 16, 48, 100, 1 << 20}; // the last one is longer than all messages
    const CollParam *segment = param_of_kind(a, PARAM_SIZE);
    const size_t m = 48 * (size_t)all->p;
    for (Transfer t = TRANSFER_RENDEZVOUS; t <= TRANSFER_EAGER_PORT; t++) {
        double least[2] = {-1, -1}, far = -1;
        g_autoptr(PathForm) form = NULL;
        for (size_t i = 0; i < G_N_ELEMENTS(lengths); i++) {
            const char *why;
            Coll with = *all;
            param_set(segment, &with.par, (int64_t)lengths[i]);
            Operation op = {.algorithm = a, .c = coll_make(a->collective, &with, 0, m, NULL), .m = m};
            if (coll_resolve(a, &op.c, &why) != a)
                continue;
            const bool below = lengths[i] > m && !segment_is_length(segment);
            least[below] = least[below] < 0 ? segment_bound(&op, segment, below, platform, t, map) : least[below];
            far = far < 0 ? segment_bound(&op, segment, false, platform, t, NULL) : far;
            form = form ? form : path_form(&op, segment, platform, t, map);
            const double bound = MAX(least[below], form ? path_form_time(form, lengths[i]) : 0);
            g_autoptr(GError) error = NULL;
            const PredictOptions options = {.transfer = t, .map = map};
            g_autoptr(Prediction) x = hockney_model.predict(&hockney_model, &op, platform, &options, &error);
            g_assert_no_error(error);
            if (bound > x->time_s * (1 + 1e-12))
                g_error("%s %s p=%d segment=%zu, %d nodes, %s: bound %g, time %g", collectives[a->collective].name,
                        a->name, all->p, lengths[i], map->nodes->n, transfer_names[t], bound, x->time_s);
            n->runs++;
            n->near += bound > 0 && bound >= x->time_s / 2;
            n->below_far += far > x->time_s * (1 + 1e-12);
        }
    }
}

static void test_segments(void)
{
    static const int ranks[] = {2, 5, 8, 13};
    static const MapSpec maps[] = {{.kind = MAP_NONE}, {.kind = MAP_BLOCK, .k = 4}, {.kind = MAP_CYCLIC, .k = 4}};
    SegmentRuns n = {0};
    guint point = 0;
    for (size_t k = 0; k < G_N_ELEMENTS(machines) * G_N_ELEMENTS(ranks) * G_N_ELEMENTS(maps); k++) {
        g_autoptr(Platform) platform = machines_parse(machines[k % G_N_ELEMENTS(machines)]);
        const size_t j = k / G_N_ELEMENTS(machines);
        const int p = ranks[j % G_N_ELEMENTS(ranks)];
        g_autoptr(Mapping) map = mapping_new(&maps[j / G_N_ELEMENTS(ranks)], &platform->levels, p, NULL);
        for (int i = 0; i < n_algorithms; i++) {
            const CollAlgorithm *a = algorithms[i];
            const CollParam *choice = param_of_kind(a, PARAM_CHOICE);
            if (a->shared || !param_of_kind(a, PARAM_SIZE))
                continue;
            for (int64_t c = 0; c <= (choice ? choice->max : 0); c++) {
                if (!sample_takes(point++, APART))
                    continue;
                Coll all = {.p = p, .elem = 1, .commutative = true, .nodes = map->nodes, .par = algorithm_defaults(a)};
                if (choice)
                    param_set(choice, &all.par, c);
                check_segments(a, &all, platform, map, &n);
            }
        }
    }
    g_test_message("%d runs; %d are near the bound, %d below the bound by the figures of far", n.runs, n.near,
                   n.below_far);
    g_assert_cmpint(n.runs, >, sample_of(20000, 1500));
    g_assert_cmpint(n.near, >, sample_of(1000, 50));
    g_assert_cmpint(n.below_far, >, sample_of(500, 20));
}

// A part has segments of its own, so messages of another length, as formulas count them, make another number of these.
static void test_part_segments(void)
{
    g_autoptr(Platform) platform = machines_parse("[hockney]\nalpha = 300s\nbeta = 1s/B\ngamma = 1s/B\n");
    const MapSpec spec = {.kind = MAP_CYCLIC, .k = 8};
    g_autoptr(Mapping) map = mapping_new(&spec, &platform->levels, 72, NULL);
    const CollAlgorithm *han = algorithm_find(COLL_BCAST, "han"), *binomial = algorithm_find(COLL_BCAST, "binomial");
    Coll all = {.p = 72, .elem = 1, .commutative = true, .nodes = map->nodes, .par = algorithm_defaults(han)};
    CollParams own = algorithm_defaults(binomial);
    SegmentRuns n = {0};
    param_set(algorithm_param(binomial, "segment"), &own, 72);
    param_set_part(algorithm_param(han, "up"), &all.par, variant_find(binomial, &own));
    check_segments(han, &all, platform, map, &n);
    g_assert_cmpint(n.runs, >, 10);
}

static void add(void)
{
    g_test_add_func("/level-bounds/none-below", test_bounds);
    g_test_add_func("/level-bounds/nodes", test_nodes);
    g_test_add_func("/level-bounds/follows", test_follows);
    g_test_add_func("/level-bounds/late", test_late);
    g_test_add_func("/level-bounds/late/nics", test_late_nics);
    g_test_add_func("/level-bounds/begun", test_begun);
    g_test_add_func("/level-bounds/leave", test_leave);
    g_test_add_func("/level-bounds/none-below-with-segments", test_segments);
    g_test_add_func("/level-bounds/none-below-with-segments-of-a-part", test_part_segments);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}

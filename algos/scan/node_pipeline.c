// What:   pipeline whose messages have another length between nodes: within a node a rank sends on each segment, but the
//         last rank of a node waits until it has `aggregate` segments, and sends them to the next node at once. So
//         segments can be as short as is best within a node, where most of the hops are, while few messages pay for the
//         longer way between nodes. See shapes/prefix.c.
// Cost:   no formula: segments wait for those with which they cross to the next node. n nodes of K ranks, S segments, A
//         of them in a message between nodes, u = alpha + m/S beta, g = m/S gamma, w = alpha.far + A m/S beta.far: about
//         n (K-1) (u+g) + (n-1) (w + A max(u,g)) + S max(u, g, w/A), u with the figures within a node.
// Source: this page; Sanders, Träff, Parallel prefix (scan) algorithms for MPI, 2006, for the pipeline.
// Needs:  several nodes of several ranks (--map or --per-node); else pipeline runs.
//
//   p = 6, 3 per node, aggregate = 2      0 -> 1 -> 2      2 -> 3 (2 segments)      3 -> 4 -> 5
#include "coll.h"
#include "times/times.h"

// Returns how many segments a message from rank r-1 to rank r has.
static int segments_to(const Coll *c, int r)
{
    return r > 0 && r < c->p && c->nodes->of[r - 1] != c->nodes->of[r] ? c->par.chains : 1;
}

static void scan_node_pipeline(const Coll *c)
{
    prefix_chain_joined(c, false, segments_to(c, c->rank), segments_to(c, c->rank + 1));
}

static void exscan_node_pipeline(const Coll *c)
{
    prefix_chain_joined(c, true, segments_to(c, c->rank), segments_to(c, c->rank + 1));
}

// As in the head. Where nodes differ in size, the whole chain counts as one node. Many short segments may take longer
// than an integer can say.
static int64_t about(const CollPoint *x)
{
    const int equal = x->nodes ? coll_nodes_equal(x->nodes) : 0, K = equal > 0 ? equal : x->p, n = x->p / K;
    const CollPoint near = point_near(x);
    const int64_t S = segments(x, x->m), segment = (x->m + S - 1) / S, A = x->par.chains < S ? x->par.chains : S,
                  sent = u(&near, segment), added = g(x, segment), turn = later(sent, added), far = u(x, A * segment);
    const double longest = 0x1p62, steps = (double)(n * (K - 1)) * (double)(sent + added),
                 crossings = (double)(n - 1) * ((double)far + (double)A * (double)turn),
                 time = steps + crossings + (double)S * (double)later(turn, far / A);
    return (int64_t)(time < longest ? time : longest);
}

// The two ends are like no other rank.
static int same_as(const Coll *c)
{
    const int v = coll_v(c);
    for (int i = 1; i < v && v + 1 < c->p; i++)
        if (segments_to(c, i) == segments_to(c, v) && segments_to(c, i + 1) == segments_to(c, v + 1))
            return i;
    return v;
}

#define COMMON                                                                                                         \
    .name = "node_pipeline", .summary = "prefixes travel down one chain of all ranks, in longer pieces between nodes", \
    .needs = {&need_nodes}, .otherwise = "pipeline", .ordered = true, .peers = PEERS_SHIFT, .same_as = same_as,        \
    .params = {SEGMENT,                                                                                                \
               {"aggregate", PARAM_INT, offsetof(CollParams, chains), 8, 1, 1024, NULL,                                \
                "number of segments in a message between nodes", CUT_NOT}},                                            \
    .cost = "no formula: segments wait for those with which they cross to the next node. n nodes of K ranks, S "       \
            "segments, A of them in a message between nodes, u = alpha + m/S beta, g = m/S gamma, w = alpha.far + A "  \
            "m/S beta.far: about n (K-1) (u+g) + (n-1) (w + A max(u,g)) + S max(u, g, w/A), u with the figures "       \
            "within a node",                                                                                           \
    .estimate = about, .unknown = "segments wait for those with which they cross to the next node",                    \
    .source = "this page; Sanders, Träff, Parallel prefix (scan) algorithms for MPI, 2006, for the pipeline"

const CollAlgorithm scan_node_pipeline_algorithm = {COMMON, .collective = COLL_SCAN, .run = scan_node_pipeline};
const CollAlgorithm exscan_node_pipeline_algorithm = {COMMON, .collective = COLL_EXSCAN, .run = exscan_node_pipeline};

// The times of gather and scatter node_relay, which follow the root, its mates, and the heads of runs.
#include "shapes/relay.h"
#include "times/times.h"
#include <stdlib.h>

typedef struct RelayTime {
    Relay relay;
    CollPoint near, far;
    int64_t block;  // bytes
    int64_t *ready; // when a mate has received its last run
    int64_t *left;  // when a run has left its mate
} RelayTime;

static RelayTime relay_time_new(const CollPoint *x)
{
    const Relay relay = relay_of(x->nodes, 0, &x->par);
    return (RelayTime){
        .relay = relay,
        .near = point_near(x),
        .far = point_far(x),
        .block = x->m,
        .ready = calloc((size_t)relay.mates, sizeof(int64_t)),
        .left = calloc((size_t)relay.runs, sizeof(int64_t)),
    };
}

static void relay_time_free(RelayTime *r)
{
    free(r->ready);
    free(r->left);
}

// Returns the number of blocks of a run.
static int64_t run_blocks(const RelayTime *r, int run)
{
    int n;
    relay_ranks(&r->relay, run, &n);
    return n;
}

// Return what a run costs within the root's node and between nodes, and what the messages within its own node cost, to
// or from its head.
static int64_t near_time(const RelayTime *r, int run)
{
    return u(&r->near, run_blocks(r, run) * r->block);
}

static int64_t far_time(const RelayTime *r, int run)
{
    return u(&r->far, run_blocks(r, run) * r->block);
}

static int64_t head_time(const RelayTime *r, int run)
{
    return (run_blocks(r, run) - 1) * u(&r->near, r->block);
}

// Returns when the mate that passes this run on can begin to receive it.
static int64_t begin(const RelayTime *r, int run)
{
    const Relay *x = &r->relay;
    const int64_t before = run - (int64_t)relay_buffers(x) * x->mates; // was in the same buffer
    return later(r->ready[(run - x->direct) % x->mates], before < x->direct ? 0 : r->left[before]);
}

int64_t relay_gather_time(const CollPoint *x)
{
    if (x->eager || coll_nodes_equal(x->nodes) == 0)
        return -1;
    RelayTime r = relay_time_new(x);
    const int mates = r.relay.mates, direct = r.relay.direct;
    int64_t root = 0;
    for (int run = 0; run < direct; run++)
        root = later(root, head_time(&r, run)) + far_time(&r, run);
    root += mates * u(&r.near, r.block);
    for (int run = direct; run < r.relay.runs; run++) {
        const int64_t arrived = later(begin(&r, run), head_time(&r, run)) + far_time(&r, run);
        r.ready[(run - direct) % mates] = arrived;
        root = r.left[run] = later(root, arrived) + near_time(&r, run);
    }
    relay_time_free(&r);
    return root;
}

int64_t relay_scatter_time(const CollPoint *x)
{
    if (x->eager || coll_nodes_equal(x->nodes) == 0)
        return -1;
    RelayTime r = relay_time_new(x);
    const int mates = r.relay.mates, direct = r.relay.direct;
    int64_t root = 0, last = 0;
    for (int run = direct; run < r.relay.runs; run++) {
        root = later(root, begin(&r, run)) + near_time(&r, run);
        r.ready[(run - direct) % mates] = root;
        r.left[run] = later(root, run < direct + mates ? 0 : r.left[run - mates]) + far_time(&r, run);
        last = later(last, r.left[run] + head_time(&r, run));
    }
    root += mates * u(&r.near, r.block);
    for (int run = 0; run < direct; run++) {
        root += far_time(&r, run);
        last = later(last, root + head_time(&r, run));
    }
    relay_time_free(&r);
    return later(root, last);
}

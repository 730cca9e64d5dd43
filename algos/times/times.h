// Formulas: the point at which a formula gives a time, and what formulas share for the shapes that texts share. Times
// are exact integers. t[v] is when rank v is done, counted from the root.
#pragma once
#include "api/view.h"
#include "shapes/tree.h"
#include <stdint.h>

typedef struct CollPoint CollPoint;

// A point at which a formula gives T. m is a multiple of p, of 2^floor(log2 p) and of 24, so all blocks are alike.
struct CollPoint {
    int p;
    int64_t m; // bytes, as -m of the program; for a reduce_scatter_block the whole vector
    int per_node;
    CollParams par;
    int64_t alpha, beta, gamma; // a message costs alpha and beta for each byte; a byte reduced costs gamma
    bool eager;                 // the discipline is E0 (eager) in place of R (rendezvous)
    // In shared memory: what a byte written, a byte read and a flag cost; `read` is a multiple of lanes.
    int64_t write, read, flag, lanes;
};
// The cost of a message of so many bytes, and of reducing them.
static inline int64_t u(const CollPoint *x, int64_t bytes)
{
    return x->alpha + bytes * x->beta;
}
static inline int64_t g(const CollPoint *x, int64_t bytes)
{
    return bytes * x->gamma;
}
static inline int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}
// S: the number of segments that so many bytes are sent in.
static inline int64_t segments(const CollPoint *x, int64_t bytes)
{
    const int64_t segment = (int64_t)x->par.segment;
    return segment == 0 || bytes == 0 ? 1 : (bytes + segment - 1) / segment;
}

// ---- Ranks that run apart ------------------------------------------------------------------------------------------

// Two ranks send each other `give` and `get` bytes; one begins at `mine`, its peer at `peers`. Returns when they are
// done, which is the same time for both, under R and E0.
int64_t times_exchange(const CollPoint *x, int64_t mine, int64_t peers, int64_t give, int64_t get);
// A blocking message. *from and *to are when its ends begin, and become when they are done.
void times_pass(const CollPoint *x, int64_t *from, int64_t *to, int64_t bytes);
// The last of n >= 1 times.
int64_t times_latest(const int64_t *t, int n);

// Under E0 ranks run apart. Each rank has a clock; in a round v sends to to[v], receives from from[v] (-1 if it does
// not), and reduces what came.
typedef struct Clocks {
    int p;
    int64_t *now, *before;
    int *to, *from;
} Clocks;
Clocks clocks_new(int p);
// One round, in which a message costs u and a reduction g.
void clocks_round(const Clocks *k, int64_t u, int64_t g);
// Returns the time of the last clock, and frees them.
int64_t clocks_free(Clocks *k);

// ---- Trees ---------------------------------------------------------------------------------------------------------

// The largest number of messages that one rank sends in a k-nomial tree, or receives in k-ary Bruck rounds; for k = 2
// that is ceil(log2 p).
int times_knomial_rounds(int p, int k);
// D(p) of the binary tree's cost, p >= 2: the number of messages after which its last rank has the message.
int times_binary_rounds(int p);

// T of tree_bcast and of tree_reduce over a tree whose root is rank `root`, computed from every rank's place in it.
// Segments must be alike.
typedef Tree (*CollTree)(const Coll *c, int root);
int64_t tree_bcast_time(const CollPoint *x, CollTree tree, int root);
int64_t tree_reduce_time(const CollPoint *x, CollTree tree, int root);

// When v has passed on the lengths that runs_tell_counts broadcasts; 0 on the aggressive level.
int64_t runs_tell_counts_time(const CollPoint *x, int v);
// T of runs_gather over the in-order binomial tree, with blocks of m bytes; `told` if runs_tell_counts runs before.
int64_t runs_gather_binomial_time(const CollPoint *x, bool told);

// Returns true if, in two_tree_bcast, the rank that the last step is for may be idle before it.
bool two_tree_idles(int p);
// T under E0 of a reduction over two trees, or of an allreduce if `all`.
int64_t two_tree_eager_time(const CollPoint *x, bool all);

// ---- Butterflies and folds -----------------------------------------------------------------------------------------

// When each of the first P ranks has halved m bytes in p blocks, the first p-P parts doubled. t holds when they begin,
// and becomes when they are done.
void butterfly_halve_time(const CollPoint *x, int P, bool nearest, int64_t *t);
// butterfly_serve_rest with `got` bytes, for ranks at t.
void butterfly_serve_rest_time(const CollPoint *x, int m, int64_t got, int64_t *t);

// T of MPICH's pre-step, recursive halving and doubling, and giving the result back: Rabenseifner's algorithm, whoever
// the peers are. The text is the cost of the entries that have this formula.
#define FOLD_HALVE_DOUBLE_COST                                                                                         \
    "p = 2^d: 2 d alpha + (p-1)/p m (2 beta + gamma); else, P = 2^f: (2f+2) alpha + (2 + 2(P-1)/P) m beta "            \
    "+ (1 + (P-1)/P) m gamma"
int64_t fold_halve_double_time(const CollPoint *x);

// ---- Scans ---------------------------------------------------------------------------------------------------------

// Where each of p ranks stands in the steps of a Prefix.
typedef struct PrefixTime {
    bool exclusive, any, stale; // as in Prefix
    int64_t t;
} PrefixTime;
PrefixTime *prefix_time_new(const CollPoint *x, bool exclusive);
// One message.
void prefix_time_pass(const CollPoint *x, PrefixTime *s, int from, int to);
// A step in which every rank sends to the rank at distance d.
void prefix_time_shift(const CollPoint *x, PrefixTime *s, int d);
// Returns when the last rank is done, and frees s.
int64_t prefix_time_free(const CollPoint *x, PrefixTime *s);

// ---- Shared memory -------------------------------------------------------------------------------------------------

// T of the shapes in shared memory, from and to rank 0, as recurrences over fragments. A flat tree has radix p.
int64_t shm_bcast_time(const CollPoint *x, int radix);
int64_t shm_reduce_time(const CollPoint *x, int radix);
int64_t shm_sets_bcast_time(const CollPoint *x);
int64_t shm_sets_reduce_time(const CollPoint *x);

// Formulas: the point at which a formula gives a time, and the times of the shapes, which formulas share as texts share
// the shapes. Times are exact integers, in the unit in which alpha, beta and gamma are given. t[v] is the time at which
// the rank v, counted from the root, is done.
#pragma once
#include "api/view.h"
#include "shapes/census.h"
#include "shapes/holders.h"
#include "shapes/prefix_parts.h"
#include "shapes/tree.h"
#include <stdint.h>

typedef struct CollPoint CollPoint;

// What a formula keeps between calls that differ in costs alone: the ranks' places in a tree. The caller sets both to
// NULL before the first call, and after the last one calls `free` with `data`, if it is not NULL. A formula that
// evaluates another one with other parameters gives it no CollKept.
typedef struct CollKept {
    void *data;
    void (*free)(void *data);
} CollKept;

// A point at which a formula gives T. Callers choose m so that p and 2^floor(log2 p) both divide m/2 elements: all
// blocks of an even cut are then alike, and so are their halves.
struct CollPoint {
    int p;
    int64_t m;              // bytes, with the meaning of -m; for a reduce_scatter_block the whole vector
    const CollNodes *nodes; // NULL if they are not known
    CollParams par;
    int64_t alpha, beta, gamma; // a message of n bytes costs alpha + n beta; reducing n bytes costs n gamma
    // Two levels: the figures of messages within a node. alpha and beta are then those of messages between nodes. Only
    // entries with CollAlgorithm.levels have formulas that know this.
    bool levels;
    int64_t near_alpha, near_beta;
    bool eager; // the discipline is E0 (eager) instead of R (rendezvous)
    // In shared memory: the cost of a byte written, of a byte read and of a flag, and the number of ranks that can read
    // at a time at this cost. `read` is a multiple of lanes.
    int64_t write, read, flag, lanes;
    int64_t single; // the start-up time of a copy out of a buffer that another rank lends
    CollKept *kept; // NULL if nothing is kept
    int64_t elem;   // bytes of an element; 0 means 1
};
// Return the cost of a message of this many bytes (u), and of reducing this many bytes (g).
static inline int64_t u(const CollPoint *x, int64_t bytes)
{
    return x->alpha + bytes * x->beta;
}
static inline int64_t g(const CollPoint *x, int64_t bytes)
{
    return bytes * x->gamma;
}
// Return the point on one level, that of messages between nodes, or within a node. Its ranks have no nodes.
static inline CollPoint point_far(const CollPoint *x)
{
    CollPoint y = *x;
    y.nodes = NULL;
    y.levels = false;
    return y;
}
static inline CollPoint point_near(const CollPoint *x)
{
    CollPoint y = point_far(x);
    y.alpha = x->levels ? x->near_alpha : x->alpha;
    y.beta = x->levels ? x->near_beta : x->beta;
    return y;
}
static inline int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}
// Returns the sum of the times of two parts; the second one begins when the first one has ended. Returns -1 if one of
// the times is not known, that is, -1.
static inline int64_t then(int64_t a, int64_t b)
{
    return a < 0 || b < 0 ? -1 : a + b;
}
// Returns S, the number of segments in which this many bytes are sent; it is at least 1.
static inline int64_t segments(const CollPoint *x, int64_t bytes)
{
    const int64_t segment = (int64_t)x->par.segment;
    return segment == 0 || bytes == 0 ? 1 : (bytes + segment - 1) / segment;
}

// ---- Ranks that are not in step ------------------------------------------------------------------------------------

// Returns when two ranks have sent each other `give` and `get` bytes, if one begins at time `mine` and its peer at
// `peers`. Both are done at the same time, under R and under E0.
int64_t times_exchange(const CollPoint *x, int64_t mine, int64_t peers, int64_t give, int64_t get);
// Adds a blocking message of this many bytes. *from and *to are the times at which the sender and the receiver begin;
// the function sets them to the times at which they are done.
void times_pass(const CollPoint *x, int64_t *from, int64_t *to, int64_t bytes);
// Returns the last of n >= 1 times.
int64_t times_latest(const int64_t *t, int n);

// A clock for each rank, for rounds in which ranks do not stay in step. The caller sets to[v] and from[v], the ranks
// that v sends to and receives from in a round, -1 for none, and the length of what v sends.
typedef struct Clocks {
    int p;
    int64_t *now, *before; // p clocks after the last round, and before it
    int64_t *bytes;
    int *to, *from;
} Clocks;
// Returns p clocks at time 0, and lengths 0. Free with clocks_free.
Clocks clocks_new(int p);
// Sets all lengths.
void clocks_bytes(const Clocks *k, int64_t bytes);
// Makes every rank v send to rank v + d mod p and receive from rank v - d mod p.
void clocks_shift(const Clocks *k, int d);
// Runs one round. Ranks then reduce what they have received, if `reduce` is true.
void clocks_round(const Clocks *k, const CollPoint *x, bool reduce);
// Frees the clocks, and returns the latest of their times.
int64_t clocks_free(Clocks *k);

// ---- Trees ---------------------------------------------------------------------------------------------------------

// Returns the number of the root's children in a k-nomial tree of p ranks, which is also the number of messages that a
// rank receives in the rounds of Bruck's algorithm with radix k. For k = 2 it is ceil(log2 p).
int times_knomial_rounds(int p, int k);
// Returns the number of digits of 0 .. p-1 in base k that are not 0. It is the number of blocks that a rank sends in
// the rounds of Bruck's alltoall.
int64_t times_digits(int p, int k);
// Returns D(p) of the binary tree's cost, p >= 2: the number of messages, one after the other, that it takes until the
// last rank of tree_binary has an unsegmented message.
int times_binary_rounds(int p);

// Return T of tree_bcast, and of tree_reduce, over a tree whose root is rank `root`. They follow every rank through all
// segments. The segments must have equal lengths.
typedef Tree (*CollTree)(const Coll *c, int root);
// Do the same for x->p ranks that begin at times t[rank], and set t to the times at which they are done.
void tree_bcast_times(const CollPoint *x, CollTree tree, int root, int64_t *t);
void tree_reduce_times(const CollPoint *x, CollTree tree, int root, int64_t *t);
int64_t tree_bcast_time(const CollPoint *x, CollTree tree, int root);
int64_t tree_reduce_time(const CollPoint *x, CollTree tree, int root);
// Return T of a gather of blocks of x->m bytes in which a rank receives the blocks of its children's subtrees, in the
// order of the tree's children, and then sends them and its own to its parent; and of a scatter in which it sends them
// in this order.
int64_t tree_gather_time(const CollPoint *x, CollTree tree, int root);
int64_t tree_scatter_time(const CollPoint *x, CollTree tree, int root);
// Returns T of reduce binomial.
int64_t tree_reduce_binomial_time(const CollPoint *x);

// Returns when v has passed on the lengths that runs_bcast_counts broadcasts; 0 on the aggressive level. Those of
// lengths_bcast take the same wherever lengths_over_tree() is true.
int64_t runs_bcast_counts_time(const CollPoint *x, int v);
// Returns T of runs_gather over the in-order binomial tree with blocks of m bytes, including a runs_bcast_counts before
// it if `counts_first` is true.
int64_t runs_gather_binomial_time(const CollPoint *x, bool counts_first);
// Returns T of runs_gather over the k-nomial tree of runs_knomial with blocks of m bytes.
int64_t runs_gather_knomial_time(const CollPoint *x);

// Returns true if p = 2^k + 1 >= 3. The rank that the last step of two_tree_bcast serves may then be idle before that
// step. Under eager the step then takes no extra time, and in a reduction under rendezvous the step's reduction takes
// no time.
bool two_tree_idles(int p);
// Returns T under E0 of a reduction over two trees, or of an allreduce if `all` is true.
int64_t two_tree_eager_time(const CollPoint *x, bool all);

// Return T under rendezvous of gather and of scatter node_relay with blocks of m bytes; -1 under eager.
#define RELAY_COST                                                                                                     \
    "rendezvous: the recurrence of the root and of the ranks that pass on. K ranks in a node, R divides K, F = "       \
    "(nodes-1) K/R messages between nodes: T >= D (alpha + R m beta) between nodes + (K-1) (alpha + m beta) + (F-D) "  \
    "(alpha + R m beta) within a node, T >= ceil((F-D)/(K-1)) (alpha + R m beta) between nodes"
int64_t relay_gather_time(const CollPoint *x);
int64_t relay_scatter_time(const CollPoint *x);

// ---- Butterflies and folds -----------------------------------------------------------------------------------------

// Adds parts_halve to the times t[v] of P ranks, a power of two. The vector of m bytes is cut into x->p blocks, so that
// the first p-P of the P parts have two blocks each (Parts.doubled).
void butterfly_halve_time(const CollPoint *x, int P, bool nearest, int64_t *t);
// Adds butterfly_serve_rest after the exchange at distance m, with `got` bytes, to the times t[v] of x->p ranks.
void butterfly_serve_rest_time(const CollPoint *x, int m, int64_t got, int64_t *t);

// Returns T of fold_reduce with the pre-step of the parameters. T of fold_return is u(m).
int64_t fold_reduce_time(const CollPoint *x);
// Returns T of MPICH's pre-step, recursive halving, recursive doubling, and the return of the result: Rabenseifner's
// algorithm, for any choice of peers. The text is the cost of the entries that have this formula.
#define FOLD_HALVE_DOUBLE_COST                                                                                         \
    "p = 2^d: 2 d alpha + (p-1)/p m (2 beta + gamma); else, P = 2^f: (2f+2) alpha + (2 + 2(P-1)/P) m beta "            \
    "+ (1 + (P-1)/P) m gamma"
int64_t fold_halve_double_time(const CollPoint *x);

// Returns T of circulant_halve_overlap, with blocks of this many bytes.
int64_t circulant_overlap_time(const CollPoint *x, const Circulant *graph, int rounds, int64_t block);
// Returns T of census_run, with blocks of this many bytes.
int64_t census_time(const CollPoint *x, const Census *census, int64_t block, bool overlap);

// Return T of reduce hybrid and of bcast hybrid. They follow all ranks' clocks where the ranks are not in step.
int64_t holders_reduce_time(const CollPoint *x);
int64_t holders_bcast_time(const CollPoint *x);

// ---- Scans ---------------------------------------------------------------------------------------------------------

// The state and the clock of one rank in the steps of a Prefix.
typedef struct PrefixTime {
    bool exclusive, any, stale; // as in Prefix
    int64_t t;
} PrefixTime;
// Returns the states of x->p ranks at time 0. Free with prefix_time_free.
PrefixTime *prefix_time_new(const CollPoint *x, bool exclusive);
// Adds one message.
void prefix_time_pass(const CollPoint *x, PrefixTime *s, int from, int to);
// Adds a step in which every rank sends to the rank at distance d, if that is below p.
void prefix_time_shift(const CollPoint *x, PrefixTime *s, int d);
// Returns the time at which the last rank is done, and frees s.
int64_t prefix_time_free(const CollPoint *x, PrefixTime *s);
// Returns T of prefix_chain.
int64_t prefix_chain_time(const CollPoint *x, bool exclusive);
// Returns T of prefix_two_phase with this many bytes.
int64_t prefix_two_phase_time(const CollPoint *x, int64_t bytes);
// Adds prefix_two_phase with this many bytes to the times t[v] of p ranks.
void prefix_two_phase_times(const CollPoint *x, int64_t bytes, int p, int64_t *t);
// The groups of ranks, and the ranks of a run on each level.
typedef struct PrefixGroups {
    int K, levels, groups; // K is the product of r[]
    int r[PREFIX_PARTS_LEVELS];
    bool rest; // one more rank stands behind the last group
} PrefixGroups;

// Returns the groups of K ranks each, K > 1, of p ranks, or of the first p - 1 of them. The levels are those of
// prefix_parts with this largest radix.
PrefixGroups prefix_groups(int p, int K, int most);

// When the ranks of an exscan are done that they begin together: the first of them, the latest of the others, and the
// last one. `others` is -1 if that is not known.
typedef struct PrefixEnds {
    int64_t first, others, last;
    bool exact; // otherwise the first one may be done earlier
} PrefixEnds;

// Returns T of prefix_parts_up in all groups, an exscan of their sums, and prefix_parts_down. Returns -1 if the exscan's
// times are not known, if parts are not of equal length, if a run has too many ranks, or if the first group may be the
// last one to end, and when it begins is not known.
int64_t prefix_parts_time(const CollPoint *x, const PrefixGroups *g, const PrefixEnds *exscan, bool exclusive);

// Adds a scan, or an exscan, by recursive doubling to the times t[v] of x->p ranks.
void prefix_doubling_times(const CollPoint *x, bool exclusive, int64_t *t);

// Returns T of scan or exscan halving with h halvings. The first x->par.choice of them send two pieces each; the last
// halving always sends one. Returns -1 if a rank may take messages in another order than that of its receives.
int64_t halving_time(const CollPoint *x, int h, bool exclusive);

// ---- Shared memory -------------------------------------------------------------------------------------------------

// Return T of the shapes in shared memory, from or to rank 0: shm_bcast and shm_reduce over a k-nomial tree (radix p
// makes it flat), shm_sets_bcast and shm_sets_reduce, alone or, for the allreduce, the first after the second. Together
// they take less than their sum, because the root goes on while other ranks still add to the last counter. `fused`: a
// slot is freed after the reduction of its fragment, not before.
int64_t shm_bcast_time(const CollPoint *x, int radix);
int64_t shm_reduce_time(const CollPoint *x, int radix, bool fused);
// Return T of shm_release_bcast over the k-ary tree, of shm_reduce over it with SHM_FUSED, and of one after the other;
// of shm_queue_bcast and shm_queue_reduce.
int64_t shm_release_bcast_time(const CollPoint *x, int radix);
int64_t shm_kary_reduce_time(const CollPoint *x, int radix);
int64_t shm_kary_allreduce_time(const CollPoint *x, int radix);
int64_t shm_queue_bcast_time(const CollPoint *x);
int64_t shm_queue_reduce_time(const CollPoint *x);
// Return T of the gather and the scatter of blocks of m bytes through queues.
int64_t shm_gather_time(const CollPoint *x);
int64_t shm_scatter_time(const CollPoint *x);
// Return T of single copies: shm_single_bcast over a k-nomial tree (radix p makes it flat), and shm_single_reduce.
int64_t shm_single_bcast_time(const CollPoint *x, int radix);
int64_t shm_single_reduce_time(const CollPoint *x);
int64_t shm_sets_bcast_time(const CollPoint *x);
int64_t shm_sets_reduce_time(const CollPoint *x);
int64_t shm_sets_allreduce_time(const CollPoint *x);

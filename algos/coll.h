// The communication API: everything that a collective algorithm is written against. In this order: slices and blocks, a
// rank's view, messages, local work, groups, shared memory; the shapes that several algorithms share, folds, symmetries;
// formulas (their helpers are in times.h) and the registry's entry.
//
// An algorithm is `void bcast_binomial(const Coll *c)`: the text that ONE rank executes, in blocking style. It reads
// rank, p, root, sizes and parameters, never received data, so what it does is known before it runs ("oblivious").
// The same text is recorded and timed by the simulator and executed on contents by the tests: a backend is one callback
// (backend.h).
//
// Rules that hold everywhere:
//   - no tags: the k-th message from s to d meets the k-th receive that d posts from s; lengths are equal at both ends;
//   - an algorithm cannot fail: what it needs is declared in its registry entry (struct CollAlgorithm, below);
//   - in place means that `in` is a part of `out`: copying a slice onto itself does nothing, so no text asks for it;
//   - length 0 is legal everywhere: empty messages are sent, empty copies and reductions do nothing.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---- Slices and blocks ---------------------------------------------------------------------------------------------

// A range of bytes of one buffer. No addresses: the simulator moves no data, MPI adds the buffer's base.
// `cut` remembers that a slice is blocks first .. first+count-1 of an even cut of `whole` bytes into `parts`; lengths
// that differ by rank through such a cut alone do not make schedules different. parts = 0: nothing is known.
typedef struct Slice {
    int buf;         // COLL_IN, COLL_OUT, or a scratch buffer's number; < 0: a queue in shared memory
    int readers;     // of a slot in shared memory: how many ranks read it at the same time
    size_t off, len; // bytes
    struct {
        int first, count, parts;
        size_t whole;
    } cut;
} Slice;

enum { COLL_IN, COLL_OUT, COLL_FIRST_SCRATCH };

// The blocks of a v-collective, one for each rank, known to all: block i has len[i] bytes from byte at[i] on of the
// buffer that holds all of them, which has at[p] bytes. Blocks neither overlap nor need they touch. In an alltoallv,
// what rank s has for rank d is block (s + d) mod p of its buffer.
typedef struct CollCounts {
    const size_t *len; // p
    const size_t *at;  // p + 1
} CollCounts;

// A slice cut into n blocks: segments, the ranks' blocks and halves are all one thing, and the only place that knows
// where elements begin.
typedef struct Blocks {
    Slice all;
    int n;
    size_t size; // bytes of a block; the last one is cut at the end of the slice
    int longer;  // the first `longer` blocks have one element more
    size_t elem; // bytes
    bool even;   // made by blocks_even
    // By counts: block i is number (i + shift) mod n of these.
    const CollCounts *counts;
    int shift;
    // By blocks_turned: block i is number (i + turn) mod n of those, and they touch each other.
    bool turned;
    int turn;
} Blocks;

struct Coll;
typedef struct Coll Coll;

// n >= 1 blocks of whole elements, the first (elements mod n) one element longer.
Blocks blocks_even(const Coll *c, Slice s, int n);
// Blocks of `size` bytes (rounded down to whole elements, at least one), the last one shorter: as many as are needed,
// at least one. size = 0: one block, the whole slice.
Blocks blocks_size(const Coll *c, Slice s, size_t size);
// The p blocks of `in` or `out`, one for each rank: as the counts say, or an even cut. One text serves allgather and
// allgatherv.
Blocks coll_in(const Coll *c);
Blocks coll_out(const Coll *c);
// The same cut of another slice of that length.
Blocks blocks_of(Slice s, const Blocks *like);
// Room for the same blocks, one after the other from number `first` on and around.
Blocks blocks_turned(const Coll *c, const Blocks *like, int first);
// Blocks i .. j-1 as one slice (0 <= i <= j <= n; i = j is empty), which must touch each other; block i.
Slice blocks(const Blocks *b, int i, int j);
static inline Slice block(const Blocks *b, int i)
{
    if (b->counts || b->turned || i < 0 || i >= b->n)
        return blocks(b, i, i + 1);
    // Texts ask for one more often than for anything else.
    const size_t start = (size_t)i * b->size + (size_t)(i < b->longer ? i : b->longer) * b->elem;
    const size_t len = b->size + (i < b->longer ? b->elem : 0), left = b->all.len - start;
    return (Slice){.buf = b->all.buf,
                   .readers = 0,
                   .off = b->all.off + start,
                   .len = len < left ? len : left,
                   .cut = {.first = b->even ? i : 0,
                           .count = b->even,
                           .parts = b->even ? b->n : 0,
                           .whole = b->even ? b->all.len : 0}};
}
// Does block j begin right behind block i?
bool blocks_touch(const Blocks *b, int i, int j);
// The bytes of the longest block.
size_t blocks_longest(const Blocks *b);
// Bytes off .. off+len-1 of s.
Slice slice_at(Slice s, size_t off, size_t len);
// The first bytes of `s`, to hold what `like` holds: scratch for a block.
Slice slice_like(Slice s, Slice like);

// ---- One rank's view of one operation ------------------------------------------------------------------------------

typedef struct CollAlgorithm CollAlgorithm;
typedef struct CollRun CollRun;

typedef enum { PRESTEP_OMPI, PRESTEP_MPICH } CollPrestep;

enum { COLL_MAX_PARTS = 3 };

// The values of an algorithm's parameters; which of them it has, and their defaults, its entry says.
typedef struct CollParams {
    size_t segment;                            // bytes, 0 = the whole message
    size_t fragment;                           // bytes of a slot of shared memory, >= 1
    int chains;                                // >= 1
    int radix;                                 // >= 2
    int prestep;                               // CollPrestep
    int max_requests;                          // messages under way at a time; 0: any number
    int leaders;                               // of a node, >= 1
    int slots;                                 // of a queue in shared memory, >= 1
    int choice;                                // the entry's own choice among names
    const CollAlgorithm *part[COLL_MAX_PARTS]; // what a composition is made of
} CollParams;

// Rank i of a view is rank map(up, i) of the view above.
typedef int (*CollMap)(const Coll *up, int i);

// Visible, and small: to compose, copy it, change fields, call.
struct Coll {
    int rank, p, root; // of this view
    Slice in, out;     // the operation's buffers; bcast, and in-place operations: in is a part of out
    size_t elem;       // bytes of an element, > 0
    bool commutative;  // may the reduction be reordered?
    int per_node;      // ranks of a node, consecutive ones; the last node may have fewer; 0: nothing is known of nodes
    CollParams par;
    const CollCounts *counts; // of a v-collective, and of a reduce_scatter; NULL: all blocks are alike
    int counts_shift;         // Blocks.shift of its blocks
    const Coll *up;           // a group's parent, which must outlive it; NULL for the whole
    CollMap map;
    CollRun *run; // the backend
};

// ---- Communication -------------------------------------------------------------------------------------------------

// Ranks are the view's, 0 .. p-1, and never oneself but where it says so. A call without i ends when its messages have
// left and come.
typedef int CollReq; // a rank's requests are numbered 0, 1, 2 .. in the order of issue

// Slices are large, and texts send a billion times: so they go by reference here, and only look as if by value.
void coll_send_slice(const Coll *c, int to, const Slice *s);
void coll_recv_slice(const Coll *c, int from, const Slice *s);
void coll_sendrecv_slices(const Coll *c, int to, const Slice *s, int from, const Slice *r);

#define coll_send(c, to, s)              coll_send_slice(c, to, (const Slice[]){s})
#define coll_recv(c, from, s)            coll_recv_slice(c, from, (const Slice[]){s})
#define coll_sendrecv(c, to, s, from, r) coll_sendrecv_slices(c, to, (const Slice[]){s}, from, (const Slice[]){r})
// The same where either may be missing: to or from is -1.
void coll_exchange(const Coll *c, int to, Slice s, int from, Slice r);

CollReq coll_isend(const Coll *c, int to, Slice s);
CollReq coll_irecv(const Coll *c, int from, Slice s);
void coll_wait(const Coll *c, CollReq r);
// The number that the next request will have; waitall waits for all from that number on (0: for all).
CollReq coll_mark(const Coll *c);
void coll_waitall(const Coll *c, CollReq from);
// Waits until fewer than n >= 1 requests are pending, whichever end first.
void coll_throttle(const Coll *c, int n);

// ---- Local work ----------------------------------------------------------------------------------------------------

// into = left op right, in this order; `into` may be either operand, else it must not overlap them. Lengths are equal.
void coll_reduce(const Coll *c, Slice into, Slice left, Slice right);
void coll_copy(const Coll *c, Slice into, Slice from);
// Gathers n blocks into one slice, in the order given; and back. One operation, however many blocks.
void coll_pack(const Coll *c, Slice into, const Blocks *from, int n, const int *which);
void coll_unpack(const Coll *c, const Blocks *into, int n, const int *which, Slice from);
// Room for len bytes (0 is allowed) that lives to the end of the run; contents undefined.
Slice coll_scratch(const Coll *c, size_t len);
// n integers that live to the end of the run.
int *coll_ints(const Coll *c, size_t n);

// ---- Groups and composition ----------------------------------------------------------------------------------------

// The view of a group of p ranks in which the caller is `rank` (root 0, same buffers). It must not outlive c.
Coll coll_sub(const Coll *c, int p, int rank, CollMap map);
// v = (rank - root) mod p, the caller's number counted from the root; and the rank of v.
int coll_v(const Coll *c);
int coll_rank(const Coll *c, int v);
// The number in the whole of rank r of this view.
int coll_world(const Coll *c, int r);

// The ranks of the caller's node; its root is the node's leader: the first rank, or the root where it is in this node.
Coll coll_node(const Coll *c);
// The leaders of all nodes, in the order of the nodes; rank -1 where the caller is none.
Coll coll_leaders(const Coll *c);
// The ranks of all nodes that have the caller's number in their node.
Coll coll_lane(const Coll *c);

// Runs another algorithm on this view, with its parameters at their defaults: asks its needs on the view, and takes its
// fallback where they are not met.
void coll_call(const Coll *c, const CollAlgorithm *algorithm);
// The least v that does in it what this rank's v does, with peers by shift (CollAlgorithm.same_as).
int call_same(const Coll *c, const CollAlgorithm *algorithm);
// Can coll_call do so?
bool coll_can(const Coll *c, const CollAlgorithm *algorithm);

// ---- Shared memory -------------------------------------------------------------------------------------------------
// Every rank has a queue of par.slots slots of par.fragment bytes, that it alone writes to and all can read; and flags,
// one for each queue, that say how far it has got with it. An algorithm of shared memory sends no messages.

// The first len bytes of the slot of fragment i (0, 1, 2 ..) in the owner's queue: slot i mod slots, an ordinary slice.
// A copy into it is a write, a copy from it or a reduction straight from it a read, at which `readers` >= 1 ranks are
// at the same time.
Slice coll_slot(const Coll *c, int owner, int i, int readers, size_t len);
static inline bool is_slot(Slice s)
{
    return s.buf < 0;
}
// The slot's owner, as a rank of the whole.
static inline int slot_owner(Slice s)
{
    return -1 - s.buf;
}
// The caller's flag of `queue`, 0 at first, grows to n; what it has done before is then done for all who await that.
void coll_raise(const Coll *c, int queue, int n);
// Waits until the flag that rank `who` has for `queue` is at least n >= 1.
void coll_await(const Coll *c, int who, int queue, int n);

// ---- Integers ------------------------------------------------------------------------------------------------------

// floor(log2 x), ceil(log2 x) for x >= 1; the largest power of two <= x.
int log2_floor(int x);
int log2_ceil(int x);
int pow2_floor(int x);
bool is_pow2(int x);
// The largest power of k >= 2 that is <= x.
int pow_floor(int x, int k);

// ---- Shapes: trees -------------------------------------------------------------------------------------------------

// A rank's place in a tree over v = (rank - root) mod p, as ranks; children in the order in which they are served.
typedef struct Tree {
    int parent;       // -1 at the root
    int n;            // number of children
    const int *child; // lives to the end of the run
    bool before;      // the children's ranks come before this one's, the first child's next to it
} Tree;

// All are the root's children; those of the highest ranks first.
Tree tree_flat(const Coll *c, int root);
// min(chains, p-1) runs of consecutive v, the first (p-1) mod chains one longer; the root's children are their heads.
Tree tree_chain(const Coll *c, int root, int chains);
// Level l holds 2^l consecutive v; children v+2^l, v+2^(l+1).
Tree tree_binary(const Coll *c, int root);
// Ranks root+1, root+2 .. root: a subtree of n consecutive ones has its last one as root, the first n/2 are its low
// part, those between the high part; children: the last of the high part, the last of the low part.
Tree tree_binary_in_order(const Coll *c, int root);
// Parent is v without its highest bit; children v+2^i, nearest first.
Tree tree_binomial(const Coll *c, int root);
// Parent is v without its lowest bit, so that a subtree is a run of consecutive v; children v+1, v+2, v+4 ..
Tree tree_binomial_in_order(const Coll *c, int root);
// Parent is v with its lowest non-zero digit in base `radix` cleared; children by the highest digit first.
Tree tree_knomial(const Coll *c, int root, int radix);
// A tree by par.choice; chains and k-nomial trees are of TREE_FANOUT.
enum { TREE_FANOUT = 4 };
typedef enum {
    TREE_CHAIN,
    TREE_PIPELINE,
    TREE_BINARY,
    TREE_BINOMIAL,
    TREE_IN_ORDER_BINOMIAL,
    TREE_IN_ORDER_BINARY,
    TREE_KNOMIAL
} TreeShape;
extern const char *const tree_names[TREE_KNOMIAL + 2];
Tree tree_chosen(const Coll *c, int root);

// The chains that there are: no more than p-1.
int chain_count(int p, int chains);
// The number of ranks from v on in its chain; in v's subtree of the binary tree; of the in-order binomial tree. The
// root's are all p; those beyond p have none.
int chain_span(int v, int p, int chains);
int binary_span(int v, int p);
int binomial_span(int v, int p);
// The k-nomial tree: the parent of v > 0, and the number of v's children.
int knomial_parent(int v, int radix);
int knomial_children(int v, int p, int radix);

// Hands the segments of a message down the tree; a rank passes a segment on while the next one arrives.
void tree_bcast(const Coll *c, Tree t, const Blocks *segments);
// Reduces `in` by segments up the tree into `into` (needed at every rank that has children): own op child op child ..,
// or the other way round where children come before. A leaf sends one segment after the other, or par.max_requests at a
// time.
void tree_reduce(const Coll *c, Tree t, Slice into);
// Where a rank's result grows: `out` at the root, scratch elsewhere; a rank without children in the tree has but `in`.
Slice reduce_acc(const Coll *c);
Slice reduce_room(const Coll *c, Tree t);
// The rank at which an in-order tree of v must end: the root, or rank 0 where the order of the ranks matters.
int reduce_top(const Coll *c);
// A symmetry (below) of the tree's places, where it ends at the root: the hop to another root breaks the tree's shape.
int same_under_top(const Coll *c, int (*same)(const Coll *c));
// Hands the result from rank `top` to the root, where that is another rank.
void reduce_hand_over(const Coll *c, int top, Slice result);
// Reduces over a tree whose root is rank `top`, and hands over.
void reduce_over(const Coll *c, int top, Tree t);

// ---- Shapes: blocks that travel together ---------------------------------------------------------------------------

// The n numbers first, first + step .. mod `of` (0 <= step <= of), which live to the end of the run.
int *blocks_numbers(const Coll *c, int first, int step, int n, int of);
// Sends n blocks (numbers out, out + step .. mod b->n) to a rank and receives as many others (in, in + step ..) from a
// rank, as one message each: packed where they do not touch each other.
void exchange_blocks(const Coll *c, const Blocks *b, int n, int step, int to, int out, int from, int in);

// The ring's p-1 steps. Every rank's block to all; every block's reduction to its rank, partial results in acc.
void ring_allgather(const Coll *c, const Blocks *b);
void ring_reduce_scatter(const Coll *c, const Blocks *in, const Blocks *acc);
// The same n times, with the n-th part of every block each time.
void ring_reduce_scatter_parts(const Coll *c, const Blocks *in, const Blocks *acc, int n);

// Within one vector, whose block i belongs to v = i: the blocks of v's subtree down the in-order binomial tree from v =
// 0, and up to it.
void tree_scatter_blocks(const Coll *c, const Blocks *b);
void tree_gather_blocks(const Coll *c, const Blocks *b);

// From or into a rank's own buffer: a tree in which the blocks of every subtree are one run of places: a rank holds its
// own block, then what its children's subtrees hold. Places are v unless `at` says otherwise.
typedef struct Runs {
    Tree tree;        // children in the order of a scatter; a gather serves them the other way around
    int n;            // ranks of the own subtree
    const int *first; // child i's run begins so many places after this rank
    int (*at)(const Coll *c, int place); // the v of a place; NULL: itself; then only blocks that are alike can travel
} Runs;
// In-order binomial, the farthest child first; chains and the binary tree as above.
Runs runs_binomial(const Coll *c);
Runs runs_chain(const Coll *c, int chains);
Runs runs_binary(const Coll *c);
// A child's run can reach a gather's root as several messages: where the one that begins with v = i ends, of a run that
// ends before j; and may it be received in its place, if its blocks touch there? Else it goes through scratch.
typedef struct MessageChain {
    int end;
    bool stays;
} MessageChain;
typedef MessageChain (*MessageChainRule)(const Coll *c, const Blocks *b, int i, int j);
// All at once, in place where that can be.
MessageChain runs_whole(const Coll *c, const Blocks *b, int i, int j);
// Every rank's block from the root, or to it: a rank's whole run in one message.
void runs_scatter(const Coll *c, const Runs *r);
void runs_gather(const Coll *c, const Runs *r, MessageChainRule chain);
// MPI tells lengths and displacements to the root alone. On the conservative level it broadcasts them first; on the
// aggressive one, where all ranks know them, this does nothing.
void runs_tell_counts(const Coll *c);

// ---- Shapes: butterflies -------------------------------------------------------------------------------------------

// Among k^d ranks, v's peers at place m = k^i are those whose digit in base k there is another than v's. In the j-th of
// k-1 exchanges v sends to butterfly_digit_peer(v, k, m, j) and receives from butterfly_digit_peer(v, k, m, -j); where k is a power of two,
// both are the digit xor j.
int butterfly_digit_peer(int v, int k, int m, int j);
// Swing: rank v's peer in step s = 0 .. d-1 of p = 2^d ranks, v + rho or v - rho mod p, rho = 1, -1, 3, -5, 11 ..
int butterfly_swing_peer(int v, int s, int p);

// A vector's n = k^d parts, one for each rank of a group. Each exchange, at the places 1, k, k^2 .. or the other way
// round, cuts what a rank has into k and leaves it the piece of its digit there.
typedef struct Parts {
    Blocks blocks;
    int n, k;     // parts of blocks.n / n blocks each
    int doubled;  // the first so many parts have one block more
    bool nearest; // the place 1 first, which keeps the order of the ranks; else the largest, and v keeps part v
} Parts;
// What is left to v after the exchange at place m = k^i.
Slice parts_left(const Parts *x, int v, int m);
// Recursive halving, k = 2: pairs exchange the half that the other one keeps, until each rank has one part, reduced.
void parts_halve(const Coll *c, const Parts *x);
// Its steps backwards: each rank gets all parts.
void parts_halve_back(const Coll *c, const Parts *x);

// Recursive doubling where p is no power of two: after the exchange at distance m, those of v's group of m ranks whose
// peer is missing get what the others got, in `got`.
void butterfly_serve_rest(const Coll *c, int m, Slice got);

// ---- Shapes: the circulant graph -----------------------------------------------------------------------------------

// From r to r + skip[k], skip[k] about p / 2^(q-k).
typedef struct Circulant {
    int p, q; // q = ceil(log2 p)
    int skip[33];
} Circulant;
Circulant circulant_graph(int p);
// q rounds, farthest first; what it gives are the p blocks from the own one on, of which that one is done.
Blocks circulant_reduce_scatter(const Coll *c, const Blocks *in);
// The same rounds backwards: of the blocks from the own one on that one is there; all go to `out`.
void circulant_allgather(const Coll *c, const Blocks *have, const Blocks *out);

// A broadcast of n blocks in n-1+q rounds; backwards it is a reduction. In round k of every q rounds block[k] arrives
// at v, from v - skip[k], counted from the first one that the root begins with in them: -q .. -1 began in those before.
void circulant_receives(const Circulant *x, int v, int *block);
typedef struct CirculantSchedule {
    Circulant graph;
    int v, n, rounds;
    int before; // rounds left out at the beginning, so that the last q are complete
    int send[32], recv[32];
} CirculantSchedule;
typedef struct CirculantRound {
    int to, from;   // ranks; -1: none
    int send, recv; // blocks
} CirculantRound;
CirculantSchedule circulant_schedule(const Coll *c, int n);
CirculantRound circulant_round(const Coll *c, const CirculantSchedule *x, int i);
// Round i's k, and the block that an entry of the schedule stands for in it; -1: not yet begun. What would be beyond
// the last block is the last one.
int circulant_k(const CirculantSchedule *x, int i);
int circulant_block(const CirculantSchedule *x, int i, int entry);

// ---- Shapes: two trees, scans --------------------------------------------------------------------------------------

// Two trees at once, each for half of the message, by segments: down from the root, or up to it into acc, which holds
// the own vector before.
void two_tree_bcast(const Coll *c, Slice message);
void two_tree_reduce(const Coll *c, Slice acc);

// A rank's part of a scan (exclusive: of an exscan): `through` is what has come from ranks before it, and its own. A
// step sends this to rank `to` and receives from rank `from` what goes before; ranks outside of 0 .. p-1 are nobody.
typedef struct Prefix {
    bool exclusive, any, stale; // has anything come? is it not yet in `through`?
    Slice own, through, inbox;
} Prefix;
Prefix prefix_begin(const Coll *c, bool exclusive);
void prefix_step(const Coll *c, Prefix *s, int to, int from);

// ---- Shapes in shared memory ---------------------------------------------------------------------------------------

// The fragments of c->in.
int shm_fragments(const Coll *c);
// Hands c->out down the tree: a rank reads each fragment from its parent's queue, as one of `readers`, and writes it
// into its own where it has children. `first`: fragments that a queue has passed before, all of them read.
void shm_bcast(const Coll *c, Tree t, int readers, int first);
// Reduces c->in up the tree, in the order of the ranks if each subtree is a run of them: into the ranks' queues, at the
// root of the tree into c->out. That one may have a parent too, which takes the result out of its queue: `from` is the
// queue that c->out comes from, -1: none.
void shm_reduce(const Coll *c, Tree t, int from);
// The same over a flat tree with less to say: not a slot's fragment, but half of the slots at a time is known to be
// read, when a counter of that set has been passed by one rank after the other.
void shm_sets_bcast(const Coll *c, int first);
void shm_sets_reduce(const Coll *c);
// The number of children that the caller's parent in the k-nomial tree of c->root has; 0 at the root.
int knomial_siblings(const Coll *c);
// The bytes of the segment: each rank's queue of slots; a slot's fragment and its flags, 4 bytes for each rank, begin on
// pages of their own.
size_t shm_segment(int p, const CollParams *par);

// ---- Folds ---------------------------------------------------------------------------------------------------------

// For other than powers of two: a pre-step after which only 2^floor(log2 p) ranks play, as v of a group of their own.
typedef struct Fold {
    int v;       // this rank's number in the group; -1: it does not play
    int other;   // the neighbour that it is paired with; -1: none
    CollMap map; // v's rank
} Fold;
// Who plays. Among the first 2r ranks (r = p - 2^floor(log2 p)) the even ones do (ompi) or the odd ones (mpich).
Fold fold_ranks(const Coll *c, CollPrestep prestep);
// Reduces acc of each pair into the one that plays, and gives the result back afterwards.
void fold_reduce(const Coll *c, const Fold *f, CollPrestep prestep, Slice acc);
void fold_return(const Coll *c, const Fold *f, Slice result);
// A whole allreduce: the text runs on the group that plays, in place in `out`.
void fold_run(const Coll *c, CollPrestep prestep, void (*run)(const Coll *group));

// For other than powers of k = par.radix: a pre-step after which only k^floor(log_k p) ranks play, as v of a group of
// their own.
typedef struct FoldRadix {
    int v, p;           // this rank's number in the group, -1: it does not play; the group's ranks
    int leader;         // where v = -1: the rank that plays for this one
    int first, step, n; // else: plays for ranks first, first + step ..
    CollMap map;        // v's rank
} FoldRadix;
// Runs of k ranks, of which the last one plays; one run may be shorter. And: rank v + P, v + 2P .. stay out, P = k^d.
FoldRadix fold_runs(const Coll *c);
FoldRadix fold_beyond(const Coll *c);
// Reduces acc of those that stay out into the one that plays, in the order of runs; gives the result back afterwards.
void fold_radix_reduce(const Coll *c, const FoldRadix *f, Slice acc);
void fold_radix_return(const Coll *c, const FoldRadix *f, Slice result);
// A whole allreduce, as above.
void fold_radix_run(const Coll *c, const FoldRadix *f, void (*run)(const Coll *group));

// ---- Ranks that are alike ------------------------------------------------------------------------------------------

// Symmetries that entries declare (CollAlgorithm.same_as): the least v that does, relative to itself, what this rank's
// v does. All ranks are alike: at every p; where p is a power of two; where the vector is cut evenly besides.
int same_always(const Coll *c);
int same_pow2(const Coll *c);
int same_pow2_even(const Coll *c);
int same_linear(const Coll *c); // all but the root are
// Places of equal shape in the trees above.
int same_chain(const Coll *c);
int same_pipeline(const Coll *c);
int same_binary(const Coll *c);
int same_binomial(const Coll *c);
int same_binomial_in_order(const Coll *c);
int same_knomial(const Coll *c);
int same_chosen(const Coll *c);
int same_knomial_siblings(const Coll *c); // and the parent's shape the same
// The same of a scatter or gather, where it also tells how many blocks a rank handles.
int same_chain_run(const Coll *c);
int same_binary_run(const Coll *c);
int same_told(const Coll *c); // in-order binomial, after runs_tell_counts
// All exchanges by butterfly_swing_peer, where p is a power of two and the vector cut evenly.
int same_swing(const Coll *c);
int same_fold(const Coll *c); // those folded away, those they are folded into, and the others, each among themselves
int same_fold_even(const Coll *c); // the same where the vector is cut evenly besides
// Folded by fold_runs or fold_beyond, all exchanges by butterfly_digit_peer, of whole vectors; radix a power of two.
int same_fold_runs(const Coll *c);
int same_fold_beyond(const Coll *c);

// ---- Formulas: what more than one of them shares is in times.h -----------------------------------------------------

// A point at which a formula gives T, an exact integer: m is a multiple of p, of 2^floor(log2 p) and of 24. All blocks
// are alike. alpha: a message; beta: a byte of it; gamma: a byte reduced.
typedef struct CollPoint {
    int p;
    int64_t m; // bytes, as -m of the program; of a reduce_scatter_block the whole vector
    int per_node;
    CollParams par;
    int64_t alpha, beta, gamma;
    bool eager; // E0 in place of R
    // Shared memory: a byte written, a byte read, a flag; `read` is a multiple of lanes.
    int64_t write, read, flag, lanes;
} CollPoint;
// The cost of a message, and of a reduction, of x bytes.
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
// S: the segments of so many bytes.
static inline int64_t segments(const CollPoint *x, int64_t bytes)
{
    const int64_t segment = (int64_t)x->par.segment;
    return segment == 0 || bytes == 0 ? 1 : (bytes + segment - 1) / segment;
}

// ---- The registry's entry ------------------------------------------------------------------------------------------

typedef enum {
    COLL_ALLGATHER,
    COLL_ALLGATHERV,
    COLL_ALLREDUCE,
    COLL_ALLTOALL,
    COLL_ALLTOALLV,
    COLL_BARRIER,
    COLL_BCAST,
    COLL_EXSCAN,
    COLL_GATHER,
    COLL_GATHERV,
    COLL_REDUCE,
    COLL_REDUCE_SCATTER,
    COLL_REDUCE_SCATTER_BLOCK,
    COLL_SCAN,
    COLL_SCATTER,
    COLL_SCATTERV,
    N_COLLECTIVES
} Collective;

// What must hold for an algorithm to run on a view, and how to say that it does not: "count < p".
typedef struct CollNeed {
    bool (*holds)(const Coll *c);
    const char *otherwise; // the text for a point where it does not hold
    const char *text;      // what is needed: "count >= p"
} CollNeed;
// need_nodes: several ranks in a node, and several nodes.
// need_node_parts: part[0] can run among the leaders, and the other parts within every node.
extern const CollNeed need_nodes, need_node_parts, need_pow2, need_even, need_two, need_commutative, need_count_p,
    need_count_pow2, need_fragment;

typedef enum { PARAM_SIZE, PARAM_INT, PARAM_CHOICE, PARAM_ALGORITHM } CollParamKind;
typedef struct CollParam {
    const char *name;
    CollParamKind kind;
    size_t field; // offset in CollParams
    int64_t def, min, max;
    const char *const *choices; // PARAM_CHOICE: NULL-terminated, the value is the index
    const char *help;
    bool cut; // values beyond p-1 are cut to it
    // PARAM_ALGORITHM: an algorithm of this collective, with its own parameters at their defaults; the value is its
    // place in the registry.
    Collective of;
    const char *algorithm; // the default
} CollParam;
extern const char *const coll_prestep_names[], *const coll_level_names[];
enum { LEVEL_CONSERVATIVE, LEVEL_AGGRESSIVE }; // CollParams.choice
// clang-format off
#define SEGMENT \
    {"segment", PARAM_SIZE, offsetof(CollParams, segment), 0, 0, INT64_MAX, NULL, \
     "bytes sent at a time; 0: all at once", false}
#define CHAINS \
    {"chains", PARAM_INT, offsetof(CollParams, chains), 4, 1, INT32_MAX, NULL, \
     "chains below the root; cut to p-1", true}
#define RADIX(k, text) \
    {"radix", PARAM_INT, offsetof(CollParams, radix), k, 2, INT32_MAX, NULL, text, false}
#define PRESTEP \
    {"prestep", PARAM_CHOICE, offsetof(CollParams, prestep), PRESTEP_OMPI, 0, 1, coll_prestep_names, \
     "what makes the number of ranks a power of two", false}
#define MAX_REQUESTS(def) \
    {"max_requests", PARAM_INT, offsetof(CollParams, max_requests), def, 0, INT32_MAX, NULL, \
     "messages of a rank under way at a time; 0: any number", false}
#define LEVEL \
    {"level", PARAM_CHOICE, offsetof(CollParams, choice), LEVEL_CONSERVATIVE, 0, 1, coll_level_names, \
     "does the root broadcast the lengths first, or do all ranks know them?", false}
#define SLOTS \
    {"slots", PARAM_INT, offsetof(CollParams, slots), 8, 1, INT32_MAX, NULL, "slots of a rank's queue", false}
#define FRAGMENT \
    {"fragment", PARAM_SIZE, offsetof(CollParams, fragment), 8192, 1, INT64_MAX, NULL, "bytes of a slot", false}
// One of `names`, which ends with NULL.
#define CHOICE(name, names, text) \
    {name, PARAM_CHOICE, offsetof(CollParams, choice), 0, 0, sizeof(names) / sizeof *(names) - 2, names, text, false}
// part[i]: an algorithm of `collective`, `first` by default.
#define PART(called, i, collective, first, text) \
    {.name = called, .kind = PARAM_ALGORITHM, .field = offsetof(CollParams, part[i]), .max = INT32_MAX, .help = text, \
     .of = collective, .algorithm = first}
// clang-format on

// How a rank's peers are written so that ranks that do the same share one schedule; v is counted from the root.
typedef enum { PEERS_SHIFT /* peer - v mod p */, PEERS_XOR /* peer xor v */, PEERS_ABSOLUTE /* peer's v */ } CollPeers;

enum { COLL_MAX_NEEDS = 3, COLL_MAX_PARAMS = 5, COLL_MAX_ALIASES = 8 };

struct CollAlgorithm {
    Collective collective;
    const char *name;
    const char *aliases[COLL_MAX_ALIASES]; // "ompi:6", "mpich:binomial": ids of Open MPI 4.1, names of MPICH
    const char *summary;                   // one line
    void (*run)(const Coll *c);
    const CollNeed *needs[COLL_MAX_NEEDS];
    const char *otherwise; // the algorithm of this collective that runs where a need is not met; NULL: none
    CollParam params[COLL_MAX_PARAMS];
    bool ordered; // reductions keep the order of the ranks
    bool shared;  // moves its data through shared memory, not by messages
    CollPeers peers;
    int (*same_as)(const Coll *c); // the least v whose relative schedule this rank shares; NULL: nothing is known
    const char *cost;              // the formula of T as text, in the letters of CollPoint
    int64_t (*formula)(const CollPoint *x); // T, or -1 where no form is known
    const char *unknown;                    // why the formula says -1 somewhere, or there is none
    const char *source;
};

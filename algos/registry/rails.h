// Rails: groups in which many ranks of a node talk to other nodes at the same time, and the order of blocks in which
// what such a group needs is contiguous. All nodes must be known. Leaders, orders and chunks need nodes of equal size;
// RAILS_NODE, RAILS_LANE, RAILS_SHARE, RailsShare, rails_full_lanes(), rails_lane(), rails_lane_blocks() and RailsHands
// do not.
//
// Several leaders (par.leaders) divide the K ranks of a node into shares of K/leaders ranks with consecutive numbers
// within the node; the first rank of a share is its leader. Example: K = 4, 2 leaders
//
//     node 0: shares {0, 1} {2, 3}     node 1: shares {4, 5} {6, 7}     leaders 0 2 4 6     lanes of leaders 0-4, 2-6
#pragma once
#include "api/blocks.h"
#include "registry/entry.h"

// Returns how many shares a node has: par.leaders, or one for each of its ranks if these are fewer.
int rails_shares(const Coll *c, int node);
// Some of a node's ranks, whose numbers in the node follow each other.
typedef struct RailsShare {
    int first, size; // the number of the first, and how many they are
} RailsShare;
// Returns a share of a node. If the shares differ in size, the first ones have one rank more.
RailsShare rails_share(const Coll *c, int node, int share);
// Returns the number that a rank's share has in the rank's node.
int rails_share_of(const Coll *c, int rank);

// Returns a group. Its root is its rank 0; its `rank` is -1 if the caller is not a leader and the group has leaders.
Coll rails_group(const Coll *c, RailsGroup kind);
// Every part can run in its groups, which the entry names (CollAlgorithm.groups). If one of them is not RAILS_ALL, it
// comes after need_nodes in a list of needs, and if one needs nodes of equal size, after need_nodes_equal or
// need_leaders.
extern const CollNeed need_group_parts;
// The leaders divide the ranks of a node. It comes after need_nodes in a list of needs.
extern const CollNeed need_leaders;
// A share has several ranks. It comes after need_leaders in a list of needs.
extern const CollNeed need_several_in_shares;

// Returns the p ranks share by share, the ranks of a share node by node; with as many shares as a node has ranks this
// is lane by lane. The integers live until the end of the run.
const int *rails_order(const Coll *c, int shares);
// Returns how many lanes have a rank of every node: as many as the smallest node has ranks.
int rails_full_lanes(const CollNodes *nodes);
// Returns a view of the caller's lane, whose root is in the root's node. In it the caller has, as input and output, the
// lane's block of the vector, which is cut into a block for each full lane. A rank whose lane is not full has no bytes.
Coll rails_lane(const Coll *c, Slice vector);
// Returns the counts of n lengths, in bytes, that lie one after the other. `len` must live until the end of the run.
CollCounts rails_one_by_one(const Coll *c, const size_t *len, int n);
// Returns the nodes if each can have as many elements of s as any other, although its ranks cannot; otherwise NULL.
const CollNodes *rails_share_equally(const Coll *c, Slice s);
// Cuts s into a block for each rank. Where nodes share s equally (rails_share_equally), the first ranks of every node
// have one element more, so that no node has more to send than another; *counts then has the lengths. Otherwise it is an
// even cut.
Blocks rails_cut(const Coll *c, Slice s, CollCounts *counts);
// Lets the first ranks of `node`, a view of the caller's node, have these blocks, and the others empty ones. *counts
// keeps their lengths if the nodes are of unequal size, and must outlive the view.
void rails_lane_blocks(const Coll *c, Coll *node, CollCounts *counts, Slice vector);

// Which blocks the ranks of full lanes have if the other ranks hand theirs over, or have theirs handed back at the end.
typedef struct RailsHands {
    int lanes;        // the full ones
    const int *order; // all blocks, lane by lane, and node by node in a lane: first the one of the lane's own rank
    const int
        *first; // where those of lane l and node i begin in `order`: first[l * nodes + i]; and, last, their number
} RailsHands;
// Returns which of the first `lanes` ranks of a node, by its number in the node, has the block of the node's rank of
// this number. It depends on the node, so that all lanes have about equally many blocks.
int rails_holder(int lanes, int node, int number);
RailsHands rails_hands(const Coll *c);
// Lets the ranks of a view have chunks of the blocks of `b`, packed in the order of `hands`: rank i < n the blocks from
// first[i * step] to before first[(i + 1) * step], and those behind none. *counts keeps their lengths, and must outlive
// the view.
void rails_let_have(Coll *view, CollCounts *counts, const Blocks *b, const RailsHands *hands, const int *first,
                    int step, int n);

// Returns the p ranks, first those with number 0 in their shares of `size` ranks, node by node, then those with number
// 1 .. The integers live until the end of the run.
const int *rails_by_number(const Coll *c, int size);
// Returns numbers 0, 1 .. of blocks that lie in `rows` rows of `columns` runs of `run` blocks, column by column: run
// after run of the first column, then of the second ..
const int *rails_columns(const Coll *c, int rows, int columns, int run);

// Returns the lengths of n chunks: chunk i is the blocks which[i size] .. which[i size + size - 1] of `b`, one after
// the other. They live until the end of the run.
CollCounts rails_lengths(const Coll *c, const Blocks *b, const int *which, int n, int size);
// Makes the view one of a collective on these chunks, one for each of its ranks. *counts keeps the lengths if the
// blocks differ in length, and must outlive the view.
void rails_chunks(Coll *view, CollCounts *counts, const Blocks *b, const int *which, int size);
// Does the same for an alltoall or alltoallv: chunk i is for rank i of the view, and the chunk that comes from rank i
// is as long as that. The nodes must be runs of equally many ranks if the blocks differ in length.
void rails_exchanged(Coll *view, CollCounts *counts, const Blocks *b, const int *which, int size);
// Cuts s, which holds copies of the blocks which[0] .. which[n-1] of `b`, one after the other. If the blocks have equal
// lengths, `which` is not read. *counts keeps the lengths of others, and must outlive the result.
Blocks rails_copies(const Coll *c, Slice s, CollCounts *counts, const Blocks *b, const int *which, int n);

// ---- Nodes that meet in rounds --------------------------------------------------------------------------------------

// Returns the node that `node`, one of n, meets in a round, 0 <= round < n. In round i it is the one for which the sum
// of both numbers is i mod n; but a node meets itself last, and goes through the rounds behind that one a round
// earlier.
int rails_partner(int node, int round, int n);
// Runs this allgather on the ranks of the caller's node. Each rank sends the others this many bytes, such as where its
// buffer lies.
void rails_tell(const Coll *c, const CollAlgorithm *allgather, size_t bytes);

// ---- Symmetry, for CollAlgorithm.same_as ---------------------------------------------------------------------------

// Returns the smallest v that has the caller's schedule. The caller's part runs in `lane`, the view of its lane or of
// the leaders with its number; apart from that part, it does the same as the ranks with its number in all other nodes.
// If the collective is rooted, the ranks of the root's node are like no others.
int rails_same_lane(const Coll *c, const Coll *lane, const CollAlgorithm *part, bool rooted);
// Returns the same for a caller whose part runs in a group of this kind, RAILS_ALL_LEADERS or RAILS_COUNTERPARTS, which
// has equally many ranks of every node, node by node. The collective must not be rooted.
int rails_same_across(const Coll *c, RailsGroup kind, const CollAlgorithm *part);
// Returns the same for a caller that only works within its node, and does what the ranks of its number do in all other
// nodes, apart from the root's if the collective is rooted.
int rails_same_node(const Coll *c, bool rooted);

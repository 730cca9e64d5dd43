// The header that collective algorithms are written against. An algorithm's file includes it, and times/times.h if the
// algorithm has a formula; the file needs nothing else of the project.
//
// An algorithm is a function like `void bcast_binomial(const Coll *c)`. The function is called the algorithm's text: it
// is what ONE rank executes, in blocking style. Example:
//
//     static void bcast_flat(const Coll *c)
//     {
//         for (int i = 0; c->rank == c->root && i < c->p; i++)
//             if (i != c->root)
//                 coll_send(c, i, c->out);
//         if (c->rank != c->root)
//             coll_recv(c, c->root, c->out);
//     }
//
// The text reads rank, p, root, sizes and parameters, and never the data that it receives. Its operations are therefore
// known before any data moves; a collective with this property is called oblivious. The simulator records and times the
// same text that the tests execute on contents and that MPI executes on data: a backend is one callback
// (api/backend.h).
//
// Rules that hold everywhere:
//   - Messages have no tags. The k-th message from s to d matches the k-th receive that d posts from s, and both ends give
//     the same length.
//   - An algorithm cannot fail. Its registry entry declares what it needs, and which algorithm runs when a need is not
//     met.
//   - In place means that `in` is a part of `out`; at the root of a scatter, `out` is a part of `in`. Copying a slice
//     onto itself does nothing, so texts do not ask whether an operation is in place.
//   - Length 0 is legal everywhere. Empty messages are sent; empty copies and reductions do nothing.
//
// To read on, begin with api/view.h, api/blocks.h and api/communicate.h. Look up a shape when an algorithm calls it.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What an algorithm sees, and what it can do.
#include "api/slice.h"       // a range of bytes of a buffer
#include "api/view.h"        // Coll: rank, p, root, buffers and parameters of one operation, as one rank sees it
#include "api/blocks.h"      // a slice cut into segments, halves, or the ranks' blocks
#include "api/communicate.h" // send, receive, wait; reduce, copy, pack, scratch; groups; queues in shared memory
#include "api/integers.h"    // logarithms and powers

// Shapes: parts that several algorithms share.
#include "shapes/tree.h"         // a rank's parent and children in flat, chain, binary, binomial and k-nomial trees
#include "shapes/detour.h"       // an order of ranks in which a binomial tree has few edges within a node
#include "shapes/fan.h"          // trees and groups in which many ranks of a node talk to other nodes at once
#include "shapes/relay.h"        // ranks of the root's node that pass blocks on between the root and other nodes
#include "shapes/tree_engines.h" // segmented broadcast and reduction over any tree; scatter and gather of one vector
#include "shapes/reduce.h"       // the buffer that a reduction accumulates in, and how its result reaches the root
#include "shapes/runs.h"         // scatter and gather from or into the ranks' own buffers
#include "shapes/postal.h"       // trees for messages that are long under way
#include "shapes/exchange.h"     // messages of several blocks, packed where needed
#include "shapes/ring.h"         // allgather and reduce-scatter around a ring
#include "shapes/two_ways.h"     // two ways through all ranks at once, by node and by lane
#include "shapes/lane_turns.h"   // segments that are added up in nodes and lanes while others travel
#include "shapes/butterfly.h"    // peers of a butterfly; recursive halving
#include "shapes/bine.h"         // Bine trees and the butterfly that goes with them, numbered in base -2
#include "shapes/circulant.h"    // the circulant graph, for any number of ranks
#include "shapes/k_bruck.h"      // the rounds of a k-ary Bruck reduce-scatter
#include "shapes/pat.h"          // a binomial tree for each block, with limited numbers of blocks in a message
#include "shapes/census.h"       // exchanges of whole vectors, for any number of ranks
#include "shapes/holders.h"      // the ranks that have the same part of a vector between halvings
#include "shapes/rank_rows.h"    // rows of ranks that exchange parts of a vector, and columns that have the same part
#include "shapes/two_tree.h"     // two trees at once, each for half of the message
#include "shapes/dbt.h"          // UCC's two trees at once
#include "shapes/prefix.h"       // the steps of a scan
#include "shapes/prefix_parts.h" // scans in which every rank of a group works for its own part of the vector
#include "shapes/fold.h"         // the first and last steps that let an algorithm for 2^d ranks run on any p
#include "shapes/node.h"         // the groups of a hierarchical algorithm: nodes, leaders, lanes
#include "shapes/shm.h"          // broadcast and reduction through queues in shared memory
#include "shapes/symmetry.h"     // ranks that have the same schedule, for CollAlgorithm.same_as

// What an algorithm's file says about its algorithm.
#include "registry/entry.h"       // CollAlgorithm: names, needs, parameters, cost, formula, source
#include "registry/composition.h" // algorithms that call other algorithms
#include "registry/halves.h"      // .. a scatter and then a gather
#include "registry/hierarchy.h"   // collectives within the nodes and among their leaders, one after the other
#include "registry/lengths.h"     // the broadcast of the lengths before a v-collective
#include "registry/node_counts.h" // blocks of unequal length, for the nodes and for their leaders
#include "registry/rails.h"       // groups and blocks of algorithms that use several connections of a node
#include "registry/registry.h"    // all algorithms, for a text that calls another one by name
#include "registry/plugin.h"      // COLL_PLUGIN, for a file that is loaded at run time

// The overlapping steps of a vector's segments through nodes and lanes. In a node, a rank receives its block of a segment
// from all others at once and adds up what comes, while blocks of the next segment travel. The ranks of one number in all
// nodes, a lane, do the same with the parts of this block. The nodes must be known, and of equal size.
//
// A text takes lane_turns_number() turns. In turn t, lane_turns_take() goes on with the segments up to t + 1, and leaves
// the sums of segment t - 1, which the text sends on to where they are needed.
#pragma once
#include "api/blocks.h"
#include "api/communicate.h"

// A segment is under way for so many turns: it begins, is added up in the node and in the lane, is sent on, and its last
// messages arrive.
enum { LANE_TURNS = 5 };

// What a rank has of a segment. A rank without a block receives nothing.
typedef struct LaneSegment {
    Slice in;                   // the segment
    Slice sum;                  // the caller's block of it: the sum of the node
    Slice piece;                // the caller's part of this block: the sum of all ranks
    Slice from_node, from_lane; // what comes to be added
    CollReq near, near_ends;    // the requests of the scatter within the node, from `near` to before `near_ends`
    CollReq far, far_ends;      // those in the lane
    CollReq on, on_ends;        // those of the text, which sends the sums on
} LaneSegment;

typedef struct LaneTurns {
    const Coll *c;
    Coll node, lane;
    int without; // the number in its node of the ranks that have no block, or -1 if all have one
    Blocks in;   // the segments, of par.segment bytes
    LaneSegment ring[LANE_TURNS];
} LaneTurns;

// Returns the turns of the caller's `in`.
LaneTurns lane_turns(const Coll *c, int without);
// Returns the slot of the ring that a segment has.
LaneSegment *lane_turns_slot(LaneTurns *w, int segment);
// Returns the block of a segment that ranks with this number in their nodes have, and the part of a block that the
// rank in this node has.
Slice lane_turns_block(const LaneTurns *w, Slice segment, int number);
Slice lane_turns_part(const LaneTurns *w, Slice block, int node);
// Returns whether the caller has a block.
bool lane_turns_has_block(const LaneTurns *w);
// Returns the rank of the group that is so many ahead of the caller.
int lane_turns_ahead(const Coll *group, int distance);

// Returns how many turns there are.
int lane_turns_number(const LaneTurns *w);
// Returns whether the vector has a segment with this number: the first turns and the last ones go on with fewer.
bool lane_turns_has(const LaneTurns *w, int segment);
// Takes turn t: begins to exchange the blocks of the next segment within the node, adds up what came there of segment t,
// begins to exchange the parts of the sum in the lane, and adds up what came there of the segment before.
void lane_turns_take(LaneTurns *w, int t);
// Waits for what the text sent on of a segment, from `on` to before `on_ends`.
void lane_turns_arrived(LaneTurns *w, int segment);
// Waits until all that the two scatters sent has left.
void lane_turns_sent(LaneTurns *w, int segment);

// The text form of a graph, LogGOPSim's GOAL:
//
//     num_ranks 2
//     rank 0 {
//     l1: calc 100 cpu 1                   nanoseconds
//     l2: send 8b to 1 tag 7 cpu 0 nic 1   tag, cpu and nic, in this order, are 0 where left out
//     l2 requires l1                       starts when l1 is done; irequires: when l1 has started
//     }
//     rank 1 {
//     recv 8b from 0 tag 7                 from -1, tag -1: any
//     }
//
// What LogGOPSim's own reader takes is taken: blanks and tabs where it likes them, labels of letters, digits and _ that
// begin with a letter and hold in their rank alone, a dependency below both its labels, comments as in C++ (also behind
// a statement). Refused besides what it refuses: a rank left out, twice or out of order, a peer that is no rank, a label
// twice, a number that does not fit, a text cut short. Tag 4294967295 is -1.
#pragma once
#include "loggops/goal.h"
#include <stdio.h>

// Reads a graph from a file ("-": standard input), in one pass, holding no more of the text than a line. NULL and a
// bad-input error "FILE:LINE: WHAT; allowed: ..." otherwise; free with goal_free.
Goal *goal_read(const char *path, GError **error);

// The same from `length` bytes of text; `name` stands for the file in errors.
Goal *goal_parse(const char *text, size_t length, const char *name, GError **error);

// Writes the graph so that goal_read gives one that runs the same: the operations, labelled l1, l2, .. in each rank, then
// the dependencies, those on one operation in their order. Write errors are left in `to`.
void goal_write(const Goal *goal, FILE *to);

// "send 8b to 1 tag 7 cpu 0 nic 1", without what is 0; free with g_free.
char *goal_op_text(const GoalOp *op);

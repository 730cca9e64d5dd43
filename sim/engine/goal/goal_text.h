// The text form of a dependency graph, which is LogGOPSim's GOAL format:
//
//     num_ranks 2
//     rank 0 {
//     l1: calc 100 cpu 1                   nanoseconds
//     l2: send 8b to 1 tag 7 cpu 0 nic 1   tag, cpu and nic come in this order, and are 0 if left out
//     l2 requires l1                       l2 starts when l1 is done; with irequires, when l1 has started
//     }
//     rank 1 {
//     recv 8b from 0 tag 7                 "from -1" and "tag -1" match any rank and any tag
//     }
//
// The reader accepts what LogGOPSim's own reader accepts: blanks and tabs in the same places; labels of letters, digits
// and _ that begin with a letter and are valid in their rank only; a dependency anywhere below both of its labels;
// comments as in C++, also behind a statement. Unlike LogGOPSim's, it refuses a rank that is missing, given twice or
// out of order, a peer that is not a rank, a label given twice, a number that does not fit, and a text that is cut
// short. As a tag or as the peer of a receive, 4294967295 and 18446744073709551615 are the same as -1.
#pragma once
#include "engine/goal/goal.h"
#include <stdio.h>

// Reads a graph from a file, or from standard input if path is "-", in one pass. The file may have the text form or the
// binary form (goal_binary.h), which its first bytes show. Returns NULL on failure, and a bad-input error "FILE:LINE:
// WHAT; allowed: ..." or, in the binary form, "FILE: byte N: WHAT; allowed: ...". Free with goal_free.
Goal *goal_read(const char *path, GError **error);

// Reads a graph from `length` bytes as goal_read reads a file; errors call them `name`.
Goal *goal_parse(const char *text, size_t length, const char *name, GError **error);

// Writes the graph as a text from which goal_read makes a graph that runs the same. Each rank has its operations,
// labelled l1, l2, .., and then their dependencies; those on one operation keep their order. The caller checks `to` for
// write errors.
void goal_write(const Goal *goal, FILE *to);

// Returns an operation as text, "send 8b to 1 tag 7 cpu 0 nic 1", without a tag, cpu or nic that is 0. Free with
// g_free.
char *goal_op_text(const GoalOp *op);

// The labels of one rank of a GOAL text. One table serves all ranks, one after the other:
//
//     l17, l18, ..   slot[17 - base], [18 - base]   what generators write; needs no search
//     others         a balanced tree of names, because a file could be written whose names have one hash
#pragma once
#include <glib.h>
#include <stdint.h>

#define GOAL_NO_LABEL UINT32_MAX

typedef struct GoalLabels GoalLabels;

// Returns an empty table. Free with goal_labels_free.
GoalLabels *goal_labels_new(void);
void goal_labels_free(GoalLabels *labels);
// Forgets all labels, for the next rank.
void goal_labels_begin(GoalLabels *labels);
// Gives operation `op` (below GOAL_NO_LABEL) a label of `length` letters, which need not end in \0. Returns FALSE if
// another operation has this label.
gboolean goal_labels_add(GoalLabels *labels, const char *label, size_t length, uint32_t op);
// Returns the operation with this label, or GOAL_NO_LABEL if there is none. O(1) for a number, O(log n) for a name.
uint32_t goal_labels_find(const GoalLabels *labels, const char *label, size_t length);

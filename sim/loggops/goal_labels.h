// The labels of one rank of a GOAL text. A table is made once and begun anew for each rank:
//
//     l17, l18, ..   slot[17 - base], [18 - base]   what generators write: a place, no search
//     others         hash of names
#pragma once
#include <glib.h>
#include <stdint.h>

#define GOAL_NO_LABEL UINT32_MAX

typedef struct GoalLabels GoalLabels;

GoalLabels *goal_labels_new(void);
void goal_labels_free(GoalLabels *labels);
// Forgets all labels.
void goal_labels_begin(GoalLabels *labels);
// Gives operation `op` (below GOAL_NO_LABEL) this label of `length` letters; FALSE if the label stands already.
gboolean goal_labels_add(GoalLabels *labels, const char *label, size_t length, uint32_t op);
// The operation with this label, or GOAL_NO_LABEL. O(1).
uint32_t goal_labels_find(const GoalLabels *labels, const char *label, size_t length);

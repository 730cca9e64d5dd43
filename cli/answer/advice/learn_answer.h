// The answer of `learn`: the tree, what it is worth, and its data set, picture and rules file.
#pragma once
#include "figure/canvas.h"
#include "advice/learn/learn.h"
#include "out/answer.h"

#define LEARN_RANKS "2..32:x2"
#define LEARN_SIZES "64..1M:x4"

// All that was learnt. Nothing is owned.
typedef struct LearnAnswer {
    const GPtrArray *requests; // of Request, one for each platform
    const LearnData *data;
    const Learnt *learnt;
    const LearnTests *tests;
    const LearnLimits *limits;
    const char *ranks, *sizes; // -p and -m
} LearnAnswer;

void learn_report(const Answer *answer, const LearnAnswer *x);
// Writes all times, a line for each point and choice.
void learn_write_data(const LearnAnswer *x, FILE *to);
// Writes the tree as a rules file. Returns FALSE and an error if the tree asks for more than rules files know.
gboolean learn_write_rules(const LearnAnswer *x, FILE *to, GError **error);
// Returns a picture of the tree. Free with canvas_free. Returns NULL and an error if the tree is too large.
Canvas *learn_canvas(const LearnAnswer *x, const PictureAsk *ask, GError **error);

// Return texts to be freed with g_free: the question of a node, "p <= 8", and what a leaf runs, with the parameters
// that are not at their defaults, "bcast 3 pipeline segment=32K".
char *learn_question(const LearnAnswer *x, const CartNode *node);
char *learn_leaf_text(const LearnAnswer *x, guint node);

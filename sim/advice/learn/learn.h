// Learning which algorithm to run from simulated times, and what that is worth where nothing was simulated.
//
// A leaf of the tree names an id. It runs the choice of that id whose mean x over the leaf's points is smallest, or the
// first of these if several are equal. x is the time of the choice divided by that of the best one at a point; where
// the choice cannot run, the slowest one counts in its place. A test leaves out all points with one value of a feature,
// grows a tree on the others, and asks it about those left out.
#pragma once
#include "advice/learn/data.h"

typedef struct Learnt {
    const LearnData *data;
    CartTable table; // its arrays are owned
    Cart *tree;
    guint *choice;               // by node; of leaves what they run
    guint single[N_COLLECTIVES]; // the choice with the smallest mean x over all points it was grown from
} Learnt;

// What some way to choose does at the points of a test.
typedef struct LearnScore {
    guint best;    // points at which what it runs is as fast as the best choice
    guint unknown; // points at which nobody knows what runs; they count in nothing else
    double mean;   // geometric mean of x; NAN without a point
    double worst;  // the largest x
} LearnScore;

typedef struct LearnTest {
    gint64 left_out;       // the value of the feature; -1 where the tree was grown from all points, and in sums
    gboolean extrapolated; // it is the smallest or the largest value
    guint points;          // that were left out
    guint hits;            // .. where the tree names the label
    LearnScore tree, single, usual; // `usual` is the library's default, whose best choice may not be in the list
} LearnTest;

typedef struct LearnTests {
    LearnFeature feature;
    GArray *each; // of LearnTest, by rising value
    LearnTest inner, outer,
        known; // the sums of the values between, of the smallest and the largest one, and all points
               // asked of the tree that was grown from them
} LearnTests;

// Grows a tree from all points whose feature does not have this value; -1 leaves none out. There must be some. The data
// must outlive it. Free with learnt_free.
Learnt *learn_grow(const LearnData *data, const CartLimits *limits, LearnFeature feature, gint64 left_out);
void learnt_free(Learnt *learnt);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Learnt, learnt_free)
// Returns the choice for a point. If the leaf's id is one of another collective, it is the best single choice.
guint learnt_choose(const Learnt *learnt, const LearnPoint *point);

// Leaves out each value of a feature in turn. `learnt` was grown from all points with the same limits. Returns NULL and
// an error if the feature has one value only. Free with learn_tests_free.
LearnTests *learn_tests(const Learnt *learnt, const CartLimits *limits, LearnFeature feature, GError **error);
void learn_tests_free(LearnTests *tests);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LearnTests, learn_tests_free)

// Writes what the tree chooses as a file of rules for the library of the data's requests, an Open MPI. A rule holds for
// the ranks from one value of the grid to the next. Gather and scatter get one choice for all sizes of a number of
// ranks, the one that the tree makes most often there, because ranks of one call may see different sizes. Adds a line
// (char *) to `left_out` for each choice that the library does not have; no rule stands for it. Returns NULL and an
// error if the tree asks for more than rules files know. Free with g_free.
char *learn_rules(const Learnt *learnt, GPtrArray *left_out, GError **error);

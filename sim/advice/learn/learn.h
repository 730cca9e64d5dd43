// Learning which algorithm to run from simulated times, and what that is worth where nothing was simulated.
//
// x is the time of a choice divided by that of the best one at a point; where the choice cannot run, the slowest one
// counts in its place. A choice costs log2 x, in units of 2^-20, and equals cost nothing, so there are no wrong answers,
// but dear ones. There are two ways to choose:
//
//     tree     a leaf runs what costs least over its points (cart.h)
//     nearest  what costs least over the three nearest points of the collective, each weighted by 1 / (d + 1/2); d is the
//              distance in the logarithms to base 2 of the features. Of equally near points, the first ones count
//
// A test leaves out all points with one value of a feature, learns from the others, and asks about those left out.
#pragma once
#include "advice/learn/data.h"

enum { LEARN_UNIT = 1 << 20 }; // what a choice costs that takes twice as long as the best one

// The limits of a tree. If `choose` is set, cart.saved is the largest of a few values with which trees that leave out one
// value of the feature each, of those that are learnt from, cost least at the points that they leave out.
typedef struct LearnLimits {
    CartLimits cart;
    gboolean choose;
} LearnLimits;

typedef struct Learnt {
    const LearnData *data;
    CartTable table; // its arrays are owned
    Cart *tree;
    guint64 saved;               // what each leaf of the tree saves at least
    guint *rows, n;              // the points that were learnt from
    guint single[N_COLLECTIVES]; // the choice that costs least over all of these points
    guint64 *sums;               // what each choice costs over those of its collective
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
    LearnScore tree, nearest, single, usual; // `usual` is the library's default, which may be better than every choice
    double median_error,
        p90_error;     // of times by terms (learn_terms.h); NAN where no choice has enough points, or none is left out
    LearnScore params; // of the tree's parameters alone: x is against the best parameters of the label that it chooses
} LearnTest;

// Points that were left out and whose best label was taken for another: one row of the confusion table.
typedef struct LearnMistake {
    guint best, chosen; // labels
    guint points;
    double mean; // geometric mean of x there
} LearnMistake;

typedef struct LearnTests {
    LearnFeature feature;
    GArray *mistakes; // of LearnMistake: what the tree took for what, by falling cost of all its points
    GArray *each;     // of LearnTest, by rising value
    LearnTest inner, outer,
        known; // the sums of the values between, of the smallest and the largest one, and all points
               // asked of the tree that was grown from them
} LearnTests;

// Learns from all points whose feature does not have this value; -1 leaves none out. There must be some. The data must
// outlive it. Free with learnt_free.
Learnt *learn_grow(const LearnData *data, const LearnLimits *limits, LearnFeature feature, gint64 left_out);
// Does the same with these n points, one or more.
Learnt *learn_from(const LearnData *data, const LearnLimits *limits, LearnFeature feature, const guint *rows, guint n);
void learnt_free(Learnt *learnt);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Learnt, learnt_free)
// Returns the tree's choice for a point. If the leaf's choice is one of another collective, it is the best single choice.
guint learnt_choose(const Learnt *learnt, const LearnPoint *point);
// Returns the choice of the nearest points, with the same exception.
guint learnt_nearest(const Learnt *learnt, const LearnPoint *point);
// Returns the best single choice for a point. With measured data this and the two above are the best choice of those that
// were measured there.
guint learnt_single(const Learnt *learnt, const LearnPoint *point);

// Returns how far two points are from each other in the logarithms to base 2 of their features; a 0 counts as 1.
double learn_distance(const LearnPoint *a, const LearnPoint *b);

// Returns x of a time at a point; NAN stands for the slowest choice.
double learn_x(const LearnPoint *point, double time_s);
// Add an x, or nothing known if it is NAN, to a score that begins with zeros; add scores; and end a score of so many points.
// Before it ends, its mean is the sum of log x.
void learn_score_add(LearnScore *to, double x);
void learn_score_sum(LearnScore *to, const LearnScore *from);
void learn_score_end(LearnScore *score, guint points);
// Returns the values of a feature, rising, each once, at n points. Free with g_array_unref.
GArray *learn_values(const LearnData *data, const guint *rows, guint n, LearnFeature feature);

// Leaves out each value of a feature in turn. `learnt` was grown from all points with the same limits. Returns NULL and
// an error if the feature has one value only. Free with learn_tests_free.
LearnTests *learn_tests(const Learnt *learnt, const LearnLimits *limits, LearnFeature feature, GError **error);
void learn_tests_free(LearnTests *tests);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LearnTests, learn_tests_free)

// Writes what the tree chooses as a file of rules for the library of the data's requests, an Open MPI. A rule holds for
// the ranks from one value of the grid to the next. Gather and scatter get one choice for all sizes of a number of
// ranks, the one that the tree makes most often there, because ranks of one call may see different sizes. Adds a line
// (char *) to `left_out` for each choice that the library does not have; no rule stands for it. Returns NULL and an
// error if the tree asks for more than rules files know. Free with g_free.
char *learn_rules(const Learnt *learnt, GPtrArray *left_out, GError **error);

// Learning from measurements, and what simulation is worth beside them.
//
//     measured rows, with predictions  --campaign_new-->  questions  --measured_leave_out, _test, _shares-->  scores
//
// A question is a collective whose choices were measured at several points, and, where groups are apart, in one group (of
// --apart). A point is a set, a group, a number of ranks, of ranks per node, and a size, and counts if at least three
// algorithms were measured there, as in validate. A choice is an algorithm with its parameters; of several measurements
// at one point the fastest counts.
//
// Each model chooses among what was measured at a point, and x is the measured time of its choice divided by that of the
// best one there. tree, nearest and single are those of learn.h. `simulation` takes what is predicted to be the fastest,
// and `corrected` does so after it has learnt from the measured points what predictions miss (corrected.h).
#pragma once
#include "advice/learn/corrected.h"
#include "advice/learn/learn.h"

// A measured time. Its texts are not owned.
typedef struct CampaignRow {
    const char *set, *group;
    Collective collective;
    const char *algorithm; // with its parameters: "knomial radix=4"
    int p, per_node;
    size_t bytes;
    double measured_s, predicted_s; // NAN without a prediction
    gboolean usual;                 // it is what the library took by default
    gboolean calibrates;            // figures of the simulation come from it
    gboolean tested;                // it is of the second set, which is not learnt from
} CampaignRow;

typedef enum CampaignModel {
    CAMPAIGN_TREE,
    CAMPAIGN_NEAREST,
    CAMPAIGN_SINGLE,
    CAMPAIGN_SIMULATION,
    CAMPAIGN_CORRECTED,
    CAMPAIGN_DEFAULT, // what the library takes by itself, which may be none of the choices
    N_CAMPAIGN_MODELS
} CampaignModel;
extern const char *const campaign_model_names[]; // by CampaignModel, NULL-terminated

enum { CAMPAIGN_LEAST_CHOICES = 3 }; // algorithms at a point

typedef struct CampaignQuestion {
    Collective collective;
    char *group;     // "" unless groups are apart
    LearnData *data; // with the choices of this question alone
} CampaignQuestion;

typedef struct Campaign {
    GPtrArray *questions;    // of CampaignQuestion, by collective and group
    guint points;            // of all questions
    guint few;               // points that do not count, because fewer algorithms were measured there
    guint rows, calibrating; // rows of the points, and those that the simulation's figures come from
    gboolean predicted;      // some point has a prediction
    guint tested;            // points of the second set
} Campaign;

// What the models do at some points.
typedef struct CampaignTest {
    gint64 value; // of the feature that was left out
    guint points;
    LearnScore scores[N_CAMPAIGN_MODELS];
} CampaignTest;

typedef struct CampaignTests {
    LearnFeature feature;
    GArray *each;      // of CampaignTest, by the value left out
    GArray *questions; // of CampaignTest, by question
    CampaignTest all;
    GArray *errors
        [N_CAMPAIGN_MODELS]; // of double, rising: |predicted / measured - 1|, of simulation and corrected; or NULL
    guint unlearnt;          // questions that have one value of the feature only; their points do not count
} CampaignTests;

// What the measurements of another run would have chosen: the noise below which no model can come.
typedef struct CampaignNoise {
    guint pairs;
    double mean; // geometric mean of x; NAN without a pair
} CampaignNoise;

// Makes the questions of rows (of CampaignRow), which it sorts. With `apart`, each group is a question of its own. The
// rows must live as long. Returns NULL and an error if no point is left. Free with campaign_free.
Campaign *campaign_new(GArray *rows, gboolean apart, GError **error);
void campaign_free(Campaign *measured);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Campaign, campaign_free)

// How a test divides the points.
typedef struct CampaignSplit {
    LearnFeature feature; // each of its values is left out in turn, also where the tree's pruning is chosen
    int above; // if this is not 0: what was measured on so many ranks or fewer is learnt, and the rest is tested
} CampaignSplit;

// Leaves out each value of the feature in turn, learns from the other points of a question, and tests those left out.
// With two sets it learns from the first one, and tests the second one. Returns NULL and an error if nothing can be
// tested. Free with campaign_tests_free.
CampaignTests *campaign_tests(const Campaign *measured, const LearnLimits *limits, const CampaignSplit *split,
                              GError **error);
void campaign_tests_free(CampaignTests *tests);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CampaignTests, campaign_tests_free)

CampaignNoise campaign_noise(const Campaign *measured);
// Adds what the models do at some rows of a question's data, after they have learnt from others; with none, there is
// simulation alone. `errors` is as in CampaignTests, and may be NULL. campaign_test_end ends the sums.
void campaign_score(const LearnData *data, const LearnLimits *limits, LearnFeature feature, const GArray *learnt,
                    const GArray *tested, CampaignTest *to, GArray *const *errors);
void campaign_test_sum(CampaignTest *to, const CampaignTest *from);
void campaign_test_end(CampaignTest *test);

// In which order points are measured.
typedef enum CampaignOrder {
    CAMPAIGN_RANDOM,
    CAMPAIGN_SPREAD, // from a random one on, that which is farthest from all that are measured, in log2 p and log2 m
    N_CAMPAIGN_ORDERS
} CampaignOrder;
extern const char *const campaign_order_names[]; // by CampaignOrder

// What the models do where nothing was measured, after a share of each question's points was.
typedef struct CampaignShare {
    CampaignOrder order;
    double share; // 0 to 1; above 0 one point of each question at least
    guint learnt; // points, of all questions
    CampaignTest test;
} CampaignShare;

// Measures growing shares of the points of the first set, each question's in `seeds` orders of either kind, and tests the
// others. Returns CampaignShare by order and share. Free with g_array_unref.
GArray *campaign_shares(const Campaign *campaign, const LearnLimits *limits, LearnFeature feature, guint seeds);

// What it is worth to measure at each point only the algorithms that are predicted to be the fastest.
typedef struct CampaignFew {
    guint few; // so many of them
    LearnScore score;
    double time_share; // of the time that measuring all takes
} CampaignFew;

enum { CAMPAIGN_MOST_FEW = 3 };
// Sets the values for 1, 2 .. algorithms, over the points of the first set that have predictions; returns their number.
guint campaign_few(const Campaign *campaign, CampaignFew few[CAMPAIGN_MOST_FEW]);
// Sets `order` to the rows of a question's points, n of them, in an order of this kind.
void campaign_order(const LearnData *data, CampaignOrder kind, guint32 seed, guint *order, guint n);

// The data set that a tree learns from: at each point of a grid, the time of each choice that a library's user has, and
// the best one.
//
//     choices (an algorithm's id with its parameters)  x  points (collective, p, m, machine)  -->  times, labels
//
// The label of a point is the id of its best choice. If the times of choices differ by rounding alone, the one with the
// lowest id is the best; among choices with one id, it is the one that is listed first.
#pragma once
#include "advice/learn/cart.h"
#include "search/search/points.h"

// A choice that a user can force a library to run.
typedef struct LearnChoice {
    Collective collective;
    int id;
    char *name;                 // of the id, in the words of the list or the library
    const CollAlgorithm *entry; // NULL if only the name of what was measured is known
    CollParams par;
    char *given; // the parameters as NAME=VALUE joined by ;, also those that change nothing; "" for none
    guint same;  // the first choice with the same entry and parameters; the place of this one if it is the first
    guint label; // its place in LearnData.labels
} LearnChoice;

// An id of a collective; labels are in the order of the collectives and of the ids.
typedef struct LearnLabel {
    Collective collective;
    int id;
    const char *name; // of its first choice
    guint points;     // at how many points it is the best
} LearnLabel;

typedef enum {
    FEATURE_OP,
    FEATURE_P,
    FEATURE_M,
    FEATURE_PER_NODE, // ranks per node; 1 where nothing says it
    FEATURE_LATENCY,  // time of a message of 8 bytes between nodes, in ps
    FEATURE_STREAM,   // the same for 1 MiB
    N_LEARN_FEATURES,
    FEATURE_OCTAVE = N_LEARN_FEATURES, // log2 p, rounded: a test may leave it out, but no model asks for it
    N_LEARN_VALUES
} LearnFeature;
extern const char *const learn_feature_names[]; // by LearnFeature: "op", "p" .. "octave", NULL-terminated

typedef struct LearnPoint {
    const Request *request; // NULL if the times were measured
    Collective collective;
    int p, per_node;
    size_t m, elem;
    double *time_s;         // by choice, from the first one of the collective on; NAN where it cannot run
    const char **why;       // .. and why, also by choice; NULL where it can run
    double *predicted_s;    // by choice, if the times were measured; NAN without a prediction. Otherwise NULL
    double best_s, worst_s; // of the choices
    double default_s;       // what the library runs by default; NAN where that is not known
    guint best, label;      // the best choice, and its label
    guint set;              // of several sets of measurements, the one that it is of
    const char *group;      // of measurements that were taken together; "" if nothing says it
    gint64 x[N_LEARN_VALUES];
} LearnPoint;

typedef struct LearnData {
    GArray *choices;            // of LearnChoice, by collective and id
    GArray *labels;             // of LearnLabel
    GArray *points;             // of LearnPoint, by machine, collective, p and m
    guint first[N_COLLECTIVES]; // the first choice of a collective
    guint n[N_COLLECTIVES];     // the number of its choices
    guint different;            // choices that are not the same as an earlier one
    guint omitted;              // points at which nothing can run, or all is too large to simulate
    gboolean measured;          // a choice without a time was not measured, so nobody can choose it there
} LearnData;

LearnData *learn_data_new(void);
void learn_data_free(LearnData *data);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LearnData, learn_data_free)

// Adds the choices of a CSV file with the columns collective, id, name, algorithm, params and unused. `params` has
// lists, as segment=0,8K;radix=2,4, and each combination is a choice. So has `unused`, for parameters that the source
// of the list has and the algorithm does not: they make more choices, which run the same. Returns FALSE and an error
// with FILE:LINE on bad input.
gboolean learn_read_choices(LearnData *data, const char *path, GError **error);
// Adds the choices of a version of Open MPI for a collective: its ids, with segments of 0, 8K, 32K and 128K, and with
// fanouts or radixes of 2, 4 and 8, where it takes them. Ids whose text the registry does not have are left out.
void learn_add_library(LearnData *data, const Tables *tables, Collective collective);
// Ends the list: sorts the choices, finds those that are the same, and makes the labels. Returns FALSE and an error if
// there are none.
gboolean learn_end_choices(LearnData *data, GError **error);

// Simulates all choices of a collective at the points of a request, and what its library `only` runs by default. The
// request must have no algorithms, and must live as long as the data; its collective and its elements are set to these.
// Returns FALSE and an error on bad input.
gboolean learn_add_points(LearnData *data, Request *request, Collective collective, size_t elem, GError **error);

// Sets the features of a point that say where it is, all but those of the machine.
void learn_set_place(LearnPoint *point);
// Sets the best and the worst time and the best choice of a point. Returns FALSE if nothing has a time there.
gboolean learn_find_best(const LearnData *data, LearnPoint *point);

static inline const LearnChoice *learn_choice(const LearnData *data, guint i)
{
    return &g_array_index(data->choices, LearnChoice, i);
}
static inline const LearnLabel *learn_label(const LearnData *data, guint i)
{
    return &g_array_index(data->labels, LearnLabel, i);
}
static inline const LearnPoint *learn_point(const LearnData *data, guint i)
{
    return &g_array_index(data->points, LearnPoint, i);
}
// Returns the time of a choice at a point; NAN if its needs are not met there, or if it is of another collective.
double learn_time(const LearnData *data, const LearnPoint *point, guint choice);

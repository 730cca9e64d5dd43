// Runs the same points on several backends and compares their times.
#pragma once
#include "run/launch/meter.h"
#include "run/launch/simgrid.h"
#include "registry/simgrid_twins.h"
#include "search/search/points.h"

typedef enum { BACKEND_SIM, BACKEND_SMPI, BACKEND_MPI, BACKEND_SIMGRID, N_BACKENDS } Backend;
extern const char *const backend_names[N_BACKENDS + 1]; // ends with NULL

// How the times of sim and SMPI compare and, if they differ, why.
typedef enum {
    CLASS_EQUAL,   // they differ by at most CHECK_EQUAL
    CLASS_LINKS,   // links have rates: in SMPI messages share them that are under way at once, in sim those of a round
    CLASS_SHARING, // a rank has several messages under way: in SMPI they share its port, in sim they queue
    CLASS_UNMODELLED, // one of the two does not model what the point needs: a topology, or shared memory
    CLASS_DIFFERENT,  // they differ for none of these reasons, so one of the two is wrong
    CLASS_NONE,       // one of the times is missing
    N_CLASSES
} BackendClass;
extern const char *const backend_class_names[N_CLASSES];

#define CHECK_EQUAL 1e-9 // the relative difference up to which two times are equal

// One point on all backends. Times are in seconds; a time is NAN if it is missing.
typedef struct Comparison {
    Point *point;
    double time_s[N_BACKENDS];
    double closed_form_s; // the time by the model's closed form
    double smpi_form_s;   // the time by max-min sharing, where all messages are under way at once
    double difference;    // sim / SMPI - 1
    BackendClass class;
    const char *why;         // the reason for a class other than CLASS_EQUAL
    char *wrong;             // which data are wrong, and on which backend; NULL if all are right
    const SimgridTwin *twin; // SimGrid's own version of the algorithm; NULL if it has none
    double twin_difference;  // sim / twin - 1
    const char *twin_why;    // why these two may differ; NULL if they must be equal
} Comparison;

typedef struct BackendCheck {
    Request request;
    gboolean asked[N_BACKENDS];
    SimgridMachine machine;
    Meter meter; // must be open if BACKEND_MPI is asked for; its patience is that of all backends
    GPtrArray *points;
    Comparison *of; // the outcome at each point
} BackendCheck;

// Makes the points of the request, runs them on the backends asked for and compares them. Returns FALSE and an error on
// bad input, or if a backend fails.
gboolean backends_run(BackendCheck *check, GError **error);
// Returns true if one of the backends must be wrong about this point.
gboolean backends_wrong(const Comparison *x);
void backends_clear(BackendCheck *check);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(BackendCheck, backends_clear)

// The same points on several backends, side by side.
#pragma once
#include "launch/meter.h"
#include "launch/simgrid.h"
#include "registry/simgrid_twins.h"
#include "search/points.h"

typedef enum { BACKEND_SIM, BACKEND_SMPI, BACKEND_MPI, BACKEND_SIMGRID, N_BACKENDS } Backend;
extern const char *const backend_names[N_BACKENDS + 1]; // ends with NULL

// Why sim and SMPI take different times, or that they do not.
typedef enum {
    CLASS_EQUAL,      // they are equal to 1e-9
    CLASS_SHARING,    // a rank has several messages under way, which share its port there and queue here
    CLASS_UNMODELLED, // one of the two does not model what it meets: topologies, shared memory
    CLASS_DIFFERENT,  // none of these: one of the two is wrong
    CLASS_NONE,       // not both were asked for
    N_CLASSES
} BackendClass;
extern const char *const backend_class_names[N_CLASSES];

#define CHECK_EQUAL 1e-9 // relative

// One point on all backends. Times are in seconds, and NAN if there is none.
typedef struct Comparison {
    Point *point;
    double time_s[N_BACKENDS];
    double closed_form_s; // by the model's closed form
    double smpi_form_s;   // by max-min sharing, if all messages are under way at once
    double difference;    // of sim from SMPI, relative to SMPI
    BackendClass class;
    const char *why;         // the reason for a class other than CLASS_EQUAL
    char *wrong;             // what a backend says about wrong data; NULL: they are right
    const SimgridTwin *twin; // SimGrid's own algorithm; NULL: it has none
    double twin_difference;  // of sim from the twin
    const char *twin_why;    // why they may differ; NULL: they must not
} Comparison;

typedef struct BackendCheck {
    Request request;
    gboolean asked[N_BACKENDS];
    SimgridMachine machine;
    Meter meter;                                       // of mpi, open if it is asked for
    void (*progress)(int done, int total, void *user); // `user` is the backend's name; may be NULL
    GPtrArray *points;
    Comparison *of; // one for each point
} BackendCheck;

// Makes the points of the request, runs them on the backends asked for and compares them. Returns FALSE and an error on bad
// input, or if a backend fails.
gboolean backends_run(BackendCheck *check, GError **error);
// Returns true if one of the backends must be wrong about this point.
gboolean backends_wrong(const Comparison *x);
void backends_clear(BackendCheck *check);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(BackendCheck, backends_clear)

// `collsim check --backends`: the same points on several backends, side by side.
#pragma once
#include "answer/measure.h"
#include "ask/ask.h"
#include "launch/simgrid.h"
#include "registry/simgrid_twins.h"

typedef enum { BACKEND_SIM, BACKEND_SMPI, BACKEND_MPI, BACKEND_SIMGRID, N_BACKENDS } Backend;
extern const char *const backend_names[N_BACKENDS + 1]; // ends with NULL

// Why sim and SMPI take different times, or do not.
typedef enum {
    CLASS_EQUAL,      // to 1e-9
    CLASS_SHARING,    // a rank has several messages under way, which share its port there and queue here
    CLASS_UNMODELLED, // one of the two does not model what it meets: topologies, shared memory
    CLASS_DIFFERENT,  // none of these: one of them is wrong
    CLASS_NONE,       // not both were asked for
    N_CLASSES
} BackendClass;
extern const char *const class_names[N_CLASSES];

#define CHECK_EQUAL 1e-9 // relative

// One point on all backends; times in seconds, NAN where there is none.
typedef struct Comparison {
    Point *point;
    double time_s[N_BACKENDS];
    double closed_form_s, smpi_form_s; // of the model; of max-min sharing, where all messages are under way at once
    double difference;                 // of sim from SMPI, relative to SMPI
    BackendClass class;
    const char *why; // the class, where it is not EQUAL
    char *wrong;     // what a backend says of its data; NULL: all is well
    // SimGrid's own algorithm, NULL: it has none; how sim differs from it, and why it may, NULL: it must not.
    const SimgridTwin *twin;
    double twin_difference;
    const char *twin_why;
} Comparison;

typedef struct Check {
    Request request;
    gboolean asked[N_BACKENDS];
    GPtrArray *points;
    Comparison *of; // of each
    SimgridMachine machine;
    Meter meter; // of mpi
} Check;

// check_report.c: the table, or one object of JSON.
void check_table(const Check *check);
void check_json(const Check *check);

// The words after `check`, COLLECTIVE [ALGORITHM]; the exit status.
int check_backends(char **words, const RequestOptions *options, const char *backends, GError **error);

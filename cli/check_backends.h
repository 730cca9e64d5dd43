// `collsim check --backends`: the same points on several backends, side by side.
#pragma once
#include "request.h"

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

// One point on all backends; times in seconds, NAN where there is none.
typedef struct Comparison {
    const Point *point;
    double time_s[N_BACKENDS];
    double closed_form_s, smpi_form_s; // of the model; of max-min sharing, where all messages are under way at once
    double difference;                 // of SMPI from sim, relative to SMPI
    double theirs;                     // of simgrid from SMPI, relative to SMPI
    BackendClass class;
    const char *why; // the class, where it is not EQUAL
    char *wrong;     // what a backend says of its data; NULL: all is well
} Comparison;

// The words after `check`, COLLECTIVE [ALGORITHM]; the exit status.
int check_backends(char **words, const RequestOptions *options, const char *backends, GError **error);

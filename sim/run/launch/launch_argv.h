// The backends that can be started, and the command that starts one: the program, its launcher and their options.
#pragma once
#include "base/scratch.h"
#include "run/launch/simgrid.h"

// The backends that may have been built. They lie next to the running program, or where COLLSIM_BACKENDS says; if the
// program was installed, in ../libexec/collsim.
typedef enum { LAUNCH_MPI, LAUNCH_MPICH, LAUNCH_SMPI, N_LAUNCHES } LaunchKind;
extern const char *const launch_programs[N_LAUNCHES]; // "collsim-mpi" ..

// Returns where a program lies that is built beside the running one, or where it should lie if it is missing. Free with
// g_free.
char *launch_place(const char *program);
// Returns the path of a backend's program; free with g_free. Returns NULL and an error that says what to install if the
// program was not built.
char *launch_find(LaunchKind kind, GError **error);

// What to start, and how long to wait for it.
typedef struct Launch {
    LaunchKind kind;
    const SimgridMachine *machine; // SMPI: the machine that it simulates; its p does not matter
    const char *library;           // real MPI: what launch_library returned; NULL if the program is still to be asked
    const char *launcher;          // real MPI: "srun -n {p}", where {p} is the number of ranks; NULL for mpirun
    const char *const *options;    // further words before the program, NULL-terminated; NULL if there are none
    double patience_s;             // end a run that stays silent for this time; 0 for PATIENCE_S + the plan's budget
    void (*progress)(int done, int total, void *user); // called after each answer; may be NULL
    void *user;
    gboolean *started; // set to TRUE once the program runs, so that a later error is its own; may be NULL
} Launch;

enum { PATIENCE_S = 60 };

// Where the ranks of a machine with several sockets run: where mpirun puts them, on the cores of a socket before those of
// the next one, or on the sockets in turn.
typedef enum { PLACE_ANY, PLACE_NEAR, PLACE_APART } LaunchPlace;
// Returns the words of an mpirun that place ranks so, each bound to a core of its own (Launch.options); NULL for
// PLACE_ANY. `is_open` says whether it is Open MPI's mpirun; otherwise it is MPICH's.
const char *const *launch_place_words(gboolean is_open, LaunchPlace place);

// Returns the MPI library that the program was built with, as in "Open MPI 4.1.4"; free with g_free. Returns NULL and
// an error if the program does not run. SMPI's program cannot be asked, because it runs only under its launcher.
char *launch_library(const Launch *launch, GError **error);

// The files that a run needs, in a folder of their own.
typedef struct LaunchFiles {
    Scratch scratch;
    char *plan, *platform, *hosts;
} LaunchFiles;

// Returns the words of the command that starts the backend, up to the plan, which the caller adds. Returns NULL and an
// error if the program or its launcher is missing, or if `launcher` has no {p}. Free with g_ptr_array_unref.
GPtrArray *launch_argv(const Launch *launch, int p, const LaunchFiles *files, GError **error);

// Returns this command as one line, as a person would type it; free with g_free. Returns NULL and an error as
// launch_argv does.
char *launch_command(const Launch *launch, int p, GError **error);

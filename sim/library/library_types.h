// What the files of the library share: what is behind the types of collsim.h, and errors.
#pragma once
#include "library/collsim.h"
#include "search/search/points.h"

struct collsim_platform {
    Platform *platform;
};

// The texts of the options, by the number of their names.
typedef enum LibraryOption {
    OPTION_ROOT,
    OPTION_ELEMENT,
    OPTION_PER_NODE,
    OPTION_MAP,
    OPTION_COUNTS,
    OPTION_DISPLS,
    OPTION_MODEL,
    OPTION_TRANSFER,
    OPTION_PARAM,
    OPTION_HAN,
    OPTION_ONLY,
    OPTION_WITHOUT, // of collsim_best
    OPTION_WITHIN,  // of collsim_best
    OPTION_ARRIVAL,
    OPTION_NOISE,
    OPTION_SEEDS,
    OPTION_BY,
    OPTION_TOPOLOGY,
    OPTION_ROUTING,
    OPTION_NODES,
    OPTION_ORDERED, // from here on, "yes" or "no"
    OPTION_NO_HAN,
    OPTION_FULL,
    N_LIBRARY_OPTIONS
} LibraryOption;

struct collsim_request {
    Platform *platform; // not owned
    Collective collective;
    GArray *ranks, *sizes; // size_t; NULL until they are set
    GArray *per_node;      // of the ranks, as Request has it
    char *algorithms;      // NULL for all
    char *option[N_LIBRARY_OPTIONS];
    GPtrArray *params; // of char *, ends in NULL
    gint stop;         // not 0 once collsim_request_stop was called; read and written atomically
};

// Stores what went wrong as an error for the caller, and returns its code. Takes ownership of `why`.
int library_fail(GError *why, collsim_error **error);
// Returns FALSE and an error if a pointer that must not be NULL is; `what` is the name of its parameter.
gboolean library_given(const void *pointer, const char *what, GError **error);
// Returns FALSE and an error if a text is NULL or not UTF-8.
gboolean library_text(const char *text, const char *what, GError **error);

// Makes the request that the engine runs, for what collsim_`what` does. Its ranks and sizes are those of `from`, which
// must outlive it. `named` says whether the algorithms that were named matter; r->question.one_root must be set, and all
// else is. Clear it with library_request_clear, also after an error.
gboolean library_request_make(const collsim_request *from, gboolean named, Request *r, GError **error);
void library_request_clear(Request *r);

// The algorithms that an MPI library can be forced to use. Open MPI knows them by ids, MPICH by names; both are aliases
// in the registry.
#pragma once
#include "registry/registry.h"
#include <glib.h>

typedef struct Forced {
    CollAlgorithm entry;       // a copy of `base` under another name, "library:ring"
    const CollAlgorithm *base; // the entry of the registry
    char *value;               // the algorithm's id or name in the library
    char *name;                // entry.name
} Forced;

// Returns the algorithms (of Forced) that `text` asks for: an id of Open MPI (if open_mpi) or a name of MPICH, our
// name, or "all". Returns NULL and an error if there is none. Free with g_ptr_array_unref.
GPtrArray *forced_find(Collective collective, gboolean open_mpi, const char *text, GError **error);
void forced_free(gpointer forced); // one of them, that was taken out
// Returns the words to put before a program so that the library uses the algorithm with these parameters: `env` and
// assignments, NULL-terminated. With `monitored` they also make Open MPI count the messages. Returns NULL and an error
// if the library has no setting for a parameter that is not at its default. Free with g_strfreev.
char **forced_words(const Forced *forced, gboolean open_mpi, gboolean monitored, const CollParams *par, GError **error);

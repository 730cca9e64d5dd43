// The algorithms that an MPI library can be forced to use: by Open MPI's ids and MPICH's names, which are aliases in the
// registry.
#pragma once
#include "registry/registry.h"
#include <glib.h>

typedef struct Forced {
    CollAlgorithm entry; // a copy of the registry's with another name, "library:ring"
    const CollAlgorithm *base;
    char *value; // its id or name in the library
    char *name;
} Forced;

// Returns the algorithms (of Forced) that `text` asks for: an id of Open MPI (if open_mpi) or a name of MPICH, our name, or
// "all". Returns NULL and an error if there is none. Free with g_ptr_array_unref.
GPtrArray *forced_find(Collective collective, gboolean open_mpi, const char *text, GError **error);
// Returns the words before a program that force the algorithm with these parameters: `env` and variables, ended by NULL.
// With `monitored` they also make Open MPI count the messages. Returns NULL and an error if the library cannot be told a
// parameter. Free with g_strfreev.
char **forced_words(const Forced *forced, gboolean open_mpi, gboolean monitored, const CollParams *par, GError **error);

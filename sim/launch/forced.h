// The library's own algorithms, by Open MPI's ids and MPICH's names, as the registry's aliases have them.
#pragma once
#include "registry/registry.h"
#include <glib.h>

typedef struct Forced {
    CollAlgorithm entry; // the registry's but for its name, "library:ring"
    const CollAlgorithm *base;
    char *value; // its id or name there
    char *name;
} Forced;

// Those that `text` asks for: "3" or "ring" of Open MPI (open_mpi), "mpich's name" of MPICH, or "all"; to be freed with
// g_ptr_array_unref. NULL and bad input.
GPtrArray *forced_find(Collective collective, gboolean open_mpi, const char *text, GError **error);
// What stands before a program so that the library takes it, with these parameters: env and variables, NULL-terminated; to
// be freed with g_strfreev. `monitored`: and so that its messages are counted. NULL and bad input where the library cannot
// be told a parameter.
char **forced_words(const Forced *forced, gboolean open_mpi, gboolean monitored, const CollParams *par, GError **error);

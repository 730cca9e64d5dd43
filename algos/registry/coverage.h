// What there is to cover: the ids of Open MPI, the names of MPICH, and the algorithms of the five documents that the
// project grew from, each with the entry that does it. README's table is made from here.
#pragma once
#include "registry/registry.h"

typedef enum { COVER_OMPI, COVER_MPICH, COVER_DOCUMENTS, N_COVERS } Cover;
extern const char *const cover_names[];

typedef struct CoverItem {
    Cover cover;
    Collective collective;
    const char *name;   // "ompi:6", "mpich:binomial": an alias of the entry; of a document "000 bcast pipeline"
    const char *entry;  // of a document: the entry's name; of a library: its own name for the id
    const char *reason; // why no entry does it; NULL where one does
} CoverItem;
extern const CoverItem cover_items[];
extern const int n_cover_items;

// The entry that does it; NULL: none.
const CollAlgorithm *cover_entry(const CoverItem *item);

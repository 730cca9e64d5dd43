// Coverage: the ids of Open MPI, the names of MPICH, and the algorithms of the five documents that the project grew
// from, each with the entry that implements it. README's table is made from here.
#pragma once
#include "registry/registry.h"

typedef enum { COVER_OMPI, COVER_MPICH, COVER_DOCUMENTS, N_COVERS } Cover;
extern const char *const cover_names[];

typedef struct CoverItem {
    Cover cover;
    Collective collective;
    const char *name;   // of a library, an alias of the entry ("ompi:6", "mpich:binomial"); of a document, its number
    const char *entry;  // of a library, its own name for the id; of a document, the entry's name
    const char *reason; // why no entry implements it; NULL if one does
} CoverItem;
extern const CoverItem cover_items[];
extern const int n_cover_items;

// Returns the entry that implements the item, or NULL.
const CollAlgorithm *cover_entry(const CoverItem *item);

// Coverage: a list of the ids of Open MPI, the names of MPICH, and the algorithms of the five documents that the
// project grew from, each with the entry that implements it. README's table is generated from this list.
#pragma once
#include "registry/registry.h"

typedef enum { COVER_OMPI, COVER_MPICH, COVER_DOCUMENTS, N_COVERS } Cover;
extern const char *const cover_names[];

typedef struct CoverItem {
    Cover cover;
    Collective collective;
    const char *name;   // library: an alias of the entry ("ompi:6", "mpich:binomial"); document: its number ("001")
    const char *entry;  // library: its own name for the id; document: the entry's name
    const char *reason; // why no entry implements the item; NULL if an entry does
} CoverItem;
extern const CoverItem cover_items[];
extern const int n_cover_items;

// Returns the entry that implements the item, or NULL if there is none.
const CollAlgorithm *cover_entry(const CoverItem *item);

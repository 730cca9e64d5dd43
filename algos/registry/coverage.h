// Coverage: a list of the ids of Open MPI and Intel, the names of MPICH, UCC and libnbc, and the algorithms of the five
// documents that the project grew from, each with the entry that implements it. README's table is generated from this
// list.
#pragma once
#include "registry/registry.h"

typedef enum { COVER_OMPI, COVER_MPICH, COVER_UCC, COVER_LIBNBC, COVER_INTEL, COVER_DOCUMENTS, N_COVERS } Cover;
extern const char *const cover_names[];
enum { IN_41 = 1, IN_5 = 2, IN_MAIN = 4 }; // Open MPI 4.1.4, 5.0.9 and its main branch

typedef struct CoverItem {
    Cover cover;
    Collective collective;
    const char *name;   // library: an alias of the entry ("ompi:6", "mpich:binomial"); document: its number
    const char *entry;  // Open MPI and Intel: the library's name for the id; document: the entry's name; otherwise NULL
    const char *reason; // why no entry implements the item; NULL if an entry does
    int versions;       // Open MPI: the versions that have this id, a sum of IN_41, IN_5 and IN_MAIN; otherwise 0
} CoverItem;
extern const CoverItem cover_items[];
extern const int n_cover_items;

// Returns the entry that implements the item, or NULL if there is none.
const CollAlgorithm *cover_entry(const CoverItem *item);

// The sources that a table of all entries has a column for.
typedef enum {
    COLUMN_OMPI_41,
    COLUMN_OMPI_5,
    COLUMN_OMPI_MAIN,
    COLUMN_HAN, // a component of Open MPI 4.1 and later
    COLUMN_MPICH,
    COLUMN_SIMGRID,
    COLUMN_UCC,
    COLUMN_LIBNBC, // a component of Open MPI
    COLUMN_INTEL,
    COLUMN_DOCUMENTS,
    N_COVER_COLUMNS
} CoverColumn;

// Returns what the source calls the entry: its names or ids, or the numbers of the documents that have it, with a space
// between two; "" if the source does not have it. Free with g_free.
char *cover_cell(const CollAlgorithm *a, CoverColumn column);
// Returns true if the item belongs into this column.
bool cover_in(const CoverItem *item, CoverColumn column);
// Returns the item's name without the source: "6" for "ompi:6". It lives as long as the program.
const char *cover_bare_name(const CoverItem *item);

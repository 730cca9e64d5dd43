// The MPI libraries whose decisions are known, by version, and the names that users give them. A name is LIB-VERSION,
// where VERSION is a version or its beginning, cut before a dot: ompi-4.1.4, ompi-4.1 and ompi-4 are all Open MPI
// 4.1.4. UCC is no MPI, but a library of collectives that Open MPI calls if it is told to.
#pragma once
#include <glib.h>

// Versions of one library follow each other, the oldest first.
typedef enum {
    LIBRARY_OMPI_41,
    LIBRARY_OMPI_5,
    LIBRARY_OMPI_MAIN,
    LIBRARY_MPICH_40,
    LIBRARY_MPICH_43,
    LIBRARY_UCC_13,
    LIBRARY_UCC_14,
    N_LIBRARIES
} LibraryId;

typedef enum { LIBRARY_OMPI, LIBRARY_MPICH, LIBRARY_UCC, N_LIBRARY_FAMILIES } LibraryFamily;

// What all versions of a library share.
typedef struct LibraryOf {
    const char *name;        // without a version: "ompi"
    const char *algorithms;  // the file of its algorithms in the folder `decisions`
    const char *prefixes[2]; // of its names in the registry: "ompi:"; the second one is that of newer versions, or NULL
    gboolean ids;            // users know its algorithms by number, and not by name
} LibraryOf;
extern const LibraryOf library_families[N_LIBRARY_FAMILIES];

typedef struct Library {
    LibraryId id; // its place in `libraries`
    LibraryFamily family;
    const char *name;         // as users write it and answers print it: "ompi-4.1"
    const char *title;        // "Open MPI 4.1.4"
    const char *versions[4];  // the versions that decide alike, without the library's name: "4.1.4"; ended by NULL
    gboolean usual;           // this is what the library's name alone means: "ompi"
    const char *table;        // the file of its decisions in the folder `decisions`
    const char *compositions; // the file of ch4's compositions; "" for others
} Library;

extern const Library libraries[N_LIBRARIES];

// Returns the library that a user's name means: "ompi-4.1", "mpich-4.3.1", or "ompi" and "mpich" alone. Returns NULL
// and an error that lists all names if it means none, or more than one ("mpich-4").
const Library *library_find(const char *name, GError **error);
// Returns TRUE if a user who writes this name means a library: it is the name of one, or begins with that and a '-'.
gboolean library_names(const char *name);
// Returns TRUE if the name of a library is near this one, so that a user may have meant it.
gboolean library_is_near(const char *name);
// Returns the library's name without a version: "ompi", "mpich" or "ucc".
const char *library_family(LibraryFamily family);
// Returns the names of all libraries, joined by commas: "ompi-4.1, ompi-5, ..". Free with g_free.
char *library_list(void);

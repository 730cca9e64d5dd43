// Twins: SimGrid's own collectives (SMPI 3.32) and the entries that are the same algorithm. For each of SimGrid's names
// the table says which entry does the same, with which parameters, at which points both must take the same time, and
// why their times differ at the other points. The table was found by running both, for p = 2 to 16 and nine sizes of up
// to 2 MB, some of them not multiples of p, under rendezvous and eager.
#pragma once
#include "registry/registry.h"

// The numbers of elements for which both cut the vector into the same blocks.
typedef enum {
    CUT_ANY,
    CUT_RANKS,  // multiples of p
    CUT_POW2,   // multiples of 2^floor(log2 p) that are at least p
    CUT_FILLED, // at least p, so that no block is empty
} SimgridCut;

typedef struct SimgridTwin {
    Collective collective;
    const char *name;      // SimGrid's name, as in smpi/COLLECTIVE:NAME; "default" if SimGrid has only one algorithm
    const char *algorithm; // the name of the entry, which has the alias "smpi:NAME"; NULL if no entry does the same
    const char *with[2];   // SimGrid's names for collectives that this one calls: "bcast:flattree"
    // Sets the parameters that SimGrid chooses for p ranks and a vector or block of m bytes. NULL if they do not depend
    // on these: then the entry's alias sets them (CollAlgorithm.presets).
    void (*rule)(int p, size_t m, CollParams *par);
    // The conditions under which both take the same time, see simgrid_twin_equal.
    SimgridCut cut;
    bool pow2;   // SimGrid's runs only if p is a power of two
    bool nodes;  // needs several ranks on a host; must run once before it is timed, because SimGrid makes communicators
    bool shares; // under rendezvous, a rank's messages share its port in SimGrid, and wait for each other here
    bool order;  // SimGrid's reduces in another order, so the times differ if reductions take time
    bool differs;           // the algorithm is the same, but the times are hardly ever equal
    const char *difference; // why times differ at some points, or why there is no entry; NULL if they never differ
} SimgridTwin;

extern const SimgridTwin simgrid_twins[]; // sorted by collective; of the twins of one entry, the best comes first
extern const int n_simgrid_twins;

// Returns the first twin of an entry, or the one whose name an algorithm has (algorithm_find); NULL if SimGrid has
// none.
const SimgridTwin *simgrid_twin(const CollAlgorithm *a);
// Returns the options of smpirun that choose SimGrid's algorithm, "--cfg=smpi/allgather:GB" .., ended by NULL. Free
// with g_strfreev.
char **simgrid_twin_options(const SimgridTwin *t);
// Returns the parameters with which the entry does what SimGrid does. t->algorithm must not be NULL.
CollParams simgrid_twin_params(const SimgridTwin *t, int p, size_t m);
// Returns true if both must take the same time, provided that the entry itself runs and not its fallback. `elements` is
// the number of elements of the vector or block; per_node is 0 or 1 without nodes; `eager` means that both transfer
// eagerly (simgrid.h), otherwise both use rendezvous; `reduces` means that the collective reduces and that reductions
// take time. If the function returns false, `difference` says why; if `difference` is NULL, the nodes are not equal.
bool simgrid_twin_equal(const SimgridTwin *t, int p, int per_node, size_t elements, bool eager, bool reduces);

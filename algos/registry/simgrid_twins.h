// SimGrid's own collectives (SMPI 3.32) beside ours: which of its names is the same algorithm as which entry, with
// which parameters, where the simulated times are equal then, and why not elsewhere. Found by running both: p = 2 to
// 16, nine sizes of up to 2 MB, some of them not multiples of p, each under rendezvous and eager.
#pragma once
#include "registry/registry.h"

// What the number of elements must be for both to cut the vector alike.
typedef enum {
    CUT_ANY,
    CUT_RANKS,  // a multiple of p
    CUT_POW2,   // a multiple of 2^floor(log2 p), and p or more
    CUT_FILLED, // p or more: no block is empty
} SimgridCut;

typedef struct SimgridTwin {
    Collective collective;
    const char *name;      // SimGrid's: smpi/COLLECTIVE:NAME; "default" where there is nothing to choose
    const char *algorithm; // the entry, of which "smpi:NAME" is an alias; NULL: none here does this
    const char *with[2];   // what else is to be chosen, for collectives that this one calls: "bcast:flattree"
    // What SimGrid fixes: segment, radix, prestep and max_requests, unless they are 0, in place of the entry's
    // defaults; the part `outer`; and, of a vector or block of m bytes, what this function sets.
    CollParams fixed;
    const char *outer;
    void (*rule)(int p, size_t m, CollParams *par);
    SimgridCut cut;
    bool pow2;              // runs there only where p is a power of two
    bool nodes;             // several ranks a host; to be run once before, for SimGrid makes communicators then
    bool shares;            // in rendezvous, messages of a rank share its port there, and wait for each other here
    bool order;             // reduces in another order, which tells where that costs time
    bool differs;           // the same algorithm, but hardly ever the same time
    const char *difference; // why times differ where they do, or why there is no entry; NULL: they never do
} SimgridTwin;

extern const SimgridTwin simgrid_twins[]; // by collective; of the twins of one entry, the best comes first
extern const int n_simgrid_twins;

// The first twin of an entry; NULL: SimGrid has none.
const SimgridTwin *simgrid_twin(const CollAlgorithm *a);
// The options of smpirun that choose it, "--cfg=smpi/allgather:GB" .., ended by NULL; free with g_strfreev.
char **simgrid_twin_options(const SimgridTwin *t);
// The parameters of the entry (which is not NULL) that do what SimGrid does.
CollParams simgrid_twin_params(const SimgridTwin *t, int p, size_t m);
// Must both take the same time? `elements` of the vector or block; per_node: 0 or 1 without nodes; eager: the transfer
// eager of both (simgrid.h), else rendezvous; reduces: a reduction takes time, and they do. Where it is false,
// `difference` says why, or there are no equal nodes. The entry itself must run, not its fallback.
bool simgrid_twin_equal(const SimgridTwin *t, int p, int per_node, size_t elements, bool eager, bool reduces);

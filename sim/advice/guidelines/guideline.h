// Performance guidelines: what a user may expect of an MPI library without knowing how it works. A collective must not take
// longer than others that together do its work, because the library could call these.
//
//     allgather(m) <= gather(m) + bcast(p*m)      a mock-up: what stands on the right does the work of the left
//     each(m) <= each(next(m))                    monotony: less is not slower than more
//     each(m) <= each(m) on next(p)
//     each(k*m) <= k*each(m)                      split-robustness: one call is not slower than k calls of a part
//     allreduce(m) on nodes <= allreduce(m)       one rank on each node is not slower than many
//
// A size is what -m means for its collective (CollectiveInfo.message). The grammar, in which spaces mean nothing:
//
//     guideline = term "<=" [product "*"] term { "+" [product "*"] term }
//     term      = COLLECTIVE "(" [product] ")" [ "on" ( "next(p)" | "nodes" ) ]
//     product   = factor { ("*" | "/") factor }
//     factor    = NUMBER | "m" | "next(m)" | "k" | "p" | "nodes" | "per_node"
//
// COLLECTIVE is one of `collsim list`, `reduce_local`, which is a rank that reduces m bytes with as many others, or `each`:
// every collective in turn, the same on both sides.
#pragma once
#include "api/collective.h"
#include <glib.h>

// What stands in place of a Collective.
enum { GUIDELINE_LOCAL = N_COLLECTIVES, N_GUIDELINE_COLLECTIVES, GUIDELINE_EACH = N_GUIDELINE_COLLECTIVES };

typedef enum {
    GUIDELINE_K,        // a whole number above 1, so that k*m is a size of the grid
    GUIDELINE_PER_NODE, // ranks on each node; 1 without nodes
    GUIDELINE_NODES,    // p without nodes
    GUIDELINE_P,
    GUIDELINE_M,
    GUIDELINE_NEXT, // the next larger size
    N_GUIDELINE_VARIABLES
} GuidelineVariable;

// times / over, multiplied by each variable to its power, which is negative for what divides.
typedef struct GuidelineProduct {
    size_t times, over;
    int power[N_GUIDELINE_VARIABLES];
} GuidelineProduct;

// Which ranks run a term: the ranks of the point, the next larger number of ranks, or one rank on each node.
typedef enum { GUIDELINE_ON_SAME, GUIDELINE_ON_NEXT, GUIDELINE_ON_NODES } GuidelineOn;

typedef struct GuidelineTerm {
    int collective;
    gboolean sized; // FALSE: nothing stands in the brackets, and the size is 0
    GuidelineProduct count, size;
    GuidelineOn on;
} GuidelineTerm;

typedef enum {
    GUIDELINE_MOCK_UP,
    GUIDELINE_SIZES, // monotony in m
    GUIDELINE_RANKS, // monotony in p
    GUIDELINE_SPLIT,
    GUIDELINE_BY_NODES,
    N_GUIDELINE_KINDS
} GuidelineKind;
extern const char *const guideline_kinds[N_GUIDELINE_KINDS]; // "mock-up", "monotony in m" ..

typedef struct Guideline {
    char *text, *source; // the text is that of guideline_text; the source may be ""
    GuidelineKind kind;
    GuidelineTerm left;
    GArray *right; // of GuidelineTerm, at least one
} Guideline;

// Reads one guideline. `what` is what errors call it. Returns NULL and an error with a column on bad input. Free with
// guideline_free.
Guideline *guideline_parse(const char *text, const char *what, GError **error);
void guideline_free(gpointer guideline);
// Returns a guideline as text that guideline_parse reads back. Free with g_free.
char *guideline_text(const Guideline *guideline);
// Returns the name of a collective, "reduce_local" or "each".
const char *guideline_collective(int collective);

// Reads a list, a CSV with the columns `guideline` and perhaps `source`; NULL stands for the list that collsim comes with.
// A guideline that stands there twice is an error. Free with g_ptr_array_unref.
GPtrArray *guidelines_read(const char *path, GError **error);
// Does the same with a text in memory, which errors call `name`.
GPtrArray *guidelines_parse(const char *text, size_t length, const char *name, GError **error);

// Sets *out to the value of a product, where value[i] is that of variable i. Returns FALSE if it is not a whole number, if it is
// above LIMIT_BYTES, or if a variable that it has is 0.
gboolean guideline_value(const GuidelineProduct *product, const size_t value[N_GUIDELINE_VARIABLES], size_t *out);
// Sets value[GUIDELINE_M] so that the product, which has m once, has a value. Returns FALSE if no whole number does that.
gboolean guideline_invert(const GuidelineProduct *product, size_t value[N_GUIDELINE_VARIABLES], size_t result);

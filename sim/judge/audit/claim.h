// A claim: what a source says that a collective costs. It comes from a table (experiments/claims/*.csv) or from a user.
#pragma once
#include "base/csv.h"
#include "engine/formula/expression.h"
#include "registry/registry.h"
#include "judge/audit/sample.h"

typedef enum {
    QUANTITY_TIME,              // T in alpha, beta and gamma, or in L, o, g and G
    QUANTITY_BOUND,             // a lower bound on T for all algorithms of the collective, in alpha, beta and gamma
    QUANTITY_ROUNDS,            // the coefficient of alpha in T
    QUANTITY_MESSAGES,          // messages in the whole run
    QUANTITY_BYTES,             // bytes sent in the whole run
    QUANTITY_CONNECTIONS,       // number of ranks that the root exchanges messages with
    QUANTITY_CONNECTION_MEMORY, // bytes that the root keeps for these connections
    QUANTITY_SCRATCH,           // bytes of the root's temporary buffers
    QUANTITY_SCRATCH_ROOT_1,    // the same if the root is rank 1; it is rank 0 otherwise
    QUANTITY_OTHERS_SCRATCH,    // the same as `scratch` for the rank with the largest buffers among the others
    QUANTITY_COPIED,            // bytes that the root copies
    QUANTITY_SEGMENT,           // bytes of the shared-memory segment that an operation touches
    QUANTITY_ALLOCATED,         // bytes of the segment that a component allocates for all operations
    QUANTITY_BANDWIDTH,         // m / T where only beta costs something, in B = 1/beta
    QUANTITY_CROSSOVER,         // bytes, as -m, from which `against` is faster
    QUANTITY_SPEEDUP,           // T of `against` / T of `algorithm`, the largest over all alpha and beta
    QUANTITY_ID,                // the algorithm's number in Open MPI 4.1
    QUANTITY_IDS,               // the largest number of an algorithm of the collective in Open MPI 4.1
    QUANTITY_FALLBACK,          // the name of the algorithm that runs where a need of `algorithm` is not met
    QUANTITY_MCA,               // a parameter of Open MPI 4.1, NAME or NAME=DEFAULT
    QUANTITY_FIGURE,            // a number that the source derives from others, or a count of Open MPI's algorithms
    N_QUANTITIES
} Quantity;
extern const char *const quantity_names[]; // NULL-terminated

typedef enum { CLAIM_EQUALITY, CLAIM_UPPER, CLAIM_LOWER, CLAIM_ORDER, CLAIM_MEASUREMENT, CLAIM_SUITED } ClaimKind;
extern const char *const claim_kinds[]; // NULL-terminated

// The model whose costs a claim is about; COSTS_NONE for a claim that is not a time or a bound.
typedef enum { COSTS_NONE, COSTS_HOCKNEY, COSTS_LOGGP } CostModel;

// The symbols that a claim's expressions may use. The algorithm's parameters follow, from SYMBOL_PARAMS on, then the
// names that the claim's own readings define.
typedef enum {
    SYMBOL_P,
    SYMBOL_M,
    SYMBOL_N, // m, unless a reading defines n
    SYMBOL_S,
    SYMBOL_K,
    SYMBOL_ALPHA,
    SYMBOL_BETA,
    SYMBOL_GAMMA,
    SYMBOL_L,
    SYMBOL_O,
    SYMBOL_G,
    SYMBOL_G_BYTE,
    SYMBOL_B,
    SYMBOL_PARAMS
} Symbol;
enum { MAX_SYMBOLS = 80 };

// The symbols that a figure may use in place of an algorithm's parameters, three for each collective in
// turn: COLLECTIVE_ids is the largest number of an algorithm in Open MPI 4.1, COLLECTIVE_main_ids the largest in 4.1 or
// its main branch, and COLLECTIVE_limited_ids how many algorithms of 4.1 take a limit on a rank's open requests.
enum { FIGURE_IDS, FIGURE_MAIN_IDS, FIGURE_LIMITED_IDS, N_FIGURE_NAMES };

// One reading, NAME=EXPRESSION: what the claim means by a letter.
typedef struct Reading {
    int symbol;
    Expression *value;
} Reading;

// One claim. The texts are the columns of its table (experiments/claims/README.md); a text is "" if the column is
// empty.
typedef struct Claim {
    char *id, *source, *place, *params, *against_params, *text, *let, *where, *without, *truth, *note;
    Collective collective;                    // N_COLLECTIVES if the claim is about no collective
    const CollAlgorithm *algorithm, *against; // NULL if the column is empty
    GPtrArray *rivals; // of const CollAlgorithm *: `against` of a recommendation, which may have several; else NULL
    Quantity quantity;
    ClaimKind kind;
    // All parameters of the algorithm and of `against`: those that the claim gives, and the defaults of the others.
    CollParams par, against_par;
    // claim_prepare sets the rest.
    CostModel costs;
    char *names[MAX_SYMBOLS + 1]; // by symbol, NULL-terminated
    GArray *readings;             // Reading
    Expression *value;            // `text`; NULL if it is empty or a name
    Expression *domain;           // `where`; NULL if the claim is about all points
    Expression *figure;           // `truth` of a figure, else NULL
    bool left_out[SAMPLE_PARTS];  // costs that the claim leaves out on purpose (`without`)
    // Which parameters the expressions use, so that the grid has to vary them.
    bool varies_S, varies_k, varies_param[COLL_MAX_PARAMS];
} Claim;

// Returns true for a time or a bound: the claim is an expression in the costs alpha, beta, gamma, or L, o, g, G.
static inline bool claim_is_cost(const Claim *claim)
{
    return claim->quantity == QUANTITY_TIME || claim->quantity == QUANTITY_BOUND;
}

// Returns true if the claim's text is a name, not an expression.
static inline bool claim_is_name(const Claim *claim)
{
    return claim->quantity == QUANTITY_FALLBACK || claim->quantity == QUANTITY_MCA;
}

// Returns true for the bytes of a shared-memory segment.
static inline bool claim_is_segment(const Claim *claim)
{
    return claim->quantity == QUANTITY_SEGMENT || claim->quantity == QUANTITY_ALLOCATED;
}

// Reads the texts of a claim whose members up to `par` are set, and which may have its `value` already. Returns FALSE and
// an error that begins with the claim's id on bad input. Free with claim_free, also then.
gboolean claim_prepare(Claim *claim, GError **error);
// Sets only `names`, those that `let` defines too, for which it reads the definitions. Otherwise as claim_prepare.
gboolean claim_define(Claim *claim, GError **error);
// Tell which of several readings of a formula can be meant. A time is proportional to its costs: twice the costs give
// twice the time. It is homogeneous in bytes: in a unit of half a byte, at half the cost for each, it is the same.
bool claim_is_proportional(const Claim *claim);
bool claim_is_homogeneous(const Claim *claim);
void claim_free(Claim *claim);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Claim, claim_free)

// Reads a table and appends its claims to `to`, whose free function must be claim_free. Returns FALSE and an error with
// FILE:LINE on bad input; `to` has the claims before that line then.
gboolean claims_read(const char *path, GPtrArray *to, GError **error);
// Reads all tables of a folder, in the order of their names, except the one with Open MPI's real parameters.
#define CLAIMS_PARAMETERS "openmpi-4.1-parameters.csv"
gboolean claims_read_folder(const char *folder, GPtrArray *to, GError **error);

// Return the parameter that S stands for (`segment`), the one that k stands for (`radix`, `chains` or `leaders`), and the
// size from which on the algorithm does something else (`limit`). Return NULL if the algorithm does not have it.
const CollParam *claim_segment_param(const CollAlgorithm *a);
const CollParam *claim_limit_param(const CollAlgorithm *a);
const CollParam *claim_k_param(const CollAlgorithm *a);
// Sets the MAX_SYMBOLS values to the sample's point and to the algorithm's parameters there, `par`. All costs are 0.
void claim_point(const Claim *claim, const Sample *s, const CollParams *par, double *values);
// Returns true if the claim is about the point that claim_point set: if its `where` has a value there that is not 0.
bool claim_covers(const Claim *claim, double *values);
// Returns what is claimed at the point that claim_point set, under these costs: cost_models[claim->costs].n of them,
// which are stored in values. Returns NAN or an infinity if the expression has no value there.
double claim_value(const Claim *claim, const double *costs, double *values);

// The costs of a model: their names, and their places among the symbols.
typedef struct CostNames {
    int n;
    const char *name[SAMPLE_PARTS];
    bool bytes[SAMPLE_PARTS];                 // true if the coefficient is in bytes
    Symbol symbol;                            // the symbol of the first cost; the others follow it
    double mixed[SAMPLE_MIXED][SAMPLE_PARTS]; // the costs at which Sample.mixed is taken if none is left out
} CostNames;
extern const CostNames cost_models[]; // by CostModel
// Sets the n costs of a model to those of Sample.part[i] (the i-th is 1, the others 0) or, if i >= n, to those of
// Sample.mixed[i - n], where cost j is 0 if left_out[j].
void claim_costs_at(CostModel model, const bool *left_out, int i, double *cost);
// Returns the sum of the parts as text, "2 alpha + 24 beta"; with COSTS_NONE the one number, or "never" if it is
// infinite. Free with g_free.
char *claim_costs_text(CostModel costs, const double *value);

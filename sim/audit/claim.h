// A claim: what a source says that a collective costs, as data (experiments/claims/*.csv) or as a user types it.
#pragma once
#include "base/csv.h"
#include "audit/expression.h"
#include "registry/registry.h"
#include "audit/sample.h"

typedef enum {
    QUANTITY_TIME,              // T of alpha, beta, gamma, or of L, o, g, G
    QUANTITY_BOUND,             // what no algorithm of the collective can beat, likewise
    QUANTITY_ROUNDS,            // alpha's coefficient in T
    QUANTITY_MESSAGES,          // of the whole run
    QUANTITY_BYTES,             // sent in the whole run
    QUANTITY_CONNECTIONS,       // ranks that the root exchanges messages with
    QUANTITY_CONNECTION_MEMORY, // bytes that the root keeps for them
    QUANTITY_SCRATCH,           // bytes of the root's temporary buffers
    QUANTITY_OTHERS_SCRATCH,    // the most of any other rank
    QUANTITY_COPIED,            // bytes that the root copies
    QUANTITY_SEGMENT,           // bytes of shared memory
    QUANTITY_BANDWIDTH,         // m / T by beta alone, of B = 1/beta
    QUANTITY_CROSSOVER,         // the size from which `against` is faster
    QUANTITY_SPEEDUP,           // T of `against` / T, the most that any alpha, beta give
    QUANTITY_ID,                // Open MPI 4.1's number of the algorithm
    QUANTITY_IDS,               // the largest such number of the collective
    QUANTITY_MCA,               // a parameter of Open MPI 4.1, NAME or NAME=DEFAULT
    QUANTITY_FIGURE,            // a number that follows from others, and from how many algorithms Open MPI has
    N_QUANTITIES
} Quantity;
extern const char *const quantity_names[]; // NULL-terminated

typedef enum { CLAIM_EQUALITY, CLAIM_UPPER, CLAIM_ORDER } ClaimKind;
extern const char *const claim_kinds[]; // NULL-terminated

// Whose coefficients are judged.
typedef enum { COSTS_NONE, COSTS_HOCKNEY, COSTS_LOGGP } CostModel;

// What a claim can name, in this order; the algorithm's parameters and the claim's own readings follow.
typedef enum {
    SYMBOL_P,
    SYMBOL_M,
    SYMBOL_N, // m, where no reading says otherwise
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
enum { MAX_SYMBOLS = 64 };

// In place of parameters, what figures can name: COLLECTIVE_ids, Open MPI 4.1's largest number of an algorithm, and
// COLLECTIVE_main_ids, that of its main branch, for each collective in turn.
enum { FIGURE_IDS, FIGURE_MAIN_IDS, N_FIGURE_NAMES };

// One reading: NAME=EXPRESSION.
typedef struct Reading {
    int symbol;
    Expression *value;
} Reading;

// Texts are owned; empty where there is nothing.
typedef struct Claim {
    char *id, *source, *place, *params, *text, *let, *where, *without, *truth, *note;
    Collective collective;                    // N_COLLECTIVES: of none
    const CollAlgorithm *algorithm, *against; // NULL: none
    Quantity quantity;
    ClaimKind kind;
    CollParams par; // what params leave at their defaults is there too
    // From the texts; value is NULL where the claim is no expression, or nothing is claimed.
    CostModel costs;
    char *names[MAX_SYMBOLS + 1];
    GArray *readings; // Reading
    Expression *value, *domain, *figure;
    bool left_out[SAMPLE_PARTS];
    bool varies_S, varies_k, varies_param[COLL_MAX_PARAMS];
} Claim;

// Is it in alpha, beta, gamma, or in L, o, g, G?
static inline bool claim_is_cost(const Claim *claim)
{
    return claim->quantity == QUANTITY_TIME || claim->quantity == QUANTITY_BOUND;
}

// Compiles the texts of a claim of which all above `par` is set. False and bad input, which begins with its id.
gboolean claim_prepare(Claim *claim, GError **error);
void claim_free(Claim *claim);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Claim, claim_free)

// Reads a table; claims are added to `to` (of Claim, which is to free them). Bad input names FILE:LINE.
gboolean claims_read(const char *path, GPtrArray *to, GError **error);
// All tables of a folder, in the order of their names, but for this one, which has Open MPI's real parameters.
#define CLAIMS_PARAMETERS "openmpi-4.1-parameters.csv"
gboolean claims_read_folder(const char *folder, GPtrArray *to, GError **error);

// The parameter that S, and that k, is of this algorithm; NULL: none.
const CollParam *claim_segment_param(const CollAlgorithm *a);
const CollParam *claim_k_param(const CollAlgorithm *a);
// Sets values of MAX_SYMBOLS: those of the sample's point, and no costs. par: what the algorithm gets there.
void claim_point(const Claim *claim, const Sample *s, const CollParams *par, double *values);
// Is it meant for that point?
bool claim_covers(const Claim *claim, double *values);
// What it claims where the costs are so: costs has as many as the model has.
double claim_value(const Claim *claim, const double *costs, double *values);

// The costs that are judged, and where they stand among the symbols.
typedef struct CostNames {
    int n;
    const char *name[SAMPLE_PARTS];
    bool bytes[SAMPLE_PARTS];                 // is the coefficient in bytes?
    Symbol symbol;                            // of the first; the others follow
    double mixed[SAMPLE_MIXED][SAMPLE_PARTS]; // the costs of Sample.mixed
} CostNames;
extern const CostNames cost_models[]; // by CostModel
// The costs of a sample's parts, i < n, and of its `mixed`, which follow.
void claim_costs_at(CostModel model, int i, double *cost);
// "2 alpha + 24 beta": values of the parts; a lone part of no name is a number. Free with g_free.
char *claim_costs_text(CostModel costs, const double *value);

// What of a claim holds: the verdict, from what is claimed and what is true at every point of a grid.
#pragma once
#include "audit/grid.h"
#include "audit/truth.h"

typedef enum {
    VERDICT_EXACT, // equal everywhere
    VERDICT_CLASS, // equal at all points of a class
    VERDICT_LOOSE, // never below the truth, never equal
    VERDICT_ORDER, // within a constant factor
    VERDICT_WRONG, // claimed / true grows without bound or tends to 0, or no algorithm can do what is claimed
    VERDICT_NONE,  // there is nothing to judge
} VerdictKind;
extern const char *const verdict_names[];

typedef enum { WRONG_UNBOUNDED, WRONG_TO_ZERO, WRONG_BELOW_BOUND, WRONG_BELOW_TRUTH, WRONG_VALUE } WrongWhy;

// Where p grows and claimed / true does not stay in bounds.
typedef struct Trend {
    int family;
    int p[TAIL];
    double ratio[TAIL]; // claimed / true
} Trend;

typedef struct Verdict {
    VerdictKind kind;
    const SampleClass *of; // VERDICT_CLASS
    bool else_wrong;       // VERDICT_CLASS: outside of it, by `why`
    double constant;       // VERDICT_ORDER: the largest of claimed / true and true / claimed, >= 1
    bool too_low;          // the truth is above the claim somewhere
    bool no_factor;        // one of them is nothing somewhere, and the other is not
    WrongWhy why;          // VERDICT_WRONG
    int part;              // of the costs, that is wrong, or the worst one
    Trend trend;           // WRONG_UNBOUNDED, WRONG_TO_ZERO
    int at;                // the smallest counterexample, as the number of the sample; -1: none
} Verdict;

// What is claimed at every sample: n_parts values, then those of T at mixed costs.
typedef struct Claimed {
    double *value;
    bool *covered; // is it meant for the point?
    int n_parts;
} Claimed;

// Those of sample i.
static inline double *claimed_at(const Claimed *claimed, guint i)
{
    return &claimed->value[i * (guint)(claimed->n_parts + SAMPLE_MIXED)];
}

// What has no value at a point is NAN there. False and bad input: the claim costs something where nothing costs anything.
gboolean claimed_take(const Claim *claim, const Truth *truth, Claimed *claimed, GError **error);
void claimed_clear(Claimed *claimed);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Claimed, claimed_clear)

// refine: of the truth.
Verdict verdict_of(const Claim *claim, ClaimKind as, const Truth *truth, const Claimed *claimed, int refine);
// "exact for powers of two", "wrong: claimed/true tends to 0"; free with g_free.
char *verdict_text(const Verdict *v, const char *const *parts);

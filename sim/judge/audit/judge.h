// Judges a claim: compares what is claimed with what is true at every point of a grid, and says how far the claim
// holds.
#pragma once
#include "judge/audit/claim_grid.h"
#include "judge/audit/truth.h"

// How far a claim holds. If several kinds apply, the verdict is the first of EXACT, CLASS, WRONG, LOOSE, ORDER; a claim
// that is read as an order can only be WRONG or ORDER.
typedef enum {
    VERDICT_EXACT,     // claim and truth are equal at all points
    VERDICT_CLASS,     // they are equal at all points of a class, such as the powers of two
    VERDICT_LOOSE,     // a bound that holds; an equality that is nowhere below the truth, and nowhere equal to it
    VERDICT_ORDER,     // claim and truth are within a constant factor of each other, and the points show growth with p
    VERDICT_WRONG,     // the claim fails for one of the reasons in WrongWhy
    VERDICT_EXPLAINED, // a measurement that the model can give; what it implies for the costs is in the text
    VERDICT_UNEXPLAINED, // a measurement that no costs of a message and a byte can give in this model
    VERDICT_PART,        // a recommendation that is good at some of its points (suited.h)
    VERDICT_NONE,        // there is nothing to judge: no formula, or no points of the grid that the claim is about
} VerdictKind;
extern const char *const verdict_names[];

// Why a claim is wrong.
typedef enum {
    WRONG_UNBOUNDED,        // claimed / true grows without bound as p grows, and the claim is not an upper bound
    WRONG_TO_ZERO,          // claimed / true tends to 0 as p grows, and the claim is not a lower bound
    WRONG_BELOW_BOUND,      // the claim is below the lower bound: no algorithm of the collective can do what is claimed
    WRONG_BELOW_TRUTH,      // the claim is an upper bound, but it is below the truth
    WRONG_ABOVE_TRUTH,      // the claim is a lower bound, but it is above the truth
    WRONG_NOT_PROPORTIONAL, // the claim is a bandwidth that is not proportional to B
    WRONG_VALUE, // the values differ, and neither a factor nor a trend describes the difference: find_wrong()
} WrongWhy;

// Three points of a family along which claimed / true grows, or shrinks, without bound.
typedef struct Trend {
    int family;
    int p[TAIL];        // rising
    double ratio[TAIL]; // claimed / true at p
} Trend;

// A verdict and its evidence.
typedef struct Verdict {
    VerdictKind kind;
    // The index of the sample that is the smallest counterexample, at which claim_fails; -1 if there is none. A claim
    // that is wrong as an order has one only if a single point can show it.
    int at;
    // If the kind is VERDICT_EXACT or VERDICT_CLASS:
    const SampleClass *of; // the class of points at which the claim is exact
    bool else_wrong;       // true if the claim is wrong outside the class, for the reason `why`
    // If the kind is VERDICT_WRONG, or if else_wrong is true:
    WrongWhy why;
    int part;    // the cost whose coefficient is wrong; from Claimed.n_parts on it is T at mixed costs
    Trend trend; // only if `why` is WRONG_UNBOUNDED or WRONG_TO_ZERO
    // If the kind is neither VERDICT_WRONG nor VERDICT_NONE:
    double constant; // the largest claimed / true or true / claimed over all points, >= 1
    bool too_low;    // true if the claim is below the truth at some point, unless it is a lower bound
    bool too_high;   // true if the claim is a lower bound that is above the truth at some point
    bool no_factor;  // true if `constant` ignores points at which one of the two is 0, negative, infinite or NAN
} Verdict;

// What is claimed at every sample.
typedef struct Claimed {
    double *value; // for each sample the n_parts coefficients, then T at the SAMPLE_MIXED mixed costs; see claimed_at
    bool *covered; // for each sample: true if the claim is about the point; if not, its values are 0
    int n_parts;
} Claimed;

// Returns the n_parts + SAMPLE_MIXED values at sample i.
static inline double *claimed_at(const Claimed *claimed, guint i)
{
    return &claimed->value[i * (guint)(claimed->n_parts + SAMPLE_MIXED)];
}

// Evaluates the claim at all samples; a value is NAN where the expression has none. Returns FALSE and an error if a
// time or a bound is not proportional to its costs, because its coefficients do not describe it then. Clear with
// claimed_clear.
gboolean claimed_take(const Claim *claim, const Truth *truth, Claimed *claimed, GError **error);
void claimed_clear(Claimed *claimed);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Claimed, claimed_clear)

// Returns true if one claimed value refutes the claim, read as the kind `as`: an equality if it differs from the truth,
// an upper bound if it is below the truth, a lower bound if it is above the truth, and an order if only one of the two
// is infinite. What has no value, NAN,
// always does.
bool claim_fails(ClaimKind as, double claimed, double truth);

// Judges the claim, read as the kind `as`, which may differ from claim->kind. `refine` must be the one that the truth
// was made with. The verdict is VERDICT_NONE if the claim is about none of the samples, or if it is read as an order
// and no three of them show how claimed / true grows with p.
Verdict verdict_of(const Claim *claim, ClaimKind as, const Truth *truth, const Claimed *claimed, int refine);
// Returns the verdict in words, "wrong: in beta, claimed/true tends to 0 as p grows". `parts` has the names of the
// costs, "" for a quantity that is not a time. Free with g_free.
char *verdict_text(const Verdict *v, const char *const *parts);

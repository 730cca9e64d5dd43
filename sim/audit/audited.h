// The outcome of judging one claim.
#pragma once
#include "audit/right.h"

typedef struct Audited {
    const Claim *claim;
    Verdict verdict;                 // the claim judged as an upper bound if that is its kind, else as an equality
    Verdict order;                   // the claim judged as an order; VERDICT_NONE unless that is its kind and can be
    int points;                      // how many points the claim was judged at
    char *verdict_text, *order_text; // both verdicts in words; order_text is NULL unless the claim is an order
    char *point; // the smallest counterexample, "p=3 m=12"; NULL if there is none or the claim is about a fact
    char *claimed, *truth; // the claimed and the true value at the counterexample, or NULL if there is none; a claim
                           // about a fact (facts.h) has both even if it is right
    Right right;           // what holds instead; empty if the claim is exact
    char *note;            // how claimed/true changes as p grows, if that makes the claim wrong; else NULL
    const Truth *samples;  // the points, owned by the audit; NULL if nothing was simulated for the claim
} Audited;

// Returns the verdict that says why a claim is wrong. That is the verdict as an order if the claim is wrong even as an
// order.
static inline const Verdict *audited_verdict(const Audited *r)
{
    return r->order.kind == VERDICT_WRONG ? &r->order : &r->verdict;
}

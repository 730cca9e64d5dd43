// The outcome of judging one claim.
#pragma once
#include "judge/audit/right.h"

typedef struct Audited {
    const Claim *claim;
    Verdict verdict;                 // the claim judged as an upper bound if that is its kind, else as an equality
    Verdict order;                   // the claim judged as an order; VERDICT_NONE unless that is its kind and can be
    int points;                      // how many points the claim was judged at
    char *verdict_text, *order_text; // both verdicts in words; order_text is NULL unless the claim is an order
    // The smallest counterexample, "p=3 m=12"; NULL if there is none or the claim is about a fact. It is a
    // counterexample to audited_refuted(). For a recommendation it is the worst point, and for a measurement the point
    // measured.
    char *point;
    // The claimed and the true value at the counterexample, or NULL if there is none. A claim about a fact (facts.h) has
    // both even if it is right. A measurement has no `truth` if no model has it.
    char *claimed, *truth;
    Right right;          // what holds instead; empty if the claim is exact
    char *note;           // how claimed/true changes as p grows, if that makes the claim wrong; else NULL
    const Truth *samples; // the points, owned by the audit; NULL if nothing was simulated for the claim
} Audited;

// Returns the kind that Audited.verdict reads a claim as.
static inline ClaimKind audited_kind(const Claim *claim)
{
    return claim->kind == CLAIM_UPPER || claim->kind == CLAIM_LOWER ? claim->kind : CLAIM_EQUALITY;
}

// Returns the verdict that Audited.point is a counterexample to. Few orders have one, because a single point seldom
// refutes an order; what refutes the claim as an equality is then the point.
static inline const Verdict *audited_refuted(const Audited *r)
{
    return r->order.at >= 0 ? &r->order : &r->verdict;
}

// Returns the verdict that says why a claim is wrong. That is the verdict as an order if the claim is wrong even as an
// order.
static inline const Verdict *audited_verdict(const Audited *r)
{
    return r->order.kind == VERDICT_WRONG ? &r->order : &r->verdict;
}

// One claim as it was judged.
#pragma once
#include "audit/right.h"

typedef struct Audited {
    const Claim *claim;
    Verdict verdict;                 // read as an equality, or as the upper bound that it claims to be
    Verdict order;                   // of an order besides; else VERDICT_NONE
    int points;                      // that were judged
    char *verdict_text, *order_text; // NULL: none
    char *point, *claimed, *truth;   // the counterexample: "p=3 m=12", and what is claimed and true there; NULL: none
    Right right;                     // what holds instead, where the claim is not exact
    char *note;                      // what else there is to say; NULL: nothing
    const Truth *samples;            // of which it was judged; NULL: of none
} Audited;

// The verdict that a wrong claim is wrong by: as an order, where it is wrong as one.
static inline const Verdict *audited_verdict(const Audited *r)
{
    return r->order.kind == VERDICT_WRONG ? &r->order : &r->verdict;
}

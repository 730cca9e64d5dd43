// A form before it is text: sums of terms, each multiplied by the costs that share it, as in
// "(p-1)/p*m*(2*beta + gamma)".
#pragma once
#include "judge/audit/grammar.h"

// A term times m^(.m) * S^(.s); .m is 0 or 1, .s is -1, 0 or 1.
typedef struct FormTerm {
    Term term;
    int m, s;
} FormTerm;

typedef struct FormSum {
    int n;
    FormTerm term[3 * MAX_SUM];
} FormSum;

// What a cost is multiplied by in addition to the sum: 1, m, or m/S - 1 (the bytes of a segment without its first one,
// as LogGP charges G for them); times S^(.s).
typedef enum { UNIT_ONE, UNIT_BYTES, UNIT_LATER_BYTES } UnitKind;
typedef struct FormUnit {
    UnitKind kind;
    int s;
} FormUnit;

// One cost of a group: num/den * unit * name.
typedef struct FormMember {
    const char *name; // "" if the quantity has no costs: the sum is the value
    int num, den;
    FormUnit unit;
} FormMember;

enum { MAX_MEMBERS = 5 };
// A sum of terms, and the costs that have it as a factor.
typedef struct FormGroup {
    FormSum sum;
    int n;
    FormMember member[MAX_MEMBERS];
} FormGroup;

// Returns the sum of the groups as text, "(p-1)*alpha + (p-1)/p*m*(beta + gamma)"; "0" if n is 0. If k is not 0, the
// text has this number in place of the letter k. With `segments` false, S is 1 everywhere, and the text has
// (m-1) in place of (m/S-1). Free with g_free.
char *form_text(const FormGroup *groups, int n, double k, bool segments);
// Returns a sum without costs as text. Free with g_free.
char *form_sum_text(const FormSum *sum, double k);

// A form before it is text: sums of terms, each multiplied by the parts of a cost that share it.
#pragma once
#include "audit/grammar.h"

// A term times m^m S^s; m is 0 or 1, s -1, 0 or 1.
typedef struct FormTerm {
    Term term;
    int m, s;
} FormTerm;

typedef struct FormSum {
    int n;
    FormTerm term[3 * MAX_SUM];
} FormSum;

// What a cost is multiplied by, beside the sum: bytes, or the bytes of a segment but the first one; times S^s.
typedef enum { UNIT_ONE, UNIT_BYTES, UNIT_LATER_BYTES } UnitKind;
typedef struct FormUnit {
    UnitKind kind;
    int s;
} FormUnit;

typedef struct FormMember {
    const char *name; // empty where the sum stands for itself
    int num, den;     // a fraction of it
    FormUnit unit;
} FormMember;

enum { MAX_MEMBERS = 5 };
typedef struct FormGroup {
    FormSum sum;
    int n;
    FormMember member[MAX_MEMBERS];
} FormGroup;

// "(p-1)*alpha + (p-1)/p*m*(beta + gamma)"; "0" of none. k: in place of the letter, where it is not 0. segments: S is
// not 1. Free with g_free.
char *form_text(const FormGroup *groups, int n, double k, bool segments);
// The sum alone.
char *form_sum_text(const FormSum *sum, double k);

// The terms that forms are made of, their values, and the search for a few terms that add up to given values.
#pragma once
#include <stdbool.h>

// A place: all points of the grid with the same p and k. Terms depend on nothing else.
typedef struct Place {
    double p, k;
} Place;

enum { MAX_ATOMS = 64, MAX_SUM = 4 };

// A function of p and k that coefficients are made of: over/under, both Expressions.
typedef struct Atom {
    const char *over, *under; // under is NULL if it is 1
    double weight;            // a form of small weight is preferred to an equal one of larger weight
    bool whole;               // used only if it is an integer at all places, as log2(p) at powers of two
    bool no_powers;           // not used if all p are powers of two: there it would only serve to treat p = 2 apart
} Atom;
extern const Atom atoms[];
extern const int n_atoms;

// The values of all atoms at all places: value[i][j] is the value of atom i at place j.
typedef struct Grammar {
    int n_places;
    const Place *places;
    double *value[MAX_ATOMS];
    bool uses_k[MAX_ATOMS]; // true if the atom contains k
} Grammar;
// Evaluates all atoms at the n places, which belong to the caller and must outlive the grammar. Free with grammar_free.
Grammar *grammar_new(const Place *places, int n);
void grammar_free(Grammar *g);

// The atoms that are useful at a selection of the places. An atom is left out if it is a multiple of an earlier atom at
// all these places, because no value there distinguishes the two. It is also left out if it is infinite or NAN at one
// of them, if its fields `whole` or `no_powers` rule it out, or if it contains k and k is 1 everywhere.
typedef struct Words {
    int n, n_places;
    int atom[MAX_ATOMS];
    double *value[MAX_ATOMS];
    double k; // the value of k if it is the same at all places, else 0
} Words;
// Returns the useful atoms for the places at[0 .. n-1] of the grammar, n >= 1. The result does not refer to the
// grammar. Free with words_free.
Words *words_new(const Grammar *g, const int *at, int n);
void words_free(Words *w);

typedef struct Term {
    int atom, num, den; // num/den times atoms[atom]
} Term;

// Finds the simplest sum of at most MAX_SUM terms that is y[i] at every place i: the one with the fewest terms and,
// among these, the least weight. A place where y is NAN fits any sum. The terms are determined on the `fit` places from
// `first` on and must hold at the others too. `terms` must have room for MAX_SUM. Returns the number of terms: 0 if y
// is 0 or NAN everywhere, -1 if there is no such sum.
int claim_terms_find(const Words *w, const double *y, int first, int fit, Term *terms);

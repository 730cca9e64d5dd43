// The terms that forms are made of, their values, and the search for the few of them that add up to given values.
#pragma once
#include <stdbool.h>

typedef struct Place {
    double p, k;
} Place;

enum { MAX_ATOMS = 64, MAX_SUM = 4 };

// What a coefficient is made of: over/under, an Expression of p and k.
typedef struct Atom {
    const char *over, *under; // under: NULL where it is 1
    double weight;            // the more, the less simple
    bool whole;               // only of use where it is an integer: log2(p)
    bool no_powers;           // of no use where all p are powers of two, where it only tells p = 2 from the others
} Atom;
extern const Atom atoms[];
extern const int n_atoms;

// The values of all atoms at all places.
typedef struct Grammar {
    int n_places;
    const Place *places;
    double *value[MAX_ATOMS];
    bool uses_k[MAX_ATOMS];
} Grammar;
// The places stay the caller's, and have to stay.
Grammar *grammar_new(const Place *places, int n);
void grammar_free(Grammar *g);

// The atoms that differ at some of the places, in which no atom is a multiple of one before it.
typedef struct Words {
    int n, n_places;
    int atom[MAX_ATOMS];
    double *value[MAX_ATOMS];
    double k; // where it is the same at all places; else 0
} Words;
// at: which places of the grammar.
Words *words_new(const Grammar *g, const int *at, int n);
void words_free(Words *w);

typedef struct Term {
    int atom, num, den; // num/den times the atom
} Term;

// The simplest sum of at most MAX_SUM terms that is y at every place: fewest terms, then the least weight. Where y is
// NAN anything goes. The terms are found on `fit` places from `first` on; the others have to confirm them. The number of
// terms, or -1.
int terms_find(const Words *w, const double *y, int first, int fit, Term *terms);

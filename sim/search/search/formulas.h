// Simulation against the exact formulas of the registry, integer by integer.
#pragma once
#include "registry/registry.h"
#include <glib.h>

// The comparison of one entry with its formula.
typedef struct FormulaTally {
    int equal, different; // integers that agree with the formula, and that do not
    int without;          // points for which the entry has no formula
    int fallback;         // points at which another algorithm runs
    int refused;          // times that could not be simulated
    GString *missing;     // the p without a formula, as "3,5,6"
    int last_missing;     // the last of these p; 0 if there is none
    GString *told;        // the report: a line for each difference, and for each time that could not be simulated
} FormulaTally;

// Compares an entry on these numbers of ranks (of size_t) with its parameters at their defaults and at other values. An
// entry whose formula knows two levels is also compared on several maps to nodes, with costs of their own inside a
// node. Clear the tally with formulas_clear.
FormulaTally formulas_check(const CollAlgorithm *a, const GArray *ranks);
void formulas_clear(FormulaTally *tally);

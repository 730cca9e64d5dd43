// Compares measured curves with what candidates are predicted to take.
#pragma once
#include "judge/compare/curves.h"
#include "judge/compare/verdict.h"
#include "search/search/request.h"

// How curves are predicted. What a log says itself holds; the rest fills in what it does not say.
typedef struct ComparePlan {
    const Platform *platform;
    const Model *model;
    const Library *library;     // whose algorithms are the candidates; NULL for all that the model times
    int p, per_node;            // 0 if not given
    const MapSpec *map;         // of the ranks; NULL if not given
    double tie;                 // see verdict_new
    const NetworkSpec *network; // in place of the platform's; NULL for that
} ComparePlan;

// An algorithm, or several that take the same times with the same messages at all sizes of a curve.
typedef struct CompareCandidate {
    char *name;         // "ompi-5:3", or that of the registry
    char *entry;        // the entry of the registry that it is
    GPtrArray *same;    // of char *: the names of the others that count as one with it, in their order
    GPtrArray *entries; // of const char *: the entries of all of them, because a log may name any
    double *time_s;     // by point of the curve
    GPtrArray *ran;     // of char *, by point: the fallback that ran, with the need that is not met; NULL if itself ran
} CompareCandidate;

typedef struct Compared {
    const Curve *curve;
    int p, per_node;
    GPtrArray *candidates; // of CompareCandidate *, in the library's order, or the usual ones first
    CurveVerdict *verdict; // numbers the candidates by their places
    int truth;             // the place of the candidate that the log says ran; -1 if it says none of them
} Compared;

// Compares curves (of Curve *), which must outlive the result, with all candidates, on all processors. `notes` (of char
// *) gets a line for each algorithm that cannot run at some sizes. Returns an array of Compared *, or NULL and an error
// that names the log on bad input. Free with g_ptr_array_unref.
GPtrArray *compare_curves(const GPtrArray *curves, const ComparePlan *plan, GPtrArray *notes, GError **error);

// Returns TRUE if the curve was recognised: the candidate that the log names deviates least over all sizes, and is not
// tied with the next one. There must be a truth.
gboolean compared_recognised(const Compared *x);

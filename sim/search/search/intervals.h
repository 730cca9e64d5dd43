// Ranges of ranks and of sizes for which one choice is good enough at all points of a grid: it is an option at each.
#pragma once
#include "libraries/decide/rules.h"
#include "registry/registry.h"
#include "search/search/contest.h"

// What a rule says; all 0 stand for the default. In a pair of files, `runs` is what the first file names where the id is 0,
// in place of the default (ways.h).
typedef struct TuneChoice {
    int id, fanout, segment, max_requests;
    const char *runs, *params; // as in LibraryRule; NULL for an id and for the default
} TuneChoice;

// A choice at a point of the grid.
typedef struct TuneOption {
    TuneChoice choice;
    double time_s;
    const CollAlgorithm *runs; // whose time that is; NULL without an entry
} TuneOption;

typedef struct TunePlace {
    int p, per_node;
    size_t m;
    gint64 bytes;                            // as the rules count them
    gboolean grid;                           // it belongs to the grid; otherwise refinement added it
    double default_s, best_s;                // as in RegretPlace
    double usual_s;                          // the same, but the parts that it calls run by request->rules
    const CollAlgorithm *by_default, *usual; // whose times default_s and usual_s are; NULL without an entry
    const CollAlgorithm *best;               // .. with best_par; NULL for the default
    CollParams best_par;
    GArray *options;           // of TuneOption, at least one
    GArray *ways;              // of TuneOption, one for each way of the tune; NULL until they are timed
    double sure_s;             // the fastest option's time
    TuneChoice choice;         // what the rules make the library run
    double time_s;             // .. and how long it takes; usual_s without a rule
    const CollAlgorithm *runs; // .. whose time that is; NULL without an entry
} TunePlace;

// Whose calls rules are for: those of programs, or those that HAN's algorithms make within each node or between them.
typedef enum { TUNE_CALLS, TUNE_IN_NODES, TUNE_BETWEEN_NODES } TunePart;

typedef struct Tune {
    Collective collective;
    int number; // the collective's number in rules files; of MPICH, its Collective
    size_t elem;
    TunePart part;
    gboolean by_call; // the rules know the size of each call, which the library's file may not
    gboolean one;     // the size that rules have says nothing about a call: one choice for each number of ranks
    GArray *places;   // of TunePlace, by p and m; points whose default is not known are left out
    guint parts;      // ranges of ranks and intervals of sizes, together; also those of the default
    GArray *rules;    // of LibraryRule; empty if the default stays everywhere
    GArray *ways;     // of TuneChoice, what a pair's first file can name beside the default and ids; NULL without one
    size_t segsize;   // what coll_han_COLLECTIVE_segsize is set to; 0: it is not set
    double before, after; // over the grid, geometric means of the default's and the choice's time divided by the best;
                          // `before` is NAN if the default is not known
    double logs;          // over the grid, the sum of the logarithms of the choice's time
    double sure;          // the mean as `after`, of the fastest options
    double worst;         // the largest of the choices', over the grid
    double all_mean;      // see Regret
    ContestCounts searched; // what the contests for the best considered, at all places
} Tune;

// Returns the size that rules have for a call of m bytes on p ranks; 0 if one choice serves all sizes.
gint64 intervals_size(const Tune *tune, LibraryFamily family, int p, size_t m);

// The share of time above the fastest option that an option may take, unless the user gives another.
#define TUNE_WITHIN 0.03

// Compares two TunePlace by p, m and per_node.
int intervals_by_place(const void *a, const void *b);
// Adds a choice to the options of a place. *most_s becomes at most the time that options may take if this is the fastest:
// a share `within` more than its own.
void intervals_offer(TunePlace *place, const TuneOption *option, double within, double *most_s);
// Adds the default to the options if `usual` says so, or if there are none. Then removes those that take longer than
// most_s, and notes the fastest.
void intervals_keep(TunePlace *place, gboolean usual, double most_s);
// Returns the option of a place that is a choice; NULL if there is none.
const TuneOption *intervals_option(const TunePlace *place, const TuneChoice *choice);
// Makes tune->rules from the options of tune->places: ranges of ranks by dynamic programming, so that ranges and
// intervals together are as few as possible, and within a range the fewest intervals of sizes. If several choices suit
// an interval, it takes the default if that is one of them, and otherwise the fastest on average.
//
// A range of ranks ends before the next number of ranks of the grid, and the last one ends with the grid. The first
// interval begins at 0 bytes, and the last one has no end. Sizes at which the default runs get no rule.
void intervals_find(Tune *tune);
// Notes what the rules choose at each place.
void intervals_apply(Tune *tune);

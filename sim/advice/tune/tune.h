// Tuning: the rules with which a version of Open MPI, MPICH or UCC runs, at each point of a grid, an algorithm that is surely
// faster than the default (sure_limit, with request->library.z), and takes at most a share w more time than the best of
// those. Where none is surely faster, the default stays. The length of segments is a power of two.
//
//     regret_compute  -->  options at each point  -->  intervals of sizes for each range of ranks  -->  rules
//           ^              (sure, within w of         (as few as possible)
//           |               the best of those)
//           +------- refine_ranks, refine_few, refine_sizes, settle_calls <-+
#pragma once
#include "advice/tune/regret.h"
#include "search/search/intervals.h"

// Returns TRUE if the library's file can choose between algorithms of this collective.
gboolean tune_can(const Tables *tables, Collective collective);
// Returns TRUE if one choice must serve all sizes: a call has none, the file cannot ask for it, or the ranks of one call can
// have different sizes, and would choose different algorithms.
gboolean tune_has_one(const Library *library, Collective collective);
// Finds the rules of r->only for a collective, over the request's ranks and sizes. `within` is w,
// above 0. The request must be as for regret_compute, with by_file set. If `by_call` is FALSE, the rules are for a
// file: where the library's files do not know the size of a call, one choice serves all sizes. If it is TRUE, they are
// for a program that says the size of each call (tune_header). Returns NULL and an error on bad input. Free with
// tune_free.
Tune *tune_compute(Request *r, Collective collective, size_t elem, double within, gboolean by_call, GError **error);
// Looks at calls between those of the grid (refine.h, settle.h), and finds the rules anew. The request must be that of
// tune_compute, and so must w. Returns FALSE and an error if a simulation fails.
gboolean tune_refine(Tune *tune, Request *r, double within, GError **error);
void tune_free(Tune *tune);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Tune, tune_free)

// Returns TRUE if an algorithm of the library calls other collectives. Their rules, which decide these calls, must then
// be in request->rules. None of these others calls one in turn.
gboolean tune_calls_others(const Tables *tables, Collective collective);

// Returns the rules of all these collectives (Tune *) as the file of a version of Open MPI or UCC; the lines of `header` (char
// *) are a comment in it, if it may have one. Free with g_free.
char *tune_file(const Tables *tables, const GPtrArray *tunes, const GPtrArray *header);
// Does the same for r->only, a version of MPICH; with `compositions`, the text is the other file of a pair (ways.h), which
// says what the device ch4 does. The library's default runs where a rule's algorithm cannot run, and
// where no rule applies. If all points of the grid are on nodes of several ranks, the rules are for such communicators
// only, so that collectives which call others on a node, or on the nodes' leaders, still find the default there.
// Returns NULL and an error if the library's tree cannot be read.
char *tune_tree_file(const Request *r, const GPtrArray *tunes, gboolean compositions, const GPtrArray *header,
                     GError **error);

// Returns what a rule says so that the library runs a registry entry with these parameters, which it must be able to
// (decide_algorithm).
TuneChoice tune_choice(const Tables *tables, const CollAlgorithm *entry, const CollParams *par);

// Returns a mean of times divided by the best as "1.234", or "unknown" if it is NAN. Free with g_free.
char *tune_ratio(double mean);
// Returns "default 1.534, these rules 1.166 (1.001 of what is sure), at worst 2.176": the means and the worst of the times
// over the grid, divided by the best, and in brackets the mean of those of the rules divided by the best of what is surely
// faster than the default. ", best of all 0.912" follows if that was looked for (Tune.all_mean). Free with g_free.
char *tune_means(const Tune *tune);
// Returns the place of the grid where the rules save the largest part of the default's time; NULL if they save nothing.
const TunePlace *tune_most(const Tune *tune);
// Returns what the rules save at a place.
Sure tune_sure(const TunePlace *place, const Platform *platform);

// Returns FALSE if the library's files of rules have no place for a comment: JSON has none, and Open MPI's schema of
// them (docs/tuning-apps/tuned_dynamic_file_schema.json) allows no keys but its own.
gboolean tune_has_comments(const Library *library);
// Returns a library's file of rules, `text`, with the lines (char *) of a comment if it may have one: the mark of
// version 2 must come first. Free with g_free.
char *tune_comment(const Library *library, const char *text, const GPtrArray *lines);

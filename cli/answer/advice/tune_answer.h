// The answers of `tune`: a library's file or a C header, with a comment that says what made it.
#pragma once
#include "advice/tune/tune.h"
#include "ask/ask.h"

// What to tune: for a request that `tune` may change while it works.
typedef struct TuneAnswer {
    Request *request;
    const RequestOptions *options;
    const gboolean *chosen; // for each collective, whether to tune it
    double within;          // the share of time above the best that is allowed
    double sure;            // the probability, in percent, with which what a rule names must be faster than the default
} TuneAnswer;

// Returns TRUE if Open MPI's component HAN, or the device ch4 of MPICH, decides some calls of the request first: a
// setting is then a pair of files.
gboolean tune_answer_is_pair(const Request *r);
// Sets in the request for which files, or for which header, it is to be tuned.
void tune_answer_ask(Request *r, gboolean header, gboolean any_operation);

// Returns the text of the file that the library loads, or NULL and an error. If `verify` is above 0, the comment says
// what this number of random calls costs. Where the file has no place for a comment, its lines are notes. Free with
// g_free.
char *tune_answer_file(const TuneAnswer *x, guint verify, GError **error);
// Does the same in steps: finds the rules of one collective after the other (Tune *), and writes them. What
// tune_calls_others() is true of must come last, so that the rules of the others decide its parts. Returns NULL and an
// error on bad input; `tunes`, of setting_new(), owns the rules, in the order of collectives.
// Adds the rules of what HAN calls within the nodes, for their numbers of ranks, before those of any collective: HAN is
// then as fast as these rules make it. Adds none for other libraries, or where such rules could act on all ranks of a
// call. Returns FALSE and an error on bad input.
gboolean tune_answer_nodes(const TuneAnswer *x, GPtrArray *tunes, GError **error);
const Tune *tune_answer_add(const TuneAnswer *x, Collective collective, GPtrArray *tunes, GError **error);
char *tune_answer_text(const TuneAnswer *x, const GPtrArray *tunes, GError **error);
// Returns where the rules of a collective save most, and how sure that is (report_sure_text), such as "2M bytes on 48
// ranks: saves 3.8x (2.0 to 7.1), 99 % sure". Returns NULL if they save nothing. Free with g_free.
char *tune_answer_most(const Tune *tune, const Platform *platform, double percent);
// Adds to the lines (char *) of a file's comment what its reader must know about the request: what the machine does not
// know, which network times assume, what was left out, and what is to be said of the library's defaults.
void tune_answer_notes(const Request *r, GPtrArray *lines);
// Makes notes of the lines (char *) of a comment, if the library's file of rules cannot have them.
void tune_answer_note(const Library *library, const GPtrArray *lines);
// Returns the commands that run a program with the file. Free with g_free.
char *tune_answer_load(const RequestLibrary *lib, const char *file);
// Returns the text of a header whose names begin with `prefix`, or NULL and an error. Free with g_free.
char *tune_answer_header(const TuneAnswer *x, const char *prefix, GError **error);

// The texts of a pair of files, and of what loads them: a command, and the same as variables.
typedef struct TunePair {
    char *first, *algorithms, *load;
} TunePair;
void tune_pair_clear(TunePair *pair);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TunePair, tune_pair_clear)
// Does the same as tune_answer_file for a request with library.pair, whose files are for a folder.
gboolean tune_answer_pair(const TuneAnswer *x, guint verify, const char *folder, TunePair *pair, GError **error);
// Does the same as tune_answer_text. The caller clears the pair.
gboolean tune_answer_texts(const TuneAnswer *x, const GPtrArray *tunes, const char *folder, TunePair *pair,
                           GError **error);

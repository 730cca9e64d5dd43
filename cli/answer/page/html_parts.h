// What the parts of the page of `report` know of it, and share.
#pragma once
#include "answer/advice/tune_answer.h"
#include "answer/judge/html_claims.h"
#include "ask/ask.h"
#include "out/html.h"
#include "search/search/contest.h"
#include "advice/tune/regret.h"
#include "advice/tune/tune.h"

#define REPORT_RANKS       "4..128:x2"
#define REPORT_SIZES       "8..16M:x8"
#define HTML_REPORT_FOLDER "setting" // of a pair of files

enum { HTML_REPORT_TOP = 2 }; // of the fastest at each point: the winner, and how far the second is behind

// A collective of the report.
typedef struct HtmlCollective {
    Collective collective;
    char *id;             // of its section
    RequestOptions asked; // borrowed texts: the options with which `best` is asked
    char element[24];     // the text of asked.element, unless the user gave one
    char *sizes;          // the text of asked.sizes, if not all sizes are whole elements; NULL otherwise
    Request request;      // of the contests
    Audit *audit;         // of what is claimed about it; NULL without claims
    GPtrArray
        *contests;    // the two fastest at each p and m (Contest), with their best parameters; NULL if nothing can run
    char *why;        // why not
    Regret *regret;   // NULL without a library
    GPtrArray *notes; // of char *: what is not known of the default; NULL for nothing
    const Tune *tune; // NULL if no setting decides it
} HtmlCollective;

typedef struct HtmlReport {
    const RequestOptions *options; // as the user gave them, with ranks and sizes; `only` is a library's name or NULL
    gboolean chosen[N_COLLECTIVES];
    gboolean given;    // .. also the sizes; otherwise they are the command's
    const char *title; // replaces the page's own; NULL for none
    char **measured;   // files of measurements, NULL-terminated; NULL for none
    gboolean pictures; // gnuplot draws; otherwise pictures are text
    // Called after each collective but the last with a page of those that are done, and `said`, which says how many these
    // are. Returns FALSE and an error to end. NULL: nobody needs to know.
    gboolean (*ready)(const GString *page, const char *said, gpointer user, GError **error);
    gpointer user; // passed to it

    Html *page;
    char *lead;        // what stands below the title
    KnownTimes *known; // what any part has predicted, for the others
    GPtrArray *all;    // of HtmlCollective *, those that are done, in the order of the page
    Request library;   // of the regrets; its platform is the machine
    Request tuned;     // of the rules
    GPtrArray *tunes;  // of Tune *; NULL without a library
    char *rules;       // the library's file, or a pair's file of algorithms; NULL without one
    TunePair pair;     // for HTML_REPORT_FOLDER; empty if a setting is one file
    GPtrArray *claims; // of Claim *
    Platform *flat;    // the audit's machine
} HtmlReport;

// Returns the command line "collsim START -p .. -m .. END" with the options that say where it runs. NULL for ranks or
// sizes leaves them out. Free with g_free.
char *html_report_command(const RequestOptions *options, const char *start, const char *end);
// Finds the points of a collective. Returns FALSE and *why if they cannot be, and FALSE and an error on bad input.
gboolean html_report_ask(Collective collective, const RequestOptions *o, Request *r, char **why, GError **error);
// Returns TRUE if somebody wins somewhere, and *why if not.
gboolean html_report_any_winner(const GPtrArray *contests, const RequestLibrary *lib, char **why);
// Finds the `top` fastest algorithms of a collective, or of a library, with their best parameters, as `best` does, and
// fills in the request. Returns NULL and *why if nothing can run, and NULL and an error on bad input. Free the contests
// with g_ptr_array_unref.
GPtrArray *html_report_contests(Collective collective, const RequestOptions *options, int top, Request *request,
                                char **why, GError **error);
// Returns the fastest point of a contest; NULL if nothing can run there.
const Point *html_report_winner(const Contest *contest);
// What a file of rules makes of a library's times for a collective, or for several. Begin with all 0.
typedef struct HtmlSavings {
    guint n;              // the points of the grid at which the default is known
    double logs;          // the sum of the logarithms of the default's time divided by the file's
    double worst;         // the largest of the default's times divided by the best
    const TunePlace *top; // where most is saved; NULL where nothing is
    Collective top_of;    // .. and of what
} HtmlSavings;
// Adds a collective's savings to the sum.
void html_savings_add(HtmlSavings *sum, const HtmlCollective *of);
// Returns the share of the default's time that the file saves, in the geometric mean; NAN without a point.
double html_saved(const HtmlSavings *x);
// Returns the same as "33 %". There must be a point. Free with g_free.
char *html_saved_text(const HtmlSavings *x);

// Adds what to set, and what it saves, for a reader who has two minutes.
void html_report_answer(const HtmlReport *report);
// Adds the sections.
gboolean html_report_collective(const HtmlReport *report, HtmlCollective *of, GError **error);
gboolean html_report_machine(const HtmlReport *report, GError **error);

// Returns the sign of a default that takes so many times as long as the best in the mean: good below 1.1, fair below 2.
HtmlMark html_mark_of(double mean);

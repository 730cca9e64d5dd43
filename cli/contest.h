// What `best` and `crossover` share, and what each hands to its report.
#pragma once
#include "crossover.h"
#include "request.h"
#include "size_form.h"

#define CONTEST_ENTRIES(o)                                                                                              \
    {"ranks", 'p', 0, G_OPTION_ARG_STRING, &(o).ranks, "numbers of ranks", "LIST"},                                     \
        {"element", 0, 0, G_OPTION_ARG_STRING, &(o).element, "bytes of an element (1)", "BYTES"},                       \
        {"per-node", 0, 0, G_OPTION_ARG_STRING, &(o).per_node, "ranks of a node, consecutive ones", "N"},               \
        {"platform", 0, 0, G_OPTION_ARG_STRING, &(o).platform, "machine (generic-100g), or an .ini file", "NAME|FILE"}, \
        {"transfer", 0, 0, G_OPTION_ARG_STRING, &(o).transfer, "rendezvous (default), eager or eager-port", "NAME"},    \
        {"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &(o).sets, "a figure of the machine, as alpha=1us", "KEY=VALUE"},      \
    {                                                                                                                   \
        "format", 'f', 0, G_OPTION_ARG_STRING, &(o).format, "table, csv or json", "FORMAT"                              \
    }

// ---- crossover -------------------------------------------------------------------------------------------------------

// The times of both as the closed forms have them about one size.
typedef struct Meeting {
    gboolean known;
    SizeForm form[2];
    double m; // where they are equal, bytes; NAN: nowhere
} Meeting;

// Two algorithms on p ranks.
typedef struct Rivalry {
    const Request *request; // of which `some` are the two
    int p;
    CrossoverSearch search;
    Meeting *meeting;   // by search.found; one where there is none
    const char *why[2]; // what each of them needs and has not at the sizes below search.first, or at all; NULL: nothing
    GError *error;
} Rivalry;

// The algorithm of that number, 0 or 1.
const CollAlgorithm *rival(const Rivalry *x, int i);
// "(6 - 3) alpha = m ((3 - 1.75) beta + (3 - 0.875) gamma)", first and second swapped on the left; free with g_free.
char *meeting_equation(const Meeting *meeting);
// Of Rivalry.
void crossover_table(const Request *request, const GPtrArray *rivalries);
void crossover_csv(const Request *request, const GPtrArray *rivalries);
void crossover_json(const Request *request, const GPtrArray *rivalries);

// ---- best ------------------------------------------------------------------------------------------------------------

// An algorithm with the parameters that are best for it.
typedef struct Entry {
    Point *point;     // predicted
    int S;            // segments of each part; 0: it has no segments
    SegmentForm form; // where S > 0 and form.linear: its form with the other parameters
    double S_best;    // the real number that is best by this form, and its time
    double time_best_s;
} Entry;

// All algorithms at one p and m.
typedef struct Contest {
    const Request *request;
    int p;
    size_t m;
    int top;
    GPtrArray *ranking; // Entry, the fastest first, no more than `top`
    GError *error;
} Contest;

// For run_jobs: finds the ranking.
void contest_run(gpointer contest, gpointer unused);
void contest_free(gpointer contest);
// Of Contest.
void best_table(const Request *request, const GPtrArray *contests);
void best_csv(const Request *request, const GPtrArray *contests);
void best_json(const Request *request, const GPtrArray *contests);

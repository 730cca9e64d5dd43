// The answer of `best`.
#pragma once
#include "out/answer.h"
#include "search/search/contest.h"
#include "advice/tune/regret.h"

// The report of contests, which are in the order of contest_make_all: what is done already, while others run.
typedef struct BestReport {
    const Answer *answer;
    const Request *request;
    const GPtrArray *contests;
    const Regret *defaults; // regret_defaults()
    GPtrArray *rankings;    // of Ranking, those of the contests that are reported
    Sheet *rows;            // the contenders that are reported
} BestReport;

// Returns the sheet "rows" of all contests, which have run. Free with sheet_free.
Sheet *best_rows(const Request *request, const GPtrArray *contests, const Regret *defaults);
// Returns the same of each contest's fastest alone. Free with sheet_free.
Sheet *best_winners(const Request *request, const GPtrArray *contests);
// Adds rows without a time for what the contests leave out; their notes say why.
void best_add_left_out(Sheet *sheet, const Request *request, const GPtrArray *contests);
// Prints, after `head`, whether the fastest is as near the lower bound as the request asks, if it asks for that
// (Question.enough).
void best_print_within(FILE *to, const char *head, const Request *request, const Contest *contest);
// Begins a report. Nothing is printed before the first contest is ready.
void best_begin(BestReport *report, const Answer *answer, const Request *request, const GPtrArray *contests,
                const Regret *defaults);
// Reports the first n contests. `report` is a BestReport.
void best_ready(guint n, gpointer report);
// Reports what is left, after all contests have run.
void best_end(BestReport *report);
void best_clear(BestReport *report);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(BestReport, best_clear)

// How an audit is told.
#pragma once
#include "audit/audit.h"

// Blocks of lines for people, grouped by source and place, and the counts of verdicts by source.
void audit_table(const Audit *a);
void audit_csv(const Audit *a);
void audit_json(const Audit *a);
// One claim, with the coefficients of the counterexample; the last line begins with "verdict:".
void audit_one(const Audited *r);

// Verdicts by source: a row each, the last one of all; a claim read as an order counts in `orders`.
typedef struct VerdictCounts {
    const char *source; // NULL: all
    int claims, kind[VERDICT_NONE + 1];
    int orders, orders_right;
} VerdictCounts;
// Free with g_array_unref.
GArray *audit_counts(const Audit *a);
// A row as it is printed: the source, claims, each kind of verdict, "2 of 3" orders that are right. NULL-terminated; free
// with g_strfreev.
enum { COUNTS_COLUMNS = VERDICT_NONE + 4 };
char **audit_counts_row(const VerdictCounts *n);
// What a reader calls the source: "000, a report on Open MPI's algorithms".
const char *audit_source_title(const char *source);
// What it is about: "bcast binomial, messages". Free with g_free.
char *audit_subject(const Claim *c);
// "p=3 m=12: 12 beta claimed, 24 beta true"; NULL: none. Free with g_free.
char *audit_counterexample(const Audited *r);
// A claim as it is printed: with its readings. Free with g_free.
char *audit_claim_text(const Claim *c);

// Writes report.md, report.html and a picture of each wrong cost into a folder, which is made. FALSE and bad input.
gboolean audit_pages(const Audit *a, const char *folder, GError **error);

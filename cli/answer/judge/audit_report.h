// The answer of `audit`.
#pragma once
#include "judge/audit/audit.h"
#include "base/output.h"
#include "out/answer.h"

// Prints or writes the audit, which was made on this platform with this transfer discipline. For people it is a block
// of lines for each claim, by source and place, and the counts of verdicts by source. With `one`, it is the first claim
// alone with the coefficients of its counterexample, and its last line begins with "verdict:". `paper` is the claim's
// formula as the user wrote it in the notation of papers, or NULL. `flattened`: the platform has
// lost its levels, or what a node's ranks share (platform_flatten).
void audit_report(const Answer *answer, const Audit *a, const Platform *platform, const char *transfer, gboolean one,
                  const char *paper, gboolean flattened);

// Returns the path of Open MPI's real parameters, for audit_run; NULL if the file is missing. Free with g_free.
char *audit_parameters_path(void);

// The verdicts of a source. A claim that is also read as an order of growth counts in `orders` too.
typedef struct VerdictCounts {
    const char *source; // NULL: all sources
    int claims, kind[VERDICT_NONE + 1];
    int orders, orders_right;
} VerdictCounts;
// Returns a row (of VerdictCounts) for each source, and a last one for all. Free with g_array_unref.
GArray *audit_counts(const Audit *a);
// Returns the cells of a row, ended by NULL: the source, the number of claims, one cell for each kind of verdict, and
// how many orders are right, as "2 of 3". Free with g_strfreev.
enum { COUNTS_COLUMNS = VERDICT_NONE + 4 };
char **audit_counts_row(const VerdictCounts *n);
// Returns what a claim is about: "bcast binomial, messages". Free with g_free.
char *audit_subject(const Claim *c);
// Returns "p=3 m=12: 12 beta claimed, 24 beta true", preceded by "as an equality, " if only that reading of an order is
// refuted, and by "worst at " for a recommendation; of a measurement, what the model has there. Returns NULL
// without a counterexample. Free with g_free.
char *audit_counterexample(const Audited *r);
// Returns the verdict of a claim as an equality, followed by that as an order if the claim is one and they differ. Free
// with g_free.
char *audit_verdict(const Audited *r);
// Returns the formula of a claim with what its letters mean and where it holds. Free with g_free.
char *audit_claim_text(const Claim *c);

// Adds report.md, report.html and a picture of each wrong cost to the files of a set whose folder is open. Returns
// FALSE and an error if one of them cannot be written.
gboolean audit_pages(const Audit *a, OutputSet *set, GError **error);

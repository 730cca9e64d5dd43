// Audited claims as tables of HTML, for the report of `audit` and for `report`.
#pragma once
#include "judge/audit/audit.h"
#include "out/html.h"

// The places in a page that rows of claims link to, and the classes of its filters.
typedef struct HtmlClaims {
    Html *page;
    const Audit *audit;
    GHashTable *algorithms; // CollAlgorithm -> the id of its row (char *); NULL if the page has no such table
    gboolean filters;       // the page has those of html_claims_filters
} HtmlClaims;

// Adds choices of rows: by verdict and by collective, of those that the audit has.
void html_claims_filters(HtmlClaims *claims);
// Adds a table of the claims of a source (NULL: any) about a collective (-1: any). Each row has an id, "claim-" and the
// claim's own.
void html_claims_table(const HtmlClaims *claims, const char *source, int collective, const char *caption);
// Adds a table of the algorithms that claims are about; sets claims->algorithms beforehand by html_claims_begin.
void html_claims_algorithms(const HtmlClaims *claims);
// Gives each algorithm that a claim is about an id. Clear with html_claims_clear.
void html_claims_begin(HtmlClaims *claims);
void html_claims_clear(HtmlClaims *claims);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HtmlClaims, html_claims_clear)

// The sentences that say why one algorithm is faster than another, and the numbers that they are made of.
#pragma once
#include "search/search/ranking.h"
#include "out/sheet.h"
#include "search/search/reason.h"

// Returns a sentence that explains the fastest of a ranking, by comparison with the next other algorithm if there is one.
// Returns NULL if a path cannot be counted, or if nothing is ranked. Free with g_free.
char *reasons_text(const Request *request, const Ranking *ranking);

// Make the sheets "explanations", the sentence of each ranking (of Ranking *), and "growth", the numbers for the algorithms in
// them. Return NULL if there are no rows. Free with sheet_free.
Sheet *reasons_sheet(const Request *request, const GPtrArray *rankings);
Sheet *reasons_rankings_growth(const Request *request, const GPtrArray *rankings);

// Returns the sheet. If it has no rows, frees it and returns NULL.
Sheet *reasons_unless_empty(Sheet *sheet);
// Makes the sheet "growth" without rows. Free with sheet_free.
Sheet *reasons_growth_sheet(void);
// Adds what is counted for one algorithm; nothing if that cannot be counted.
void reasons_add_growth(Sheet *sheet, const Request *request, const CollAlgorithm *a, int per_node);

// The answer of `crossover`.
#pragma once
#include "out/answer.h"
#include "search/search/rivalry.h"

// Prints or writes the crossovers of the rivalries, which have run. There must be at least one.
void crossover_report(const Answer *answer, const Request *request, const GPtrArray *rivalries);

// ---- For the files of this room -------------------------------------------------------------------------------------

// Returns for each crossover of each rivalry, or for the rivalry if it has none, a sentence that says why the winner changes
// with the size (char *). It is NULL if this is not known. Free with g_ptr_array_unref.
GPtrArray *crossover_explanations(const GPtrArray *rivalries);
// Makes the sheet "growth": what the sentences were computed of. Returns NULL if it has no rows. Free with sheet_free.
Sheet *crossover_growth_sheet(const GPtrArray *rivalries);

// Sentences on the fastest of a ranking, and on who wins in several.
#pragma once
#include "search/search/ranking.h"
#include <stdio.h>

// Prints "tied for the fastest: ring, linear" if there is a tie.
void report_winners_ties(FILE *to, const Ranking *ranking);
// Prints "fastest on 1024 ranks: linear up to 1K, ring from 4K on", a line for the sizes of each p, its nodes and root
// that has several sizes. With `choices`, an algorithm with other parameters is another winner, and is named with them.
void report_winners_print(FILE *to, const Request *request, const GPtrArray *rankings, gboolean choices);

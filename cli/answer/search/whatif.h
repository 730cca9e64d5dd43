// Machines side by side: the answers of `run` and `best` for several platforms and figures.
#pragma once
#include "out/answer.h"
#include "search/search/points.h"

// What was found on one machine.
typedef struct WhatIf {
    const Request *request;
    const GPtrArray *points;   // of Point, those of a place in a row; every machine has the same places. For `run`, the
                               // same points as on other machines
    const Sheet *rows;         // as the command alone writes them
    const GPtrArray *contests; // of Contest, for `best`: one for each place; NULL for `run`
} WhatIf;

enum { WHATIF_MOST = 8 }; // machines in a table

// Prints the answer of `run` for these machines (of WhatIf), which are compared with the first.
void whatif_run(const Answer *answer, const GArray *machines);
// Prints the answer of `best`, where the first point of each place is the fastest. A table says at its end what was
// searched on each machine.
void whatif_best(const Answer *answer, const GArray *machines);
// Returns FALSE and an error if the answer is a table, and cannot show this many machines.
gboolean whatif_check(const Answer *answer, guint machines, GError **error);

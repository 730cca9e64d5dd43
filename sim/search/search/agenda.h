// What a contest is still to consider, the most promising first, and which of it helpers find beforehand.
#pragma once
#include "search/search/known.h"
#include "search/search/standing.h"

// What is left to consider.
typedef struct Agenda {
    GArray *groups; // of TryGroup, in the order of from_s
    GArray *tries;  // of Try, those of the groups before next_group
    guint next_group, next_try;
    KnownTimes *known; // the request's, or else the contest's own
} Agenda;

// Returns group i, or NULL if there are not so many.
const TryGroup *agenda_group(const Agenda *todo, guint i);
// Returns the next try, or NULL if there is none. It first adds the tries of groups that might come before it.
const Try *agenda_next(Agenda *todo, Contest *x, Standing *standings);
// Gives helpers what is likely to come next, as far as there is room: the groups, and the tries from index i on, that
// may change the ranking as it is. While nothing limits an algorithm's time, only its first try is simulated, unless
// that is `now`, which the caller simulates, or those of others before it are going to fill the ranking. On a flat
// machine, bounds order an algorithm's tries so well that only its first one is likely to come.
void agenda_look_ahead(const Agenda *todo, Contest *x, const Standing *standings, guint i, const Try *now);

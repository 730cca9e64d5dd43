// The counts of a site's terms: how large they can be, and whether those that tallies have counted explain a clock.
// Private to the replay.
#pragma once
#include "engine/replay/site.h"
#include "engine/schedule/schedule.h"

// Returns the operations of all ranks.
double terms_operations(const Schedule *s);
// Sets the largest count that each term of a site can have.
void terms_find_most(Site *site, const Schedule *s, const Totals *n);
// Begins a run at a site: sets these, and divides the tally for as many terms as there is room for.
void terms_begin(Site *site, const Schedule *s, const Totals *n);
// The bits of a tally.
#define TERMS_BITS 160
// Returns the bits that the largest counts need of the terms which no tally has counted.
int64_t terms_bits_left(const Site *site);
// If a tally may have no room for all terms, divides it anew for the counts of a chain that does about what the busiest
// rank does. The totals of many ranks are far above that. Returns true if it did; then the counts hold only if
// terms_explain() finds that they lost nothing (terms_least_lost), and terms_find_most must be called again.
bool terms_expect_less(Site *site, const Schedule *s, const Totals *n);
// Lowers the largest counts to what a clock of t seconds can have paid.
void terms_lower_most(Site *site, double t);
// Returns the least time that the counts lose if one of them runs over: what the field is short of, less what the next
// field in its word gains. Returns INFINITY if none can run over.
double terms_least_lost(const Site *site);
// Returns true if the terms that tallies have counted explain the whole clock, t seconds after the start of the chain.
// What they leave, and rounding, is then less than half of `least`, and of what any other term would add.
bool terms_explain(const Site *site, const int64_t *count, double t, double least);

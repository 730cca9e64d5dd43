// The answer of `calibrate --site`.
#pragma once
#include "out/answer.h"
#include "search/search/site_checks.h"

// Prints or writes the figures of a site, what each of its tables was taken for, and the checks (of SiteCheck).
void site_report(const Answer *answer, const SiteLogs *site, const Levels *levels, const GArray *checks);

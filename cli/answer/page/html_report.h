// The page of `report`: what to set, who wins where, what a library's defaults cost, bounds, schedules, and how far all
// of it can be trusted. Each part is made by the functions of the command that answers its question alone, and names
// it.
//
//   html_report.c      the page
//   html_parts.c       what its parts share
//   html_answer.c      the answer at its beginning
//   html_collective.c  the sections of a collective
//   html_machine.c     the section of the machine
//   html_brief.c       the short page, for those who decide
#pragma once
#include "advice/app/profile.h"
#include "answer/page/html_parts.h"

// Makes the page of a report whose fields down to `user` are set. Returns NULL and an error on bad input. Free with
// g_string_free. Clear the report in either case.
GString *html_report(HtmlReport *report, GError **error);
// Makes a page with one sentence, one picture and one table from a report that html_report() has made about a library:
// what its file saves in each collective and, with a profile (or NULL), in each run of that application. `full` is the
// name of the report's file, or NULL. Returns NULL and an error on bad input. Free with g_string_free.
GString *html_brief(const HtmlReport *report, const Profile *profile, const char *full, GError **error);
void html_report_clear(HtmlReport *report);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HtmlReport, html_report_clear)

// What answers say of runs in which ranks arrive at different times, and messages have noise.
#include "answer/report/report.h"

static const char *const skew_columns[] = {"arrival",     "noise",          "seed_runs",   "judged_by",
                                           "shown_run",   "last_arrival_s", "after_s",     "mean_after_s",
                                           "seeds_min_s", "seeds_median_s", "seeds_p99_s", "seeds_max_s",
                                           NULL};

void report_skew_columns(Sheet *sheet, const RequestMachine *machine)
{
    const Skew *skew = machine->options.skew;
    if (!skew)
        return;
    sheet_add_columns(sheet, skew_columns);
    sheet_text(sheet, "arrival", machine->arrival);
    sheet_text(sheet, "noise", machine->noise);
    sheet_count(sheet, "seed_runs", skew->seeds);
    sheet_text(sheet, "judged_by", skew->seeds == 1 ? NULL : skew->p99 ? "p99" : "median");
}

void report_skew_point(Sheet *sheet, const NetworkSpec *network, const Point *x)
{
    if (!x->prediction || !x->prediction->skewed)
        return;
    const SkewOutcome *skew = &x->prediction->skew;
    sheet_count(sheet, "shown_run", skew->run);
    if (network && placement_seeds(&network->nodes) > 1)
        sheet_take(sheet, "placement", network_spec_nodes(network, placement_seed(&network->nodes, skew->run)));
    sheet_number(sheet, "last_arrival_s", skew->last_arrival_s);
    sheet_number(sheet, "after_s", x->time_s - skew->last_arrival_s);
    // The mean of the ranks' clocks may be above the certificate's value by rounding.
    if (x->prediction->ends)
        sheet_number(sheet, "mean_after_s", MIN(x->prediction->mean_end_s, x->time_s) - skew->last_arrival_s);
    sheet_number(sheet, "seeds_min_s", skew->shortest_s);
    sheet_number(sheet, "seeds_median_s", skew->median_s);
    sheet_number(sheet, "seeds_p99_s", skew->p99_s);
    sheet_number(sheet, "seeds_max_s", skew->most_s);
}

char *report_skew_text(const RequestMachine *machine)
{
    const Skew *skew = machine->options.skew;
    GString *s = g_string_new(NULL);
    if (skew && machine->arrival)
        g_string_append_printf(s, ", arrival %s", machine->arrival);
    if (skew && machine->noise)
        g_string_append_printf(s, ", noise %s", machine->noise);
    if (skew && skew->seeds > 1)
        g_string_append_printf(s, ", %s of %d runs", skew->p99 ? "p99" : "median", skew->seeds);
    return g_string_free(s, FALSE);
}

const SheetView *report_skew_view(const RequestMachine *machine, gboolean ranked)
{
    static const SheetView
        late[] = {{"ranks"}, {"bytes"}, {"time_s"}, {"after_s"}, {"mean_after_s"}, {"certificate"}, {"notes"}, {NULL}},
        runs[] = {{"ranks"},       {"bytes"}, {"seeds_min_s"}, {"seeds_median_s"}, {"seeds_p99_s"}, {"seeds_max_s"},
                  {"certificate"}, {"notes"}, {NULL}},
        ranking_placed[] = {{"choice"},      {"seeds_min_s"}, {"seeds_median_s"}, {"seeds_max_s"}, {"x_best"},
                            {"certificate"}, {NULL}},
        ranking_late[] = {{"choice"}, {"time_s"}, {"after_s"}, {"mean_after_s"}, {"x_best"}, {"certificate"}, {NULL}},
        ranking_runs[] = {{"choice"}, {"seeds_median_s"}, {"seeds_p99_s"}, {"x_best"}, {"certificate"}, {NULL}},
        ranking_late_runs[] = {{"choice"}, {"seeds_median_s"}, {"seeds_p99_s"}, {"after_s"},
                               {"x_best"}, {"certificate"},    {NULL}};
    const Skew *skew = machine->options.skew;
    const bool arrives = skew && skew->arrival.kind != ARRIVAL_TOGETHER;
    if (!skew || (!arrives && skew->seeds == 1))
        return NULL;
    if (!ranked)
        return skew->seeds > 1 ? runs : late;
    if (!skew_disturbs(skew) && !skew->p99)
        return ranking_placed;
    return skew->seeds == 1 ? ranking_late : arrives ? ranking_late_runs : ranking_runs;
}

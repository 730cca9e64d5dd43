// How sure a recommendation is, in every answer that would replace a library's default, and what was searched for it.
#include "answer/report/report.h"
#include <math.h>

// Returns a ratio as "1.9" or "13". Free with g_free.
static char *ratio_text(double x)
{
    return g_strdup_printf(x < 9.95 ? "%.1f" : "%.0f", x);
}

char *report_sure_text(const Sure *sure, double percent)
{
    enum { PERCENT = 100 };
    if (isnan(sure->saves))
        return NULL;
    if (sure->saves <= 1)
        return g_strdup("the default stays");
    g_autofree char *saves = ratio_text(sure->saves), *low = ratio_text(sure->low), *high = ratio_text(sure->high);
    const int shown = (int)floor(PERCENT * sure->share + 1e-9); // not rounded up to what is enough
    return sure_enough(sure, percent)
               ? g_strdup_printf("saves %sx (%s to %s), %d %% sure", saves, low, high, shown)
               : g_strdup_printf("saves %sx (%s to %s), not sure enough to set: %d %%", saves, low, high, shown);
}

void report_sure(Sheet *sheet, const Sure *sure)
{
    char *text = report_sure_text(sure, SURE_DEFAULT);
    if (!text)
        return;
    sheet_take(sheet, "gain", text);
    if (sure->saves <= 1)
        return;
    sheet_number(sheet, "saves_low", sure->low);
    sheet_number(sheet, "saves_high", sure->high);
    sheet_number(sheet, "sure", sure->share);
}

void report_searched(Sheet *sheet, const ContestCounts *counts)
{
    sheet_count(sheet, "searched_algorithms", counts->algorithms);
    sheet_count(sheet, "settings_excluded", counts->excluded);
    sheet_count(sheet, "settings_run", counts->ran);
    sheet_count(sheet, "settings_stopped", counts->stopped);
    sheet_count(sheet, "settings_not_tried", counts->given_up);
}

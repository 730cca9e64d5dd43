#include "answer/judge/validate.h"
#include "out/wrap.h"
#include "search/search/sure.h"
#include <math.h>

static void fill_share(Sheet *sheet, const char *column, double share, gboolean sign)
{
    sheet_number(sheet, column, share);
    if (!isnan(share))
        sheet_show(sheet, column, g_strdup_printf(sign ? "%+.1f %%" : "%.1f %%", 100 * share));
}

// Makes the sheet "rows": the scores. Free with sheet_free.
static Sheet *scores_sheet(const GArray *scores)
{
    Sheet *sheet = sheet_new("rows", (const char *const[]){"set", "by", "part", "rows", "median_error", "p90_error",
                                                           "bias", "unpredicted", "choices", "mean_loss", "median_loss",
                                                           "p90_loss", NULL});
    for (guint i = 0; i < scores->len; i++) {
        const Score *s = &g_array_index(scores, Score, i);
        sheet_row(sheet);
        sheet_text(sheet, "set", s->set);
        sheet_text(sheet, "by", score_by_names[s->by]);
        sheet_text(sheet, "part", s->part);
        sheet_count(sheet, "rows", s->rows);
        fill_share(sheet, "median_error", s->median, FALSE);
        fill_share(sheet, "p90_error", s->p90, FALSE);
        fill_share(sheet, "bias", s->bias, TRUE);
        sheet_count(sheet, "unpredicted", s->unscored);
        sheet_count(sheet, "choices", s->choices);
        fill_share(sheet, "mean_loss", s->mean_loss, FALSE);
        fill_share(sheet, "median_loss", s->median_loss, FALSE);
        fill_share(sheet, "p90_loss", s->p90_loss, FALSE);
    }
    return sheet;
}

// Makes the sheet "winners". Free with sheet_free.
static Sheet *winners_sheet(const GArray *winners)
{
    Sheet *sheet = sheet_new("winners", (const char *const[]){"set", "rule", "default_points", "default_ratio",
                                                              "slower", "worst_ratio", "rules", NULL});
    for (guint i = 0; i < winners->len; i++) {
        const Winning *w = &g_array_index(winners, Winning, i);
        sheet_row(sheet);
        sheet_text(sheet, "set", w->set);
        sheet_text(sheet, "rule", winning_rule_names[w->rule]);
        sheet_count(sheet, "default_points", w->points);
        sheet_number(sheet, "default_ratio", w->time);
        sheet_show(sheet, "default_ratio", g_strdup_printf("%.3f", w->time));
        fill_share(sheet, "slower", w->slower, FALSE);
        sheet_number(sheet, "worst_ratio", w->worst);
        sheet_show(sheet, "worst_ratio", g_strdup_printf("%.2f", w->worst));
        sheet_count(sheet, "rules", w->rules);
    }
    return sheet;
}

// Makes the sheet "spreads": the families that have rows. Free with sheet_free.
static Sheet *spreads_sheet(const Validation *v)
{
    Sheet *sheet = sheet_new(
        "spreads", (const char *const[]){"family", "rows", "log_deviation", "spread", "assumed_spread", NULL});
    for (int f = 0; f < N_SPREADS; f++) {
        const SpreadFound *found = &v->spreads[f];
        if (!found->rows)
            continue;
        sheet_row(sheet);
        sheet_text(sheet, "family", spread_families[f].name);
        sheet_count(sheet, "rows", found->rows);
        sheet_number(sheet, "log_deviation", found->deviation);
        sheet_show(sheet, "log_deviation", g_strdup_printf("%.2f", found->deviation));
        sheet_number(sheet, "spread", found->spread);
        sheet_show(sheet, "spread", g_strdup_printf("%.2f", found->spread));
        sheet_number(sheet, "assumed_spread", sure_family(v->platform, f));
    }
    return sheet;
}

// Makes the sheet "points": the rows, in the form that validate reads. Free with sheet_free.
static Sheet *points_sheet(const GArray *rows)
{
    Sheet *sheet = sheet_new("points", (const char *const[]){"set", "file", "line", "use", "collective", "variant",
                                                             "ranks", "per_node", "bytes", "group", "measured_s",
                                                             "predicted_s", "error", "entry", "ran", NULL});
    for (guint i = 0; i < rows->len; i++) {
        const ValidateRow *row = &g_array_index(rows, ValidateRow, i);
        sheet_row(sheet);
        sheet_text(sheet, "set", row->set);
        sheet_text(sheet, "file", row->file);
        sheet_count(sheet, "line", row->sample.line);
        sheet_text(sheet, "use", row_use_names[row->use]);
        sheet_text(sheet, "collective", row->collective);
        sheet_text(sheet, "variant", row->algorithm);
        sheet_count(sheet, "ranks", row->sample.p);
        sheet_count(sheet, "per_node", row->sample.per_node);
        sheet_count(sheet, "bytes", (int64_t)row->bytes);
        sheet_text(sheet, "group", row->group);
        sheet_number(sheet, "measured_s", row->measured_s);
        sheet_number(sheet, "predicted_s", row->predicted_s);
        sheet_text(sheet, "entry", row->entry);
        sheet_text(sheet, "ran", row->ran);
        if (!isnan(row->predicted_s))
            sheet_take(sheet, "error", g_strdup_printf("%+.1f %%", 100 * (row->predicted_s / row->measured_s - 1)));
    }
    return sheet;
}

enum { MAX_SCORES_VIEW = 12 };

// Fills in the columns of scores and, where there are choices, those of the choices.
static void make_view(const GArray *scores, SheetView view[MAX_SCORES_VIEW])
{
    static const SheetView errors[] = {{"set"},          {"by"},        {"part"}, {"rows"},
                                       {"median_error"}, {"p90_error"}, {"bias"}, {NULL}},
                           losses[] = {{"choices"}, {"mean_loss"}, {"median_loss"}, {"p90_loss"}, {NULL}};
    gboolean chosen = FALSE;
    for (guint i = 0; i < scores->len; i++)
        chosen |= g_array_index(scores, Score, i).choices > 0;
    guint n = 0;
    for (guint i = 0; errors[i].column; i++)
        view[n++] = errors[i];
    for (guint i = 0; chosen && losses[i].column; i++)
        view[n++] = losses[i];
    view[n] = (SheetView){NULL};
}

static void print_scores(const Sheet *sheet, const GArray *scores, FILE *to)
{
    SheetView view[MAX_SCORES_VIEW];
    make_view(scores, view);
    sheet_table(sheet, view, 0, sheet_rows(sheet), "", to);
}

// Prints what follows the scores; there may be no winners.
static void print_rest(const Sheet *winners, const Sheet *spreads, FILE *to)
{
    static const SheetView won[] = {{"set"},    {"rule"},        {"default_points"}, {"default_ratio"},
                                    {"slower"}, {"worst_ratio"}, {"rules"},          {NULL}},
                           spread[] = {{"family"}, {"rows"}, {"log_deviation"}, {"spread"}, {"assumed_spread"}, {NULL}};
    if (winners) {
        fputs("\nMeasured times with what a rule chooses from predictions, and with the default (slower: by more than "
              "5 %)\n",
              to);
        sheet_table(winners, won, 0, sheet_rows(winners), "  ", to);
    }
    if (sheet_rows(spreads)) {
        fputs("\nDeviation of ln(measured / predicted); spread: without the noise of a measurement\n", to);
        sheet_table(spreads, spread, 0, sheet_rows(spreads), "  ", to);
    }
}

void validate_html(Html *page, const Validation *v)
{
    SheetView view[MAX_SCORES_VIEW];
    make_view(v->scores, view);
    g_autoptr(Sheet) scores = scores_sheet(v->scores);
    html_sheet(page, scores, view, 0, sheet_rows(scores),
               "How far predictions are from the measured times: |predicted / measured - 1|");
    for (guint i = 0; i < v->notes->len; i++)
        html_text(page, g_ptr_array_index(v->notes, i));
}

void validate_report(const Answer *answer, const Validation *v, gboolean points)
{
    static const SheetView view[] = {{"use"},        {"collective"},  {"variant"}, {"ranks"}, {"bytes"}, {"group"},
                                     {"measured_s"}, {"predicted_s"}, {"error"},   {"ran"},   {NULL}};
    g_autoptr(Sheet) scores = scores_sheet(v->scores), rows = points_sheet(v->rows->rows),
                     winners = v->winners->len ? winners_sheet(v->winners) : NULL, spreads = spreads_sheet(v),
                     notes = v->notes->len ? sheet_notes(v->notes) : NULL;
    if (answer->format == FORMAT_CSV && points)
        sheet_csv(rows, answer->to);
    else if (answer->format != FORMAT_TABLE)
        answer_sheets(answer, "validate", (const Sheet *const[]){scores, winners, spreads, notes, rows}, 5);
    if (answer->format != FORMAT_TABLE)
        return;
    print_scores(scores, v->scores, answer->to);
    print_rest(winners, spreads, answer->to);
    if (v->notes->len)
        fputc('\n', answer->to);
    for (guint i = 0; i < v->notes->len; i++)
        wrap_print(answer->to, "", g_ptr_array_index(v->notes, i));
    if (!points)
        return;
    fputc('\n', answer->to);
    sheet_table(rows, view, 0, sheet_rows(rows), "", answer->to);
}

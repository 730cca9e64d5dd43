#include "answer/advice/campaign_answer.h"
#include "base/units.h"
#include "measurements/calibrate/fit.h"
#include "out/wrap.h"
#include <math.h>

// ---- Sheets ---------------------------------------------------------------------------------------------------------

static void add_test(Sheet *sheet, char *what, const CampaignTest *test)
{
    if (!test->points) {
        g_free(what);
        return;
    }
    sheet_row(sheet);
    sheet_take(sheet, "test", what);
    sheet_count(sheet, "tested", test->points);
    sheet_count(sheet, "unknown", test->scores[CAMPAIGN_DEFAULT].unknown);
    for (int m = 0; m < N_CAMPAIGN_MODELS; m++) {
        const char *const name = campaign_model_names[m];
        const LearnScore *score = &test->scores[m];
        g_autofree char *best = g_strconcat(name, "_best", NULL), *mean = g_strconcat(name, "_x_mean", NULL),
                        *worst = g_strconcat(name, "_x_worst", NULL);
        if (score->unknown < test->points)
            sheet_count(sheet, best, score->best);
        sheet_number(sheet, mean, score->mean);
        sheet_number(sheet, worst, score->worst);
    }
}

// Names the value of a feature: "p = 8"; with several sets or a bound it was not left out, but tested.
static char *left_out_text(LearnFeature feature, gint64 value)
{
    g_autofree char *size = feature == FEATURE_M ? units_format_size((size_t)value) : NULL;
    if (size)
        return g_strdup_printf("m = %s", size);
    if (feature == FEATURE_OCTAVE)
        return g_strdup_printf("p near %" G_GINT64_FORMAT, (gint64)1 << value);
    return g_strdup_printf("%s = %" G_GINT64_FORMAT, learn_feature_names[feature], value);
}

// Makes the sheet "rows". Free with sheet_free.
static Sheet *tests_sheet(const CampaignAnswer *x)
{
    Sheet *sheet = sheet_new("rows", (const char *const[]){"test",
                                                           "tested",
                                                           "unknown",
                                                           "tree_best",
                                                           "tree_x_mean",
                                                           "tree_x_worst",
                                                           "nearest_best",
                                                           "nearest_x_mean",
                                                           "nearest_x_worst",
                                                           "single_best",
                                                           "single_x_mean",
                                                           "single_x_worst",
                                                           "simulation_best",
                                                           "simulation_x_mean",
                                                           "simulation_x_worst",
                                                           "corrected_best",
                                                           "corrected_x_mean",
                                                           "corrected_x_worst",
                                                           "default_best",
                                                           "default_x_mean",
                                                           "default_x_worst",
                                                           NULL});
    add_test(sheet, g_strdup("all"), &x->tests->all);
    for (guint q = 0; q < x->tests->questions->len; q++) {
        const CampaignQuestion *question = x->measured->questions->pdata[q];
        add_test(sheet,
                 g_strdup_printf("%s%s%s", collectives[question->collective].name, *question->group ? " " : "",
                                 question->group),
                 &g_array_index(x->tests->questions, CampaignTest, q));
    }
    for (guint k = 0; k < x->tests->each->len; k++) {
        const CampaignTest *test = &g_array_index(x->tests->each, CampaignTest, k);
        add_test(sheet, left_out_text(x->split->feature, test->value), test);
    }
    return sheet;
}

// Makes the sheet "models": what each way to choose is worth over all points, one row for each. Free with sheet_free.
static Sheet *models_sheet(const CampaignAnswer *x)
{
    Sheet *sheet = sheet_new("models", (const char *const[]){"chooser", "tested", "chooser_best", "chooser_x_mean",
                                                             "chooser_x_worst", "median_error", "p90_error", NULL});
    for (int m = 0; m < N_CAMPAIGN_MODELS; m++) {
        const LearnScore *score = &x->tests->all.scores[m];
        const GArray *errors = x->tests->errors[m];
        if (score->unknown == x->tests->all.points)
            continue;
        sheet_row(sheet);
        sheet_text(sheet, "chooser", campaign_model_names[m]);
        sheet_count(sheet, "tested", x->tests->all.points - score->unknown);
        sheet_count(sheet, "chooser_best", score->best);
        sheet_number(sheet, "chooser_x_mean", score->mean);
        sheet_show(sheet, "chooser_x_mean", g_strdup_printf("%.3f", score->mean));
        sheet_number(sheet, "chooser_x_worst", score->worst);
        if (!errors || !errors->len)
            continue;
        const FitErrors found = fit_errors((const double *)(const void *)errors->data, errors->len);
        sheet_number(sheet, "median_error", found.median);
        sheet_show(sheet, "median_error", g_strdup_printf("%.1f %%", 100 * found.median));
        sheet_number(sheet, "p90_error", found.p90);
        sheet_show(sheet, "p90_error", g_strdup_printf("%.1f %%", 100 * found.p90));
    }
    return sheet;
}

// Makes the sheet "shares": what measuring a share of the points is worth at the others. Free with sheet_free.
static Sheet *shares_sheet(const CampaignAnswer *x)
{
    static const int shown[] = {CAMPAIGN_TREE, CAMPAIGN_NEAREST, CAMPAIGN_SINGLE, CAMPAIGN_SIMULATION,
                                CAMPAIGN_CORRECTED};
    Sheet *sheet = sheet_new("shares", (const char *const[]){"measured_in", "learnt_share", "learnt_points", "seeds",
                                                             "tree_x_mean", "nearest_x_mean", "single_x_mean",
                                                             "simulation_x_mean", "corrected_x_mean", NULL});
    for (guint i = 0; x->shares && i < x->shares->len; i++) {
        const CampaignShare *share = &g_array_index(x->shares, CampaignShare, i);
        sheet_row(sheet);
        sheet_text(sheet, "measured_in", campaign_order_names[share->order]);
        sheet_number(sheet, "learnt_share", share->share);
        sheet_show(sheet, "learnt_share", g_strdup_printf("%.0f %%", 100 * share->share));
        sheet_count(sheet, "learnt_points", share->learnt);
        sheet_count(sheet, "seeds", x->seeds);
        for (guint m = 0; m < G_N_ELEMENTS(shown); m++) {
            g_autofree char *mean = g_strconcat(campaign_model_names[shown[m]], "_x_mean", NULL);
            sheet_number(sheet, mean, share->test.scores[shown[m]].mean);
            if (!isnan(share->test.scores[shown[m]].mean))
                sheet_show(sheet, mean, g_strdup_printf("%.3f", share->test.scores[shown[m]].mean));
        }
    }
    return sheet;
}

// Makes the sheet "few": what it is worth to measure only what is predicted to be the fastest. Free with sheet_free.
static Sheet *few_sheet(const CampaignAnswer *x)
{
    Sheet *sheet =
        sheet_new("few", (const char *const[]){"few", "tested", "few_x_mean", "few_x_worst", "few_time_share", NULL});
    CampaignFew few[CAMPAIGN_MOST_FEW];
    const guint points = campaign_few(x->measured, few);
    for (guint k = 0; k < CAMPAIGN_MOST_FEW && points; k++) {
        sheet_row(sheet);
        sheet_count(sheet, "few", few[k].few);
        sheet_count(sheet, "tested", points);
        sheet_number(sheet, "few_x_mean", few[k].score.mean);
        sheet_show(sheet, "few_x_mean", g_strdup_printf("%.3f", few[k].score.mean));
        sheet_number(sheet, "few_x_worst", few[k].score.worst);
        sheet_number(sheet, "few_time_share", few[k].time_share);
        sheet_show(sheet, "few_time_share", g_strdup_printf("%.0f %%", 100 * few[k].time_share));
    }
    return sheet;
}

// Makes the sheet "next": which points to measure next, and which algorithms there. Free with sheet_free.
static Sheet *next_sheet(const CampaignAnswer *x)
{
    Sheet *sheet = sheet_new("next", (const char *const[]){"collective", "group", "ranks", "per_node", "bytes",
                                                           "octaves", "to_measure", "expected_s", NULL});
    for (guint i = 0; x->next && i < x->next->len; i++) {
        const CampaignNext *next = &g_array_index(x->next, CampaignNext, i);
        const CampaignQuestion *q = x->measured->questions->pdata[next->question];
        GString *what = g_string_new(next->choices[0] < 0 ? "all" : "");
        for (guint k = 0; k < CAMPAIGN_NEXT_CHOICES && next->choices[k] >= 0; k++)
            g_string_append_printf(what, "%s%s", k ? ", " : "", learn_choice(q->data, (guint)next->choices[k])->name);
        sheet_row(sheet);
        sheet_text(sheet, "collective", collectives[q->collective].name);
        sheet_text(sheet, "group", q->group);
        sheet_count(sheet, "ranks", next->p);
        sheet_count(sheet, "per_node", next->per_node);
        sheet_count(sheet, "bytes", (int64_t)next->m);
        sheet_number(sheet, "octaves", next->distance);
        sheet_take(sheet, "to_measure", g_string_free(what, FALSE));
        sheet_number(sheet, "expected_s", next->time_s);
    }
    return sheet;
}

// ---- Tables ---------------------------------------------------------------------------------------------------------

static void print_title(const CampaignAnswer *x, FILE *to)
{
    const Campaign *m = x->measured;
    fprintf(to, "Measured in %s", x->from);
    if (x->test)
        fprintf(to, ", tested on %s", x->test);
    if (x->platform)
        fprintf(to, ", simulated on %s", x->platform);
    fprintf(to, "\n%u point%s with %d or more algorithms, %u times", m->points, m->points == 1 ? "" : "s",
            CAMPAIGN_LEAST_CHOICES, m->rows);
    if (m->few)
        fprintf(to, "; %u point%s with fewer left out", m->few, m->few == 1 ? "" : "s");
    fputs("\n", to);
}

// Returns the notes of the command with what there is to say of the measurements. Free with g_ptr_array_unref.
static GPtrArray *all_notes(const CampaignAnswer *x)
{
    GPtrArray *notes = g_ptr_array_new_with_free_func(g_free);
    const Campaign *m = x->measured;
    const CampaignNoise noise = campaign_noise(m);
    for (guint i = 0; i < x->notes->len; i++)
        g_ptr_array_add(notes, g_strdup(x->notes->pdata[i]));
    if (m->calibrating)
        g_ptr_array_add(notes, g_strdup_printf("the simulation's figures come from %u of the %u times (%.0f %%)",
                                               m->calibrating, m->rows, 100.0 * m->calibrating / m->rows));
    if (noise.pairs)
        g_ptr_array_add(notes, g_strdup_printf("noise: the best choice of another group of the same ranks and size has "
                                               "x %.3f, over %u pairs",
                                               noise.mean, noise.pairs));
    if (x->tests->unlearnt)
        g_ptr_array_add(notes, g_strdup_printf("%u of %u questions have nothing to learn from, or to test",
                                               x->tests->unlearnt, m->questions->len));
    if (!m->predicted)
        g_ptr_array_add(notes, g_strdup("nothing was simulated; --platform or a column predicted_s would tell what "
                                        "simulation is worth"));
    return notes;
}

static void print_tests(const CampaignAnswer *x, const Sheet *tests, FILE *to)
{
    static const SheetView known[] = {{"tree_x_mean", NULL}, {"nearest_x_mean", NULL}, {"single_x_mean", NULL}},
                           predicted[] = {{"simulation_x_mean", NULL}, {"corrected_x_mean", NULL}},
                           usual = {"default_x_mean", NULL};
    SheetView view[9] = {{"test", x->measured->tested || x->split->above ? "tested" : "left out"}, {"tested"}};
    guint n = 2;
    for (guint i = 0; i < G_N_ELEMENTS(known); i++)
        view[n++] = known[i];
    for (guint i = 0; i < G_N_ELEMENTS(predicted) && x->measured->predicted; i++)
        view[n++] = predicted[i];
    if (x->tests->all.scores[CAMPAIGN_DEFAULT].unknown < x->tests->all.points)
        view[n++] = usual;
    view[n] = (SheetView){NULL, NULL};
    sheet_table(tests, view, 1, sheet_rows(tests), "", to);
}

static void print_shares(const CampaignAnswer *x, const Sheet *sheet, FILE *to)
{
    static const SheetView view[] = {{"measured_in"},       {"learnt_share"},     {"learnt_points"},
                                     {"tree_x_mean"},       {"nearest_x_mean"},   {"single_x_mean"},
                                     {"simulation_x_mean"}, {"corrected_x_mean"}, {NULL}};
    if (!sheet_rows(sheet))
        return;
    fprintf(to, "\nx at the points that are not measured, by the share that is, over %u orders of points\n", x->seeds);
    sheet_table(sheet, view, 0, sheet_rows(sheet), "", to);
}

static void print_few(const Sheet *sheet, FILE *to)
{
    static const SheetView view[] = {{"few"}, {"tested"}, {"few_x_mean"}, {"few_x_worst"}, {"few_time_share"}, {NULL}};
    if (!sheet_rows(sheet))
        return;
    fputs("\nx if at each point only the algorithms are measured that are predicted to be the fastest\n", to);
    sheet_table(sheet, view, 0, sheet_rows(sheet), "", to);
}

static void print_next(const CampaignAnswer *x, const Sheet *sheet, FILE *to)
{
    static const SheetView rest[] = {{"ranks"}, {"per_node"}, {"bytes"}, {"octaves"}, {"to_measure"}, {"expected_s"}};
    SheetView view[9] = {{"collective"}};
    guint n = 1;
    for (guint q = 0; q < x->measured->questions->len && n == 1; q++)
        if (*((const CampaignQuestion *)x->measured->questions->pdata[q])->group)
            view[n++] = (SheetView){"group"};
    for (guint i = 0; i < G_N_ELEMENTS(rest); i++)
        view[n++] = rest[i];
    if (!sheet_rows(sheet))
        return;
    fputs("\nWhat to measure next: the points farthest from all before, and what may be fastest there\n", to);
    sheet_table(sheet, view, 0, sheet_rows(sheet), "", to);
}

void campaign_report(const Answer *answer, const CampaignAnswer *x)
{
    static const SheetView of_models[] = {{"chooser"},         {"tested"},       {"chooser_best"}, {"chooser_x_mean"},
                                          {"chooser_x_worst"}, {"median_error"}, {"p90_error"},    {NULL}};
    g_autoptr(GPtrArray) lines = all_notes(x);
    g_autoptr(Sheet) tests = tests_sheet(x), of_all = models_sheet(x), of_shares = shares_sheet(x), few = few_sheet(x),
                     next = next_sheet(x), notes = lines->len ? sheet_notes(lines) : NULL;
    if (answer->format != FORMAT_TABLE) {
        answer_sheets(answer, "learn",
                      (const Sheet *const[]){tests, of_all, sheet_rows(of_shares) ? of_shares : NULL,
                                             sheet_rows(few) ? few : NULL, sheet_rows(next) ? next : NULL, notes},
                      6);
        return;
    }
    FILE *to = answer->to;
    print_title(x, to);
    fputs("\nx is the measured time of what is chosen / the time of the best choice\n", to);
    sheet_table(of_all, of_models, 0, sheet_rows(of_all), "", to);
    fputs("\nx by what was tested\n", to);
    print_tests(x, tests, to);
    print_shares(x, of_shares, to);
    print_few(few, to);
    print_next(x, next, to);
    for (guint i = 0; i < lines->len; i++) {
        fputs(i ? "" : "\n", to);
        wrap_print(to, "", lines->pdata[i]);
    }
}

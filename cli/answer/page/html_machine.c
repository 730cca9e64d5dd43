// The section of a report about the machine: its figures, where they come from, and how far predictions are off.
#include "answer/page/html_parts.h"
#include "answer/judge/validate.h"
#include "base/escape.h"
#include "judge/validate/logged.h"
#include "judge/validate/predict.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIE 0.001 // predictions so close are tied, as of `validate`

// ---- Figures --------------------------------------------------------------------------------------------------------

// How a figure came about, which the beginning of its source says.
typedef enum Trust { TRUST_SOURCED, TRUST_ASSUMED, TRUST_SET } Trust;

static Trust trust_of(const char *source)
{
    return g_str_has_prefix(source, "assumed") ? TRUST_ASSUMED
           : g_str_has_prefix(source, "--set") ? TRUST_SET
                                               : TRUST_SOURCED;
}

// Adds the row of a figure, at a level or without one if `level` is -1, and counts it.
static void add_figure(Html *page, const Platform *platform, PlatformKey key, int level, guint counts[TRUST_SET + 1])
{
    static const char *const words[] = {"has a source", "assumed", "set by hand"};
    static const HtmlMark marks[] = {HTML_GOOD, HTML_BAD, HTML_FAIR};
    const char *source = level >= 0 && platform->level_source[key] && platform->level_source[key][level]
                             ? platform->level_source[key][level]
                             : platform->source[key];
    if (!source)
        return;
    const Trust trust = trust_of(source);
    g_autofree char *value = platform_value_text(platform, key, level);
    const HtmlCell cell[] = {{platform_keys[key].name, HTML_FORMULA},
                             {level < 0 ? "" : platform->levels.at[level].name},
                             {value},
                             {words[trust], .mark = marks[trust]},
                             {source},
                             {platform_keys[key].meaning}};
    html_row(page, NULL, NULL, cell, G_N_ELEMENTS(cell));
    counts[trust]++;
}

static void add_figures(Html *page, const Platform *platform)
{
    static const HtmlCell head[] = {{"figure"}, {"level"}, {"value"}, {"how sure"}, {"where it comes from"},
                                    {"meaning"}};
    guint counts[TRUST_SET + 1] = {0};
    html_table(page, "The machine's figures", head, G_N_ELEMENTS(head));
    for (int k = 0; k < N_PLATFORM_KEYS; k++) {
        const gboolean levels = platform->by_level[k] != NULL;
        for (int level = 0; levels && level < platform->levels.n; level++)
            if (platform->has[k] && (platform->level_table[k][level] || !isnan(platform->by_level[k][level])))
                add_figure(page, platform, (PlatformKey)k, level, counts);
        if (platform->has[k] && !levels)
            add_figure(page, platform, (PlatformKey)k, -1, counts);
    }
    html_table_end(page);
    g_autofree char *text =
        g_strdup_printf("%u figures have a source, %u are assumed, and %u are set by hand. Times are as "
                        "good as the figures that they are made of.",
                        counts[TRUST_SOURCED], counts[TRUST_ASSUMED], counts[TRUST_SET]);
    html_text(page, text);
}

// ---- Measurements ---------------------------------------------------------------------------------------------------

static gboolean add_measurements(const HtmlReport *x, GError **error)
{
    const gboolean by[N_SCORE_BY] = {[SCORE_BY_COLLECTIVE] = TRUE, [SCORE_BY_RANKS] = TRUE, [SCORE_BY_BYTES] = TRUE};
    const PredictPlan plan = {.model = x->library.machine.model,
                              .platform = x->library.machine.platform,
                              .network = x->library.machine.options.network};
    const LogReading how = {.command = "report"};
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) logs = logs_read(x->measured, g_strv_length(x->measured), &how, error);
    g_autoptr(ValidateRows) rows =
        logs ? validate_rows_logged(logs, x->library.machine.model, FALSE, FALSE, notes, error) : NULL;
    if (!rows || !validate_predict(rows, &plan, notes, error))
        return FALSE;
    g_autoptr(GArray) scores = score(rows, by, TIE);
    const Validation validation = {.rows = rows, .scores = scores, .notes = notes};
    html_section(x->page, 3, NULL, "Predictions and measurements");
    if (x->pictures)
        canvas_html(validate_canvas(&validation, NULL, NULL), x->page,
                    "Measured times over predicted ones; on the line both are equal", NULL);
    validate_html(x->page, &validation);
    g_autoptr(GString) start = g_string_new("validate");
    for (char **path = x->measured; *path; path++) {
        g_autofree char *word = escape_shell(*path);
        g_string_append_printf(start, " %s", word);
    }
    RequestOptions o = {
        .platform = x->options->platform, .model = x->options->model, .sets = x->options->sets, .on = x->options->on};
    g_autofree char *command = html_report_command(&o, start->str, "");
    html_command(x->page, command);
    return TRUE;
}

gboolean html_report_machine(const HtmlReport *x, GError **error)
{
    const Platform *platform = x->library.machine.platform;
    html_section(x->page, 2, NULL, "How far this can be trusted");
    g_autofree char *text =
        g_strdup_printf("The machine is %s (%s)%s%s. The model is %s%s%s.", platform->name, platform->title,
                        platform->mpi ? ", measured with " : "", platform->mpi ? platform->mpi : "",
                        x->library.machine.model->name, x->library.machine.model->transfers ? ", " : "",
                        x->library.machine.model->transfers ? transfer_names[x->library.machine.options.transfer] : "");
    html_text(x->page, text);
    html_section(x->page, 3, NULL, "Figures");
    add_figures(x->page, platform);
    if (!x->measured) {
        html_text(x->page,
                  "No measurement was held against these predictions. `collsim measure` makes some on the machine, "
                  "and --measured FILE.csv adds the scores to this page.");
        return TRUE;
    }
    return add_measurements(x, error);
}

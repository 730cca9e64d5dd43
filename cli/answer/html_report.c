#include "answer/html_report.h"
#include "answer/audit_report.h"
#include "answer/ranking.h"
#include "answer/report.h"
#include "answer/tune.h"
#include "base/share.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/units.h"
#include "schedule/names.h"
#include <math.h>
#include <string.h>

#define WITHIN 0.03 // time above the best that settings may take, as of `tune`

// ---- Commands -------------------------------------------------------------------------------------------------------

char *html_report_word(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
    return *word && strspn(word, plain) == strlen(word) ? g_strdup(word) : g_shell_quote(word);
}

char *html_report_command(const RequestOptions *o, const char *start, const char *end)
{
    const struct {
        const char *option, *value;
    } values[] = {
        {"-p", o->ranks},
        {"-m", o->sizes},
        {"--element", o->element},
        {"--only", o->only},
        {"--map", o->map},
        {"--per-node", o->per_node},
        {"--platform", o->platform},
        {"--model", o->model},
        {"--transfer", o->transfer},
    };
    GString *s = g_string_new("collsim ");
    g_string_append(s, start);
    for (size_t i = 0; i < G_N_ELEMENTS(values); i++) {
        g_autofree char *word = values[i].value ? html_report_word(values[i].value) : NULL;
        if (word)
            g_string_append_printf(s, " %s %s", values[i].option, word);
    }
    for (char **set = o->sets; set && *set; set++) {
        g_autofree char *word = html_report_word(*set);
        g_string_append_printf(s, " --set %s", word);
    }
    if (*end)
        g_string_append_printf(s, " %s", end);
    return g_string_free(s, FALSE);
}

static gboolean run_point(gpointer point, gpointer request, GError **error)
{
    return point_run(point, request, error);
}

GPtrArray *html_report_run(Collective collective, const RequestOptions *asked, Request *r, char **why, GError **error)
{
    g_autoptr(GError) none = NULL;
    g_autofree char *name = g_strdup(collectives[collective].name), *all = g_strdup("all");
    char *words[] = {name, all, NULL};
    RequestOptions o = *asked;
    const ParallelWork work = {.run = run_point, .what = "points", .user = r};
    o.libraries = TRUE;
    r->collective = collective;
    if (o.only && !ask_only(&o, r, error))
        return NULL;
    if (!ask_operation(words, &o, r, &none)) { // the library has no algorithm that can be named
        *why = g_strdup(none->message);
        return NULL;
    }
    if (!ask_machine(&o, r, error) || !request_knows("report", r->model, TRUE, error))
        return NULL;
    g_autoptr(GPtrArray) points = points_make(r, &none);
    if (!points || !parallel_run(points, &work, &none) || !points_any(points, &none)) {
        *why = g_strdup(none->message);
        return NULL;
    }
    return g_steal_pointer(&points);
}

const Point *html_report_fastest(const GPtrArray *points, guint first, guint *end)
{
    Ranking *ranking = ranking_make(points, first);
    const Point *fastest = ranking->ranked->len ? ranking->ranked->pdata[0] : NULL;
    *end = ranking->end;
    ranking_free(ranking);
    return fastest;
}

// ---- What the page needs --------------------------------------------------------------------------------------------

static void free_regret(gpointer regret)
{
    regret_free(regret);
}

static void collective_clear(gpointer data)
{
    HtmlCollective *x = data;
    g_free(x->id);
    g_free(x->why);
    if (x->points)
        g_ptr_array_unref(x->points);
    if (x->regret)
        free_regret(x->regret);
    request_clear(&x->request);
}

void html_report_clear(HtmlReport *x)
{
    html_claims_clear(&x->verdicts);
    if (x->all)
        g_array_unref(x->all);
    if (x->tunes)
        g_ptr_array_unref(x->tunes);
    if (x->audit)
        audit_free(x->audit);
    if (x->claims)
        g_ptr_array_unref(x->claims);
    platform_free(x->flat);
    g_free(x->rules);
    request_clear(&x->library);
    request_clear(&x->tuned);
    html_free(x->page);
}

// Finds the machine, and a library if there is one.
static gboolean ask_all(HtmlReport *x, GError **error)
{
    RequestOptions *const o = (RequestOptions *)(uintptr_t)x->options;
    if (o->only)
        return ask_about_library("report", o->only, o, &x->library, error) &&
               ask_about_library("report", o->only, o, &x->tuned, error);
    x->library.collective = COLL_ALLREDUCE; // the machine needs the figures of reductions
    return ask_points(o, &x->library, error) && ask_machine(o, &x->library, error) &&
           request_knows("report", x->library.model, TRUE, error) && request_check_map(&x->library, error);
}

static gboolean add_collective(HtmlReport *x, Collective collective, GError **error)
{
    g_array_set_size(x->all, x->all->len + 1);
    HtmlCollective *of = &g_array_index(x->all, HtmlCollective, x->all->len - 1);
    of->collective = collective;
    of->id = html_id(x->page, collectives[collective].name);
    of->asked = *x->options;
    g_snprintf(of->element, sizeof of->element, "%zu", ask_library_element(x->options, collective));
    of->asked.element = of->element;
    of->points = html_report_run(collective, &of->asked, &of->request, &of->why, error);
    if (!of->points && !of->why)
        return FALSE;
    if (!x->options->only)
        return TRUE;
    of->regret = regret_compute(&x->library, collective, ask_library_element(x->options, collective), TRUE, error);
    return of->regret != NULL;
}

static gboolean tune_all(HtmlReport *x, GError **error)
{
    if (!x->options->only)
        return TRUE;
    Request *r = &x->tuned;
    const TuneAnswer answer = {r, x->options, x->chosen, WITHIN};
    r->by_file = r->no_compositions = r->any_operation = TRUE;
    r->no_han = r->only->library->id != LIBRARY_OMPI_41; // rules act on what HAN leaves
    x->tunes = tune_answer_rules(&answer, error);
    if (!x->tunes)
        return FALSE;
    for (guint i = 0; i < x->tunes->len; i++)
        for (guint k = 0; k < x->all->len; k++) {
            HtmlCollective *of = &g_array_index(x->all, HtmlCollective, k);
            if (((const Tune *)x->tunes->pdata[i])->collective == of->collective)
                of->tune = x->tunes->pdata[i];
        }
    x->rules = x->tunes->len ? tune_answer_text(&answer, x->tunes, 0, error) : NULL;
    return x->rules || !x->tunes->len;
}

// Judges the claims about the collectives on the machine that `audit` has by default, which has all figures.
static gboolean audit_all(HtmlReport *x, GError **error)
{
    x->claims = g_ptr_array_new_with_free_func((GDestroyNotify)claim_free);
    x->flat = ask_platform("generic-100g", error);
    g_autofree char *folder = share_path(SHARE_CLAIMS, NULL);
    if (!x->flat || !claims_read_folder(folder, x->claims, error))
        return FALSE;
    for (guint i = x->claims->len; i-- > 0;) {
        const Claim *c = x->claims->pdata[i];
        if (c->collective >= N_COLLECTIVES || !x->chosen[c->collective])
            g_ptr_array_remove_index(x->claims, i);
    }
    if (!x->claims->len)
        return TRUE;
    g_autofree char *parameters = audit_parameters_path();
    const TruthOptions options = {1, false, x->flat};
    x->audit = audit_run(x->claims, &options, parameters, error);
    x->verdicts = (HtmlClaims){.page = x->page, .audit = x->audit};
    return x->audit != NULL;
}

// ---- The beginning of the page --------------------------------------------------------------------------------------

// Returns who wins at the first or last size on the ranks that come last; NULL if nobody does. Free with g_free.
static char *winner_at(const HtmlCollective *of, gboolean last)
{
    const Point *found = NULL;
    const guint n = of->points ? of->points->len : 0;
    const size_t m = n ? ((const Point *)of->points->pdata[last ? n - 1 : 0])->m : 0;
    for (guint first = 0, end; first < n; first = end) {
        const Point *fastest = html_report_fastest(of->points, first, &end);
        if (fastest && fastest->m == m)
            found = fastest;
    }
    return found ? point_choice(found) : NULL;
}

static char *times_text(double x)
{
    return isnan(x) ? NULL : sheet_ratio(x, 1);
}

static void add_glance(const HtmlReport *x)
{
    const gboolean library = x->options->only != NULL;
    const HtmlCell head[] = {{"collective"},
                             {"best at the smallest size"},
                             {"best at the largest size"},
                             {"default / best, mean", HTML_NUMBER},
                             {"worst", HTML_NUMBER},
                             {"cliffs", HTML_NUMBER},
                             {"with the settings, mean", HTML_NUMBER},
                             {"worst", HTML_NUMBER}};
    const guint columns = library ? G_N_ELEMENTS(head) : 3;
    html_section(x->page, 2, NULL, "At a glance");
    html_table(x->page, "Each collective: who is the fastest on the most ranks, and what the library makes of it", head,
               columns);
    for (guint i = 0; i < x->all->len; i++) {
        const HtmlCollective *of = &g_array_index(x->all, HtmlCollective, i);
        g_autofree char *first = winner_at(of, FALSE), *last = winner_at(of, TRUE);
        g_autofree char *mean = of->regret ? times_text(of->regret->mean) : NULL, *after = NULL, *after_worst = NULL;
        g_autofree char *cliffs = mean ? g_strdup_printf("%u", of->regret->cliffs->len) : NULL, *worst = NULL;
        g_autoptr(GArray) most = of->regret ? regret_worst(of->regret, 1) : NULL;
        if (most && most->len)
            worst =
                times_text(regret_x(&g_array_index(of->regret->places, RegretPlace, g_array_index(most, guint, 0))));
        if (of->tune) {
            after = times_text(of->tune->after);
            after_worst = times_text(of->tune->worst);
        }
        const HtmlMark mark = !of->regret || isnan(of->regret->mean) ? HTML_PLAIN
                              : of->regret->mean < 1.1               ? HTML_GOOD
                              : of->regret->mean < 2                 ? HTML_FAIR
                                                                     : HTML_BAD;
        const HtmlCell cell[] = {{.text = collectives[of->collective].name, .to = of->id},
                                 {first ? first : "not known"},
                                 {last ? last : "not known"},
                                 {mean, HTML_NUMBER, mark},
                                 {worst, HTML_NUMBER},
                                 {cliffs, HTML_NUMBER},
                                 {after, HTML_NUMBER},
                                 {after_worst, HTML_NUMBER}};
        html_row(x->page, NULL, NULL, cell, columns);
    }
    html_table_end(x->page);
    if (library)
        html_text(x->page,
                  "The sign before the mean says whether it is below 1.1, below 2, or above. A collective without a "
                  "mean under \"with the settings\" has none that a file could make.");
}

// Returns what the library's defaults cost over all collectives of the page, and where most; NULL if that is not known.
// Free with g_free.
static char *regret_text(const HtmlReport *x)
{
    double logs = 0, after = 0;
    guint n = 0, n_after = 0;
    const HtmlCollective *worst_of = NULL;
    const RegretPlace *worst = NULL;
    for (guint i = 0; i < x->all->len; i++) {
        const HtmlCollective *of = &g_array_index(x->all, HtmlCollective, i);
        if (!of->regret || isnan(of->regret->mean))
            continue;
        logs += log(of->regret->mean);
        n++;
        if (of->tune && !isnan(of->tune->after)) {
            after += log(of->tune->after);
            n_after++;
        }
        g_autoptr(GArray) most = regret_worst(of->regret, 1);
        const RegretPlace *place =
            most->len ? &g_array_index(of->regret->places, RegretPlace, g_array_index(most, guint, 0)) : NULL;
        if (place && (!worst || regret_x(place) > regret_x(worst))) {
            worst = place;
            worst_of = of;
        }
    }
    if (!worst)
        return NULL;
    g_autofree char *mean = sheet_ratio(exp(logs / n), 1), *most = sheet_ratio(regret_x(worst), 1),
                    *size = units_format_size(worst->m), *file = sheet_ratio(exp(after / MAX(n_after, 1)), 1);
    g_autoptr(GString) s = g_string_new(NULL);
    g_string_printf(s, "By default, %s takes %s times as long as the best that it can be told to run%s",
                    x->library.only->library->title, mean, n > 1 ? ", in the geometric mean" : "");
    if (n > 1)
        g_string_append_printf(s, " over %u collectives", n);
    g_string_append_printf(s, ". Most is to gain in %s of %s bytes on %d ranks, which takes %s times as long.",
                           collectives[worst_of->collective].name, size, worst->p, most);
    if (n_after)
        g_string_append_printf(s, " With the file below it takes %s times as long%s.", file,
                               n_after > 1 ? " in the mean" : "");
    return g_string_free(g_steal_pointer(&s), FALSE);
}

// Adds the settings that make the library choose well.
static void add_settings(const HtmlReport *x)
{
    html_section(x->page, 2, NULL, "What to set");
    if (!x->options->only) {
        html_text(x->page,
                  "No library was named. With --only ompi-4.1, or another one, this section has the file that makes "
                  "it choose well.");
        return;
    }
    g_autofree char *regret = regret_text(x);
    if (regret)
        html_text(x->page, regret);
    g_autofree char *text =
        g_strdup_printf("This file makes %s take, at each point of the grid, at most 3 %% more time than the best that "
                        "it can be told to run. Its comment says how to load it.",
                        x->library.only->library->title);
    html_text(x->page, x->rules ? text : "No setting of this library decides these collectives.");
    if (!x->rules)
        return;
    html_pre(x->page, "the file", x->rules);
    GString *names = g_string_new(NULL);
    guint n = 0;
    for (int i = 0; i < N_COLLECTIVES; i++)
        if (x->chosen[i])
            g_string_append_printf(names, "%s%s", n++ ? "," : " ", collectives[i].name);
    g_autofree char *start = g_strdup_printf("tune %s%s", x->options->only, n < N_COLLECTIVES ? names->str : "");
    g_string_free(names, TRUE);
    RequestOptions o = *x->options;
    o.only = NULL;
    const gboolean ompi_text = x->library.only->library->id <= LIBRARY_OMPI_5;
    g_autofree char *command = html_report_command(&o, start, ompi_text ? "-o rules.conf" : "-o rules.json");
    html_command(x->page, command);
}

// Returns what stands below the title. Free with g_free.
static char *lead_of(const HtmlReport *x)
{
    g_autofree char *machine = report_machine_text(&x->library);
    const char *const title = x->options->only ? x->library.only->library->title : NULL;
    return g_strdup_printf("Predicted%s, for p %s and sizes %s%s%s%s. Below each part is the command that makes it.",
                           machine, x->options->ranks, x->options->sizes, title ? ", with what " : "",
                           title ? title : "", title ? " can be told to run" : "");
}

static char *title_of(const HtmlReport *x)
{
    GString *names = g_string_new(NULL);
    guint n = 0;
    for (int i = 0; i < N_COLLECTIVES; i++)
        if (x->chosen[i])
            g_string_append_printf(names, "%s%s", n++ ? ", " : "", collectives[i].name);
    char *title = n == N_COLLECTIVES ? g_strdup_printf("MPI collectives on %s", x->library.platform->title)
                                     : g_strdup_printf("%s on %s", names->str, x->library.platform->title);
    g_string_free(names, TRUE);
    return title;
}

GString *html_report(HtmlReport *x, GError **error)
{
    if (!ask_all(x, error))
        return NULL;
    g_autofree char *title = title_of(x), *lead = lead_of(x);
    x->page = html_new(x->title ? x->title : title, lead);
    // Points refer to their requests, so these must not move.
    x->all = g_array_sized_new(FALSE, TRUE, sizeof(HtmlCollective), N_COLLECTIVES);
    g_array_set_clear_func(x->all, collective_clear);
    for (int i = 0; i < N_COLLECTIVES; i++)
        if (x->chosen[i] && !add_collective(x, (Collective)i, error))
            return NULL;
    if (!tune_all(x, error) || !audit_all(x, error))
        return NULL;
    add_settings(x);
    add_glance(x);
    for (guint i = 0; i < x->all->len; i++)
        if (!html_report_collective(x, &g_array_index(x->all, HtmlCollective, i), error))
            return NULL;
    return html_report_machine(x, error) ? html_end(x->page) : NULL;
}

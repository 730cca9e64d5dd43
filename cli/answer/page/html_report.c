#include "answer/page/html_report.h"
#include "advice/tune/setting.h"
#include "answer/judge/audit_report.h"
#include "answer/report/report.h"
#include "ask/foresee.h"
#include "out/note.h"
#include "base/distinct.h"
#include "base/share.h"
#include "base/error.h"
#include "base/units.h"
#include "engine/schedule/parse.h"
#include "search/search/sure.h"
#include <math.h>
#include <string.h>

// ---- What the page needs --------------------------------------------------------------------------------------------

static void free_regret(gpointer regret)
{
    regret_free(regret);
}

static void collective_free(gpointer data)
{
    HtmlCollective *x = data;
    if (x->audit)
        audit_free(x->audit);
    g_free(x->id);
    g_free(x->sizes);
    g_free(x->why);
    if (x->notes)
        g_ptr_array_unref(x->notes);
    if (x->contests)
        g_ptr_array_unref(x->contests);
    if (x->regret)
        free_regret(x->regret);
    request_clear(&x->request);
    g_free(x);
}

void html_report_clear(HtmlReport *x)
{
    if (x->all)
        g_ptr_array_unref(x->all);
    if (x->tunes)
        g_ptr_array_unref(x->tunes);
    if (x->claims)
        g_ptr_array_unref(x->claims);
    platform_free(x->flat);
    g_free(x->rules);
    tune_pair_clear(&x->pair);
    request_clear(&x->library);
    request_clear(&x->tuned);
    g_free(x->lead);
    html_free(x->page);
    known_end(&x->known, x->known);
}

static TuneAnswer tune_answer_of(HtmlReport *x)
{
    return (TuneAnswer){&x->tuned, x->options, x->chosen, TUNE_WITHIN, SURE_DEFAULT};
}

// Finds the machine, and a library if there is one.
static gboolean ask_all(HtmlReport *x, GError **error)
{
    RequestOptions *const o = (RequestOptions *)(uintptr_t)x->options;
    x->library.question.asked = x->tuned.question.asked = x->chosen;
    x->library.known = x->tuned.known = known_begin(&x->known);
    if (o->only) {
        RequestOptions settings = *o; // which serve all roots
        settings.root = NULL;
        if (!ask_about_library("report", o->only, o, &x->library, error) ||
            !ask_about_library("report", o->only, &settings, &x->tuned, error) ||
            !ask_library_sizes(o, x->chosen, x->given, &x->library, error) ||
            !ask_library_sizes(o, x->chosen, x->given, &x->tuned, error))
            return FALSE;
        x->tunes = setting_new();
        tune_answer_ask(&x->tuned, FALSE, TRUE);
        x->tuned.library.z = sure_z(SURE_DEFAULT);
        const TuneAnswer answer = tune_answer_of(x);
        return tune_answer_nodes(&answer, x->tunes, error);
    }
    x->library.question.collective = COLL_ALLREDUCE; // the machine needs the figures of reductions
    return ask_points(o, &x->library, error) && ask_machine(o, &x->library, error) &&
           request_check_map(&x->library, error) && ask_library_sizes(o, x->chosen, x->given, &x->library, error);
}

// Asks `best` only for the sizes that are whole elements of the collective.
static void ask_whole_sizes(const HtmlReport *x, HtmlCollective *of)
{
    Request like = {.question.elem = ask_library_element(x->options, of->collective),
                    .question.sizes = x->library.question.sizes}; // borrowed
    g_autoptr(GArray) whole = question_whole_sizes(&like.question);
    if (whole->len == like.question.sizes->len || of->collective == COLL_BARRIER)
        return;
    of->sizes = ask_sizes_text(whole);
    of->asked.sizes = of->sizes;
    if (whole->len == 0)
        of->why =
            g_strdup_printf("no size of the report is a whole number of elements of %zu bytes", like.question.elem);
}

// Finds who wins, and what the defaults cost.
static gboolean time_collective(HtmlReport *x, HtmlCollective *of, GError **error)
{
    const Collective collective = of->collective;
    of->request.known = x->known;
    of->asked = *x->options;
    g_snprintf(of->element, sizeof of->element, "%zu", ask_library_element(x->options, collective));
    of->asked.element = of->element;
    of->asked.root = collectives[collective].rooted ? x->options->root : NULL;
    ask_whole_sizes(x, of);
    if (of->why)
        return TRUE;
    if (x->options->only) {
        of->regret = regret_contests(&x->library, collective, ask_library_element(x->options, collective),
                                     HTML_REPORT_TOP, error);
        if (!of->regret)
            return FALSE;
        of->notes = g_steal_pointer(&x->library.of_default);
    }
    // The search for the best takes long, so that of the regret is used, unless it did not look everywhere.
    if (of->regret && !of->regret->unknown && html_report_ask(collective, &of->asked, &of->request, &of->why, error))
        of->contests = html_report_any_winner(of->regret->contests, &of->request.library, &of->why)
                           ? g_ptr_array_ref(of->regret->contests)
                           : NULL;
    else if (!of->regret || of->regret->unknown)
        of->contests = html_report_contests(collective, &of->asked, HTML_REPORT_TOP, &of->request, &of->why, error);
    return of->contests || of->why;
}

static gboolean tune_collective(HtmlReport *x, HtmlCollective *of, GError **error)
{
    const TuneAnswer answer = tune_answer_of(x);
    if (!x->options->only || !tune_can(x->tuned.library.only, of->collective))
        return TRUE;
    of->tune = tune_answer_add(&answer, of->collective, x->tunes, error);
    return of->tune != NULL;
}

// Writes the rules of the collectives that are done.
static gboolean write_rules(HtmlReport *x, GError **error)
{
    const TuneAnswer answer = tune_answer_of(x);
    tune_pair_clear(&x->pair);
    x->pair = (TunePair){0};
    g_clear_pointer(&x->rules, g_free);
    if (x->tuned.library.pair && x->tunes->len)
        if (!tune_answer_texts(&answer, x->tunes, HTML_REPORT_FOLDER, &x->pair, error))
            return FALSE;
    x->rules = x->pair.load    ? g_strdup(x->pair.algorithms)
               : x->tunes->len ? tune_answer_text(&answer, x->tunes, error)
                               : NULL;
    return x->rules || !x->tunes->len;
}

// Judges the claims about a collective on the machine that `audit` has by default, which has all figures.
static gboolean audit_collective(const HtmlReport *x, HtmlCollective *of, GError **error)
{
    g_autoptr(GPtrArray) claims = g_ptr_array_new();
    for (guint i = 0; i < x->claims->len; i++)
        if (((const Claim *)x->claims->pdata[i])->collective == of->collective)
            g_ptr_array_add(claims, x->claims->pdata[i]);
    if (!claims->len)
        return TRUE;
    g_autofree char *parameters = audit_parameters_path();
    const TruthOptions options = {1, false, x->flat, NULL};
    of->audit = audit_run(claims, &options, parameters, error);
    return of->audit != NULL;
}

static int by_collective(const void *a, const void *b)
{
    const HtmlCollective *x = *(const HtmlCollective *const *)a, *y = *(const HtmlCollective *const *)b;
    return (int)x->collective - (int)y->collective;
}

static gboolean add_collective(HtmlReport *x, Collective collective, GError **error)
{
    HtmlCollective *of = g_new0(HtmlCollective, 1);
    of->collective = collective;
    g_ptr_array_add(x->all, of);
    g_ptr_array_sort(x->all, by_collective);
    return time_collective(x, of, error) && tune_collective(x, of, error) && audit_collective(x, of, error);
}

// ---- How long it takes ----------------------------------------------------------------------------------------------

// Notes how long the page of a library will take, unless it is a few seconds. What this predicts of some places, the
// page then knows.
static void say_time(HtmlReport *x)
{
    Foresee all = foresee_begin();
    for (int i = 0; i < N_COLLECTIVES && x->options->only; i++) {
        if (!x->chosen[i])
            continue;
        foresee_regret(&all, &x->library, (Collective)i, ask_library_element(x->options, (Collective)i),
                       HTML_REPORT_TOP);
        for (guint k = 0; k < x->claims->len; k++)
            foresee_claims(&all, ((const Claim *)x->claims->pdata[k])->collective == (Collective)i);
    }
    foresee_say(&all, "this page");
}

// ---- The page -------------------------------------------------------------------------------------------------------

// Returns what stands below the title. Free with g_free.
static char *lead_of(const HtmlReport *x)
{
    g_autofree char *machine = report_machine_text(&x->library);
    const char *const title = x->options->only ? x->library.library.only->library->title : NULL;
    const GPtrArray *left_out = x->library.left_out;
    g_autofree char *root =
        x->library.question.asked_root ? g_strdup_printf(" and root %d", x->library.question.asked_root) : NULL;
    return g_strdup_printf(
        "Predicted%s, for p %s%s sizes %s%s%s%s%s.%s%s%s Below each part is the command that makes it.", machine,
        x->options->ranks, root ? "," : " and", x->options->sizes, root ? root : "", title ? ", with what " : "",
        title ? title : "", title ? " can be told to run" : "", left_out ? " Left out: " : "",
        left_out ? (const char *)left_out->pdata[0] : "", left_out ? "." : "");
}

static char *title_of(const HtmlReport *x)
{
    GString *names = g_string_new(NULL);
    guint n = 0;
    for (int i = 0; i < N_COLLECTIVES; i++)
        if (x->chosen[i])
            g_string_append_printf(names, "%s%s", n++ ? ", " : "", collectives[i].name);
    char *title = n == N_COLLECTIVES ? g_strdup_printf("MPI collectives on %s", x->library.machine.platform->title)
                                     : g_strdup_printf("%s on %s", names->str, x->library.machine.platform->title);
    g_string_free(names, TRUE);
    return title;
}

// Adds what is not known of the machine and of the library's default.
static void add_notes(const HtmlReport *x)
{
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    request_unknowns(&x->library, notes);
    for (guint i = 0; i < x->all->len; i++) {
        const GPtrArray *own = ((const HtmlCollective *)x->all->pdata[i])->notes;
        for (guint k = 0; own && k < own->len; k++)
            distinct_take(notes, g_strdup(own->pdata[k]));
    }
    for (guint i = 0; i < notes->len; i++) {
        g_autofree char *text = g_strdup_printf("Note: %s.", (char *)notes->pdata[i]);
        html_text(x->page, text);
    }
}

// Adds what a page that is not complete lacks, and the command that makes it.
static void add_lacking(const HtmlReport *x, const char *said)
{
    g_autoptr(GString) start = g_string_new("report"), names = g_string_new(NULL);
    RequestOptions o = *x->options;
    o.root = NULL;
    for (guint i = 0, k = 0; i < N_COLLECTIVES; i++) {
        const gboolean done = k < x->all->len && ((const HtmlCollective *)x->all->pdata[k])->collective == i;
        k += done;
        if (!x->chosen[i] || done)
            continue;
        g_string_append_printf(start, "%c%s", names->len ? ',' : ' ', collectives[i].name);
        g_string_append_printf(names, "%s%s", names->len ? ", " : "", collectives[i].name);
        if (collectives[i].rooted)
            o.root = x->options->root;
    }
    g_autofree char *text = g_strdup_printf("This page is not complete: the program was %s. It lacks %s, about which "
                                            "this command makes a page:",
                                            said, names->str),
                    *command = html_report_command(&o, start->str, "-o rest.html");
    html_text(x->page, text);
    html_command(x->page, command);
}

// Makes a page of the collectives that are done. `said` is how many these are, or NULL if they are all.
static GString *make_page(HtmlReport *x, const char *said, GError **error)
{
    g_autofree char *title = title_of(x);
    if (x->tunes && !write_rules(x, error))
        return NULL;
    html_free(x->page);
    x->page = html_new(x->title ? x->title : title, x->lead);
    for (guint i = 0; i < x->all->len; i++) {
        HtmlCollective *of = x->all->pdata[i];
        g_free(of->id);
        of->id = html_id(x->page, collectives[of->collective].name);
    }
    if (said)
        add_lacking(x, said);
    add_notes(x);
    html_report_answer(x);
    for (guint i = 0; i < x->all->len; i++)
        if (!html_report_collective(x, x->all->pdata[i], error))
            return NULL;
    return html_report_machine(x, error) ? html_end(x->page) : NULL;
}

// Hands over a page of the collectives that are done, if others are not.
static gboolean show_done(HtmlReport *x, GError **error)
{
    guint n = 0;
    for (int i = 0; i < N_COLLECTIVES; i++)
        n += x->chosen[i] ? 1 : 0;
    if (!x->ready || x->all->len == n)
        return TRUE;
    g_autofree char *said = g_strdup_printf("stopped after %u of %u collectives", x->all->len, n);
    g_autoptr(GString) page = make_page(x, said, error);
    return page && x->ready(page, said, x->user, error);
}

GString *html_report(HtmlReport *x, GError **error)
{
    g_autofree char *folder = share_path(SHARE_CLAIMS, NULL);
    x->claims = g_ptr_array_new_with_free_func((GDestroyNotify)claim_free);
    x->all = g_ptr_array_new_with_free_func(collective_free);
    if (!ask_all(x, error) || !(x->flat = ask_platform("generic-100g", error)) ||
        !claims_read_folder(folder, x->claims, error))
        return NULL;
    x->lead = lead_of(x);
    say_time(x);
    const Tables *only = x->options->only ? x->tuned.library.only : NULL;
    for (int calls = 0; calls <= 1; calls++) // the rules of what others call come before theirs
        for (int i = 0; i < N_COLLECTIVES; i++)
            if (x->chosen[i] && (only && tune_calls_others(only, (Collective)i)) == calls &&
                (!add_collective(x, (Collective)i, error) || !show_done(x, error)))
                return NULL;
    return make_page(x, NULL, error);
}

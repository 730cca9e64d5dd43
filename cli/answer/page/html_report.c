#include "answer/page/html_report.h"
#include "answer/judge/audit_report.h"
#include "answer/report/report.h"
#include "base/share.h"
#include "base/error.h"
#include "base/units.h"
#include "engine/schedule/parse.h"
#include "search/search/sure.h"
#include <math.h>
#include <string.h>

// ---- Commands -------------------------------------------------------------------------------------------------------

// ---- What the page needs --------------------------------------------------------------------------------------------

static void free_regret(gpointer regret)
{
    regret_free(regret);
}

static void collective_clear(gpointer data)
{
    HtmlCollective *x = data;
    g_free(x->id);
    g_free(x->sizes);
    g_free(x->why);
    if (x->contests)
        g_ptr_array_unref(x->contests);
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
    tune_pair_clear(&x->pair);
    request_clear(&x->library);
    request_clear(&x->tuned);
    html_free(x->page);
    known_end(&x->known, x->known);
}

// Finds the machine, and a library if there is one.
static gboolean ask_all(HtmlReport *x, GError **error)
{
    RequestOptions *const o = (RequestOptions *)(uintptr_t)x->options;
    x->library.question.asked = x->tuned.question.asked = x->chosen;
    x->library.known = x->tuned.known = known_begin(&x->known);
    if (o->only)
        return ask_about_library("report", o->only, o, &x->library, error) &&
               ask_about_library("report", o->only, o, &x->tuned, error) &&
               ask_library_sizes(o, x->chosen, x->given, &x->library, error) &&
               ask_library_sizes(o, x->chosen, x->given, &x->tuned, error);
    x->library.question.collective = COLL_ALLREDUCE; // the machine needs the figures of reductions
    return ask_points(o, &x->library, error) && ask_machine(o, &x->library, error) &&
           request_knows("report", x->library.machine.model, TRUE, error) && request_check_map(&x->library, error) &&
           ask_library_sizes(o, x->chosen, x->given, &x->library, error);
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

static gboolean add_collective(HtmlReport *x, Collective collective, GError **error)
{
    g_array_set_size(x->all, x->all->len + 1);
    HtmlCollective *of = &g_array_index(x->all, HtmlCollective, x->all->len - 1);
    of->collective = collective;
    of->request.known = x->known;
    of->id = html_id(x->page, collectives[collective].name);
    of->asked = *x->options;
    g_snprintf(of->element, sizeof of->element, "%zu", ask_library_element(x->options, collective));
    of->asked.element = of->element;
    ask_whole_sizes(x, of);
    if (of->why)
        return TRUE;
    if (x->options->only) {
        of->regret = regret_contests(&x->library, collective, ask_library_element(x->options, collective),
                                     HTML_REPORT_TOP, error);
        if (!of->regret)
            return FALSE;
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

static gboolean tune_all(HtmlReport *x, GError **error)
{
    if (!x->options->only)
        return TRUE;
    Request *r = &x->tuned;
    const TuneAnswer answer = {r, x->options, x->chosen, TUNE_WITHIN, SURE_DEFAULT};
    tune_answer_ask(r, FALSE, TRUE);
    r->library.z = sure_z(SURE_DEFAULT);
    x->tunes = tune_answer_rules(&answer, error);
    if (!x->tunes)
        return FALSE;
    for (guint i = 0; i < x->tunes->len; i++)
        for (guint k = 0; k < x->all->len; k++) {
            HtmlCollective *of = &g_array_index(x->all, HtmlCollective, k);
            if (((const Tune *)x->tunes->pdata[i])->collective == of->collective)
                of->tune = x->tunes->pdata[i];
        }
    if (r->library.pair && x->tunes->len)
        if (!tune_answer_texts(&answer, x->tunes, HTML_REPORT_FOLDER, &x->pair, error))
            return FALSE;
    x->rules = x->pair.load    ? g_strdup(x->pair.algorithms)
               : x->tunes->len ? tune_answer_text(&answer, x->tunes, error)
                               : NULL;
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

// ---- The page -------------------------------------------------------------------------------------------------------

// Returns what stands below the title. Free with g_free.
static char *lead_of(const HtmlReport *x)
{
    g_autofree char *machine = report_machine_text(&x->library);
    const char *const title = x->options->only ? x->library.library.only->library->title : NULL;
    const GPtrArray *left_out = x->library.left_out;
    return g_strdup_printf(
        "Predicted%s, for p %s and sizes %s%s%s%s.%s%s%s Below each part is the command that makes it.", machine,
        x->options->ranks, x->options->sizes, title ? ", with what " : "", title ? title : "",
        title ? " can be told to run" : "", left_out ? " Left out: " : "",
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
    for (guint i = 0; x->library.of_default && i < x->library.of_default->len; i++)
        g_ptr_array_add(notes, g_strdup(x->library.of_default->pdata[i]));
    for (guint i = 0; i < notes->len; i++) {
        g_autofree char *text = g_strdup_printf("Note: %s.", (char *)notes->pdata[i]);
        html_text(x->page, text);
    }
}

GString *html_report(HtmlReport *x, GError **error)
{
    if (!ask_all(x, error))
        return NULL;
    g_autofree char *title = title_of(x), *lead = lead_of(x);
    x->page = html_new(x->title ? x->title : title, lead);
    // Contests refer to their requests, so these must not move.
    x->all = g_array_sized_new(FALSE, TRUE, sizeof(HtmlCollective), N_COLLECTIVES);
    g_array_set_clear_func(x->all, collective_clear);
    for (int i = 0; i < N_COLLECTIVES; i++)
        if (x->chosen[i] && !add_collective(x, (Collective)i, error))
            return NULL;
    if (!tune_all(x, error) || !audit_all(x, error))
        return NULL;
    add_notes(x);
    html_report_answer(x);
    for (guint i = 0; i < x->all->len; i++)
        if (!html_report_collective(x, &g_array_index(x->all, HtmlCollective, i), error))
            return NULL;
    return html_report_machine(x, error) ? html_end(x->page) : NULL;
}

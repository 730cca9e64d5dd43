#include "answer/page/html_parts.h"
#include "base/escape.h"
#include "answer/judge/audit_report.h"
#include "answer/report/report.h"
#include "answer/advice/tune_answer.h"
#include "base/share.h"
#include "base/error.h"
#include "base/units.h"
#include "engine/schedule/parse.h"
#include <math.h>
#include <string.h>

// ---- Commands -------------------------------------------------------------------------------------------------------

char *html_report_command(const RequestOptions *o, const char *start, const char *end)
{
    const gboolean decides = g_str_has_prefix(start, "run ") || g_str_has_prefix(start, "regret ") ||
                             g_str_has_prefix(start, "tune "); // it takes --han
    const struct {
        const char *option, *value;
    } values[] = {
        {"-p", o->ranks},
        {"-m", o->sizes},
        {"--root", o->root},
        {"--element", o->element},
        {"--only", o->only},
        {"--map", o->map},
        {"--per-node", o->per_node},
        {"--platform", o->platform},
        {"--model", o->model},
        {"--transfer", o->transfer},
        {"--topology", o->on.topology},
        {"--routing", o->on.routing},
        {"--nodes", o->on.nodes},
        {"--han", decides ? o->han : NULL},
    };
    GString *s = g_string_new("collsim ");
    g_string_append(s, start);
    for (size_t i = 0; i < G_N_ELEMENTS(values); i++) {
        g_autofree char *word = values[i].value ? escape_shell(values[i].value) : NULL;
        if (word)
            g_string_append_printf(s, " %s %s", values[i].option, word);
    }
    if (o->no_han && decides)
        g_string_append(s, " --no-han");
    for (char **set = o->sets; set && *set; set++) {
        g_autofree char *word = escape_shell(*set);
        g_string_append_printf(s, " --set %s", word);
    }
    if (*end)
        g_string_append_printf(s, " %s", end);
    return g_string_free(s, FALSE);
}

gboolean html_report_ask(Collective collective, const RequestOptions *o, Request *r, char **why, GError **error)
{
    g_autoptr(GError) none = NULL;
    r->question.collective = collective;
    if (!ask_only(o, &r->library, error))
        return FALSE;
    if (!ask_points(o, r, &none)) {
        *why = g_strdup(none->message);
        return FALSE;
    }
    return ask_machine(o, r, error);
}

gboolean html_report_any_winner(const GPtrArray *contests, const RequestLibrary *lib, char **why)
{
    for (guint i = 0; i < contests->len; i++)
        if (html_report_winner(contests->pdata[i]))
            return TRUE;
    *why = lib->only ? g_strdup_printf("%s has no algorithm that it can be told to run at these points",
                                       lib->only->library->title)
                     : g_strdup("no algorithm can run at these points");
    return FALSE;
}

GPtrArray *html_report_contests(Collective collective, const RequestOptions *o, int top, Request *r, char **why,
                                GError **error)
{
    g_autoptr(GError) none = NULL;
    if (!html_report_ask(collective, o, r, why, error))
        return NULL;
    g_autoptr(GPtrArray) contests = contest_make_all(r, top, &none);
    if (!contests || !contest_run_all(contests, NULL, NULL, &none)) {
        *why = g_strdup(none->message);
        return NULL;
    }
    return html_report_any_winner(contests, &r->library, why) ? g_steal_pointer(&contests) : NULL;
}

const Point *html_report_winner(const Contest *x)
{
    return x->ranking->len ? ((const Contender *)x->ranking->pdata[0])->point : NULL;
}

#include "export/export.h"
#include "ask/options.h"
#include "base/error.h"
#include "base/units.h"
#include "engine/schedule/parse.h"
#include "engine/schedule/record.h"
#include <string.h>

void export_clear(Export *x)
{
    if (x->points)
        g_ptr_array_unref(x->points);
    request_clear(&x->request);
    request_options_clear(&x->options);
    g_free(x->output);
}

static gboolean check_one(const Export *x, GError **error)
{
    const Request *r = &x->request;
    const CollAlgorithm *only = question_only(&r->question);
    if (!only)
        return bad_input(error, "%s: a schedule belongs to one algorithm; allowed: its name, see collsim list %s",
                         r->question.named ? "several algorithms" : "all", collectives[r->question.collective].name);
    if (only->shared)
        return bad_input(error,
                         "%s %s works in shared memory and sends no messages; allowed: algorithms that send messages",
                         collectives[r->question.collective].name, only->name);
    if (r->question.ranks->len > 1)
        return bad_input(error, "-p %s; allowed: one number of ranks", x->options.ranks);
    if (r->question.sizes->len > 1)
        return bad_input(error, "-m %s; allowed: one size", x->options.sizes);
    return question_no_lists(&r->question, error);
}

// Refuses schedules with more messages than a file can usefully hold.
static gboolean check_size(const Export *x, GError **error)
{
    enum { MAX_MESSAGES = 50000000 };
    Schedule *s = schedule_admit(&x->op, NULL, MAX_MESSAGES, NULL, error);
    schedule_free(s);
    return s != NULL;
}

gboolean export_begin(int argc, char **argv, const char *text, const GOptionEntry *more, Export *x, GError **error)
{
    RequestOptions *o = &x->options;
    const GOptionEntry entries[] = {
        ENTRY_STRING("ranks", 'p', o->ranks, "number of ranks, or NxK for N nodes of K ranks", "P"),
        ENTRY_STRING("bytes", 'm', o->sizes, "size in bytes, as of run", "BYTES"),
        ENTRY_STRING("root", 0, o->root, "root rank (default 0)", "R"),
        ENTRY_PARAM(o->params),
        ENTRY_ELEMENT(o->element),
        ENTRY_COUNTS(o->counts),
        ENTRY_DISPLS(o->displs),
        ENTRY_PER_NODE(o->per_node),
        ENTRY_MAP(o->map),
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &x->output, "write to FILE (default standard output)", "FILE"},
        {NULL},
    };
    g_autoptr(GArray) all = g_array_new(TRUE, FALSE, sizeof(GOptionEntry));
    g_array_append_vals(all, entries, G_N_ELEMENTS(entries) - 1);
    for (; more && more->long_name; more++)
        g_array_append_vals(all, more, 1);
    g_auto(GStrv) words = NULL;
    o->libraries = o->one_root = TRUE;
    if (!options_parse(argc, argv, "COLLECTIVE ALGORITHM", text, (const GOptionEntry *)(void *)all->data, 2, 2, &words,
                       error) ||
        !ask_operation(words, o, &x->request, error) || !check_one(x, error) ||
        !(x->points = points_make(&x->request, error)))
        return FALSE;
    x->op = point_operation(&x->request, g_ptr_array_index(x->points, 0));
    return check_size(x, error);
}

char *export_title(const Export *x)
{
    const Request *r = &x->request;
    const Point *point = g_ptr_array_index(x->points, 0);
    g_autofree char *layout = request_layout(r), *size = units_format_size(x->op.m), *ran = point_ran(point);
    GString *s = g_string_new(NULL);
    g_string_printf(s, "%s %s, %d rank%s", collectives[r->question.collective].name, question_only(&r->question)->name,
                    x->op.c.p, x->op.c.p == 1 ? "" : "s");
    if (r->question.collective != COLL_BARRIER)
        g_string_append_printf(s, ", %s bytes", size);
    if (collectives[r->question.collective].rooted)
        g_string_append_printf(s, ", root %d", point->root);
    g_string_append(s, layout);
    for (int i = 0; i < algorithm_n_params(x->op.algorithm); i++) {
        const CollParam *param = &x->op.algorithm->params[i];
        g_autofree char *value = param_text(param, param_get(param, &x->op.c.par));
        g_string_append_printf(s, ", %s = %s", param->name, value);
    }
    if (ran)
        g_string_append_printf(s, ", ran: %s", ran);
    return g_string_free(s, FALSE);
}

#include "base/budget.h"
#include "base/error.h"
#include "library/library_types.h"

struct collsim_decisions {
    GArray *decisions; // of collsim_decision
    GStringChunk *texts;
};

static const char *keep(collsim_decisions *x, const char *text)
{
    return text ? g_string_chunk_insert_const(x->texts, text) : NULL;
}

static const char *take(collsim_decisions *x, char *text)
{
    const char *kept = keep(x, text);
    g_free(text);
    return kept;
}

// Adds the decision for the i-th number of ranks.
static gboolean decide_at(collsim_decisions *x, const Request *r, Tables *tables, guint i, size_t m, GError **error)
{
    const int p = (int)g_array_index(r->question.ranks, size_t, i), per_node = request_per_node(r, i);
    CollCounts *counts = NULL;
    if (!question_check_size(&r->question, (size_t)p, m, error) ||
        !question_make_blocks(&r->question, p, m, &counts, error))
        return FALSE;
    const DecideCall call = request_call(r, p, per_node, m, counts);
    g_autoptr(Decision) d = decide_call(tables, &call);
    const collsim_decision decision = {.p = p,
                                       .bytes = m,
                                       .library = tables->library->name,
                                       .id = take(x, decision_id(d)),
                                       .text = take(x, decision_text(d)),
                                       .algorithm = d->entry ? keep(x, d->entry->name) : NULL,
                                       .missing = keep(x, d->missing),
                                       .setting = take(x, decision_setting(d, tables)),
                                       .per_node = per_node};
    g_array_append_val(x->decisions, decision);
    counts_free(counts);
    return TRUE;
}

// A call, and its answer.
typedef struct DecideWork {
    const collsim_request *request;
    const char *library;
    collsim_decisions *decisions;
} DecideWork;

static gboolean decide(gpointer data, gpointer unused, GError **error)
{
    const DecideWork *call = data;
    (void)unused;
    if (!library_given(call->request, "request", error) || !library_text(call->library, "library", error))
        return FALSE;
    Request r = {0};
    const Library *library = library_find(call->library, error);
    gboolean good = library && library_request_make(call->request, FALSE, &r, error) && request_check_map(&r, error);
    Tables *tables = good ? request_tables(&r.library, library, error) : NULL;
    good = tables != NULL;
    for (guint i = 0; good && i < r.question.ranks->len; i++)
        for (guint j = 0; good && j < r.question.sizes->len; j++)
            good = decide_at(call->decisions, &r, tables, i, g_array_index(r.question.sizes, size_t, j), error);
    library_request_clear(&r);
    return good;
}

collsim_decisions *collsim_decide(const collsim_request *request, const char *library, collsim_error **error)
{
    GError *why = NULL;
    collsim_decisions *x = g_new(collsim_decisions, 1);
    *x = (collsim_decisions){g_array_new(FALSE, TRUE, sizeof(collsim_decision)), g_string_chunk_new(1024)};
    if (budget_try(decide, &(DecideWork){request, library, x}, NULL, &why))
        return x;
    collsim_decisions_free(x);
    library_fail(why, error);
    return NULL;
}

size_t collsim_decisions_count(const collsim_decisions *decisions)
{
    return decisions ? decisions->decisions->len : 0;
}

const collsim_decision *collsim_decisions_at(const collsim_decisions *decisions, size_t i)
{
    return i < collsim_decisions_count(decisions) ? &g_array_index(decisions->decisions, collsim_decision, i) : NULL;
}

void collsim_decisions_free(collsim_decisions *decisions)
{
    if (!decisions)
        return;
    g_array_unref(decisions->decisions);
    g_string_chunk_free(decisions->texts);
    g_free(decisions);
}

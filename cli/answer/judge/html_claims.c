#include "answer/judge/html_claims.h"
#include "answer/judge/audit_report.h"
#include "judge/audit/source.h"
#include <string.h>

static const Audited *result(const HtmlClaims *x, guint i)
{
    return &g_array_index(x->audit->results, Audited, i);
}

// Returns the mark of a verdict, which its text explains.
static HtmlMark mark_of(VerdictKind kind)
{
    static const HtmlMark marks[] = {
        [VERDICT_EXACT] = HTML_GOOD, [VERDICT_CLASS] = HTML_FAIR,      [VERDICT_LOOSE] = HTML_FAIR,
        [VERDICT_ORDER] = HTML_FAIR, [VERDICT_WRONG] = HTML_BAD,       [VERDICT_EXPLAINED] = HTML_GOOD,
        [VERDICT_PART] = HTML_FAIR,  [VERDICT_UNEXPLAINED] = HTML_BAD, [VERDICT_NONE] = HTML_PLAIN,
    };
    return marks[kind];
}

// ---- Algorithms -----------------------------------------------------------------------------------------------------

void html_claims_begin(HtmlClaims *x)
{
    x->algorithms = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);
    for (guint i = 0; i < x->audit->results->len; i++) {
        const CollAlgorithm *a = result(x, i)->claim->algorithm;
        if (!a || g_hash_table_contains(x->algorithms, a))
            continue;
        g_autofree char *wish = g_strdup_printf("algorithm-%s-%s", collectives[a->collective].name, a->name);
        g_hash_table_insert(x->algorithms, (gpointer)(uintptr_t)a, html_id(x->page, wish));
    }
}

void html_claims_clear(HtmlClaims *x)
{
    if (x->algorithms)
        g_hash_table_unref(x->algorithms);
    x->algorithms = NULL;
}

static int by_name(gconstpointer a, gconstpointer b)
{
    const CollAlgorithm *const one = *(const CollAlgorithm *const *)a, *const two = *(const CollAlgorithm *const *)b;
    return one->collective != two->collective ? (int)one->collective - (int)two->collective
                                              : strcmp(one->name, two->name);
}

void html_claims_algorithms(const HtmlClaims *x)
{
    static const HtmlCell head[] = {
        {"algorithm"}, {"what"}, {"cost", HTML_FORMULA}, {"source"}, {"claims", HTML_NUMBER}};
    g_autofree gpointer *keys = g_hash_table_get_keys_as_array(x->algorithms, NULL);
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    for (gpointer *key = keys; *key; key++)
        g_ptr_array_add(all, *key);
    g_ptr_array_sort(all, by_name);
    html_table(x->page, "What each algorithm that claims are about does, and the cost that its text has", head,
               G_N_ELEMENTS(head));
    for (guint i = 0; i < all->len; i++) {
        const CollAlgorithm *a = all->pdata[i];
        guint n = 0;
        for (guint k = 0; k < x->audit->results->len; k++)
            n += result(x, k)->claim->algorithm == a;
        g_autofree char *name = g_strdup_printf("%s %s", collectives[a->collective].name, a->name);
        g_autofree char *count = g_strdup_printf("%u", n);
        const HtmlCell cell[] = {{name}, {a->summary}, {a->cost, HTML_FORMULA}, {a->source}, {count, HTML_NUMBER}};
        html_row(x->page, g_hash_table_lookup(x->algorithms, a), NULL, cell, G_N_ELEMENTS(cell));
    }
    html_table_end(x->page);
}

// ---- Claims ---------------------------------------------------------------------------------------------------------

// Returns the place of a claim's verdict, or of its collective, among the choices of a filter.
static guint place_of(const HtmlClaims *x, guint i, gboolean verdict)
{
    const Audited *r = result(x, i);
    return verdict ? (guint)r->verdict.kind : (guint)r->claim->collective; // N_COLLECTIVES: about none
}

static void add_filter(const HtmlClaims *x, gboolean verdict)
{
    const guint n = verdict ? VERDICT_NONE + 1 : N_COLLECTIVES + 1;
    g_autofree guint *count = g_new0(guint, n);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < x->audit->results->len; i++)
        count[place_of(x, i, verdict)]++;
    for (guint k = 0; k < n; k++) {
        const char *const name = verdict ? verdict_names[k] : k < N_COLLECTIVES ? collectives[k].name : "no collective";
        g_ptr_array_add(names, count[k] ? g_strdup_printf("%s (%u)", name, count[k]) : NULL);
    }
    html_filter(x->page, verdict ? "verdict" : "collective", verdict ? "Show claims by verdict" : "Show claims about",
                (const char *const *)names->pdata, n);
}

void html_claims_filters(HtmlClaims *x)
{
    x->filters = TRUE;
    add_filter(x, TRUE);
    add_filter(x, FALSE);
}

static void add_claim(const HtmlClaims *x, guint i, gboolean titled)
{
    const Audited *r = result(x, i);
    const Claim *c = r->claim;
    g_autofree char *subject = audit_subject(c), *claim = audit_claim_text(c), *counter = audit_counterexample(r);
    g_autofree char *where = g_strdup_printf("%s%s%s%s%s%s", titled ? source_title(c->source) : "", titled ? ": " : "",
                                             c->place, *c->note ? " (" : "", c->note, *c->note ? ")" : "");
    g_autofree char *at = counter ? g_strjoin("; ", counter, r->note, NULL) : NULL;
    g_autofree char *wish = g_strconcat("claim-", c->id, NULL), *id = html_id(x->page, wish);
    g_autofree char *verdict = audit_verdict(r);
    g_autofree char *classes = g_strdup_printf("verdict-%u collective-%u", place_of(x, i, TRUE), place_of(x, i, FALSE));
    const HtmlCell cell[] = {
        {.text = verdict, .mark = mark_of(r->verdict.kind)},
        {.text = subject,
         .to = x->algorithms && c->algorithm ? g_hash_table_lookup(x->algorithms, c->algorithm) : NULL},
        {.text = claim, .kind = HTML_FORMULA},
        {.text = r->right.text, .kind = HTML_FORMULA},
        {.text = at},
        {.text = where},
        {.text = c->id, .to = id},
    };
    html_row(x->page, id, x->filters ? classes : NULL, cell, G_N_ELEMENTS(cell));
}

void html_claims_table(const HtmlClaims *x, const char *source, int collective, const char *caption)
{
    static const HtmlCell head[] = {{"verdict"},        {"about"}, {"claim"}, {"what holds"},
                                    {"counterexample"}, {"where"}, {"link"}};
    html_table(x->page, caption, head, G_N_ELEMENTS(head));
    for (guint i = 0; i < x->audit->results->len; i++)
        if ((!source || strcmp(result(x, i)->claim->source, source) == 0) &&
            (collective < 0 || (int)result(x, i)->claim->collective == collective))
            add_claim(x, i, !source);
    html_table_end(x->page);
}

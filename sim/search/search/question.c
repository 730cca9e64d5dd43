#include "search/search/question.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/units.h"
#include "measurements/logs/logs.h"
#include "engine/schedule/operation.h"
#include "engine/schedule/parse.h"
#include <math.h>
#include <string.h>

enum { MAX_VARIANTS = 10000 };

void question_clear(Question *q)
{
    g_clear_pointer(&q->named, g_ptr_array_unref);
    g_clear_pointer(&q->kept, g_ptr_array_unref);
    g_clear_pointer(&q->without, g_ptr_array_unref);
    g_clear_pointer(&q->ranks, g_array_unref);
    g_clear_pointer(&q->sizes, g_array_unref);
    g_clear_pointer(&q->per_node, g_array_unref);
    counts_clear(&q->counts);
    g_clear_pointer(&q->blocks, g_hash_table_unref);
}

const char *question_name(const Question *q)
{
    return q->name ? q->name : collectives[q->collective].name;
}

void question_add(Question *q, const CollAlgorithm *a)
{
    if (!q->named)
        q->named = g_ptr_array_new();
    if (!g_ptr_array_find(q->named, a, NULL))
        g_ptr_array_add(q->named, (gpointer)(uintptr_t)a);
}

void question_keep(Question *q)
{
    q->kept = g_steal_pointer(&q->named);
}

gboolean question_keeps(const Question *q, const CollAlgorithm *a)
{
    return q->kept && g_ptr_array_find(q->kept, a, NULL);
}

gboolean question_without(Question *q, const char *what, const char *list, GError **error)
{
    g_auto(GStrv) names = g_strsplit(list, ",", -1);
    q->without = g_ptr_array_new();
    for (char **name = names; *name; name++) {
        char *slash = strchr(g_strstrip(*name), '/');
        Collective of = q->collective;
        if (slash)
            *slash = '\0';
        const CollAlgorithm *a = slash && !collective_parse(*name, &of, error)
                                     ? NULL
                                     : algorithm_parse(of, slash ? slash + 1 : *name, error);
        if (!a) {
            g_prefix_error(error, "%s: ", what);
            return FALSE;
        }
        if (q->named && g_ptr_array_find(q->named, a, NULL))
            return bad_input(error, "%s %s: the answer is to have it; allowed: another algorithm", what, *name);
        g_ptr_array_add(q->without, (gpointer)(uintptr_t)a);
    }
    return q->without->len > 0 || bad_input(error, "%s is empty; allowed: names joined by commas", what);
}

gboolean question_lacks(const Question *q, const CollAlgorithm *a)
{
    return q->without && g_ptr_array_find(q->without, a, NULL);
}

const CollAlgorithm *question_only(const Question *q)
{
    return q->named && q->named->len == 1 ? g_ptr_array_index(q->named, 0) : NULL;
}

gboolean question_commutes(const Question *q)
{
    return !q->ordered || !collectives[q->collective].reduces;
}

gboolean question_reduces(const Question *q)
{
    gboolean reduces = !q->asked && collectives[q->collective].reduces;
    for (int i = 0; q->asked && i < N_COLLECTIVES; i++)
        reduces |= q->asked[i] && collectives[i].reduces;
    return reduces;
}

size_t question_most_ranks(const Question *q)
{
    size_t most = 0;
    for (guint i = 0; i < q->ranks->len; i++)
        most = MAX(most, g_array_index(q->ranks, size_t, i));
    return most;
}

size_t question_most(const Question *q, size_t p)
{
    return (size_t)ceil(0x1p62 / operation_weight(q->collective, (double)p)) - 1;
}

gboolean question_check_size(const Question *q, size_t p, size_t m, GError **error)
{
    if (m <= question_most(q, p) && m % q->elem == 0)
        return TRUE;
    g_autofree char *ranks = units_format_size(p), *size = units_format_size(m);
    if (m > question_most(q, p))
        return bad_input(error, "-m %s on %s ranks overflows; allowed: less than 2^62 bytes in all messages", size,
                         ranks);
    return bad_input(error, "-m %s is not a multiple of --element %" G_GSIZE_FORMAT "; allowed: whole elements", size,
                     q->elem);
}

GArray *question_whole_sizes(const Question *q)
{
    GArray *whole = g_array_new(FALSE, FALSE, sizeof(size_t));
    for (guint i = 0; i < q->sizes->len; i++)
        if (g_array_index(q->sizes, size_t, i) % q->elem == 0)
            g_array_append_val(whole, g_array_index(q->sizes, size_t, i));
    return whole;
}

size_t question_element(Collective collective, gboolean decides, const GArray *sizes, size_t given)
{
    size_t element = decides ? LOG_USUAL_ELEMENT : 1;
    for (guint i = 0; sizes && i < sizes->len; i++)
        element = log_element_of(TRUE, g_array_index(sizes, size_t, i), 0, 0, element);
    return given ? given : collectives[collective].reduces ? element : 1;
}

void question_turn(Question *q, Collective collective, size_t elem)
{
    q->collective = collective;
    q->elem = elem;
    if (q->asked)
        q->root = collectives[collective].rooted ? q->asked_root : 0;
}

// Returns the roots that are allowed.
static const char *allowed_roots(const Question *q)
{
    return q->one_root ? "0 .. p-1" : "0 .. p-1, or all";
}

// Checks that a collective that the question is about has a root.
static gboolean check_rooted(const Question *q, GError **error)
{
    g_autoptr(GString) names = g_string_new(q->asked ? NULL : collectives[q->collective].name);
    gboolean rooted = !q->asked && collectives[q->collective].rooted;
    guint n = q->asked ? 0 : 1;
    for (int i = 0; q->asked && i < N_COLLECTIVES; i++)
        if (q->asked[i]) {
            g_string_append_printf(names, "%s%s", n++ ? ", " : "", collectives[i].name);
            rooted |= collectives[i].rooted;
        }
    return rooted || bad_input(error, "--root: %s %s no root; allowed: with a collective that has one, such as bcast",
                               names->str, n == 1 ? "has" : "have");
}

gboolean question_check_root(const Question *q, size_t p, int root, GError **error)
{
    return root < 0 || (size_t)root < p ||
           bad_input(error, "--root %d is not among %" G_GSIZE_FORMAT " ranks; allowed: %s", root, p, allowed_roots(q));
}

gboolean question_root(Question *q, const char *text, GError **error)
{
    size_t root = 0;
    if (!text)
        return TRUE;
    if (!check_rooted(q, error))
        return FALSE;
    if (strcmp(text, "all") == 0 && !q->one_root) {
        q->root = -1;
        return TRUE;
    }
    if (!units_parse_size(text, &root, NULL) || root >= LIMIT_RANKS) {
        g_autofree char *quoted = error_quote(text);
        return bad_input(error, "--root %s; allowed: %s", quoted, allowed_roots(q));
    }
    for (guint i = 0; i < q->ranks->len; i++)
        if (!question_check_root(q, g_array_index(q->ranks, size_t, i), (int)root, error))
            return FALSE;
    *(q->asked ? &q->asked_root : &q->root) = (int)root;
    return TRUE;
}

static void blocks_destroy(gpointer blocks)
{
    counts_free(blocks);
}

gboolean question_make_blocks(const Question *q, int p, size_t m, CollCounts **blocks, GError **error)
{
    const size_t mean = q->collective == COLL_REDUCE_SCATTER ? m / (size_t)p : m;
    return counts_make(&q->counts, p, mean, q->elem, blocks, error);
}

const CollCounts *question_blocks(const Question *q, int p, size_t m)
{
    static GMutex lock;
    if (!q->blocks)
        return NULL;
    g_autofree char *key = g_strdup_printf("%d %zu", p, m);
    g_mutex_lock(&lock);
    CollCounts *x = g_hash_table_lookup(q->blocks, key);
    g_mutex_unlock(&lock);
    if (x)
        return x;
    CollCounts *made = NULL; // without the lock, which a lack of memory would leave locked
    if (!question_make_blocks(q, p, m, &made, NULL) || !made)
        return NULL;
    g_mutex_lock(&lock);
    x = g_hash_table_lookup(q->blocks, key);
    if (!x)
        g_hash_table_insert(q->blocks, g_steal_pointer(&key), x = g_steal_pointer(&made));
    g_mutex_unlock(&lock);
    counts_free(made);
    return x;
}

gboolean question_counts(Question *q, const char *counts, const char *displs, GError **error)
{
    const char *collective = collectives[q->collective].name;
    if ((counts || displs) && !collectives[q->collective].counts)
        return bad_input(error,
                         "%s: all blocks of %s have one length, and touch; allowed: with a v-collective such as "
                         "allgatherv%s",
                         counts ? "--counts" : "--displs", collective, counts ? ", or with reduce_scatter" : "");
    if (displs && q->collective == COLL_REDUCE_SCATTER)
        return bad_input(error,
                         "--displs: the blocks of %s always touch; allowed: with a v-collective such as allgatherv",
                         collective);
    if (counts && displs && strcmp(counts, "-") == 0 && strcmp(displs, "-") == 0)
        return bad_input(error, "--counts - --displs -: standard input is read once; allowed: a file for one of both");
    q->counts_text = counts;
    q->displs_text = displs;
    if (counts || displs)
        q->blocks = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, blocks_destroy);
    return counts_parse(counts, question_most_ranks(q), &q->counts, error) &&
           counts_parse_displs(displs, question_most_ranks(q), &q->counts, error);
}

// Returns the values of NAME=VALUE,VALUE,.. without the spaces around them, at least one. Free with g_strfreev.
static char **values_of(const char *assignment)
{
    const char *equals = strchr(assignment, '=');
    char **values = g_strsplit(equals && equals[1] ? equals + 1 : " ", ",", -1);
    for (char **value = values; *value; value++)
        g_strstrip(*value);
    return values;
}

gboolean question_no_lists(const Question *q, GError **error)
{
    for (char **w = q->params; w && *w; w++) {
        g_auto(GStrv) values = values_of(*w);
        g_autofree char *shown = error_quote(*w);
        if (values[1])
            return bad_input(error, "--param %s; allowed: one value", shown);
    }
    return TRUE;
}

gboolean question_single(const Question *q)
{
    return question_only(q) && question_no_lists(q, NULL);
}

static void add_variant(GArray *variants, const CollAlgorithm *a, const CollParams *par)
{
    for (guint i = 0; i < variants->len; i++)
        if (params_same(a, &g_array_index(variants, CollParams, i), par))
            return;
    g_array_append_vals(variants, par, 1);
}

// Replaces *variants by their combinations with each value of the assignment. A variant that has no such parameter stays
// as it is; if one has it, *known becomes TRUE, unless it is NULL. On error *variants stays as well.
static gboolean combine(GArray **variants, const CollAlgorithm *a, const char *assignment, gboolean *known,
                        GError **error)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(CollParams));
    g_auto(GStrv) values = values_of(assignment);
    const size_t name = strcspn(assignment, "=");
    for (guint i = 0; i < (*variants)->len; i++)
        for (char **value = values; *value; value++) {
            CollParams par = g_array_index(*variants, CollParams, i);
            gboolean has;
            g_autofree char *one =
                assignment[name] ? g_strdup_printf("%.*s=%s", (int)name, assignment, *value) : g_strdup(assignment);
            if (!param_parse(a, one, &par, &has, error) && has)
                return FALSE;
            if (all->len == MAX_VARIANTS)
                return bad_input(error, "--param: %s has too many combinations of values; allowed: %d", a->name,
                                 MAX_VARIANTS);
            add_variant(all, a, &par);
            if (known)
                *known |= has;
        }
    g_array_unref(*variants);
    *variants = g_steal_pointer(&all);
    return TRUE;
}

// Returns how many parts an assignment names before its parameter: 0 for radix=4, 1 for outer.radix=4.
static int depth_of(const char *assignment)
{
    int depth = 0;
    for (const char *c = assignment; *c && *c != '='; c++)
        depth += *c == '.';
    return depth;
}

GArray *question_variants(const Question *q, const CollAlgorithm *a, gboolean *known, GError **error)
{
    g_autoptr(GArray) variants = g_array_new(FALSE, FALSE, sizeof(CollParams));
    const CollParams defaults = algorithm_defaults(a);
    const guint n = q->params ? g_strv_length(q->params) : 0;
    g_array_append_val(variants, defaults);
    guint done = 0;
    for (int depth = 0; done < n; depth++)
        for (guint i = 0; i < n; i++)
            if (depth_of(q->params[i]) == depth) {
                done++;
                if (!combine(&variants, a, q->params[i], known ? &known[i] : NULL, error))
                    return NULL;
            }
    return g_steal_pointer(&variants);
}

#include "judge/audit/facts.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/number.h"
#include "engine/schedule/parse.h"
#include <math.h>
#include <string.h>

struct Facts {
    GHashTable *defaults; // a parameter's default, by its name
    GPtrArray *names;     // the parameters in the file's order, NULL-terminated
};

Facts *facts_read(const char *path, GError **error)
{
    g_autoptr(Facts) f = g_new0(Facts, 1);
    f->defaults = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    f->names = g_ptr_array_new_with_free_func(g_free);
    if (path) {
        int name, value;
        g_autoptr(Csv) csv = csv_read(path, error);
        if (!csv || !csv_need(csv, "name", &name, error) || !csv_need(csv, "default", &value, error))
            return NULL;
        for (size_t row = 0; row < csv_rows(csv); row++) {
            char *key = g_strdup(csv_field(csv, row, name));
            g_ptr_array_add(f->names, key);
            g_hash_table_insert(f->defaults, key, g_strdup(csv_field(csv, row, value)));
        }
    }
    g_ptr_array_add(f->names, NULL);
    return g_steal_pointer(&f);
}

void facts_free(Facts *f)
{
    if (!f)
        return;
    g_hash_table_destroy(f->defaults);
    g_ptr_array_unref(f->names);
    g_free(f);
}

// Returns the algorithm's number in Open MPI 4.1 (prefix "ompi:"), or the one that only Open MPI's main branch has
// ("ompi-main:"). Returns 0 if there is none.
static int id_of(const CollAlgorithm *a, const char *prefix)
{
    int id = 0;
    for (int i = 0; i < COLL_MAX_ALIASES && a->aliases[i]; i++)
        if (g_str_has_prefix(a->aliases[i], prefix) && number_int(a->aliases[i] + strlen(prefix), 0, G_MAXINT, &id))
            break;
    return id;
}

static const char in_41[] = "ompi:", in_main[] = "ompi-main:";

static int largest_id(Collective collective, const char *prefix)
{
    int most = 0;
    for (int i = 0; i < n_algorithms; i++)
        if (algorithms[i]->collective == collective)
            most = MAX(most, id_of(algorithms[i], prefix));
    return most;
}

// Returns how many of the collective's algorithms in Open MPI 4.1 take a limit on a rank's open requests.
static int limited_ids(Collective collective)
{
    int n = 0;
    for (int i = 0; i < n_algorithms; i++)
        n += algorithms[i]->collective == collective && id_of(algorithms[i], in_41) > 0 &&
             algorithm_param(algorithms[i], "max_requests") != NULL;
    return n;
}

// Fills in the result of a claim that is either right or wrong. Takes ownership of both texts.
static void decide(Audited *r, bool right, char *claimed, char *truth)
{
    r->points = 1;
    r->verdict.kind = right ? VERDICT_EXACT : VERDICT_WRONG;
    r->verdict.why = WRONG_VALUE;
    r->verdict_text = g_strdup(verdict_names[r->verdict.kind]);
    r->claimed = claimed;
    r->truth = truth;
    r->right.text = right ? NULL : g_strdup(truth);
}

// Returns true if two defaults are the same value: a boolean can be written as 1, true, yes or enabled.
static bool same_default(const char *a, const char *b)
{
    static const char *const yes[] = {"1", "true", "yes", "enabled", NULL}, *const no[] = {"0", "false", "no",
                                                                                           "disabled", NULL};
    g_autofree char *x = g_ascii_strdown(a, -1), *y = g_ascii_strdown(b, -1);
    return strcmp(x, y) == 0 || (g_strv_contains(yes, x) && g_strv_contains(yes, y)) ||
           (g_strv_contains(no, x) && g_strv_contains(no, y));
}

// Returns the collective that a parameter is about, or N_COLLECTIVES: the longest name that stands between the
// underscores of the parameter's name.
static Collective collective_of(const char *name)
{
    int found = N_COLLECTIVES;
    for (int i = 0; i < N_COLLECTIVES; i++) {
        g_autofree char *part = g_strdup_printf("_%s_", collectives[i].name);
        if (strstr(name, part) && (found == N_COLLECTIVES || strlen(part) > strlen(collectives[found].name) + 2))
            found = i;
    }
    return (Collective)found;
}

// Returns how many letters a real name has more than `name` if it has all of its letters in the same order, underscores
// apart; else -1.
static int letters_more(const char *name, const char *real)
{
    int more = 0;
    for (; *real; real++) {
        while (*name == '_')
            name++;
        if (*real == *name)
            name++;
        else
            more += *real != '_';
    }
    return *name ? -1 : more;
}

// Returns what follows "_COLLECTIVE_" in the name of a parameter about this collective; the whole name if it is about none.
static const char *after_collective(const char *name, Collective of)
{
    g_autofree char *part = of == N_COLLECTIVES ? NULL : g_strdup_printf("_%s_", collectives[of].name);
    return part ? strstr(name, part) + strlen(part) : name;
}

// Tells whether two names have the same last word, which says what a parameter sets.
static bool sets_the_same(const char *name, const char *real)
{
    const char *const word = strrchr(name, '_'), *const other = strrchr(real, '_');
    return word && other && strcmp(word, other) == 0;
}

// Returns how many words two names share; of equally many, the shorter name is the nearer one. The last word counts for
// more than all others.
static double words_shared(const char *name, const char *real)
{
    g_auto(GStrv) words = g_strsplit(name, "_", -1), others = g_strsplit(real, "_", -1);
    int shared = 0;
    for (char **w = words; *w; w++)
        shared +=
            strcmp(*w, "coll") != 0 && strcmp(*w, "tuned") != 0 && g_strv_contains((const char *const *)others, *w);
    if (shared > 0 && sets_the_same(name, real))
        shared += (int)g_strv_length(words);
    return shared == 0 ? 0 : shared - 0.01 * g_strv_length(others);
}

// Returns the real parameter that a wrong name most likely means, among those about the same collective: the one that
// has all of its letters and the fewest others, as if a word had been left out; one that differs by a few letters after
// the collective's name; or the one that shares most words with it there. The last word counts for more
// than letters: coll_tuned_dynamic_rules_verbose means coll_base_verbose, and not coll_tuned_dynamic_rules_filename.
// Returns NULL if there is none.
static const char *nearest_parameter(const Facts *f, const char *name)
{
    const Collective of = collective_of(name);
    const char *const own = after_collective(name, of), *whole = NULL, *best = NULL;
    g_autoptr(GPtrArray) reals = g_ptr_array_new(), ends = g_ptr_array_new();
    int least = G_MAXINT;
    double most = 0;
    for (guint i = 0; i + 1 < f->names->len; i++) {
        char *real = g_ptr_array_index(f->names, i);
        if (collective_of(real) != of)
            continue;
        const char *const end = after_collective(real, of);
        g_ptr_array_add(reals, real);
        g_ptr_array_add(ends, (gpointer)(uintptr_t)end);
        const int more = letters_more(name, real);
        if (more >= 0 && more < least) {
            least = more;
            whole = real;
        }
        const double shared = words_shared(own, end);
        if (shared > most) {
            most = shared;
            best = real;
        }
    }
    g_ptr_array_add(ends, NULL);
    guint i;
    const char *near = nearest_name(own, (const char *const *)ends->pdata);
    if (near && best && sets_the_same(own, best) && !sets_the_same(own, near))
        near = NULL;
    return whole                                                           ? whole
           : near && g_ptr_array_find(ends, (gpointer)(uintptr_t)near, &i) ? g_ptr_array_index(reals, i)
                                                                           : best;
}

static void judge_parameter(const Facts *f, const Claim *c, Audited *r)
{
    g_auto(GStrv) parts = g_strsplit(c->text, "=", 2);
    const char *name = g_strstrip(parts[0]), *value = parts[1] ? g_strstrip(parts[1]) : NULL;
    const char *real = g_hash_table_lookup(f->defaults, name);
    if (real) {
        decide(r, !value || same_default(value, real), g_strdup(c->text), g_strdup_printf("%s=%s", name, real));
        return;
    }
    const char *near = nearest_parameter(f, name);
    decide(r, false, g_strdup(c->text), g_strdup("no such parameter"));
    if (near) {
        g_free(r->right.text);
        r->right.text = g_strdup_printf("%s=%s", near, (const char *)g_hash_table_lookup(f->defaults, near));
    }
}

static gboolean judge_fallback(const Claim *c, Audited *r, GError **error)
{
    const CollAlgorithm *claimed = algorithm_parse(c->collective, c->text, error);
    if (!claimed)
        return FALSE;
    const char *const runs = c->algorithm->otherwise;
    decide(r, runs && strcmp(runs, claimed->name) == 0, g_strdup(claimed->name), g_strdup(runs ? runs : "none"));
    return TRUE;
}

static double true_figure(const Claim *c)
{
    double values[MAX_SYMBOLS] = {0};
    for (int i = 0; i < N_COLLECTIVES; i++) {
        double *of = &values[SYMBOL_PARAMS + N_FIGURE_NAMES * i];
        of[FIGURE_IDS] = largest_id((Collective)i, in_41);
        of[FIGURE_LIMITED_IDS] = limited_ids((Collective)i);
        of[FIGURE_MAIN_IDS] = MAX(of[FIGURE_IDS], largest_id((Collective)i, in_main));
    }
    return expression_value(c->figure, values);
}

gboolean facts_judge(const Facts *f, const Claim *c, Audited *r, GError **error)
{
    if (c->quantity == QUANTITY_MCA) {
        if (f->names->len == 1)
            return bad_input(
                error, "%s: Open MPI's parameters are unknown; needed: " CLAIMS_PARAMETERS " in the folder of claims",
                c->id);
        judge_parameter(f, c, r);
        return TRUE;
    }
    if (c->quantity == QUANTITY_FALLBACK)
        return judge_fallback(c, r, error);
    double values[MAX_SYMBOLS] = {0};
    const double claimed = claim_value(c, (const double[SAMPLE_PARTS]){0}, values);
    double truth = 0;
    if (c->quantity == QUANTITY_FIGURE)
        truth = true_figure(c);
    else
        truth = c->quantity == QUANTITY_ID ? id_of(c->algorithm, in_41) : largest_id(c->collective, in_41);
    if (!isfinite(claimed) || !isfinite(truth))
        return bad_input(error, "%s: the column %s is not a finite number, as after a division by 0; allowed: a number",
                         c->id, !isfinite(claimed) ? "claim" : "truth");
    const bool none = c->quantity != QUANTITY_FIGURE && truth == 0;
    decide(r, !none && same_value(claimed, truth), g_strdup_printf("%.10g", claimed),
           none ? g_strdup("none in Open MPI 4.1") : g_strdup_printf("%.10g", truth));
    return TRUE;
}

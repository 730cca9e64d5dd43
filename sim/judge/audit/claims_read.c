// Reads tables of claims.
#include "judge/audit/claim.h"
#include "base/error.h"
#include "engine/schedule/parse.h"
#include "base/nearest.h"
#include "base/share.h"
#include <string.h>

typedef struct ClaimColumns {
    int id, source, place, collective, algorithm, params, quantity, against, kind, claim, let, where, without, truth,
        note;
} ClaimColumns;

static gboolean find_columns(const Csv *csv, ClaimColumns *at, GError **error)
{
    const struct {
        const char *name;
        int *column;
    } needed[] = {{"id", &at->id},
                  {"source", &at->source},
                  {"place", &at->place},
                  {"collective", &at->collective},
                  {"algorithm", &at->algorithm},
                  {"params", &at->params},
                  {"quantity", &at->quantity},
                  {"against", &at->against},
                  {"kind", &at->kind},
                  {"claim", &at->claim},
                  {"let", &at->let},
                  {"where", &at->where},
                  {"without", &at->without},
                  {"truth", &at->truth},
                  {"note", &at->note}};
    for (size_t i = 0; i < G_N_ELEMENTS(needed); i++)
        if (!csv_need(csv, needed[i].name, needed[i].column, error))
            return FALSE;
    return TRUE;
}

// Sets *par to the defaults of an algorithm of the claim's collective, and to what a column says of some.
static gboolean set_params(const Claim *c, const CollAlgorithm *a, const char *column, const char *text,
                           CollParams *par, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, ";", -1);
    const char *of = collectives[c->collective].name;
    *par = algorithm_defaults(a);
    for (char **part = parts; *part; part++) {
        gboolean known;
        if (!param_parse(a, g_strstrip(*part), par, &known, error))
            return known ? FALSE
                         : bad_input(error, "%s: %s %s has no parameter '%s'; allowed: those in collsim list %s",
                                     column, of, a->name, *part, of);
    }
    return TRUE;
}

// Refuses what a claim of this quantity would ignore.
static gboolean check_facts(const Claim *c, bool against, GError **error)
{
    const char *of = quantity_names[c->quantity];
    const bool fact = c->quantity >= QUANTITY_ID,
               two = c->quantity == QUANTITY_CROSSOVER || c->quantity == QUANTITY_SPEEDUP;
    const struct {
        const char *column;
        bool given;
    } columns[] = {{"where", fact && *c->where},
                   {"params", (fact || !c->algorithm) && *c->params},
                   {"let", claim_is_name(c) && *c->let},
                   {"against", against && !two && c->kind != CLAIM_SUITED},
                   {"truth", c->quantity != QUANTITY_FIGURE && *c->truth}};
    for (size_t i = 0; i < G_N_ELEMENTS(columns); i++)
        if (columns[i].given)
            return bad_input(error, "a claim of %s does not use the column %s; allowed: an empty one", of,
                             columns[i].column);
    return !fact || c->kind == CLAIM_EQUALITY ||
           bad_input(error, "a claim of %s is right or wrong; allowed: kind equality", of);
}

// Reads the algorithms that a recommendation is compared with.
static gboolean read_rivals(Claim *c, const char *against, GError **error)
{
    g_auto(GStrv) names = g_strsplit(against, ";", -1);
    c->rivals = g_ptr_array_new();
    for (char **name = names; *name; name++) {
        const CollAlgorithm *const rival = algorithm_parse(c->collective, g_strstrip(*name), error);
        if (!rival)
            return FALSE;
        if (rival->shared)
            return bad_input(error, "against: %s is an algorithm of shared memory; allowed: others", rival->name);
        g_ptr_array_add(c->rivals, (void *)(uintptr_t)rival);
    }
    return TRUE;
}

// Reads the one algorithm that a claim compares with, and its parameters: as in "pipeline segment=32K".
static gboolean read_against(Claim *c, const char *against, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(against, " ", 2);
    c->against = algorithm_parse(c->collective, parts[0], error);
    g_free(c->against_params);
    c->against_params = g_strdup(parts[1] ? parts[1] : "");
    return c->against && set_params(c, c->against, "against", c->against_params, &c->against_par, error);
}

static gboolean read_names(Claim *c, const Csv *csv, size_t row, const ClaimColumns *at, GError **error)
{
    int quantity, kind;
    const char *of = csv_field(csv, row, at->collective);
    const char *algorithm = csv_field(csv, row, at->algorithm), *against = csv_field(csv, row, at->against);
    c->collective = N_COLLECTIVES;
    if (!nearest_find("quantity", csv_field(csv, row, at->quantity), quantity_names, &quantity, error) ||
        !nearest_find("kind", csv_field(csv, row, at->kind), claim_kinds, &kind, error) ||
        (*of && !collective_parse(of, &c->collective, error)))
        return FALSE;
    c->quantity = (Quantity)quantity;
    c->kind = (ClaimKind)kind;
    if (*of && ((*algorithm && !(c->algorithm = algorithm_parse(c->collective, algorithm, error))) ||
                (*against && c->kind == CLAIM_SUITED && !read_rivals(c, against, error)) ||
                (*against && c->kind != CLAIM_SUITED && !read_against(c, against, error))))
        return FALSE;
    if ((c->quantity < QUANTITY_IDS || c->quantity == QUANTITY_FALLBACK) && !c->algorithm && *c->text)
        return bad_input(error, "a claim of %s needs an algorithm; allowed: its name in the column algorithm",
                         quantity_names[quantity]);
    if ((c->quantity == QUANTITY_CROSSOVER || c->quantity == QUANTITY_SPEEDUP) && !c->against)
        return bad_input(error, "a claim of %s needs a second algorithm; allowed: its name in the column against",
                         quantity_names[quantity]);
    if (c->algorithm && c->quantity == QUANTITY_FIGURE)
        return bad_input(error, "a claim of figure is about no algorithm; allowed: an empty column algorithm");
    if (!check_facts(c, *against, error))
        return FALSE;
    if (!c->algorithm)
        return TRUE;
    return set_params(c, c->algorithm, "params", c->params, &c->par, error);
}

static Claim *read_claim(const Csv *csv, size_t row, const ClaimColumns *at, GError **error)
{
    g_autoptr(Claim) c = g_new0(Claim, 1);
    const struct {
        char **text;
        int column;
    } texts[] = {{&c->id, at->id},       {&c->source, at->source}, {&c->place, at->place}, {&c->params, at->params},
                 {&c->text, at->claim},  {&c->let, at->let},       {&c->where, at->where}, {&c->without, at->without},
                 {&c->truth, at->truth}, {&c->note, at->note}};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        *texts[i].text = g_strdup(csv_field(csv, row, texts[i].column));
    c->against_params = g_strdup("");
    if (read_names(c, csv, row, at, error) && claim_prepare(c, error))
        return g_steal_pointer(&c);
    g_prefix_error(error, "%s:%zu: ", csv_name(csv), csv_line(csv, row));
    return NULL;
}

gboolean claims_read(const char *path, GPtrArray *to, GError **error)
{
    ClaimColumns at;
    g_autoptr(Csv) csv = csv_read(path, error);
    if (!csv || !find_columns(csv, &at, error))
        return FALSE;
    for (size_t row = 0; row < csv_rows(csv); row++) {
        Claim *c = read_claim(csv, row, &at, error);
        if (!c)
            return FALSE;
        g_ptr_array_add(to, c);
    }
    return TRUE;
}

static gint by_name(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

gboolean claims_read_folder(const char *folder, GPtrArray *to, GError **error)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    if (!dir)
        return share_check(SHARE_CLAIMS, folder, error) &&
               bad_input(error, "%s is not a folder of claims; allowed: COLLSIM_CLAIMS=FOLDER", folder);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (const char *name; (name = g_dir_read_name(dir));)
        if (g_str_has_suffix(name, ".csv") && strcmp(name, CLAIMS_PARAMETERS) != 0)
            g_ptr_array_add(names, g_strdup(name));
    g_ptr_array_sort(names, by_name);
    for (guint i = 0; i < names->len; i++) {
        g_autofree char *path = g_build_filename(folder, g_ptr_array_index(names, i), NULL);
        if (!claims_read(path, to, error))
            return FALSE;
    }
    return TRUE;
}

#include "search/search/request.h"
#include "registry/composition.h"
#include "libraries/decide/names.h"
#include "base/error.h"
#include "base/nearest.h"
#include "engine/schedule/parse.h"
#include "engine/schedule/variant.h"
#include <string.h>

static void free_auto(gpointer data)
{
    RequestAuto *x = data;
    g_free(x->name);
    g_free(x);
}

// Adds a copy of an auto, takes ownership of its name, and returns its algorithm.
static const CollAlgorithm *new_auto(Request *r, const RequestAuto *from)
{
    RequestAuto *x = g_memdup2(from, sizeof *from);
    x->algorithm = (CollAlgorithm){.collective = r->question.collective, .name = x->name};
    if (!r->library.autos)
        r->library.autos = g_ptr_array_new_with_free_func(free_auto);
    g_ptr_array_add(r->library.autos, x);
    question_add(&r->question, &x->algorithm);
    return &x->algorithm;
}

// Adds what a library runs by default, or if it is told to run `told`. `id` is "auto", or the id or name of `told`.
static const CollAlgorithm *add_auto(Request *r, Tables *tables, const LibraryAlgorithm *told, const char *id)
{
    g_autofree char *name = g_strconcat(tables->library->name, ":", id, NULL);
    for (guint i = 0; r->library.autos && i < r->library.autos->len; i++) {
        const RequestAuto *x = r->library.autos->pdata[i];
        if (strcmp(x->name, name) == 0)
            return &x->algorithm;
    }
    return new_auto(r, &(RequestAuto){{0}, g_steal_pointer(&name), tables, told, NULL, NULL});
}

const CollAlgorithm *request_name_decider(Request *r, Tables *tables, const char *name, DecidePart *decide,
                                          gconstpointer from)
{
    return new_auto(r, &(RequestAuto){{0}, g_strdup(name), tables, NULL, decide, from});
}

void request_name_none(Request *r)
{
    g_clear_pointer(&r->question.named, g_ptr_array_unref);
    g_clear_pointer(&r->library.autos, g_ptr_array_unref);
}

// Adds the algorithm of a library that a word means; all of them if it is "all". Returns the last one; NULL if there is
// none.
static const CollAlgorithm *add_of_library(Request *r, Tables *tables, const char *word)
{
    const CollAlgorithm *found = NULL;
    for (guint i = 0; i < tables->algorithms->len; i++) {
        const LibraryAlgorithm *a = &g_array_index(tables->algorithms, LibraryAlgorithm, i);
        CollParams par;
        const CollAlgorithm *entry =
            a->collective == r->question.collective && names_mean(word, a) ? decide_entry(tables, a, &par) : NULL;
        g_autofree char *id = tables_id(a);
        if (entry && algorithm_has_parts(entry))
            found = add_auto(r, tables, a, id);
        else if (entry)
            question_add(&r->question, found = variant_find(entry, &par));
    }
    return found;
}

// Refuses a name that a library does not have, and lists those that it has.
static gboolean refuse_name(const Question *q, const Tables *tables, const char *name, GError **error)
{
    g_autoptr(GString) all = g_string_new("auto");
    g_autoptr(GPtrArray) known = g_ptr_array_new();
    g_ptr_array_add(known, (char *)"auto");
    g_autofree char *shown =
        strcmp(name, "all") == 0 ? g_strdup("algorithm that it can be told to run") : error_quote(name);
    for (guint i = 0, n = 0; i < tables->algorithms->len; i++) {
        const LibraryAlgorithm *a = &g_array_index(tables->algorithms, LibraryAlgorithm, i);
        if (a->collective == q->collective)
            g_ptr_array_add(known, (char *)a->name);
        if (a->collective == q->collective && n++ == 0)
            g_string_append(all, ", all");
        if (a->collective == q->collective && !a->by_name)
            g_string_append_printf(all, ", %d (%s)", a->id, a->name);
        else if (a->collective == q->collective)
            g_string_append_printf(all, ", %s", a->name);
    }
    g_ptr_array_add(known, NULL);
    g_autofree char *hint = nearest_hint(name, (const char *const *)known->pdata);
    return bad_input(error, "%s has no %s %s%sallowed: %s", tables->library->title, collectives[q->collective].name,
                     shown, hint, all->str);
}

const CollAlgorithm *request_named(Request *r, const char *name, GError **error)
{
    const char *word = NULL;
    g_autoptr(GError) unknown = NULL;
    const CollAlgorithm *a = r->library.only ? add_of_library(r, r->library.only, name) : NULL;
    if (a)
        return a;
    if (r->library.only && !strchr(name, ':')) {
        refuse_name(&r->question, r->library.only, name, error);
        return NULL;
    }
    a = algorithm_find(r->question.collective, name);
    const Library *library = a ? NULL : names_of_library(name, &word, &unknown);
    if (unknown) {
        g_propagate_error(error, g_steal_pointer(&unknown));
        return NULL;
    }
    if (!library) {
        a = a ? a : algorithm_parse(r->question.collective, name, error);
        if (a)
            question_add(&r->question, a);
        return a;
    }
    Tables *tables = request_tables(&r->library, library, error);
    if (!tables)
        return NULL;
    if (strcmp(word, "auto") == 0)
        return add_auto(r, tables, NULL, word);
    for (int i = 0; !a && (library = names_version(name, i)); i++) {
        Tables *other = request_tables(&r->library, library, NULL);
        a = other ? add_of_library(r, other, word) : NULL;
    }
    if (!a)
        refuse_name(&r->question, tables, word, error);
    return a;
}

gboolean request_name_algorithm(Request *r, const char *name, GError **error)
{
    return request_named(r, name, error) != NULL;
}

gboolean request_add_names(Request *r, const char *what, const char *word, RequestName *add, GError **error)
{
    gboolean all = FALSE;
    g_auto(GStrv) names = g_strsplit(word, ",", -1);
    for (char **name = names; *name; name++) {
        const gboolean is_all = !r->library.only && g_ascii_strcasecmp(g_strstrip(*name), "all") == 0;
        if (!is_all && !add(r, *name, error))
            return FALSE;
        all |= is_all;
    }
    r->question.all_too = all && r->question.named;
    return all || r->question.named || bad_input(error, "%s is empty; allowed: all, or names joined by commas", what);
}

void request_add_default(Request *r, Tables *tables)
{
    add_auto(r, tables, NULL, "auto");
}

void request_name_default(Request *r, Tables *tables)
{
    request_name_none(r);
    request_add_default(r, tables);
}

DecideCall request_call(const Request *r, int p, int per_node, size_t m, const CollCounts *counts)
{
    return (DecideCall){
        .collective = r->question.collective,
        .p = p,
        .m = m,
        .elem = r->question.elem,
        .commutative = question_commutes(&r->question),
        .counts = counts,
        .nodes = request_is_mapped(&r->machine, per_node) ? request_mapping(&r->machine, p, per_node)->nodes : NULL,
        .no_han = r->library.no_han,
        .han = r->library.han,
        .han_stays = r->library.pair,
        .no_compositions = r->library.no_compositions};
}

Decision *request_decide(const Request *r, const CollAlgorithm *a, int p, int per_node, size_t m,
                         const CollCounts *counts)
{
    const RequestAuto *x = request_auto(&r->library, a);
    const DecideCall call = request_call(r, p, per_node, m, counts);
    return !x          ? NULL
           : x->decide ? x->decide(x->tables, &call, x->from)
           : x->told   ? decide_told(x->tables, &call, x->told)
                       : decide_call(x->tables, &call);
}

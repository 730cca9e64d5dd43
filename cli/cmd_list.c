#include "ask/options.h"
#include "base/error.h"
#include "cli.h"
#include "out/json.h"
#include "out/table.h"
#include "registry/coverage.h"
#include "schedule/names.h"
#include <stdio.h>
#include <string.h>

// Returns as many aliases as fit beside the rest on a terminal; `show` has them all.
static char *short_aliases(const CollAlgorithm *a)
{
    enum { FITS = 34 };
    g_autofree char *text = algorithm_aliases(a);
    if (strlen(text) <= FITS)
        return g_steal_pointer(&text);
    const char *space = g_strrstr_len(text, FITS - 3, " ");
    return g_strdup_printf("%.*s ..", space ? (int)(space - text) : 0, text);
}

// Returns the parameters as "segment=0 outer inner"; what algorithms a composition is made of is left to `show`.
static char *short_params(const CollAlgorithm *a)
{
    GString *s = g_string_new(NULL);
    for (int i = 0; i < algorithm_n_params(a); i++) {
        const CollParam *param = &a->params[i];
        g_autofree char *value = param->kind == PARAM_ALGORITHM ? g_strdup("") : param_text(param, param->def);
        g_string_append_printf(s, "%s%s%s%s", i ? " " : "", param->name, *value ? "=" : "", value);
    }
    return g_string_free(s, FALSE);
}

static void add_row(Table *table, char *name, char *params, char *aliases)
{
    table_add(table, name);
    table_add(table, params);
    table_add(table, aliases);
}

static void print_csv(const CollAlgorithm *a)
{
    const CollParams defaults = algorithm_defaults(a);
    g_autofree char *params = params_text(a, &defaults), *aliases = algorithm_aliases(a);
    printf("%s,%s,\"%s\",\"%s\",\"%s\",\"%s\"\n", collectives[a->collective].name, a->name, params, aliases, a->cost,
           a->summary);
}

static void add_json(Json *json, const CollAlgorithm *a)
{
    json_open(json, NULL, '{');
    json_string(json, "collective", collectives[a->collective].name);
    json_string(json, "algorithm", a->name);
    const CollParams defaults = algorithm_defaults(a);
    json_open(json, "params", '[');
    for (int i = 0; i < algorithm_n_params(a); i++) {
        g_autofree char *value = param_text(&a->params[i], param_get(&a->params[i], &defaults));
        json_open(json, NULL, '{');
        json_string(json, "name", a->params[i].name);
        json_string(json, "default", value);
        json_string(json, "help", a->params[i].help);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_open(json, "aliases", '[');
    for (int i = 0; i < COLL_MAX_ALIASES && a->aliases[i]; i++)
        json_string(json, NULL, a->aliases[i]);
    json_close(json, ']');
    json_string(json, "cost", a->cost);
    json_string(json, "summary", a->summary);
    json_close(json, '}');
}

// Prints what the libraries and the documents have, and the entry that does it.
static void list_coverage(Collective only, Format format)
{
    static const char *const names[] = {"collective", "of", "name", "algorithm", "if none, why"};
    Table *table = table_new(G_N_ELEMENTS(names));
    int n = 0, have = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        table_add(table, g_strdup(names[i]));
    if (format == FORMAT_CSV)
        puts("collective,of,name,algorithm,reason");
    for (int i = 0; i < n_cover_items; i++) {
        const CoverItem *item = &cover_items[i];
        const CollAlgorithm *a = cover_entry(item);
        const char *cells[] = {collectives[item->collective].name, cover_names[item->cover], item->name,
                               a ? a->name : "",
                               a              ? ""
                               : item->reason ? item->reason
                                              : "missing"};
        g_autofree char *name = g_strdup_printf("%s (%s)", item->name, item->entry);
        if (only != N_COLLECTIVES && item->collective != only)
            continue;
        n++;
        have += a != NULL;
        if (item->cover == COVER_OMPI || !a)
            cells[2] = name;
        if (format == FORMAT_CSV)
            printf("%s,%s,%s,%s,\"%s\"\n", cells[0], cells[1], cells[2], cells[3], cells[4]);
        for (size_t k = 0; k < G_N_ELEMENTS(cells); k++)
            table_add(table, g_strdup(cells[k]));
    }
    if (format == FORMAT_TABLE) {
        table_print(table, "");
        printf("\n%d of %d\n", have, n);
    }
    table_free(table);
}

int cmd_list(int argc, char **argv, GError **error)
{
    g_autofree char *format_name = NULL;
    gboolean coverage = FALSE;
    const GOptionEntry entries[] = {
        {"coverage", 0, 0, G_OPTION_ARG_NONE, &coverage,
         "what Open MPI, MPICH and the documents have, and which entry does it", NULL},
        {"format", 'f', 0, G_OPTION_ARG_STRING, &format_name, "table, csv or json", "FORMAT"},
        {NULL},
    };
    g_auto(GStrv) words = NULL;
    Format format;
    Collective only = N_COLLECTIVES;
    if (!options_parse(argc, argv, "[COLLECTIVE]", "The algorithms.\n\n  collsim list bcast", entries, 0, 1, &words,
                       error) ||
        !options_format(format_name, &format, error) || (words[0] && !collective_parse(words[0], &only, error)))
        return 2;
    if (coverage && format == FORMAT_JSON)
        return bad_input(error, "--coverage --format json; allowed: table or csv"), 2;
    if (coverage)
        return list_coverage(only, format), 0;
    Table *table = table_new(3);
    Json json = {g_string_new(NULL), TRUE};
    int n = 0;
    add_row(table, g_strdup("collective"), g_strdup("parameters"), g_strdup("also known as"));
    if (format == FORMAT_CSV)
        puts("collective,algorithm,params,aliases,cost,summary");
    json_open(&json, NULL, '[');
    for (int i = 0; i < n_algorithms; i++) {
        const CollAlgorithm *a = algorithms[i];
        if (only != N_COLLECTIVES && a->collective != only)
            continue;
        n++;
        if (format == FORMAT_CSV)
            print_csv(a);
        add_json(&json, a);
        if (i == 0 || algorithms[i - 1]->collective != a->collective)
            add_row(table, g_strdup(collectives[a->collective].name), g_strdup(""), g_strdup(""));
        add_row(table, g_strdup_printf("  %s", a->name), short_params(a), short_aliases(a));
    }
    json_close(&json, ']');
    if (format == FORMAT_JSON)
        puts(json.text->str);
    if (format == FORMAT_TABLE) {
        table_print(table, "");
        printf("\n%d algorithms; collsim show COLLECTIVE ALGORITHM tells what one does\n", n);
    }
    g_string_free(json.text, TRUE);
    table_free(table);
    return 0;
}

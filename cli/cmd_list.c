#include "cli.h"
#include "json.h"
#include <stdio.h>
#include <string.h>

// As many as fit beside the rest on a terminal; `show` has them all.
static char *short_aliases(const CollAlgorithm *a)
{
    enum { FITS = 36 };
    g_autofree char *text = aliases_text(a);
    if (strlen(text) <= FITS)
        return g_steal_pointer(&text);
    const char *space = g_strrstr_len(text, FITS - 3, " ");
    return g_strdup_printf("%.*s ..", space ? (int)(space - text) : 0, text);
}

static void print_csv(const CollAlgorithm *a)
{
    const CollParams defaults = algorithm_defaults(a);
    g_autofree char *params = params_text(a, &defaults), *aliases = aliases_text(a);
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
    for (int i = 0; i < count_params(a); i++) {
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

int cmd_list(int argc, char **argv, GError **error)
{
    g_autofree char *format_name = NULL;
    const GOptionEntry entries[] = {
        {"format", 'f', 0, G_OPTION_ARG_STRING, &format_name, "table, csv or json", "FORMAT"},
        {NULL},
    };
    g_auto(GStrv) words = NULL;
    Format format;
    Collective only = N_COLLECTIVES;
    if (!parse_options(argc, argv, "[COLLECTIVE]", "The algorithms.\n\n  collsim list bcast", entries, 0, 1, &words,
                       error) ||
        !find_format(format_name, &format, error) || (words[0] && !find_collective(words[0], &only, error)))
        return 2;
    Table *table = table_new(4);
    Json json = {g_string_new(NULL), TRUE};
    int n = 0;
    table_add(table, g_strdup("collective"));
    table_add(table, g_strdup("algorithm"));
    table_add(table, g_strdup("parameters"));
    table_add(table, g_strdup("also known as"));
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
        table_add(table, g_strdup(collectives[a->collective].name));
        table_add(table, g_strdup(a->name));
        const CollParams defaults = algorithm_defaults(a);
        table_add(table, params_text(a, &defaults));
        table_add(table, short_aliases(a));
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

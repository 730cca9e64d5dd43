#include "complete.h"
#include "libraries/decide/tables.h"
#include "libraries/sources/sources.h"
#include "engine/model/model.h"
#include "machine/platform/platform.h"
#include "engine/schedule/counts.h"
#include "engine/schedule/parse.h"
#include <string.h>

// Returns TRUE if the list before the last comma of the word has this name.
static gboolean is_listed(const Completion *x, const char *name)
{
    g_autofree char *kept = g_strndup(x->word, x->kept);
    const char *equals = strrchr(kept, '=');
    g_auto(GStrv) names = g_strsplit(equals ? equals + 1 : kept, ",", -1);
    return *name && g_strv_contains((const char *const *)names, name);
}

void complete_add(Completion *x, const char *candidate, const char *about)
{
    if (g_str_has_prefix(candidate, x->word + x->kept) && !is_listed(x, candidate))
        g_string_append_printf(x->out, "%.*s%s\t%s\n", (int)x->kept, x->word, candidate, about ? about : "");
}

void complete_files(Completion *x)
{
    g_string_append(x->out, "\tfiles\n");
}

void complete_folders(Completion *x)
{
    g_string_append(x->out, "\tfolders\n");
}

void complete_plugins(Completion *x)
{
    g_string_append(x->out, "\tplugins\n");
}

static void add_all(Completion *x, const char *const *names)
{
    for (; *names; names++)
        complete_add(x, *names, NULL);
}

// ---- What the line has so far ---------------------------------------------------------------------------------------

// Returns the collective that the line names, or N_COLLECTIVES.
static Collective collective_of(const Completion *x)
{
    for (guint i = 0; i < x->arguments->len; i++) {
        const char *name = x->arguments->pdata[i];
        for (int c = 0; c < N_COLLECTIVES; c++)
            if (strcmp(collectives[c].name, name) == 0)
                return (Collective)c;
    }
    return N_COLLECTIVES;
}

// Returns TRUE if the line names this algorithm, or none at all.
static gboolean asks_for(const Completion *x, const CollAlgorithm *a)
{
    gboolean none = TRUE;
    for (guint i = 0; i < x->arguments->len; i++) {
        g_auto(GStrv) names = g_strsplit(x->arguments->pdata[i], ",", -1);
        for (char **name = names; *name; name++) {
            if (strcmp(*name, a->name) == 0)
                return TRUE;
            for (int k = 0; none && k < n_algorithms; k++)
                none = algorithms[k]->collective != a->collective || strcmp(*name, algorithms[k]->name) != 0;
        }
    }
    return none;
}

static gboolean text_has(const Description *d, const char *part)
{
    for (guint i = 0; i < d->text->len; i++)
        if (strstr(d->text->pdata[i], part))
            return TRUE;
    return FALSE;
}

// ---- Names ----------------------------------------------------------------------------------------------------------

static void add_collectives(Completion *x)
{
    for (int c = 0; c < N_COLLECTIVES; c++)
        complete_add(x, collectives[c].name, NULL);
}

static void add_libraries(Completion *x)
{
    for (int i = 0; i < N_LIBRARIES; i++)
        complete_add(x, libraries[i].name, libraries[i].title);
}

static void add_only(Completion *x)
{
    add_libraries(x);
    complete_add(x, "any", "what no library has too");
}

static void add_sources(Completion *x)
{
    g_autoptr(Sources) sources = sources_read(NULL);
    for (guint i = 0; sources && i < sources_all(sources)->len; i++) {
        const Source *source = g_ptr_array_index(sources_all(sources), i);
        complete_add(x, source->key, source->title);
    }
}

// Adds LIB:auto, LIB:all and, after the colon, LIB:NAME for what the library has.
static void add_of_libraries(Completion *x, Collective collective)
{
    const char *word = x->word + x->kept;
    for (int i = 0; i < N_LIBRARIES; i++) {
        g_autofree char *prefix = g_strconcat(libraries[i].name, ":", NULL);
        g_autofree char *of_default = g_strconcat(prefix, "auto", NULL), *of_all = g_strconcat(prefix, "all", NULL);
        complete_add(x, of_default, "what the library runs by default");
        complete_add(x, of_all, "all that the library has");
        g_autoptr(Tables) tables = g_str_has_prefix(word, prefix) ? tables_load(&libraries[i], NULL) : NULL;
        for (guint k = 0; tables && k < tables->algorithms->len; k++) {
            const LibraryAlgorithm *a = &g_array_index(tables->algorithms, LibraryAlgorithm, k);
            g_autofree char *name = a->collective == collective ? g_strconcat(prefix, a->name, NULL) : NULL;
            if (name)
                complete_add(x, name, NULL);
        }
    }
}

static void add_algorithms(Completion *x)
{
    const Collective collective = collective_of(x);
    for (int i = 0; i < n_algorithms; i++)
        if (algorithms[i]->collective == collective)
            complete_add(x, algorithms[i]->name, algorithms[i]->summary);
    if (collective != N_COLLECTIVES && text_has(x->command, "LIB:"))
        add_of_libraries(x, collective);
    complete_plugins(x);
}

static void add_platforms(Completion *x)
{
    g_auto(GStrv) names = platform_names();
    add_all(x, (const char *const *)names);
    complete_files(x);
}

// Adds the models that the option's description names, and all of them if it names none.
static void add_models(Completion *x, const char *about)
{
    g_auto(GStrv) words = g_strsplit_set(about, " ,:;()", -1);
    gboolean any = strstr(about, "..") != NULL; // "hockney (default), measured, loggops, .. or shared"
    for (int round = 0; round < 2; round++) {
        gboolean some = FALSE;
        for (int i = 0; models[i]; i++)
            if (any || g_strv_contains((const char *const *)words, models[i]->name)) {
                complete_add(x, models[i]->name, models[i]->summary);
                some = TRUE;
            }
        if (some)
            return;
        any = TRUE;
    }
}

static void add_figures(Completion *x)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    for (int i = 0; i < N_PLATFORM_KEYS; i++) {
        g_autofree char *assignment = g_strconcat(platform_keys[i].name, "=", NULL);
        if (g_hash_table_add(seen, (gpointer)platform_keys[i].name)) // gamma is a figure of two models
            complete_add(x, assignment, platform_keys[i].meaning);
    }
}

// Adds the values of a parameter: its choices, its algorithms, or else its default.
static void add_param_values(Completion *x, const CollParam *param)
{
    g_autofree char *usual = param->kind == PARAM_ALGORITHM ? NULL : param_text(param, param->def);
    g_autofree char *range = param_range(param);
    if (param->kind == PARAM_CHOICE)
        add_all(x, param->choices);
    else if (usual)
        complete_add(x, usual, range);
    for (int i = 0; param->kind == PARAM_ALGORITHM && i < n_algorithms; i++)
        if (param_allows(param, i) || param_shares(param, i))
            complete_add(x, algorithms[i]->name, algorithms[i]->summary);
}

// Adds the parameters of the algorithms on the line, or after NAME= the values of this one. What several algorithms
// have is added once.
static void add_params(Completion *x)
{
    const Collective collective = collective_of(x);
    const char *word = x->word + x->kept, *equals = strchr(word, '=');
    g_autofree char *name = equals ? g_strndup(word, (gsize)(equals - word)) : NULL;
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    if (equals) // a list may follow, as in segment=4K,64K
        x->kept = (size_t)(MAX(equals, strrchr(equals, ',') ? strrchr(equals, ',') : equals) + 1 - x->word);
    for (int i = 0; i < n_algorithms; i++) {
        const CollAlgorithm *a = algorithms[i];
        if (a->collective != collective || !asks_for(x, a))
            continue;
        for (int k = 0; k < algorithm_n_params(a); k++) {
            const CollParam *param = &a->params[k];
            if ((name && strcmp(name, param->name) != 0) || !g_hash_table_add(seen, (gpointer)param->name))
                continue;
            g_autofree char *assignment = g_strconcat(param->name, "=", NULL);
            if (name)
                add_param_values(x, param);
            else
                complete_add(x, assignment, param->help);
        }
    }
}

// ---- What --help says -----------------------------------------------------------------------------------------------

// Cuts the capitals at the end off, which stand for what a user chooses: "block:K" becomes "block:".
static char *fixed_part(const char *word)
{
    size_t n = strlen(word);
    while (n > 0 && g_ascii_isupper(word[n - 1]))
        n--;
    return g_strndup(word, n);
}

static gboolean is_name(const char *word)
{
    return g_ascii_islower(*word) &&
           !word[strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789_-:ABCDEFGHIJKLMNOPQRSTUVWXYZ")];
}

// Adds the names that a description lists: table, csv and json of "table (default), csv or json".
static void add_listed(Completion *x, const char *about)
{
    g_autoptr(GRegex) aside = g_regex_new(" ?\\([^)]*\\)", 0, 0, NULL),
                      between = g_regex_new(",? or |[,;] ", 0, 0, NULL);
    g_autofree char *plain = g_regex_replace_literal(aside, about, -1, 0, "", 0, NULL);
    g_auto(GStrv) items = g_regex_split(between, plain, 0);
    for (char **item = items; *item; item++) {
        // The name is after the colon in "claim: equality", and before it in "c: a C header".
        char *colon = strstr(*item, ": ");
        const char *name = colon && is_name(colon + 2) ? colon + 2 : *item;
        if (colon && name == *item)
            *colon = '\0';
        g_autofree char *fixed = is_name(name) ? fixed_part(name) : NULL;
        if (fixed && *fixed)
            complete_add(x, fixed, NULL);
    }
}

// Adds the alternatives of "size|p|per-node" that are not in capitals.
static void add_alternatives(Completion *x, const char *value)
{
    g_auto(GStrv) words = g_strsplit(value, "|", -1);
    for (char **word = words; *word; word++) {
        (*word)[strcspn(*word, "[")] = '\0';
        if (is_name(*word) && !g_ascii_isupper((*word)[strlen(*word) - 1]))
            complete_add(x, *word, NULL);
    }
}

// ---- Arguments and values -------------------------------------------------------------------------------------------

// What follows the last comma of a list is completed, and the rest kept.
static void keep_list(Completion *x)
{
    const char *comma = strrchr(x->word + x->kept, ',');
    if (comma)
        x->kept = (size_t)(comma + 1 - x->word);
}

void complete_argument(Completion *x, const char *usage)
{
    static const struct {
        const char *name;
        void (*add)(Completion *x);
    } known[] = {
        {"COLLECTIVE", add_collectives}, {"ALGORITHM", add_algorithms}, {"A", add_algorithms},
        {"B", add_algorithms},           {"LIB", add_libraries},
    };
    const char *label = strstr(usage, "=]");
    const char *word = label ? label + 2 : usage + strspn(usage, "[");
    g_autofree char *first = g_strndup(word, strcspn(word, "|[],."));
    keep_list(x);
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
        if (strcmp(first, known[i].name) == 0)
            known[i].add(x);
    add_alternatives(x, word);
    if (strstr(word, "SOURCE"))
        add_sources(x);
    if (strstr(word, "FILE") || strstr(word, "LOG") || strstr(word, ".ini") || strstr(word, ".csv") ||
        strcmp(first, "PROGRAM") == 0)
        complete_files(x);
}

void complete_value(Completion *x, const DescribedOption *option)
{
    static const char *const listing[] = {"NAME", "NAME|FILE", "KIND", "FORMAT", "LIST", "MAP", "WHAT", "FROM", NULL};
    static const struct {
        const char *name, *value; // of the option; any value if it is NULL
        void (*add)(Completion *x);
    } known[] = {
        {"platform", NULL, add_platforms},     {"base", NULL, add_platforms},        {"only", "LIB", add_only},
        {"for", NULL, add_libraries},          {"to", "LIB-VERSION", add_libraries}, {"set", NULL, add_figures},
        {"collective", NULL, add_collectives}, {"without", NULL, add_algorithms},    {"of", NULL, add_collectives},
    };
    if (strcmp(option->name, "param") == 0) {
        add_params(x);
        return;
    }
    keep_list(x);
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
        if (strcmp(option->name, known[i].name) == 0 &&
            (!known[i].value || strcmp(option->value, known[i].value) == 0)) {
            known[i].add(x);
            return;
        }
    const gboolean numbers = option->letter == 'p' || option->letter == 'm' || strcmp(option->name, "ranks") == 0;
    if (strcmp(option->name, "model") == 0)
        add_models(x, option->about);
    else if (strcmp(option->name, "counts") == 0)
        add_all(x, counts_names);
    else if (!numbers && g_strv_contains(listing, option->value))
        add_listed(x, option->about);
    add_alternatives(x, option->value);
    if (strcmp(option->value, "DIR") == 0)
        complete_folders(x);
    else if (option->file || strstr(option->value, "FILE") || strstr(option->about, "a file"))
        complete_files(x);
}

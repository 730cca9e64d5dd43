#include "ask/plugins.h"
#include "base/error.h"
#include "engine/plugin/plugin.h"
#include "engine/schedule/parse.h"
#include <string.h>

// Returns the names of the file's algorithms of a collective, joined by commas; NULL and an error if there are none.
static char *names_of(const char *file, Collective collective, GError **error)
{
    const Plugin *plugin = plugin_load(file, error);
    g_autoptr(GString) names = g_string_new(NULL);
    for (int i = 0; plugin && plugin->entries[i]; i++)
        if (plugin->entries[i]->collective == collective)
            g_string_append_printf(names, "%s%s", names->len ? "," : "", plugin->entries[i]->name);
    if (plugin && !names->len) {
        const CollAlgorithm *first = plugin->entries[0];
        bad_input(error, "%s has no algorithm of %s; allowed: %s %s", file, collectives[collective].name,
                  collectives[first->collective].name, first->name);
    }
    return names->len ? g_strdup(names->str) : NULL;
}

char *ask_plugins(const char *word, const Request *r, GError **error)
{
    g_auto(GStrv) names = g_strsplit(word, ",", -1);
    gboolean all = FALSE, others = FALSE;
    for (char **name = names; *name; name++) {
        g_strstrip(*name);
        if (!algorithm_is_file(*name)) {
            *(strcmp(*name, "all") == 0 ? &all : &others) = TRUE;
            continue;
        }
        char *of_file = r->library.only ? NULL : names_of(*name, r->question.collective, error);
        if (r->library.only)
            bad_input(error, "--only: %s cannot be told to run %s; allowed: files without --only",
                      r->library.only->library->title, *name);
        if (!of_file)
            return NULL;
        g_free(*name);
        *name = of_file;
    }
    return all && !others ? g_strdup("all") : g_strjoinv(",", names);
}

char *ask_plugin(const char *word, Collective collective, GError **error)
{
    if (!algorithm_is_file(word))
        return g_strdup(word);
    g_autofree char *names = names_of(word, collective, error);
    if (!names || !strchr(names, ','))
        return g_steal_pointer(&names);
    bad_input(error, "%s has several algorithms of %s, %s; allowed: a file with one", word,
              collectives[collective].name, names);
    return NULL;
}

gboolean ask_plugin_files(char **words, GError **error)
{
    gboolean good = TRUE;
    char **data = words;
    for (; *words; words++) {
        char *const word = *words;
        if (good && !strchr(word, '=') && (g_str_has_suffix(word, ".c") || g_str_has_suffix(word, ".so"))) {
            good = plugin_load(word, error) != NULL;
            g_free(word);
        } else {
            *data++ = word;
        }
    }
    *data = NULL;
    return good;
}

// Replaces the files in one NAME=VALUE, if it has any.
static gboolean replace_files(char **param, GError **error)
{
    char *equals = strchr(*param, '=');
    g_auto(GStrv) values = g_strsplit(equals ? equals + 1 : "", ",", -1);
    gboolean files = FALSE;
    for (char **value = values; *value; value++) {
        if (!algorithm_is_file(*value))
            continue;
        const Plugin *plugin = plugin_load(*value, error);
        if (!plugin)
            return FALSE;
        if (plugin->entries[1])
            return bad_input(error, "--param %s: %s has several algorithms; allowed: a file with one", *param, *value);
        g_free(*value);
        *value = g_strdup(plugin->entries[0]->name);
        files = TRUE;
    }
    if (!files)
        return TRUE;
    g_autofree char *joined = g_strjoinv(",", values), *name = g_strndup(*param, (gsize)(equals - *param));
    g_free(*param);
    *param = g_strconcat(name, "=", joined, NULL);
    return TRUE;
}

gboolean ask_plugin_params(char **params, GError **error)
{
    for (char **param = params; param && *param; param++)
        if (!replace_files(param, error))
            return FALSE;
    return TRUE;
}

// The words of the files for HAN, and what versions know of them.
#include "libraries/decide/rules_han.h"
#include "libraries/decide/text_reader.h"
#include <string.h>

const char *const han_level_names[HAN_LEVELS] = {"intra_node", "inter_node", "global_communicator"};

static const char *const components[] = {"self", "basic", "libnbc", "tuned", "sm", "adapt", "han", "xhc"};

const HanFile *rules_han_served(const Tables *names, int collective)
{
    for (guint i = 0; i < names->han_files->len; i++) {
        const HanFile *file = &g_array_index(names->han_files, HanFile, i);
        if (strcmp(file->collective, tuned_collectives[collective].name) == 0)
            return file;
    }
    return NULL;
}

const HanFile *rules_han_of(const Tables *names, Collective collective)
{
    return rules_han_served(names, tuned_collective(collectives[collective].name));
}

gboolean rules_han_lists(const char *list, const char *word)
{
    g_auto(GStrv) words = g_strsplit(list, " ", -1);
    return g_strv_contains((const char *const *)words, word);
}

static int find(const char *const *names, size_t n, const char *name)
{
    for (size_t i = 0; i < n && names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return (int)i;
    return -1;
}

const char *rules_han_component(const Library *library, const char *name)
{
    const int i = find(components, G_N_ELEMENTS(components) - (library->id != LIBRARY_OMPI_MAIN), name);
    return i < 0 ? NULL : components[i];
}

const char *rules_han_algorithm(const HanFile *served, const char *word)
{
    g_auto(GStrv) all = g_strsplit(served->algorithms, " ", -1);
    const int n = (int)g_strv_length(all), named = find((const char *const *)all, (size_t)n, word),
              number = named < 0 ? text_reader_value(word) : named + 1;
    return number < 0 || number > n ? NULL : number == 0 ? "" : g_intern_string(all[number - 1]);
}

int rules_han_level(const char *name)
{
    return find(han_level_names, HAN_LEVELS, name);
}

const char *rules_han_usual(const Library *library, const HanFile *served)
{
    // 4.1 has no name for it, and chooses for gather as for the others.
    return library->id == LIBRARY_OMPI_41 && strcmp(served->collective, "gather") == 0 ? "intra" : served->usual;
}

gboolean rules_han_is(const char *text)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    int n = 0;
    gboolean number = FALSE; // the word before is one
    for (char **line = lines; *line; line++) {
        (*line)[strcspn(*line, "#")] = '\0';
        g_auto(GStrv) words = g_strsplit_set(*line, " \t\r\v\f", -1);
        for (char **word = words; *word; word++) {
            if (!**word)
                continue;
            if ((++n == 2 && tuned_collective(*word) >= 0) || find(han_level_names, HAN_LEVELS, *word) >= 0 ||
                (number && find(components, G_N_ELEMENTS(components), *word) >= 0))
                return TRUE;
            number = strspn(*word, "0123456789") == strlen(*word);
        }
    }
    return FALSE;
}

const LibraryRule *rules_han_find(const RulesFile *file, int collective, HanLevel level, gint64 ranks, gint64 bytes)
{
    for (guint i = 0; i < file->han->len; i++) {
        const LibraryRule *rule = &g_array_index(file->han, LibraryRule, i);
        const RuleRange *p = &rule->when.ranks, *m = &rule->when.bytes;
        if (rule->collective == collective && rule->level == (int)level && p->first <= ranks && ranks <= p->last &&
            m->first <= bytes && bytes <= m->last)
            return rule;
    }
    return NULL;
}

gboolean rules_han_runs(const RulesFile *file, int collective, const char *algorithm)
{
    const HanFile *served = rules_han_served(file->names, collective);
    const char *usual = served ? rules_han_usual(file->library, served) : "";
    gboolean any = FALSE, runs = FALSE;
    for (guint i = 0; i < file->han->len; i++) {
        const LibraryRule *rule = &g_array_index(file->han, LibraryRule, i);
        if (rule->collective != collective || rule->level != HAN_GLOBAL)
            continue;
        any = TRUE;
        runs |= strcmp(rule->runs, "han") == 0 && strcmp(*rule->params ? rule->params : usual, algorithm) == 0;
    }
    return any ? runs : strcmp(usual, algorithm) == 0;
}

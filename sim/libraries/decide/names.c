#include "libraries/decide/names.h"
#include "libraries/decide/decide.h"
#include <string.h>

// Returns TRUE if aliases of the registry begin with this word and a ':'.
static gboolean is_prefix(const char *word)
{
    const size_t length = strlen(word);
    for (int i = 0; i < n_algorithms; i++)
        for (int k = 0; k < COLL_MAX_ALIASES && algorithms[i]->aliases[k]; k++)
            if (strncmp(algorithms[i]->aliases[k], word, length) == 0 && algorithms[i]->aliases[k][length] == ':')
                return TRUE;
    return FALSE;
}

const Library *names_of_library(const char *name, const char **word, GError **error)
{
    const char *colon = strchr(name, ':');
    g_autofree char *before = colon ? g_strndup(name, (gsize)(colon - name)) : NULL;
    if (!before || (!library_names(before) && (is_prefix(before) || !library_is_near(before))))
        return NULL;
    *word = colon + 1;
    return library_find(before, error);
}

const Library *names_version(const char *name, int i)
{
    const char *word;
    const Library *first = names_of_library(name, &word, NULL);
    const gboolean whole = name[strcspn(name, ":-")] == '-';
    for (int k = 0; first && i > 0 && k < N_LIBRARIES; k++)
        if (!whole && libraries[k].family == first->family && &libraries[k] != first && --i == 0)
            return &libraries[k];
    return i == 0 ? first : NULL;
}

gboolean names_mean(const char *word, const LibraryAlgorithm *a)
{
    g_autofree char *id = a->by_name && a->id ? g_strdup_printf("%d", a->id - 1) : tables_id(a); // UCC counts from 0
    return strcmp(word, "all") == 0 || strcmp(word, a->name) == 0 || strcmp(word, id) == 0;
}

const CollAlgorithm *names_entry(Collective collective, const char *name)
{
    const CollAlgorithm *entry = algorithm_find(collective, name);
    const Library *library;
    for (int i = 0; !entry && (library = names_version(name, i)); i++) {
        g_autoptr(Tables) tables = tables_names(library, NULL);
        const char *word = strchr(name, ':') + 1;
        for (guint k = 0; tables && k < tables->algorithms->len && strcmp(word, "all") != 0 && !entry; k++) {
            const LibraryAlgorithm *a = &g_array_index(tables->algorithms, LibraryAlgorithm, k);
            CollParams par;
            if (a->collective == collective && names_mean(word, a))
                entry = decide_entry(tables, a, &par);
        }
    }
    return entry;
}

#include "libraries/decide/library.h"
#include "base/error.h"
#include "base/nearest.h"
#include <string.h>

const LibraryOf library_families[N_LIBRARY_FAMILIES] = {
    [LIBRARY_OMPI] = {"ompi", "openmpi-algorithms.csv", {"ompi:", "ompi-main:"}, TRUE},
    [LIBRARY_MPICH] = {"mpich", "mpich-algorithms.csv", {"mpich:"}, FALSE},
    [LIBRARY_UCC] = {"ucc", "ucc-algorithms.csv", {"ucc:"}, FALSE},
};

const Library libraries[N_LIBRARIES] = {
    {LIBRARY_OMPI_41, LIBRARY_OMPI, "ompi-4.1", "Open MPI 4.1.4", {"4.1.4"}, TRUE, "openmpi-4.1.4.csv", ""},
    {LIBRARY_OMPI_5, LIBRARY_OMPI, "ompi-5", "Open MPI 5.0.9", {"5.0.9"}, FALSE, "openmpi-4.1.4.csv", ""},
    {LIBRARY_OMPI_MAIN, LIBRARY_OMPI, "ompi-main", "Open MPI main", {"main"}, FALSE, "openmpi-main.csv", ""},
    {LIBRARY_MPICH_40,
     LIBRARY_MPICH,
     "mpich-4.0",
     "MPICH 4.0.2",
     {"4.0.2"},
     FALSE,
     "mpich-4.0.2.csv",
     "mpich-4.0.2-ch4.csv"},
    {LIBRARY_MPICH_43,
     LIBRARY_MPICH,
     "mpich-4.3",
     "MPICH 4.3",
     {"4.3.0", "4.3.1", "4.3.2"},
     TRUE,
     "mpich-4.3.csv",
     "mpich-4.3-ch4.csv"},
    {LIBRARY_UCC_13, LIBRARY_UCC, "ucc-1.3", "UCC 1.3", {"1.3.0"}, FALSE, "ucc-1.3.csv", ""},
    {LIBRARY_UCC_14, LIBRARY_UCC, "ucc-1.4", "UCC 1.4", {"1.4.0", "1.4.4"}, TRUE, "ucc-1.4.csv", ""},
};

const char *library_family(LibraryFamily family)
{
    return library_families[family].name;
}

gboolean library_names(const char *name)
{
    gboolean names = FALSE;
    for (int i = 0; i < N_LIBRARY_FAMILIES; i++) {
        const char *family = library_family((LibraryFamily)i);
        const size_t n = strlen(family);
        names |= g_ascii_strncasecmp(name, family, n) == 0 && (name[n] == '\0' || name[n] == '-');
    }
    return names;
}

// Returns TRUE if `text` is the version, or a part of it that ends before a dot.
static gboolean begins(const char *version, const char *text)
{
    const size_t n = strlen(text);
    return n > 0 && g_ascii_strncasecmp(version, text, n) == 0 && (version[n] == '\0' || version[n] == '.');
}

// Returns TRUE if a user's name can mean this library.
static gboolean fits(const Library *library, const char *name)
{
    const char *family = library_family(library->family);
    const size_t n = strlen(family);
    if (g_ascii_strncasecmp(name, family, n) != 0)
        return FALSE;
    if (name[n] == '\0')
        return library->usual;
    for (int i = 0; name[n] == '-' && library->versions[i]; i++)
        if (begins(library->versions[i], name + n + 1))
            return TRUE;
    return FALSE;
}

char *library_list(void)
{
    g_autoptr(GString) all = g_string_new(NULL);
    for (int i = 0; i < N_LIBRARIES; i++)
        g_string_append_printf(all, "%s%s", i ? ", " : "", libraries[i].name);
    return g_strdup(all->str);
}

// Fills in the names of all libraries, with a version and without; `names` has room for 2 * N_LIBRARIES + 1, and ends in NULL.
static void list_names(const char **names)
{
    int n = 0;
    for (int i = 0; i < N_LIBRARIES; i++) {
        names[n++] = libraries[i].name;
        if (libraries[i].usual)
            names[n++] = library_family(libraries[i].family);
    }
    names[n] = NULL;
}

gboolean library_is_near(const char *name)
{
    const char *names[2 * N_LIBRARIES + 1];
    list_names(names);
    return nearest_name(name, names) != NULL;
}

// Returns FALSE, with an error that lists the names of all libraries. `found`: the name means several.
static gboolean refuse(const char *name, gboolean found, GError **error)
{
    const char *known[2 * N_LIBRARIES + 1];
    list_names(known);
    g_autofree char *shown = error_quote(name), *hint = found ? g_strdup("; ") : nearest_hint(name, known);
    g_autofree char *names = library_list();
    g_autoptr(GString) all = g_string_new(names);
    for (int i = 0; i < N_LIBRARIES; i++)
        if (libraries[i].usual)
            g_string_append_printf(all, ", %s (%s)", library_family(libraries[i].family), libraries[i].name);
    return bad_input(error, "%s library %s%sallowed: %s", found ? "ambiguous" : "unknown", shown, hint, all->str);
}

const Library *library_find(const char *name, GError **error)
{
    const Library *found = NULL;
    for (int i = 0; i < N_LIBRARIES; i++) {
        if (!fits(&libraries[i], name))
            continue;
        if (found) {
            refuse(name, TRUE, error);
            return NULL;
        }
        found = &libraries[i];
    }
    if (!found)
        refuse(name, FALSE, error);
    return found;
}

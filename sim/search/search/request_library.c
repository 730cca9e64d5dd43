#include "search/search/request_library.h"
#include "base/error.h"
#include "base/units.h"
#include <string.h>

static void free_tables(gpointer tables)
{
    tables_free(tables);
}

Tables *request_tables(RequestLibrary *lib, const Library *library, GError **error)
{
    if (!lib->tables)
        lib->tables = g_ptr_array_new_with_free_func(free_tables);
    for (guint i = 0; i < lib->tables->len; i++)
        if (((Tables *)lib->tables->pdata[i])->library == library)
            return lib->tables->pdata[i];
    Tables *tables = tables_load(library, error);
    if (tables)
        g_ptr_array_add(lib->tables, tables);
    return tables;
}

const RequestAuto *request_auto(const RequestLibrary *lib, const CollAlgorithm *a)
{
    for (guint i = 0; lib->autos && i < lib->autos->len; i++)
        if (&((const RequestAuto *)lib->autos->pdata[i])->algorithm == a)
            return lib->autos->pdata[i];
    return NULL;
}

gboolean request_asks_nodes(const RequestLibrary *lib)
{
    for (guint i = 0; lib->autos && i < lib->autos->len; i++)
        if (decide_asks_nodes(((const RequestAuto *)lib->autos->pdata[i])->tables, lib->no_han, &lib->han))
            return TRUE;
    return FALSE;
}

// Takes one NAME=VALUE of HAN's variables.
static gboolean take_han(const char *word, const char *prefix, DecideHan *han, GError **error)
{
    enum { MOST_PRIORITY = 100 };
    g_auto(GStrv) halves = g_strsplit(word, "=", 2);
    const char *name = halves[0] ? halves[0] : "", *value = *name && halves[1] ? halves[1] : "";
    size_t number = 0;
    const gboolean is_number = units_parse_size(value, &number, NULL) && number > 0;
    if (strcmp(name, "algorithm") == 0 && (strcmp(value, "intra") == 0 || strcmp(value, "simple") == 0))
        han->algorithm = g_intern_string(value);
    else if (strcmp(name, "segsize") == 0 && is_number && number <= G_MAXINT)
        han->segment = number;
    else if (strcmp(name, "priority") == 0 && is_number && number <= MOST_PRIORITY)
        han->priority = (int)number;
    else {
        g_autofree char *shown = error_quote(word);
        return bad_input(error,
                         "%shan %s; allowed: segsize=BYTES from 1 byte to 2G - 1, algorithm=intra, algorithm=simple, "
                         "priority=1 to 100, joined by commas",
                         prefix, shown);
    }
    return TRUE;
}

gboolean request_han(RequestLibrary *lib, const char *han, gboolean no_han, const char *prefix, GError **error)
{
    lib->no_han = no_han;
    if (han && no_han)
        return bad_input(error, "%shan says how HAN works, and %sno-han that it does not; allowed: one of them", prefix,
                         prefix);
    g_auto(GStrv) words = g_strsplit(han ? han : "", ",", -1);
    for (int i = 0; han && (i == 0 || words[i]); i++) // an empty text has no word
        if (!take_han(words[i] ? g_strstrip(words[i]) : "", prefix, &lib->han, error))
            return FALSE;
    lib->han_usual = lib->han;
    return TRUE;
}

void request_library_clear(RequestLibrary *lib)
{
    g_clear_pointer(&lib->autos, g_ptr_array_unref);
    g_clear_pointer(&lib->tables, g_ptr_array_unref);
}

#include "search/search/request_library.h"

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

void request_library_clear(RequestLibrary *lib)
{
    g_clear_pointer(&lib->autos, g_ptr_array_unref);
    g_clear_pointer(&lib->tables, g_ptr_array_unref);
}

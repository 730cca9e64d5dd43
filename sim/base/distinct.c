#include "base/distinct.h"
#include <stdint.h>
#include <string.h>

GArray *distinct_sort(GArray *values, GCompareFunc compare)
{
    const size_t size = g_array_get_element_size(values);
    guint n = 0;
    g_array_sort(values, compare);
    for (guint i = 0; i < values->len; i++)
        if (n == 0 || compare(values->data + (n - 1) * size, values->data + i * size) != 0)
            memmove(values->data + n++ * size, values->data + i * size, size);
    return g_array_set_size(values, n);
}

gboolean distinct_has_size(const GArray *values, size_t value)
{
    for (guint i = 0; i < values->len; i++)
        if (g_array_index(values, size_t, i) == value)
            return TRUE;
    return FALSE;
}

guint distinct_name(GPtrArray *names, const char *name)
{
    guint at;
    if (g_ptr_array_find_with_equal_func(names, name, g_str_equal, &at))
        return at;
    g_ptr_array_add(names, (gpointer)(uintptr_t)name);
    return names->len - 1;
}

void distinct_take(GPtrArray *texts, char *text)
{
    if (g_ptr_array_find_with_equal_func(texts, text, g_str_equal, NULL))
        g_free(text);
    else
        g_ptr_array_add(texts, text);
}

int distinct_by_size(gconstpointer a, gconstpointer b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

int distinct_by_number(gconstpointer a, gconstpointer b)
{
    const gint64 x = *(const gint64 *)a, y = *(const gint64 *)b;
    return (x > y) - (x < y);
}

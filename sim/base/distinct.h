// Values in ascending order, each once; and names, each once.
#pragma once
#include <glib.h>

// Sorts the values, and keeps one of those that are equal. Returns the array.
GArray *distinct_sort(GArray *values, GCompareFunc compare);
// Returns TRUE if the value is among these (size_t), whatever their order.
gboolean distinct_has_size(const GArray *values, size_t value);
// Returns the index of a name in a list (of const char *), at whose end it is added if it is not there. The list does not
// copy it, nor own it.
guint distinct_name(GPtrArray *names, const char *name);
// Adds a text to a list that owns its texts, or frees it if the list has it.
void distinct_take(GPtrArray *texts, char *text);
// Compare size_t and gint64.
int distinct_by_size(gconstpointer a, gconstpointer b);
int distinct_by_number(gconstpointer a, gconstpointer b);

// Values in ascending order, each once.
#pragma once
#include <glib.h>

// Sorts the values, and keeps one of those that are equal. Returns the array.
GArray *distinct_sort(GArray *values, GCompareFunc compare);
// Returns TRUE if the value is among these (size_t), whatever their order.
gboolean distinct_has_size(const GArray *values, size_t value);
// Compare size_t and gint64.
int distinct_by_size(gconstpointer a, gconstpointer b);
int distinct_by_number(gconstpointer a, gconstpointer b);

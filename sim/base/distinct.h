// Values in ascending order, each once.
#pragma once
#include <glib.h>

// Sorts the values, and keeps one of those that are equal. Returns the array.
GArray *distinct_sort(GArray *values, GCompareFunc compare);
// Compare size_t and gint64.
int distinct_by_size(gconstpointer a, gconstpointer b);
int distinct_by_number(gconstpointer a, gconstpointer b);

// A table: a figure as a function of a message's bytes, from a list of SIZE:VALUE such as "4K:0.35 64K:0.5 1M:1".
// Between two of its points the function is linear; before the first and after the last one it is constant.
#pragma once
#include "machine/platform/figure_units.h"
#include <stdint.h>

typedef struct TablePoint {
    uint64_t bytes;
    double value;
} TablePoint;

// The points, at least one, with rising bytes.
typedef struct Table {
    int n;
    TablePoint *at;
} Table;

enum { TABLE_MOST = 1024 }; // points of a table

// Reads a list of SIZE:VALUE with blanks between them, where the sizes rise and the values have this unit. One VALUE
// without a SIZE holds for all sizes. Returns NULL and a bad-input error on bad input. Free with table_free.
Table *table_parse(PlatformUnit unit, const char *text, GError **error);
// Returns the table as a text that table_parse reads, with the values as figure_text writes them. Free with g_free.
char *table_text(PlatformUnit unit, const Table *table);
// Returns the table's value at a size. Between two points a and b it is
// a.value + (b.value - a.value) * ((bytes - a.bytes) / (b.bytes - a.bytes)).
double table_at(const Table *table, uint64_t bytes);
// Returns the table's largest value.
double table_most(const Table *table);
Table *table_copy(const Table *table); // NULL gives NULL
void table_free(Table *table);         // NULL is allowed
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Table, table_free)

// A table for people: rows of cells in aligned columns.
//
// The first row is the header. A column whose cells are all numbers is aligned to the right.
#pragma once
#include <glib.h>

typedef struct Table Table;
Table *table_new(int columns);
void table_free(Table *t);
// Appends a cell, row by row, and takes ownership of its text.
void table_add(Table *t, char *cell);
// Appends n cells, copies of these names.
void table_header(Table *t, const char *const *names, int n);
void table_print(const Table *t, const char *indent);
// Returns a / b as "1.25", or "" if b is 0. Free with g_free.
char *table_ratio(double a, double b);

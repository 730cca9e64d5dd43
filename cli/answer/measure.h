// What `measure` says.
#pragma once
#include "launch/measure.h"

// Return the rows as text, without those whose data were wrong. Free with g_string_free.
GString *measure_csv(const Measure *x);
GString *measure_json(const Measure *x);
// Prints the rows.
void measure_table(const Measure *x);

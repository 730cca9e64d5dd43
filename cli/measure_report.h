// What `collsim measure` found, and how it says it.
#pragma once
#include "measure.h"

// One point, and what came of it.
typedef struct Row {
    Point *point;
    JobResult result;
    int id;       // of Open MPI's algorithm that was forced; 0: none
    int verified; // is it that one, by its messages? 0 or 1; -1: nobody knows
} Row;

// As text, to be freed with g_string_free; rows whose data were wrong are left out.
GString *measure_csv(const Request *request, const Meter *meter, const GArray *rows);
GString *measure_json(const Request *request, const Meter *meter, const GArray *rows);
// To stdout.
void measure_table(const Request *request, const Meter *meter, const GArray *rows);

// What `crossover` finds between two algorithms, and what it says.
#pragma once
#include "form/crossover.h"
#include "request.h"
#include "form/size_form.h"

// The times of both as the closed forms have them about one size.
typedef struct Meeting {
    gboolean known;
    SizeForm form[2];
    double m; // where they are equal, bytes; NAN: nowhere
} Meeting;

// Two algorithms on p ranks.
typedef struct Rivalry {
    const Request *request; // of which `some` are the two
    int p;
    CrossoverSearch search;
    Meeting *meeting;   // by search.found; one where there is none
    const char *why[2]; // what each of them needs and has not at the sizes below search.first, or at all; NULL: nothing
} Rivalry;

// The algorithm of that number, 0 or 1.
const CollAlgorithm *rival(const Rivalry *x, int i);
// "(6 - 3) alpha = m ((3 - 1.75) beta + (3 - 0.875) gamma)", first and second swapped on the left; free with g_free.
char *meeting_equation(const Meeting *meeting);
// Of Rivalry.
void crossover_table(const Request *request, const GPtrArray *rivalries);
void crossover_csv(const Request *request, const GPtrArray *rivalries);
void crossover_json(const Request *request, const GPtrArray *rivalries);

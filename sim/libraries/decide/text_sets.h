// The numbers of a rules file in the text format of Open MPI, before they become ranges, or of one that is to be
// written.
#pragma once
#include "libraries/decide/rules.h"

typedef struct TextRule {
    gint64 bytes;
    int id, fanout, segment, max_requests;
    size_t line;
} TextRule;

// The rules under one number of ranks.
typedef struct TextSet {
    int key;
    size_t line;
    GArray *rules; // of TextRule
} TextSet;
void text_set_clear(gpointer set);

// Appends the rules of all collectives as file->library keeps them, and the traps of their keys. An element of
// `text_sets` is an array of TextSet, or NULL if the file has none for the collective.
void text_sets_add(RulesFile *file, GArray *const text_sets[TUNED_COLLECTIVES]);

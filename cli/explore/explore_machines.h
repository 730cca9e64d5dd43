// The machines that the page of `collsim explore` offers, and those of their figures that have a slider.
#pragma once
#include <glib.h>

typedef struct ExploreFigure {
    char *name;          // as --set takes it: "alpha", or "alpha.far" on a machine with levels
    char *text;          // what the machine has, "3.4us"
    const char *meaning; // static
} ExploreFigure;

typedef struct ExploreMachine {
    char *name; // as --platform takes it
    char *title;
    int node;               // ranks of a full node; 0 if the machine has no nodes
    gboolean says_model;    // --model hockney has to be said, because another model is the machine's default
    gboolean has_reduction; // it has gamma
    GArray *figures;        // of ExploreFigure
} ExploreMachine;

// Returns the machines (ExploreMachine *): the first one, a name or a file, and then all others that `collsim` has with the
// figures of hockney. Returns NULL and an error if the first one cannot be used. Free with g_ptr_array_unref.
GPtrArray *explore_machines_new(const char *first, GError **error);
// Returns the machine of this name, or NULL.
const ExploreMachine *explore_machines_find(const GPtrArray *machines, const char *name);
// Adds the machines to a text as JSON.
void explore_machines_json(const GPtrArray *machines, GString *to);

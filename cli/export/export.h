// What the kinds of `collsim export` share. A kind is one function, and one line in cmd_export.c.
#pragma once
#include "ask/ask.h"
#include "search/points.h"

// An operation to be written: one algorithm at one point.
typedef struct Export {
    RequestOptions options;
    Request request;
    GPtrArray *points; // the one point
    Operation op;
    char *output; // NULL: standard output
} Export;

// A kind gets "export KIND" as argv[0] and returns the exit status.
int export_goal(int argc, char **argv, GError **error);
int export_dot(int argc, char **argv, GError **error);
int export_smpi(int argc, char **argv, GError **error);

// Reads COLLECTIVE ALGORITHM, the options of an operation, -o, and the options in `more` (ended by {NULL}; may be NULL).
// `text` is the summary for --help. Clear x with export_clear, also on error.
gboolean export_begin(int argc, char **argv, const char *text, const GOptionEntry *more, Export *x, GError **error);
void export_clear(Export *x);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Export, export_clear)
// Returns what is written: "bcast binomial, 8 ranks, 64K bytes, root 0, segment = 8K". The caller escapes the text, because a
// file of counts may have any name, and frees it with g_free.
char *export_title(const Export *x);

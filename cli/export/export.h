// What the kinds of `collsim export` share. Each kind is one function here and one line in cmd_export.c.
#pragma once
#include "ask/ask.h"
#include "search/search/points.h"

// The operation to write: one algorithm at one point. Zero it before use.
typedef struct Export {
    RequestOptions options;
    Request request;
    GPtrArray *points; // of Point *, exactly one
    Operation op;
    char *output; // NULL for standard output
} Export;

// The kinds. argv[0] is "export KIND". They return the exit status, and set the error if it is 2.
int export_goal(int argc, char **argv, GError **error);
int export_dot(int argc, char **argv, GError **error);
int export_smpi(int argc, char **argv, GError **error);

// Parses COLLECTIVE ALGORITHM, the options of an operation, -o, and the options in `more`, which ends with {NULL} and
// may be NULL. `text` is the summary for --help. Returns FALSE and an error if they are wrong or the schedule is too
// large. Free the contents of x with export_clear, also after an error.
gboolean export_begin(int argc, char **argv, const char *text, const GOptionEntry *more, Export *x, GError **error);
void export_clear(Export *x);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Export, export_clear)
// Returns a description of the operation: "bcast binomial, 8 ranks, 64K bytes, root 0, segment = 8K". The caller
// escapes the text, because a file of counts may have any name, and frees it with g_free.
char *export_title(const Export *x);

// collsim export KIND: what the kinds share. A kind is one function and one line in cmd_export.c.
#pragma once
#include "ask/ask.h"
#include "search/points.h"

// An operation to be written: COLLECTIVE ALGORITHM at one point.
typedef struct Export {
    RequestOptions options;
    Request request;
    GPtrArray *points; // one
    Operation op;
    char *output; // NULL: standard output
} Export;

// Each gets "export KIND" as argv[0] and returns the exit status.
int export_goal(int argc, char **argv, GError **error);
int export_dot(int argc, char **argv, GError **error);
int export_smpi(int argc, char **argv, GError **error);

// Reads COLLECTIVE ALGORITHM and the options of an operation, those of `more` (ended by {NULL}; NULL: none) and -o.
// `text` is the summary for --help. To be cleared with export_clear.
gboolean export_begin(int argc, char **argv, const char *text, const GOptionEntry *more, Export *x, GError **error);
void export_clear(Export *x);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Export, export_clear)
// "bcast binomial, 8 ranks, 64K bytes, root 0, segment = 8K", one line; free with g_free.
char *export_title(const Export *x);

// The subcommands of `collsim`. Each is one file, cmd_NAME.c. It gets its own name as argv[0], parses the rest, prints its
// answer to stdout and returns the exit status: 0 done, 1 a check failed, 2 bad input, with *error set to one line that
// main prints.
#pragma once
#include "schedule/names.h"
#include <glib.h>

int cmd_list(int argc, char **argv, GError **error);
int cmd_show(int argc, char **argv, GError **error);
int cmd_run(int argc, char **argv, GError **error);
int cmd_check(int argc, char **argv, GError **error);
// collsim audit: the verdict on published cost formulas, and on one's own.
int cmd_audit(int argc, char **argv, GError **error);
int cmd_measure(int argc, char **argv, GError **error);
// collsim bound COLLECTIVE: lower bounds, and how near the fastest algorithm comes.
int cmd_bound(int argc, char **argv, GError **error);
// collsim plot FILE.csv [-o FILE.svg|png|pdf]: draws time over size or ranks from what `run --format csv` wrote.
int cmd_plot(int argc, char **argv, GError **error);
// collsim calibrate FILE...: a platform's figures from measurements.
int cmd_calibrate(int argc, char **argv, GError **error);
// collsim export KIND ...: writes what other programs read.
int cmd_export(int argc, char **argv, GError **error);

// collsim best COLLECTIVE, crossover COLLECTIVE A B: who wins, and from which size on.
int cmd_best(int argc, char **argv, GError **error);
int cmd_crossover(int argc, char **argv, GError **error);

// ---- What the subcommands share (select.c) -----------------------------------------------------------------------------

enum { MAX_RANKS = 1 << 27 };
typedef enum { FORMAT_TABLE, FORMAT_CSV, FORMAT_JSON } Format;

// Parses the options and leaves the other arguments in *words (free with g_strfreev), at least `least`, at most `most`
// of them. `usage` is what they are; `text` the summary and an example for --help.
gboolean parse_options(int argc, char **argv, const char *usage, const char *text, const GOptionEntry *entries,
                       guint least, guint most, char ***words, GError **error);
gboolean find_format(const char *name, Format *format, GError **error); // NULL: a table
// The --per-node of a command: 1 .. MAX_RANKS, 0 where it is not given.
gboolean find_per_node(const char *text, int *per_node, GError **error);
// The -p of a command: a list of 1 .. MAX_RANKS.
GArray *find_ranks(const char *list, GError **error);

// ---- Tables (table.c) ----------------------------------------------------------------------------------------------------

// Rows of cells with aligned columns, the first row is the header; a column of numbers is set to the right.
typedef struct Table Table;
Table *table_new(int columns);
void table_add(Table *t, char *cell); // takes the cell; row by row
void table_header(Table *t, const char *const *names, int n);
void table_print(const Table *t, const char *indent);
// a / b as "1.25"; "" where b is 0. Free with g_free.
char *ratio_text(double a, double b);
void table_free(Table *t);

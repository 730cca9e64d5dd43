// The rows of tuning files of MPICH in answers of `collsim rules`.
#pragma once
#include "libraries/decide/rules_write.h"
#include "libraries/decide/selection.h"
#include "out/answer.h"
#include <stdio.h>

// Fills the cells of a range, and shows both ends in the first; `format` makes the text of one end, to be freed with
// g_free.
void rules_fill_range(Sheet *sheet, const char *low, const char *high, RuleRange range, char *format(size_t));
// Returns a number as text. Free with g_free.
char *rules_plain(size_t value);

// Adds the rows of a tree to the sheet of rules. Without `all` it leaves out those of collectives that the program does
// not have, and of intercommunicators.
void rules_tree_rows(Sheet *sheet, const RulesFile *file, gboolean all);
// Prints a map of what runs over ranks and bytes for each collective that has more than one algorithm.
void rules_tree_maps(const RulesFile *file, FILE *to);
// Fills the cells that say when a row of a tree decides.
void rules_tree_fill(Sheet *sheet, const Selection *selection, const char *collective, const RuleWhen *when);
// A set of calls for which two files say something else.
typedef struct DifferencePart {
    const char *collective;
    char *runs[2];          // by file
    char *shown[2];         // the same in fewer words, for a table; NULL for Open MPI and UCC
    RulesCell cell;         // the calls, as the files of Open MPI and UCC have them
    const Library *library; // .. of the files; NULL for a tree
    gboolean tree;          // `when` says which calls they are, and not `cell`
    RuleWhen when;
} DifferencePart;

// Appends the calls for which two trees make the library run something else (DifferencePart).
void rules_tree_differences(GArray *parts, const RulesFile *const files[2]);

// What a subcommand takes, as data: its usage, the text above its options, and its options, or its kinds. Manual pages
// and the completion of shells are made of this, and --help of the same tables.
//
// A subcommand with the hidden option --describe does nothing but give its description as text, a line for each thing
// and tabs between the fields:
//
//     usage   COLLECTIVE ALGORITHM|all
//     text    a line of the text above the options; one for each line
//     option  NAME  LETTER  VALUE  TYPE  ABOUT     LETTER and VALUE may be empty; TYPE is flag, word, words, file or files
//     kind    NAME  ABOUT                          of a command whose first argument is a kind
#pragma once
#include <glib.h>

typedef struct DescribedOption {
    const char *name;  // without its dashes
    char letter;       // of the short form; 0 if there is none
    const char *value; // what --help calls its value; "" if it takes none
    const char *about;
    gboolean file;     // the value is the name of a file
    gboolean repeated; // the option may be given several times
} DescribedOption;

typedef struct DescribedKind {
    const char *name, *about;
} DescribedKind;

typedef struct Description {
    char **usages;   // the ways to use the command, each the words of its arguments: "COLLECTIVE ALGORITHM|all"
    GPtrArray *text; // of const char *, the lines
    GArray *options; // of DescribedOption
    GArray *kinds;   // of DescribedKind; empty if the command has none
    char **lines;    // the text that all the above points into
} Description;

// Returns the description of a command with these options; both arrays end in an entry without a name, and hidden
// options are left out. Free with g_free.
char *description_of_options(const char *usage, const char *text, const GOptionEntry *entries,
                             const GOptionEntry *more);
// Returns a text as lines of the type `text`. Free with g_free.
char *description_of_text(const char *text);

// Reads a description. Free with description_free.
Description *description_read(const char *text);
void description_free(Description *description);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Description, description_free)

// Returns the option with this name ("ranks"), or, if the name has one letter, with this letter; NULL if there is none.
const DescribedOption *description_option(const Description *description, const char *name);

// Candidates for a word of a command line, for the completion of shells.
#pragma once
#include "ask/description.h"
#include "registry/registry.h"
#include <glib.h>

// A command line up to the word that is being completed, and what could stand there.
typedef struct Completion {
    Description *command; // what its subcommand takes; NULL before that is known
    GPtrArray *arguments; // of const char *, those that are not options
    GPtrArray *given;     // of const DescribedOption *, the options on the line
    const char *word;     // the beginning of the word
    size_t kept;          // bytes of `word` that all candidates keep, such as those of "--platform=lumi,"
    GString *out;         // the answer: see cmd_complete.c
} Completion;

// Adds a candidate for what follows the kept bytes, with a description that may be NULL, if it begins as the word does.
void complete_add(Completion *x, const char *candidate, const char *about);
// Let the shell complete the name of a file, of a folder, or of a plugin's file.
void complete_files(Completion *x);
void complete_folders(Completion *x);
void complete_plugins(Completion *x);

// Adds what an argument of a usage can be: "COLLECTIVE", "ALGORITHM|all", "[LABEL=]FILE...".
void complete_argument(Completion *x, const char *usage);
// Adds what the value of an option can be.
void complete_value(Completion *x, const DescribedOption *option);

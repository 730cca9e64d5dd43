// Texts of rules files, each with a trap that some versions of a library must be told of, and others must not.
#pragma once
#include "libraries/decide/rules.h"

typedef struct TrapCase {
    const char *text;
    guint libraries; // those that have the trap: 1 << LibraryId each
    TrapKind kind;
    size_t line;
    const char *says; // a part of the trap's text; NULL if no version may have a trap
} TrapCase;

// Reads the text as the library does. Free with rules_free.
RulesFile *trap_read(const char *text, LibraryId library);
// Checks each of the n cases in the versions `first` .. `last`.
void trap_check(const TrapCase *cases, size_t n, LibraryId first, LibraryId last);

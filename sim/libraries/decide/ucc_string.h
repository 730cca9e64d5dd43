// UCC's selection strings, the values of UCC_TL_UCP_TUNE: tokens joined by #, each a list of qualifiers joined by colons.
// A token needs a score or an algorithm; it may have no other qualifiers.
//
//     allreduce:0-4k:host:[2-64]:@knomial#bcast:32k-inf:@1
//     collective, bytes (the end is not in it), memory, ranks, algorithm; a number alone is a score
//
// UCC reads a string anew for every team. If it finds fault with any of it, it prints an error and goes on without the
// whole string.
#pragma once
#include "libraries/decide/rules.h"

// Where a string is in effect.
typedef struct UccScope {
    RuleRange ranks, per_node, nodes; // of a section of ucc.conf
    const char *section;              // its name, interned; "" for none
} UccScope;

// Reads a string as file->library does, and appends its rules and traps; `line` is that of the string.
void ucc_string_read(RulesFile *file, const char *text, size_t line, const UccScope *scope);

// Reads a file that sets UCC_TL_UCP_TUNE: a string alone, lines NAME=VALUE as a shell or ucc.conf has them, and the
// sections of ucc.conf. Appends rules and traps, and sets file->format and file->ignored.
void ucc_file_read(RulesFile *file, const char *text);

// Returns rules (LibraryRule) as a selection string without a line's end, those of `section` only; NULL stands for all.
// Free with g_free.
char *ucc_string_text(const Tables *tables, const GArray *rules, const char *section);
// Returns the file, of another version too, that has the same effect: an ucc.conf. Free with g_free. Returns NULL and an
// error of FILE:LINE if the version lacks an algorithm.
char *ucc_convert(const RulesFile *file, const Library *target, GError **error);

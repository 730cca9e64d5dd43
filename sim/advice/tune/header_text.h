// The parts of tune_header()'s text that are the same in every header: its types and its functions. In all of them, and
// in the text between them, $ stands for the prefix, and @ for the prefix in capitals.
#pragma once
#include <glib.h>

// Appends the flags, the needs, the choice, and the declarations of functions: what a user of the header reads. The
// enum $_collective must precede it.
void header_text_public(GString *s);
// Appends a sum of LibraryNeeds in the header's words: "@_NEEDS_EVEN | @_NEEDS_INT", or "0".
void header_text_needs(GString *s, int needs);
// Returns TRUE if a program can say whether a call meets all of these needs.
gboolean header_text_asks(int needs);
// Appends the types of the tables that header_text_functions() searches.
void header_text_private(GString *s);
// Appends the functions, and the end of the header.
void header_text_functions(GString *s);

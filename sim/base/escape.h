// Escapes a text that a user wrote (a title, a claim, a file's name) for the format that it is put into: one function
// for each format.
//
// Any bytes are valid input; NULL stands for the empty text. What the format cannot hold is replaced and not dropped,
// so a reader sees that something was there. In all formats but CSV, "control characters" are U+0000 .. U+001F and
// U+007F .. U+009F, and a byte that is not UTF-8 counts as one. The caller frees the result with g_free.
#pragma once
#include <glib.h>

// For a line on a terminal: control characters, line ends too, and the characters that turn the direction of writing
// become ?. The result is one line of valid UTF-8 that cannot move the cursor or set a colour.
char *escape_terminal(const char *text);

// For a value that a file keeps in one line: as escape_terminal, but without blanks at the ends, and with spaces for
// tabs and line ends. A text that is not blank stays so.
char *escape_line(const char *text);

// Escapes text and quoted attributes for XML, SVG and HTML: & < > " ' become references. Control characters, which XML
// 1.0 does not allow even as references, and U+FFFE and U+FFFF become U+FFFD; tabs and line ends stay.
char *escape_xml(const char *text);

// Escapes what is between the double quotes of a string in Graphviz' language: " and \ get a backslash, a line end
// becomes \n, and other control characters become spaces. The result is one line, so a comment can contain it as well.
char *escape_dot(const char *text);

// Returns a text as an expression of gnuplot: strings in single quotes, in which gnuplot expands nothing, joined by
// "\047" where the text has a single quote. (gnuplot 5.4 does not understand a doubled one everywhere; a single quote in
// double quotes makes it expand @NAME in the strings after it.) Control characters become spaces.
char *escape_gnuplot(const char *text);

// Returns the text as a word of a shell: as it is if no shell changes it, and otherwise in quotes.
char *escape_shell(const char *text);

// Returns the text as a field of CSV (RFC 4180): in quotes if it holds a comma, a quote or a line end, otherwise as it
// is. All characters stay.
char *escape_csv(const char *text);

// Escapes what is between the quotes of a string of JSON; all characters stay.
char *escape_json(const char *text);

// Escapes text for Markdown, also for a cell of a table: characters that begin markup anywhere in a line get a
// backslash, & and < become references, and control characters become spaces. An underscore between letters or digits
// is not markup and stays, so reduce_scatter is readable in the source as well.
char *escape_markdown(const char *text);
// Returns the text as code in Markdown, with its backquotes: "`alpha + m*beta`". A cell of a table can contain it.
char *escape_markdown_code(const char *text);

// Returns a name for a file, made from an identifier: characters other than A-Z a-z 0-9 . _ - become _, as does a dot
// at the start, so that the name cannot lead to another folder or be hidden. A name has at most 100 bytes. If `used`
// holds the name (in upper or lower case), -2, -3 .. is added until it is new. The name is added to `used`, a set of
// char * that frees its keys.
char *escape_file_name(const char *text, GHashTable *used);

// How wide texts are in pictures, so that they are broken where they would leave their place.
#pragma once
#include <glib.h>

// The fonts of plots/page.gp, whose letters are measured in pixels; and the letters of a terminal, each of width 1.
typedef enum { LETTERS_CELLS, LETTERS_SMALL, LETTERS_NOTE, LETTERS_TEXT, LETTERS_TITLE } Letters;

// Returns the width of a text in one line.
double letters_width(const char *text, Letters font);

// Breaks a text into lines of at most this width: at spaces, and within a word that is wider than a line. A line has at
// least one letter. Free with g_free.
char *letters_wrap(const char *text, double width, Letters font);

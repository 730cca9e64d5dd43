// How wide texts are in pictures, so that they are broken where they would leave their place.
#pragma once
#include <glib.h>
#include <stdio.h>

// The fonts of plots/canvas.gp, whose letters are measured in pixels; and the letters of a terminal, each of width 1.
typedef enum { LETTERS_CELLS, LETTERS_SMALL, LETTERS_NOTE, LETTERS_TEXT, LETTERS_TITLE } Letters;

// Returns the width of a text in one line.
double letters_width(const char *text, Letters font);

// Breaks a text into lines of at most this width: at spaces, and within a word that is wider than a line. A line has at
// least one letter. Free with g_free.
char *letters_wrap(const char *text, double width, Letters font);
// Prints a text for a terminal, in lines of at most so many characters (> 0). Prints nothing if it is empty.
void letters_print(const char *text, size_t columns, FILE *to);
// Returns the number of lines of a text, 0 if it is empty.
guint letters_lines(const char *text);

// Text for people, broken into lines between words.
#pragma once
#include <stdio.h>

enum { WRAP_WIDTH = 80 };

// Prints `head` and then the text, whose control characters are escaped. Lines are at most WRAP_WIDTH columns wide, if
// no word is longer, and a number is not parted from its unit; those after the first are indented by the width of
// `head`. Ends with a newline.
void wrap_print(FILE *to, const char *head, const char *text);

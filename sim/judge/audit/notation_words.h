// The words of a formula in the notation of papers.
#pragma once
#include <glib.h>
#include <stdarg.h>

typedef enum {
    WORD_END,
    WORD_NUMBER,
    WORD_VARIABLE,
    WORD_CALL,  // a function's name, also "log", which is log2 unless it has a base
    WORD_OPEN,  // an opening bracket; its text is "(", "ceil(" or "floor("
    WORD_CLOSE, // its text is ")", "]", "}", or the name of the function that it closes: "ceil", "floor"
    WORD_FRACTION,
    WORD_SIGN, // an operator, a comma, ? or :
    WORD_BASE, // the _ of log_2
    WORD_ORDER,
} PaperKind;

typedef struct PaperWord {
    PaperKind kind;
    char *text; // as it is in an Expression
    size_t at;
} PaperWord;

// Reads the words (PaperWord) of a formula, the last of which is WORD_END. `names` lists the variables, NULL-terminated.
// Skips a left side such as "T(p, n) =". Returns NULL and an error on bad input. Free with g_array_unref.
GArray *notation_words(const char *what, const char *text, const char *const *names, GError **error);
// Returns where the formula begins: behind "T =", "T(p, n) =" or "T_{bcast} =", which papers write before it, or 0.
size_t notation_begin(const char *text);
// Sets the error for column `at`, from 0, of the formula that is called `what`. Returns FALSE.
gboolean notation_refuse(const char *what, size_t at, GError **error, const char *format, va_list args)
    G_GNUC_PRINTF(4, 0);

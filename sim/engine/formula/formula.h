// A formula's tree and words: what the reader (notation.c) shares with the words that it reads (formula_words.c) and with
// the evaluator and printer of the tree (expression.c).
#pragma once
#include "engine/formula/functions.h"
#include <glib.h>

enum { FORMULA_LONGEST = 4000, FORMULA_LONGEST_NAME = 100 };
#define FORMULA_NEVER "never" // the constant

typedef enum {
    DO_NUMBER,
    DO_VARIABLE,
    DO_CALL,
    DO_NEGATE,
    DO_CHOOSE, // c ? x : y
    DO_OR,
    DO_AND,
    DO_EQUAL,
    DO_UNEQUAL,
    DO_LESS,
    DO_MORE,
    DO_AT_MOST,
    DO_AT_LEAST,
    DO_ADD,
    DO_SUBTRACT,
    DO_MULTIPLY,
    DO_DIVIDE,
    DO_POWER
} Doing;

// How tightly the outermost operator of a formula binds, the loosest first.
typedef enum {
    BIND_CHOICE, // c ? x : y
    BIND_OR,
    BIND_AND,
    BIND_EQUAL,
    BIND_LESS,
    BIND_SUM,
    BIND_PRODUCT,
    BIND_MINUS,
    BIND_POWER,
    BIND_VALUE // no operator
} Binding;

// The operators that have two sides.
typedef struct FormulaOperator {
    const char *text;
    Doing doing;
    Binding binding;
} FormulaOperator;
extern const FormulaOperator formula_operators[];
extern const int n_formula_operators;

// A node of the tree.
typedef struct FormulaStep {
    Doing doing;
    int n;          // of a variable: its place; of a call: how many arguments
    double value;   // of a number
    int at, length; // of a number: its place in the text
    const Function *function;
} FormulaStep;

// The nodes stand in the order in which they are calculated: those of the operands before the one of their operator.
struct Expression {
    gatomicrefcount references;
    char *text; // as it was read
    GStrv names;
    GArray *steps; // of FormulaStep
};

typedef enum {
    WORD_END,
    WORD_VALUE, // a number or variable
    WORD_CALL,  // a function's name; log and lg are log2 where they have neither a base nor a second argument
    WORD_OPEN,  // an opening bracket; its function is that of \lceil and \lfloor, or NULL
    WORD_CLOSE, // a closing one, with the same function
    WORD_FRACTION,
    WORD_SIGN, // an operator, a comma, ? or :
    WORD_BASE, // the _ of log_2
    WORD_ORDER,
} WordKind;

typedef struct FormulaWord {
    WordKind kind;
    int at, length;
    const char *sign; // as it is in an Expression
    FormulaStep step; // of a value; of a call or bracket: its function
} FormulaWord;

// A text that is being read.
typedef struct FormulaText {
    const char *what, *text;
    const char *const *names;
    gboolean strict; // what only papers write is refused
    gboolean papers; // it contains what only papers write
    GArray *words;   // of FormulaWord
    GError **error;
} FormulaText;

// Appends the words of the text to r->words. WORD_END comes last.
gboolean formula_words(FormulaText *r);
// Returns the length of the name that begins at `at`, which need not be known; 0 if none does.
int formula_name_length(const char *at);
// Notes that the text contains what only papers write. Returns FALSE if that is refused.
gboolean formula_papers(FormulaText *r);
// Sets the error for column `at`, from 0. Returns FALSE.
gboolean formula_refuse(const FormulaText *r, int at, const char *format, ...) G_GNUC_PRINTF(3, 4);

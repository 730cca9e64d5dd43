// Formulas in the notation of papers: "\lceil \log_2 p \rceil (\alpha + n\beta)", "2 log p alpha", "O(log p)".
#pragma once
#include <glib.h>

typedef struct Notation {
    GPtrArray *readings; // of char *: all ways to read the formula, each as an Expression; the likeliest is the first
    gboolean order;      // the formula stood in O(..)
} Notation;

// Reads a formula as papers print it. Beside what an Expression has, the text may contain
//   log p, lg(p), log_2 p, log_k p, ln p, log^2 p, lg lg p   functions whose argument has no brackets; log means log2
//   2p m, p(p-1)          products without a sign, also in a word of letters: pm
//   \alpha, \frac{p-1}{p}, \lceil p/2 \rceil, \cdot, \left(, \max\{a, b\}, 2^{k}, \sqrt{p}   LaTeX, also in $..$
//   α, β, γ, ⌈p/2⌉, ⌊p/2⌋, ·, ×, −                   the same in Unicode
//   [p-1]                 brackets of another form
//   O(..), \Theta(..)     around the whole formula
//   t_s, t_w, \frac n2, "T(p, n) =" before the formula   alpha, beta, \frac{n}{2}, nothing
// A product without a sign after a division, "1/2p", can be read in two ways, as can what follows the argument of a
// function without brackets: "log p^2", "log p/k". Then there is a reading for each way. `names` lists the variables,
// NULL-terminated. Errors call the formula `what` and give the column in bytes. A formula may have at most 4000 bytes,
// 100 levels of brackets and 5 places that can be read in two ways. Returns NULL and an error on bad input. Free with
// notation_free.
Notation *notation_read(const char *what, const char *text, const char *const *names, GError **error);
void notation_free(Notation *n);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Notation, notation_free)

// Returns true if the text contains what only papers write: a backslash, braces, a subscript, Unicode, or O(..).
gboolean notation_is(const char *text);

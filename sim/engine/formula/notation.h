// Formulas in the notation of papers: "\lceil \log_2 p \rceil (\alpha + n\beta)", "2 log p alpha", "O(log p)".
#pragma once
#include "engine/formula/expression.h"

typedef struct Notation {
    GPtrArray *readings; // of Expression: all ways to read the formula; the likeliest is the first
    gboolean order;      // the formula stood in O(..)
    gboolean plain;      // expression_new() reads the text too, in the same way
} Notation;

// Reads a formula as papers print it. In addition to what an Expression has, the text may contain
//   log p, lg(p), log_2 p, log_k p, ln p, log^2 p, lg lg p   functions whose argument has no brackets; log means log2
//   2p m, p(p-1)          products without a sign, also in a word of letters: pm
//   \alpha, \frac{p-1}{p}, \lceil p/2 \rceil, \cdot, \left(, \max\{a, b\}, 2^{k}, \sqrt{p}   LaTeX, also in $..$
//   α, β, γ, ⌈p/2⌉, ⌊p/2⌋, ·, ×, −                   the same in Unicode
//   [p-1]                 brackets of another form
//   O(..), \Theta(..)     around the whole formula
//   t_s, t_w, \frac n2, "T(p, n) =" before the formula   alpha, beta, \frac{n}{2}, nothing
// A product without a sign after a division, "1/2p", can be read in two ways, as can what follows the argument of a
// function without brackets: "log p^2", "log p/k". Then there is a reading for each way. A formula may have at most 5
// places that can be read in two ways. The rest is as for expression_new(). Free with notation_free.
Notation *notation_read(const char *what, const char *text, const char *const *names, GError **error);
void notation_free(Notation *n);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Notation, notation_free)

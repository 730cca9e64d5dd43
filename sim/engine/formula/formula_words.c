#include "base/error.h"
#include "base/nearest.h"
#include "engine/formula/formula.h"
#include <math.h>
#include <string.h>

// One that is the beginning of another one comes after it.
const FormulaOperator formula_operators[] = {
    {"<=", DO_AT_MOST, BIND_LESS},  {">=", DO_AT_LEAST, BIND_LESS},   {"==", DO_EQUAL, BIND_EQUAL},
    {"!=", DO_UNEQUAL, BIND_EQUAL}, {"&&", DO_AND, BIND_AND},         {"||", DO_OR, BIND_OR},
    {"<", DO_LESS, BIND_LESS},      {">", DO_MORE, BIND_LESS},        {"+", DO_ADD, BIND_SUM},
    {"-", DO_SUBTRACT, BIND_SUM},   {"*", DO_MULTIPLY, BIND_PRODUCT}, {"/", DO_DIVIDE, BIND_PRODUCT},
    {"^", DO_POWER, BIND_POWER},
};
const int n_formula_operators = G_N_ELEMENTS(formula_operators);

gboolean formula_refuse(const FormulaText *r, int at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *why = g_strdup_vprintf(format, args);
    va_end(args);
    return bad_input(r->error, "%s: column %d: %s", r->what, at + 1, why);
}

gboolean formula_papers(FormulaText *r)
{
    r->papers |= !r->strict;
    return !r->strict;
}

// How signs are written. Those that an Expression writes in another way, or not at all, are for papers.
static const struct {
    const char *written;
    WordKind kind;
    const char *sign; // of a bracket: the function that it stands for, or ""
} spellings[] = {
    {"⌈", WORD_OPEN, "ceil"},
    {"⌉", WORD_CLOSE, "ceil"},
    {"⌊", WORD_OPEN, "floor"},
    {"⌋", WORD_CLOSE, "floor"},
    {"·", WORD_SIGN, "*"},
    {"×", WORD_SIGN, "*"},
    {"−", WORD_SIGN, "-"},
    {"≤", WORD_SIGN, "<="},
    {"≥", WORD_SIGN, ">="},
    {"Θ", WORD_ORDER, "O"},
    {"\\lceil", WORD_OPEN, "ceil"},
    {"\\rceil", WORD_CLOSE, "ceil"},
    {"\\lfloor", WORD_OPEN, "floor"},
    {"\\rfloor", WORD_CLOSE, "floor"},
    {"\\cdot", WORD_SIGN, "*"},
    {"\\times", WORD_SIGN, "*"},
    {"\\le", WORD_SIGN, "<="},
    {"\\ge", WORD_SIGN, ">="},
    {"\\frac", WORD_FRACTION, ""},
    {"\\dfrac", WORD_FRACTION, ""},
    {"\\tfrac", WORD_FRACTION, ""},
    {"\\Theta", WORD_ORDER, "O"},
    {"\\{", WORD_OPEN, ""},
    {"\\}", WORD_CLOSE, ""},
    {"[", WORD_OPEN, ""},
    {"]", WORD_CLOSE, ""},
    {"{", WORD_OPEN, ""},
    {"}", WORD_CLOSE, ""},
    {"_", WORD_BASE, ""},
    {",", WORD_SIGN, ","},
    {"?", WORD_SIGN, "?"},
    {":", WORD_SIGN, ":"},
    {"(", WORD_OPEN, "("},
    {")", WORD_CLOSE, ")"},
};

// What papers write to set spaces, sizes and type.
static const char *const layout[] = {
    " ",      "~",       "$",     "\\,",   "\\;",    "\\:",    "\\!",    "\\ ",    "\\quad",
    "\\left", "\\right", "\\big", "\\Big", "\\bigl", "\\bigr", "\\Bigl", "\\Bigr", "\\displaystyle"};
// What they write to set the type of the name in braces that follows.
static const char *const types[] = {"\\mathrm", "\\mathcal", "\\mathit", "\\text", "\\operatorname"};

// Returns the length of `text` if the formula has it at `at`, else 0. A command of LaTeX ends where its letters do.
static int length_at(const char *at, const char *text)
{
    const size_t n = strlen(text);
    if (strncmp(at, text, n) != 0 ||
        (*text == '\\' && g_ascii_isalpha((guchar)text[1]) && g_ascii_isalpha((guchar)at[n])))
        return 0;
    return (int)n;
}

static gboolean add(FormulaText *r, FormulaWord word, int at, int n)
{
    word.at = word.step.at = at;
    word.length = word.step.length = n;
    g_array_append_val(r->words, word);
    return TRUE;
}

static gboolean unknown_name(const FormulaText *r, int at, int n)
{
    g_autofree char *names = g_strjoinv(", ", (char **)r->names), *word = g_strndup(r->text + at, (gsize)n);
    g_autoptr(GString) calls = g_string_new(NULL);
    g_autoptr(GPtrArray) known = g_ptr_array_new(); // what the word may be a slip of
    const char *next = r->text + at + n;
    const gboolean called = next[strspn(next, " ")] == '(';
    for (int i = 0; r->names[i]; i++)
        g_ptr_array_add(known, (char *)r->names[i]);
    g_ptr_array_add(known, FORMULA_NEVER);
    for (int i = 0; i < n_functions; i++) {
        g_string_append_printf(calls, "%s%s", i ? ", " : "", functions[i].name);
        if (called)
            g_ptr_array_add(known, (char *)functions[i].name);
    }
    g_ptr_array_add(known, NULL);
    g_autofree char *hint = nearest_hint(word, (const char *const *)known->pdata);
    return formula_refuse(r, at, "'%s' is not known%sallowed: %s%snever, and the functions %s", word, hint, names,
                          *names ? ", " : "", calls->str);
}

// ---- Names ---------------------------------------------------------------------------------------------------------

static gboolean same_name(const char *name, const char *at, int n)
{
    return strncmp(name, at, (size_t)n) == 0 && name[n] == '\0';
}

// Sets the word if the n characters at `at` are the name of a variable, a constant or a function. A variable hides a
// function.
static gboolean find_name(FormulaText *r, const char *at, int n, FormulaWord *word)
{
    for (int i = 0; r->names[i]; i++)
        if (same_name(r->names[i], at, n)) {
            *word = (FormulaWord){.kind = WORD_VALUE, .step = {.doing = DO_VARIABLE, .n = i}};
            return TRUE;
        }
    if (same_name(FORMULA_NEVER, at, n)) {
        *word = (FormulaWord){.kind = WORD_VALUE, .step = {.doing = DO_NUMBER, .value = INFINITY}};
        return TRUE;
    }
    const gboolean lg = same_name("lg", at, n) && formula_papers(r);
    const Function *f = lg ? function_find("log", 3) : function_find(at, n);
    *word = (FormulaWord){.kind = WORD_CALL, .step.function = f};
    return f != NULL;
}

// Returns the length of the longest name that begins at `at` and has at most n characters, and sets its word; 0 if there
// is none.
static int longest_name(FormulaText *r, const char *at, int n, FormulaWord *word)
{
    for (int length = MIN(n, FORMULA_LONGEST_NAME); length > 0; length--)
        if (find_name(r, at, length, word))
            return length;
    return 0;
}

int formula_name_length(const char *at)
{
    int n = 0;
    while (g_ascii_isalpha(at[n]) || at[n] == '_' || (n > 0 && g_ascii_isdigit(at[n])))
        n++;
    return n;
}

// Costs that have other names in papers: Greek letters, and "t_s" and "t_w" as Grama and others write them.
static const struct {
    const char *paper, *text;
} costs[] = {{"α", "alpha"},     {"β", "beta"},   {"γ", "gamma"},   {"t_s", "alpha"},
             {"t_{s}", "alpha"}, {"t_w", "beta"}, {"t_{w}", "beta"}};

// Returns the length of such a name at `at`, and sets its word; 0 if there is none.
static int cost_at(FormulaText *r, const char *at, FormulaWord *word)
{
    for (size_t i = 0; i < G_N_ELEMENTS(costs); i++) {
        const int n = length_at(at, costs[i].paper);
        if (n > 0 && !g_strv_contains(r->names, costs[i].paper))
            return find_name(r, costs[i].text, (int)strlen(costs[i].text), word) && formula_papers(r) ? n : 0;
    }
    return 0;
}

// Reads letters, digits and _: one name or, in papers, several without a space between them.
static gboolean read_letters(FormulaText *r, int *at)
{
    const char *begin = r->text + *at;
    FormulaWord word;
    int n = formula_name_length(begin);
    if (find_name(r, begin, n, &word)) {
        *at += n;
        return add(r, word, *at - n, n);
    }
    if (!formula_papers(r))
        return unknown_name(r, *at, n);
    if ((n == 1 && *begin == 'O') || (n == 5 && strncmp(begin, "Theta", 5) == 0)) {
        *at += n;
        return add(r, (FormulaWord){.kind = WORD_ORDER}, *at - n, n);
    }
    for (int done = 0, length; done < n; done += length) {
        // The _ of log_2, and the number after it, are words of their own.
        const WordKind last =
            r->words->len > 0 ? g_array_index(r->words, FormulaWord, r->words->len - 1).kind : WORD_END;
        if ((length = cost_at(r, begin + done, &word)) > 0) {
            n = MAX(n, done + length); // the brackets of t_{s} are not letters
        } else if (last == WORD_BASE && g_ascii_isdigit(begin[done])) {
            length = (int)strspn(begin + done, "0123456789");
            word = (FormulaWord){.kind = WORD_VALUE, .step.value = g_ascii_strtod(begin + done, NULL)};
        } else if (begin[done] == '_' && done > 0 && last == WORD_CALL) {
            length = 1;
            word = (FormulaWord){.kind = WORD_BASE};
        } else {
            length = longest_name(r, begin + done, n - done, &word);
            if (length == 0 || (done == 0 && word.kind == WORD_VALUE && strchr("_0123456789", begin[length])))
                return unknown_name(r, *at + done, n - done);
        }
        add(r, word, *at + done, length);
    }
    *at += n;
    return TRUE;
}

// ---- Other words ---------------------------------------------------------------------------------------------------

// Reads the arguments of \frac that are one letter or digit each, as in \frac n2; those in braces are read as any others.
static gboolean read_fraction(FormulaText *r, int *at)
{
    for (int i = 0; i < 2; i++) {
        *at += (int)strspn(r->text + *at, " ");
        const char *here = r->text + *at;
        FormulaWord word = {.kind = WORD_VALUE, .step.value = g_ascii_digit_value(*here)};
        if (!g_ascii_isalnum(*here))
            return TRUE;
        if (!g_ascii_isdigit(*here) && !find_name(r, here, 1, &word))
            return formula_refuse(r, *at, "'%c' is not known; allowed: a letter that is, a digit, or braces", *here);
        add(r, word, (*at)++, 1);
    }
    return TRUE;
}

// Returns the length of the number at `at`; 0 if there is none.
static int number_length(const char *at)
{
    const char *end = at + strspn(at, "0123456789");
    if (*end == '.')
        end += 1 + strspn(end + 1, "0123456789");
    if (end == at + 1 && *at == '.')
        return 0;
    if (end > at && (*end == 'e' || *end == 'E')) {
        const char *power = end + 1 + (end[1] == '+' || end[1] == '-');
        if (g_ascii_isdigit(*power))
            end = power + strspn(power, "0123456789");
    }
    return (int)(end - at);
}

static gboolean read_number(FormulaText *r, int *at, int n)
{
    const double value = g_ascii_strtod(r->text + *at, NULL);
    if (!isfinite(value))
        return formula_refuse(r, *at, "%.*s is too large; allowed: at most 1.79e308, the largest double", n,
                              r->text + *at);
    *at += n;
    return add(r, (FormulaWord){.kind = WORD_VALUE, .step.value = value}, *at - n, n);
}

static gboolean read_operator(FormulaText *r, int *at)
{
    for (int i = 0; i < n_formula_operators; i++) {
        const int n = length_at(r->text + *at, formula_operators[i].text);
        if (n > 0) {
            *at += n;
            return add(r, (FormulaWord){.kind = WORD_SIGN, .sign = formula_operators[i].text}, *at - n, n);
        }
    }
    return FALSE;
}

static gboolean read_spelling(FormulaText *r, int *at)
{
    for (size_t i = 0; i < G_N_ELEMENTS(spellings); i++) {
        const char *written = spellings[i].written, *sign = spellings[i].sign;
        const int n = length_at(r->text + *at, written);
        if (n > 0 && (strcmp(written, sign) == 0 || formula_papers(r))) {
            const FormulaWord word = {spellings[i].kind, .sign = sign,
                                      .step.function = function_find(sign, (int)strlen(sign))};
            *at += n;
            return add(r, word, *at - n, n);
        }
    }
    return FALSE;
}

// Skips what sets spaces and type. A name in type is read. Returns FALSE and no error if there is nothing of the kind.
static gboolean read_layout(FormulaText *r, int *at)
{
    const char *here = r->text + *at;
    for (size_t i = 0; i < G_N_ELEMENTS(layout); i++) {
        const int n = length_at(here, layout[i]);
        if (n > 0 && (*here == ' ' || formula_papers(r))) {
            *at += n;
            return TRUE;
        }
    }
    for (size_t i = 0; i < G_N_ELEMENTS(types); i++) {
        const int n = length_at(here, types[i]);
        const char *end = n > 0 && here[n] == '{' ? strchr(here, '}') : NULL;
        if (end && g_ascii_isalpha(here[n + 1]) && formula_papers(r)) {
            *at += n + 1;
            return read_letters(r, at) &&
                   (*at == end - r->text || formula_refuse(r, *at, "'}' must follow the name")) && ++*at;
        }
    }
    return FALSE;
}

static gboolean has_no_meaning(const FormulaText *r, int at)
{
    const char *here = r->text + at;
    if (r->strict && (*here < ' ' || *here > '~'))
        return formula_refuse(r, at, "a character has no meaning in a formula; allowed: printable ASCII characters");
    if (*here == '=')
        return formula_refuse(r, at, "'=' is not an operator; allowed: == to compare");
    if (*here == '"')
        return formula_refuse(r, at, "a formula cannot contain text in quotes");
    return formula_refuse(r, at,
                          "'%.*s' has no meaning in a formula; allowed: + - * / ^ ( ) , < <= > >= == != && || ? :",
                          (int)(g_utf8_find_next_char(here, NULL) - here), here);
}

static gboolean read_word(FormulaText *r, int *at)
{
    const char *here = r->text + *at;
    const int n = number_length(here), before = (int)r->words->len;
    if (read_layout(r, at))
        return TRUE;
    if (*r->error)
        return FALSE;
    if (!r->strict && (length_at(here, "\\Omega") || length_at(here, "Ω") || length_at(here, "Omega(")))
        return formula_refuse(
            r, *at, "Omega(..) is a lower bound, which is not judged here; allowed: O(..), Theta(..) or the cost");
    if (n > 0)
        return read_number(r, at, n);
    if (read_operator(r, at))
        return TRUE;
    FormulaWord word;
    const int cost = cost_at(r, here, &word);
    if (cost > 0 && formula_name_length(here) == 0) {
        *at += cost;
        return add(r, word, *at - cost, cost);
    }
    if (g_ascii_isalpha(*here) || (*here == '_' && (r->strict || find_name(r, here, formula_name_length(here), &word))))
        return read_letters(r, at);
    if (read_spelling(r, at))
        return g_array_index(r->words, FormulaWord, before).kind != WORD_FRACTION || read_fraction(r, at);
    if (*here == '\\' && g_ascii_isalpha(here[1]) && formula_papers(r))
        return ++*at, read_letters(r, at);
    return has_no_meaning(r, *at);
}

// Returns where the formula begins: behind "T =", "T(p, n) =" or "T_{bcast} =", which papers write before it, or 0.
static int formula_begin(FormulaText *r)
{
    const char *at = r->text + strspn(r->text, " $");
    if (*at != 'T' && *at != 't')
        return 0;
    at += strcspn(at, "=<>!+*/^");
    return at[0] == '=' && at[1] != '=' && formula_papers(r) ? (int)(at + 1 - r->text) : 0;
}

gboolean formula_words(FormulaText *r)
{
    const int n = (int)strlen(r->text);
    if (n > FORMULA_LONGEST)
        return formula_refuse(r, FORMULA_LONGEST, "the formula is too long; allowed: at most %d characters",
                              FORMULA_LONGEST);
    const char *invalid;
    if (!r->strict && !g_utf8_validate(r->text, -1, &invalid))
        return formula_refuse(r, (int)(invalid - r->text), "the text is not UTF-8");
    int at = formula_begin(r);
    if (!r->text[strspn(r->text, " ")])
        return formula_refuse(r, 0, "the formula is empty");
    while (r->text[at])
        if (!read_word(r, &at))
            return FALSE;
    return add(r, (FormulaWord){.kind = WORD_END}, n, 0);
}

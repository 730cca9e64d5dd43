#include "judge/audit/notation_words.h"
#include "base/error.h"
#include "base/functions.h"
#include <string.h>

enum { LONGEST = 4000 };

// A formula that is being read.
typedef struct PaperText {
    const char *what, *text;
    const char *const *names;
    GArray *words; // PaperWord, those that have been read
    GError **error;
} PaperText;

gboolean notation_refuse(const char *what, size_t at, GError **error, const char *format, va_list args)
{
    g_autofree char *why = g_strdup_vprintf(format, args);
    return bad_input(error, "%s: column %zu: %s", what, at + 1, why);
}

static gboolean G_GNUC_PRINTF(3, 4) refuse_word(const PaperText *r, size_t at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    notation_refuse(r->what, at, r->error, format, args);
    va_end(args);
    return FALSE;
}

// What is written in one way in papers, and in another one in an Expression.
static const struct {
    const char *paper;
    PaperKind kind;
    const char *text;
} spellings[] = {
    {"α", WORD_VARIABLE, "alpha"},
    {"β", WORD_VARIABLE, "beta"},
    {"γ", WORD_VARIABLE, "gamma"},
    {"⌈", WORD_OPEN, "ceil("},
    {"⌉", WORD_CLOSE, "ceil"},
    {"⌊", WORD_OPEN, "floor("},
    {"⌋", WORD_CLOSE, "floor"},
    {"·", WORD_SIGN, "*"},
    {"×", WORD_SIGN, "*"},
    {"−", WORD_SIGN, "-"},
    {"≤", WORD_SIGN, "<="},
    {"≥", WORD_SIGN, ">="},
    {"Θ", WORD_ORDER, "O"},
    {"\\lceil", WORD_OPEN, "ceil("},
    {"\\rceil", WORD_CLOSE, "ceil"},
    {"\\lfloor", WORD_OPEN, "floor("},
    {"\\rfloor", WORD_CLOSE, "floor"},
    {"\\cdot", WORD_SIGN, "*"},
    {"\\times", WORD_SIGN, "*"},
    {"\\le", WORD_SIGN, "<="},
    {"\\ge", WORD_SIGN, ">="},
    {"\\frac", WORD_FRACTION, ""},
    {"\\dfrac", WORD_FRACTION, ""},
    {"\\tfrac", WORD_FRACTION, ""},
    {"\\Theta", WORD_ORDER, "O"},
    {"\\{", WORD_OPEN, "("},
    {"\\}", WORD_CLOSE, ")"},
    {"<=", WORD_SIGN, "<="},
    {">=", WORD_SIGN, ">="},
    {"==", WORD_SIGN, "=="},
    {"!=", WORD_SIGN, "!="},
    {"&&", WORD_SIGN, "&&"},
    {"||", WORD_SIGN, "||"},
    {"<", WORD_SIGN, "<"},
    {">", WORD_SIGN, ">"},
    {"+", WORD_SIGN, "+"},
    {"-", WORD_SIGN, "-"},
    {"*", WORD_SIGN, "*"},
    {"/", WORD_SIGN, "/"},
    {"^", WORD_SIGN, "^"},
    {",", WORD_SIGN, ","},
    {"?", WORD_SIGN, "?"},
    {":", WORD_SIGN, ":"},
    {"(", WORD_OPEN, "("},
    {"[", WORD_OPEN, "("},
    {"{", WORD_OPEN, "("},
    {")", WORD_CLOSE, ")"},
    {"]", WORD_CLOSE, ")"},
    {"}", WORD_CLOSE, ")"},
    {"_", WORD_BASE, ""},
};

// What papers write to set spaces, sizes and type.
static const char *const layout[] = {
    " ",      "~",       "$",     "\\,",   "\\;",    "\\:",    "\\!",    "\\ ",    "\\quad",
    "\\left", "\\right", "\\big", "\\Big", "\\bigl", "\\bigr", "\\Bigl", "\\Bigr", "\\displaystyle"};
// What they write to set the type of the name in braces that follows.
static const char *const types[] = {"\\mathrm", "\\mathcal", "\\mathit", "\\text", "\\operatorname"};

// Returns the length of `text` if the formula has it at `at`, else 0. A command of LaTeX ends where its letters do.
static size_t length_at(const char *at, const char *text)
{
    const size_t n = strlen(text);
    if (strncmp(at, text, n) != 0 || (*text == '\\' && g_ascii_isalpha(text[1]) && g_ascii_isalpha(at[n])))
        return 0;
    return n;
}

static void add(PaperText *r, PaperKind kind, const char *text, size_t n, size_t at)
{
    const PaperWord word = {kind, g_strndup(text, n), at};
    g_array_append_val(r->words, word);
}

static void clear_word(void *word)
{
    g_free(((PaperWord *)word)->text);
}

// Costs as Grama and others write them: "t_s" is alpha and "t_w" is beta, unless a variable has this name.
static const struct {
    const char *paper, *text;
} subscripts[] = {{"t_s", "alpha"}, {"t_{s}", "alpha"}, {"t_w", "beta"}, {"t_{w}", "beta"}};

// Returns the name of the cost that is written at `at`, and sets *length to that of what is written; NULL if there is none.
static const char *subscript_at(const PaperText *r, const char *at, size_t *length)
{
    for (size_t i = 0; i < G_N_ELEMENTS(subscripts); i++)
        if ((*length = length_at(at, subscripts[i].paper)) > 0)
            return g_strv_contains(r->names, subscripts[i].paper) ? NULL : subscripts[i].text;
    return NULL;
}

// Returns the length of the longest name of a variable or function that begins at `at` and has at most n characters,
// and its kind; 0 if there is none.
static size_t known_at(const PaperText *r, const char *at, size_t n, PaperKind *kind)
{
    static const char *const logarithms[] = {"log", "lg"};
    size_t longest = 0;
    for (const char *const *name = r->names; *name; name++)
        if (strlen(*name) <= n && strlen(*name) > longest && strncmp(*name, at, strlen(*name)) == 0) {
            longest = strlen(*name);
            *kind = WORD_VARIABLE;
        }
    for (size_t length = n; length > longest; length--) {
        gboolean is = function_find(at, (int)length) != NULL;
        for (size_t i = 0; i < G_N_ELEMENTS(logarithms); i++)
            is |= strlen(logarithms[i]) == length && strncmp(at, logarithms[i], length) == 0;
        if (is) {
            *kind = WORD_CALL;
            return length;
        }
    }
    return longest;
}

// Reads letters, digits and _ that begin with a letter: one name, or several without a space between them.
static gboolean read_letters(PaperText *r, size_t *at)
{
    const char *begin = r->text + *at;
    size_t n = 0;
    while (g_ascii_isalnum(begin[n]) || begin[n] == '_')
        n++;
    PaperKind kind = WORD_VARIABLE;
    if ((n == 1 && *begin == 'O') || (n == 5 && strncmp(begin, "Theta", n) == 0)) {
        add(r, WORD_ORDER, "O", 1, *at);
        *at += n;
        return TRUE;
    }
    for (size_t done = 0; done < n;) {
        size_t subscripted;
        const char *cost = subscript_at(r, begin + done, &subscripted);
        if (cost) {
            add(r, WORD_VARIABLE, cost, strlen(cost), *at + done);
            done += subscripted;
            n = MAX(n, done); // the brackets of t_{s} are no letters
            continue;
        }
        // The _ of log_2, and the number after it, are words of their own.
        const gboolean base =
            r->words->len > 0 && g_array_index(r->words, PaperWord, r->words->len - 1).kind == WORD_BASE;
        size_t length = known_at(r, begin + done, n - done, &kind);
        if (base && g_ascii_isdigit(begin[done])) {
            length = strspn(begin + done, "0123456789");
            kind = WORD_NUMBER;
        } else if (begin[done] == '_' && done > 0 && kind == WORD_CALL) {
            length = 1;
            kind = WORD_BASE;
        } else if (length == 0 ||
                   (done == 0 && length < n && kind == WORD_VARIABLE && strchr("_0123456789", begin[length]))) {
            g_autofree char *names = g_strjoinv(", ", (char **)r->names);
            return refuse_word(r, *at + done, "'%.*s' is not known; allowed: %s%sand functions such as log",
                               (int)(n - done), begin + done, names, *names ? ", " : "");
        }
        add(r, kind, begin + done, length, *at + done);
        done += length;
    }
    *at += n;
    return TRUE;
}

// Reads the arguments of \frac that are one letter or digit each, as in \frac n2; those in braces are read as any others.
static gboolean read_fraction(PaperText *r, size_t *at)
{
    for (int i = 0; i < 2; i++) {
        while (r->text[*at] == ' ')
            ++*at;
        const char *here = r->text + *at;
        PaperKind kind = WORD_NUMBER;
        if (!g_ascii_isalnum(*here))
            return TRUE;
        if (!g_ascii_isdigit(*here) && known_at(r, here, 1, &kind) == 0)
            return refuse_word(r, *at, "'%c' is not known; allowed: a letter that is, a digit, or braces", *here);
        add(r, kind, here, 1, *at);
        ++*at;
    }
    return TRUE;
}

static size_t number_length(const char *at)
{
    size_t n = strspn(at, "0123456789");
    if (at[n] == '.')
        n += 1 + strspn(at + n + 1, "0123456789");
    const size_t sign = (at[n] == 'e' || at[n] == 'E') && (at[n + 1] == '+' || at[n + 1] == '-') ? 2 : 1;
    if ((at[n] == 'e' || at[n] == 'E') && g_ascii_isdigit(at[n + sign]))
        n += sign + strspn(at + n + sign, "0123456789");
    return n;
}

static gboolean read_word(PaperText *r, size_t *at)
{
    const char *here = r->text + *at;
    for (size_t i = 0; i < G_N_ELEMENTS(layout); i++) {
        const size_t n = length_at(here, layout[i]);
        if (n > 0) {
            *at += n;
            return TRUE;
        }
    }
    for (size_t i = 0; i < G_N_ELEMENTS(types); i++) {
        const size_t n = length_at(here, types[i]);
        const char *end = n > 0 && here[n] == '{' ? strchr(here, '}') : NULL;
        if (end && g_ascii_isalpha(here[n + 1])) {
            *at += n + 1;
            if (!read_letters(r, at))
                return FALSE;
            if (r->text + *at != end)
                return refuse_word(r, *at, "'}' must follow the name");
            ++*at;
            return TRUE;
        }
    }
    if (length_at(here, "\\Omega") || length_at(here, "Ω") || length_at(here, "Omega("))
        return refuse_word(
            r, *at, "Omega(..) is a lower bound, which is not judged here; allowed: O(..), Theta(..) or the cost");
    for (size_t i = 0; i < G_N_ELEMENTS(spellings); i++) {
        const size_t n = length_at(here, spellings[i].paper);
        if (n > 0) {
            add(r, spellings[i].kind, spellings[i].text, strlen(spellings[i].text), *at);
            *at += n;
            return spellings[i].kind != WORD_FRACTION || read_fraction(r, at);
        }
    }
    if (g_ascii_isdigit(*here) || (*here == '.' && g_ascii_isdigit(here[1]))) {
        const size_t n = number_length(here);
        add(r, WORD_NUMBER, here, n, *at);
        *at += n;
        return TRUE;
    }
    if (*here == '\\' && g_ascii_isalpha(here[1]))
        return ++*at, read_letters(r, at);
    if (g_ascii_isalpha(*here))
        return read_letters(r, at);
    const char *end = g_utf8_find_next_char(here, NULL);
    return refuse_word(r, *at, "'%.*s' has no meaning in a formula; allowed: names, numbers, + - * / ^ and brackets",
                       (int)(end - here), here);
}

static gboolean read_words(PaperText *r)
{
    if (strlen(r->text) > LONGEST)
        return refuse_word(r, LONGEST, "the formula is too long; allowed: at most %d bytes", LONGEST);
    const char *invalid;
    if (!g_utf8_validate(r->text, -1, &invalid))
        return refuse_word(r, (size_t)(invalid - r->text), "the text is not UTF-8");
    for (size_t at = notation_begin(r->text); r->text[at];)
        if (!read_word(r, &at))
            return FALSE;
    add(r, WORD_END, "", 0, strlen(r->text));
    return TRUE;
}

size_t notation_begin(const char *text)
{
    const char *at = text + strspn(text, " $");
    if (*at != 'T' && *at != 't')
        return 0;
    at += strcspn(at, "=<>!+*/^");
    return at[0] == '=' && at[1] != '=' ? (size_t)(at + 1 - text) : 0;
}

GArray *notation_words(const char *what, const char *text, const char *const *names, GError **error)
{
    g_autoptr(GArray) words = g_array_new(FALSE, FALSE, sizeof(PaperWord));
    g_array_set_clear_func(words, clear_word);
    PaperText r = {what, text, names, words, error};
    return read_words(&r) ? g_steal_pointer(&words) : NULL;
}

#include "audit/notation.h"
#include "base/error.h"
#include "base/functions.h"
#include <string.h>

enum { LONGEST = 4000, DEEPEST = 100, MOST_CHOICES = 5 };

// ---- Words ----------------------------------------------------------------------------------------------------------

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

typedef struct Paper {
    const char *what, *text;
    const char *const *names;
    GArray *words; // PaperWord
    guint next;
    int depth;
    guint choices, chosen; // places with two readings so far; bit i is set if the second reading of place i is taken
    GError **error;
} Paper;

static gboolean G_GNUC_PRINTF(3, 4) refuse(const Paper *r, size_t at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *why = g_strdup_vprintf(format, args);
    va_end(args);
    return bad_input(r->error, "%s: column %zu: %s", r->what, at + 1, why);
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

static void add(Paper *r, PaperKind kind, const char *text, size_t n, size_t at)
{
    const PaperWord word = {kind, g_strndup(text, n), at};
    g_array_append_val(r->words, word);
}

static void clear_word(void *word)
{
    g_free(((PaperWord *)word)->text);
}

// Returns the length of the longest name of a variable or function that begins at `at` and has at most n characters,
// and its kind; 0 if there is none.
static size_t known_at(const Paper *r, const char *at, size_t n, PaperKind *kind)
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
static gboolean read_letters(Paper *r, size_t *at)
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
            return refuse(r, *at + done, "'%.*s' is not known; allowed: %s%sand functions such as log", (int)(n - done),
                          begin + done, names, *names ? ", " : "");
        }
        add(r, kind, begin + done, length, *at + done);
        done += length;
    }
    *at += n;
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

static gboolean read_word(Paper *r, size_t *at)
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
                return refuse(r, *at, "'}' must follow the name");
            ++*at;
            return TRUE;
        }
    }
    for (size_t i = 0; i < G_N_ELEMENTS(spellings); i++) {
        const size_t n = length_at(here, spellings[i].paper);
        if (n > 0) {
            add(r, spellings[i].kind, spellings[i].text, strlen(spellings[i].text), *at);
            *at += n;
            return TRUE;
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
    return refuse(r, *at, "'%.*s' has no meaning in a formula; allowed: names, numbers, + - * / ^ and brackets",
                  (int)(end - here), here);
}

static gboolean read_words(Paper *r)
{
    if (strlen(r->text) > LONGEST)
        return refuse(r, LONGEST, "the formula is too long; allowed: at most %d bytes", LONGEST);
    const char *invalid;
    if (!g_utf8_validate(r->text, -1, &invalid))
        return refuse(r, (size_t)(invalid - r->text), "the text is not UTF-8");
    for (size_t at = 0; r->text[at];)
        if (!read_word(r, &at))
            return FALSE;
    add(r, WORD_END, "", 0, strlen(r->text));
    return TRUE;
}

// ---- Formulas -------------------------------------------------------------------------------------------------------

// How tightly the outermost operator of a piece binds, the loosest first.
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
    BIND_VALUE
} Binding;

// A part of the formula as text of an Expression. The text is NULL if it could not be read.
typedef struct Piece {
    char *text;
    Binding binding;
} Piece;
static const Piece unread = {NULL, BIND_VALUE};

static Piece piece_of(char *text, Binding binding)
{
    return (Piece){text, binding};
}

// Returns a piece that binds as tightly as asked for, with brackets if needed. Takes `x` over.
static Piece bound(Piece x, Binding binding)
{
    if (!x.text || x.binding >= binding)
        return x;
    char *text = g_strdup_printf("(%s)", x.text);
    g_free(x.text);
    return piece_of(text, BIND_VALUE);
}

// Joins two pieces by an operator. Takes both over; the result is unread if one of them is.
static Piece joined(Piece x, const char *sign, Piece y, Binding binding, Binding left, Binding right)
{
    x = bound(x, left);
    y = bound(y, right);
    char *text = x.text && y.text ? g_strconcat(x.text, sign, y.text, NULL) : NULL;
    g_free(x.text);
    g_free(y.text);
    return piece_of(text, binding);
}

static Piece product_of(Piece x, Piece y)
{
    return joined(x, "*", y, BIND_PRODUCT, BIND_PRODUCT, BIND_MINUS);
}

static const PaperWord *peek(const Paper *r)
{
    return &g_array_index(r->words, PaperWord, r->next);
}

static gboolean at_sign(const Paper *r, const char *sign)
{
    return peek(r)->kind == WORD_SIGN && strcmp(peek(r)->text, sign) == 0;
}

static gboolean take_sign(Paper *r, const char *sign)
{
    const gboolean is = at_sign(r, sign);
    r->next += is ? 1 : 0;
    return is;
}

static Piece misplaced(const Paper *r)
{
    const PaperWord *word = peek(r);
    if (word->kind == WORD_END)
        refuse(r, word->at, "a value is missing at the end");
    else if (word->kind == WORD_ORDER)
        refuse(r, word->at, "O(..) is allowed only around the whole formula");
    else
        refuse(r, word->at, "'%.*s' cannot stand here; allowed: a value",
               (int)(g_utf8_find_next_char(r->text + word->at, NULL) - (r->text + word->at)), r->text + word->at);
    return unread;
}

// Returns true if the second of two readings is to be taken at this place.
static gboolean second(Paper *r)
{
    return r->chosen >> r->choices++ & 1;
}

static Piece read_formula(Paper *r);
static Piece read_power(Paper *r);

// Returns true if the next word begins a value, so that a value before it is multiplied by it.
static gboolean at_value(const Paper *r)
{
    const PaperKind kind = peek(r)->kind;
    return kind == WORD_NUMBER || kind == WORD_VARIABLE || kind == WORD_CALL || kind == WORD_OPEN ||
           kind == WORD_FRACTION;
}

// Reads what stands in brackets, and the closing one.
static Piece read_brackets(Paper *r, GPtrArray *arguments)
{
    const PaperWord *open = peek(r);
    if (open->kind != WORD_OPEN)
        return misplaced(r);
    if (r->depth == DEEPEST)
        return refuse(r, open->at, "the brackets are nested too deeply; allowed: at most %d levels", DEEPEST), unread;
    r->depth++;
    r->next++;
    const gboolean round = *open->text == '(';
    Piece x = read_formula(r);
    while (x.text && arguments && take_sign(r, ",")) {
        g_ptr_array_add(arguments, x.text);
        x = read_formula(r);
    }
    r->depth--;
    if (!x.text)
        return unread;
    const PaperWord *close = peek(r);
    const size_t same = round ? 0 : strlen(open->text) - 1;
    if (close->kind != WORD_CLOSE ||
        (round ? strcmp(close->text, ")") != 0 : strncmp(close->text, open->text, same) != 0)) {
        g_free(x.text);
        return refuse(r, close->at, "the bracket of column %zu is not closed here", open->at + 1), unread;
    }
    r->next++;
    if (round)
        return x;
    char *text = g_strconcat(open->text, x.text, ")", NULL);
    g_free(x.text);
    return piece_of(text, BIND_VALUE);
}

// Returns the call of a function of a piece; `base` is that of a logarithm, or NULL. Takes `x` over.
static Piece call_of(const char *name, const char *base, Piece x)
{
    if (!x.text)
        return unread;
    const gboolean logarithm = strcmp(name, "log") == 0 || strcmp(name, "lg") == 0;
    char *text = logarithm && base && strcmp(base, "2") != 0
                     ? g_strdup_printf("log(%s, %s)", x.text, base)
                     : g_strdup_printf("%s(%s)", logarithm ? "log2" : name, x.text);
    g_free(x.text);
    return piece_of(text, BIND_VALUE);
}

// Reads an argument that has no brackets, and what may belong to it or not: a power, a divisor, factors. Returns the
// call, multiplied by what does not belong to the argument.
static Piece read_bare(Paper *r, const char *name, const char *base)
{
    const PaperWord *word = peek(r);
    if (word->kind != WORD_NUMBER && word->kind != WORD_VARIABLE && word->kind != WORD_FRACTION &&
        word->kind != WORD_OPEN)
        return misplaced(r);
    Piece x = unread;
    if (word->kind == WORD_OPEN) { // \lceil .. \rceil
        x = read_brackets(r, NULL);
    } else if (word->kind == WORD_FRACTION) {
        x = read_power(r);
    } else {
        r->next++;
        x = piece_of(g_strdup(word->text), BIND_VALUE);
    }
    if (x.text && take_sign(r, "^")) {
        const gboolean inside = second(r);
        Piece power = at_sign(r, "-") ? misplaced(r) : read_power(r);
        if (inside)
            return call_of(name, base, joined(x, "^", power, BIND_POWER, BIND_VALUE, BIND_VALUE));
        return joined(call_of(name, base, x), "^", power, BIND_POWER, BIND_VALUE, BIND_VALUE);
    }
    if (x.text && at_sign(r, "/") && second(r)) {
        r->next++;
        return call_of(name, base, joined(x, "/", read_power(r), BIND_PRODUCT, BIND_PRODUCT, BIND_POWER));
    }
    while (x.text && at_value(r) && peek(r)->kind != WORD_CALL && second(r))
        x = product_of(x, read_power(r));
    return call_of(name, base, x);
}

// Reads a function with its argument or arguments.
static Piece read_call(Paper *r)
{
    const char *name = peek(r)->text;
    g_autofree char *base = NULL, *power = NULL;
    r->next++;
    for (gboolean more = TRUE; more;) {
        more = FALSE;
        if (!base && peek(r)->kind == WORD_BASE) {
            r->next++;
            const PaperWord *word = peek(r);
            const gboolean one = word->kind == WORD_NUMBER || word->kind == WORD_VARIABLE;
            r->next += one ? 1 : 0;
            base = one ? g_strdup(word->text) : read_brackets(r, NULL).text;
            if (!base)
                return unread;
            more = TRUE;
        } else if (!power && take_sign(r, "^")) {
            power = bound(read_power(r), BIND_VALUE).text;
            if (!power)
                return unread;
            more = TRUE;
        }
    }
    const gboolean logarithm = strcmp(name, "log") == 0 || strcmp(name, "lg") == 0;
    if (base && !logarithm)
        return refuse(r, peek(r)->at, "%s has no base; allowed: log", name), unread;
    Piece x = unread;
    if (peek(r)->kind == WORD_OPEN && *peek(r)->text == '(') {
        g_autoptr(GPtrArray) others = g_ptr_array_new_with_free_func(g_free);
        const Piece last = read_brackets(r, others);
        g_autofree char *text = last.text;
        if (text && others->len > 0) {
            g_ptr_array_add(others, g_steal_pointer(&text));
            g_ptr_array_add(others, NULL);
            g_autofree char *list = g_strjoinv(", ", (char **)others->pdata);
            x = piece_of(g_strdup_printf("%s(%s)", name, list), BIND_VALUE);
        } else {
            x = call_of(name, base, piece_of(g_steal_pointer(&text), last.binding));
        }
    } else {
        x = read_bare(r, name, base);
    }
    return power ? joined(x, "^", piece_of(g_steal_pointer(&power), BIND_VALUE), BIND_POWER, BIND_VALUE, BIND_VALUE)
                 : x;
}

static Piece read_value(Paper *r)
{
    const PaperWord *word = peek(r);
    switch (word->kind) {
    case WORD_NUMBER:
    case WORD_VARIABLE:
        r->next++;
        return piece_of(g_strdup(word->text), BIND_VALUE);
    case WORD_CALL:
        return read_call(r);
    case WORD_OPEN:
        return read_brackets(r, NULL);
    case WORD_FRACTION: {
        r->next++;
        const Piece over = read_brackets(r, NULL);
        if (!over.text)
            return unread;
        return joined(over, "/", read_brackets(r, NULL), BIND_PRODUCT, BIND_PRODUCT, BIND_POWER);
    }
    default:
        return misplaced(r);
    }
}

// Reads a value and the powers that follow it.
static Piece read_power(Paper *r)
{
    if (r->depth == DEEPEST)
        return refuse(r, peek(r)->at, "the formula is nested too deeply; allowed: at most %d levels", DEEPEST), unread;
    r->depth++;
    Piece x = read_value(r);
    if (x.text && take_sign(r, "^")) {
        const gboolean minus = take_sign(r, "-");
        Piece y = bound(read_power(r), BIND_VALUE);
        if (minus && y.text)
            y = joined(piece_of(g_strdup(""), BIND_VALUE), "-", y, BIND_MINUS, BIND_VALUE, BIND_VALUE);
        x = joined(x, "^", y, BIND_POWER, BIND_VALUE, BIND_VALUE);
    }
    r->depth--;
    return x;
}

static Piece read_signed(Paper *r)
{
    if (take_sign(r, "+"))
        return read_power(r);
    if (take_sign(r, "-"))
        return joined(piece_of(g_strdup(""), BIND_VALUE), "-", read_power(r), BIND_MINUS, BIND_VALUE, BIND_POWER);
    return read_power(r);
}

// Reads factors, with and without a sign between them.
static Piece read_product(Paper *r)
{
    Piece x = read_signed(r);
    while (x.text) {
        if (take_sign(r, "*")) {
            x = product_of(x, read_signed(r));
        } else if (take_sign(r, "/")) {
            Piece y = read_signed(r);
            while (y.text && at_value(r) && second(r))
                y = product_of(y, read_power(r));
            x = joined(x, "/", y, BIND_PRODUCT, BIND_PRODUCT, BIND_MINUS);
        } else if (at_value(r)) {
            x = product_of(x, read_power(r));
        } else {
            break;
        }
    }
    return x;
}

static Piece read_binary(Paper *r, Binding binding)
{
    static const struct {
        const char *sign, *text;
        Binding binding;
    } signs[] = {
        {"||", " || ", BIND_OR},   {"&&", " && ", BIND_AND},  {"==", " == ", BIND_EQUAL}, {"!=", " != ", BIND_EQUAL},
        {"<=", " <= ", BIND_LESS}, {">=", " >= ", BIND_LESS}, {"<", " < ", BIND_LESS},    {">", " > ", BIND_LESS},
        {"+", " + ", BIND_SUM},    {"-", " - ", BIND_SUM},
    };
    if (binding == BIND_PRODUCT)
        return read_product(r);
    Piece x = read_binary(r, binding + 1);
    for (size_t i = 0; x.text && i < G_N_ELEMENTS(signs); i++)
        if (signs[i].binding == binding && take_sign(r, signs[i].sign)) {
            x = joined(x, signs[i].text, read_binary(r, binding + 1), binding, binding, binding + 1);
            i = (size_t)-1;
        }
    return x;
}

static Piece read_formula(Paper *r)
{
    Piece x = read_binary(r, BIND_OR);
    if (!x.text || !take_sign(r, "?"))
        return x;
    if (r->depth == DEEPEST)
        return g_free(x.text), refuse(r, peek(r)->at, "the formula is nested too deeply"), unread;
    r->depth++;
    x = joined(x, " ? ", read_formula(r), BIND_CHOICE, BIND_OR, BIND_OR);
    if (x.text && !take_sign(r, ":")) {
        g_free(x.text);
        return refuse(r, peek(r)->at, "'?' needs ':' and a value for the other case"), unread;
    }
    x = x.text ? joined(x, " : ", read_formula(r), BIND_CHOICE, BIND_CHOICE, BIND_OR) : x;
    r->depth--;
    return x;
}

// Reads all words, taking at each place the reading that r->chosen says. Returns NULL and an error on bad input.
static char *read_all(Paper *r, gboolean order)
{
    r->next = order ? 1 : 0;
    r->depth = 0;
    r->choices = 0;
    if (order && (peek(r)->kind != WORD_OPEN || *peek(r)->text != '('))
        return refuse(r, peek(r)->at, "O must have its formula in brackets"), NULL;
    g_autofree char *text = (order ? read_brackets(r, NULL) : read_formula(r)).text;
    if (!text)
        return NULL;
    const PaperWord *rest = peek(r);
    if (rest->kind == WORD_END)
        return g_steal_pointer(&text);
    if (order || rest->kind == WORD_ORDER)
        return refuse(r, rest->at, "O(..) is allowed only around the whole formula"), NULL;
    return refuse(r, rest->at, "'%.*s' cannot stand here; allowed: an operator",
                  (int)(g_utf8_find_next_char(r->text + rest->at, NULL) - (r->text + rest->at)), r->text + rest->at),
           NULL;
}

Notation *notation_read(const char *what, const char *text, const char *const *names, GError **error)
{
    g_autoptr(GArray) words = g_array_new(FALSE, FALSE, sizeof(PaperWord));
    g_array_set_clear_func(words, clear_word);
    Paper r = {.what = what, .text = text, .names = names, .words = words, .error = error};
    if (!read_words(&r))
        return NULL;
    g_autoptr(Notation) n = g_new0(Notation, 1);
    n->readings = g_ptr_array_new_with_free_func(g_free);
    n->order = peek(&r)->kind == WORD_ORDER;
    guint most = 1; // readings to try: 2^places
    for (; r.chosen < most; r.chosen++) {
        // A place inside another place's second reading is met only there, so each reading counts anew.
        g_autofree char *reading = read_all(&r, n->order);
        if (!reading)
            return NULL;
        if (r.choices > MOST_CHOICES)
            return refuse(&r, 0, "%u places can be read in two ways; allowed: at most %d, others with brackets",
                          r.choices, MOST_CHOICES),
                   NULL;
        most = MAX(most, 1u << r.choices);
        if (!g_ptr_array_find_with_equal_func(n->readings, reading, g_str_equal, NULL))
            g_ptr_array_add(n->readings, g_steal_pointer(&reading));
    }
    return g_steal_pointer(&n);
}

void notation_free(Notation *n)
{
    if (!n)
        return;
    if (n->readings)
        g_ptr_array_unref(n->readings);
    g_free(n);
}

gboolean notation_is(const char *text)
{
    const char *at = text + strspn(text, " ");
    if (*at == 'O' && at[1 + strspn(at + 1, " ")] == '(')
        return TRUE;
    for (; *at; at++)
        if (strchr("\\{}[]_$", *at) || (guchar)*at >= 0x80)
            return TRUE;
    return FALSE;
}

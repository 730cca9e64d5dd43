#include "judge/audit/notation.h"
#include "judge/audit/notation_words.h"
#include "base/expression.h"
#include <string.h>

enum { DEEPEST = 100, MOST_CHOICES = 5 };

typedef struct Paper {
    const char *what, *text;
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
    notation_refuse(r->what, at, r->error, format, args);
    va_end(args);
    return FALSE;
}

// ---- Formulas -------------------------------------------------------------------------------------------------------

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
    return (r->chosen >> r->choices++ & 1) != 0;
}

static Piece read_formula(Paper *r);
static Piece read_power(Paper *r);
static Piece read_call(Paper *r);

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
    if (word->kind == WORD_CALL) { // log log p
        if (r->depth == DEEPEST)
            return refuse(r, word->at, "the formula is nested too deeply; allowed: at most %d levels", DEEPEST), unread;
        r->depth++;
        const Piece inner = read_call(r);
        r->depth--;
        return call_of(name, base, inner);
    }
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

// Reads a part of a fraction: what is in braces, or one word.
static Piece read_part(Paper *r)
{
    const PaperWord *word = peek(r);
    if (word->kind != WORD_NUMBER && word->kind != WORD_VARIABLE)
        return read_brackets(r, NULL);
    r->next++;
    return piece_of(g_strdup(word->text), BIND_VALUE);
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
        const Piece over = read_part(r);
        if (!over.text)
            return unread;
        return joined(over, "/", read_part(r), BIND_PRODUCT, BIND_PRODUCT, BIND_POWER);
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
        Piece y = read_power(r);
        // The minus takes a power without brackets, as in read_signed(), which reads p^(-m^k) again.
        if (minus && y.text)
            y = joined(piece_of(g_strdup(""), BIND_VALUE), "-", y, BIND_MINUS, BIND_VALUE, BIND_POWER);
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
    g_autoptr(GArray) words = notation_words(what, text, names, error);
    Paper r = {.what = what, .text = text, .words = words, .error = error};
    if (!words)
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
    if ((*at == 'O' && at[1 + strspn(at + 1, " ")] == '(') || notation_begin(text) > 0)
        return TRUE;
    for (; *at; at++)
        if (strchr("\\{}[]_$", *at) || (guchar)*at >= 0x80)
            return TRUE;
    return FALSE;
}

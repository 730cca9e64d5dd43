// Reads formulas: as users write them, and as papers print them. Each part is read by a function that appends its nodes.
#include "engine/formula/notation.h"
#include "engine/formula/formula.h"
#include <string.h>

enum { DEEPEST = 100, MOST_CHOICES = 5 };

typedef struct Reader {
    FormulaText text;
    guint next;            // word
    int depth;             // of brackets
    guint choices, chosen; // places with two readings so far; bit i is set if the second reading of place i is taken
    GArray *steps;         // of FormulaStep, what has been read
} Reader;

static const FormulaWord *peek(const Reader *r)
{
    return &g_array_index(r->text.words, FormulaWord, r->next);
}

static gboolean at_sign(const Reader *r, const char *sign)
{
    return peek(r)->kind == WORD_SIGN && strcmp(peek(r)->sign, sign) == 0;
}

static gboolean take_sign(Reader *r, const char *sign)
{
    const gboolean is = at_sign(r, sign);
    r->next += is ? 1 : 0;
    return is;
}

static gboolean add(Reader *r, FormulaStep step)
{
    g_array_append_val(r->steps, step);
    return TRUE;
}

static gboolean add_do(Reader *r, Doing doing)
{
    return add(r, (FormulaStep){.doing = doing});
}

// Sets the error for a word that stands where a value or, after one, an operator is allowed.
static gboolean misplaced(const Reader *r, const char *allowed)
{
    const FormulaWord *word = peek(r);
    if (word->kind == WORD_END)
        return formula_refuse(&r->text, word->at, "a value is missing at the end");
    if (word->kind == WORD_ORDER)
        return formula_refuse(&r->text, word->at, "O(..) is allowed only around the whole formula");
    return formula_refuse(&r->text, word->at, "'%.*s' cannot stand here; allowed: %s", word->length,
                          r->text.text + word->at, allowed);
}

static gboolean no_value(const Reader *r)
{
    return misplaced(r, "a value");
}

// Sets the error for a word that follows a whole formula. `open` is the bracket before the formula, or NULL.
static gboolean no_end(const Reader *r, const FormulaWord *open)
{
    const FormulaWord *word = peek(r);
    if (open && word->kind == WORD_END && !open->step.function)
        return formula_refuse(&r->text, open->at, "'%.*s' without %s", open->length, r->text.text + open->at,
                              *open->sign == '(' ? "')'" : "its other bracket");
    if (open && (word->kind == WORD_END || word->kind == WORD_CLOSE))
        return formula_refuse(&r->text, word->at, "the bracket of column %d is not closed here", open->at + 1);
    if (word->kind == WORD_CLOSE)
        return formula_refuse(&r->text, word->at, "'%.*s' without %s", word->length, r->text.text + word->at,
                              *word->sign == ')' ? "'('" : "its other bracket");
    if (at_sign(r, ","))
        return formula_refuse(&r->text, word->at,
                              "',' is allowed only between a function's arguments; a formula has one value");
    return at_sign(r, ":") ? formula_refuse(&r->text, word->at, "':' without '?'") : misplaced(r, "an operator");
}

// Returns true if the second of two readings is to be taken at this place.
static gboolean second(Reader *r)
{
    return (r->chosen >> r->choices++ & 1) != 0;
}

static gboolean read_formula(Reader *r);
static gboolean read_value(Reader *r);
static gboolean read_power(Reader *r);
static gboolean read_call(Reader *r);

// Returns true if the next word begins a value, so that papers multiply a value before it by it.
static gboolean at_factor(Reader *r)
{
    const WordKind kind = peek(r)->kind;
    return (kind == WORD_VALUE || kind == WORD_CALL || kind == WORD_OPEN || kind == WORD_FRACTION) &&
           formula_papers(&r->text);
}

// Reads what stands in brackets, and the closing one. `arguments` is NULL if there may be only one value; else it is set
// to how many there are.
static gboolean read_brackets(Reader *r, int *arguments)
{
    const FormulaWord *open = peek(r);
    if (open->kind != WORD_OPEN)
        return no_value(r);
    if (r->depth == DEEPEST)
        return formula_refuse(&r->text, open->at, "the brackets are nested too deeply; allowed: at most %d levels",
                              DEEPEST);
    r->depth++;
    r->next++;
    int n = 0;
    if (!arguments || peek(r)->kind != WORD_CLOSE)
        do {
            if (!read_formula(r))
                return FALSE;
            n++;
        } while (arguments && take_sign(r, ","));
    if (arguments)
        *arguments = n;
    if (peek(r)->kind != WORD_CLOSE || peek(r)->step.function != open->step.function)
        return no_end(r, open);
    r->depth--;
    r->next++;
    return !open->step.function || add(r, (FormulaStep){.doing = DO_CALL, .n = 1, .function = open->step.function});
}

static gboolean is_logarithm(const Function *f)
{
    return f == function_find("log", 3);
}

// Adds the call of the function of a word, whose n arguments have been read; `base` is that of a logarithm, or NULL.
static gboolean add_call(Reader *r, const FormulaWord *name, int n, const GArray *base)
{
    const Function *f = name->step.function;
    const FormulaStep *k = base ? &g_array_index(base, FormulaStep, 0) : NULL;
    if (k && !(n == 1 && base->len == 1 && k->doing == DO_NUMBER && k->value == 2)) {
        g_array_append_vals(r->steps, base->data, base->len);
        n++;
    } else if (is_logarithm(f) && n == 1 && formula_papers(&r->text)) {
        f = function_find("log2", 4);
    }
    if (f->arguments ? n != f->arguments : n == 0)
        return formula_refuse(&r->text, name->at, "%s takes %s, not %d argument%s", f->name, f->takes, n,
                              n == 1 ? "" : "s");
    return add(r, (FormulaStep){.doing = DO_CALL, .n = n, .function = f});
}

// Reads an argument that has no brackets, and what may belong to it or not: a power, a divisor, factors. Adds the call,
// and what does not belong to the argument.
static gboolean read_bare(Reader *r, const FormulaWord *name, const GArray *base)
{
    const WordKind kind = peek(r)->kind;
    if (kind == WORD_CALL) // log log p
        return read_call(r) && add_call(r, name, 1, base);
    if (!(kind == WORD_FRACTION ? read_power(r) : read_value(r)))
        return FALSE;
    if (take_sign(r, "^")) {
        const gboolean inside = second(r);
        return (inside || add_call(r, name, 1, base)) && read_power(r) && add_do(r, DO_POWER) &&
               (!inside || add_call(r, name, 1, base));
    }
    if (at_sign(r, "/") && second(r)) {
        r->next++;
        return read_power(r) && add_do(r, DO_DIVIDE) && add_call(r, name, 1, base);
    }
    while (at_factor(r) && peek(r)->kind != WORD_CALL && second(r))
        if (!read_power(r) || !add_do(r, DO_MULTIPLY))
            return FALSE;
    return add_call(r, name, 1, base);
}

// Reads a base, which is one word or in brackets.
static gboolean read_base(Reader *r)
{
    const FormulaWord *word = peek(r);
    if (word->kind != WORD_VALUE)
        return read_brackets(r, NULL);
    r->next++;
    return add(r, word->step);
}

// Reads a part of a function that stands before its argument, and returns its nodes apart; NULL if it is bad.
static GArray *apart(Reader *r, gboolean (*read)(Reader *r))
{
    GArray *const steps = r->steps;
    g_autoptr(GArray) part = r->steps = g_array_new(FALSE, FALSE, sizeof(FormulaStep));
    const gboolean good = read(r);
    r->steps = steps;
    return good ? g_steal_pointer(&part) : NULL;
}

// Reads a function with its argument or arguments.
static gboolean read_call(Reader *r)
{
    const FormulaWord *name = peek(r);
    const Function *f = name->step.function;
    g_autoptr(GArray) base = NULL, power = NULL;
    int n = 0;
    r->next++;
    const gboolean brackets = peek(r)->kind == WORD_OPEN && !peek(r)->step.function;
    if (!brackets && !formula_papers(&r->text))
        return formula_refuse(&r->text, name->at, "%s is a function: %s%s", f->name, f->name, f->takes);
    for (;;) {
        if (!base && peek(r)->kind == WORD_BASE) {
            r->next++;
            if (!(base = apart(r, read_base)))
                return FALSE;
        } else if (!power && take_sign(r, "^")) {
            if (!(power = apart(r, read_power)))
                return FALSE;
        } else {
            break;
        }
    }
    if (base && !is_logarithm(f))
        return formula_refuse(&r->text, peek(r)->at, "%s has no base; allowed: log", f->name);
    if (peek(r)->kind == WORD_OPEN && !peek(r)->step.function ? !read_brackets(r, &n) || !add_call(r, name, n, base)
                                                              : !read_bare(r, name, base))
        return FALSE;
    if (power)
        g_array_append_vals(r->steps, power->data, power->len);
    return !power || add_do(r, DO_POWER);
}

static gboolean read_value(Reader *r)
{
    const FormulaWord *word = peek(r);
    switch (word->kind) {
    case WORD_VALUE:
        r->next++;
        return add(r, word->step);
    case WORD_CALL:
        return read_call(r);
    case WORD_OPEN:
        return read_brackets(r, NULL);
    case WORD_FRACTION:
        r->next++;
        for (int i = 0; i < 2; i++)
            if (!read_base(r))
                return FALSE;
        return add_do(r, DO_DIVIDE);
    default:
        return no_value(r);
    }
}

static gboolean read_signed(Reader *r)
{
    const gboolean minus = take_sign(r, "-");
    if (!minus)
        take_sign(r, "+");
    return read_power(r) && (!minus || add_do(r, DO_NEGATE));
}

// Reads a value and the powers that follow it.
static gboolean read_power(Reader *r)
{
    return read_value(r) && (!take_sign(r, "^") || (read_signed(r) && add_do(r, DO_POWER)));
}

// Reads factors, with and without a sign between them.
static gboolean read_product(Reader *r)
{
    if (!read_signed(r))
        return FALSE;
    while (at_sign(r, "*") || at_sign(r, "/") || at_factor(r)) {
        const gboolean divide = take_sign(r, "/");
        if (!(divide || take_sign(r, "*") ? read_signed(r) : read_power(r)))
            return FALSE;
        while (divide && at_factor(r) && second(r))
            if (!read_power(r) || !add_do(r, DO_MULTIPLY))
                return FALSE;
        add_do(r, divide ? DO_DIVIDE : DO_MULTIPLY);
    }
    return TRUE;
}

// Reads what binds at least as tightly.
static gboolean read_binary(Reader *r, Binding binding)
{
    if (binding == BIND_PRODUCT)
        return read_product(r);
    if (!read_binary(r, binding + 1))
        return FALSE;
    for (int i = 0; i < n_formula_operators; i++) {
        const FormulaOperator *o = &formula_operators[i];
        if (o->binding == binding && take_sign(r, o->text)) {
            if (!read_binary(r, binding + 1))
                return FALSE;
            add_do(r, o->doing);
            i = -1;
        }
    }
    return TRUE;
}

static gboolean read_formula(Reader *r)
{
    if (!read_binary(r, BIND_OR))
        return FALSE;
    const int question = peek(r)->at;
    if (!take_sign(r, "?"))
        return TRUE;
    if (!read_formula(r))
        return FALSE;
    if (!take_sign(r, ":"))
        return formula_refuse(&r->text, question, "'?' needs ':' and a value for the other case");
    return read_formula(r) && add_do(r, DO_CHOOSE);
}

// Reads all words, taking at each place the reading that r->chosen says. Returns NULL and an error on bad input.
static Expression *read_all(Reader *r, gboolean order)
{
    g_autoptr(GArray) steps = r->steps = g_array_new(FALSE, FALSE, sizeof(FormulaStep));
    r->next = order ? 1 : 0;
    r->depth = 0;
    r->choices = 0;
    if (order && (peek(r)->kind != WORD_OPEN || peek(r)->step.function))
        return formula_refuse(&r->text, peek(r)->at, "O must have its formula in brackets"), NULL;
    if (!(order ? read_brackets(r, NULL) : read_formula(r)))
        return NULL;
    if (peek(r)->kind != WORD_END && order)
        return formula_refuse(&r->text, peek(r)->at, "O(..) is allowed only around the whole formula"), NULL;
    if (peek(r)->kind != WORD_END)
        return no_end(r, NULL), NULL;
    Expression *e = g_new(Expression, 1);
    g_atomic_ref_count_init(&e->references);
    e->text = g_strdup(r->text.text);
    e->names = g_strdupv((char **)r->text.names);
    e->steps = g_steal_pointer(&steps);
    return e;
}

static gboolean has_reading(const GPtrArray *readings, const Expression *e)
{
    g_autofree char *text = expression_text(e);
    for (guint i = 0; i < readings->len; i++) {
        g_autofree char *other = expression_text(readings->pdata[i]);
        if (strcmp(text, other) == 0)
            return TRUE;
    }
    return FALSE;
}

static Notation *read_text(FormulaText text)
{
    g_autoptr(GArray) words = g_array_new(FALSE, FALSE, sizeof(FormulaWord));
    g_autoptr(GError) error = NULL; // the readers look whether there is one
    GError **const to = text.error;
    Reader r = {.text = text};
    r.text.words = words;
    r.text.error = &error;
    g_autoptr(Notation) n = g_new0(Notation, 1);
    n->readings = g_ptr_array_new_with_free_func((GDestroyNotify)expression_free);
    gboolean good = formula_words(&r.text);
    n->order = good && peek(&r)->kind == WORD_ORDER;
    guint most = 1; // readings to try: 2^places
    for (; good && r.chosen < most; r.chosen++) {
        // A place inside another place's second reading is met only there, so each reading counts anew.
        g_autoptr(Expression) reading = read_all(&r, n->order);
        good =
            reading &&
            (r.choices <= MOST_CHOICES ||
             formula_refuse(&r.text, 0, "%u places can be read in two ways; allowed: at most %d, others with brackets",
                            r.choices, MOST_CHOICES));
        most = good ? MAX(most, 1u << r.choices) : 0;
        if (good && !has_reading(n->readings, reading))
            g_ptr_array_add(n->readings, g_steal_pointer(&reading));
    }
    n->plain = !r.text.papers;
    if (error)
        g_propagate_error(to, g_steal_pointer(&error));
    return good ? g_steal_pointer(&n) : NULL;
}

Notation *notation_read(const char *what, const char *text, const char *const *names, GError **error)
{
    return read_text((FormulaText){.what = what, .text = text, .names = names, .error = error});
}

Expression *expression_new(const char *what, const char *text, const char *const *names, GError **error)
{
    g_autoptr(Notation) n =
        read_text((FormulaText){.what = what, .text = text, .names = names, .strict = TRUE, .error = error});
    return n ? expression_ref(n->readings->pdata[0]) : NULL;
}

void notation_free(Notation *n)
{
    if (!n)
        return;
    g_ptr_array_unref(n->readings);
    g_free(n);
}

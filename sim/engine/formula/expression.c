#include "engine/formula/expression.h"
#include "base/error.h"
#include "engine/formula/formula.h"
#include <math.h>
#include <string.h>

gboolean expression_check_name(const char *what, const char *name, GError **error)
{
    const size_t n = strlen(name);
    if (n > FORMULA_LONGEST_NAME)
        return bad_input(error, "%s: '%.20s..' has %zu characters; allowed: a name of at most %d", what, name, n,
                         FORMULA_LONGEST_NAME);
    if (n == 0 || (size_t)formula_name_length(name) < n)
        return bad_input(error, "%s: '%s' is not a name; allowed: letters, digits and _, not beginning with a digit",
                         what, name);
    return strcmp(name, FORMULA_NEVER) != 0 ||
           bad_input(error, "%s: '%s' is infinity; allowed: another name", what, name);
}

Expression *expression_ref(Expression *e)
{
    g_atomic_ref_count_inc(&e->references);
    return e;
}

void expression_free(Expression *e)
{
    if (!e || !g_atomic_ref_count_dec(&e->references))
        return;
    g_strfreev(e->names);
    g_array_unref(e->steps);
    g_free(e->text);
    g_free(e);
}

// ---- Text ----------------------------------------------------------------------------------------------------------

// The text of a part of the formula.
typedef struct Piece {
    char *text;
    Binding binding; // that of its outermost operator
} Piece;

static void clear_piece(void *piece)
{
    g_free(((Piece *)piece)->text);
}

// Appends the text of piece i, in brackets if it binds less tightly than `binding`.
static void append_bound(GString *to, const GArray *pieces, guint i, Binding binding)
{
    const Piece *x = &g_array_index(pieces, Piece, i);
    g_string_append_printf(to, x->binding < binding ? "(%s)" : "%s", x->text);
}

// Appends the text of a node whose operands are the last `n` pieces. Returns how tightly it binds.
static Binding append_step(GString *to, const Expression *e, const FormulaStep *step, const GArray *pieces, guint n)
{
    const guint first = pieces->len - n;
    switch (step->doing) {
    case DO_NUMBER:
        g_string_append_len(to, e->text + step->at, step->length);
        return BIND_VALUE;
    case DO_VARIABLE:
        g_string_append(to, e->names[step->n]);
        return BIND_VALUE;
    case DO_CALL:
        g_string_append(to, step->function->name);
        for (guint i = 0; i < n; i++) {
            g_string_append(to, i ? ", " : "(");
            append_bound(to, pieces, first + i, BIND_CHOICE);
        }
        g_string_append_c(to, ')');
        return BIND_VALUE;
    case DO_NEGATE:
        g_string_append_c(to, '-');
        append_bound(to, pieces, first, BIND_POWER);
        return BIND_MINUS;
    case DO_CHOOSE:
        append_bound(to, pieces, first, BIND_OR);
        g_string_append(to, " ? ");
        append_bound(to, pieces, first + 1, BIND_OR);
        g_string_append(to, " : ");
        append_bound(to, pieces, first + 2, BIND_OR);
        return BIND_CHOICE;
    default:
        break;
    }
    const FormulaOperator *o = formula_operators;
    while (o->doing != step->doing)
        o++;
    append_bound(to, pieces, first, o->binding == BIND_POWER ? BIND_VALUE : o->binding);
    g_string_append_printf(to, o->binding <= BIND_SUM ? " %s " : "%s", o->text);
    append_bound(to, pieces, first + 1, o->binding + 1);
    return o->binding;
}

// Returns how many operands a node has.
static int operands(const FormulaStep *step)
{
    switch (step->doing) {
    case DO_NUMBER:
    case DO_VARIABLE:
        return 0;
    case DO_CALL:
        return step->n;
    case DO_NEGATE:
        return 1;
    default:
        return step->doing == DO_CHOOSE ? 3 : 2;
    }
}

char *expression_text(const Expression *e)
{
    g_autoptr(GArray) pieces = g_array_new(FALSE, FALSE, sizeof(Piece));
    g_array_set_clear_func(pieces, clear_piece);
    for (guint i = 0; i < e->steps->len; i++) {
        const FormulaStep *step = &g_array_index(e->steps, FormulaStep, i);
        const guint n = (guint)operands(step);
        GString *text = g_string_new(NULL);
        const Binding binding = append_step(text, e, step, pieces, n);
        const Piece piece = {g_string_free(text, FALSE), binding};
        g_array_set_size(pieces, pieces->len - n);
        g_array_append_val(pieces, piece);
    }
    return g_steal_pointer(&g_array_index(pieces, Piece, 0).text);
}

// ---- Values --------------------------------------------------------------------------------------------------------

static double call(const Function *f, const double *x, int n)
{
    return f->one ? f->one(x[0]) : f->two ? f->two(x[0], x[1]) : f->any(x, n);
}

static double binary(Doing doing, double x, double y)
{
    switch (doing) {
    case DO_OR:
        return x != 0 || y != 0;
    case DO_AND:
        return x != 0 && y != 0;
    case DO_EQUAL:
        return x == y;
    case DO_UNEQUAL:
        return x != y;
    case DO_LESS:
        return x < y;
    case DO_MORE:
        return x > y;
    case DO_AT_MOST:
        return x <= y;
    case DO_AT_LEAST:
        return x >= y;
    case DO_ADD:
        return x + y;
    case DO_SUBTRACT:
        return x - y;
    case DO_MULTIPLY:
        return x * y;
    case DO_DIVIDE:
        return x / y;
    default:
        return pow(x, y);
    }
}

double expression_value(const Expression *e, const double *values)
{
    double stack[FORMULA_LONGEST], *end = stack; // each value on it stands for a character of the text at least
    guint i = 0;
    do { // a formula has a step at least
        const FormulaStep *step = &g_array_index(e->steps, FormulaStep, i);
        switch (step->doing) {
        case DO_NUMBER:
            *end++ = step->value;
            break;
        case DO_VARIABLE:
            *end++ = values[step->n];
            break;
        case DO_CALL:
            end -= step->n;
            *end = call(step->function, end, step->n);
            end++;
            break;
        case DO_NEGATE:
            end[-1] = -end[-1];
            break;
        case DO_CHOOSE:
            end -= 2;
            end[-1] = end[-1] != 0 ? end[0] : end[1];
            break;
        default:
            end--;
            end[-1] = binary(step->doing, end[-1], end[0]);
        }
    } while (++i < e->steps->len);
    return end[-1];
}

bool expression_uses(const Expression *e, const char *name)
{
    for (guint i = 0; i < e->steps->len; i++) {
        const FormulaStep *step = &g_array_index(e->steps, FormulaStep, i);
        if (step->doing == DO_VARIABLE && strcmp(e->names[step->n], name) == 0)
            return true;
    }
    return false;
}

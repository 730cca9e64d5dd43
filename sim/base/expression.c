// All words are read once, in order. A word must fit the one before it; operators wait until one that binds less tightly
// follows, and then become steps of a calculation on a stack of values.
#include "base/expression.h"
#include "base/error.h"
#include "base/functions.h"
#include <math.h>
#include <string.h>

enum { LONGEST = 4000, DEEPEST = 100, LONGEST_NAME = 100 };

static const char never[] = "never"; // the constant

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
    DO_POWER,
    WAIT_OPEN,    // a bracket that is not closed yet
    WAIT_QUESTION // a ? whose : has not come yet
} Doing;

// One that is the beginning of another one comes after it.
static const struct {
    const char *text;
    Doing doing;
    Binding binding;
} operators[] = {
    {"<=", DO_AT_MOST, BIND_LESS},  {">=", DO_AT_LEAST, BIND_LESS},   {"==", DO_EQUAL, BIND_EQUAL},
    {"!=", DO_UNEQUAL, BIND_EQUAL}, {"&&", DO_AND, BIND_AND},         {"||", DO_OR, BIND_OR},
    {"<", DO_LESS, BIND_LESS},      {">", DO_MORE, BIND_LESS},        {"+", DO_ADD, BIND_SUM},
    {"-", DO_SUBTRACT, BIND_SUM},   {"*", DO_MULTIPLY, BIND_PRODUCT}, {"/", DO_DIVIDE, BIND_PRODUCT},
    {"^", DO_POWER, BIND_POWER},
};

// A step of the calculation, or an operator that waits.
typedef struct FormulaStep {
    Doing doing;
    int n;        // of a variable: its place; of a call: how many arguments; of what waits: how tightly it binds
    double value; // of a number
    const Function *function;
} FormulaStep;

struct Expression {
    const char *const *names;
    int n;
    bool *used;     // for each variable: true if the formula contains it
    GArray *steps;  // of FormulaStep
    double *values; // room for all that is on the stack at a time
};

// A level of brackets. The first level is the whole text.
typedef struct Level {
    const Function *function; // the function whose arguments the brackets hold; NULL if they only group
    const char *name, *at;    // where the function's name begins, and the opening bracket
    const char *question;     // the last `?` so far
    int questions, commas;    // `?` without a `:` so far, and commas
} Level;

typedef struct ExpressionReader {
    const char *what, *text;
    Expression *e;
    GArray *waiting; // of FormulaStep: operators, and brackets
    GError **error;
    bool value, sign; // true if the last word ended a value, or was a sign before one
    int depth;
    Level level[DEEPEST + 1];
} ExpressionReader;

static bool G_GNUC_PRINTF(3, 4) wrong(const ExpressionReader *r, const char *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *why = g_strdup_vprintf(format, args);
    va_end(args);
    return bad_input(r->error, "%s: column %d: %s", r->what, (int)(at - r->text) + 1, why);
}

// ---- Words ---------------------------------------------------------------------------------------------------------

static int name_length(const char *at)
{
    int n = 0;
    while (g_ascii_isalpha(at[n]) || at[n] == '_' || (n > 0 && g_ascii_isdigit(at[n])))
        n++;
    return n;
}

static int number_length(const char *at)
{
    const char *end = at + strspn(at, "0123456789");
    if (*end == '.')
        end += 1 + strspn(end + 1, "0123456789");
    if (end == at + 1 && *at == '.')
        return 0;
    if (*end == 'e' || *end == 'E') {
        const char *power = end + 1 + (end[1] == '+' || end[1] == '-');
        if (g_ascii_isdigit(*power))
            end = power + strspn(power, "0123456789");
    }
    return (int)(end - at);
}

static int operator_length(const char *at)
{
    for (size_t i = 0; i < G_N_ELEMENTS(operators); i++)
        if (g_str_has_prefix(at, operators[i].text))
            return (int)strlen(operators[i].text);
    return 0;
}

// Returns the length of the word at `at`, of whatever kind.
static int word_length(const char *at)
{
    return MAX(1, MAX(name_length(at), MAX(number_length(at), operator_length(at))));
}

// ---- Names and brackets --------------------------------------------------------------------------------------------

static bool same_name(const char *name, const char *at, int n)
{
    return strncmp(name, at, (size_t)n) == 0 && name[n] == '\0';
}

static bool unknown_name(const ExpressionReader *r, const char *at, int n)
{
    g_autofree char *names = g_strjoinv(", ", (char **)r->e->names);
    g_autoptr(GString) calls = g_string_new(NULL);
    for (int i = 0; i < n_functions; i++)
        g_string_append_printf(calls, "%s%s", i ? ", " : "", functions[i].name);
    return wrong(r, at, "'%.*s' is not known; allowed: %s%snever, and the functions %s", n, at, names,
                 *names ? ", " : "", calls->str);
}

// Sets the error for a word that follows a value although it begins one, or that needs a value before it.
static bool misplaced(const ExpressionReader *r, const char *at)
{
    return wrong(r, at, "'%.*s' cannot stand here; allowed: %s", word_length(at), at,
                 r->value ? "an operator" : "a value");
}

// ---- Steps ---------------------------------------------------------------------------------------------------------

static void add(GArray *steps, FormulaStep step)
{
    g_array_append_val(steps, step);
}

// Makes steps of the operators that wait and bind more tightly than `binding`, or as tightly unless it is that of an
// operator whose right side comes first.
static void settle(ExpressionReader *r, int binding)
{
    const bool right_first = binding == BIND_POWER || binding == BIND_CHOICE;
    while (r->waiting->len > 0) {
        const FormulaStep step = g_array_index(r->waiting, FormulaStep, r->waiting->len - 1);
        if (step.n < binding || (step.n == binding && right_first) || step.n == BIND_OPEN)
            return;
        add(r->e->steps, step);
        g_array_set_size(r->waiting, r->waiting->len - 1);
    }
}

// Makes steps of all that wait behind the last bracket that is open, or the last `?`, and takes that away.
static void settle_until(ExpressionReader *r, Doing end)
{
    for (gboolean more = r->waiting->len > 0; more;) {
        const FormulaStep step = g_array_index(r->waiting, FormulaStep, r->waiting->len - 1);
        g_array_set_size(r->waiting, r->waiting->len - 1);
        if (step.doing != end)
            add(r->e->steps, step);
        more = step.doing != end && r->waiting->len > 0;
    }
}

static void wait_for(ExpressionReader *r, Doing doing, int binding)
{
    add(r->waiting, (FormulaStep){.doing = doing, .n = binding});
}

// ---- Places --------------------------------------------------------------------------------------------------------

// Checks that the word at `at` is allowed there, and sets r->value for the next word. A word that begins a value must
// follow an operator, a bracket or a comma; any other word must follow a value. `ends` says whether the word ends a
// value.
static bool placed(ExpressionReader *r, const char *at, bool begins, bool ends)
{
    if (begins == r->value)
        return misplaced(r, at);
    r->value = ends;
    r->sign = false;
    return true;
}

static bool opened(ExpressionReader *r, const char *at, const Function *f, const char *name)
{
    if (r->depth == DEEPEST)
        return wrong(r, at, "the brackets are nested too deeply; allowed: at most %d levels", DEEPEST);
    r->level[++r->depth] = (Level){.function = f, .name = name, .at = at};
    wait_for(r, WAIT_OPEN, BIND_OPEN);
    return true;
}

// Reads a name of *n characters. If it is a function's, reads the opening bracket too and adds its length to *n.
static bool read_name(ExpressionReader *r, const char *at, int *n)
{
    Expression *e = r->e;
    for (int i = 0; i < e->n; i++)
        if (same_name(e->names[i], at, *n)) {
            e->used[i] = true;
            add(e->steps, (FormulaStep){.doing = DO_VARIABLE, .n = i});
            return placed(r, at, true, true);
        }
    if (same_name(never, at, *n)) {
        add(e->steps, (FormulaStep){.doing = DO_NUMBER, .value = INFINITY});
        return placed(r, at, true, true);
    }
    const Function *f = function_find(at, *n);
    if (!f)
        return unknown_name(r, at, *n);
    const char *bracket = at + *n + strspn(at + *n, " ");
    if (*bracket != '(')
        return wrong(r, at, "%s is a function: %s%s", f->name, f->name, f->takes);
    *n = (int)(bracket + 1 - at);
    return placed(r, at, true, false) && opened(r, bracket, f, at);
}

static bool all_answered(const ExpressionReader *r, const Level *level)
{
    return level->questions == 0 || wrong(r, level->question, "'?' needs ':' and a value for the other case");
}

static bool closed(ExpressionReader *r, const char *at)
{
    const Level *level = &r->level[r->depth];
    if (r->depth == 0)
        return wrong(r, at, "')' without '('");
    if (!all_answered(r, level))
        return false;
    const Function *f = level->function;
    const int given = level->at[1 + strspn(level->at + 1, " ")] == ')' ? 0 : level->commas + 1;
    if (f && (f->arguments ? given != f->arguments : given == 0))
        return wrong(r, level->name, "%s takes %s, not %d argument%s", f->name, f->takes, given, given == 1 ? "" : "s");
    if (!placed(r, at, false, true))
        return false;
    settle_until(r, WAIT_OPEN);
    if (f)
        add(r->e->steps, (FormulaStep){.doing = DO_CALL, .n = given, .function = f});
    r->depth--;
    return true;
}

static bool read_operator(ExpressionReader *r, const char *at)
{
    size_t i = 0;
    while (!g_str_has_prefix(at, operators[i].text))
        i++;
    if (!r->value && !r->sign && (*at == '+' || *at == '-')) {
        if (*at == '-')
            wait_for(r, DO_NEGATE, BIND_MINUS);
        return r->sign = true;
    }
    if (!placed(r, at, false, false))
        return false;
    settle(r, operators[i].binding);
    wait_for(r, operators[i].doing, operators[i].binding);
    return true;
}

static bool read_sign(ExpressionReader *r, const char *at)
{
    Level *level = &r->level[r->depth];
    switch (*at) {
    case '(':
        return placed(r, at, true, false) && opened(r, at, NULL, NULL);
    case ')':
        return closed(r, at);
    case ',':
        level->commas++;
        if (!level->function)
            return wrong(r, at, "',' is allowed only between a function's arguments; a formula has one value");
        if (!all_answered(r, level) || !placed(r, at, false, false))
            return false;
        settle(r, BIND_OPEN);
        return true;
    case '?':
        level->questions++;
        level->question = at;
        if (!placed(r, at, false, false))
            return false;
        settle(r, BIND_CHOICE);
        wait_for(r, WAIT_QUESTION, BIND_CHOICE);
        return true;
    case ':':
        if (level->questions-- <= 0)
            return wrong(r, at, "':' without '?'");
        if (!placed(r, at, false, false))
            return false;
        settle_until(r, WAIT_QUESTION);
        wait_for(r, DO_CHOOSE, BIND_CHOICE);
        return true;
    case '=':
        return wrong(r, at, "'=' is not an operator; allowed: == to compare");
    case '"':
        return wrong(r, at, "a formula cannot contain text in quotes");
    default:
        return wrong(r, at,
                     "'%c' has no meaning in a formula; allowed: + - * / ^ ( ) , < <= > >= == != && || ? :", *at);
    }
}

// Checks all words, one by one.
static bool read_words(ExpressionReader *r)
{
    int n;
    if (r->text[strspn(r->text, " ")] == '\0')
        return wrong(r, r->text, "the formula is empty");
    if (strlen(r->text) > LONGEST)
        return wrong(r, r->text + LONGEST, "the formula is too long; allowed: at most %d characters", LONGEST);
    for (const char *at = r->text; *at; at += n) {
        if (*at < ' ' || *at > '~')
            return wrong(r, at, "a character has no meaning in a formula; allowed: printable ASCII characters");
        if (*at == ' ') {
            n = 1;
        } else if ((n = name_length(at)) > 0) {
            if (!read_name(r, at, &n))
                return false;
        } else if ((n = number_length(at)) > 0) {
            if (!isfinite(g_ascii_strtod(at, NULL)))
                return wrong(r, at, "%.*s is too large; allowed: at most 1.79e308, the largest double", n, at);
            if (!placed(r, at, true, true))
                return false;
            add(r->e->steps, (FormulaStep){.doing = DO_NUMBER, .value = g_ascii_strtod(at, NULL)});
        } else if ((n = operator_length(at)) > 0) {
            if (!read_operator(r, at))
                return false;
        } else {
            n = 1;
            if (!read_sign(r, at))
                return false;
        }
    }
    if (r->depth)
        return wrong(r, r->level[r->depth].at, "'(' without ')'");
    if (!r->value)
        return wrong(r, r->text + strlen(r->text), "a value is missing at the end");
    settle(r, BIND_OPEN);
    return all_answered(r, &r->level[0]);
}

gboolean expression_check_name(const char *what, const char *name, GError **error)
{
    const size_t n = strlen(name);
    if (n > LONGEST_NAME)
        return bad_input(error, "%s: '%.20s..' has %zu characters; allowed: a name of at most %d", what, name, n,
                         LONGEST_NAME);
    if (n == 0 || (size_t)name_length(name) < n)
        return bad_input(error, "%s: '%s' is not a name; allowed: letters, digits and _, not beginning with a digit",
                         what, name);
    return strcmp(name, never) != 0 || bad_input(error, "%s: '%s' is infinity; allowed: another name", what, never);
}

// ---- Values --------------------------------------------------------------------------------------------------------

Expression *expression_new(const char *what, const char *text, const char *const *names, GError **error)
{
    g_autoptr(Expression) e = g_new(Expression, 1);
    const int n = (int)g_strv_length((char **)names);
    *e = (Expression){(const char *const *)g_strdupv((char **)names), n, g_new0(bool, n),
                      g_array_new(FALSE, FALSE, sizeof(FormulaStep)), NULL};
    g_autoptr(GArray) waiting = g_array_new(FALSE, FALSE, sizeof(FormulaStep));
    g_autofree ExpressionReader *r = g_new0(ExpressionReader, 1);
    *r = (ExpressionReader){.what = what, .text = text, .e = e, .waiting = waiting, .error = error};
    if (!read_words(r))
        return NULL;
    e->values = g_new(double, e->steps->len);
    return g_steal_pointer(&e);
}

void expression_free(Expression *e)
{
    if (!e)
        return;
    g_strfreev((char **)e->names);
    g_free(e->used);
    g_array_unref(e->steps);
    g_free(e->values);
    g_free(e);
}

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
    double *end = e->values; // of the stack
    for (guint i = 0; i < e->steps->len; i++) {
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
    }
    return end[-1];
}

bool expression_uses(const Expression *e, const char *name)
{
    for (int i = 0; i < e->n; i++)
        if (strcmp(e->names[i], name) == 0)
            return e->used[i];
    return false;
}

// The position that muParser reports for an error is sometimes the wrong word, sometimes the word after it, and
// muParser accepts assignments and formulas with two results. So we check all words ourselves, and muParser gets
// correct text only.
#include "base/expression.h"
#include "base/error.h"
#include "base/functions.h"
#include <math.h>
#include <muParserDLL.h>
#include <string.h>

enum {
    LONGEST = 4000,
    DEEPEST = 100,
    LONGEST_NAME = 100 // muParser takes no longer names
};

static const char never[] = "never"; // the constant

struct Expression {
    muParserHandle_t parser;
    const char *const *names;
    int n;
    double *values; // the variables, which muParser reads
    bool *used;     // for each variable: true if the formula contains it
};

// A level of brackets. The first level is the whole text.
typedef struct Level {
    const Function *function; // the function whose arguments the brackets hold; NULL if they only group
    const char *name, *at;    // where the function's name begins, and the opening bracket
    const char *question;     // the last `?` so far
    int questions, commas;    // `?` without a `:` so far, and commas
} Level;

typedef struct ExpressionReader {
    const char *what;
    char *text; // a copy, which read_name changes
    Expression *e;
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
    static const char *const operators[] = {"<=", ">=", "==", "!=", "&&", "||", "<", ">", "+", "-", "*", "/", "^"};
    for (size_t i = 0; i < G_N_ELEMENTS(operators); i++)
        if (g_str_has_prefix(at, operators[i]))
            return (int)strlen(operators[i]);
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
    return true;
}

// Reads a name of *n characters. If it is a function's, reads the opening bracket too and adds its length to *n; the
// bracket moves to the end of the name, because muParser accepts no space between the two.
static bool read_name(ExpressionReader *r, char *at, int *n)
{
    Expression *e = r->e;
    for (int i = 0; i < e->n; i++)
        if (same_name(e->names[i], at, *n)) {
            e->used[i] = true;
            return placed(r, at, true, true);
        }
    if (same_name(never, at, *n))
        return placed(r, at, true, true);
    const Function *f = function_find(at, *n);
    if (!f)
        return unknown_name(r, at, *n);
    char *bracket = at + *n + strspn(at + *n, " ");
    if (*bracket != '(')
        return wrong(r, at, "%s is a function: %s%s", f->name, f->name, f->takes);
    *bracket = ' ';
    at[*n] = '(';
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
    r->depth--;
    return placed(r, at, false, true);
}

static bool read_operator(ExpressionReader *r, const char *at)
{
    if (r->value || r->sign || (*at != '+' && *at != '-'))
        return placed(r, at, false, false);
    return r->sign = true;
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
        return all_answered(r, level) && placed(r, at, false, false);
    case '?':
        level->questions++;
        level->question = at;
        return placed(r, at, false, false);
    case ':':
        return level->questions-- > 0 ? placed(r, at, false, false) : wrong(r, at, "':' without '?'");
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
    for (char *at = r->text; *at; at += n) {
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

// ---- muParser ------------------------------------------------------------------------------------------------------

static void define_all(Expression *e)
{
    mupClearFun(e->parser); // muParser has a log with one argument
    mupClearConst(e->parser);
    mupDefineConst(e->parser, never, INFINITY);
    for (int i = 0; i < n_functions; i++) {
        const Function *f = &functions[i];
        if (f->one)
            mupDefineFun1(e->parser, f->name, f->one, true);
        else if (f->two)
            mupDefineFun2(e->parser, f->name, f->two, true);
        else
            mupDefineMultFun(e->parser, f->name, f->any, true);
    }
    for (int i = 0; i < e->n; i++)
        mupDefineVar(e->parser, e->names[i], &e->values[i]);
    g_assert(!mupError(e->parser));
}

static bool parse(const ExpressionReader *r)
{
    const muParserHandle_t parser = r->e->parser;
    mupSetExpr(parser, r->text);
    mupEval(parser); // muParser parses the text only when it first needs a value
    if (!mupError(parser))
        return true;
    return misplaced(r, r->text + CLAMP(mupGetErrorPos(parser), 0, (int)strlen(r->text) - 1));
}

Expression *expression_new(const char *what, const char *text, const char *const *names, GError **error)
{
    Expression *e = g_new(Expression, 1);
    const int n = (int)g_strv_length((char **)names);
    *e = (Expression){mupCreate(muBASETYPE_FLOAT), (const char *const *)g_strdupv((char **)names), n, g_new0(double, n),
                      g_new0(bool, n)};
    define_all(e);
    g_autofree char *words = g_strdup(text);
    g_autofree ExpressionReader *r = g_new0(ExpressionReader, 1);
    *r = (ExpressionReader){.what = what, .text = words, .e = e, .error = error};
    if (read_words(r) && parse(r))
        return e;
    expression_free(e);
    return NULL;
}

void expression_free(Expression *e)
{
    if (!e)
        return;
    mupRelease(e->parser);
    g_strfreev((char **)e->names);
    g_free(e->values);
    g_free(e->used);
    g_free(e);
}

double expression_value(const Expression *e, const double *values)
{
    memcpy(e->values, values, (size_t)e->n * sizeof *values);
    return mupEval(e->parser);
}

bool expression_uses(const Expression *e, const char *name)
{
    for (int i = 0; i < e->n; i++)
        if (strcmp(e->names[i], name) == 0)
            return e->used[i];
    return false;
}

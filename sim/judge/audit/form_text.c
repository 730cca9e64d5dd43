#include "judge/audit/form_text.h"
#include <glib.h>
#include <math.h>
#include <string.h>

static void append_factor(GString *to, const char *factor)
{
    if (to->len)
        g_string_append_c(to, '*');
    g_string_append(to, factor);
}

// Replaces the letter k by a number, unless it is 0. A k inside a longer name, as in knomial, stays.
static void write_k(GString *text, double k)
{
    for (gsize i = 0; k != 0 && i < text->len; i++) {
        const bool alone = !(i && g_ascii_isalpha(text->str[i - 1])) && !g_ascii_isalpha(text->str[i + 1]);
        if (text->str[i] != 'k' || !alone)
            continue;
        g_autofree char *number = g_strdup_printf("%.0f", k);
        g_string_erase(text, (gssize)i, 1);
        g_string_insert(text, (gssize)i, number);
    }
}

// Returns a term as text, without its sign.
static char *form_term_text(const FormTerm *t, double k)
{
    const Atom *a = &atoms[t->term.atom];
    GString *text = g_string_new(NULL);
    if (abs(t->term.num) != 1)
        g_string_append_printf(text, "%d", abs(t->term.num));
    if (strcmp(a->over, "1") != 0)
        append_factor(text, a->over);
    if (t->m)
        append_factor(text, "m");
    if (t->s > 0)
        append_factor(text, "S");
    if (!text->len)
        g_string_append_c(text, '1');
    if (a->under)
        g_string_append_printf(text, "/%s", a->under);
    if (t->s < 0)
        g_string_append(text, "/S");
    if (t->term.den > 1)
        g_string_append_printf(text, "/%d", t->term.den);
    write_k(text, k);
    return g_string_free(text, FALSE);
}

// Removes the brackets around a text, "(p-1)" -> "p-1", in place; (p-1)*(p+1) stays as it is. Returns the text.
static char *bare(char *text)
{
    const size_t n = strlen(text);
    int depth = 0;
    size_t i = 0;
    do
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    while (depth > 0 && ++i < n);
    if (i == 0 || i + 1 < n)
        return text;
    memmove(text, text + 1, n - 2);
    text[n - 2] = 0;
    return text;
}

static bool is_constant(const FormTerm *t)
{
    return strcmp(atoms[t->term.atom].over, "1") == 0 && !atoms[t->term.atom].under && !t->m && !t->s;
}

static void append_term(GString *to, bool negative, const char *text)
{
    if (negative)
        g_string_append_c(to, '-');
    else if (to->len)
        g_string_append_c(to, '+');
    g_string_append(to, text);
}

// Looks for two terms a*S and -a, where a > 1 is a number, which are written a*(S-1). Sets their indices in the sum.
// Returns false if there are none.
static bool segments_but_one(const FormSum *sum, int *with_S, int *without)
{
    for (*with_S = 0; *with_S < sum->n; ++*with_S)
        for (*without = 0; *without < sum->n; ++*without) {
            const FormTerm *a = &sum->term[*with_S], *b = &sum->term[*without];
            if (is_constant(b) && a->s == 1 && !a->m && a->term.atom == b->term.atom && a->term.num > 1 &&
                a->term.num == -b->term.num && a->term.den == 1 && b->term.den == 1)
                return true;
        }
    return false;
}

// Returns the pass in which form_sum_text writes a term: 0 for terms that are added, 1 for those that are subtracted, 2
// for the plain number. A positive number that would be the first to be added has pass 0.
static int position(const FormSum *sum, int i)
{
    bool added = false;
    for (int j = 0; j < sum->n; j++)
        added |= !is_constant(&sum->term[j]) && sum->term[j].term.num > 0;
    const bool negative = sum->term[i].term.num < 0;
    return !is_constant(&sum->term[i]) ? negative : negative || added ? 2 : 0;
}

char *form_sum_text(const FormSum *sum, double k)
{
    int with_S = -1, without = -1;
    const bool pair = segments_but_one(sum, &with_S, &without);
    GString *text = g_string_new(NULL);
    for (int pass = 0; pass < 3; pass++)
        for (int i = 0; i < sum->n; i++) {
            const FormTerm *t = &sum->term[i];
            if (pass != position(sum, i) || (pair && i == without))
                continue;
            g_autofree char *one = form_term_text(t, k);
            g_autofree char *but_one = g_strdup_printf("%d*(S-1)", t->term.num);
            append_term(text, t->term.num < 0, pair && i == with_S ? but_one : t->term.num < 0 ? one : bare(one));
        }
    return g_string_free(text, FALSE);
}

// ---- Groups ---------------------------------------------------------------------------------------------------------

static const char *unit_text(FormUnit u, bool segments)
{
    static const char *const texts[][3] = {
        {"1/S", "", "S"}, {"m/S", "m", "m*S"}, {"(m/S-1)/S", "(m/S-1)", "(m/S-1)*S"}};
    return u.kind == UNIT_LATER_BYTES && !segments ? "(m-1)" : texts[u.kind][u.s + 1];
}

// Returns a member as text, "2*m*beta"; without its unit "2*beta".
static char *member_text(const FormMember *x, bool segments, bool with_unit)
{
    GString *text = g_string_new(NULL);
    if (x->num != 1)
        g_string_append_printf(text, "%d", x->num);
    const char *unit = with_unit ? unit_text(x->unit, segments) : "";
    const char *const factors[] = {unit, x->name};
    bool divided = x->den == 1;
    for (size_t i = 0; i < G_N_ELEMENTS(factors); i++) {
        if (!*factors[i])
            continue;
        append_factor(text, factors[i]);
        if (!divided)
            g_string_append_printf(text, "/%d", x->den);
        divided = true;
    }
    return g_string_free(text, FALSE);
}

static bool same_unit(const FormMember *a, const FormMember *b)
{
    return a->unit.kind == b->unit.kind && a->unit.s == b->unit.s;
}

// Appends the sum of the members. Neighbours with the same unit share it, and the fraction too if that is the same:
// "alpha + m*(2*beta + gamma)", "alpha + m/2*(beta + gamma)".
static void append_members(GString *to, const FormMember *x, int n, bool segments)
{
    for (int i = 0, end; i < n; i = end) {
        bool alike = true;
        for (end = i + 1; end < n && *unit_text(x[i].unit, segments) && same_unit(&x[i], &x[end]); end++)
            alike &= x[end].num == x[i].num && x[end].den == x[i].den;
        const bool several = end > i + 1;
        if (i)
            g_string_append(to, " + ");
        if (several) {
            g_autofree char *unit =
                member_text(&(FormMember){"", alike ? x[i].num : 1, alike ? x[i].den : 1, x[i].unit}, segments, true);
            g_string_append_printf(to, "%s*(", unit);
        }
        for (int j = i; j < end; j++) {
            FormMember one = x[j];
            if (several && alike)
                one.num = one.den = 1;
            g_autofree char *member = member_text(&one, segments, !several);
            g_string_append_printf(to, "%s%s", j > i ? " + " : "", member);
        }
        if (several)
            g_string_append_c(to, ')');
    }
}

// Returns the sum of the members as a factor: "m*(beta + gamma)", "(alpha + m*beta)".
static char *members_text(const FormGroup *x, bool segments)
{
    bool shared = *unit_text(x->member[0].unit, segments) != 0 || x->n == 1;
    for (int i = 1; i < x->n; i++)
        shared &= same_unit(&x->member[i], &x->member[0]);
    GString *text = g_string_new(shared ? NULL : "(");
    append_members(text, x->member, x->n, segments);
    if (!shared)
        g_string_append_c(text, ')');
    return g_string_free(text, FALSE);
}

static char *group_text(const FormGroup *x, double k, bool segments)
{
    const FormTerm *first = &x->sum.term[0];
    const bool one = x->sum.n == 1 && is_constant(first) && first->term.num == 1 && first->term.den == 1;
    g_autofree char *members = members_text(x, segments);
    if (one && *members)
        return g_strdup(x->n > 1 ? bare(members) : members);
    if (!*members)
        return form_sum_text(&x->sum, k);
    if (x->sum.n > 1) {
        g_autofree char *sum = form_sum_text(&x->sum, k);
        return g_strdup_printf("(%s)*%s", sum, members);
    }
    g_autofree char *term = form_term_text(first, k);
    return g_strdup_printf("%s%s*%s", first->term.num < 0 ? "-" : "", term, members);
}

char *form_text(const FormGroup *groups, int n, double k, bool segments)
{
    GString *text = g_string_new(n ? NULL : "0");
    for (int i = 0; i < n; i++) {
        g_autofree char *group = group_text(&groups[i], k, segments);
        const bool negative = i && *group == '-';
        g_string_append_printf(text, "%s%s", i == 0 ? "" : negative ? " - " : " + ", group + negative);
    }
    return g_string_free(text, FALSE);
}

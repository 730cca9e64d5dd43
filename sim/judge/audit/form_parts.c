// Writes T as the sum of its parts. Parts that are multiples of the same sum of terms become one group, which is
// written with the sum only once.
//
// Example: on powers of two, Rabenseifner's allreduce has the parts 2*log2(p) (alpha), 2*(p-1)/p*m (beta) and (p-1)/p*m
// (gamma). The first part without a group is alpha; its sum is 2*log2(p), and no other part is a multiple of that. The
// next is beta; its sum is 2*(p-1)/p, its unit m, and gamma is 1/2 * m times this sum, so gamma joins the group. Moving
// the factor 2 to the members gives "2*log2(p)*alpha + (p-1)/p*m*(2*beta + gamma)".
#include "judge/audit/form_points.h"

static double unit_value(FormUnit u, const Sample *s)
{
    const double kinds[] = {1, s->m, s->m / s->S - 1};
    return kinds[u.kind] * (u.s == 0 ? 1 : u.s > 0 ? s->S : 1 / s->S);
}

// Returns the value divided by the unit. If the unit is 0, returns NAN for a value of 0, because any quotient then
// fits, and INFINITY for any other value, because none does.
static double divided(double value, FormUnit u, const Sample *s)
{
    const double unit = unit_value(u, s);
    return unit != 0 ? value / unit : value == 0 ? NAN : INFINITY;
}

static int gcd(int a, int b)
{
    return b ? gcd(b, a % b) : abs(a);
}

// Looks for a fraction *num / *den, with |*num / *den| < 100 and *den <= 4, such that `value` is the fraction times u
// times y at every sample at which y is not NAN. The first sample at which y is neither NAN nor 0 determines the
// fraction. Returns false if there is none.
static bool is_multiple(const FormPoints *x, const double *value, FormUnit u, const double *y, int *num, int *den)
{
    int i = 0;
    while (i < x->n && (isnan(y[i]) || y[i] == 0))
        i++;
    if (i == x->n)
        return false;
    const double ratio = divided(value[i], u, x->sample[i]) / y[i];
    for (*den = 1; *den < 4 && fabs(ratio * *den - rint(ratio * *den)) > 1e-9; ++*den)
        ;
    if (!(fabs(ratio) < 100) || rint(ratio * *den) == 0)
        return false;
    *num = (int)rint(ratio * *den);
    for (i = 0; i < x->n; i++)
        if (!isnan(y[i]) && !same_value(value[i], unit_value(u, x->sample[i]) * y[i] * *num / *den))
            return false;
    return true;
}

// Adds to the group all parts that have no group yet (done[i] is false) and equal a fraction times a unit times the
// group's sum, whose value at sample j is y[j].
static void gather_members(const FormPoints *x, const FormParts *parts, const double *y, bool *done, FormGroup *g)
{
    static const FormUnit units[] = {{UNIT_BYTES, 0}, {UNIT_BYTES, -1}, {UNIT_BYTES, 1}, {UNIT_LATER_BYTES, 0},
                                     {UNIT_ONE, 0},   {UNIT_ONE, -1},   {UNIT_ONE, 1}};
    for (int i = 0; i < parts->n; i++)
        for (size_t u = 0; u < G_N_ELEMENTS(units) && !done[i]; u++) {
            const FormUnit unit = units[u];
            int num, den;
            if ((unit.s && !x->segments) || (unit.kind != UNIT_ONE && !parts->bytes[i]) ||
                !is_multiple(x, parts->value[i], unit, y, &num, &den))
                continue;
            g->member[g->n++] = (FormMember){parts->name[i], num, den, unit};
            done[i] = true;
        }
}

// Moves a factor from the sum to the members if that removes fractions from the members:
// 2*(p-1)/p*m*(beta + gamma/2) becomes (p-1)/p*m*(2*beta + gamma).
static void share_fractions(FormGroup *g)
{
    int common = 1, factor = 0;
    for (int i = 0; i < g->n; i++)
        common *= g->member[i].den / gcd(common, g->member[i].den);
    for (int i = 0; i < g->sum.n; i++)
        factor = gcd(g->sum.term[i].term.num, factor);
    factor = gcd(factor, common);
    for (int i = 0; i < g->sum.n; i++)
        g->sum.term[i].term.num /= factor;
    for (int i = 0; i < g->n; i++) {
        FormMember *x = &g->member[i];
        const int shared = gcd(factor, x->den);
        x->num *= factor / shared;
        x->den /= shared;
    }
}

// If all terms of the sum have a factor S, or all have 1/S, moves it to the units of the members, so that the text
// contains it only once: (p-1)*S + 2*S with alpha becomes (p-1 + 2) with S*alpha. Does nothing if a unit would get S^2
// or 1/S^2.
static void move_segments(FormGroup *g)
{
    const int s = g->sum.term[0].s;
    for (int i = 0; i < g->sum.n; i++)
        if (g->sum.term[i].s != s)
            return;
    for (int i = 0; i < g->n; i++)
        if (abs(g->member[i].unit.s + s) > 1)
            return;
    for (int i = 0; i < g->sum.n; i++)
        g->sum.term[i].s = 0;
    for (int i = 0; i < g->n; i++)
        g->member[i].unit.s += s;
}

// Makes the group of the part `leader`: finds its coefficient as a sum of terms times a unit, then adds the parts that
// share the sum. The unit is 1 for a part that is not in bytes. For a part in bytes the function tries the units m and
// m/S - 1. Without segments it then tries the unit 1 with a sum that has terms with and without a factor m; no other
// part can join that group. Returns false if no unit gives a sum.
static bool lead_group(const FormPoints *x, const FormParts *parts, int leader, bool *done, FormGroup *g)
{
    static const Power segments[] = {{0, 0}, {0, 1}, {0, -1}}, bytes[] = {{1, 0}, {0, 0}};
    const bool in_bytes = parts->bytes[leader];
    g_autofree double *y = g_new(double, x->n);
    for (UnitKind kind = in_bytes ? UNIT_BYTES : UNIT_ONE; kind <= (in_bytes ? UNIT_LATER_BYTES : UNIT_ONE); kind++) {
        const FormUnit unit = {kind, 0};
        for (int i = 0; i < x->n; i++)
            y[i] = divided(parts->value[leader][i], unit, x->sample[i]);
        *g = (FormGroup){.n = 1, .member = {{parts->name[leader], 1, 1, unit}}};
        done[leader] = true;
        if (form_sum_find(x, y, segments, x->segments ? MAX_POWERS : 1, &g->sum)) {
            gather_members(x, parts, y, done, g);
            share_fractions(g);
            move_segments(g);
            return true;
        }
    }
    g->member[0].unit.kind = UNIT_ONE;
    return in_bytes && !x->segments && form_sum_find(x, parts->value[leader], bytes, G_N_ELEMENTS(bytes), &g->sum);
}

static bool is_zero(const FormPoints *x, const double *value)
{
    for (int i = 0; i < x->n; i++)
        if (value[i] != 0)
            return false;
    return true;
}

char *form_parts_text(const FormPoints *x, const FormParts *parts)
{
    FormGroup groups[MAX_MEMBERS];
    bool done[MAX_MEMBERS] = {false};
    int n = 0;
    for (int i = 0; i < parts->n; i++)
        if (!done[i] && !is_zero(x, parts->value[i]) && !lead_group(x, parts, i, done, &groups[n++]))
            return NULL;
    return form_text(groups, n, x->words->k, x->segments);
}

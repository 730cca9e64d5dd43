#include "judge/audit/grammar.h"
#include "engine/formula/expression.h"
#include "judge/audit/sample.h"

#define LOW  "floor(log2(p))"
#define HIGH "ceil(log2(p))"

// If two atoms are equal, or multiples of each other, at all places, the search uses the earlier one.
const Atom atoms[] = {
    {"1", NULL, 0.5},
    {"p", NULL, 1},
    {"(p-1)", NULL, 1.5},
    {"log2(p)", NULL, 1.1, true},
    {"log2(p+1)", NULL, 1.3, true},
    {HIGH, NULL, 1.2},
    {LOW, NULL, 1.2},
    {"floor(log2(p+1))", NULL, 1.4},
    {"ceil(log2(p-1))", NULL, 1.4, .no_powers = true},
    {"1", "p", 1.2},
    {"(p-1)", "p", 1.3},
    {"floor(p/2)", NULL, 1.5},
    {"ceil(p/2)", NULL, 1.5},
    {"p*(p-1)", NULL, 1.5},
    {"p^2", NULL, 1.5},
    {"p*log2(p)", NULL, 1.5, true},
    {"p*" HIGH, NULL, 1.5},
    {"p*" LOW, NULL, 1.5},
    {"log2(p)^2", NULL, 1.6, true},
    {HIGH "^2", NULL, 1.8},
    {LOW "^2", NULL, 1.8},
    {"2^" LOW, NULL, 1.4},
    {"1", "2^" LOW, 1.4},
    {"2^" LOW, "p", 1.8},
    {"2^" LOW "*" LOW, NULL, 1.8},
    {"2^" HIGH, NULL, 1.6},
    {"log2(p)", "p", 1.8, true},
    {LOW, "p", 1.8},
    {HIGH, "p", 1.8},
    {"bintree(p)", NULL, 1.6, .no_powers = true},
    {"popcount(p)", NULL, 1.8},
    {"popcounts(p)", NULL, 1.8},
    {"popcounts(p)", "p", 1.9},
    {"p*popcounts(p)", NULL, 2},
    {"k", NULL, 1},
    {"knomial(p,k)", NULL, 1.3},
    {"log(p,k)", NULL, 1.2, true},
    {"k*log(p,k)", NULL, 1.4, true},
    {"log(p,k)^2", NULL, 1.6, true},
    {"knomial(p,k)*log(p,k)", NULL, 1.6, true},
    {"p*log(p,k)", NULL, 1.6, true},
    {"p*knomial(p,k)", NULL, 1.6},
    {"p*knomial(p,k)", "k", 1.7},
    {"(p-1)", "k", 1.5},
    {"floor((p-1)/k)", NULL, 1.4},
    {"ceil((p-1)/k)", NULL, 1.4},
    {"floor((p-1)/k)^2", NULL, 1.7},
    {"k*floor((p-1)/k)", NULL, 1.7},
    {"1", "k", 1.4},
    {"p", "k", 1.4},
    {"k*p", NULL, 1.5},
    {"k^2", NULL, 1.5},
    {"min(k,p-1)", NULL, 1.5},
    {"floor((p-1)/min(k,p-1))", NULL, 1.8},
    {"ceil((p-1)/min(k,p-1))", NULL, 1.8},
    {"(p-1)^2", NULL, 1.7},
};
const int n_atoms = G_N_ELEMENTS(atoms);
_Static_assert(G_N_ELEMENTS(atoms) <= MAX_ATOMS, "room for all atoms");

Grammar *grammar_new(const Place *places, int n)
{
    static const char *const names[] = {"p", "k", NULL};
    Grammar *g = g_new0(Grammar, 1);
    *g = (Grammar){.n_places = n, .places = places};
    for (int i = 0; i < n_atoms; i++) {
        const Atom *a = &atoms[i];
        g_autofree char *text = g_strconcat(a->over, a->under ? "/" : NULL, a->under, NULL);
        g_autoptr(Expression) e = expression_new("atom", text, names, NULL);
        g->uses_k[i] = expression_uses(e, "k");
        g->value[i] = g_new(double, n);
        for (int j = 0; j < n; j++)
            g->value[i][j] = expression_value(e, (const double[]){places[j].p, places[j].k});
    }
    return g;
}

void grammar_free(Grammar *g)
{
    for (int i = 0; g && i < n_atoms; i++)
        g_free(g->value[i]);
    g_free(g);
}

static bool all_powers_of_two(const Grammar *g, const int *at, int n)
{
    for (int i = 0; i < n; i++)
        if (log2(g->places[at[i]].p) != rint(log2(g->places[at[i]].p)))
            return false;
    return true;
}

static bool usable(const Atom *a, const double *value, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(value[i]) || (a->whole && value[i] != rint(value[i])))
            return false;
    return true;
}

static bool is_multiple(const double *a, const double *b, int n)
{
    int some = 0; // the first place where b is not 0
    while (some < n && b[some] == 0)
        some++;
    for (int i = 0; i < n && some < n; i++)
        if (!same_value(a[i] * b[some], a[some] * b[i]))
            return false;
    return some < n;
}

Words *words_new(const Grammar *g, const int *at, int n)
{
    Words *w = g_new0(Words, 1);
    w->n_places = n;
    w->k = g->places[at[0]].k;
    for (int j = 1; j < n; j++)
        if (g->places[at[j]].k != w->k)
            w->k = 0;
    const bool powers = all_powers_of_two(g, at, n);
    for (int i = 0; i < n_atoms; i++) {
        double *value = w->value[w->n] = g_renew(double, w->value[w->n], n);
        for (int j = 0; j < n; j++)
            value[j] = g->value[i][at[j]];
        bool keep = usable(&atoms[i], value, n) && !(atoms[i].no_powers && powers) && !(g->uses_k[i] && w->k == 1);
        for (int j = 0; j < w->n && keep; j++)
            keep = !is_multiple(value, w->value[j], n);
        if (keep)
            w->atom[w->n++] = i;
    }
    return w;
}

void words_free(Words *w)
{
    for (int i = 0; w && i < MAX_ATOMS; i++)
        g_free(w->value[i]);
    g_free(w);
}

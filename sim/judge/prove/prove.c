#include "judge/prove/prove.h"
#include "judge/prove/contents_grid.h"
#include "judge/prove/gears_grid.h"
#include "judge/prove/mutants.h"
#include "search/search/formulas.h"
#include <string.h>

const char *const prove_names[N_PROVE_STEPS] = {"contents", "mutants", "symmetry", "gears", "formula"};

static void prove_contents(const CollAlgorithm *a, Proof *proof)
{
    ContentsTally tally;
    contents_prove(a, &contents_grid, &tally);
    proof->cases = tally.cases;
    proof->said = g_strdup_printf("%ld cases, %ld of them by a fallback", tally.cases, tally.fallbacks);
    proof->fault = tally.wrong ? tally.wrong
                   : tally.cases <= tally.fallbacks
                       ? g_strdup("the algorithm runs at no point of the grid, because its needs are not met")
                       : NULL;
}

static void prove_mutants(const CollAlgorithm *a, Proof *proof)
{
    MutantsTally tally;
    mutants_prove(a, &mutants_grid, &tally);
    proof->cases = tally.all;
    proof->said = g_strdup_printf("%ld mutants: %ld are found, and %ld are proven to be equal", tally.all,
                                  tally.all_caught, tally.all - tally.all_caught);
    proof->fault = tally.wrong;
}

static void prove_symmetry(const CollAlgorithm *a, Proof *proof)
{
    GearsProof of = {0};
    gears_prove_symmetry(a, &gears_grid, &of);
    gears_prove_nodes(a, &of);
    gears_prove_pattern(a, &of);
    proof->cases = of.n.schedules;
    proof->said = g_strdup_printf("%" G_GINT64_FORMAT " schedules are those of all ranks", of.n.schedules);
    proof->fault = of.wrong;
}

static void prove_gears(const CollAlgorithm *a, Proof *proof)
{
    GearsProof of = {0};
    gears_prove_agree(a, &gears_grid, &of);
    proof->cases = of.n.compared;
    proof->said = a->shared ? g_strdup("shared memory has one gear")
                            : g_strdup_printf("%" G_GINT64_FORMAT " replays are equal", of.n.compared);
    proof->fault = of.wrong;
}

static void prove_formula(const CollAlgorithm *a, Proof *proof)
{
    const size_t beyond[] = {64, 100, 127, 128};
    g_autoptr(GArray) ranks = g_array_new(FALSE, FALSE, sizeof(size_t));
    for (size_t p = 2; p <= 33; p++)
        g_array_append_val(ranks, p);
    g_array_append_vals(ranks, beyond, G_N_ELEMENTS(beyond));
    FormulaTally t = formulas_check(a, ranks);
    proof->cases = t.equal;
    proof->said = t.equal ? g_strdup_printf("%d times are equal, %d have no formula", t.equal, t.without)
                          : g_strdup("there is no formula");
    if (t.different) {
        char *end = strchr(t.told->str, '\n');
        proof->fault = g_strndup(t.told->str, end ? (gsize)(end - t.told->str) : t.told->len);
    }
    formulas_clear(&t);
}

void prove_step(const CollAlgorithm *a, ProveStep step, Proof *proof)
{
    static void (*const steps[N_PROVE_STEPS])(const CollAlgorithm *, Proof *) = {
        prove_contents, prove_mutants, prove_symmetry, prove_gears, prove_formula};
    *proof = (Proof){0};
    steps[step](a, proof);
}

void proof_clear(Proof *proof)
{
    g_free(proof->said);
    g_free(proof->fault);
}

// Names on the command line, one a line: a collective, an algorithm (of the registry, then of a library), and
// parameters. What is printed of them reads back as itself, also what a part has.
#include "base/nearest.h"
#include "fuzz.h"
#include "run/launch/forced.h"
#include "engine/schedule/parse.h"

static void parse_params(const CollAlgorithm *a, const char *assignment)
{
    CollParams par = algorithm_defaults(a), again = par;
    g_autoptr(GError) error = NULL;
    gboolean known = FALSE;
    if (!param_parse(a, assignment, &par, &known, &error)) {
        g_assert_true(known == (error != NULL));
        fuzz_outcome(!known, &error);
        return;
    }
    g_autofree char *written = params_text(a, &par);
    g_auto(GStrv) words = g_strsplit(written, " ", -1);
    for (char **word = words; *word; word++)
        g_assert_true(param_parse(a, *word, &again, &known, NULL));
    g_assert_cmpint(params_compare(a, &par, &again), ==, 0);
}

static void force(Collective collective, gboolean open_mpi, const char *text)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) found = forced_find(collective, open_mpi, text, &error);
    for (guint i = 0; fuzz_outcome(found != NULL, &error) && i < found->len; i++) {
        const Forced *forced = g_ptr_array_index(found, i);
        const CollParams par = algorithm_defaults(&forced->entry);
        g_auto(GStrv) words = forced_words(forced, open_mpi, TRUE, &par, &error);
        fuzz_outcome(words != NULL, &error);
    }
}

FUZZ_HARNESS(names)
{
    g_auto(GStrv) text = fuzz_lines(data, size, 3);
    g_autoptr(GError) error = NULL;
    Collective collective;
    if (!fuzz_outcome(collective_parse(text[0], &collective, &error), &error))
        return 0;
    const CollAlgorithm *a = algorithm_parse(collective, text[1], &error);
    if (fuzz_outcome(a != NULL, &error))
        parse_params(a, text[2]);
    force(collective, TRUE, text[1]);
    force(collective, FALSE, text[1]);
    return 0;
}

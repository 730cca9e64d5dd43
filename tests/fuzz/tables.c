// The tables of decisions. The first line of the input says which kind of table the rest is. What reads well decides a
// call without a fault.
#include "libraries/decide/decide.h"
#include "fuzz.h"
#include <string.h>

static void decide_some(Tables *tables)
{
    static const int ps[] = {1, 2, 7, 64};
    for (int k = 0; k < N_COLLECTIVES; k++)
        for (size_t i = 0; i < G_N_ELEMENTS(ps); i++) {
            const DecideCall call = {.collective = (Collective)k, .p = ps[i], .m = 64, .elem = 8, .commutative = TRUE};
            g_autoptr(Decision) d = decide_call(tables, &call);
            g_assert_true(d->entry || d->missing);
            g_free(decision_text(d));
        }
}

FUZZ_HARNESS(tables)
{
    g_auto(GStrv) text = fuzz_lines(data, size, 1);
    const gboolean tree = strcmp(text[0], "tree") == 0, compositions = strcmp(text[0], "compositions") == 0;
    g_autoptr(Tables) tables = tables_new(&libraries[tree || compositions ? LIBRARY_MPICH_43 : LIBRARY_OMPI_MAIN]);
    const char *path = fuzz_file(text[1], strlen(text[1]));
    g_autoptr(GError) error = NULL;
    const gboolean good = tree                                 ? tables_read_tree(tables->tree, path, &error)
                          : compositions                       ? tables_read_tree(tables->compositions, path, &error)
                          : strcmp(text[0], "algorithms") == 0 ? tables_read_algorithms(tables, path, &error)
                          : strcmp(text[0], "han") == 0        ? tables_read_han(tables, path, &error)
                                                               : tables_read_tuned(tables, path, &error);
    if (fuzz_outcome(good, &error))
        decide_some(tables);
    return 0;
}

// The table of Open MPI's parameters, and claims about them.
#include "judge/audit/facts.h"
#include "fuzz.h"

FUZZ_HARNESS(facts)
{
    static char texts[][48] = {"coll_tuned_bcast_algorithm", "coll_tuned_bcast_algorithm=0", "a", "a=b=c", "_"};
    static char empty[] = "";
    g_autoptr(GError) error = NULL;
    g_autoptr(Facts) facts = facts_read(fuzz_file(data, size), &error);
    for (size_t i = 0; fuzz_outcome(facts != NULL, &error) && i < G_N_ELEMENTS(texts); i++) {
        const Claim claim = {.id = empty,
                             .text = texts[i],
                             .let = empty,
                             .where = empty,
                             .truth = empty,
                             .collective = N_COLLECTIVES,
                             .quantity = QUANTITY_MCA};
        Audited result = {.claim = &claim};
        fuzz_outcome(facts_judge(facts, &claim, &result, &error), &error);
        char *const made[] = {result.verdict_text, result.claimed, result.truth, result.right.text, result.note};
        for (size_t k = 0; k < G_N_ELEMENTS(made); k++)
            g_free(made[k]);
    }
    return 0;
}

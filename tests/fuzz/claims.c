// Tables of claims (audit --claims). Those that need no simulation are judged, each with the input itself in place of
// Open MPI's table of parameters.
#include "judge/audit/audit.h"
#include "fuzz.h"

FUZZ_HARNESS(claims)
{
    g_autoptr(GPtrArray) claims = g_ptr_array_new_with_free_func((GDestroyNotify)claim_free);
    g_autoptr(GError) error = NULL;
    const char *path = fuzz_file(data, size);
    fuzz_outcome(claims_read(path, claims, &error), &error);
    for (guint i = claims->len; i-- > 0;)
        if (((const Claim *)claims->pdata[i])->quantity < QUANTITY_ID)
            g_ptr_array_remove_index(claims, i);
    if (!claims->len)
        return 0;
    const TruthOptions options = {.refine = 1, .platform = fuzz_platform()};
    for (int known = 0; known < 2; known++) {
        g_autoptr(Audit) audit = audit_run(claims, &options, known ? path : NULL, &error);
        fuzz_outcome(audit != NULL, &error);
    }
    return 0;
}

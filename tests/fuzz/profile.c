// Profiles of applications: CSV, reports of mpiP, and XML of IPM; then what is missing in them.
#include "advice/app/profile.h"
#include "fuzz.h"

FUZZ_HARNESS(profile)
{
    static const int ranks[] = {0, 4};
    for (size_t i = 0; i < G_N_ELEMENTS(ranks); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(Profile) profile = profile_parse((const char *)data, size, "f.csv", &error);
        if (!fuzz_outcome(profile != NULL, &error))
            return 0;
        g_assert(profile->rows->len > 0);
        if (!fuzz_outcome(profile_complete(profile, ranks[i], 0, i, &error), &error))
            continue;
        for (guint k = 0; k < profile->rows->len; k++) {
            const ProfileRow *row = &g_array_index(profile->rows, ProfileRow, k);
            g_assert(row->p > 0 && row->calls >= 0 && row->elem > 0 && row->m % row->elem == 0);
            g_assert(row->per_node == 0 || row->p % row->per_node == 0);
        }
    }
    return 0;
}

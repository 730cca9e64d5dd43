// What NCCL prints of its choices; then what its tables give at some sizes.
#include "libraries/nccl/nccl_log.h"
#include "fuzz.h"

FUZZ_HARNESS(nccl)
{
    g_autofree char *text = g_strndup((const char *)data, size);
    g_autoptr(NcclLog) log = nccl_log_read(text, size % 7 == 0 ? NCCL_ALLREDUCE : -1);
    for (guint i = 0; log && i < log->tables->len; i++)
        for (int function = 0; function < NCCL_N_FUNCTIONS; function++)
            for (gsize bytes = 1; bytes < (gsize)1 << 40; bytes *= 37) {
                NcclPair next;
                const NcclPair best = nccl_choose(nccl_log_table(log, (int)i), function, bytes, &next);
                g_assert_true(best < NCCL_N_PAIRS && (next < 0 || best >= 0) && (best < 0 || best != next));
            }
    return 0;
}

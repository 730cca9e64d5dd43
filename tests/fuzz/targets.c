// Files for Intel MPI, NCCL and PGMPITuneLib: the first byte says which. What is read without a trap is written, and reads back.
#include "libraries/targets/target.h"
#include "fuzz.h"
#include <string.h>

// Returns TRUE if a file can have these rules: one collective on one number of ranks for a profile, nothing that writers leave out.
static gboolean writable(const TargetFile *file)
{
    const TargetRule *first = &g_array_index(file->rules, TargetRule, 0);
    for (guint i = 0; i < file->rules->len; i++) {
        const TargetRule *rule = &g_array_index(file->rules, TargetRule, i);
        if (rule->condition || rule->ranks.last > G_MAXINT32 || strchr(rule->runs, ',') ||
            (file->target->id == TARGET_PGMPI &&
             (rule->collective != first->collective || rule->bytes.last > G_MAXINT32)))
            return FALSE;
    }
    return file->rules->len > 0 && file->traps->len == 0;
}

FUZZ_HARNESS(targets)
{
    if (size == 0)
        return 0;
    const Target *target = &targets[*data % N_TARGETS];
    g_autoptr(GError) error = NULL;
    g_autofree char *text = g_strndup((const char *)data + 1, size - 1);
    g_autoptr(TargetFile) file = target_parse(text, strlen(text), "f", target, &error);
    if (!fuzz_outcome(file != NULL, &error) || !writable(file))
        return 0;
    g_autoptr(GPtrArray) header = g_ptr_array_new();
    g_autofree char *written = target_text(target, file->rules, header);
    g_autoptr(TargetFile) again = target_parse(written, strlen(written), "again", target, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(again->rules->len, ==, file->rules->len);
    return 0;
}

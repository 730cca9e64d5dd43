#include "libraries/targets/target.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/text.h"
#include <string.h>

const Target targets[N_TARGETS] = {
    [TARGET_INTEL] = {TARGET_INTEL, "intel", "Intel MPI", "set of I_MPI_ADJUST variables",
                      "what -m of `collsim run` is, as far as that is known"},
    [TARGET_NCCL] = {TARGET_NCCL, "nccl", "NCCL", "file for its tuner plug-in",
                     "all that a rank has in the end, or at the beginning if that is more"},
    [TARGET_PGMPI] = {TARGET_PGMPI, "pgmpi", "PGMPITuneLib", "profile", "those of the call's count"},
};

const Target *target_find(const char *name)
{
    for (int i = 0; i < N_TARGETS; i++)
        if (g_ascii_strcasecmp(targets[i].name, name) == 0)
            return &targets[i];
    return NULL;
}

// ---- A file ---------------------------------------------------------------------------------------------------------

void target_free(TargetFile *file)
{
    if (!file)
        return;
    g_free(file->name);
    g_array_unref(file->rules);
    g_array_unref(file->traps);
    g_string_chunk_free(file->texts);
    g_free(file);
}

void target_trap(TargetFile *file, TrapKind kind, size_t line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    trap_add(file->traps, kind, line, format, args);
    va_end(args);
}

guint target_n_traps(const TargetFile *file)
{
    return trap_count(file->traps, TRUE);
}

// Returns TRUE if all calls of the second rule are of the first one.
static gboolean covers(const TargetRule *first, const TargetRule *second)
{
    return first->collective == second->collective && (!first->nodes || first->nodes == second->nodes) &&
           first->ranks.first <= second->ranks.first && first->ranks.last >= second->ranks.last &&
           first->bytes.first <= second->bytes.first && first->bytes.last >= second->bytes.last && !first->condition;
}

void target_add(TargetFile *file, const TargetRule *rule)
{
    enum { MOST = 4096 }; // rules that are compared with each other
    TargetRule own = *rule;
    own.runs = g_string_chunk_insert_const(file->texts, rule->runs);
    own.condition = rule->condition ? g_string_chunk_insert_const(file->texts, rule->condition) : NULL;
    for (guint i = 0; i < MIN(file->rules->len, MOST); i++) {
        const TargetRule *before = &g_array_index(file->rules, TargetRule, i);
        if (!covers(before, &own))
            continue;
        target_trap(file, TRAP_DEAD, own.line, "no call reaches this: line %zu decides all of its calls", before->line);
        break;
    }
    g_array_append_val(file->rules, own);
}

const TargetRule *target_rule(const TargetFile *file, Collective collective, int nodes, int p, size_t bytes)
{
    for (guint i = 0; i < file->rules->len; i++) {
        const TargetRule *rule = &g_array_index(file->rules, TargetRule, i);
        if (rule->collective == collective && (!rule->nodes || rule->nodes == nodes) && p >= rule->ranks.first &&
            p <= rule->ranks.last && (gint64)bytes >= rule->bytes.first && (gint64)bytes <= rule->bytes.last)
            return rule;
    }
    return NULL;
}

// ---- Reading --------------------------------------------------------------------------------------------------------

gboolean target_number(TargetLines *at, const char *what, const char *word, size_t most, gint64 *value)
{
    size_t number;
    if (number_size(word, 0, most, &number)) {
        *value = (gint64)number;
        return TRUE;
    }
    *value = MAX(g_ascii_strtoll(word, NULL, 10), -1);
    *value = MIN(*value, (gint64)most);
    g_autofree char *allowed = number_range(0, most), *shown = g_strndup(word, 40);
    target_trap(at->file, TRAP_MISREAD, at->line, "the %s is '%s', which is read as another number; allowed: %s", what,
                shown, allowed);
    return FALSE;
}

TargetFile *target_parse(const char *text, size_t length, const char *name, const Target *target, GError **error)
{
    static void (*const readers[N_TARGETS])(TargetLines * at) = {
        [TARGET_INTEL] = target_intel_read, [TARGET_NCCL] = target_nccl_read, [TARGET_PGMPI] = target_pgmpi_read};
    if (!text_check(text, length, LIMIT_RULES_BYTES, name, error))
        return NULL;
    TargetFile *file = g_new0(TargetFile, 1);
    file->target = target;
    file->name = g_filename_display_name(name);
    file->rules = g_array_new(FALSE, FALSE, sizeof(TargetRule));
    file->traps = trap_list_new();
    file->texts = g_string_chunk_new(256);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    readers[target->id](&(TargetLines){file, lines, 0});
    trap_sort(file->traps);
    return file;
}

TargetFile *target_read(const char *path, const Target *target, GError **error)
{
    size_t length;
    g_autofree char *text = text_read_as_is(path, LIMIT_RULES_BYTES, &length, error);
    return text ? target_parse(text, length, text_name(path), target, error) : NULL;
}

// ---- Writing --------------------------------------------------------------------------------------------------------

char *target_text(const Target *target, const GArray *rules, const GPtrArray *header)
{
    static void (*const writers[N_TARGETS])(GString * text, const GArray *rules) = {
        [TARGET_INTEL] = target_intel_write, [TARGET_NCCL] = target_nccl_write, [TARGET_PGMPI] = target_pgmpi_write};
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < header->len; i++)
        g_string_append_printf(text, "#%s%s\n", *(const char *)header->pdata[i] ? " " : "",
                               (const char *)header->pdata[i]);
    writers[target->id](text, rules);
    return g_string_free(text, FALSE);
}

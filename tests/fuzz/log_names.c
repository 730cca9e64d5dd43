// CSV of other people, read with a file of names: the names, a line "---", the texts of --where, a line "---", and the log.
// Then whether its rows agree.
#include "base/limits.h"
#include "fuzz.h"
#include "measurements/logs/log_names.h"
#include "measurements/logs/logs.h"
#include <math.h>
#include <string.h>

// Cuts the text at the next line "---" and moves *rest behind it. Returns the part before it.
static char *part(char **rest)
{
    char *const begin = *rest, *const end = strstr(begin, "---\n");
    *rest = end ? end + 4 : begin + strlen(begin);
    if (end)
        *end = '\0';
    return begin;
}

FUZZ_HARNESS(log_names)
{
    g_autofree char *text = g_strndup((const char *)data, size);
    char *rest = text;
    const char *const names_text = part(&rest);
    g_auto(GStrv) where = g_strsplit(g_strchomp(part(&rest)), "\n", -1);
    g_autoptr(GError) error = NULL;
    g_autoptr(LogNames) names = log_names_parse(names_text, strlen(names_text), "n.csv", &error);
    if (!fuzz_outcome(names != NULL, &error))
        return 0;
    for (LogBytes bytes = LOG_BYTES_OSU; bytes <= LOG_BYTES_BLOCK; bytes++) {
        const LogReading how = {.names = names, .bytes = bytes, .where = where};
        g_autoptr(Log) log = log_parse(rest, strlen(rest), "f.csv", NULL, &how, &error);
        if (!fuzz_outcome(log != NULL, &error))
            continue;
        for (guint i = 0; i < log->samples->len; i++) {
            const LogSample *const s = &g_array_index(log->samples, LogSample, i);
            g_assert_true(s->bytes <= LIMIT_BYTES && isfinite(s->time_s) && s->per_node >= 0);
        }
        g_autoptr(GPtrArray) logs = g_ptr_array_new();
        g_ptr_array_add(logs, log);
        fuzz_outcome(logs_agree(logs, &error), &error);
    }
    return 0;
}

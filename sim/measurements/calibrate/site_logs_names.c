// What a user says of the files of a site.
#include "base/csv.h"
#include "base/error.h"
#include "measurements/calibrate/site_logs.h"
#include <string.h>

typedef struct SiteName {
    char *theirs, *level; // level: NULL if it has none
    SiteUse use;
    char *line; // "names.csv:2"
} SiteName;

struct SiteLogsNames {
    GArray *lines; // of SiteName
};

static void name_clear(gpointer data)
{
    SiteName *const name = data;
    g_free(name->theirs);
    g_free(name->level);
    g_free(name->line);
}

void site_logs_names_free(SiteLogsNames *names)
{
    if (!names)
        return;
    g_array_unref(names->lines);
    g_free(names);
}

static gboolean read_line(const Csv *csv, size_t row, int theirs, int ours, SiteName *name, GError **error)
{
    const char *const text = csv_field(csv, row, ours), *const at = strchr(text, '@');
    g_autofree char *word = g_strndup(text, strcspn(text, "@"));
    name->line = g_strdup_printf("%s:%zu", csv_name(csv), csv_line(csv, row));
    name->theirs = g_strdup(csv_field(csv, row, theirs));
    name->level = at ? g_strdup(at + 1) : NULL;
    name->use = N_SITE_USES;
    for (int i = 0; i < N_SITE_USES; i++)
        if (strcmp(word, site_logs_use_names[i]) == 0)
            name->use = (SiteUse)i;
    return (name->use < N_SITE_USES && site_logs_has_level(name->use) == (at != NULL) && *name->theirs) ||
           bad_input(
               error,
               "%s: `%.40s` is `%.40s`; allowed: one@LEVEL, step@LEVEL, gap@LEVEL, both@LEVEL, nic, memory, gamma, "
               "check or nothing, for a file's name",
               name->line, name->theirs, text);
}

SiteLogsNames *site_logs_names_read(const char *path, GError **error)
{
    int theirs, ours;
    g_autoptr(Csv) csv = csv_read(path, error);
    if (!csv || !csv_need(csv, "theirs", &theirs, error) || !csv_need(csv, "ours", &ours, error))
        return NULL;
    g_autoptr(SiteLogsNames) names = g_new0(SiteLogsNames, 1);
    names->lines = g_array_new(FALSE, TRUE, sizeof(SiteName));
    g_array_set_clear_func(names->lines, name_clear);
    for (size_t row = 0; row < csv_rows(csv); row++) {
        g_array_set_size(names->lines, (guint)row + 1);
        if (!read_line(csv, row, theirs, ours, &g_array_index(names->lines, SiteName, row), error))
            return NULL;
    }
    return g_steal_pointer(&names);
}

gboolean site_logs_names_find(const SiteLogsNames *names, const char *file, SiteUse *use, const char **level)
{
    g_autofree char *base = g_path_get_basename(file);
    for (guint i = 0; names && i < names->lines->len; i++) {
        const SiteName *const name = &g_array_index(names->lines, SiteName, i);
        if (!g_pattern_match_simple(name->theirs, file) && !g_pattern_match_simple(name->theirs, base))
            continue;
        *use = name->use;
        *level = name->level;
        return TRUE;
    }
    return FALSE;
}

gboolean site_logs_names_check(const SiteLogsNames *names, const Levels *levels, GError **error)
{
    int level;
    for (guint i = 0; names && i < names->lines->len; i++) {
        const SiteName *const name = &g_array_index(names->lines, SiteName, i);
        if (name->level && !levels_find(levels, name->level, &level, error)) {
            g_prefix_error(error, "%s: ", name->line);
            return FALSE;
        }
    }
    return TRUE;
}

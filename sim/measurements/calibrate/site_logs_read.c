#include "measurements/calibrate/site_logs.h"
#include "base/error.h"
#include "base/limits.h"
#include <string.h>

enum {
    MOST_FILES = 4096,
    DEEPEST = 16, // folders below the site's
};

const char *const site_logs_use_names[N_SITE_USES] = {
    [SITE_NOTHING] = "nothing", [SITE_ONE] = "one",     [SITE_STEP] = "step",
    [SITE_GAP] = "gap",         [SITE_BOTH] = "both",   [SITE_NIC] = "nic",
    [SITE_MEMORY] = "memory",   [SITE_GAMMA] = "gamma", [SITE_CHECK] = "check",
};

gboolean site_logs_has_level(SiteUse use)
{
    return use == SITE_ONE || use == SITE_STEP || use == SITE_GAP || use == SITE_BOTH;
}

static void file_clear(gpointer data)
{
    SiteFile *const file = data;
    g_free(file->name);
    g_free(file->fault);
    log_free(file->log);
}

static void table_clear(gpointer data)
{
    g_free(((SiteTable *)data)->why);
}

static void figure_clear(gpointer data)
{
    SiteFigure *const figure = data;
    g_free(figure->name);
    g_free(figure->source);
    g_free(figure->missing);
}

static SiteLogs *make_site(void)
{
    SiteLogs *site = g_new0(SiteLogs, 1);
    site->files = g_array_new(FALSE, TRUE, sizeof(SiteFile));
    site->tables = g_array_new(FALSE, TRUE, sizeof(SiteTable));
    site->figures = g_array_new(FALSE, TRUE, sizeof(SiteFigure));
    g_array_set_clear_func(site->files, file_clear);
    g_array_set_clear_func(site->tables, table_clear);
    g_array_set_clear_func(site->figures, figure_clear);
    site->notes = g_ptr_array_new_with_free_func(g_free);
    site->made = g_ptr_array_new_with_free_func((GDestroyNotify)log_free);
    return site;
}

void site_logs_free(SiteLogs *site)
{
    if (!site)
        return;
    g_ptr_array_unref(site->made); // whose texts are those of the files
    g_array_unref(site->tables);
    g_array_unref(site->files);
    g_array_unref(site->figures);
    g_ptr_array_unref(site->notes);
    g_free(site->mpi);
    g_free(site);
}

static int compare_names(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// Adds to `names` the regular files below a folder, as paths from the site's; folders that a link leads to are not entered.
static gboolean list(const char *root, const char *below, int depth, GPtrArray *names, GError **error)
{
    g_autofree char *path = *below ? g_build_filename(root, below, NULL) : g_strdup(root);
    g_autoptr(GError) fault = NULL;
    g_autoptr(GDir) dir = g_dir_open(path, 0, &fault);
    if (!dir)
        return depth > 0 || bad_input(error, "--site: %s; allowed: a folder of logs", fault->message);
    for (const char *name; (name = g_dir_read_name(dir));) {
        g_autofree char *inner = *below ? g_build_filename(below, name, NULL) : g_strdup(name),
                        *whole = g_build_filename(path, name, NULL);
        if (*name == '.')
            continue;
        if (g_file_test(whole, G_FILE_TEST_IS_REGULAR))
            g_ptr_array_add(names, g_steal_pointer(&inner));
        else if (depth < DEEPEST && g_file_test(whole, G_FILE_TEST_IS_DIR) &&
                 !g_file_test(whole, G_FILE_TEST_IS_SYMLINK) && !list(root, inner, depth + 1, names, error))
            return FALSE;
        if (names->len > MOST_FILES)
            return bad_input(error, "--site %s has too many files; allowed: at most %d", root, MOST_FILES);
    }
    return TRUE;
}

// Reads a file, whose log is called by its name below the folder.
static void read_file(SiteLogs *site, const char *root, const char *name)
{
    g_autofree char *path = g_build_filename(root, name, NULL);
    g_autoptr(GError) fault = NULL;
    SiteFile file = {.name = g_filename_display_name(name), .log = log_read(path, NULL, NULL, &fault)};
    if (file.log) {
        g_free(file.log->name);
        file.log->name = g_strdup(file.name);
        if (file.log->mpi && !site->mpi)
            site->mpi = g_strdup(file.log->mpi);
    } else {
        g_autofree char *shown = g_filename_display_name(path); // with which the fault begins
        const gboolean begins = g_str_has_prefix(fault->message, shown);
        const char *const rest = fault->message + (begins ? strlen(shown) : 0);
        file.fault = g_strdup(rest + strspn(rest, ": "));
    }
    g_array_append_val(site->files, file);
}

// Says what of a log cannot be used, but nothing of what jobs print around the tables.
static void note_passed(SiteLogs *site, const Log *log)
{
    const char *first = NULL;
    guint n = 0;
    for (guint i = 0; i < log->passed->len; i++)
        if (!g_str_has_suffix(log->passed->pdata[i], log_not_in_table) && !n++)
            first = log->passed->pdata[i];
    if (n > 1)
        g_ptr_array_add(site->notes, g_strdup_printf("%s: passed over: %s; and %u more", log->name, first, n - 1));
    else if (n)
        g_ptr_array_add(site->notes, g_strdup_printf("%s: passed over: %s", log->name, first));
}

// Adds the tables of a log.
static void add_tables(SiteLogs *site, const Log *log)
{
    const LogSample *const all = (const LogSample *)(const void *)log->samples->data;
    for (guint i = 0, next; i < log->samples->len; i = next) {
        for (next = i + 1; next < log->samples->len && all[next].sweep == all[i].sweep &&
                           all[next].kind == all[i].kind && all[next].p == all[i].p;)
            next++;
        SiteTable table = {.log = log, .first = &all[i], .n = next - i, .benchmark = log_benchmark_of(&all[i])};
        if (table.benchmark)
            table.launch = table.benchmark->launch;
        g_array_append_val(site->tables, table);
    }
}

SiteLogs *site_logs_read(const char *folder, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    if (!list(folder, "", 0, names, error))
        return NULL;
    g_ptr_array_sort(names, compare_names);
    g_autoptr(SiteLogs) site = make_site();
    guint read = 0;
    for (guint i = 0; i < names->len; i++) {
        read_file(site, folder, g_ptr_array_index(names, i));
        read += g_array_index(site->files, SiteFile, i).log != NULL;
    }
    for (guint i = 0; i < site->files->len; i++)
        if (g_array_index(site->files, SiteFile, i).log) {
            note_passed(site, g_array_index(site->files, SiteFile, i).log);
            add_tables(site, g_array_index(site->files, SiteFile, i).log);
        }
    if (read)
        return g_steal_pointer(&site);
    const SiteFile *const first = names->len ? &g_array_index(site->files, SiteFile, 0) : NULL;
    bad_input(error, "--site %s: no file can be used%s%s%s%s; allowed: a folder with output of OSU or IMB benchmarks",
              folder, first ? ", the first is " : "", first ? first->name : "", first ? ": " : "",
              first ? first->fault : "");
    return NULL;
}

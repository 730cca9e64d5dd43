// Logs as jobs write them: every case of job_logs.txt gives the rows that it says, and passes over what it says.
#include "advice/app/profile.h"
#include "measurements/logs/logs.h"
#include "tap.h"
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

// Appends what was read as the lines of the case have it: "= allreduce 4 64 85" for 4 ranks, 64 bytes and 85 us, and
// "! .." for what was passed over.
static void append_log(const char *label_text, GString *is)
{
    g_autoptr(GError) error = NULL;
    g_auto(LogLabel) label = {0};
    g_autofree char *argument = g_strdup_printf("%s=f", label_text);
    const char *path;
    if (*label_text)
        g_assert_true(log_label(argument, &label, &path, NULL));
    g_autoptr(Log) log = log_read("f", *label_text ? &label : NULL, NULL, &error);
    if (!log) {
        g_string_append_printf(is, "! %s\n", error->message);
        return;
    }
    for (guint i = 0; i < log->samples->len; i++) {
        const LogSample *const s = &g_array_index(log->samples, LogSample, i);
        g_string_append_printf(is, "= %s %d %zu %g%s%s", log_kind_name(s->kind, s->collective), s->p, s->bytes,
                               s->time_s * 1e6, s->mean ? " mean" : "", s->algorithm ? " " : "");
        g_string_append_printf(is, "%s\n", s->algorithm ? s->algorithm : "");
    }
    for (guint i = 0; i < log->passed->len; i++)
        g_string_append_printf(is, "! %s\n", (char *)log->passed->pdata[i]);
    for (guint i = 0; i < log->measured->len; i++)
        g_string_append_printf(is, "! measured %s\n", (char *)log->measured->pdata[i]);
}

static void append_profile(GString *is)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Profile) profile = profile_read("f", &error);
    if (!profile) {
        g_string_append_printf(is, "! %s\n", error->message);
        return;
    }
    for (guint i = 0; i < profile->rows->len; i++) {
        const ProfileRow *const row = &g_array_index(profile->rows, ProfileRow, i);
        g_string_append_printf(is, "= %s %d %zu %" G_GINT64_FORMAT "\n", collectives[row->collective].name, row->p,
                               row->m, row->calls);
    }
    for (guint i = 0; i < profile->notes->len; i++)
        g_string_append_printf(is, "! %s\n", (char *)profile->notes->pdata[i]);
}

// A case is "## log NAME" or "## log LABEL= NAME" or "## profile NAME", the lines of the file with the escapes of C, and the
// lines of what is read, which begin with "= " or "! ". The file's last line ends in a line end unless it ends in \c.
static void test_case(gconstpointer data)
{
    const char *const *words = data; // of the title, the text, and what is expected
    g_autofree char *text = g_strcompress(words[1]);
    g_autoptr(GString) is = g_string_new(NULL);
    g_assert_true(g_file_set_contents("f", text, -1, NULL));
    if (g_str_has_prefix(words[0], "profile "))
        append_profile(is);
    else {
        const char *const name = words[0] + strlen("log "), *const equals = strstr(name, "= ");
        g_autofree char *label = equals ? g_strndup(name, (gsize)(equals - name)) : g_strdup("");
        append_log(label, is);
    }
    g_assert_cmpstr(is->str, ==, words[2]);
}

static GPtrArray *cases; // of char *[3]

static void read_cases(const char *path)
{
    g_autofree char *all = NULL;
    cases = g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
    g_assert_true(g_file_get_contents(path, &all, NULL, NULL));
    g_auto(GStrv) parts = g_strsplit(all, "\n## ", -1);
    for (char **part = parts + 1; *part; part++) { // the first one is a comment
        g_auto(GStrv) lines = g_strsplit(*part, "\n", -1);
        GString *text = g_string_new(NULL), *expected = g_string_new(NULL);
        for (char **line = lines + 1; *line; line++) {
            const gboolean due = g_str_has_prefix(*line, "= ") || g_str_has_prefix(*line, "! ");
            if (due || line[1] || **line)
                g_string_append_printf(due ? expected : text, "%s\n", *line);
        }
        if (g_str_has_suffix(text->str, "\\c\n"))
            g_string_truncate(text, text->len - 3);
        char **one = g_new0(char *, 4);
        one[0] = g_strdup(lines[0]);
        one[1] = g_string_free(text, FALSE);
        one[2] = g_string_free(expected, FALSE);
        g_ptr_array_add(cases, one);
    }
}

static void add(void)
{
    for (guint i = 0; i < cases->len; i++) {
        char **const one = cases->pdata[i];
        g_autofree char *path = g_strdup_printf("/job-logs/%s", one[0]);
        g_strdelimit(path + strlen("/job-logs/"), "/", '-');
        g_test_add_data_func(path, one, test_case);
    }
}

int main(int argc, char **argv)
{
    g_autofree char *folder = g_path_get_dirname(__FILE__), *path = g_build_filename(folder, "job_logs.txt", NULL);
    read_cases(path);
    g_autofree char *place = g_dir_make_tmp(NULL, NULL);
    g_assert_true(place && g_chdir(place) == 0);
    const int status = tap_run(argc, argv, add);
    g_remove("f");
    g_rmdir(place);
    g_ptr_array_unref(cases);
    return status;
}

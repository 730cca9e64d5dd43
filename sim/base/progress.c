#include "base/progress.h"
#include "base/escape.h"
#include "base/units.h"
#include <stdio.h>
#include <unistd.h>

enum { WIDTH = 79, DRAWN_EVERY_US = 50000 };

static gboolean allowed; // set once, before any thread begins

void progress_allow(void)
{
    allowed = TRUE;
}

void progress_begin(Progress *progress, const char *what, guint total)
{
    *progress = (Progress){what, total, g_get_monotonic_time(), 0, allowed && total > 1 && isatty(STDERR_FILENO)};
}

gboolean progress_due(const Progress *progress)
{
    return progress->shown && g_get_monotonic_time() - progress->drawn_us >= DRAWN_EVERY_US;
}

void progress_show(Progress *progress, guint done, const char *name)
{
    const gint64 now_us = g_get_monotonic_time();
    progress->drawn_us = now_us;
    const double elapsed_s = 1e-6 * (double)(now_us - progress->start_us);
    g_autoptr(GString) line = g_string_new(NULL);
    g_string_printf(line, "%s: %u of %u", progress->what, done, progress->total);
    if (done > 0 && elapsed_s > 0) {
        const double rate = done / elapsed_s, left_s = (progress->total - done) / rate;
        g_string_append_printf(line, ", %.*f per second, %.0f s left", rate < 10 ? 1 : 0, rate, left_s);
    }
    if (name) {
        g_autofree char *plain = escape_terminal(name);
        g_string_append_printf(line, ": %s", plain);
    }
    fprintf(stderr, "\r%-*.*s", WIDTH, WIDTH, line->str);
}

void progress_end(const Progress *progress)
{
    if (progress->shown)
        progress_clear();
}

void progress_clear(void)
{
    if (allowed && isatty(STDERR_FILENO))
        fprintf(stderr, "\r%*s\r", WIDTH, "");
}

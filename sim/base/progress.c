#include "base/progress.h"
#include "base/escape.h"
#include "base/units.h"
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 79, DRAWN_EVERY_US = 50000 };

// Of processors: what shows the rate, and what is left when it is worth a line. They do not depend on what else runs here.
static const double sample_s = 1, long_s = 4;

static gboolean allowed; // set once, before any thread begins
static gboolean told;    // how long it all takes is known

void progress_foreseen(void)
{
    told = TRUE;
}

void progress_forget(void)
{
    told = FALSE;
}

void progress_allow(void)
{
    allowed = TRUE;
}

static double used_s(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

void progress_begin(Progress *progress, const char *what, guint total)
{
    const gboolean any = allowed && what && total > 1, terminal = any && isatty(STDERR_FILENO);
    *progress = (Progress){what, total, g_get_monotonic_time(), 0, used_s(), terminal, !any || terminal};
}

void progress_foresee(Progress *progress, guint done)
{
    if (progress->said || told || done == 0)
        return;
    const double spent_s = used_s() - progress->start_used_s, parts = (double)progress->total / done;
    if (spent_s < sample_s)
        return;
    progress->said = TRUE;
    if (spent_s * (parts - 1) < long_s)
        return;
    g_autofree char *about = units_format_about(1e-6 * (double)(g_get_monotonic_time() - progress->start_us) * parts);
    told = TRUE;
    fprintf(stderr, "collsim: note: running %u %s takes about %s, at the rate of the first %u\n", progress->total,
            progress->what, about, done);
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

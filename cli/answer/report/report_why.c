// Prints why a run takes so long: the verdict, the critical path, and what would help. A stretch of the path that
// repeats, shifted by the same number of ranks each time, is printed once. On a machine with levels, each message has
// its level, and a line at the end sums the time up by levels; another one does by phases, where the algorithm names
// several.
#include "answer/report/report.h"
#include "answer/report/why.h"
#include "base/distinct.h"
#include "base/units.h"
#include "out/wrap.h"
#include <string.h>

enum { MAX_BODY = 64, LEAST_ROUNDS = 3 };

static int moved(int from, int to, int p)
{
    return ((to - from) % p + p) % p;
}

// Returns how often the `body` steps from `first` on occur in a row, before `end`.
static guint rounds_of(const GArray *why, guint first, guint end, guint body, int p)
{
    const WhyStep *x = &g_array_index(why, WhyStep, first);
    if (first + 2 * body > end)
        return 1;
    const int by = moved(x[0].rank, x[body].rank, p);
    guint n = 1;
    for (; first + (n + 1) * body <= end; n++)
        for (guint i = n * body; i < (n + 1) * body; i++) {
            const WhyStep *a = &x[i - body], *b = &x[i];
            if (strcmp(a->what, b->what) != 0 || g_strcmp0(a->level, b->level) != 0 || a->phase != b->phase ||
                (a->peer < 0) != (b->peer < 0) || moved(a->rank, b->rank, p) != by ||
                (a->peer >= 0 && moved(a->peer, b->peer, p) != by))
                return n;
        }
    return n;
}

// Returns TRUE if the steps are of several phases.
static gboolean has_phases(const GArray *why)
{
    for (guint i = 1; i < why->len; i++)
        if (g_array_index(why, WhyStep, i).phase != g_array_index(why, WhyStep, 0).phase)
            return TRUE;
    return FALSE;
}

static const char *phase_of(const WhyStep *x)
{
    return x->phase ? x->phase : "between phases";
}

// Prints the phase of a step, and how long the path is in it.
static void print_phase(FILE *to, const GArray *why, guint at)
{
    const WhyStep *x = &g_array_index(why, WhyStep, at);
    guint last = at;
    while (last + 1 < why->len && g_array_index(why, WhyStep, last + 1).phase == x->phase)
        last++;
    g_autofree char *time = units_format_time(g_array_index(why, WhyStep, last).end_s - x->start_s),
                    *text = g_strdup_printf("%s: %s", phase_of(x), time);
    wrap_print(to, "  -- ", text);
}

// Returns TRUE if steps have levels.
static gboolean has_levels(const GArray *why)
{
    for (guint i = 0; i < why->len; i++)
        if (g_array_index(why, WhyStep, i).level)
            return TRUE;
    return FALSE;
}

// "memory busy" occurs only where there are levels.
static int operation_width(gboolean levels)
{
    return levels ? 11 : 10;
}

static void print_step(FILE *to, const WhyStep *x, gboolean levels)
{
    g_autofree char *size = units_format_size(x->bytes),
                    *peer = x->peer < 0 ? g_strdup("") : g_strdup_printf("%d", x->peer);
    fprintf(to, "  %14.3f  %12.3f  %8d  %-*s %8s  %8s", x->start_s * 1e6, (x->end_s - x->start_s) * 1e6, x->rank,
            operation_width(levels), x->what, peer, size);
    if (levels && x->level)
        fprintf(to, "  %s", x->level);
    if (x->link)
        fprintf(to, "  %s%s, of %u message%s", levels && !x->level ? "  " : "", x->link, x->sharers,
                x->sharers == 1 ? "" : "s");
    fputc('\n', to);
}

static void print_fold(FILE *to, const GArray *why, guint first, guint body, guint rounds, int p)
{
    const WhyStep *x = &g_array_index(why, WhyStep, first), *last = &x[body * rounds - 1];
    const int by = moved(x[0].rank, x[body].rank, p);
    uint64_t least = UINT64_MAX, most = 0;
    for (guint i = 0; i < body * rounds; i++) {
        least = MIN(least, x[i].bytes);
        most = MAX(most, x[i].bytes);
    }
    g_autofree char *a = units_format_size(least), *b = units_format_size(most), *n = report_grouped(rounds),
                    *until = units_format_time(last->end_s),
                    *rank = by ? g_strdup_printf(", each at rank %+d", 2 * by > p ? by - p : by) : g_strdup(""),
                    *lines = body == 1   ? g_strdup("line")
                             : body == 2 ? g_strdup("two lines")
                                         : g_strdup_printf("%u lines", body),
                    *bytes = least != most ? g_strdup_printf(", %s to %s bytes", a, b) : g_strdup(""),
                    *text = g_strdup_printf("the last %s %s times in all%s%s, to %s", lines, n, rank, bytes, until);
    wrap_print(to, "      ..  ", text);
}

// Returns the name under which the time of a step is summed: a message's level, or the name of any other step.
static const char *heading(const WhyStep *x)
{
    const gboolean busy = g_str_has_suffix(x->what, " busy");
    return x->level && !busy ? x->level : x->what;
}

// Prints "in all: node 4.1 us, far 9 us, reduce 256 ns", in the order in which these names first occur, with `between`
// between them.
static void print_sums(FILE *to, const char *head, const char *between, const GArray *why,
                       const char *(*name_of)(const WhyStep *x))
{
    g_autoptr(GPtrArray) done = g_ptr_array_new();
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < why->len; i++) {
        const char *name = name_of(&g_array_index(why, WhyStep, i));
        const guint before = done->len;
        double sum_s = 0;
        if (distinct_name(done, name) < before)
            continue;
        for (guint k = i; k < why->len; k++) {
            const WhyStep *x = &g_array_index(why, WhyStep, k);
            sum_s += strcmp(name_of(x), name) == 0 ? x->end_s - x->start_s : 0;
        }
        g_autofree char *time = units_format_time(sum_s);
        g_string_append_printf(text, "%s%s %s", text->len ? between : "", name, time);
    }
    wrap_print(to, head, text->str);
}

// What the lines of a path have in common.
typedef struct PathLines {
    FILE *to;
    const GArray *why;
    int p;
    gboolean levels, phases;
    const char *phase; // of the line before
} PathLines;

// Prints the steps first .. end-1. Inside a stretch that repeats as a whole, shorter ones may.
static void print_steps(PathLines *x, guint first, guint end)
{
    for (guint i = first; i < end;) {
        guint best = 1, rounds = 1;
        for (guint body = 1; body <= MAX_BODY && LEAST_ROUNDS * body <= end - i; body++) {
            const guint n = rounds_of(x->why, i, end, body, x->p);
            if (n >= LEAST_ROUNDS && n * body > best * rounds)
                best = body, rounds = n;
        }
        const WhyStep *step = &g_array_index(x->why, WhyStep, i);
        if (best > 1) {
            print_steps(x, i, i + best);
        } else {
            if (x->phases && step->phase != x->phase)
                print_phase(x->to, x->why, i);
            x->phase = step->phase;
            print_step(x->to, step, x->levels);
        }
        if (rounds > 1)
            print_fold(x->to, x->why, i, best, rounds, x->p);
        i += best * rounds;
    }
}

static void print_path(FILE *to, const GArray *why, int p)
{
    PathLines x = {to, why, p, has_levels(why), has_phases(why), ""};
    fprintf(to, "  %14s  %12s  %8s  %-*s %8s  %8s%s\n", "from (us)", "takes (us)", "rank", operation_width(x.levels),
            "operation", "peer", "bytes", x.levels ? "  level" : "");
    print_steps(&x, 0, why->len);
    if (x.levels)
        print_sums(to, "  in all: ", ", ", why, heading);
    if (x.phases)
        print_sums(to, "  phases: ", "; ", why, phase_of);
}

// ---- What would help ------------------------------------------------------------------------------------------------

static void print_relief(FILE *to, const Point *x)
{
    guint width = (guint)strlen("what would help");
    if (!x->relief || x->relief->len == 0)
        return;
    for (guint i = 0; i < x->relief->len; i++)
        width = MAX(width, (guint)strlen(g_array_index(x->relief, Relief, i).change));
    fprintf(to, "\n  %-*s  %8s  %9s  %s\n", (int)width, "what would help", "time", "saves", "then limits");
    for (guint i = 0; i < x->relief->len; i++) {
        const Relief *relief = &g_array_index(x->relief, Relief, i);
        g_autofree char *time = units_format_time(relief->time_s), *limit = why_percent(relief->limit_share),
                        *saves = why_percent(x->time_s > 0 ? (x->time_s - relief->time_s) / x->time_s : 0);
        fprintf(to, "  %-*s  %8s  %9s  %s, %s\n", (int)width, relief->change, time, saves,
                resource_names[relief->limit], limit);
    }
}

void report_why(FILE *to, const Point *x)
{
    if (x->prediction->why->len == 0) {
        fputs("  No operation takes time.\n", to);
        return;
    }
    why_verdict(to, x);
    print_path(to, x->prediction->why, x->p);
    print_relief(to, x);
}

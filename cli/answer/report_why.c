// Prints a critical path. A stretch that repeats, shifted by the same number of ranks each time, is printed once. On a
// machine with levels, each message has its level, and a line at the end sums the time up by levels.
#include "answer/report.h"
#include "base/units.h"
#include "out/wrap.h"
#include <string.h>

enum { MAX_BODY = 4, LEAST_ROUNDS = 3 };

static int moved(int from, int to, int p)
{
    return ((to - from) % p + p) % p;
}

// Returns how often the `body` steps from `first` on occur in a row.
static guint rounds_of(const GArray *why, guint first, guint body, int p)
{
    const WhyStep *x = &g_array_index(why, WhyStep, first);
    if (first + 2 * body > why->len)
        return 1;
    const int by = moved(x[0].rank, x[body].rank, p);
    guint n = 1;
    for (; first + (n + 1) * body <= why->len; n++)
        for (guint i = n * body; i < (n + 1) * body; i++) {
            const WhyStep *a = &x[i - body], *b = &x[i];
            if (strcmp(a->what, b->what) != 0 || g_strcmp0(a->level, b->level) != 0 || (a->peer < 0) != (b->peer < 0) ||
                moved(a->rank, b->rank, p) != by || (a->peer >= 0 && moved(a->peer, b->peer, p) != by))
                return n;
        }
    return n;
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
    fprintf(to, "  %14.3f  %14.3f  %8d  %-*s %8s  %8s", x->start_s * 1e6, x->end_s * 1e6, x->rank,
            operation_width(levels), x->what, peer, size);
    fprintf(to, levels && x->level ? "  %s\n" : "\n", x->level);
}

static void print_fold(FILE *to, const GArray *why, guint first, guint body, guint rounds, int p)
{
    const WhyStep *x = &g_array_index(why, WhyStep, first);
    const int by = moved(x[0].rank, x[body].rank, p);
    uint64_t least = UINT64_MAX, most = 0;
    for (guint i = 0; i < body * rounds; i++) {
        least = MIN(least, x[i].bytes);
        most = MAX(most, x[i].bytes);
    }
    g_autofree char *a = units_format_size(least), *b = units_format_size(most);
    fprintf(to, "  %14s  %14.3f  the last %s %u times in all", "..", x[body * rounds - 1].end_s * 1e6,
            body == 1   ? "line"
            : body == 2 ? "two lines"
                        : "lines",
            rounds);
    if (body > 2)
        fprintf(to, " (%u lines)", body);
    if (by)
        fprintf(to, ", each time at rank %+d", 2 * by > p ? by - p : by);
    if (least != most)
        fprintf(to, ", %s to %s bytes", a, b);
    fputc('\n', to);
}

// Returns the name under which the time of a step is summed: a message's level, or the name of any other step.
static const char *heading(const WhyStep *x)
{
    const gboolean busy = g_str_has_suffix(x->what, " busy");
    return x->level && !busy ? x->level : x->what;
}

// Prints "in all: node 4.1 us, far 9 us, reduce 256 ns", in the order in which these first occur.
static void print_by_level(FILE *to, const GArray *why)
{
    g_autoptr(GPtrArray) done = g_ptr_array_new();
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < why->len; i++) {
        const char *name = heading(&g_array_index(why, WhyStep, i));
        double sum_s = 0;
        if (g_ptr_array_find_with_equal_func(done, name, g_str_equal, NULL))
            continue;
        g_ptr_array_add(done, (gpointer)(uintptr_t)name);
        for (guint k = i; k < why->len; k++) {
            const WhyStep *x = &g_array_index(why, WhyStep, k);
            sum_s += strcmp(heading(x), name) == 0 ? x->end_s - x->start_s : 0;
        }
        g_autofree char *time = units_format_time(sum_s);
        g_string_append_printf(text, "%s%s %s", text->len ? ", " : "", name, time);
    }
    wrap_print(to, "  in all: ", text->str);
}

void report_why(FILE *to, const GArray *why, int p)
{
    const gboolean levels = has_levels(why);
    fprintf(to, "  %14s  %14s  %8s  %-*s %8s  %8s%s\n", "from (us)", "to (us)", "rank", operation_width(levels),
            "operation", "peer", "bytes", levels ? "  level" : "");
    for (guint i = 0; i < why->len;) {
        guint best = 1, rounds = 1;
        for (guint body = 1; body <= MAX_BODY; body++) {
            const guint n = rounds_of(why, i, body, p);
            if (n >= LEAST_ROUNDS && n * body > best * rounds)
                best = body, rounds = n;
        }
        for (guint k = 0; k < best; k++)
            print_step(to, &g_array_index(why, WhyStep, i + k), levels);
        if (rounds > 1)
            print_fold(to, why, i, best, rounds, p);
        i += best * rounds;
    }
    if (levels)
        print_by_level(to, why);
}

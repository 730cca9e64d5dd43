#include "answer/report/why.h"
#include "answer/report/report.h"
#include "base/units.h"
#include "out/wrap.h"
#include <math.h>

enum { MOST_TERMS = 3 }; // of a resource that are named

char *why_percent(double share)
{
    const double percent = 100 * share;
    if (share < 1 && percent >= 99.5)
        return g_strdup("over 99 %");
    if (percent != 0 && fabs(percent) < 0.05)
        return g_strdup("0 %");
    return g_strdup_printf(fabs(percent) < 1 && percent != 0 ? "%.1f %%" : "%.0f %%", percent);
}

// Returns how much of a term's time is of this resource.
static double part_of(const Share *x, TermResource resource)
{
    return (resource == x->resource ? x->time_s - x->latency_s : 0) + (resource == RESOURCE_LATENCY ? x->latency_s : 0);
}

// Returns the term that has most of this resource, apart from those that are marked; NULL if no other term has any.
static const Share *most_of(const GArray *shares, TermResource resource, GPtrArray *marked)
{
    const Share *most = NULL;
    for (guint i = 0; i < shares->len; i++) {
        const Share *x = &g_array_index(shares, Share, i);
        if (part_of(x, resource) > (most ? part_of(most, resource) : 0) &&
            !g_ptr_array_find(marked, (gpointer)(uintptr_t)x, NULL))
            most = x;
    }
    return most;
}

// Appends "9,214 alpha.far = 31.3 ms" for the largest terms of the resource that takes most.
static void add_main(GString *s, const GArray *shares, TermResource resource)
{
    g_autoptr(GPtrArray) named = g_ptr_array_new();
    const Share *x;
    while (named->len < MOST_TERMS && (x = most_of(shares, resource, named)) != NULL) {
        g_autofree char *n = report_grouped(x->n), *term = term_text(x->term),
                        *time = units_format_time(part_of(x, resource));
        g_string_append_printf(s, "%s%s %s = %s%s", named->len ? ", " : "", n, term, time,
                               x->latency_s == 0              ? ""
                               : resource == RESOURCE_LATENCY ? " without bytes"
                                                              : " for bytes");
        g_ptr_array_add(named, (gpointer)(uintptr_t)x);
    }
    if (most_of(shares, resource, named))
        g_string_append(s, ", and other terms");
}

// Appends "; beta.far 0.3 ms (2 %)" for another resource: its one term, or the resource if it has several or parts of
// some.
static void add_other(GString *s, const GArray *shares, TermResource resource, double sum, double total)
{
    g_autoptr(GPtrArray) named = g_ptr_array_new();
    const Share *x = most_of(shares, resource, named);
    g_ptr_array_add(named, (gpointer)(uintptr_t)x);
    const gboolean alone = x->latency_s == 0 && !most_of(shares, resource, named);
    g_autofree char *time = units_format_time(sum), *percent = why_percent(sum / total);
    g_autofree char *term = term_text(x->term);
    g_string_append_printf(s, "; %s %s", alone ? term : resource_names[resource], time);
    if (sum / total >= 0.01)
        g_string_append_printf(s, " (%s)", percent);
}

void why_verdict(FILE *to, const Point *point)
{
    g_autoptr(GArray) shares = shares_of(point->prediction);
    double sum[N_RESOURCES], total = 0;
    const TermResource most = shares_by_resource(shares, sum);
    for (int i = 0; i < N_RESOURCES; i++)
        total += sum[i];
    if (total <= 0)
        return;
    g_autofree char *percent = why_percent(sum[most] / total),
                    *form = report_path_form(point->prediction->why, point->p);
    g_autoptr(GString) s = g_string_new(NULL);
    g_string_printf(s, "%s %s: ", percent, resource_names[most]);
    add_main(s, shares, most);
    for (sum[most] = 0;;) { // the largest of the others, one after the other
        int next = 0;
        for (int i = 1; i < N_RESOURCES; i++)
            next = sum[i] > sum[next] ? i : next;
        if (sum[next] <= 0)
            break;
        add_other(s, shares, (TermResource)next, sum[next], total);
        sum[next] = 0;
    }
    g_string_append_c(s, '.');
    if (form)
        g_string_append_printf(s, " %s.", form);
    wrap_print(to, "  ", s->str);
    fputc('\n', to);
}

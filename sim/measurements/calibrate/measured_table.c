#include "measurements/calibrate/measured_table.h"
#include "base/units.h"
#include "measurements/calibrate/fit.h"

#define MOVED 0.05 // a point that moves by a larger share is listed

static MeasuredPoint *point_at(const GArray *points, guint i)
{
    return &g_array_index(points, MeasuredPoint, i);
}

static int compare_points(const void *a, const void *b)
{
    const MeasuredPoint *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    return (x->time_s > y->time_s) - (x->time_s < y->time_s);
}

guint measured_table_sizes(GArray *points)
{
    guint sizes = 0;
    g_array_sort(points, compare_points);
    for (guint i = 0; i < points->len; i++)
        sizes += i == 0 || point_at(points, i)->bytes > point_at(points, i - 1)->bytes;
    return sizes;
}

// Returns the median time of each size that took any time.
static Table *medians(GArray *points)
{
    Table *t = g_new0(Table, 1);
    g_autofree double *times = g_new(double, points->len);
    t->at = g_new(TablePoint, MAX(points->len, 1));
    g_array_sort(points, compare_points);
    for (guint i = 0; i < points->len;) {
        const uint64_t bytes = point_at(points, i)->bytes;
        size_t n = 0;
        for (; i < points->len && point_at(points, i)->bytes == bytes; i++)
            if (point_at(points, i)->time_s > 0)
                times[n++] = point_at(points, i)->time_s;
        if (n > 0)
            t->at[t->n++] = (TablePoint){bytes, fit_errors(times, n).median};
    }
    return t;
}

static void drop_cold(Table *t, const char *name, GPtrArray *notes)
{
    if (t->n < 3 || t->at[0].value <= t->at[1].value)
        return;
    if (t->at[0].value > t->at[1].value * (1 + MOVED)) {
        g_autofree char *size = units_format_size(t->at[0].bytes), *cold = units_format_time(t->at[0].value),
                        *warm = units_format_time(t->at[1].value);
        g_ptr_array_add(notes, g_strdup_printf("%s: the first size, %s, was measured cold and is dropped: %s, and the "
                                               "next one takes %s",
                                               name, size, cold, warm));
    }
    t->n--;
    memmove(t->at, t->at + 1, (size_t)t->n * sizeof *t->at);
}

static void make_monotone(Table *t, const char *name, GPtrArray *notes)
{
    g_autoptr(GString) moved = g_string_new(NULL);
    int n = 0;
    for (int i = t->n - 2; i >= 0; i--) {
        TablePoint *at = &t->at[i];
        if (at->value <= at[1].value)
            continue;
        if (at->value > at[1].value * (1 + MOVED)) {
            g_autofree char *size = units_format_size(at->bytes), *from = units_format_time(at->value),
                            *to = units_format_time(at[1].value), *rest = g_strdup(moved->str);
            g_string_printf(moved, "%s from %s to %s%s%s", size, from, to, n ? ", " : "", rest);
            n++;
        }
        at->value = at[1].value;
    }
    if (n > 0)
        g_ptr_array_add(notes,
                        g_strdup_printf("%s: moved by more than 5 %%, so that no size takes longer than a larger "
                                        "one: %s",
                                        name, moved->str));
}

static void thin(Table *t)
{
    const int stride = (t->n + TABLE_MOST - 2) / (TABLE_MOST - 1);
    int kept = 0;
    for (int i = 0; i < t->n; i++)
        if (i % stride == 0 || i == t->n - 1)
            t->at[kept++] = t->at[i];
    t->n = kept;
}

Table *measured_table(GArray *points, const char *name, GPtrArray *notes)
{
    g_autoptr(Table) t = medians(points);
    if (t->n == 0)
        return NULL;
    drop_cold(t, name, notes);
    make_monotone(t, name, notes);
    if (t->n > TABLE_MOST)
        thin(t);
    return g_steal_pointer(&t);
}

#include "search/sweep/merge.h"
#include "base/error.h"
#include "search/sweep/sweep_rows.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Merge {
    SweepHead head;
    GPtrArray *maps; // of GMappedFile: what the rows point into
    SweepRow *rows;  // by index; `cells` is NULL where there is none
    guint64 done;
    const char *file; // which is read
} Merge;

static void merge_clear(Merge *x)
{
    sweep_head_clear(&x->head);
    g_ptr_array_unref(x->maps);
    g_free(x->rows);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Merge, merge_clear)

static gboolean keep_row(const SweepRow *row, gpointer user, GError **error)
{
    Merge *x = user;
    SweepRow *kept = &x->rows[row->index];
    if (kept->cells)
        return (kept->place == row->place && kept->order == row->order && kept->length == row->length &&
                memcmp(kept->cells, row->cells, row->length) == 0) ||
               bad_input(error,
                         "%s: its row of point %" G_GUINT64_FORMAT " differs from an earlier one; allowed: rows of one "
                         "program and one sweep",
                         x->file, row->index);
    *kept = *row;
    x->done++;
    return TRUE;
}

// Takes the head of the first file, and compares those of others with it. Returns FALSE and an error if they differ.
static gboolean take_head(Merge *x, const char *text, gsize length, GError **error)
{
    SweepHead head;
    if (!sweep_head_parse(text, length, x->file, &head, error))
        return FALSE;
    if (!x->rows) {
        x->head = head;
        x->rows = g_try_new0(SweepRow, head.points);
        return x->rows || error_too_much(error,
                                         "%s: not enough memory for %" G_GUINT64_FORMAT " rows; allowed: fewer "
                                         "points, or more memory",
                                         x->file, head.points);
    }
    const gboolean same = strcmp(head.hash, x->head.hash) == 0 && head.points == x->head.points &&
                          strcmp(head.columns, x->head.columns) == 0;
    sweep_head_clear(&head);
    return same || bad_input(error,
                             "%s belongs to another specification than the files before it; allowed: the shards "
                             "of one sweep",
                             x->file);
}

static gboolean read_file(Merge *x, GError **error)
{
    const int fd = open(x->file, O_RDONLY | O_CLOEXEC);
    GMappedFile *map = fd >= 0 ? g_mapped_file_new_from_fd(fd, FALSE, NULL) : NULL;
    const char *why = fd < 0 ? g_strerror(errno) : "cannot be read";
    SweepScan scan;
    if (fd >= 0)
        close(fd);
    if (!map)
        return bad_input(error, "%s: %s", x->file, why);
    g_ptr_array_add(x->maps, map);
    const char *text = g_mapped_file_get_contents(map);
    const gsize length = g_mapped_file_get_length(map);
    return take_head(x, text ? text : "", length, error) &&
           sweep_rows_scan(text, length, &x->head, x->file, &scan, keep_row, x, error);
}

// Compares rows (SweepRow **) by time, and then by their order.
static int by_time(const void *a, const void *b)
{
    const SweepRow *x = *(const SweepRow *const *)a, *y = *(const SweepRow *const *)b;
    if (x->time_s != y->time_s)
        return x->time_s < y->time_s ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

// Writes the rows first .. end - 1, which are those of one place, with their ranking.
static void write_place(const Merge *x, guint64 first, guint64 end, int schema, FILE *to)
{
    g_autofree const SweepRow **ranked = g_new(const SweepRow *, end - first);
    g_autofree guint64 *ranking = g_new0(guint64, end - first);
    guint64 n = 0;
    for (guint64 i = first; i < end; i++)
        if (x->rows[i].order >= 0)
            ranked[n++] = &x->rows[i];
    qsort(ranked, n, sizeof *ranked, by_time);
    for (guint64 k = 0; k < n; k++)
        ranking[ranked[k] - &x->rows[first]] = k + 1;
    for (guint64 i = first; i < end; i++) {
        const SweepRow *row = &x->rows[i];
        const guint64 place = ranking[i - first];
        fwrite(row->cells, 1, row->length, to);
        if (place > 0)
            fprintf(to, ",%" G_GUINT64_FORMAT ",", place);
        else
            fputs(",,", to);
        char digits[G_ASCII_DTOSTR_BUF_SIZE];
        if (place > 0 && ranked[0]->time_s > 0)
            fputs(g_ascii_formatd(digits, sizeof digits, "%.17g", row->time_s / ranked[0]->time_s), to);
        fprintf(to, ",%d\n", schema);
    }
}

gboolean sweep_merge(char *const *paths, int schema, FILE *to, guint64 *points, GError **error)
{
    g_auto(Merge) x = {.maps = g_ptr_array_new_with_free_func((GDestroyNotify)g_mapped_file_unref)};
    for (; *paths; paths++) {
        x.file = *paths;
        if (!read_file(&x, error))
            return FALSE;
    }
    guint64 missing = 0;
    while (missing < x.head.points && x.rows[missing].cells)
        missing++;
    if (missing < x.head.points)
        return bad_input(error,
                         "%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                         " points are missing, first number %" G_GUINT64_FORMAT
                         "; allowed: the files of all shards, each of them complete",
                         x.head.points - x.done, x.head.points, missing);
    fprintf(to, "%s,ranking,x_best,schema\n", x.head.columns);
    for (guint64 first = 0, end; first < x.head.points; first = end) {
        for (end = first + 1; end < x.head.points && x.rows[end].place == x.rows[first].place;)
            end++;
        write_place(&x, first, end, schema, to);
    }
    *points = x.head.points;
    return TRUE;
}

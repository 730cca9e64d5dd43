// Files of rows of a sweep: what is read is within the text, and belongs to its head.
#include "fuzz.h"
#include "search/sweep/sweep_rows.h"

typedef struct Seen {
    const char *text;
    size_t size;
    guint64 points;
} Seen;

static gboolean check_row(const SweepRow *row, gpointer user, GError **error)
{
    const Seen *x = user;
    (void)error;
    g_assert_true(row->index < x->points && row->order >= -1);
    g_assert_true(row->cells >= x->text && row->cells + row->length <= x->text + x->size);
    return TRUE;
}

FUZZ_HARNESS(sweep_rows)
{
    SweepHead head;
    SweepScan scan;
    g_autoptr(GError) error = NULL;
    Seen seen = {(const char *)data, size, 0};
    const gsize start = sweep_head_parse(seen.text, size, "f.rows", &head, &error);
    if (fuzz_outcome(start > 0, &error)) {
        seen.points = head.points;
        if (fuzz_outcome(sweep_rows_scan(seen.text, size, &head, "f.rows", &scan, check_row, &seen, &error), &error))
            g_assert_true(scan.whole >= start && scan.whole <= size);
    }
    sweep_head_clear(&head);
    return 0;
}

// The rows of a sweep as they are done: a file to which every point adds one line.
//
// The file begins with two lines, what the sweep is and the columns. Every further line is
//
//     SPEC,INDEX,PLACE,ORDER,TIME,cells..,CHECK
//
// SPEC is the beginning of the specification's hash. TIME, in seconds, and ORDER, the order among equal times at the
// PLACE, are empty if the point takes no part in its ranking. CHECK is made from the line, so that a line that was torn
// or damaged is recognised. A process that is killed leaves whole lines and perhaps the beginning of one more, which
// the next process cuts off.
#pragma once
#include <glib.h>

// What a file of rows belongs to.
typedef struct SweepHead {
    char *hash; // of the specification, SWEEP_HASH characters
    guint64 points;
    char *columns; // their names, joined by commas
} SweepHead;
enum { SWEEP_HASH = 64 };
void sweep_head_clear(SweepHead *head);

typedef struct SweepRow {
    guint64 index, place;
    gint64 order; // -1 if the point is not ranked
    double time_s;
    const char *cells; // `length` bytes of CSV without a comma at the end; borrowed
    gsize length;
} SweepRow;

// What was found in a text of rows.
typedef struct SweepScan {
    gsize whole;   // bytes up to the end of the last line that has an end
    guint damaged; // lines that have an end and are not rows
} SweepScan;

// Returns the length of the two lines at the beginning of a text, and sets the head; 0 and an error if they are not
// there. Clear the head in any case.
gsize sweep_head_parse(const char *text, gsize length, const char *name, SweepHead *head, GError **error);
// Calls `row` for each good row of a text that begins with the head. Returns FALSE and an error if a row belongs to
// another specification, or if `row` returns FALSE.
gboolean sweep_rows_scan(const char *text, gsize length, const SweepHead *head, const char *name, SweepScan *scan,
                         gboolean (*row)(const SweepRow *row, gpointer user, GError **error), gpointer user,
                         GError **error);

typedef struct SweepRows SweepRows;
// Opens the file for one process, and makes it if there is none. Returns NULL and an error if another process has it,
// if it belongs to another specification, is not a file of rows, or cannot be written. Free with sweep_rows_close.
SweepRows *sweep_rows_open(const char *path, const SweepHead *head, GError **error);
void sweep_rows_close(SweepRows *rows);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SweepRows, sweep_rows_close)
// Returns TRUE if the file has a row of the point, how many points it has, and how many lines were damaged.
gboolean sweep_rows_has(const SweepRows *rows, guint64 index);
guint64 sweep_rows_done(const SweepRows *rows);
guint sweep_rows_damaged(const SweepRows *rows);
// Returns TRUE if the file system does not keep two processes from one file.
gboolean sweep_rows_unlocked(const SweepRows *rows);
// Adds a row in a single write. Threads may call this at the same time. Returns FALSE and an error if the row could not
// be written.
gboolean sweep_rows_add(SweepRows *rows, const SweepRow *row, GError **error);

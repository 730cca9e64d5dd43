#include "search/sweep/sweep_rows.h"
#include "base/error.h"
#include "base/number.h"
#include "search/sweep/sweep_grid.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SPEC_CHARS = 16, CHECK_CHARS = 8 };
static const char magic[] = "collsim sweep 1,";

struct SweepRows {
    char *path;
    int fd;
    gboolean unlocked;
    char spec[SPEC_CHARS + 1];
    GMutex lock; // of the file's end and `done`
    gsize end;   // the length of the file
    guint8 *has; // a byte for each point
    guint64 points, done;
    guint damaged;
};

void sweep_head_clear(SweepHead *head)
{
    g_clear_pointer(&head->hash, g_free);
    g_clear_pointer(&head->columns, g_free);
}

static char *head_text(const SweepHead *head)
{
    return g_strdup_printf("%s%s,%" G_GUINT64_FORMAT "\n%s\n", magic, head->hash, head->points, head->columns);
}

// Returns the check of a line, which ends before its last comma.
static void check_of(const char *line, gsize length, char check[CHECK_CHARS + 1])
{
    g_autofree char *digest = g_compute_checksum_for_data(G_CHECKSUM_MD5, (const guchar *)line, length);
    g_strlcpy(check, digest, CHECK_CHARS + 1);
}

// ---- Reading --------------------------------------------------------------------------------------------------------

gsize sweep_head_parse(const char *text, gsize length, const char *name, SweepHead *head, GError **error)
{
    const char *first = memchr(text, '\n', length),
               *second = first ? memchr(first + 1, '\n', length - (gsize)(first + 1 - text)) : NULL;
    g_autofree char *line = second ? g_strndup(text, (gsize)(first - text)) : g_strdup("");
    g_auto(GStrv) part = g_strsplit(line, ",", -1);
    size_t points = 0;
    *head = (SweepHead){0};
    if (g_str_has_prefix(line, magic) && g_strv_length(part) == 3 && strlen(part[1]) == SWEEP_HASH &&
        number_size(part[2], 1, SWEEP_MOST_POINTS, &points)) {
        *head = (SweepHead){g_strdup(part[1]), points, g_strndup(first + 1, (gsize)(second - first - 1))};
        return (gsize)(second + 1 - text);
    }
    bad_input(error, "%s is not a file of rows; allowed: one that collsim sweep writes", name);
    return 0;
}

// Takes the next field of a row, which has no quotes. Returns FALSE if the line ends first.
static gboolean take(const char **at, const char *end, char *field, gsize most)
{
    const char *comma = memchr(*at, ',', (gsize)(end - *at));
    if (!comma || (gsize)(comma - *at) >= most)
        return FALSE;
    memcpy(field, *at, (gsize)(comma - *at));
    field[comma - *at] = '\0';
    *at = comma + 1;
    return TRUE;
}

// Reads a line of `length` bytes. Returns FALSE if it is not a row; *spec becomes the specification that it names.
static gboolean read_row(const char *line, gsize length, char spec[SPEC_CHARS + 1], SweepRow *row)
{
    char check[CHECK_CHARS + 1], number[4][32];
    if (length < CHECK_CHARS + 2 || line[length - CHECK_CHARS - 1] != ',')
        return FALSE;
    const char *at = line, *const end = line + length - CHECK_CHARS - 1;
    check_of(line, (gsize)(end - line), check);
    size_t index = 0, place = 0, order = 0;
    if (memcmp(check, end + 1, CHECK_CHARS) != 0 || !take(&at, end, spec, SPEC_CHARS + 1))
        return FALSE;
    for (int i = 0; i < 4; i++)
        if (!take(&at, end, number[i], sizeof number[i]))
            return FALSE;
    *row = (SweepRow){.order = -1, .time_s = NAN, .cells = at, .length = (gsize)(end - at)};
    if (!number_size(number[0], 0, SWEEP_MOST_POINTS, &index) ||
        !number_size(number[1], 0, SWEEP_MOST_POINTS, &place) ||
        (*number[2] && !number_size(number[2], 0, SWEEP_MOST_POINTS, &order)) ||
        (*number[3] && !number_real(number[3], &row->time_s)))
        return FALSE;
    row->index = index;
    row->place = place;
    row->order = *number[2] && *number[3] ? (gint64)order : -1;
    return TRUE;
}

gboolean sweep_rows_scan(const char *text, gsize length, const SweepHead *head, const char *name, SweepScan *scan,
                         gboolean (*row)(const SweepRow *, gpointer, GError **), gpointer user, GError **error)
{
    const char *at = text, *const end = text + length;
    *scan = (SweepScan){0};
    for (int i = 0; i < 2; i++)
        at = (const char *)memchr(at, '\n', (gsize)(end - at)) + 1;
    for (guint64 line = 3;; line++) {
        const char *next = at < end ? memchr(at, '\n', (gsize)(end - at)) : NULL;
        char spec[SPEC_CHARS + 1] = "";
        SweepRow x;
        if (!next)
            break;
        if (!read_row(at, (gsize)(next - at), spec, &x))
            scan->damaged++;
        else if (strncmp(spec, head->hash, SPEC_CHARS) != 0 || x.index >= head->points)
            return bad_input(error,
                             "%s:%" G_GUINT64_FORMAT ": the row is one of another specification; allowed: rows "
                             "of one sweep",
                             name, line);
        else if (!row(&x, user, error))
            return FALSE;
        at = next + 1;
    }
    scan->whole = (gsize)(at - text);
    return TRUE;
}

// ---- The file -------------------------------------------------------------------------------------------------------

static gboolean note_row(const SweepRow *row, gpointer user, GError **error)
{
    SweepRows *x = user;
    (void)error;
    x->done += !x->has[row->index];
    x->has[row->index] = 1;
    return TRUE;
}

static gboolean cut(SweepRows *x, gsize length, GError **error)
{
    x->end = length;
    return ftruncate(x->fd, (off_t)length) == 0 || bad_input(error, "%s: %s", x->path, g_strerror(errno));
}

// Writes a whole text at the end of the file, or nothing of it.
static gboolean append(SweepRows *x, const char *text, gsize length, GError **error)
{
    gsize done = 0;
    int why = 0;
    while (done < length && !why) { // more than once only where the space ends: the second write says why
        const ssize_t n = write(x->fd, text + done, length - done);
        if (n >= 0)
            done += (gsize)n;
        else if (errno != EINTR)
            why = errno;
    }
    if (!why) {
        x->end += length;
        return TRUE;
    }
    cut(x, x->end, NULL);
    return bad_input(error, "%s: %s; what is done is kept: run the same command again", x->path, g_strerror(why));
}

// Reads what the file has, makes its head if it has none, and cuts off a torn line.
static gboolean take_up(SweepRows *x, const SweepHead *head, GError **error)
{
    g_autofree char *due = head_text(head);
    const gsize due_length = strlen(due);
    g_autoptr(GMappedFile) map = g_mapped_file_new_from_fd(x->fd, FALSE, NULL);
    if (!map)
        return bad_input(error, "%s cannot be read; allowed: another -o", x->path);
    const gsize length = g_mapped_file_get_length(map);
    const char *text = length ? g_mapped_file_get_contents(map) : "";
    if (length < due_length && memcmp(text, due, length) == 0)
        return cut(x, 0, error) && append(x, due, due_length, error);
    if (length >= due_length && memcmp(text, due, due_length) == 0) {
        SweepScan scan;
        if (!sweep_rows_scan(text, length, head, x->path, &scan, note_row, x, error))
            return FALSE;
        x->damaged = scan.damaged;
        return cut(x, scan.whole, error);
    }
    if (length >= strlen(magic) && memcmp(text, magic, strlen(magic)) == 0)
        return bad_input(error,
                         "%s belongs to another specification; allowed: the one that it was begun with, another -o, or "
                         "without this file",
                         x->path);
    return bad_input(error, "%s is not a file of collsim sweep; allowed: another -o", x->path);
}

static gboolean open_file(SweepRows *x, GError **error)
{
    struct stat info;
    x->fd = open(x->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666);
    if (x->fd < 0 || fstat(x->fd, &info))
        return bad_input(error, "%s: %s", x->path, g_strerror(errno));
    if (!S_ISREG(info.st_mode))
        return bad_input(error, "%s is not a regular file; allowed: another -o", x->path);
    if (flock(x->fd, LOCK_EX | LOCK_NB) == 0)
        return TRUE;
    x->unlocked = errno != EWOULDBLOCK;
    return x->unlocked || bad_input(error,
                                    "another process writes %s; allowed: one at a time, or --shard i/n in each of "
                                    "several",
                                    x->path);
}

SweepRows *sweep_rows_open(const char *path, const SweepHead *head, GError **error)
{
    g_autoptr(SweepRows) x = g_new0(SweepRows, 1);
    g_mutex_init(&x->lock);
    x->path = g_strdup(path);
    x->points = head->points;
    x->has = g_malloc0(head->points);
    g_strlcpy(x->spec, head->hash, sizeof x->spec);
    return open_file(x, error) && take_up(x, head, error) ? g_steal_pointer(&x) : NULL;
}

void sweep_rows_close(SweepRows *x)
{
    if (!x)
        return;
    if (x->fd >= 0)
        close(x->fd);
    g_mutex_clear(&x->lock);
    g_free(x->path);
    g_free(x->has);
    g_free(x);
}

gboolean sweep_rows_has(const SweepRows *x, guint64 index)
{
    return x->has[index];
}

guint64 sweep_rows_done(const SweepRows *x)
{
    return x->done;
}

guint sweep_rows_damaged(const SweepRows *x)
{
    return x->damaged;
}

gboolean sweep_rows_unlocked(const SweepRows *x)
{
    return x->unlocked;
}

gboolean sweep_rows_add(SweepRows *x, const SweepRow *row, GError **error)
{
    char check[CHECK_CHARS + 1], digits[G_ASCII_DTOSTR_BUF_SIZE];
    g_autoptr(GString) line = g_string_sized_new(row->length + 128);
    g_string_append_printf(line, "%s,%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",", x->spec, row->index, row->place);
    if (row->order >= 0)
        g_string_append_printf(line, "%" G_GINT64_FORMAT ",%s", row->order,
                               g_ascii_formatd(digits, sizeof digits, "%.17g", row->time_s));
    else
        g_string_append_c(line, ',');
    g_string_append_c(line, ',');
    const gsize cells = line->len;
    g_string_append_len(line, row->cells, (gssize)row->length);
    g_strdelimit(line->str + cells, "\n\r", ' '); // a row is a line, also if the name of a file has two
    check_of(line->str, line->len, check);
    g_string_append_printf(line, ",%s\n", check);
    g_mutex_lock(&x->lock);
    const gboolean written = append(x, line->str, line->len, error);
    x->done += written && !x->has[row->index];
    x->has[row->index] |= (guint8)written;
    g_mutex_unlock(&x->lock);
    return written;
}

#include "base/lines.h"
#include "base/error.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static void begin(Lines *l, const char *name, int fd)
{
    *l = (Lines){.name = name, .fd = fd, .buffer = g_malloc0(LINES_MAX + LINES_BEHIND)};
    l->next = l->end = l->buffer;
}

gboolean lines_open(Lines *l, const char *path, GError **error)
{
    const gboolean standard = strcmp(path, "-") == 0;
    const int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return bad_input(error, "%s: %s; allowed: a readable file", path, g_strerror(errno));
    begin(l, standard ? "standard input" : path, fd);
    return TRUE;
}

void lines_of_text(Lines *l, const char *text, size_t length, const char *name)
{
    begin(l, name, -1);
    l->text = text;
    l->text_left = length;
}

void lines_close(Lines *l)
{
    if (l->fd > STDIN_FILENO)
        close(l->fd);
    g_free(l->buffer);
}

static gssize read_some(Lines *l, char *to, size_t room)
{
    if (l->fd >= 0) {
        gssize n;
        do
            n = read(l->fd, to, room);
        while (n < 0 && errno == EINTR);
        return n;
    }
    const size_t n = MIN(room, l->text_left);
    memcpy(to, l->text, n);
    l->text += n;
    l->text_left -= n;
    return (gssize)n;
}

// Moves the bytes that are not yet taken to the buffer's start, and reads more behind them.
static gboolean fill(Lines *l, GError **error)
{
    memmove(l->buffer, l->next, (size_t)(l->end - l->next));
    l->end -= l->next - l->buffer;
    l->next = l->buffer;
    const size_t room = LINES_MAX - (size_t)(l->end - l->buffer);
    if (room == 0)
        return bad_input(error, "%s:%" G_GUINT64_FORMAT ": the line is too long; allowed: at most %d bytes", l->name,
                         l->line + 1, LINES_MAX - 1);
    const gssize n = read_some(l, l->end, room);
    if (n < 0)
        return bad_input(error, "%s: %s; allowed: a readable file", l->name, g_strerror(errno));
    l->end += n;
    l->at_end = n == 0;
    return TRUE;
}

gboolean lines_fill(Lines *l, size_t least, GError **error)
{
    while ((size_t)(l->end - l->next) < least && !l->at_end)
        if (!fill(l, error))
            return FALSE;
    return TRUE;
}

gboolean lines_next(Lines *l, char **line, GError **error)
{
    size_t seen = 0;
    for (;;) {
        char *newline = memchr(l->next + seen, '\n', (size_t)(l->end - l->next) - seen);
        if (!newline && l->at_end && l->next < l->end) {
            *l->end = '\n';
            newline = l->end++;
        }
        if (newline || l->at_end) {
            *line = newline ? l->next : NULL;
            l->next = newline ? newline + 1 : l->end;
            l->line++;
            return TRUE;
        }
        seen = (size_t)(l->end - l->next);
        if (!fill(l, error))
            return FALSE;
    }
}

char *lines_text(const Lines *l, char *line, GError **error)
{
    char *const end = l->next - 1; // the line's \n
    *end = '\0';
    if (strlen(line) < (size_t)(end - line)) {
        bad_input(error, "%s:%" G_GUINT64_FORMAT ": the line has a byte 0; allowed: text", l->name, l->line);
        return NULL;
    }
    line[strcspn(line, "#")] = '\0';
    return g_strstrip(line);
}

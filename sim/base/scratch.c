#include "base/scratch.h"
#include "base/cleanup.h"
#include "base/error.h"
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

static void guard(Scratch *s, const char *path)
{
    const int place = cleanup_add(path);
    g_array_append_val(s->places, place);
}

gboolean scratch_open(Scratch *s, GError **error)
{
    g_autoptr(GError) why = NULL;
    sigset_t before;
    *s = (Scratch){.places = g_array_new(FALSE, FALSE, sizeof(int))};
    cleanup_hold(&before); // a signal comes before the folder exists or after its name is in the table
    if ((s->folder = g_dir_make_tmp("collsim-XXXXXX", &why)))
        guard(s, s->folder);
    cleanup_release(&before);
    if (s->folder)
        return TRUE;
    scratch_clear(s);
    return bad_input(error, "%s; allowed: a TMPDIR in which folders can be made", why->message);
}

gboolean scratch_write(Scratch *s, const char *name, const char *text, char **path, GError **error)
{
    *path = g_build_filename(s->folder, name, NULL);
    guard(s, *path);
    errno = 0;
    FILE *const file = fopen(*path, "we");
    const gboolean put = file && fputs(text, file) >= 0;
    const gboolean closed = file && fclose(file) == 0;
    return (put && closed) ||
           bad_input(error, "%s: %s; allowed: a TMPDIR with space for files", *path, g_strerror(errno));
}

void scratch_clear(Scratch *s)
{
    GDir *const folder = s->folder ? g_dir_open(s->folder, 0, NULL) : NULL;
    for (const char *name; folder && (name = g_dir_read_name(folder));) {
        g_autofree char *path = g_build_filename(s->folder, name, NULL);
        unlink(path);
    }
    if (folder)
        g_dir_close(folder);
    if (s->folder)
        rmdir(s->folder);
    for (guint i = 0; s->places && i < s->places->len; i++)
        cleanup_drop(g_array_index(s->places, int, i));
    g_clear_pointer(&s->places, g_array_unref);
    g_clear_pointer(&s->folder, g_free);
}

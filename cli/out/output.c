#include "out/output.h"
#include "base/error.h"
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

gboolean output_open(Output *output, const char *path, GError **error)
{
    *output = (Output){.to = stdout, .path = path};
    if (!path)
        return TRUE;
    if (g_file_test(path, G_FILE_TEST_EXISTS) && !g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
        output->to = fopen(path, "w"); // /dev/null, a pipe
    } else {
        output->temporary = g_strconcat(path, ".XXXXXX", NULL);
        const int fd = g_mkstemp_full(output->temporary, O_WRONLY | O_CLOEXEC, 0666);
        output->to = fd >= 0 ? fdopen(fd, "w") : NULL;
    }
    if (output->to)
        return TRUE;
    g_clear_pointer(&output->temporary, g_free);
    return bad_input(error, "%s: %s", path, g_strerror(errno));
}

gboolean output_close(Output *output, GError **error)
{
    if (!output->path)
        return TRUE; // main looks at standard output
    errno = 0;
    const gboolean written = !ferror(output->to);
    gboolean good = fclose(output->to) == 0 && written;
    if (output->temporary) {
        good = good && g_rename(output->temporary, output->path) == 0;
        if (!good) {
            const int why = errno;
            g_unlink(output->temporary);
            errno = why;
        }
        g_free(output->temporary);
    }
    return good || bad_input(error, "%s: %s", output->path, errno ? g_strerror(errno) : "cannot be written");
}

#include "out/progress.h"
#include <glib.h>
#include <stdio.h>
#include <unistd.h>

void progress_clear(void)
{
    if (isatty(STDERR_FILENO))
        fputs("\r                              \r", stderr);
}

void progress_show(int done, int total, void *user)
{
    if (!isatty(STDERR_FILENO))
        return;
    if (user)
        fprintf(stderr, "\r%s: %d of %d ", (const char *)user, done, total);
    else
        fprintf(stderr, "\r%d of %d points ", done, total);
    if (done == total)
        progress_clear();
}

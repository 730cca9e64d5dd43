#define _GNU_SOURCE // memfd_create
#include "fuzz.h"
#include "base/error.h"
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

gboolean fuzz_outcome(gboolean good, GError **error)
{
    g_assert_true(good == !*error);
    if (good)
        return TRUE;
    g_assert_true((*error)->domain == COLLSIM_ERROR && (*error)->code != COLLSIM_ERROR_HELP);
    g_assert_true(*(*error)->message && g_utf8_validate((*error)->message, -1, NULL));
    for (const char *c = (*error)->message; *c; c = g_utf8_next_char(c))
        g_assert_false(g_unichar_iscntrl(g_utf8_get_char(c)));
    g_clear_error(error);
    return FALSE;
}

char **fuzz_lines(const uint8_t *data, size_t size, int n)
{
    char **lines = g_new0(char *, n + 2);
    g_autofree char *text = g_strndup((const char *)data, size); // ends at a \0
    g_auto(GStrv) parts = g_strsplit(text, "\n", n + 1);
    guint given = g_strv_length(parts);
    for (int i = 0; i <= n; i++)
        lines[i] = g_strdup((guint)i < given ? parts[i] : "");
    return lines;
}

const char *fuzz_file(const void *data, size_t size)
{
    static char path[32];
    static int fd = -1;
    if (fd < 0)
        fd = memfd_create("fuzz", MFD_CLOEXEC);
    g_assert_cmpint(ftruncate(fd, 0), ==, 0);
    g_assert_cmpint(pwrite(fd, data, size, 0), ==, (gssize)size);
    g_snprintf(path, sizeof path, "/dev/fd/%d", fd);
    return path;
}

const Platform *fuzz_platform(void)
{
    static Platform *platform;
    static const char *const figures[N_PLATFORM_KEYS] = {"1us",
                                                         "0.1ns/B",
                                                         "0.05ns/B",
                                                         "1us",
                                                         "0.2us",
                                                         "0.3us",
                                                         "0.1ns/B",
                                                         "0s/B",
                                                         "64K",
                                                         "0.2ns/B",
                                                         "0.1ns/B",
                                                         "0.1us",
                                                         "4",
                                                         "2",
                                                         "25GB/s",
                                                         "10M/s",
                                                         "4K:0.5 1M:1",
                                                         "8:1us 1M:9us",
                                                         "8:1us 1M:8us",
                                                         "0:0s 1M:8us",
                                                         "0:0s 1M:7us",
                                                         "1us",
                                                         "1.5",
                                                         "8K",
                                                         "0.75",
                                                         "1",
                                                         "0:0s 1M:9us",
                                                         "0.1ns/B",
                                                         "1ns/B above 1M"};
    if (!platform) {
        platform = platform_new("fuzz");
        platform->title = g_strdup("fuzz");
    }
    for (int k = 0; k < N_PLATFORM_KEYS && !platform->has[k]; k++)
        g_assert_true(platform_set_figure(platform, k, NULL, figures[k], "fuzz", NULL));
    return platform;
}

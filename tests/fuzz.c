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
    static const char *const figures[N_PLATFORM_KEYS] = {
        [KEY_ALPHA] = "1us",
        [KEY_BETA] = "0.1ns/B",
        [KEY_GAMMA] = "0.05ns/B",
        [KEY_L] = "1us",
        [KEY_O_CPU] = "0.2us",
        [KEY_G_GAP] = "0.3us",
        [KEY_G_BYTE] = "0.1ns/B",
        [KEY_O_BYTE] = "0s/B",
        [KEY_S] = "64K",
        [KEY_WRITE] = "0.2ns/B",
        [KEY_READ] = "0.1ns/B",
        [KEY_FLAG] = "0.1us",
        [KEY_LANES] = "4",
        [KEY_NICS] = "2",
        [KEY_NIC_RATE] = "25GB/s",
        [KEY_NIC_MESSAGES] = "10M/s",
        [KEY_MEMORY] = "4K:0.5 1M:1",
        [KEY_ONE] = "8:1us 1M:9us",
        [KEY_STEP] = "8:1us 1M:8us",
        [KEY_GAP] = "0:0s 1M:8us",
        [KEY_TAKE] = "0:0s 1M:7us",
        [KEY_FAR] = "1us",
        [KEY_SWAP] = "1.5",
        [KEY_EAGER] = "8K",
        [KEY_LAMBDA] = "0.75",
        [KEY_PORTS] = "1",
        [KEY_REDUCE] = "0:0s 1M:9us",
        [KEY_COPY] = "0.1ns/B",
        [KEY_FRESH] = "1ns/B above 1M",
        [KEY_CONNECT] = "1us",
        [KEY_MATCH] = "0.01us",
        [KEY_BOUNCE] = "0.1ns/B",
        [KEY_LINE] = "42ns",
        [KEY_QUEUE] = "3ns",
        [KEY_RAISE] = "5ns",
        [KEY_REUSE] = "0.1ns/B",
        [KEY_LOCAL] = "0.1ns/B",
        [KEY_CALL] = "25ns",
        [KEY_REMOTE] = "1.125",
        [KEY_STREAMS] = "4",
        [KEY_SINGLE] = "0.5us",
        [KEY_TOUCH] = "0.25ns/B",
    };
    if (!platform) {
        platform = platform_new("fuzz");
        platform->title = g_strdup("fuzz");
    }
    for (int k = 0; k < N_PLATFORM_KEYS && !platform->has[k]; k++) {
        g_assert_nonnull(figures[k]);
        g_assert_true(platform_set_figure(platform, k, NULL, figures[k], "fuzz", NULL));
    }
    return platform;
}

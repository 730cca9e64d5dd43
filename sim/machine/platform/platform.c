#include "machine/platform/platform.h"
#include "base/limits.h"
#include "base/nearest.h"
#include "base/share.h"
#include "base/text.h"
#include <string.h>

const PlatformKeyInfo platform_keys[N_PLATFORM_KEYS] = {
    [KEY_ALPHA] = {"alpha", PLATFORM_TIME, "start-up time of a message", "hockney", .by_level = TRUE},
    [KEY_BETA] = {"beta", PLATFORM_PER_BYTE, "transfer time of a byte", "hockney", .by_level = TRUE},
    [KEY_GAMMA] = {"gamma", PLATFORM_PER_BYTE, "time to reduce a byte", "hockney"},
    [KEY_L] = {"L", PLATFORM_TIME, "latency of the network", "loggops", .by_level = TRUE},
    [KEY_O_CPU] = {"o", PLATFORM_TIME, "CPU time to send or receive a message", "loggops"},
    [KEY_G_GAP] = {"g", PLATFORM_TIME, "gap between messages of a NIC", "loggops"},
    [KEY_G_BYTE] = {"G", PLATFORM_PER_BYTE, "NIC time of a byte", "loggops", .by_level = TRUE},
    [KEY_O_BYTE] = {"O", PLATFORM_PER_BYTE, "CPU time of a byte", "loggops"},
    [KEY_S] = {"S", PLATFORM_SIZE, "largest eager message", "loggops"},
    [KEY_WRITE] = {"write", PLATFORM_PER_BYTE, "time to copy a byte into shared memory", "shared"},
    [KEY_READ] = {"read", PLATFORM_PER_BYTE, "time to copy a byte out of shared memory", "shared"},
    [KEY_FLAG] = {"flag", PLATFORM_TIME, "time until another rank sees a flag", "shared"},
    [KEY_LANES] = {"lanes", PLATFORM_NUMBER, "ranks that read one fragment at full speed", "shared"},
    [KEY_NICS] = {"nics", PLATFORM_COUNT, "NICs of a node", "node", .optional = TRUE, .otherwise = 1},
    [KEY_NIC_RATE] = {"nic.rate", PLATFORM_BANDWIDTH, "bytes per second of a NIC, each way", "node", .optional = TRUE},
    [KEY_NIC_MESSAGES] = {"nic.messages", PLATFORM_FREQUENCY, "messages per second of a NIC, each way", "node",
                          .optional = TRUE},
    [KEY_MEMORY] = {"memory", PLATFORM_SHARE, "how long a transfer inside a node keeps the node's memory busy", "node",
                    .optional = TRUE},
    [KEY_ONE] = {"one", PLATFORM_TIMES, "time of a message one way", "measured", .by_level = TRUE},
    [KEY_STEP] = {"step", PLATFORM_TIMES, "time of a message that is half of a sendrecv at both ends", "measured",
                  .by_level = TRUE, .optional = TRUE},
    [KEY_GAP] = {"gap", PLATFORM_TIMES, "time after which a port is free again", "measured", .by_level = TRUE,
                 .optional = TRUE},
    [KEY_EAGER] = {"eager", PLATFORM_LIMIT, "largest eager message", "measured", .by_level = TRUE, .optional = TRUE,
                   .otherwise = MEASURED_EAGER},
    [KEY_LAMBDA] = {"lambda", PLATFORM_PART, "share of its gap by which an isend delays those before it", "measured",
                    .by_level = TRUE, .optional = TRUE},
    [KEY_PORTS] = {"ports", PLATFORM_COUNT, "ports of a rank in each direction", "measured", .optional = TRUE,
                   .otherwise = 1},
    [KEY_REDUCE] = {"gamma", PLATFORM_WORK, "time to reduce bytes", "measured", .optional = TRUE},
    [KEY_COPY] = {"copy", PLATFORM_WORK, "time to copy, pack or unpack bytes", "measured", .optional = TRUE},
    [KEY_FRESH] = {"fresh", PLATFORM_WORK, "time to use new scratch memory", "measured", .optional = TRUE},
};

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char **platform_names(void)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    g_autofree char *folder = share_path(SHARE_PLATFORMS, NULL);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *file;
    while (dir && (file = g_dir_read_name(dir)))
        if (g_str_has_suffix(file, ".ini"))
            g_ptr_array_add(names, g_strndup(file, strlen(file) - strlen(".ini")));
    g_ptr_array_sort(names, compare_names);
    g_ptr_array_add(names, NULL);
    return (char **)g_ptr_array_free(g_steal_pointer(&names), FALSE);
}

// Returns the path of a machine's file. Returns NULL and an error if no machine has the name. Free with g_free.
static char *path_of(const char *name, GError **error)
{
    g_auto(GStrv) names = platform_names();
    g_autofree char *file = g_strdup_printf("%s.ini", name), *folder = share_path(SHARE_PLATFORMS, NULL);
    g_autofree char *path = share_path(SHARE_PLATFORMS, file);
    // The default machine is not called unknown, because the user may not have named it.
    if (!share_check(SHARE_PLATFORMS, strcmp(name, PLATFORM_DEFAULT) == 0 ? path : folder, error))
        return NULL;
    if (g_strv_contains((const char *const *)names, name))
        return g_steal_pointer(&path);
    g_autoptr(GStrvBuilder) allowed = g_strv_builder_new();
    g_strv_builder_addv(allowed, (const char **)names);
    g_strv_builder_add(allowed, *names ? "or a path to an .ini file" : "a path to an .ini file");
    g_auto(GStrv) all = g_strv_builder_end(allowed);
    nearest_unknown("platform", name, (const char *const *)all, error);
    return NULL;
}

char *platform_path(const char *name_or_file, GError **error)
{
    const gboolean is_path = strchr(name_or_file, '/') || g_str_has_suffix(name_or_file, ".ini");
    return is_path ? g_strdup(name_or_file) : path_of(name_or_file, error);
}

Platform *platform_load(const char *name_or_file, GError **error)
{
    g_autofree char *path = platform_path(name_or_file, error);
    size_t length;
    g_autofree char *text = path ? text_read(path, LIMIT_PLATFORM_BYTES, &length, error) : NULL;
    return text ? platform_parse(path, text, length, error) : NULL;
}

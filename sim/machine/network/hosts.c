#include "machine/network/hosts.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/lines.h"
#include "base/number.h"
#include "machine/network/host_names.h"
#include <string.h>

struct Hosts {
    char *name;
    GHashTable *number; // 1 + the number, by name
    GHashTable *filled; // groups: how many hosts a group has so far
    int part;           // hosts of a group; 0 if numbers are those of hosts
    int most;           // hosts, or groups
};

void hosts_free(Hosts *x)
{
    if (!x)
        return;
    g_free(x->name);
    g_hash_table_unref(x->number);
    g_hash_table_unref(x->filled);
    g_free(x);
}

static Hosts *hosts_new(const Topology *t, const char *name)
{
    Hosts *x = g_new0(Hosts, 1);
    x->name = g_strdup(name);
    x->number = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    x->filled = g_hash_table_new(NULL, NULL);
    x->part = t->kind == TOPOLOGY_GROUPS ? t->numbers.at[0][0] : 0;
    x->most = t->hosts ? t->hosts / MAX(x->part, 1) : LIMIT_RANKS / MAX(x->part, 1);
    return x;
}

// Returns the number of the next host of a group, or -1 if it is full.
static int next_of_group(Hosts *x, int group)
{
    const int n = GPOINTER_TO_INT(g_hash_table_lookup(x->filled, GINT_TO_POINTER(group)));
    g_hash_table_insert(x->filled, GINT_TO_POINTER(group), GINT_TO_POINTER(n + 1));
    return n < x->part ? group * x->part + n : -1;
}

static gboolean add_name(Hosts *x, const char *name, int number, GError **error)
{
    if (number < 0)
        return bad_input(error, "%s is one host too many for its group; allowed: %d hosts in a group", name, x->part);
    if (g_hash_table_contains(x->number, name))
        return bad_input(error, "%s is there twice; allowed: each host once", name);
    if (g_hash_table_size(x->number) >= HOST_NAMES_MOST)
        return bad_input(error, "the file has too many hosts; allowed: at most 2^20");
    g_hash_table_insert(x->number, g_strdup(name), GINT_TO_POINTER(number + 1));
    return TRUE;
}

static gboolean read_line(Hosts *x, char *line, GError **error)
{
    int number;
    if (!*line)
        return TRUE;
    char *last = line + strlen(line);
    while (last > line && !g_ascii_isspace(last[-1]))
        last--;
    if (last == line || !number_int(last, 0, LIMIT_RANKS - 1, &number)) {
        g_autofree char *shown = error_quote(line);
        return bad_input(error, "%s is not a host; allowed: names and the number of %s, such as n[001-064] 0", shown,
                         x->part ? "their group" : "the first host");
    }
    last[-1] = '\0';
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    if (!host_names_add(names, line, error))
        return FALSE;
    const int end = number + (x->part ? 0 : (int)names->len - 1);
    if (end >= x->most)
        return bad_input(error, "%s %d is beyond the topology; allowed: %s 0 to %d", x->part ? "group" : "host", end,
                         x->part ? "groups" : "hosts", x->most - 1);
    for (guint i = 0; i < names->len; i++)
        if (!add_name(x, names->pdata[i], x->part ? next_of_group(x, number) : number + (int)i, error))
            return FALSE;
    return TRUE;
}

static Hosts *read_lines(const Topology *t, Lines *lines, GError **error)
{
    g_autoptr(Hosts) x = hosts_new(t, lines->name);
    char *line;
    gboolean good;
    while ((good = lines_next(lines, &line, error)) && line) {
        if (!lines_text(lines, line, error))
            return NULL;
        if (read_line(x, line, error))
            continue;
        g_prefix_error(error, "%s:%" G_GUINT64_FORMAT ": ", lines->name, lines->line);
        return NULL;
    }
    if (good && g_hash_table_size(x->number) == 0)
        good = bad_input(error, "%s: the file has no host; allowed: names and numbers", lines->name);
    return good ? g_steal_pointer(&x) : NULL;
}

Hosts *hosts_read(const Topology *t, GError **error)
{
    Lines lines;
    if (!lines_open(&lines, t->links->hosts, error))
        return NULL;
    Hosts *x = read_lines(t, &lines, error);
    lines_close(&lines);
    return x;
}

Hosts *hosts_parse(const Topology *t, const char *name, const char *text, size_t length, GError **error)
{
    Lines lines;
    lines_of_text(&lines, text, length, name);
    Hosts *x = read_lines(t, &lines, error);
    lines_close(&lines);
    return x;
}

int hosts_find(const Hosts *x, const char *name)
{
    return GPOINTER_TO_INT(g_hash_table_lookup(x->number, name)) - 1;
}

const char *hosts_name(const Hosts *x)
{
    return x->name;
}

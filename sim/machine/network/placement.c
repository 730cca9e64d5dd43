#include "machine/network/placement.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/lines.h"
#include "base/nearest.h"
#include "base/number.h"
#include "machine/network/host_names.h"
#include <stdlib.h>
#include <string.h>

void placement_clear(Placement *x)
{
    g_free(x->file);
    if (x->names)
        g_ptr_array_unref(x->names);
    if (x->lines)
        g_array_unref(x->lines);
    *x = (Placement){0};
}

// ---- Reading --nodes ------------------------------------------------------------------------------------------------

// Reads "7", or "1..20".
static gboolean read_seeds(const char *text, Placement *spec)
{
    enum { MOST = 1000 };
    const char *dots = strstr(text, "..");
    g_autofree char *first = dots ? g_strndup(text, (gsize)(dots - text)) : g_strdup(text);
    size_t from, to;
    if (!number_size(first, 0, UINT32_MAX, &from) || !number_size(dots ? dots + 2 : first, from, UINT32_MAX, &to) ||
        to - from >= MOST)
        return FALSE;
    spec->seed = (uint32_t)from;
    spec->last_seed = (uint32_t)to;
    return TRUE;
}

static gboolean add_names(Placement *spec, const char *list, guint64 line, GError **error)
{
    if (!host_names_add(spec->names, list, error))
        return FALSE;
    while (spec->lines->len < spec->names->len)
        g_array_append_val(spec->lines, line);
    return TRUE;
}

// Adds the host of a row `RANK,HOST,..`, unless it is that of the rank before: then both are on one node.
static gboolean add_row(Placement *spec, char *line, int column, size_t row, guint64 at, GError **error)
{
    g_auto(GStrv) fields = g_strsplit(line, ",", -1);
    size_t rank;
    if ((int)g_strv_length(fields) <= column || !number_size(g_strstrip(fields[0]), row, row, &rank) ||
        !*g_strstrip(fields[column])) {
        g_autofree char *shown = error_quote(line);
        return bad_input(error, "%s is not a row; allowed: the rank, here %" G_GSIZE_FORMAT ", and its host", shown,
                         row);
    }
    const char *last = spec->names->len ? spec->names->pdata[spec->names->len - 1] : NULL;
    return g_strcmp0(last, fields[column]) == 0 || add_names(spec, fields[column], at, error);
}

// Returns the column `allocation` of a CSV's first line; -1 if the line is not that of one.
static int allocation_column(const char *line)
{
    g_auto(GStrv) fields = g_strsplit(line, ",", -1);
    if (g_strcmp0(fields[0], "MPI_Rank") != 0)
        return -1;
    for (int i = 1; fields[i]; i++)
        if (strcmp(g_strstrip(fields[i]), "allocation") == 0)
            return i;
    return -1;
}

static gboolean read_lines(Lines *lines, Placement *spec, GError **error)
{
    gboolean good = TRUE, first = TRUE;
    int column = -1;
    size_t row = 0;
    char *line;
    *spec = (Placement){.kind = PLACEMENT_FILE, .file = g_strdup(lines->name)};
    spec->names = g_ptr_array_new_with_free_func(g_free);
    spec->lines = g_array_new(FALSE, FALSE, sizeof(guint64));
    while ((good = lines_next(lines, &line, error)) && line) {
        while (column >= 0 && line < lines->next && !*line) // PICO has written rows at fixed distances
            line++;
        if (line == lines->next)
            break; // zeros up to the end
        if (memchr(line, 0, (size_t)(lines->next - line))) {
            good = bad_input(error, "the line has a byte 0; allowed: text");
        } else {
            line[strcspn(line, "#\r\n")] = '\0';
            g_strstrip(line);
            if (!*line)
                continue;
            if (first && (column = allocation_column(line)) >= 0) {
                first = FALSE;
                continue;
            }
            first = FALSE;
            good = column >= 0 ? add_row(spec, line, column, row++, lines->line, error)
                               : add_names(spec, line, lines->line, error);
        }
        if (!good) {
            g_prefix_error(error, "%s:%" G_GUINT64_FORMAT ": ", lines->name, lines->line);
            break;
        }
    }
    if (good && spec->names->len == 0)
        good = bad_input(error, "%s: the file has no host; allowed: names of hosts", lines->name);
    if (!good)
        placement_clear(spec);
    return good;
}

gboolean placement_parse_text(const char *name, const char *text, size_t length, Placement *spec, GError **error)
{
    Lines lines;
    lines_of_text(&lines, text, length, name);
    const gboolean good = read_lines(&lines, spec, error);
    lines_close(&lines);
    return good;
}

static gboolean read_file(const char *name, Placement *spec, GError **error)
{
    static const char *const words[] = {"order", "random", "fragment", NULL};
    Lines lines;
    if (!lines_open(&lines, name, NULL)) {
        g_autofree char *word = g_strndup(name, strcspn(name, ":")), *quoted = error_quote(name);
        g_autofree char *hint = nearest_hint(word, words);
        return bad_input(error,
                         "--nodes %s is neither a placement nor a readable file%sallowed: order, random:SEED, "
                         "fragment:C:SEED, or a file",
                         quoted, hint);
    }
    const gboolean good = read_lines(&lines, spec, error);
    lines_close(&lines);
    return good;
}

gboolean placement_parse(const char *text, Placement *spec, GError **error)
{
    *spec = (Placement){0};
    if (strcmp(text, "order") == 0)
        return TRUE;
    if (g_str_has_prefix(text, "random:")) {
        spec->kind = PLACEMENT_RANDOM;
        if (read_seeds(text + strlen("random:"), spec))
            return TRUE;
    } else if (g_str_has_prefix(text, "fragment:")) {
        const char *c = text + strlen("fragment:"), *colon = strchr(c, ':');
        g_autofree char *number = g_strndup(c, colon ? (gsize)(colon - c) : strlen(c));
        spec->kind = PLACEMENT_FRAGMENT;
        if (colon && number_int(number, 1, LIMIT_RANKS, &spec->fragments) && read_seeds(colon + 1, spec))
            return TRUE;
    } else {
        return read_file(text, spec, error);
    }
    *spec = (Placement){0};
    g_autofree char *shown = error_quote(text);
    return bad_input(error,
                     "--nodes %s has no valid numbers; allowed: random:SEED or fragment:C:SEED with C from 1 on, and a "
                     "number from 0 to 4294967295 or a range of at most 1000, such as 1..20, for SEED",
                     shown);
}

// ---- Placing nodes --------------------------------------------------------------------------------------------------

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

// Sets chosen[] to n different numbers below `most`, in random order.
static void choose(GRand *random, int most, int n, int *chosen)
{
    g_autofree int *all = g_new(int, most);
    for (int i = 0; i < most; i++)
        all[i] = i;
    for (int i = 0; i < n; i++) {
        const int k = g_rand_int_range(random, i, most), x = all[k];
        all[k] = all[i];
        chosen[i] = all[i] = x;
    }
}

static gboolean place_fragments(const Placement *spec, GRand *random, const Network *n, int nodes, int *host,
                                GError **error)
{
    const int parts = n->hosts / n->part, c = spec->fragments;
    if (!n->topology.hosts)
        return bad_input(error, "--nodes fragment needs to know how many groups there are; allowed: shape = %d;GROUPS",
                         n->part);
    if (c > parts || c > nodes || (int64_t)c * n->part < nodes)
        return bad_input(error,
                         "--nodes fragment: %d nodes do not fit into %d of %d groups of %d hosts with a node in each; "
                         "allowed: %" G_GINT64_FORMAT " to %d groups",
                         nodes, c, parts, n->part, ((int64_t)nodes + n->part - 1) / n->part, MIN(parts, nodes));
    g_autofree int *chosen = g_new(int, c), *size = g_new(int, c);
    choose(random, parts, c, chosen);
    qsort(chosen, (size_t)c, sizeof *chosen, by_number);
    for (int i = 0; i < c; i++)
        size[i] = 1;
    for (int left = nodes - c; left > 0;) { // each of the others joins a fragment that has room
        const int i = g_rand_int_range(random, 0, c);
        const int drawn = g_rand_int_range(random, 0, left + 1), more = MIN(n->part - size[i], drawn);
        size[i] += more;
        left -= more;
    }
    int node = 0;
    for (int i = 0; i < c; i++) {
        const int first = chosen[i] * n->part + g_rand_int_range(random, 0, n->part - size[i] + 1);
        for (int k = 0; k < size[i]; k++)
            host[node++] = first + k;
    }
    return TRUE;
}

// Makes the error that nodes i and k, whose row is at `at`, are on one host.
static gboolean twice(const Placement *spec, const char *at, int i, int k, GError **error)
{
    g_autofree char *first = error_quote(spec->names->pdata[i]), *second = error_quote(spec->names->pdata[k]);
    const guint64 line = g_array_index(spec->lines, guint64, i);
    if (strcmp(first, second) == 0)
        return bad_input(error, "%s: %s is there twice, first in line %" G_GUINT64_FORMAT "; allowed: each host once",
                         at, second, line);
    return bad_input(error, "%s: %s is the same host as %s in line %" G_GUINT64_FORMAT "; allowed: each host once", at,
                     second, first, line);
}

// Sets host[] to the hosts that a file names, and *most to the number behind the largest one.
static gboolean place_names(const Placement *spec, const Topology *t, const Hosts *table, int nodes, int *host,
                            int *most, GError **error)
{
    const int limit = t->hosts ? t->hosts : LIMIT_RANKS;
    if ((guint)nodes > spec->names->len)
        return bad_input(error, "%s: the file names %u host%s, %d are needed; allowed: a host for each node",
                         spec->file, spec->names->len, spec->names->len == 1 ? "" : "s", nodes);
    g_autoptr(GHashTable) used = g_hash_table_new(NULL, NULL); // 1 + the node of a host, by 1 + its number
    *most = 0;
    for (int i = 0; i < nodes; i++) {
        const char *name = spec->names->pdata[i];
        const guint64 line = g_array_index(spec->lines, guint64, i);
        g_autofree char *at = g_strdup_printf("%s:%" G_GUINT64_FORMAT, spec->file, line), *shown = error_quote(name);
        if (table)
            host[i] = hosts_find(table, name);
        else if (!number_int(name, 0, limit - 1, &host[i]))
            return bad_input(error,
                             "%s: %s is not a host; allowed: numbers from 0 to %d, or names with hosts = FILE in "
                             "[topology]",
                             at, shown, limit - 1);
        if (host[i] < 0)
            return bad_input(error, "%s: %s is not a host of %s; allowed: the names in that file", at, shown,
                             hosts_name(table));
        const int before = GPOINTER_TO_INT(g_hash_table_lookup(used, GINT_TO_POINTER(host[i] + 1))) - 1;
        if (before >= 0)
            return twice(spec, at, before, i, error);
        g_hash_table_insert(used, GINT_TO_POINTER(host[i] + 1), GINT_TO_POINTER(i + 1));
        *most = MAX(*most, host[i] + 1);
    }
    return TRUE;
}

void network_spec_clear(NetworkSpec *x)
{
    topology_clear(&x->topology);
    placement_clear(&x->nodes);
    hosts_free(x->hosts);
}

Network *placement_make(const Placement *spec, uint32_t seed, const Topology *t, const Hosts *table, int nodes,
                        int **hosts, GError **error)
{
    g_autofree int *host = g_new(int, nodes);
    int needed = nodes;
    if (t->hosts && nodes > t->hosts) {
        bad_input(error, "topology %s %s has %d hosts, %d are needed; allowed: a larger shape, or fewer nodes",
                  topology_names[t->kind], t->shape, t->hosts, nodes);
        return NULL;
    }
    if (spec->kind == PLACEMENT_FILE && !place_names(spec, t, table, nodes, host, &needed, error))
        return NULL;
    g_autoptr(Network) n = network_new(t, needed, error);
    if (!n)
        return NULL;
    GRand *random = g_rand_new_with_seed(seed);
    gboolean good = TRUE;
    if (spec->kind == PLACEMENT_RANDOM)
        choose(random, n->hosts, nodes, host);
    else if (spec->kind == PLACEMENT_FRAGMENT)
        good = place_fragments(spec, random, n, nodes, host, error);
    else
        for (int i = 0; i < nodes && spec->kind == PLACEMENT_ORDER; i++)
            host[i] = i;
    g_rand_free(random);
    if (!good)
        return NULL;
    *hosts = g_steal_pointer(&host);
    return g_steal_pointer(&n);
}

char *network_spec_text(const NetworkSpec *x)
{
    const Topology *t = &x->topology;
    GString *s = g_string_new(NULL);
    g_string_append_printf(s, "%s %s, %s routing", topology_names[t->kind], t->shape, routing_names[t->routing]);
    for (int i = 0; t->links && i < topology_classes(t); i++)
        if (t->links->background[i] > 0)
            g_string_append_printf(s, ", %g %% of %s are others'", 100 * t->links->background[i], topology_class(t, i));
    return g_string_free(s, FALSE);
}

char *network_spec_nodes(const NetworkSpec *x, uint32_t seed)
{
    switch (x->nodes.kind) {
    case PLACEMENT_RANDOM:
        return g_strdup_printf("random:%u", seed);
    case PLACEMENT_FRAGMENT:
        return g_strdup_printf("fragment:%d:%u", x->nodes.fragments, seed);
    case PLACEMENT_FILE:
        return g_strdup(x->nodes.file);
    case PLACEMENT_ORDER:
        break;
    }
    return g_strdup("order");
}

char *network_spec_all_nodes(const NetworkSpec *x)
{
    char *first = network_spec_nodes(x, x->nodes.seed);
    if (placement_seeds(&x->nodes) == 1)
        return first;
    char *all = g_strdup_printf("%s..%u", first, x->nodes.last_seed);
    g_free(first);
    return all;
}

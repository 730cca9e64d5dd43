#include "machine/platform/topology.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/nearest.h"
#include "base/number.h"
#include <string.h>

enum { MAX_LEVELS = 32, GROUPS = 4 };

const char *const topology_names[N_TOPOLOGIES + 1] = {"flat", "fat_tree", "torus", "dragonfly", NULL};

// The numbers of a shape: groups separated by ';', and numbers in a group separated by ','.
typedef struct TopologyNumbers {
    int groups, count[GROUPS], at[GROUPS][MAX_LEVELS];
} TopologyNumbers;

static gboolean read_group(const char *text, int *at, int *count)
{
    g_auto(GStrv) words = g_strsplit(text, ",", -1);
    *count = 0;
    for (char **word = words; *word; word++) {
        if (*count == MAX_LEVELS || !number_int(g_strstrip(*word), 1, LIMIT_RANKS, &at[*count]))
            return FALSE;
        ++*count;
    }
    return *count > 0;
}

static gboolean read_numbers(const char *text, TopologyNumbers *n)
{
    g_auto(GStrv) groups = g_strsplit(text, ";", -1);
    *n = (TopologyNumbers){.groups = (int)g_strv_length(groups)};
    if (n->groups < 1 || n->groups > GROUPS)
        return FALSE;
    for (int i = 0; i < n->groups; i++)
        if (!read_group(groups[i], n->at[i], &n->count[i]))
            return FALSE;
    return TRUE;
}

static char *numbers_text(const TopologyNumbers *n)
{
    GString *s = g_string_new(NULL);
    for (int i = 0; i < n->groups; i++)
        for (int k = 0; k < n->count[i]; k++)
            g_string_append_printf(s, "%s%d", k ? "," : i ? ";" : "", n->at[i][k]);
    return g_string_free(s, FALSE);
}

// Multiplies *hosts by n numbers. Returns FALSE if the product exceeds LIMIT_RANKS.
static gboolean multiply(const int *number, int n, gint64 *hosts)
{
    for (int i = 0; i < n; i++)
        if ((*hosts *= number[i]) > LIMIT_RANKS)
            return FALSE;
    return TRUE;
}

static gboolean bad_shape(GError **error, const char *text, const char *what, const char *allowed)
{
    g_autofree char *shown = error_quote(text);
    return bad_input(error, "shape %s %s; allowed: %s", shown, what, allowed);
}

static gboolean fat_tree(const char *text, const TopologyNumbers *n, Topology *t, gint64 *hosts, GError **error)
{
    const int levels = n->at[0][0];
    if (n->groups != 4 || n->count[0] != 1 || n->count[1] != levels || n->count[2] != levels || n->count[3] != levels)
        return bad_shape(error, text, "is not a fat tree",
                         "levels; ports down; ports up; cables, the last three with a number for every level, such as "
                         "2;4,4;1,2;1,2");
    // The two nearest hosts are below one switch of the lowest level whose switches have more than one port down.
    int level = 0;
    while (level < levels && n->at[1][level] == 1)
        level++;
    t->hops = level < levels ? 2 * (level + 1) : 0;
    return multiply(n->at[1], levels, hosts) || bad_shape(error, text, "has too many hosts", "at most 2^27");
}

static gboolean torus(const char *text, const TopologyNumbers *n, Topology *t, gint64 *hosts, GError **error)
{
    if (n->groups != 1)
        return bad_shape(error, text, "is not a torus", "the hosts in each dimension, such as 4,4");
    if (!multiply(n->at[0], n->count[0], hosts))
        return bad_shape(error, text, "has too many hosts", "at most 2^27");
    t->hops = *hosts > 1;
    return TRUE;
}

static gboolean dragonfly(const char *text, const TopologyNumbers *n, Topology *t, gint64 *hosts, GError **error)
{
    const int groups = n->at[0][0], routers = n->at[2][0], nodes = n->at[3][0];
    if (n->groups != 4 || n->count[0] != 2 || n->count[1] != 2 || n->count[2] != 2 || n->count[3] != 1)
        return bad_shape(error, text, "is not a dragonfly",
                         "groups,cables; chassis,cables; routers,cables; hosts per router, such as 2,1;2,1;2,1;2");
    if (groups > 1 && groups > routers)
        return bad_shape(error, text, "has more groups than a chassis has routers",
                         "at most as many groups as routers, because each router of a chassis leads to one group");
    const int factors[] = {groups, n->at[1][0], routers, nodes};
    if (!multiply(factors, G_N_ELEMENTS(factors), hosts))
        return bad_shape(error, text, "has too many hosts", "at most 2^27");
    // Two hosts of one router are 2 links apart, up and down; if each router has only one host, there is a link between
    // two routers as well.
    t->hops = nodes > 1 ? 2 : *hosts > 1 ? 3 : 0;
    return TRUE;
}

gboolean topology_make(TopologyKind kind, const char *shape, Topology *out, GError **error)
{
    static gboolean (*const readers[])(const char *, const TopologyNumbers *, Topology *, gint64 *, GError **) = {
        [TOPOLOGY_FAT_TREE] = fat_tree, [TOPOLOGY_TORUS] = torus, [TOPOLOGY_DRAGONFLY] = dragonfly};
    if (kind == TOPOLOGY_FLAT) {
        if (shape)
            return bad_input(error, "a flat topology takes no shape; allowed: kind = fat_tree, torus or dragonfly");
        *out = (Topology){.hops = 2}; // one link up to the network and one down
        return TRUE;
    }
    if (!shape)
        return bad_input(error, "topology %s has no shape; allowed: with shape = numbers", topology_names[kind]);
    TopologyNumbers n;
    gint64 hosts = 1;
    Topology t = {.kind = kind};
    if (!read_numbers(shape, &n))
        return bad_shape(error, shape, "is not made of numbers",
                         "numbers of 1 or more, with , between them and ; between groups");
    if (!readers[kind](shape, &n, &t, &hosts, error))
        return FALSE;
    t.hosts = (int)hosts;
    t.shape = numbers_text(&n);
    *out = t;
    return TRUE;
}

enum { KIND, SHAPE, SOURCE };
static const char *const keys[] = {"kind", "shape", "shape.source", NULL};

gboolean topology_read(TopologyText *given, guint line, const char *key, const char *value, GError **error)
{
    int i;
    if (!nearest_find("key in [topology]", key, keys, &i, error))
        return FALSE;
    if (given->line[i])
        return bad_input(error, "%s is set twice, first in line %u; allowed: once", key, given->line[i]);
    given->line[i] = line;
    given->text[i] = g_strdup(value);
    return TRUE;
}

gboolean topology_finish(const TopologyText *given, guint *line, Topology *out, GError **error)
{
    const char *shape = given->text[SHAPE], *source = given->text[SOURCE];
    int kind = TOPOLOGY_FLAT;
    *line = MAX(given->line[SHAPE], given->line[SOURCE]);
    if (*line && !given->text[KIND])
        return bad_input(error, "[topology] has no kind; allowed: kind = flat, fat_tree, torus or dragonfly");
    if (given->text[KIND]) {
        *line = given->line[KIND];
        if (!nearest_find("kind of topology", given->text[KIND], topology_names, &kind, error))
            return FALSE;
    }
    *line = shape ? given->line[SHAPE] : source ? given->line[SOURCE] : *line;
    if (source && !shape)
        return bad_input(error, "shape.source has no shape; allowed: with shape = numbers");
    if (shape && !(source && *source))
        return bad_input(error, "shape has no source; allowed: with shape.source = where it comes from");
    return topology_make((TopologyKind)kind, shape, out, error);
}

void topology_text_clear(TopologyText *given)
{
    for (size_t i = 0; i < G_N_ELEMENTS(given->text); i++)
        g_free(given->text[i]);
}

#include "machine/platform/topology.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/nearest.h"
#include "base/number.h"
#include <string.h>

const char *const topology_names[N_TOPOLOGIES + 1] = {"flat",   "fat_tree", "torus", "dragonfly",
                                                      "hyperx", "groups",   NULL};
const char *const routing_names[N_ROUTINGS + 1] = {"minimal", "spread", NULL};

static gboolean read_section(const char *text, int *at, int *count)
{
    g_auto(GStrv) words = g_strsplit(text, ",", -1);
    *count = 0;
    for (char **word = words; *word; word++) {
        if (*count == TOPOLOGY_NUMBERS || !number_int(g_strstrip(*word), 1, LIMIT_RANKS, &at[*count]))
            return FALSE;
        ++*count;
    }
    return *count > 0;
}

static gboolean read_numbers(const char *text, TopologyNumbers *n)
{
    g_auto(GStrv) sections = g_strsplit(text, ";", -1);
    *n = (TopologyNumbers){.sections = (int)g_strv_length(sections)};
    if (n->sections < 1 || n->sections > TOPOLOGY_SECTIONS)
        return FALSE;
    for (int i = 0; i < n->sections; i++)
        if (!read_section(sections[i], n->at[i], &n->count[i]))
            return FALSE;
    return TRUE;
}

static char *numbers_text(const TopologyNumbers *n)
{
    GString *s = g_string_new(NULL);
    for (int i = 0; i < n->sections; i++)
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
    if (n->sections != 4 || n->count[0] != 1 || n->count[1] != levels || n->count[2] != levels || n->count[3] != levels)
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
    if (n->sections != 1)
        return bad_shape(error, text, "is not a torus", "the hosts in each dimension, such as 4,4");
    if (!multiply(n->at[0], n->count[0], hosts))
        return bad_shape(error, text, "has too many hosts", "at most 2^27");
    t->hops = *hosts > 1;
    return TRUE;
}

// Reads a dragonfly of our own, whose groups have no chassis.
static gboolean switched(const char *text, const TopologyNumbers *n, Topology *t, gint64 *hosts, GError **error)
{
    if (n->count[0] != 2 || n->count[1] != 2 || n->count[2] != 1)
        return bad_shape(error, text, "is not a dragonfly",
                         "groups,cables; switches,cables; hosts per switch, such as 73,4;32,1;4");
    const int factors[] = {n->at[0][0], n->at[1][0], n->at[2][0]};
    t->ours = TRUE;
    return multiply(factors, G_N_ELEMENTS(factors), hosts) ||
           bad_shape(error, text, "has too many hosts", "at most 2^27");
}

static gboolean dragonfly(const char *text, const TopologyNumbers *n, Topology *t, gint64 *hosts, GError **error)
{
    if (n->sections == 3)
        return switched(text, n, t, hosts, error);
    const int groups = n->at[0][0], routers = n->at[2][0], nodes = n->at[3][0];
    if (n->sections != 4 || n->count[0] != 2 || n->count[1] != 2 || n->count[2] != 2 || n->count[3] != 1)
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

static gboolean hyperx(const char *text, const TopologyNumbers *n, Topology *t, gint64 *hosts, GError **error)
{
    if (n->sections > 2 || (n->sections == 2 && n->count[1] != 1))
        return bad_shape(error, text, "is not a hyperx",
                         "the switches in each dimension; hosts per switch, such as 8,8;4");
    t->ours = TRUE;
    return (multiply(n->at[0], n->count[0], hosts) && (n->sections == 1 || multiply(n->at[1], 1, hosts))) ||
           bad_shape(error, text, "has too many hosts", "at most 2^27");
}

static gboolean groups(const char *text, const TopologyNumbers *n, Topology *t, gint64 *hosts, GError **error)
{
    if (n->sections > 2 || n->count[0] != 1 || (n->sections == 2 && n->count[1] != 1))
        return bad_shape(error, text, "is not a number of groups",
                         "the hosts in a group, or these and the number of groups, such as 256;6");
    t->ours = TRUE;
    *hosts = 0;
    if (n->sections == 1)
        return TRUE;
    *hosts = n->at[0][0];
    return multiply(n->at[1], 1, hosts) || bad_shape(error, text, "has too many hosts", "at most 2^27");
}

gboolean topology_make(TopologyKind kind, const char *shape, Topology *out, GError **error)
{
    static gboolean (*const readers[])(const char *, const TopologyNumbers *, Topology *, gint64 *,
                                       GError **) = {[TOPOLOGY_FAT_TREE] = fat_tree,
                                                     [TOPOLOGY_TORUS] = torus,
                                                     [TOPOLOGY_DRAGONFLY] = dragonfly,
                                                     [TOPOLOGY_HYPERX] = hyperx,
                                                     [TOPOLOGY_GROUPS] = groups};
    if (kind == TOPOLOGY_FLAT) {
        if (shape)
            return bad_input(error, "a flat topology takes no shape; allowed: another kind");
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
                         "numbers from 1 to 2^27, with , between them and ; between groups");
    if (!readers[kind](shape, &n, &t, &hosts, error))
        return FALSE;
    t.hosts = (int)hosts;
    t.shape = numbers_text(&n);
    t.numbers = n;
    t.routing = kind == TOPOLOGY_DRAGONFLY || kind == TOPOLOGY_GROUPS ? ROUTING_SPREAD : ROUTING_MINIMAL;
    t.links = g_atomic_rc_box_new0(TopologyLinks);
    *out = t;
    return TRUE;
}

// ---- Copies, and classes of links -----------------------------------------------------------------------------------

Topology topology_copy(const Topology *of)
{
    Topology x = *of;
    x.shape = g_strdup(of->shape);
    if (x.links)
        g_atomic_rc_box_acquire(x.links);
    return x;
}

static void links_clear(gpointer data)
{
    TopologyLinks *links = data;
    for (int i = 0; i < TOPOLOGY_CLASSES; i++)
        g_free(links->source[i]);
    g_free(links->hop_source);
    g_free(links->hosts);
    g_free(links->hosts_source);
}

void topology_take_links(Topology *t, const Topology *from)
{
    TopologyLinks *old = t->links;
    t->links = g_atomic_rc_box_acquire(from->links);
    g_atomic_rc_box_release_full(old, links_clear);
}

void topology_speed_up(Topology *t, double rates, double hops)
{
    TopologyLinks *old = t->links, *links = t->links = g_atomic_rc_box_new0(TopologyLinks);
    *links = *old;
    for (int i = 0; i < TOPOLOGY_CLASSES; i++) {
        links->per_byte_s[i] /= rates;
        links->source[i] = g_strdup(old->source[i]);
    }
    links->hop_s /= hops;
    links->hop_source = g_strdup(old->hop_source);
    links->hosts = g_strdup(old->hosts);
    links->hosts_source = g_strdup(old->hosts_source);
    g_atomic_rc_box_release_full(old, links_clear);
}

void topology_clear(Topology *t)
{
    g_clear_pointer(&t->shape, g_free);
    if (t->links)
        g_atomic_rc_box_release_full(g_steal_pointer(&t->links), links_clear);
}

int topology_classes(const Topology *t)
{
    switch (t->kind) {
    case TOPOLOGY_FAT_TREE:
        return t->numbers.at[0][0];
    case TOPOLOGY_TORUS:
        return t->numbers.count[0];
    case TOPOLOGY_HYPERX:
        return 1 + t->numbers.count[0];
    case TOPOLOGY_DRAGONFLY:
        return t->ours ? 3 : 4;
    case TOPOLOGY_GROUPS:
        return 4;
    case TOPOLOGY_FLAT:
    case N_TOPOLOGIES:
        break;
    }
    return 0;
}

#define NUMBERED(x)                                                                                                    \
    {                                                                                                                  \
        x "1", x "2", x "3", x "4", x "5", x "6", x "7", x "8", x "9", x "10", x "11", x "12", x "13", x "14", x "15", \
            x "16", x "17", x "18", x "19", x "20", x "21", x "22", x "23", x "24", x "25", x "26", x "27", x "28",    \
            x "29", x "30", x "31", x "32"                                                                             \
    }

const char *topology_class(const Topology *t, int i)
{
    static const char *const levels[TOPOLOGY_NUMBERS] = NUMBERED("level");
    static const char *const dims[TOPOLOGY_NUMBERS] = NUMBERED("dim");
    static const char *const routers[] = {"host", "chassis", "group", "global"};
    static const char *const switches[] = {"host", "group", "global"};
    static const char *const between[] = {"host", "pair", "out", "in"};
    g_assert(i >= 0 && i < topology_classes(t));
    switch (t->kind) {
    case TOPOLOGY_FAT_TREE:
        return levels[i];
    case TOPOLOGY_TORUS:
        return dims[i];
    case TOPOLOGY_HYPERX:
        return i == 0 ? "host" : dims[i - 1];
    case TOPOLOGY_DRAGONFLY:
        return t->ours ? switches[i] : routers[i];
    default:
        return between[i];
    }
}

#include "run/launch/simgrid_figures.h"
#include "base/error.h"
#include <stdlib.h>

#define NO_LIMIT "1e24Bps" // a bandwidth at which bytes take no time

double simgrid_latency(double alpha, double beta)
{
    return alpha - SIMGRID_ENVELOPE * beta;
}

void simgrid_bandwidth(GString *s, const char *name, double per_byte)
{
    if (per_byte > 0)
        g_string_append_printf(s, " %s=\"%.17gBps\"", name, 1 / per_byte);
    else
        g_string_append_printf(s, " %s=\"" NO_LIMIT "\"", name);
}

// Compares two times that were written in different ways, such as 0.08ns/B and 12.5GB/s.
static int compare(double a, double b)
{
    return a > b * (1 + 1e-9) ? 1 : b > a * (1 + 1e-9) ? -1 : 0;
}

static int by_code(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

// Marks the levels at which two ranks of the map communicate. Codes have the outer units in their high bits, so each of
// these levels is that of two neighbours in the order of codes.
static void find_levels(const Mapping *map, gboolean *used)
{
    g_autofree uint64_t *code = g_memdup2(map->code, (gsize)map->p * sizeof *code);
    qsort(code, (size_t)map->p, sizeof *code, by_code);
    for (int i = 1; i < map->p; i++)
        used[mapping_code_level(map, code[i - 1], code[i])] = TRUE;
}

// Sets *out to the figure that the used levels from `first` to `last` have in common, and leaves it if none is used.
static gboolean one_figure(const Platform *platform, PlatformKey key, const gboolean *used, int first, int last,
                           const char *where, double *out, GError **error)
{
    int found = -1;
    for (int k = first; k <= last; k++) {
        if (!used[k])
            continue;
        const double value = platform_at(platform, key, k);
        if (found >= 0 && value != *out) {
            const char *name = platform_keys[key].name, *a = platform->levels.at[found].name,
                       *b = platform->levels.at[k].name;
            g_autofree char *x = platform_figure_text(key, *out), *y = platform_figure_text(key, value);
            return bad_input(error,
                             "platform %s: %s.%s is %s and %s.%s is %s, but SMPI's hosts have one %s; allowed: "
                             "equal figures, or ranks that need only one of them",
                             platform->name, name, a, x, name, b, y, where);
        }
        found = k;
        *out = value;
    }
    return TRUE;
}

// Under eager the sender pays for a message, whoever receives it.
static gboolean check_eager(const SimgridMachine *m, const SimgridFigures *f, GError **error)
{
    if (m->transfer != SIMGRID_EAGER || f->most == 1 || (f->alpha == f->near_alpha && f->beta == f->near_beta))
        return TRUE;
    return bad_input(
        error,
        "platform %s: transfer eager charges all messages alike, and those inside a node cost less or more "
        "than others; allowed: rendezvous, eager-shared",
        m->platform->name);
}

// Finds the figures inside and between hosts. A level up to that of the node is inside.
static gboolean find_figures(const SimgridMachine *m, SimgridFigures *f, GError **error)
{
    const Platform *platform = m->platform;
    const int n = platform->levels.n, node = levels_node(&platform->levels);
    const double *value = platform->value;
    *f = (SimgridFigures){.most = 1, .alpha = value[KEY_ALPHA], .beta = value[KEY_BETA]};
    for (int i = 0; m->map && i < m->map->nodes->n; i++)
        f->most = MAX(f->most, coll_nodes_size(m->map->nodes, i));
    if (f->most > 1) {
        f->near_alpha = f->alpha;
        f->near_beta = f->beta;
    }
    if (!m->map || n == 1)
        return TRUE;
    gboolean used[LEVELS_MOST] = {FALSE};
    find_levels(m->map, used);
    if (!one_figure(platform, KEY_ALPHA, used, 0, node, "loopback", &f->near_alpha, error) ||
        !one_figure(platform, KEY_BETA, used, 0, node, "loopback", &f->near_beta, error))
        return FALSE;
    if (f->most == m->p && m->p > 1) { // there is one host
        f->alpha = f->near_alpha;
        f->beta = f->near_beta;
    }
    return one_figure(platform, KEY_ALPHA, used, node + 1, n - 1, "network", &f->alpha, error) &&
           one_figure(platform, KEY_BETA, used, node + 1, n - 1, "network", &f->beta, error);
}

static gboolean refuse(const Platform *platform, PlatformKey key, const char *why, const char *allowed, GError **error)
{
    g_autofree char *value = key == KEY_MEMORY ? table_text(platform_keys[key].unit, platform->memory)
                                               : platform_figure_text(key, platform->value[key]);
    return bad_input(error, "platform %s: %s is %s, and %s; allowed: %s", platform->name, platform_keys[key].name,
                     value, why, allowed);
}

// Finds what the ranks of a host share. A NIC that one rank uses never makes it wait unless the NIC is slower than the
// rank's port. Without NICs, ranks do not share anything: the host's link has room for all of their ports.
static gboolean find_link(const SimgridMachine *m, SimgridFigures *f, GError **error)
{
    const Platform *x = m->platform;
    const gboolean hosts = m->map ? m->map->nodes->n > 1 : m->p > 1, flat = simgrid_topology(m)->kind == TOPOLOGY_FLAT;
    const double rate = x->value[KEY_NIC_RATE], nics = x->value[KEY_NICS];
    const gboolean crowd = f->most > nics && hosts;
    f->link = flat ? f->beta / f->most : f->beta; // a topology's hosts have the link of one rank
    f->in_turn = x->has[KEY_NIC_RATE] && crowd && compare(rate, f->beta) < 0;
    if (x->has[KEY_MEMORY] && f->most > 1)
        return refuse(x, KEY_MEMORY, "SMPI's ranks do not share the memory of a host", "--set memory=none", error);
    // Under eager a rank's in-port never makes messages wait, but its NIC does, even if no other rank uses it.
    for (PlatformKey key = KEY_NIC_RATE; m->transfer == SIMGRID_EAGER && hosts && key <= KEY_NIC_MESSAGES; key++)
        if (x->has[key])
            return refuse(x, key, "transfer eager has no network", "--transfer rendezvous or eager-shared", error);
    if (x->has[KEY_NIC_RATE] && hosts && compare(rate, f->beta) > 0)
        return refuse(x, KEY_NIC_RATE, "a rank's port is faster, for which SMPI has no link", "1 / beta or more",
                      error);
    if (x->has[KEY_NIC_MESSAGES] && hosts && (crowd || x->value[KEY_NIC_MESSAGES] > f->alpha))
        return refuse(x, KEY_NIC_MESSAGES, "SMPI's links count bytes, not messages", "--set nic.messages=none", error);
    if (!x->has[KEY_NIC_RATE] || !crowd)
        return TRUE;
    if (nics > 1)
        return refuse(x, KEY_NICS, "SMPI's hosts have one link", "1, or as many as the ranks of a node", error);
    if (!flat && f->in_turn)
        return refuse(x, KEY_NIC_RATE, "SMPI's topologies have links of 1 / beta", "1 / beta, or a flat topology",
                      error);
    f->link = MAX(f->link, rate);
    return TRUE;
}

gboolean simgrid_figures(const SimgridMachine *m, SimgridFigures *f, GError **error)
{
    static const PlatformKey needed[] = {KEY_ALPHA, KEY_BETA};
    g_assert(!m->map || (m->map->p == m->p && m->map->n_levels == m->platform->levels.n));
    return platform_need(m->platform, needed, G_N_ELEMENTS(needed), "hockney", error) && find_figures(m, f, error) &&
           check_eager(m, f, error) && find_link(m, f, error);
}

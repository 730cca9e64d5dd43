#include "run/launch/simgrid.h"
#include "base/error.h"
#include "base/units.h"
#include "run/launch/simgrid_network.h"

#define EVERY_SIZE "2147483647" // a threshold above all sizes

const char *const simgrid_transfers[N_SIMGRID_TRANSFERS + 1] = {"rendezvous", "eager", "eager-shared", NULL};

static int hosts_needed(const SimgridMachine *m)
{
    return m->map ? m->map->nodes->n : m->p;
}

static gboolean check_alpha(const Platform *platform, double alpha, double beta, GError **error)
{
    if (simgrid_latency(alpha, beta) >= 0)
        return TRUE;
    g_autofree char *a = units_format_time(alpha), *b = units_format_time(SIMGRID_ENVELOPE * beta);
    return bad_input(error,
                     "platform %s: alpha is %s, and the 16 bytes that SMPI adds to a message take %s; "
                     "allowed: alpha of 16 beta or more, or transfer eager",
                     platform->name, a, b);
}

const Topology *simgrid_topology(const SimgridMachine *m)
{
    static const Topology flat = {.kind = TOPOLOGY_FLAT, .hops = 2};
    return m->platform->topology.ours || m->network ? &flat : &m->platform->topology;
}

// Sets *f to what SMPI must charge. Returns FALSE and an error if it cannot charge it exactly.
static gboolean check_machine(const SimgridMachine *m, SimgridFigures *f, GError **error)
{
    const Platform *platform = m->platform;
    const Topology *t = simgrid_topology(m);
    if (!simgrid_figures(m, f, error))
        return FALSE;
    if (t->hosts && hosts_needed(m) > t->hosts)
        return bad_input(
            error, "platform %s: topology %s %s has %d hosts, %d are needed; allowed: a larger shape, or fewer ranks",
            platform->name, topology_names[t->kind], t->shape, t->hosts, hosts_needed(m));
    const TopologyKind kind = m->network ? m->network->topology.kind : t->kind;
    if (m->transfer == SIMGRID_EAGER)
        return kind == TOPOLOGY_FLAT ||
               bad_input(
                   error,
                   "platform %s: transfer eager has no network for topology %s; allowed: rendezvous, eager-shared",
                   platform->name, topology_names[kind]);
    return check_alpha(platform, f->alpha, f->beta, error) && check_alpha(platform, f->near_alpha, f->near_beta, error);
}

char *simgrid_xml(const SimgridMachine *m, GError **error)
{
    static const char *const kinds[] = {
        [TOPOLOGY_FAT_TREE] = "FAT_TREE", [TOPOLOGY_TORUS] = "TORUS", [TOPOLOGY_DRAGONFLY] = "DRAGONFLY"};
    SimgridFigures f;
    if (!check_machine(m, &f, error))
        return NULL;
    const Topology *t = simgrid_topology(m);
    if (m->transfer == SIMGRID_EAGER) // the sender's overhead is the whole time, see simgrid_command
        f = (SimgridFigures){.most = f.most};
    g_autoptr(GString) s = g_string_new("<?xml version='1.0'?>\n"
                                        "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                                        "<platform version=\"4.1\">\n");
    if (m->network)
        return simgrid_zone(m, &f, s, error) ? g_string_free(g_steal_pointer(&s), FALSE) : NULL;
    // Each rank needs a core of its own, or ranks would share the time of one.
    g_string_append_printf(s,
                           "  <cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-%d\" speed=\"1Gf\" core=\"%d\"\n"
                           "          ",
                           (t->hosts ? t->hosts : hosts_needed(m)) - 1, f.most);
    simgrid_bandwidth(s, "bw", f.link);
    g_string_append_printf(s, " lat=\"%.17gs\" sharing_policy=\"SPLITDUPLEX\"\n",
                           simgrid_latency(f.alpha, f.beta) / MAX(1, t->hops));
    if (t->kind != TOPOLOGY_FLAT)
        g_string_append_printf(s, "           topology=\"%s\" topo_parameters=\"%s\"\n", kinds[t->kind], t->shape);
    if (f.link < f.beta) { // then several messages share a host's link, and each is as fast as a port
        g_string_append(s, "          ");
        simgrid_bandwidth(s, "bb_bw", f.beta);
        g_string_append(s, " bb_lat=\"0s\" bb_sharing_policy=\"FATPIPE\"\n");
    }
    // Ranks on the same host send through the loopback. With one rank per host, only a rank's messages to itself do.
    g_string_append(s, "          ");
    simgrid_bandwidth(s, "loopback_bw", f.near_beta);
    g_string_append_printf(s, " loopback_lat=\"%.17gs\"/>\n</platform>\n", simgrid_latency(f.near_alpha, f.near_beta));
    return g_string_free(g_steal_pointer(&s), FALSE);
}

char *simgrid_note(const SimgridMachine *m)
{
    SimgridFigures f;
    if (!simgrid_figures(m, &f, NULL) || !f.in_turn)
        return NULL;
    g_autofree char *beta = platform_figure_text(KEY_BETA, f.beta - m->platform->value[KEY_NIC_RATE]);
    return g_strdup_printf("nic.rate is above 1 / beta: ranks take turns at a NIC here and share it in SMPI, where the "
                           "last of n bytes each may end up to n * %s earlier",
                           beta);
}

char *simgrid_hostfile(const SimgridMachine *m)
{
    GString *s = g_string_new(NULL);
    for (int i = 0; i < m->p; i++)
        g_string_append_printf(s, "n%d\n", m->map ? m->map->nodes->of[i] : i);
    return g_string_free(s, FALSE);
}

char **simgrid_command(const SimgridMachine *m, const char *xml_file, const char *hostfile, const char *const *program)
{
    static const char *const always[] = {
        "-no-privatize", // all ranks may share the program's globals; with copies, 32,768 ranks do not start
        "--log=root.thresh:error",
        "--cfg=network/model:CM02",           // does not multiply latency and bandwidth by factors
        "--cfg=network/crosstraffic:0",       // else incoming data slow outgoing data by 5 %
        "--cfg=network/TCP-gamma:0",          // does not limit the bandwidth of a path with a high latency
        "--cfg=surf/precision:1e-12",         // else events less than 1 ns apart become one
        "--cfg=smpi/simulate-computation:no", // does not charge the time that this computer takes
        "--cfg=smpi/wtime:0",
        "--cfg=contexts/guard-size:0", // else more than 30,000 ranks need too many memory maps
    };
    g_autoptr(GStrvBuilder) all = g_strv_builder_new();
    g_autofree char *np = g_strdup_printf("%d", m->p);
    g_strv_builder_add_many(all, "smpirun", "-np", np, "-platform", xml_file, "-hostfile", hostfile, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(always); i++)
        g_strv_builder_add(all, always[i]);
    if (m->transfer == SIMGRID_RENDEZVOUS)
        g_strv_builder_add(all, "--cfg=smpi/send-is-detached-thresh:0");
    else
        g_strv_builder_add_many(all, "--cfg=smpi/send-is-detached-thresh:" EVERY_SIZE,
                                "--cfg=smpi/async-small-thresh:" EVERY_SIZE, NULL);
    SimgridFigures f;
    if (m->transfer == SIMGRID_EAGER && simgrid_figures(m, &f, NULL))
        for (int i = 0; i < 2; i++) {
            g_autofree char *overhead =
                g_strdup_printf("--cfg=smpi/%s:0:%.17g:%.17g", i ? "ois" : "os", f.alpha, f.beta);
            g_strv_builder_add(all, overhead);
        }
    g_strv_builder_addv(all, (const char **)program);
    return g_strv_builder_end(all);
}

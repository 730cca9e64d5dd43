#include "launch/simgrid.h"
#include "base/error.h"
#include "base/units.h"

enum { ENVELOPE = 16 };         // bytes that SMPI adds to every message
#define NO_LIMIT   "1e24Bps"    // a bandwidth at which bytes take no time
#define EVERY_SIZE "2147483647" // a threshold above all sizes

const char *const simgrid_transfers[N_SIMGRID_TRANSFERS + 1] = {"rendezvous", "eager", "eager-shared", NULL};

static int hosts_needed(const SimgridMachine *m)
{
    return m->nodes ? m->nodes->n : m->per_node > 1 ? (m->p - 1) / m->per_node + 1 : m->p;
}

// Returns how many ranks the host with the most ranks has.
static int cores_needed(const SimgridMachine *m)
{
    int most = MAX(1, m->nodes ? 1 : m->per_node);
    for (int node = 0; m->nodes && node < m->nodes->n; node++)
        most = MAX(most, coll_nodes_size(m->nodes, node));
    return most;
}

// Returns FALSE and an error if SMPI cannot charge this machine's alpha and beta exactly.
static gboolean check_machine(const SimgridMachine *m, GError **error)
{
    static const PlatformKey needed[] = {KEY_ALPHA, KEY_BETA};
    const Platform *platform = m->platform;
    const Topology *t = &platform->topology;
    const double alpha = platform->value[KEY_ALPHA], envelope = ENVELOPE * platform->value[KEY_BETA];
    if (!platform_need(platform, needed, G_N_ELEMENTS(needed), "hockney", error))
        return FALSE;
    if (t->hosts && hosts_needed(m) > t->hosts)
        return bad_input(
            error, "platform %s: topology %s %s has %d hosts, %d are needed; allowed: a larger shape, or fewer ranks",
            platform->name, topology_names[t->kind], t->shape, t->hosts, hosts_needed(m));
    if (m->transfer == SIMGRID_EAGER)
        return t->kind == TOPOLOGY_FLAT ||
               bad_input(
                   error,
                   "platform %s: transfer eager has no network for topology %s; allowed: rendezvous, eager-shared",
                   platform->name, topology_names[t->kind]);
    if (alpha >= envelope)
        return TRUE;
    g_autofree char *a = units_format_time(alpha), *b = units_format_time(envelope);
    return bad_input(error,
                     "platform %s: alpha is %s, and the 16 bytes that SMPI adds to a message take %s; "
                     "allowed: alpha of 16 beta or more, or transfer eager",
                     platform->name, a, b);
}

char *simgrid_xml(const SimgridMachine *m, GError **error)
{
    static const char *const kinds[] = {
        [TOPOLOGY_FAT_TREE] = "FAT_TREE", [TOPOLOGY_TORUS] = "TORUS", [TOPOLOGY_DRAGONFLY] = "DRAGONFLY"};
    if (!check_machine(m, error))
        return NULL;
    const Topology *t = &m->platform->topology;
    const double alpha = m->platform->value[KEY_ALPHA], beta = m->platform->value[KEY_BETA];
    // Under eager the sender's overhead is the whole time, see simgrid_command.
    const gboolean network = m->transfer != SIMGRID_EAGER;
    const double latency = network ? alpha - ENVELOPE * beta : 0;
    g_autofree char *bandwidth = network && beta > 0 ? g_strdup_printf("%.17gBps", 1 / beta) : g_strdup(NO_LIMIT);
    const gboolean shared = cores_needed(m) > 1;
    g_autoptr(GString) s = g_string_new("<?xml version='1.0'?>\n"
                                        "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                                        "<platform version=\"4.1\">\n");
    // Each rank needs a core of its own, or ranks would share the time of one.
    g_string_append_printf(s,
                           "  <cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-%d\" speed=\"1Gf\" core=\"%d\"\n",
                           (t->hosts ? t->hosts : hosts_needed(m)) - 1, cores_needed(m));
    g_string_append_printf(s, "           bw=\"%s\" lat=\"%.17gs\" sharing_policy=\"SPLITDUPLEX\"\n", bandwidth,
                           latency / MAX(1, t->hops));
    if (t->kind != TOPOLOGY_FLAT)
        g_string_append_printf(s, "           topology=\"%s\" topo_parameters=\"%s\"\n", kinds[t->kind], t->shape);
    // Ranks on the same host send through the loopback. With one rank per host, only a rank's messages to itself do.
    g_string_append_printf(s, "           loopback_bw=\"%s\" loopback_lat=\"%.17gs\"/>\n</platform>\n",
                           shared ? bandwidth : NO_LIMIT, shared ? latency : 0);
    return g_string_free(g_steal_pointer(&s), FALSE);
}

char *simgrid_hostfile(const SimgridMachine *m)
{
    GString *s = g_string_new(NULL);
    for (int i = 0; i < m->p; i++)
        g_string_append_printf(s, "n%d\n", m->nodes ? m->nodes->of[i] : i / MAX(1, m->per_node));
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
    if (m->transfer == SIMGRID_EAGER)
        for (int i = 0; i < 2; i++) {
            g_autofree char *overhead = g_strdup_printf("--cfg=smpi/%s:0:%.17g:%.17g", i ? "ois" : "os",
                                                        m->platform->value[KEY_ALPHA], m->platform->value[KEY_BETA]);
            g_strv_builder_add(all, overhead);
        }
    g_strv_builder_addv(all, (const char **)program);
    return g_strv_builder_end(all);
}

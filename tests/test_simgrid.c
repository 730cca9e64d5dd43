// Topologies, and the machine files that are written for SimGrid. Shapes are read strictly; the XML is well-formed and
// has the right hosts and figures; the command line has the options that the transfer needs.
#include "base/error.h"
#include "run/launch/simgrid.h"
#include "machine/platform/mapping.h"
#include "tap.h"
#include <stdio.h>
#include <string.h>

static Platform *platform_of(double alpha, double beta, const char *topology)
{
    g_autofree char *text = g_strdup_printf(
        "[hockney]\nalpha = %.17gs\nalpha.source = x\nbeta = %.17gs/B\nbeta.source = x\n%s", alpha, beta, topology);
    g_autoptr(GError) error = NULL;
    Platform *platform = platform_parse("box.ini", text, strlen(text), &error);
    g_assert_no_error(error);
    return platform;
}

static void assert_refused(GError *error, const char *message)
{
    g_assert_error(error, COLLSIM_ERROR, COLLSIM_ERROR_INPUT);
    g_assert_cmpstr(error->message, ==, message);
    g_clear_error(&error);
}

// The number of hosts follows from the shape; the number of hops is the one that a ping-pong on SimGrid shows.
static void test_shapes(void)
{
    static const struct {
        TopologyKind kind;
        const char *shape, *read;
        int hosts, hops;
    } shapes[] = {
        {TOPOLOGY_FLAT, NULL, NULL, 0, 2},
        {TOPOLOGY_FAT_TREE, "2;4,4;1,2;1,2", "2;4,4;1,2;1,2", 16, 2},
        {TOPOLOGY_FAT_TREE, " 2; 1,8 ;1,2;\t1,1", "2;1,8;1,2;1,1", 8, 4},
        {TOPOLOGY_FAT_TREE, "1;8;1;1", "1;8;1;1", 8, 2},
        {TOPOLOGY_FAT_TREE, "3;2,2,2;1,2,3;1,2,3", "3;2,2,2;1,2,3;1,2,3", 8, 2},
        {TOPOLOGY_FAT_TREE, "1;1;1;1", "1;1;1;1", 1, 0},
        {TOPOLOGY_TORUS, "4, 4", "4,4", 16, 1},
        {TOPOLOGY_TORUS, "3,2,2", "3,2,2", 12, 1},
        {TOPOLOGY_TORUS, "1", "1", 1, 0},
        {TOPOLOGY_TORUS, "8192,16384", "8192,16384", 1 << 27, 1},
        {TOPOLOGY_DRAGONFLY, "2,1; 2,1; 2,1; 2", "2,1;2,1;2,1;2", 16, 2},
        {TOPOLOGY_DRAGONFLY, "2,1;2,1;2,1;1", "2,1;2,1;2,1;1", 8, 3},
        {TOPOLOGY_DRAGONFLY, "1,1;1,1;1,1;4", "1,1;1,1;1,1;4", 4, 2},
        {TOPOLOGY_DRAGONFLY, "1,1;1,1;1,1;1", "1,1;1,1;1,1;1", 1, 0},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(shapes); i++) {
        Topology t = {0};
        g_autoptr(GError) error = NULL;
        g_test_message("%s %s", topology_names[shapes[i].kind], shapes[i].shape ? shapes[i].shape : "");
        g_assert_true(topology_make(shapes[i].kind, shapes[i].shape, &t, &error));
        g_assert_no_error(error);
        g_assert_cmpint(t.kind, ==, shapes[i].kind);
        g_assert_cmpstr(t.shape, ==, shapes[i].read);
        g_assert_cmpint(t.hosts, ==, shapes[i].hosts);
        g_assert_cmpint(t.hops, ==, shapes[i].hops);
        topology_clear(&t);
    }
}

static void test_bad_sections(void)
{
#define FAT     "levels; ports down; ports up; cables, the last three with a number for every level, such as 2;4,4;1,2;1,2"
#define DRAGON  "groups,cables; chassis,cables; routers,cables; hosts per router, such as 2,1;2,1;2,1;2"
#define NUMBERS "numbers from 1 to 2^27, with , between them and ; between groups"
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"kind = cube\n",
         "f.ini:2: unknown kind of topology 'cube'; allowed: flat, fat_tree, torus, dragonfly, hyperx, "
         "groups"},
        {"kind = Tours\n", "f.ini:2: unknown kind of topology 'Tours', did you mean torus? allowed: flat, fat_tree, "
                           "torus, dragonfly, hyperx, "
                           "groups"},
        {"sort = torus\n",
         "f.ini:2: unknown key in [topology] 'sort'; allowed: kind, shape, shape.source, "
         "routing, routing.source, rate, rate.CLASS, rate.source, background, background.CLASS, background.source, "
         "hop, hop.source, hosts, hosts.source"},
        {"kind = flat\nkind = flat\n", "f.ini:3: kind is set twice, first in line 2; allowed: once"},
        {"shape = 4\nshape.source = x\n",
         "f.ini:3: [topology] has no kind; allowed: kind = flat, fat_tree, torus, dragonfly, hyperx or groups"},
        {"kind = torus\n", "f.ini:2: topology torus has no shape; allowed: with shape = numbers"},
        {"kind = torus\n\nshape = 4\n",
         "f.ini:4: shape has no source; allowed: with shape.source = where it comes from"},
        {"kind = torus\nshape = 4\nshape.source =\n",
         "f.ini:3: shape has no source; allowed: with shape.source = where it comes from"},
        {"kind = flat\nshape.source = x\n", "f.ini:3: shape.source has no shape; allowed: with shape = numbers"},
        {"kind = flat\nshape = 4\nshape.source = x\n",
         "f.ini:3: a flat topology takes no shape; allowed: another kind"},
        {"kind = torus\nshape = \nshape.source = x\n", "f.ini:3: shape '' is not made of numbers; allowed: " NUMBERS},
        {"kind = torus\nshape = 4,0\nshape.source = x\n",
         "f.ini:3: shape '4,0' is not made of numbers; allowed: " NUMBERS},
        {"kind = torus\nshape = 4 4\nshape.source = x\n",
         "f.ini:3: shape '4 4' is not made of numbers; allowed: " NUMBERS},
        {"kind = torus\nshape = 4,-4\nshape.source = x\n",
         "f.ini:3: shape '4,-4' is not made of numbers; allowed: " NUMBERS},
        {"kind = torus\nshape = 4,\nshape.source = x\n",
         "f.ini:3: shape '4,' is not made of numbers; allowed: " NUMBERS},
        {"kind = torus\nshape = 4;4\nshape.source = x\n",
         "f.ini:3: shape '4;4' is not a torus; allowed: the hosts in each dimension, such as 4,4"},
        {"kind = torus\nshape = 16384,8193\nshape.source = x\n",
         "f.ini:3: shape '16384,8193' has too many hosts; allowed: at most 2^27"},
        {"kind = fat_tree\nshape = 4,4\nshape.source = x\n", "f.ini:3: shape '4,4' is not a fat tree; allowed: " FAT},
        {"kind = fat_tree\nshape = 2;4,4;1,2;1\nshape.source = x\n",
         "f.ini:3: shape '2;4,4;1,2;1' is not a fat tree; allowed: " FAT},
        {"kind = dragonfly\nshape = 2,1;2,1;2,1\nshape.source = x\n",
         "f.ini:3: shape '2,1;2,1;2,1' is not a dragonfly; allowed: groups,cables; switches,cables; hosts per switch, "
         "such as 73,4;32,1;4"},
        {"kind = dragonfly\nshape = 2,1;2,1\nshape.source = x\n",
         "f.ini:3: shape '2,1;2,1' is not a dragonfly; allowed: " DRAGON},
        {"kind = dragonfly\nshape = 3,1;2,1;2,1;1\nshape.source = x\n",
         "f.ini:3: shape '3,1;2,1;2,1;1' has more groups than a chassis has routers; allowed: at most as many groups "
         "as routers, because each router of a chassis leads to one group"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        GError *error = NULL;
        g_autofree char *text = g_strconcat("[topology]\n", bad[i].text, NULL);
        g_assert_null(platform_parse("f.ini", text, strlen(text), &error));
        assert_refused(error, bad[i].message);
    }
}

typedef struct Cluster {
    GHashTable *at; // the attributes of <cluster>
    int elements;   // how many elements of any kind there are
} Cluster;

static void on_element(GMarkupParseContext *context, const char *name, const char **names, const char **values,
                       void *data, GError **error)
{
    (void)context;
    (void)error;
    Cluster *c = data;
    c->elements++;
    for (int i = 0; strcmp(name, "cluster") == 0 && names[i]; i++)
        g_hash_table_insert(c->at, g_strdup(names[i]), g_strdup(values[i]));
}

static GHashTable *read_cluster(const char *xml)
{
    static const GMarkupParser parser = {.start_element = on_element};
    g_autoptr(GError) error = NULL;
    Cluster c = {.at = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free)};
    g_autoptr(GMarkupParseContext) context = g_markup_parse_context_new(&parser, 0, &c, NULL);
    g_assert_true(g_markup_parse_context_parse(context, xml, -1, &error) &&
                  g_markup_parse_context_end_parse(context, &error));
    g_assert_no_error(error);
    g_assert_cmpint(c.elements, ==, 2); // platform, cluster
    g_assert_nonnull(strstr(xml, "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"));
    return c.at;
}

// Returns the attribute's number. Fails unless the unit follows it.
static double figure(GHashTable *at, const char *name, const char *unit)
{
    const char *text = g_hash_table_lookup(at, name);
    char *end;
    g_assert_nonnull(text);
    const double x = g_ascii_strtod(text, &end);
    g_assert_cmpstr(end, ==, unit);
    return x;
}

typedef struct SimgridWant {
    const char *topology, *kind, *radical;
    int p, per_node, hops;
    SimgridTransfer transfer;
} SimgridWant;

#define TORUS "[topology]\nkind = torus\nshape = 4,4\nshape.source = x\n"
static const SimgridWant wanted[] = {
    {"", NULL, "0-7", 8, 0, 2, SIMGRID_RENDEZVOUS},
    {"", NULL, "0-7", 8, 0, 2, SIMGRID_EAGER_SHARED},
    {"", NULL, "0-7", 8, 1, 2, SIMGRID_EAGER},
    {"", NULL, "0-2", 9, 4, 2, SIMGRID_RENDEZVOUS},
    {"", NULL, "0-0", 1, 0, 2, SIMGRID_RENDEZVOUS},
    {"[topology]\nkind = fat_tree\nshape = 2;4,4;1,2;1,2\nshape.source = x\n", "FAT_TREE", "0-15", 16, 0, 2,
     SIMGRID_RENDEZVOUS},
    {TORUS, "TORUS", "0-15", 5, 0, 1, SIMGRID_RENDEZVOUS},
    {TORUS, "TORUS", "0-15", 64, 4, 1, SIMGRID_RENDEZVOUS},
    {"[topology]\nkind = dragonfly\nshape = 2,1;2,1;2,1;1\nshape.source = x\n", "DRAGONFLY", "0-7", 8, 0, 3,
     SIMGRID_RENDEZVOUS},
};

// Returns nodes of k consecutive ranks, or NULL if k is 0. Free with mapping_free.
static Mapping *blocks(int p, int k)
{
    return k ? mapping_new(&(MapSpec){.kind = MAP_BLOCK, .k = k}, NULL, p, NULL) : NULL;
}

static void test_xml(void)
{
    static const double figures[][2] = {{2e-6, 1e-9}, {1.6e-6, 0.0848e-9},  {16e-9, 1e-9}, {1e-6, 0},
                                        {0, 0},       {1e-9 / 3, 1e-12 / 3}};
    for (size_t i = 0; i < G_N_ELEMENTS(wanted); i++)
        for (size_t k = 0; k < G_N_ELEMENTS(figures); k++) {
            const SimgridWant *w = &wanted[i];
            const double alpha = figures[k][0], beta = figures[k][1];
            g_autoptr(Platform) platform = platform_of(alpha, beta, w->topology);
            g_autoptr(Mapping) map = blocks(w->p, w->per_node);
            const SimgridMachine m = {platform, w->transfer, w->p, map};
            g_autofree char *xml = simgrid_xml(&m, NULL);
            g_autoptr(GHashTable) at = read_cluster(xml);
            g_assert_cmpstr(g_hash_table_lookup(at, "radical"), ==, w->radical);
            g_assert_cmpstr(g_hash_table_lookup(at, "prefix"), ==, "n");
            g_assert_true(figure(at, "core", "") == MAX(1, w->per_node));
            g_assert_cmpstr(g_hash_table_lookup(at, "topology"), ==, w->kind);
            g_assert_cmpstr(g_hash_table_lookup(at, "topo_parameters"), ==, platform->topology.shape);
            const gboolean network = w->transfer != SIMGRID_EAGER;
            const double bandwidth = network && beta > 0 ? 1 / beta : 1e24, latency = network ? alpha - 16 * beta : 0;
            // Without NICs a flat machine's host has the ports of all its ranks, and limits a message to one port.
            const gboolean wide = network && beta > 0 && w->per_node > 1 && !w->kind;
            g_assert_true(figure(at, "bw", "Bps") == (wide ? 1 / (beta / w->per_node) : bandwidth));
            g_assert_cmpstr(g_hash_table_lookup(at, "bb_sharing_policy"), ==, wide ? "FATPIPE" : NULL);
            if (wide)
                g_assert_true(figure(at, "bb_bw", "Bps") == bandwidth && figure(at, "bb_lat", "s") == 0);
            g_assert_true(figure(at, "lat", "s") == latency / w->hops);
            g_assert_true(figure(at, "loopback_bw", "Bps") == (w->per_node > 1 ? bandwidth : 1e24));
            g_assert_true(figure(at, "loopback_lat", "s") == (w->per_node > 1 ? latency : 0));
            g_autofree char *hosts = simgrid_hostfile(&m);
            g_auto(GStrv) lines = g_strsplit(hosts, "\n", -1);
            g_assert_cmpuint(g_strv_length(lines), ==, (guint)w->p + 1);
            g_assert_cmpstr(lines[w->p], ==, "");
            for (int r = 0; r < w->p; r++) {
                g_autofree char *name = g_strdup_printf("n%d", r / MAX(1, w->per_node));
                g_assert_cmpstr(lines[r], ==, name);
            }
        }
}

// Nodes that are not runs of equal length become hosts, each with a core for every rank of the largest.
static void test_nodes(void)
{
    const int of[] = {1, 0, 1, 2, 1, 0};
    g_autoptr(CollNodes) nodes = coll_nodes_new(6, of);
    const Mapping map = {.p = 6, .n_levels = 1, .nodes = nodes};
    g_autoptr(Platform) platform = platform_of(2e-6, 1e-9, "");
    const SimgridMachine m = {.platform = platform, .p = 6, .map = &map};
    g_autofree char *xml = simgrid_xml(&m, NULL), *hosts = simgrid_hostfile(&m);
    g_autoptr(GHashTable) at = read_cluster(xml);
    g_assert_cmpstr(g_hash_table_lookup(at, "radical"), ==, "0-2");
    g_assert_true(figure(at, "core", "") == 3);
    g_assert_true(figure(at, "bw", "Bps") == 1 / (1e-9 / 3));
    g_assert_true(figure(at, "loopback_bw", "Bps") == 1 / 1e-9);
    g_assert_cmpstr(hosts, ==, "n1\nn0\nn1\nn2\nn1\nn0\n");
}

// ---- Levels, and what the ranks of a node share ---------------------------------------------------------------------

#define LEVELS                                                                                                         \
    "[levels]\nsocket = 2 ranks\nnode = 2 sockets\ngroup = 2 nodes\n[hockney]\nalpha = 1us\nalpha.source = x\n"        \
    "beta = 1ns/B\nbeta.source = x\ngamma = 0\ngamma.source = x\n"

// A machine of LEVELS after each --set, and what the XML then has; NULL for attributes that are not there.
typedef struct SimgridLevel {
    const char *sets[4];
    MapSpec map;
    int p;
    const char *bw, *lat, *bb_bw, *loopback_bw, *loopback_lat;
} SimgridLevel;

// SMPI adds 16 bytes to each message. A latency of 1 us is two links of (1000 - 16) / 2 = 492 ns.
static const SimgridLevel level_cases[] = {
    // One rank on each node: the levels inside it do not matter, nor does a NIC that is as fast as the port.
    {{"alpha.socket=3us", "nic.rate=1GB/s", "memory=1", NULL}, {0}, 4, "1e9", "492ns", NULL, "1e24", "0ns"},
    // Two nodes are a group, so far does not matter; it does with three.
    {{"alpha.far=3us", NULL}, {MAP_BLOCK, 4}, 8, "4e9", "492ns", "1e9", "1e9", "984ns"},
    {{"alpha.group=3us", "alpha.far=3us", NULL}, {MAP_BLOCK, 4}, 12, "4e9", "1492ns", "1e9", "1e9", "984ns"},
    // Messages inside a node.
    {{"alpha.socket=0.5us", "alpha.node=0.5us", NULL}, {MAP_CYCLIC, 4}, 12, "4e9", "492ns", "1e9", "1e9", "484ns"},
    {{"alpha.socket=0.5us", "beta.socket=0.25ns/B", NULL}, {MAP_BLOCK, 2}, 6, "2e9", "492ns", "1e9", "4e9", "496ns"},
    // All ranks on one node, whose figures the link gets although nothing uses it.
    {{"alpha.socket=0.5us", "alpha.node=0.5us", "beta=4ns/B", NULL},
     {MAP_BLOCK, 4},
     4,
     "1e9",
     "218ns",
     "0.25e9",
     "0.25e9",
     "436ns"},
    // A NIC as fast as a port, twice as fast, and faster than all ports of the node.
    {{"nic.rate=1GB/s", NULL}, {MAP_BLOCK, 4}, 12, "1e9", "492ns", NULL, "1e9", "984ns"},
    {{"nic.rate=2GB/s", NULL}, {MAP_BLOCK, 4}, 12, "2e9", "492ns", "1e9", "1e9", "984ns"},
    {{"nic.rate=5GB/s", NULL}, {MAP_BLOCK, 4}, 12, "4e9", "492ns", "1e9", "1e9", "984ns"},
    // As many NICs as ranks, and messages that leave fast enough: nobody waits.
    {{"nics=4", "nic.rate=1GB/s", "nic.messages=1M/s", NULL},
     {MAP_BLOCK, 4},
     12,
     "4e9",
     "492ns",
     "1e9",
     "1e9",
     "984ns"},
};

static Platform *levels_platform(const char *const *sets)
{
    g_autoptr(GError) error = NULL;
    Platform *platform = platform_parse("box.ini", LEVELS, strlen(LEVELS), &error);
    g_assert_no_error(error);
    for (; *sets; sets++) {
        platform_set(platform, *sets, &error);
        g_assert_no_error(error);
    }
    return platform;
}

// Fails unless the attribute has this number and unit up to rounding, or is missing if `want` is NULL.
static void assert_figure(GHashTable *at, const char *name, const char *unit, const char *want)
{
    if (!want) {
        g_assert_false(g_hash_table_contains(at, name));
        return;
    }
    const double x = g_ascii_strtod(want, NULL) * (g_str_has_suffix(want, "ns") ? 1e-9 : 1);
    g_assert_cmpfloat_with_epsilon(figure(at, name, unit), x, 1e-14 * x + 1e-30);
}

static void test_levels(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(level_cases); i++) {
        const SimgridLevel *x = &level_cases[i];
        g_autoptr(Platform) platform = levels_platform(x->sets);
        g_autoptr(Mapping) map = mapping_new(&x->map, &platform->levels, x->p, NULL);
        const SimgridMachine m = {.platform = platform, .p = x->p, .map = map};
        g_autoptr(GError) error = NULL;
        g_autofree char *xml = simgrid_xml(&m, &error);
        g_test_message("case %zu", i);
        g_assert_no_error(error);
        g_autoptr(GHashTable) at = read_cluster(xml);
        assert_figure(at, "bw", "Bps", x->bw);
        assert_figure(at, "lat", "s", x->lat);
        assert_figure(at, "bb_bw", "Bps", x->bb_bw);
        assert_figure(at, "loopback_bw", "Bps", x->loopback_bw);
        assert_figure(at, "loopback_lat", "s", x->loopback_lat);
        g_autofree char *note = simgrid_note(&m);
        g_assert_cmpint(note != NULL, ==,
                        x->sets[0] && !x->sets[1] && strstr("nic.rate=2GB/s nic.rate=5GB/s", x->sets[0]));
    }
}

#define BOX "platform box: "
static void test_levels_refused(void)
{
    static const struct {
        const char *sets[4], *message;
        SimgridTransfer transfer;
    } bad[] = {
        {{"alpha.socket=0.5us", NULL},
         BOX
         "alpha.socket is 500ns and alpha.node is 1us, but SMPI's hosts have one loopback; allowed: equal figures, or "
         "ranks that need only one of them",
         SIMGRID_RENDEZVOUS},
        {{"beta.far=2ns/B", NULL},
         BOX "beta.group is 1ns/B and beta.far is 2ns/B, but SMPI's hosts have one network; allowed: equal figures, or "
             "ranks that need only one of them",
         SIMGRID_RENDEZVOUS},
        {{"nic.rate=0.5GB/s", NULL},
         BOX "nic.rate is 0.5GB/s, and a rank's port is faster, for which SMPI has no link; allowed: 1 / beta or more",
         SIMGRID_RENDEZVOUS},
        {{"nic.rate=2GB/s", "nics=2", NULL},
         BOX "nics is 2, and SMPI's hosts have one link; allowed: 1, or as many as the ranks of a node",
         SIMGRID_RENDEZVOUS},
        {{"nic.messages=10M/s", NULL},
         BOX "nic.messages is 10M/s, and SMPI's links count bytes, not messages; allowed: --set nic.messages=none",
         SIMGRID_RENDEZVOUS},
        {{"nic.messages=0.5M/s", "nics=4", NULL},
         BOX "nic.messages is 0.5M/s, and SMPI's links count bytes, not messages; allowed: --set nic.messages=none",
         SIMGRID_RENDEZVOUS},
        {{"memory=4K:0.5 1M:1", NULL},
         BOX "memory is 4K:0.5 1M:1, and SMPI's ranks do not share the memory of a host; allowed: --set memory=none",
         SIMGRID_RENDEZVOUS},
        {{"nic.rate=1GB/s", NULL},
         BOX "nic.rate is 1GB/s, and transfer eager has no network; allowed: --transfer rendezvous or eager-shared",
         SIMGRID_EAGER},
        {{"nic.messages=10M/s", "nics=4", NULL},
         BOX "nic.messages is 10M/s, and transfer eager has no network; allowed: --transfer rendezvous or eager-shared",
         SIMGRID_EAGER},
        {{"alpha.socket=0.5us", "alpha.node=0.5us", NULL},
         BOX
         "transfer eager charges all messages alike, and those inside a node cost less or more than others; allowed: "
         "rendezvous, eager-shared",
         SIMGRID_EAGER},
        {{"alpha.socket=15ns", "alpha.node=15ns", NULL},
         BOX
         "alpha is 15 ns, and the 16 bytes that SMPI adds to a message take 16 ns; allowed: alpha of 16 beta or more, "
         "or transfer eager",
         SIMGRID_EAGER_SHARED},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(Platform) platform = levels_platform(bad[i].sets);
        g_autoptr(Mapping) map = mapping_new(&(MapSpec){.kind = MAP_BLOCK, .k = 4}, &platform->levels, 12, NULL);
        GError *error = NULL;
        g_assert_null(simgrid_xml(
            &(SimgridMachine){.platform = platform, .transfer = bad[i].transfer, .p = 12, .map = map}, &error));
        assert_refused(error, bad[i].message);
    }
}

static void test_refused(void)
{
    static const struct {
        const char *text, *message;
        SimgridMachine m;
    } bad[] = {
        {"[hockney]\nalpha = 1us\nalpha.source = x\n",
         "platform box lacks beta, which model hockney needs; allowed: another platform, or --set KEY=VALUE",
         {.p = 4}},
        {"[hockney]\nalpha = 15.9ns\nalpha.source = x\nbeta = 1ns/B\nbeta.source = x\n",
         "platform box: alpha is 15.9 ns, and the 16 bytes that SMPI adds to a message take 16 ns; allowed: alpha of "
         "16 beta or "
         "more, or transfer eager",
         {.p = 4, .transfer = SIMGRID_EAGER_SHARED}},
        {"[hockney]\nalpha = 1us\nalpha.source = x\nbeta = 1ns/B\nbeta.source = x\n" TORUS,
         "platform box: topology torus 4,4 has 16 hosts, 17 are needed; allowed: a larger shape, or fewer ranks",
         {.p = 17}},
        {"[hockney]\nalpha = 1us\nalpha.source = x\nbeta = 1ns/B\nbeta.source = x\n" TORUS,
         "platform box: topology torus 4,4 has 16 hosts, 17 are needed; allowed: a larger shape, or fewer ranks",
         {.p = 65}}, // on nodes of 4 ranks
        {"[hockney]\nalpha = 1us\nalpha.source = x\nbeta = 1ns/B\nbeta.source = x\n" TORUS,
         "platform box: transfer eager has no network for topology torus; allowed: rendezvous, eager-shared",
         {.p = 4, .transfer = SIMGRID_EAGER}},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(Platform) platform = platform_parse("box.ini", bad[i].text, strlen(bad[i].text), NULL);
        SimgridMachine m = bad[i].m;
        GError *error = NULL;
        g_autoptr(Mapping) map = blocks(m.p, m.p == 65 ? 4 : 0);
        m.platform = platform;
        m.map = map;
        g_assert_null(simgrid_xml(&m, &error));
        assert_refused(error, bad[i].message);
    }
    // An alpha below 16 beta, which is refused under rendezvous, is allowed under eager sends: there it is the sender's
    // overhead, not the network's latency.
    g_autoptr(Platform) short_one = platform_of(1e-9, 1e-9, "");
    g_autofree char *xml = simgrid_xml(&(SimgridMachine){short_one, SIMGRID_EAGER, 4, NULL}, NULL);
    g_assert_nonnull(xml);
}

static void test_command(void)
{
    static const char *const program[] = {"./a b", "-n", "3", NULL};
    static const char *const of[N_SIMGRID_TRANSFERS][4] = {
        {"--cfg=smpi/send-is-detached-thresh:0"},
        {"--cfg=smpi/send-is-detached-thresh:2147483647", "--cfg=smpi/async-small-thresh:2147483647",
         "--cfg=smpi/os:0:1.9999999999999999e-06:1.0000000000000001e-09",
         "--cfg=smpi/ois:0:1.9999999999999999e-06:1.0000000000000001e-09"},
        {"--cfg=smpi/send-is-detached-thresh:2147483647", "--cfg=smpi/async-small-thresh:2147483647"},
    };
    g_autoptr(Platform) platform = platform_of(2e-6, 1e-9, "");
    for (int t = 0; t < N_SIMGRID_TRANSFERS; t++) {
        const SimgridMachine m = {platform, (SimgridTransfer)t, 12, NULL};
        g_auto(GStrv) words = simgrid_command(&m, "x.xml", "x.hosts", program);
        g_autofree char *line = g_strjoinv(" ", words);
        g_assert_true(g_str_has_prefix(line, "smpirun -np 12 -platform x.xml -hostfile x.hosts -no-privatize "));
        g_assert_true(g_str_has_suffix(line, " ./a b -n 3"));
        int thresholds = 0, overheads = 0;
        for (int i = 0; words[i]; i++) {
            thresholds += strstr(words[i], "-thresh:") != NULL;
            overheads += g_str_has_prefix(words[i], "--cfg=smpi/o");
        }
        g_assert_cmpint(thresholds, ==, t == SIMGRID_RENDEZVOUS ? 1 : 2);
        g_assert_cmpint(overheads, ==, t == SIMGRID_EAGER ? 2 : 0);
        for (int i = 0; i < 4 && of[t][i]; i++)
            g_assert_true(g_strv_contains((const char *const *)words, of[t][i]));
    }
}

static void add(void)
{
    g_test_add_func("/simgrid/shapes", test_shapes);
    g_test_add_func("/simgrid/bad-sections", test_bad_sections);
    g_test_add_func("/simgrid/xml", test_xml);
    g_test_add_func("/simgrid/nodes", test_nodes);
    g_test_add_func("/simgrid/levels", test_levels);
    g_test_add_func("/simgrid/levels-refused", test_levels_refused);
    g_test_add_func("/simgrid/refused", test_refused);
    g_test_add_func("/simgrid/command", test_command);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}

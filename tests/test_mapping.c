// Mappings: the code of each rank gives the level of every pair that the definition of levels gives, for all kinds of
// maps, machines of one to five levels and up to 64 ranks. Map files are read strictly: every error names the line.
#include "base/error.h"
#include "base/limits.h"
#include "machine/platform/mapping.h"
#include "tap.h"
#include <glib/gstdio.h>
#include <string.h>

enum { MOST_RANKS = 64 };

static char *path; // of a file that a test may write

static void assert_refused(GError *error, const char *message)
{
    g_assert_error(error, COLLSIM_ERROR, COLLSIM_ERROR_INPUT);
    g_assert_cmpstr(error->message, ==, message);
    g_assert_nonnull(strstr(error->message, "allowed: "));
    g_assert_null(strpbrk(error->message, "\n\r"));
}

// Returns the levels that the lines declare, NAME=SIZE joined by commas. Clear with levels_clear.
static Levels levels_of(const char *lines)
{
    Levels levels;
    g_auto(GStrv) items = g_strsplit(lines, ",", -1);
    levels_init(&levels);
    for (char **item = items; *item; item++) {
        char *size = strchr(*item, '=');
        *size = '\0';
        g_assert_true(levels_read(&levels, *item, size + 1, NULL));
    }
    return levels;
}

// Returns the map that a file with this text asks for. Clear with map_clear.
static MapSpec spec_of(const char *text)
{
    MapSpec spec;
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
    g_assert_true(map_parse(path, LIMIT_RANKS, &spec, NULL));
    return spec;
}

// ---- The definition -------------------------------------------------------------------------------------------------

// Where a rank is, as a map says: the node, and the first `named` units inside it from the outermost inwards.
typedef struct MapPlace {
    int named, number[8];
} MapPlace;

// Returns how many ranks before `rank` are in the same place.
static int local_in_place(const MapPlace *places, int rank)
{
    int n = 0;
    for (int other = 0; other < rank; other++)
        n += memcmp(&places[other], &places[rank], sizeof *places) == 0;
    return n;
}

// Returns TRUE if two ranks share a unit of level k. Units from the node outwards follow from the node's number, and
// those inside it from what the map names or else from the rank's number in its place.
static gboolean share(const Levels *levels, const MapPlace *places, const int *local, int k, int a, int b)
{
    const int node = levels_node(levels), named = node - places[a].named;
    if (k >= node) {
        const int nodes = (int)(levels->at[k].ranks / levels->at[node].ranks);
        return places[a].number[0] / nodes == places[b].number[0] / nodes;
    }
    const int numbers = k >= named ? node - k + 1 : places[a].named + 1;
    for (int i = 0; i < numbers; i++)
        if (places[a].number[i] != places[b].number[i])
            return FALSE;
    const int ranks = (int)levels->at[k].ranks;
    return k >= named || local[a] / ranks == local[b] / ranks;
}

static int level_by_definition(const Levels *levels, const MapPlace *places, const int *local, int a, int b)
{
    int k = 0;
    while (k + 1 < levels->n && !share(levels, places, local, k, a, b))
        k++;
    return k;
}

// Compares all pairs. Returns how many there are.
static gint64 compare(const Levels *levels, const MapSpec *spec, const MapPlace *places, int p)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Mapping) m = mapping_new(spec, levels, p, &error);
    int local[MOST_RANKS], in_node[MOST_RANKS] = {0};
    g_assert_no_error(error);
    g_assert_cmpint(m->n_levels, ==, levels->n);
    for (int a = 0; a < p; a++) {
        local[a] = local_in_place(places, a);
        g_assert_cmpint(m->nodes->of[a], ==, places[a].number[0]);
        g_assert_cmpint(m->nodes->local[a], ==, in_node[places[a].number[0]]++);
    }
    for (int a = 0; a < p; a++)
        for (int b = 0; b < p; b++)
            g_assert_cmpint(mapping_level(m, a, b), ==, level_by_definition(levels, places, local, a, b));
    return (gint64)p * p;
}

// ---- All kinds of maps ----------------------------------------------------------------------------------------------

static const char *const machines[] = {
    "node=4 ranks",
    "node=48 ranks,group=2 nodes",
    "socket=3 ranks,node=2 sockets",
    "core=1 rank,socket=2 cores,node=3 sockets",
    "node=3 ranks,group=3 nodes,island=2 groups",
    "numa=2 ranks,socket=2 numas,node=2 sockets,group=2 nodes",
    "socket=5 ranks,node=1 socket,group=7 nodes",
    "a=2 ranks,b=3 as", // no level is called node, so a map fills the level a
    "core=1 rank,numa=3 cores,socket=3 numas,node=3 sockets,group=3 nodes,island=3 groups",
};

static void test_placed(void)
{
    static const MapKind kinds[] = {MAP_NONE, MAP_BLOCK, MAP_CYCLIC};
    gint64 pairs = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(machines); i++) {
        Levels levels = levels_of(machines[i]);
        for (int p = 1; p <= MOST_RANKS; p++)
            for (size_t kind = 0; kind < G_N_ELEMENTS(kinds); kind++)
                for (int k = 1; k <= (kinds[kind] == MAP_NONE ? 1 : p + 1); k += k < 9 ? 1 : 7) {
                    const MapSpec spec = {.kind = kinds[kind], .k = k};
                    const int nodes = (p + k - 1) / k;
                    MapPlace places[MOST_RANKS] = {{0}};
                    for (int rank = 0; rank < p; rank++)
                        places[rank].number[0] = spec.kind == MAP_NONE    ? rank
                                                 : spec.kind == MAP_BLOCK ? rank / k
                                                                          : rank % nodes;
                    pairs += compare(&levels, &spec, places, p);
                }
        levels_clear(&levels);
    }
    g_test_message("%" G_GINT64_FORMAT " pairs", pairs);
}

// Files name nodes in any order, and as many units inside them as the machine has levels there.
static void test_files(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(14);
    gint64 pairs = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(machines); i++) {
        Levels levels = levels_of(machines[i]);
        const int node = levels_node(&levels);
        for (int p = 1; p <= MOST_RANKS; p += p < 12 ? 1 : 13)
            for (int named = 0; named <= node; named++)
                for (int nodes = 1; nodes <= p; nodes += 1 + nodes / 2) {
                    MapPlace places[MOST_RANKS] = {{0}};
                    g_autoptr(GString) text = g_string_new("# a map\n");
                    for (int rank = 0; rank < p; rank++) {
                        places[rank].named = named;
                        places[rank].number[0] = rank < nodes ? nodes - 1 - rank : g_rand_int_range(rand, 0, nodes);
                        g_string_append_printf(text, "%d", places[rank].number[0]);
                        for (int n = 1; n <= named; n++) {
                            const PlatformLevel *level = &levels.at[node - n];
                            places[rank].number[n] = g_rand_int_range(rand, 0, (gint32)(level[1].ranks / level->ranks));
                            g_string_append_printf(text, ".%d", places[rank].number[n]);
                        }
                        g_string_append(text, rank % 5 == 0 ? "\n" : rank % 5 == 1 ? " # rank\n\n" : "\r\n");
                    }
                    MapSpec spec = spec_of(text->str);
                    g_assert_cmpint(spec.numbers, ==, named + 1);
                    pairs += compare(&levels, &spec, places, p);
                    map_clear(&spec);
                }
        levels_clear(&levels);
    }
    g_test_message("%" G_GINT64_FORMAT " pairs", pairs);
}

// A machine of one level has nodes, which no level tells apart.
static void test_flat(void)
{
    MapSpec spec = spec_of("1\n0\n1\n");
    Levels flat;
    levels_init(&flat);
    const Levels *const machine[] = {NULL, &flat};
    for (size_t i = 0; i < G_N_ELEMENTS(machine); i++) {
        g_autoptr(Mapping) m = mapping_new(&spec, machine[i], 3, NULL);
        g_assert_true(!m->code && m->n_levels == 1 && mapping_level(m, 0, 2) == 0);
        g_assert_true(m->nodes->n == 2 && m->nodes->of[0] == 1 && m->nodes->local[2] == 1);
    }
    map_clear(&spec);
    levels_clear(&flat);
}

// A code of 64 bits is right to its last bit, and a map that needs more is refused. The file names 16 units of 3 inside
// a node, which takes 2 bits each; 2^16 ranks in the innermost unit, and as many nodes, take 16 bits each.
static void test_wide(void)
{
    enum { UNITS = 16, RANKS = 1 << 16, FAR = UNITS + 2 };
    static const char zeros[] = ".0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0", twos[] = ".2.2.2.2.2.2.2.2.2.2.2.2.2.2.2.2";
    g_autoptr(GString) machine = g_string_new("core=1 rank,l1=3 cores");
    for (int i = 1; i < UNITS; i++)
        g_string_append_printf(machine, ",l%d=3 l%ds", i + 1, i);
    g_string_append_printf(machine, ",node=3 l%ds", UNITS);
    Levels levels = levels_of(machine->str);
    for (int more = 0; more <= 1; more++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(GString) text = g_string_new(NULL);
        for (int i = 0; i < RANKS + more; i++)
            g_string_append_printf(text, "0%s\n", twos);
        for (int node = 1; node < RANKS; node++)
            g_string_append_printf(text, "%d%s\n", node, zeros);
        g_string_append_printf(text, "0%.*s.1\n0.0%s\n", (int)strlen(twos) - 2, twos, twos + 2);
        MapSpec spec = spec_of(text->str);
        const int p = 2 * RANKS + more + 1, other = RANKS, inner = p - 2, outer = p - 1;
        g_autoptr(Mapping) m = mapping_new(&spec, &levels, p, &error);
        map_clear(&spec);
        if (more) {
            g_autofree char *message = g_strdup_printf("%s: the ranks are too unevenly spread over the levels of the "
                                                       "platform; allowed: fewer levels, or nodes of more equal sizes",
                                                       path);
            g_assert_null(m);
            assert_refused(error, message);
            continue;
        }
        g_assert_no_error(error);
        g_assert_cmpint(m->n_levels, ==, FAR + 1);
        g_assert_true(m->code[p - 3] >> 63 && m->code[RANKS - 1] << 48 == (uint64_t)0xffff << 48);
        g_assert_cmpint(mapping_level(m, 7, 7), ==, 0);
        g_assert_cmpint(mapping_level(m, 0, RANKS - 1), ==, 1); // l1
        g_assert_cmpint(mapping_level(m, 0, inner), ==, 2);
        g_assert_cmpint(mapping_level(m, 0, outer), ==, FAR - 1); // node
        g_assert_cmpint(mapping_level(m, 0, other), ==, FAR);
        g_assert_cmpint(mapping_level(m, p - 3, other), ==, FAR);
    }
    levels_clear(&levels);
}

// ---- Bad input ------------------------------------------------------------------------------------------------------

static void test_bad_maps(void)
{
    static const char allowed[] = "allowed: block:K, cyclic:K, or a file";
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"block:0", "--map: 'block:0' has no valid number of ranks per node; allowed: block:K or cyclic:K, K from 1 to "
                    "134217728"},
        {"cyclic:-1",
         "--map: 'cyclic:-1' has no valid number of ranks per node; allowed: block:K or cyclic:K, K from 1 "
         "to 134217728"},
        {"block:134217729", "--map: 'block:134217729' has no valid number of ranks per node; allowed: block:K or "
                            "cyclic:K, K from 1 to 134217728"},
        {"blok:4", "--map 'blok:4' is neither a mapping nor a readable file, did you mean block:K? "},
        {"block", "--map 'block' is neither a mapping nor a readable file, did you mean block:K? "},
        {"Cyclic:2", "--map 'Cyclic:2' is neither a mapping nor a readable file, did you mean cyclic:K? "},
        {"/none.map", "--map '/none.map' is neither a mapping nor a readable file; "},
        {"", "--map '' is neither a mapping nor a readable file; "},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        MapSpec spec;
        const gboolean whole = strstr(bad[i].message, "allowed: ") != NULL;
        g_autofree char *message = g_strconcat(bad[i].message, whole ? "" : allowed, NULL);
        g_assert_false(map_parse(bad[i].text, 1, &spec, &error));
        assert_refused(error, message);
    }
}

// Asserts that a file is refused, when it is read or when it is used for p ranks of a machine.
static void assert_file_fails(const char *text, gssize length, const char *machine, int p, const char *message)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *whole =
        g_str_has_prefix(message, "the file") ? g_strdup(message) : g_strconcat(path, message, NULL);
    MapSpec spec;
    g_assert_true(g_file_set_contents(path, text, length, NULL));
    if (map_parse(path, 4, &spec, &error)) {
        Levels levels = levels_of(machine);
        g_assert_null(mapping_new(&spec, &levels, p, &error));
        levels_clear(&levels);
        map_clear(&spec);
    }
    assert_refused(error, whole);
}

static void test_bad_files(void)
{
#define NODE "is not a node; allowed: the number of a node, such as 3, or with units inside it, such as 3.1"
    static const struct {
        const char *text, *machine;
        int p;
        const char *message;
    } bad[] = {
        {"0\nx\n", "node=4 ranks", 2, ":2: 'x' " NODE},
        {"0\n-1\n", "node=4 ranks", 2, ":2: '-1' " NODE},
        {"0\n1 2\n", "node=4 ranks", 2, ":2: '1 2' " NODE},
        {"134217728\n", "node=4 ranks", 1, ":1: '134217728' " NODE},
        {"0.\n", "socket=2 ranks,node=2 sockets", 1, ":1: '0.' " NODE},
        {"0.1x\n", "socket=2 ranks,node=2 sockets", 1, ":1: '0.1x' " NODE},
        {"0.1\n# y\n0\n", "socket=2 ranks,node=2 sockets", 2,
         ":3: 0 has fewer numbers than the first rank; allowed: as many for each rank"},
        {"0\n0.1\n", "socket=2 ranks,node=2 sockets", 2,
         ":2: 0.1 has more numbers than the first rank; allowed: as many for each rank"},
        {"0\n", "node=4 ranks", 2, "the file of --map has 1 rank; allowed: 2, one line for each rank"},
        {"0\n0\n0\n0\n0\n", "node=4 ranks", 4, ":5: the file has too many ranks; allowed: one line for each rank"},
        {"0\n0\n\n0", "node=4 ranks", 2, "the file of --map has 3 ranks; allowed: 2, one line for each rank"},
        {"", "node=4 ranks", 1, "the file of --map has 0 ranks; allowed: 1, one line for each rank"},
        {"# x\n\n1\n", "node=4 ranks", 1, ":3: node 1, but no rank is on node 0; allowed: nodes from 0 without gaps"},
        {"0\n3\n# x\n5\n1\n", "node=4 ranks", 4,
         ":4: node 5, but no rank is on node 2; allowed: nodes from 0 without gaps"},
        {"0.0\n", "node=4 ranks", 1, ":1: 0.0, but the platform has no level inside a node; allowed: the node alone"},
        {"\n0.0.0\n", "socket=2 ranks,node=2 sockets,group=2 nodes", 1,
         ":2: 0.0.0, but the platform has 1 level inside a node; allowed: a node and at most 1 such unit"},
        {"0.1\n0.2\n", "socket=2 ranks,node=2 sockets", 2, ":2: 0.2: a node has 2 sockets; allowed: 0 to 1"},
        {"0.0.1\n", "core=1 rank,socket=1 core,node=2 sockets", 1, ":1: 0.0.1: a socket has 1 core; allowed: 0 to 0"},
    };
#undef NODE
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++)
        assert_file_fails(bad[i].text, -1, bad[i].machine, bad[i].p, bad[i].message);
    assert_file_fails("0\n1\0\n", 5, "node=4 ranks", 2, ":2: the line has a byte 0; allowed: text");
    g_autoptr(GString) deep = g_string_new("0"); // more numbers than a machine can have levels
    for (int i = 0; i < 70; i++)
        g_string_append(deep, ".0");
    g_autofree char *message = g_strdup_printf(
        ":1: '%.60s...' is not a node; allowed: the number of a node, such as 3, or with units inside it, such as 3.1",
        deep->str);
    assert_file_fails(deep->str, -1, "node=4 ranks", 1, message);
}

static void add_tests(void)
{
    g_test_add_func("/mapping/placed", test_placed);
    g_test_add_func("/mapping/files", test_files);
    g_test_add_func("/mapping/flat", test_flat);
    g_test_add_func("/mapping/wide", test_wide);
    g_test_add_func("/mapping/bad-maps", test_bad_maps);
    g_test_add_func("/mapping/bad-files", test_bad_files);
}

int main(int argc, char **argv)
{
    g_autofree char *dir = g_dir_make_tmp("collsim-XXXXXX", NULL);
    path = g_build_filename(dir, "map", NULL);
    const int status = tap_run(argc, argv, add_tests);
    g_remove(path);
    g_rmdir(dir);
    g_free(path);
    return status;
}

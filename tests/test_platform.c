// Platforms: the shipped ones have the figures in the table below, and files are read strictly: every error names the
// file and line. 20,000 mutations of a file must each give a platform or one error.
#include "base/error.h"
#include "machine/platform/platform.h"
#include "sample.h"
#include "tap.h"
#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// A file with every key, in the various layouts that are allowed.
static const char complete[] = "# a comment\n"
                               "[machine]\n"
                               "title = A machine\n"
                               "network = none, 100 Gb/s\n"
                               "mpi = 1.0\n"
                               "note = caf\303\251 = \\x\n"
                               "\n"
                               "[levels]\n"
                               "socket = 24 ranks\n"
                               "source = l\n"
                               "node=2 sockets\n"
                               "group  =  480 \tranks\n"
                               "[hockney]\n"
                               "alpha.socket.source = m\n"
                               "alpha = 1.6us\n"
                               "alpha.socket = 200ns\n"
                               "alpha.far.source = n\n"
                               "alpha.far = 2us\n"
                               "alpha.source = here\n"
                               "beta=12.5GB/s\r\n"
                               "  beta.source=  there  \n"
                               "gamma.source = assumed\n"
                               "gamma = 0.05ns/B\n"
                               "[loggops]\n"
                               "L = 1us\nL.source = a\no = 2us\no.source = b\ng = 3us\ng.source = c\n"
                               "G = 4ns/B\nG.source = d\nO = 5ns/B\nO.source = e\nS = unlimited\nS.source = f\n"
                               "[shared]\nwrite = 1ns/B\nwrite.source = g\nread = 1GB/s\nread.source = h\n"
                               "flag = 90ns\nflag.source = i\nlanes = 2.5\nlanes.source = j\n"
                               "line = 42ns\nline.source = F\nqueue = 3ns\nqueue.source = G\nraise = 5ns\n"
                               "raise.source = H\nreuse = 0.1ns/B\nreuse.source = I\nlocal = 10GB/s\n"
                               "local.source = J\ncall = 25ns\ncall.source = K\nremote = 1.125\n"
                               "remote.source = L\nstreams = 4\nstreams.source = M\nsingle = 0.5us\nsingle.source = N\n"
                               "touch = 0.7ns/B\ntouch.source = O\n"
                               "[node]\nnic.rate = 200Gb/s\nnic.rate.source = p\nnics = 2\nnics.source = o\n"
                               "nic.messages.source = q\nnic.messages = 10M/s\nmemory.source = r\n"
                               "memory = 4K:0.35  64K:0.5 1M:1\n"
                               "[measured]\none.source = s\ncopy = 1K:0.1us 1M:90us\ncopy.source = z\n"
                               "one = 8:1.31us 64:1.33us  4K:1.3us\none.node = 8:400ns 1M:90us\none.node.source = t\n"
                               "step.group = 8:1us 64:2us\nstep.group.source = u\ngap = 0:0s 1K:0.1us\ngap.source = v\n"
                               "take.group = 8:0.2us 64:0.3us\ntake.group.source = C\ntake = gap\ntake.source = C2\n"
                               "far = 1.1us\nfar.source = D\nswap = 1.5\nswap.source = E\n"
                               "eager.far = none\neager.far.source = w\nlambda = 0.5\nlambda.source = x\n"
                               "ports = 2\nports.source = y\nfresh = 0.45 ns/B  above  32M\nfresh.source = A\n"
                               "gamma = 10GB/s\ngamma.source = B\n"
                               "connect = 2ms\nconnect.source = F\nmatch = 20ns\nmatch.source = G\n"
                               "bounce = 0:0.1us 8K:1us\nbounce.source = H\n"
                               "[pieces]\nsource = k\nfrom=0,64K\nbeta = 1ns/B, 2GB/s\nalpha = 1us ,2us";

static void assert_refused(GError *error, const char *message)
{
    g_assert_error(error, COLLSIM_ERROR, COLLSIM_ERROR_INPUT);
    g_assert_cmpstr(error->message, ==, message);
    g_assert_nonnull(strstr(error->message, "allowed: "));
    g_assert_null(strpbrk(error->message, "\n\r"));
}

static void test_shipped(void)
{
    static const struct {
        const char *name;
        double value[KEY_NICS]; // -1 if the platform does not have the figure
    } machines[] = {
        {"alps", {2.11e-6, 0.0816e-9, 0.05e-9, 1.9e-6, 0.23e-6, 0, 0.079e-9, 0, 4096, -1, -1, -1, -1}},
        {"archer2", {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}}, // it has [measured]
        {"azure-hc44rs", {1.6e-6, 0.0848e-9, 0.05e-9, 1.3e-6, 0.15e-6, 1.5e-6, 0.086e-9, 0, 4096, -1, -1, -1, -1}},
        {"daint", {1.79e-6, 0.1072e-9, 0.05e-9, 0.5e-6, 0, 6e-6, 0.11e-9, 0, 4096, -1, -1, -1, -1}},
        {"dragonfly-16", {1e-6, 0.08e-9, 0.05e-9, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}},
        {"fat-tree-16", {1e-6, 0.08e-9, 0.05e-9, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}},
        {"frontier", {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}},
        {"fugaku", {2.4e-6, 0.158e-9, 0.06e-9, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}},
        {"generic-100g",
         {1e-6, 0.08e-9, 0.05e-9, 0.6e-6, 0.2e-6, 0.3e-6, 0.08e-9, 0, 65536, 0.1e-9, 0.1e-9, 0.1e-6, 4}},
        {"leonardo", {1.45e-6, 0.043e-9, 0.12e-9, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}},
        {"loggopsim", {-1, -1, -1, 2.5e-6, 1.5e-6, 1e-6, 6e-9, 0, 65535, -1, -1, -1, -1}},
        {"lumi", {3.4e-6, 0.148e-9, 0.19e-9, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}},
        {"orfeo-epyc", {1.82e-6, 0.0835e-9, 0.1e-9, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}},
        {"orfeo-thin", {1.92e-6, 0.0835e-9, 0.1e-9, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}},
        {"peak", {2.1e-6, 0.17e-9, 0.55e-9, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}},
        {"torus-16", {1e-6, 0.08e-9, 0.05e-9, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}},
        {"xeon-e5", {-1, -1, 0.1e-9, -1, -1, -1, -1, -1, -1, 0.0897e-9, 0.0897e-9, 216e-9, 5.2}},
    };
    g_auto(GStrv) names = platform_names();
    g_assert_cmpuint(g_strv_length(names), ==, G_N_ELEMENTS(machines));
    for (size_t i = 0; i < G_N_ELEMENTS(machines); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(Platform) platform = platform_load(machines[i].name, &error);
        g_assert_no_error(error);
        g_assert_cmpstr(names[i], ==, machines[i].name);
        g_assert_cmpstr(platform->name, ==, machines[i].name);
        g_assert_cmpstr(platform->title, !=, machines[i].name);
        const gboolean no_machine =
            strcmp(machines[i].name, "generic-100g") == 0 || g_str_has_suffix(machines[i].name, "-16");
        if (no_machine)
            g_assert_cmpint(platform->topology.hosts, ==, g_str_has_suffix(machines[i].name, "-16") ? 16 : 0);
        else if (platform->topology.hosts)
            g_assert_cmpint(platform->topology.hosts, >, 3000);
        for (int k = 0; k < N_PLATFORM_KEYS; k++) {
            g_assert_cmpint(platform->source[k] != NULL, ==, platform->has[k]);
            if (k < (int)G_N_ELEMENTS(machines[i].value)) {
                g_assert_cmpint(platform->has[k], ==, machines[i].value[k] >= 0);
                g_assert_true(platform->value[k] == MAX(0, machines[i].value[k]));
            }
            if (no_machine && platform->has[k])
                g_assert_true(g_str_has_prefix(platform->source[k], "invented"));
            else if (!no_machine && k == KEY_GAMMA && platform->has[k])
                g_assert_true(g_str_has_prefix(platform->source[k], "assumed"));
        }
    }
}

// Machines with nodes: a unit of each level has so many ranks, and the figures of messages there are as the file says.
static void test_shipped_levels(void)
{
    static const struct {
        const char *name, *levels;
        size_t ranks[5];
        double alpha_us[6], beta_ns[6]; // the last one is far
        double nics, nic_gb_per_s;
    } machines[] = {
        {"leonardo", "node far", {32}, {0.29, 1.45}, {0.185, 0.043}, 1, 25},
        {"lumi", "node far", {56}, {1.27, 3.4}, {0.0256, 0.148}, 4, 25},
        {"orfeo-thin", "socket node far", {12, 24}, {0.29, 0.64, 1.92}, {0.0622, 0.0617, 0.0835}, 1, 12.5},
        {"orfeo-epyc",
         "ccx ccd numa socket node far",
         {4, 8, 16, 64, 128},
         {0.15, 0.32, 0.35, 0.43, 0.69, 1.82},
         {0.073, 0.0835, 0.0835, 0.0835, 0.0835, 0.0835},
         1,
         12.5},
        {"peak", "node far", {42}, {0.51, 2.1}, {0.0974, 0.17}, 2, 9.5},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(machines); i++) {
        g_autoptr(Platform) platform = platform_load(machines[i].name, NULL);
        g_autoptr(GString) levels = g_string_new(NULL);
        for (int k = 0; k < platform->levels.n; k++) {
            g_string_append_printf(levels, "%s%s", k ? " " : "", platform->levels.at[k].name);
            if (k + 1 < platform->levels.n)
                g_assert_cmpuint(platform->levels.at[k].ranks, ==, machines[i].ranks[k]);
            g_assert_cmpfloat_with_epsilon(platform_at(platform, KEY_ALPHA, k), machines[i].alpha_us[k] * 1e-6, 1e-18);
            g_assert_cmpfloat_with_epsilon(platform_at(platform, KEY_BETA, k), machines[i].beta_ns[k] * 1e-9, 1e-21);
        }
        g_assert_cmpstr(levels->str, ==, machines[i].levels);
        g_assert_cmpfloat(platform->value[KEY_NICS], ==, machines[i].nics);
        g_assert_cmpfloat_with_epsilon(platform->value[KEY_NIC_RATE], 1e-9 / machines[i].nic_gb_per_s, 1e-21);
        // A rank that has a NIC to itself is not slowed down by it, so runs without a map are as on a flat machine.
        g_assert_cmpfloat(platform->value[KEY_NIC_RATE], <=, platform->value[KEY_BETA]);
    }
}

// Asserts that the platform has the levels and the memory of the complete file.
static void assert_levels(const Platform *platform)
{
    static const size_t ranks[] = {24, 48, 480, 0};
    static const char *const names[] = {"socket", "node", "group", "far"}, *const sources[] = {"m", NULL, NULL, "n"};
    static const double alpha[] = {2e-7, 1.6e-6, 1.6e-6, 2e-6};
    static const TablePoint memory[] = {{4 << 10, 0.35}, {64 << 10, 0.5}, {1 << 20, 1}};
    g_assert_cmpint(platform->levels.n, ==, 4);
    g_assert_cmpint(levels_node(&platform->levels), ==, 1);
    g_assert_cmpstr(platform->levels_source, ==, "l");
    for (int i = 0; i < 4; i++) {
        g_assert_cmpstr(platform->levels.at[i].name, ==, names[i]);
        g_assert_cmpuint(platform->levels.at[i].ranks, ==, ranks[i]);
        g_assert_cmpfloat(platform_at(platform, KEY_ALPHA, i), ==, alpha[i]);
        g_assert_cmpfloat(platform_at(platform, KEY_BETA, i), ==, 8e-11);
        g_assert_cmpstr(platform->level_source[KEY_ALPHA][i], ==, sources[i]);
    }
    g_assert_null(platform->by_level[KEY_BETA]);
    g_assert_cmpmem(platform->memory->at, (gsize)platform->memory->n * sizeof *memory, memory, sizeof memory);
}

static void assert_table(PlatformUnit unit, const Table *table, const char *text)
{
    g_autofree char *written = table ? table_text(unit, table) : NULL;
    g_assert_cmpstr(written, ==, text);
}

// Asserts that the platform has the section [measured] of the complete file.
static void assert_measured(const Platform *platform)
{
    static const char shared[] = "8:1.31us 64:1.33us 4K:1.3us";
    static const char *const one[] = {shared, "8:400ns 1M:90us", shared, shared};
    const Measured *m = platform->measured;
    g_assert_cmpint(m->n_levels, ==, 4);
    for (int i = 0; i < 4; i++) {
        assert_table(PLATFORM_TIME, m->level[i].one, one[i]);
        assert_table(PLATFORM_TIME, m->level[i].step, i == 2 ? "8:1us 64:2us" : NULL);
        assert_table(PLATFORM_TIME, m->level[i].gap, "0:0s 1K:100ns");
        assert_table(PLATFORM_TIME, m->level[i].take, i == 2 ? "8:200ns 64:300ns" : NULL);
        g_assert_true(m->level[i].take_gap == (i != 2));
        g_assert_cmpint(m->level[i].eager, ==, i == 3 ? MEASURED_ALL_RENDEZVOUS : MEASURED_EAGER);
        g_assert_cmpfloat(m->level[i].lambda, ==, 0.5);
    }
    g_assert_cmpint(m->ports, ==, 2);
    g_assert_true(m->far == 1.1e-6 && m->swap == 1.5 && m->swap_from == 4 << 20);
    g_assert_true(m->work[WORK_REDUCE].per_byte == 1e-10 && m->work[WORK_REDUCE].above == 0);
    g_assert_true(m->work[WORK_FRESH].per_byte == 0.45e-9 && m->work[WORK_FRESH].above == 32 << 20);
    assert_table(PLATFORM_TIME, m->work[WORK_COPY].table, "1K:100ns 1M:90us");
    g_assert_true(m->work[WORK_CONNECT].per_byte == 2e-3 && m->work[WORK_MATCH].per_byte == 20e-9);
    assert_table(PLATFORM_TIME, m->work[WORK_BOUNCE].table, "0:100ns 8K:1us");
}

static void test_complete(void)
{
    static const double expected[N_PLATFORM_KEYS] = {
        2e-6,    8e-11, 5e-11, 1e-6, 2e-6,  3e-6, 4e-9, 5e-9,   INFINITY, 1e-9,  1e-9,  90e-9, 2.5,    2,
        4e-11,   1e-7,  0,     0,    0,     0,    1,    1.1e-6, 1.5,      -1,    0.5,   2,     1e-10,  0,
        0.45e-9, 2e-3,  20e-9, 0,    42e-9, 3e-9, 5e-9, 1e-10,  1e-10,    25e-9, 1.125, 4,     0.5e-6, 0.7e-9};
    static const char *const sources[N_PLATFORM_KEYS] = {
        "here", "there", "assumed", "a", "b", "c", "d",  "e", "f", "g", "h", "i", "j", "o",
        "p",    "q",     "r",       "s", "u", "v", "C2", "D", "E", "w", "x", "y", "B", "z",
        "A",    "F",     "G",       "H", "F", "G", "H",  "I", "J", "K", "L", "M", "N", "O"};
    g_autoptr(GError) error = NULL;
    g_autoptr(Platform) platform = platform_parse("some/where/box.ini", complete, strlen(complete), &error);
    g_assert_no_error(error);
    g_assert_cmpstr(platform->name, ==, "box");
    g_assert_cmpstr(platform->title, ==, "A machine");
    for (int k = 0; k < N_PLATFORM_KEYS; k++) {
        g_assert_true(platform->has[k] && platform->value[k] == expected[k]);
        g_assert_cmpstr(platform->source[k], ==, sources[k]);
    }
    static const PlatformPiece pieces[] = {{0, 1e-6, 1e-9}, {65536, 2e-6, 5e-10}};
    g_assert_cmpmem(platform->pieces->data, platform->pieces->len * sizeof *pieces, pieces, sizeof pieces);
    g_assert_cmpstr(platform->pieces_source, ==, "k");
    g_assert_cmpstr(platform->mpi, ==, "1.0");
    assert_levels(platform);
    assert_measured(platform);
    g_autofree char *text = platform_text(platform, NULL, &error);
    g_autoptr(Platform) again = platform_parse("some/where/box.ini", text, strlen(text), &error);
    g_assert_no_error(error);
    g_assert_cmpmem(again->value, sizeof again->value, platform->value, sizeof platform->value);
    g_assert_cmpmem(again->pieces->data, again->pieces->len * sizeof *pieces, pieces, sizeof pieces);
    for (int k = 0; k < N_PLATFORM_KEYS; k++)
        g_assert_cmpstr(again->source[k], ==, sources[k]);
    g_assert_cmpstr(again->mpi, ==, "1.0");
    assert_levels(again);
    assert_measured(again);
    g_autofree char *once_more = platform_text(again, NULL, &error);
    g_assert_cmpstr(once_more, ==, text);
    g_autoptr(Platform) empty = platform_parse("empty.ini", "", 0, &error);
    g_assert_no_error(error);
    g_assert_cmpstr(empty->title, ==, "empty");
    for (int k = 0; k < N_PLATFORM_KEYS; k++)
        g_assert_true(!empty->has[k] && !empty->source[k] && empty->value[k] == platform_keys[k].otherwise);
    g_assert_cmpfloat(empty->value[KEY_NICS], ==, 1);
    g_assert_true(!empty->memory && !empty->measured && empty->levels.n == 1 && levels_node(&empty->levels) < 0);
}

static void test_bad_files(void)
{
#define BY_LEVEL "allowed: alpha, beta, L, G, flag, one, step, gap, take, eager, lambda, line"
#define RISES    "; allowed: times that rise with the size, or fall by at most 5 % from one point to the next"
#define TABLE    "allowed: a list of SIZE:TIME such as 8:1.31us 4K:2.9us"
#define RATE                                                                                                           \
    "is not a cost per byte; allowed: a time per byte (s/B ms/B us/B ns/B ps/B) such as 0.085ns/B, or a bandwidth "    \
    "above 0 such as 12.5GB/s, 11.6GiB/s or 100Gb/s"
#define LEVELS    "[levels]\nnode = 48 ranks\ngroup = 2 nodes\n[hockney]\n"
#define NO_LEVEL  "is not the name of a level; allowed: letters, digits, - and _, but not far, rank, ranks or source"
#define BANDWIDTH "is not a bandwidth; allowed: a bandwidth above 0 such as 12.5GB/s or 100Gb/s"
#define TIME      "is not a time; allowed: a decimal number from 0 with s, ms, us, ns or ps, such as 1.6us"
    static const char lines[] = "allowed: key = value within a section, [section], # comment";
    static const struct {
        const char *text, *message, *end; // the whole message is `message` followed by `end`
    } bad[] = {
        {"[hockny]\n", "f.ini:1: unknown section 'hockny', did you mean hockney? allowed: machine, levels, hockney, "
                       "measured, loggops, shared, node, pieces, spread, topology"},
        {"\n# x\n[hockney]\nalhpa = 1us\n",
         "f.ini:4: unknown key in [hockney] 'alhpa', did you mean alpha? allowed: alpha, beta, gamma"},
        {"[hockney]\nbet.source = x\n",
         "f.ini:2: unknown key in [hockney] 'bet', did you mean beta? allowed: alpha, beta, gamma"},
        {"[loggops]\ngamma = 1us/B\n", "f.ini:2: unknown key in [loggops] 'gamma'; allowed: L, o, g, G, O, S"},
        {"[machine]\nowner = me\n",
         "f.ini:2: unknown key in [machine] 'owner'; allowed: title, network, mpi, note, model"},
        {"[hockney]\nalpha = 1\n", "f.ini:2: alpha: '1' " TIME},
        {"[hockney]\nalpha = \n", "f.ini:2: alpha: '' " TIME},
        {"[hockney]\nalpha = -1us\n", "f.ini:2: alpha: '-1us' " TIME},
        {"[hockney]\nalpha = nan\n", "f.ini:2: alpha: 'nan' " TIME},
        {"[hockney]\nalpha = 1us # fast\n", "f.ini:2: alpha: '1us # fast' " TIME},
        {"[loggops]\nS = 1.5\n", "f.ini:2: S: '1.5' is not a size; allowed: a size such as 64K, or unlimited"},
        {"[shared]\nlanes = 0\n", "f.ini:2: lanes: '0' is not a valid number; allowed: 1 or more"},
        {"[shared]\nlanes = 4x\n", "f.ini:2: lanes: '4x' is not a valid number; allowed: 1 or more"},
        {"[shared]\nlanes = 0x10\n", "f.ini:2: lanes: '0x10' is not a valid number; allowed: 1 or more"},
        {"[shared]\nlanes = 0.99\n", "f.ini:2: lanes: '0.99' is not a valid number; allowed: 1 or more"},
        {"[loggops]\nS = inf\n", "f.ini:2: S: 'inf' is not a size; allowed: a size such as 64K, or unlimited"},
        {"[hockney]\nalpha = 1us\nbeta = 0s/B\nbeta.source = x\n",
         "f.ini:2: alpha has no source; allowed: with alpha.source = where it comes from"},
        {"[hockney]\nalpha.source = x\n", "f.ini:2: alpha.source has no figure; allowed: with alpha = value"},
        {"[hockney]\nalpha.source =\n",
         "f.ini:2: alpha.source is empty; allowed: a text that says where alpha comes from"},
        {"[hockney]\nalpha = 1us\nalpha.source = x\n\nalpha = 2us\n",
         "f.ini:5: alpha is set twice, first in line 2; allowed: once"},
        {"[hockney]\nalpha.source = x\nalpha.source = x\n",
         "f.ini:3: alpha.source is set twice, first in line 2; allowed: once"},
        {"[machine]\nmpi = x\nmpi = x\n", "f.ini:3: mpi is set twice; allowed: once"},
        {"[machine]\n[hockney]\n[machine]\n", "f.ini:3: section [machine] appears twice; allowed: once"},
        {"[pieces]\ngamma = 1\n", "f.ini:2: unknown key in [pieces] 'gamma'; allowed: from, alpha, beta, source"},
        {"[pieces]\nfrom = 0\nalpha = 1us\nbeta = 1ns/B\n",
         "f.ini:4: [pieces] has no source; allowed: from, alpha, beta and source together"},
        {"[pieces]\nfrom = 0, 8\nalpha = 1us\n",
         "f.ini:3: alpha has 1 values; allowed: 1 to 16, the same number for from, alpha and beta"},
        {"[pieces]\nfrom = 8\n",
         "f.ini:2: from does not rise from 0; allowed: 0, then where each further piece begins"},
        {"[pieces]\nfrom = 0, 8, 8\n",
         "f.ini:2: from does not rise from 0; allowed: 0, then where each further piece begins"},
        {"[pieces]\nalpha = 1us, 2\n", "f.ini:2: alpha: '2' " TIME},
        {"[pieces]\nsource =\n", "f.ini:2: source is empty; allowed: a text that says where the pieces come from"},
        {"[pieces]\nfrom = 0\nfrom = 0\n", "f.ini:3: from is set twice, first in line 2; allowed: once"},
        {"[levels]\nnode =\n", "f.ini:2: level node: '' is not a size; allowed: a number of ranks, such as 48 ranks"},
        {"[levels]\nnode = 48\n",
         "f.ini:2: level node: '48' is not a size; allowed: a number of ranks, such as 48 ranks"},
        {"[levels]\nnode = 0 ranks\n",
         "f.ini:2: level node: '0 ranks' is not a size; allowed: a number of ranks, such as 48 ranks"},
        {"[levels]\nnode = -1 ranks\n",
         "f.ini:2: level node: '-1 ranks' is not a size; allowed: a number of ranks, such as 48 ranks"},
        {"[levels]\nnode = 2 sockets\n",
         "f.ini:2: level node: '2 sockets' is not a size; allowed: a number of ranks, such as 48 ranks"},
        {"[levels]\nsocket = 24 ranks\nnode = 2.5 sockets\n", "f.ini:3: level node: '2.5 sockets' is not a size; "
                                                              "allowed: a number of ranks or of units, such as 4 "
                                                              "sockets"},
        {"[levels]\nnode = 48 ranks\ngroup = 100 ranks\n", "f.ini:3: level group: '100 ranks' do not nest, because a "
                                                           "node has 48 ranks; allowed: a whole number of nodes"},
        {"[levels]\nchassis = 48 ranks\ngroup = 24 ranks\n", "f.ini:3: level group: '24 ranks' do not nest, because a "
                                                             "chassis has 48 ranks; allowed: a whole number of "
                                                             "chassis"},
        {"[levels]\nnode = 134217729 ranks\n",
         "f.ini:2: level node: '134217729 ranks' is not a size; allowed: a number of ranks, such as 48 ranks"},
        {"[levels]\nnode = 48 ranks\ngroup = 134217728 nodes\n",
         "f.ini:3: level group: '134217728 nodes' is too large; allowed: at most 2^27 ranks"},
        {"[levels]\nnode = 48 ranks\nnode = 48 ranks\n", "f.ini:3: level node is set twice; allowed: once"},
        {"[levels]\nfar = 48 ranks\n", "f.ini:2: 'far' " NO_LEVEL},
        {"[levels]\nranks = 48 ranks\n", "f.ini:2: 'ranks' " NO_LEVEL},
        {"[levels]\na.b = 48 ranks\n", "f.ini:2: 'a.b' " NO_LEVEL},
        {"[levels]\nsource =\n", "f.ini:2: source is empty; allowed: a text that says where the levels come from"},
        {"[levels]\nsource = x\nsource = x\n", "f.ini:3: source is set twice; allowed: once"},
        {"[hockney]\nalpha.node = 1us\nalpha.node.source = x\n",
         "f.ini:2: alpha.node: unknown level 'node'; allowed: far"},
        {LEVELS "alpha = 1us\nalpha.source = x\nalpha.nod = 1us\nalpha.nod.source = x\n",
         "f.ini:7: alpha.nod: unknown level 'nod', did you mean node? allowed: node, group, far"},
        {LEVELS "alpha.node = 1us\nalpha.node.source = x\n", "f.ini:5: alpha has no value at level group; allowed: "
                                                             "with alpha.group = value, or alpha = value for all other "
                                                             "levels"},
        {LEVELS "alpha.node = 1us\nalpha.group = 1us\nalpha.group.source = x\n",
         "f.ini:5: alpha.node has no source; allowed: with alpha.node.source = where it comes from"},
        {LEVELS "alpha.node.source = x\n",
         "f.ini:5: alpha.node.source has no figure; allowed: with alpha.node = value"},
        {LEVELS "alpha.node = 1us\nalpha.node = 1us\n",
         "f.ini:6: alpha.node is set twice, first in line 5; allowed: once"},
        {LEVELS "alpha.node = 1\nalpha.node.source = x\n", "f.ini:5: alpha.node: '1' " TIME},
        {LEVELS "gamma.node = 1ns/B\n", "f.ini:5: gamma cannot be given per level; " BY_LEVEL},
        {LEVELS "alhpa.node = 1us\n",
         "f.ini:5: unknown key in [hockney] 'alhpa', did you mean alpha? allowed: alpha, beta, gamma"},
        {"[hockney]\nalpha = 1us\nalpha.source = x\nalpha.far = 1us\nalpha.far.source = x\n",
         "f.ini:2: alpha holds for no level, because each has its own; allowed: alpha, if a level has none"},
        {"[node]\nnics = 2.5\n", "f.ini:2: nics: '2.5' is not a valid number; allowed: an integer from 1 to 1024"},
        {"[node]\nnics = 0\n", "f.ini:2: nics: '0' is not a valid number; allowed: an integer from 1 to 1024"},
        {"[node]\nnics = 1\n", "f.ini:2: nics has no source; allowed: with nics.source = where it comes from"},
        {"[node]\nnic.rate = 0\n", "f.ini:2: nic.rate: '0' " BANDWIDTH},
        {"[node]\nnic.rate = 0GB/s\n", "f.ini:2: nic.rate: '0GB/s' " BANDWIDTH},
        {"[node]\nnic.rate = -1GB/s\n", "f.ini:2: nic.rate: '-1GB/s' " BANDWIDTH},
        {"[node]\nnic.rate = 0.5B/s\n", "f.ini:2: nic.rate: 0.5B/s is too small; allowed: 1B/s to 1e+18B/s"},
        {"[node]\nnic.rate = none\n", "f.ini:2: nic.rate: 'none' " BANDWIDTH},
        {"[node]\nnic.messages = 0M/s\n", "f.ini:2: nic.messages: '0M/s' is not a number per second; allowed: a number "
                                          "above 0 with /s, such as 10M/s"},
        {"[node]\nnic.messages = 10M\n", "f.ini:2: nic.messages: '10M' is not a number per second; allowed: a number "
                                         "above 0 with /s, such as 10M/s"},
        {"[node]\nnic.messages = 2e18/s\n", "f.ini:2: nic.messages: 2e+18/s is too large; allowed: 1/s to 1e+18/s"},
        {"[node]\nnic.rate.node = 1GB/s\n", "f.ini:2: nic.rate cannot be given per level; " BY_LEVEL},
        {"[node]\nnic = 1\n", "f.ini:2: unknown key in [node] 'nic', did you mean nics? allowed: nics, nic.rate, "
                              "nic.messages, memory"},
        {"[node]\nmemory = -1\n", "f.ini:2: memory: '-1' is not a valid number; allowed: 0 to 1024, such as 0.5"},
        {"[node]\nmemory = 1025\n", "f.ini:2: memory: 1025 is too large; allowed: 0 to 1024"},
        {"[node]\nmemory =\n",
         "f.ini:2: memory: the table is empty; allowed: one value, or a list of SIZE:VALUE such as 4K:0.5 1M:1"},
        {"[node]\nmemory = 1 4K:2\n",
         "f.ini:2: memory: '1' has no ':'; allowed: one value, or a list of SIZE:VALUE such as 4K:0.5 1M:1"},
        {"[node]\nmemory = 4K:1 4096:2\n",
         "f.ini:2: memory: the size 4096 does not rise; allowed: each size above the one before"},
        {"[node]\nmemory = 4K:x 4096:2\n",
         "f.ini:2: memory: 'x' is not a valid number; allowed: 0 to 1024, such as 0.5"},
        {"[node]\nmemory = x:1\n", "f.ini:2: memory: 'x' is not a size; allowed: a whole number of bytes from 0 to "
                                   "2^62, such as 65536, 64K, 64KiB or 1.5M (K M G T are powers of 1024)"},
        {"[measured]\none = 8:1us 8:2us\n",
         "f.ini:2: one: the size 8 does not rise; allowed: each size above the one before"},
        {"[measured]\none = 64:1us 8:2us\n",
         "f.ini:2: one: the size 8 does not rise; allowed: each size above the one before"},
        {"[measured]\none = 8:1us 64:-2us\n", "f.ini:2: one: '-2us' " TIME},
        {"[measured]\none = 8:1us 64:2\n", "f.ini:2: one: '2' " TIME},
        {"[measured]\none = 8:1us 64:9499ns 4K:9us\n",
         "f.ini:2: one: 9us at 4K is 5.25 % less than 9.499us at 64" RISES},
        {"[measured]\ngap = 8:2us 64:1us\n", "f.ini:2: gap: 1us at 64 is 50 % less than 2us at 8" RISES},
        {"[measured]\ncopy = 8:2us 64:1us\n", "f.ini:2: copy: 1us at 64 is 50 % less than 2us at 8" RISES},
        {"[measured]\none = 8:1us\n", "f.ini:2: one: the table has only one point; allowed: a list of SIZE:TIME, at "
                                      "least two, such as 8:1.31us 4K:2.9us"},
        {"[measured]\nstep = 1us\n", "f.ini:2: step: the table has only one point; allowed: a list of SIZE:TIME, at "
                                     "least two, such as 8:1.31us 4K:2.9us"},
        {"[measured]\none = 8:1us 2us\n", "f.ini:2: one: '2us' has no ':'; " TABLE},
        {"[measured]\none =\n", "f.ini:2: one: the table is empty; " TABLE},
        {"[measured]\none = 8:0s 64:2us\n", "f.ini:2: one: a message takes no time; allowed: times above 0"},
        {"[measured]\nstep = 8:0s 64:0s\n", "f.ini:2: step: a message takes no time; allowed: times above 0"},
        {"[measured]\nlambda = 1.5\n", "f.ini:2: lambda: 1.5 is too large; allowed: 0 to 1"},
        {"[measured]\nswap = 0.9\n", "f.ini:2: swap: '0.9' is not a valid number; allowed: 1 or more"},
        {"[measured]\nswap = 1e9\n", "f.ini:2: swap: 1e+09 is too large; allowed: 1 to 2^27"},
        {"[measured]\nfar = -1us\n",
         "f.ini:2: far: '-1us' is not a time; allowed: a decimal number from 0 with s, ms, us, "
         "ns or ps, such as 1.6us"},
        {"[measured]\nfar.far = 1us\nfar.far.source = x\n", "f.ini:2: far cannot be given per level; " BY_LEVEL},
        {"[measured]\ntake = 1us\n",
         "f.ini:2: take: '1us' is not a table of times; allowed: a list of SIZE:TIME such as "
         "8:200ns 4K:500ns, or gap"},
        {"[measured]\nlambda = -0.5\n", "f.ini:2: lambda: '-0.5' is not a valid number; allowed: 0 to 1, such as 0.75"},
        {"[measured]\nports = 0\n", "f.ini:2: ports: '0' is not a valid number; allowed: an integer from 1 to 1024"},
        {"[measured]\nports = 1.5\n",
         "f.ini:2: ports: '1.5' is not a valid number; allowed: an integer from 1 to 1024"},
        {"[measured]\nports.far = 2\n", "f.ini:2: ports cannot be given per level; " BY_LEVEL},
        {"[measured]\neager = 1.5\n",
         "f.ini:2: eager: '1.5' is not a size; allowed: a size such as 64K, none or unlimited"},
        {"[measured]\nfresh = 0.45ns above 32M\n", "f.ini:2: fresh: '0.45ns' " RATE},
        {"[measured]\nfresh = 0.45ns/B above\n", "f.ini:2: fresh: '0.45ns/Babove' " RATE},
        {"[measured]\nfresh = 0.45ns/B above 32X\n", "f.ini:2: fresh: '32X' is not a size; allowed: a whole number of "
                                                     "bytes from 0 to 2^62, such as 65536, 64K, 64KiB or 1.5M (K M G T "
                                                     "are powers of 1024)"},
        {"[measured]\ncopy = 1K:0.1us\n", "f.ini:2: copy: the table has only one point; allowed: a list of SIZE:TIME, "
                                          "at least two, such as 8:1.31us 4K:2.9us"},
        {"[measured]\none = 8:1us 64:2us\n",
         "f.ini:2: one has no source; allowed: with one.source = where it comes from"},
        {"[measured]\none = 8:1us 64:2us\none.source = x\nlamda = 0\n",
         "f.ini:4: unknown key in [measured] 'lamda', did you mean lambda? allowed: one, step, gap, take, far, swap, "
         "eager, lambda, "
         "ports, "
         "gamma, copy, fresh, connect, match, bounce"},
        {"[measured]\nports = 2\nports.source = x\n",
         "f.ini:2: [measured] has ports, but not one, the time of a message; "
         "allowed: with one = a list of SIZE:TIME such as 8:1.31us "
         "4K:2.9us"},
        {"[levels]\nnode = 48 ranks\n[measured]\none.node = 8:1us 64:2us\none.node.source = x\n",
         "f.ini:4: one has no value at level far; allowed: with one.far = value, or one = value for all other levels"},
        {"[levels]\nnode = 48 ranks\n[measured]\none.node = 8:1us\none.node.source = x\n",
         "f.ini:4: one.node: the table has only one point; allowed: a list of SIZE:TIME, at least two, such as "
         "8:1.31us "
         "4K:2.9us"},
        {"[machine]\ntitle\n", "f.ini:2: 'title' is not a valid line; ", lines},
        {"alpha = 1us\n", "f.ini:1: 'alpha = 1us' is not a valid line; ", lines},
        {"[machine]\ntitle = x\n[hockney\n[machine]\n", "f.ini:3: '[hockney' is not a valid line; ", lines},
        {"[machine]\n= x", "f.ini:2: '= x' is not a valid line; ", lines},
        {"[machine]\ntitle[zz] = x\n", "f.ini:2: 'title[zz]' is not a valid key; allowed: key = value"},
        {"[machine]\ntitle = x\nnote = \xff\n", "f.ini:3: the line is not text; allowed: UTF-8"},
    };
#undef TIME
#undef BANDWIDTH
#undef NO_LEVEL
#undef LEVELS
#undef RATE
#undef TABLE
#undef RISES
#undef BY_LEVEL
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *message = g_strconcat(bad[i].message, bad[i].end, NULL);
        g_assert_null(platform_parse("f.ini", bad[i].text, strlen(bad[i].text), &error));
        assert_refused(error, message);
        g_assert_null(platform_parse("f.ini", bad[i].text, strlen(bad[i].text), NULL));
    }
    g_autoptr(GError) nul = NULL, large = NULL;
    g_assert_null(platform_parse("f.ini", "\n\0\n", 3, &nul));
    assert_refused(nul, "f.ini:2: the line is not text; allowed: UTF-8");
    g_autofree char *much = g_strnfill(64 * 1024 + 1, '\n');
    g_assert_null(platform_parse("f.ini", much, strlen(much), &large));
    assert_refused(large, "f.ini: the file is too large; allowed: at most 64K bytes");
    g_autoptr(Platform) just = platform_parse("f.ini", much, strlen(much) - 1, NULL);
    g_assert_nonnull(just);
}

// A platform that is written can be read, whatever its texts hold: each becomes one line, and a text that is not blank
// does not become blank.
static void test_texts(void)
{
    static const char *const TEXTS[][2] = {
        {"\x01", "?"},         {"\x01\x02 \x7f", "?? ?"},  {" a\tb\n\nc ", "a b  c"},
        {"\xc2\x85", "?"},     {"# [x] = y", "# [x] = y"}, {"\xff", "?"},
        {"\xe2\x80\xae", "?"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(TEXTS); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(Platform) out = platform_parse("box.ini", complete, strlen(complete), NULL);
        g_free(out->source[KEY_BETA]);
        g_free(out->pieces_source);
        g_free(out->title);
        out->source[KEY_BETA] = g_strdup(TEXTS[i][0]);
        out->pieces_source = g_strdup(TEXTS[i][0]);
        out->title = g_strdup(TEXTS[i][0]);
        g_autofree char *text = platform_text(out, NULL, &error);
        g_assert_no_error(error);
        g_autoptr(Platform) in = platform_parse("box.ini", text, strlen(text), &error);
        g_assert_no_error(error);
        g_assert_cmpstr(in->source[KEY_BETA], ==, TEXTS[i][1]);
        g_assert_cmpstr(in->pieces_source, ==, TEXTS[i][1]);
        g_assert_cmpstr(in->title, ==, TEXTS[i][1]);
    }
    static const char ODD[] = "[hockney]\nalpha = 1us\nalpha.source = \x01\x02\n";
    g_autoptr(GError) error = NULL;
    g_autoptr(Platform) odd = platform_parse("odd.ini", ODD, strlen(ODD), &error);
    g_assert_no_error(error);
    g_autofree char *text = platform_text(odd, NULL, &error);
    g_assert_no_error(error);
    g_assert_nonnull(strstr(text, "alpha.source = ??\n"));
    // A platform that would be too large is not written.
    g_free(odd->title);
    odd->title = g_strnfill(64 << 10, 'x');
    g_assert_null(platform_text(odd, NULL, &error));
    assert_refused(error, "odd: the file is too large; allowed: at most 64K bytes");
}

// The ends of the ranges of figures are allowed, and what is beyond them is not.
static void test_ranges(void)
{
    static const struct {
        const char *set;
        double value; // -1 if it is refused
    } CASES[] = {
        {"alpha=1e9s", 1e9},      {"alpha=1.01e9s", -1}, {"alpha=1e-100s", 1e-100},
        {"alpha=0.99e-100s", -1}, {"alpha=0", 0},        {"beta=1e9s/B", 1e9},
        {"beta=1.01e9s/B", -1},   {"lanes=1", 1},        {"lanes=134217728", 1 << 27},
        {"lanes=134217729", -1},  {"lanes=1e400", -1},   {"lanes=-1", -1},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(CASES); i++) {
        g_autoptr(Platform) platform = platform_load("lumi", NULL);
        const PlatformKey key = *CASES[i].set == 'a' ? KEY_ALPHA : *CASES[i].set == 'b' ? KEY_BETA : KEY_LANES;
        g_assert_cmpint(platform_set(platform, CASES[i].set, NULL), ==, CASES[i].value >= 0);
        if (CASES[i].value >= 0)
            g_assert_cmpfloat(platform->value[key], ==, CASES[i].value);
    }
    for (int n = 16; n <= 17; n++) { // pieces
        g_autoptr(GString) from = g_string_new("0"), alpha = g_string_new("1us"), beta = g_string_new("1ns/B");
        for (int i = 1; i < n; i++) {
            g_string_append_printf(from, ",%d", i);
            g_string_append(alpha, ",1us");
            g_string_append(beta, ",1ns/B");
        }
        g_autofree char *text = g_strdup_printf("[pieces]\nfrom = %s\nalpha = %s\nbeta = %s\nsource = x\n", from->str,
                                                alpha->str, beta->str);
        g_autoptr(Platform) platform = platform_parse("f.ini", text, strlen(text), NULL);
        g_assert_cmpint(platform != NULL, ==, n == 16);
    }
    for (int n = 32; n <= 33; n++) { // dimensions of a torus
        g_autoptr(GString) text = g_string_new("[topology]\nkind = torus\nshape.source = x\nshape = 1");
        for (int i = 1; i < n; i++)
            g_string_append(text, ",1");
        g_autoptr(Platform) platform = platform_parse("f.ini", text->str, text->len, NULL);
        g_assert_cmpint(platform != NULL, ==, n == 32);
    }
}

// A figure is written in the unit that keeps its number small, and reads back as itself.
static void test_figure_texts(void)
{
    static const struct {
        PlatformKey key;
        double value;
        const char *text;
    } CASES[] = {
        {KEY_ALPHA, 0, "0s"},     {KEY_ALPHA, 1e-9, "1ns"},          {KEY_ALPHA, 0.9998e-6, "999.8ns"},
        {KEY_ALPHA, 1e-6, "1us"}, {KEY_ALPHA, 0.9998e-3, "999.8us"}, {KEY_ALPHA, 1e-3, "1ms"},
        {KEY_ALPHA, 2, "2000ms"}, {KEY_BETA, 8e-11, "0.08ns/B"},     {KEY_BETA, 0, "0ns/B"},
        {KEY_S, 65536, "64K"},    {KEY_S, INFINITY, "unlimited"},    {KEY_LANES, 2.5, "2.5"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(CASES); i++) {
        g_autofree char *text = platform_figure_text(CASES[i].key, CASES[i].value);
        g_assert_cmpstr(text, ==, CASES[i].text);
        g_autoptr(Platform) platform = platform_load("lumi", NULL);
        g_autofree char *set = g_strconcat(platform_keys[CASES[i].key].name, "=", text, NULL);
        g_assert_true(platform_set(platform, set, NULL));
        g_assert_cmpfloat(platform->value[CASES[i].key], ==, CASES[i].value);
    }
}

// A base keeps its pieces unless alpha is replaced.
static void test_base(void)
{
    g_autofree char *dir = g_dir_make_tmp("collsim-XXXXXX", NULL), *path = g_build_filename(dir, "box.ini", NULL);
    g_assert_true(g_file_set_contents(path, complete, -1, NULL));
    static const struct {
        const char *set;
        guint pieces;
    } CASES[] = {{"beta=7ns/B", 2}, {"alpha=7us", 0}};
    for (size_t i = 0; i < G_N_ELEMENTS(CASES); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(Platform) platform = platform_parse("new.ini", "", 0, NULL);
        g_assert_true(platform_set(platform, CASES[i].set, NULL));
        g_autofree char *text = platform_text(platform, path, &error);
        g_assert_no_error(error);
        g_autoptr(Platform) in = platform_parse("new.ini", text, strlen(text), &error);
        g_assert_no_error(error);
        g_assert_cmpuint(in->pieces ? in->pieces->len : 0, ==, CASES[i].pieces);
        g_assert_cmpfloat(in->value[KEY_ALPHA], ==, i ? 7e-6 : 2e-6);
        g_assert_cmpfloat(platform_at(in, KEY_ALPHA, 0), ==, 2e-7); // what holds inside a node stays
        g_assert_cmpfloat(platform_at(in, KEY_ALPHA, 1), ==, 1.6e-6);
        g_assert_cmpfloat(in->value[KEY_NIC_RATE], ==, 4e-11);
        g_assert_cmpfloat(in->value[KEY_BETA], ==, i ? 8e-11 : 7e-9);
    }
    // So it is with figures of [measured]: those that are not found keep the base's, at each level.
    g_autoptr(GError) failed = NULL;
    g_autoptr(Platform) found = platform_parse("new.ini", "", 0, NULL);
    g_assert_true(platform_set_figure(found, KEY_ONE, NULL, "8:7us 64:8us", "a sweep", NULL) &&
                  platform_set_figure(found, KEY_EAGER, NULL, "unlimited", "a sweep", NULL));
    g_autofree char *written = platform_text(found, path, &failed);
    g_assert_no_error(failed);
    g_autoptr(Platform) read = platform_parse("new.ini", written, strlen(written), NULL);
    assert_table(PLATFORM_TIME, read->measured->level[1].one, "8:400ns 1M:90us");
    assert_table(PLATFORM_TIME, read->measured->level[3].one, "8:7us 64:8us");
    assert_table(PLATFORM_TIME, read->measured->level[2].step, "8:1us 64:2us");
    g_assert_true(read->measured->level[0].eager == MEASURED_EAGER && read->measured->level[3].eager == INT64_MAX);
    g_assert_nonnull(strstr(written, "eager.far = unlimited\neager.far.source = a sweep\n"));
    g_autoptr(GError) error = NULL;
    g_autoptr(Platform) platform = platform_parse("new.ini", "", 0, NULL);
    g_assert_null(platform_text(platform, "/dev/zero", &error));
    assert_refused(error, "/dev/zero:1: the line is not text; allowed: UTF-8");
    g_remove(path);
    g_rmdir(dir);
}

static void assert_load_fails(const char *name, const char *message)
{
    g_autoptr(GError) error = NULL;
    g_assert_null(platform_load(name, &error));
    assert_refused(error, message);
}

static void test_load(void)
{
    static const char all[] =
        "allowed: alps, archer2, azure-hc44rs, daint, dragonfly-16, fat-tree-16, frontier, fugaku, generic-100g, "
        "leonardo, loggopsim, lumi, "
        "orfeo-epyc, orfeo-thin, peak, torus-16, xeon-e5, or a path to an .ini file";
    g_autofree char *near = g_strconcat("unknown platform 'Leonarod', did you mean leonardo? ", all, NULL);
    g_autofree char *far = g_strconcat("unknown platform ''; ", all, NULL);
    assert_load_fails("Leonarod", near);
    assert_load_fails("", far);
    assert_load_fails("none.ini", "none.ini: No such file or directory; allowed: a readable file");
    assert_load_fails("/", "/: Is a directory; allowed: a readable file");
    assert_load_fails("/dev/zero", "/dev/zero:1: the line is not text; allowed: UTF-8");

    g_autofree char *dir = g_dir_make_tmp("collsim-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(dir, "box.ini", NULL);
    g_assert_true(g_file_set_contents(path, complete, -1, NULL));
    g_autoptr(Platform) by_path = platform_load(path, NULL);
    g_assert_cmpstr(by_path->name, ==, "box");

    g_setenv("COLLSIM_PLATFORMS", dir, TRUE);
    g_autoptr(Platform) by_name = platform_load("box", NULL);
    g_assert_cmpstr(by_name->title, ==, "A machine");
    assert_load_fails("alps", "unknown platform 'alps'; allowed: box, or a path to an .ini file");
    g_remove(path);
    assert_load_fails("box", "unknown platform 'box'; allowed: a path to an .ini file");
    g_rmdir(dir);
    g_autofree char *missing =
        g_strdup_printf("%s: a file of collsim is missing; allowed: COLLSIM_PLATFORMS=FOLDER that has it", dir);
    assert_load_fails("box", missing);
    g_unsetenv("COLLSIM_PLATFORMS");
}

static void test_set(void)
{
    static const struct {
        const char *assignment, *message;
    } bad[] = {
        {"alpha", "--set 'alpha' has no '='; allowed: KEY=VALUE, such as alpha=1us"},
        {"alpah=1us",
         "--set: unknown parameter 'alpah', did you mean alpha? allowed: alpha, beta, gamma, L, o, g, G, "
         "O, S, write, read, flag, lanes, nics, nic.rate, nic.messages, memory, one, step, gap, take, "
         "far, swap, eager, "
         "lambda, ports, copy, fresh, connect, match, bounce, line, queue, raise, reuse, local, call, remote, "
         "streams, single, touch"},
        {"=1us",
         "--set: unknown parameter ''; allowed: alpha, beta, gamma, L, o, g, G, O, S, write, read, flag, lanes, nics, "
         "nic.rate, nic.messages, memory, one, step, gap, take, far, swap, eager, lambda, ports, copy, fresh, connect, "
         "match, bounce, line, queue, raise, reuse, local, call, remote, streams, single, touch"},
        {"alpha=1",
         "--set: alpha: '1' is not a time; allowed: a decimal number from 0 with s, ms, us, ns or ps, such as "
         "1.6us"},
    };
    g_autoptr(Platform) platform = platform_load("lumi", NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        g_assert_false(platform_set(platform, bad[i].assignment, &error));
        assert_refused(error, bad[i].message);
    }
    g_assert_true(platform->value[KEY_ALPHA] == 3.4e-6);

    static const char *const good[] = {"alpha=2us", "o=1us", "O=1ns/B", "S=unlimited", "S=4K", "lanes=1"};
    for (size_t i = 0; i < G_N_ELEMENTS(good); i++)
        g_assert_true(platform_set(platform, good[i], NULL));
    g_assert_true(platform->value[KEY_ALPHA] == 2e-6 && platform->value[KEY_S] == 4096);
    g_assert_true(platform->value[KEY_O_CPU] == 1e-6 && platform->value[KEY_O_BYTE] == 1e-9);
    g_assert_true(platform->has[KEY_S] && !platform->has[KEY_L] && platform->value[KEY_LANES] == 1);
    g_assert_cmpstr(platform->source[KEY_S], ==, "--set S=4K");
}

// xF multiplies a time or divides a rate as it is kept, at one level or at all of them, and nothing else.
static void test_scale(void)
{
    static const char *const text = "[levels]\nnode = 2 ranks\n[hockney]\nalpha = 4us\nalpha.source = t\n"
                                    "alpha.node = 1us\nalpha.node.source = t\nbeta = 1ns/B\nbeta.source = t\n"
                                    "[node]\nnic.rate = 10GB/s\nnic.rate.source = t\n";
    static const struct {
        const char *set;
        PlatformKey key;
        int level;
        double value;
    } good[] = {{"alpha=x0.5", KEY_ALPHA, 0, 0.5e-6},     {"alpha=x0.5", KEY_ALPHA, 1, 2e-6},
                {"alpha.node=x3", KEY_ALPHA, 0, 3e-6},    {"alpha.node=x3", KEY_ALPHA, 1, 4e-6},
                {"beta.far=x2", KEY_BETA, 0, 1e-9},       {"beta.far=x2", KEY_BETA, 1, 2e-9},
                {"nic.rate=x2", KEY_NIC_RATE, 0, 0.05e-9}};
    static const char *const bad[][2] = {
        {"gamma=x2", "--set: gamma: platform f does not have it; allowed: a value in place of x2"},
        {"nics=x2", "--set: nics: x2 would scale it; allowed: a value, because only times and rates are scaled"},
        {"alpha=x0", "--set: alpha: 'x0' is not a factor; allowed: x and a number above 0, such as x0.5"}};
    for (size_t i = 0; i < G_N_ELEMENTS(good); i++) {
        g_autoptr(Platform) platform = platform_parse("f.ini", text, strlen(text), NULL);
        g_assert_true(platform_set(platform, good[i].set, NULL));
        g_assert_cmpfloat_with_epsilon(platform_at(platform, good[i].key, good[i].level), good[i].value, 1e-20);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(Platform) platform = platform_parse("f.ini", text, strlen(text), NULL);
        g_autoptr(GError) error = NULL;
        g_assert_false(platform_set(platform, bad[i][0], &error));
        g_assert_cmpstr(error->message, ==, bad[i][1]);
    }
}

// A figure that is set at one level leaves the others; a figure that is set without a level holds for all of them.
static void test_set_levels(void)
{
    static const struct {
        const char *set;
        double alpha[3]; // at the levels node, group and far; a missing value is -1
    } steps[] = {
        {"alpha.group=2us", {-1, 2e-6, -1}},     {"alpha.node=1us", {1e-6, 2e-6, -1}},
        {"alpha.far=3us", {1e-6, 2e-6, 3e-6}},   {"alpha=4us", {4e-6, 4e-6, 4e-6}},
        {"alpha.node=5us", {5e-6, 4e-6, 4e-6}},  {"alpha.far=6us", {5e-6, 4e-6, 6e-6}},
        {"alpha.group=7us", {5e-6, 7e-6, 6e-6}},
    };
    static const char levels[] = "[levels]\nnode = 48 ranks\ngroup = 2 nodes\n";
    static const PlatformKey alpha = KEY_ALPHA;
    g_autoptr(Platform) platform = platform_parse("f.ini", levels, strlen(levels), NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(steps); i++) {
        g_assert_true(platform_set(platform, steps[i].set, NULL));
        for (int level = 0; level < 3; level++)
            if (steps[i].alpha[level] < 0)
                g_assert_true(isnan(platform_at(platform, KEY_ALPHA, level)));
            else
                g_assert_cmpfloat(platform_at(platform, KEY_ALPHA, level), ==, steps[i].alpha[level]);
        g_assert_cmpint(platform->has[KEY_ALPHA], ==, i > 1);
        g_assert_cmpint(platform_need(platform, &alpha, 1, "hockney", NULL), ==, i > 1);
        g_autofree char *text = platform_text(platform, NULL, NULL);
        g_autoptr(Platform) again = platform_parse("f.ini", text, strlen(text), NULL);
        g_assert_cmpint(again->has[KEY_ALPHA], ==, i > 1);
        for (int level = 0; level < 3 && i > 1; level++)
            g_assert_cmpfloat(platform_at(again, KEY_ALPHA, level), ==, steps[i].alpha[level]);
    }
    g_assert_cmpfloat(platform->value[KEY_ALPHA], ==, 6e-6);
    g_assert_cmpstr(platform->source[KEY_ALPHA], ==, "--set alpha.far=6us");
    g_assert_false(platform_set(platform, "alpha.node=1", NULL) || platform_set(platform, "alpha.x=1us", NULL));
    g_assert_cmpfloat(platform_at(platform, KEY_ALPHA, 0), ==, 5e-6);
}

// A size is a number of ranks, or of units of any level before. There are at most 63 levels below far.
static void test_level_sizes(void)
{
    static const struct {
        const char *size;
        size_t ranks; // of a level outside one of 24 ranks (`chassis`) in one of 48 (`node`); 0 if it is refused
        const char *written;
    } CASES[] = {
        {"1 node", 48, "1 node"},
        {"1 nodes", 48, "1 node"},
        {"10 \tnodes", 480, "10 nodes"},
        {"96 ranks", 96, "2 nodes"},
        {"4 chassis", 96, "2 nodes"},
        {"4 chassiss", 96, "2 nodes"},
        {"48 rank", 48, "1 node"},
        {"3 chassis", 0, NULL},
        {"4nodes", 0, NULL},
        {"+4 nodes", 0, NULL},
        {"4 nodes ", 0, NULL},
        {"4 Nodes", 0, NULL},
        {"4 nodess", 0, NULL},
        {"2796202 nodes", 134217696, ""},
        {"2796203 nodes", 0, NULL},
        {"134217728 ranks", 0, NULL},
        {"18446744073709551617 nodes", 0, NULL},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(CASES); i++) {
        Levels levels;
        levels_init(&levels);
        g_assert_true(levels_read(&levels, "chassis", "24 ranks", NULL));
        g_assert_true(levels_read(&levels, "node", "2 chassis", NULL));
        g_assert_cmpint(levels_read(&levels, "x", CASES[i].size, NULL), ==, CASES[i].ranks > 0);
        g_assert_cmpint(levels.n, ==, CASES[i].ranks ? 4 : 3);
        g_assert_cmpuint(levels.at[2].ranks, ==, CASES[i].ranks);
        g_autofree char *first = levels_size_text(&levels, 0), *second = levels_size_text(&levels, 1);
        g_assert_cmpstr(first, ==, "24 ranks");
        g_assert_cmpstr(second, ==, "2 chassis");
        if (CASES[i].ranks && *CASES[i].written) {
            g_autofree char *third = levels_size_text(&levels, 2);
            g_assert_cmpstr(third, ==, CASES[i].written);
        }
        levels_clear(&levels);
    }
    g_autoptr(GError) error = NULL;
    Levels levels;
    levels_init(&levels);
    for (int i = 0; i < LEVELS_MOST - 1; i++) {
        g_autofree char *name = g_strdup_printf("l%d", i);
        g_assert_true(levels_read(&levels, name, "2 ranks", NULL));
    }
    g_assert_false(levels_read(&levels, "more", "2 ranks", &error));
    assert_refused(error, "level more is one too many; allowed: at most 63 levels");
    levels_clear(&levels);
}

static void test_set_node(void)
{
    g_autoptr(Platform) platform = platform_new("f");
    g_assert_true(platform_set(platform, "nics=2", NULL) && platform_set(platform, "nic.rate=0.04ns/B", NULL) &&
                  platform_set(platform, "nic.messages=5M/s", NULL) && platform_set(platform, "memory=0.5", NULL));
    g_assert_cmpfloat(platform->value[KEY_NICS], ==, 2);
    g_assert_cmpfloat(platform->value[KEY_NIC_RATE], ==, 4e-11);
    g_assert_cmpfloat(platform->value[KEY_NIC_MESSAGES], ==, 2e-7);
    g_assert_cmpfloat(table_at(platform->memory, 7), ==, 0.5);
    g_assert_false(platform_set(platform, "memory=x", NULL));
    g_assert_cmpfloat(table_at(platform->memory, 7), ==, 0.5);
    for (int k = KEY_NICS; k <= KEY_MEMORY; k++) {
        g_autofree char *none = g_strconcat(platform_keys[k].name, "=none", NULL);
        g_assert_true(platform->has[k] && platform_set(platform, none, NULL));
        g_assert_true(!platform->has[k] && !platform->source[k]);
        g_assert_cmpfloat(platform->value[k], ==, platform_keys[k].otherwise);
    }
    g_assert_true(!platform->memory && !platform_set(platform, "alpha=none", NULL));
}

// What [measured] leaves out has defaults. They follow --set, and so does what the levels have in common.
static void test_measured(void)
{
    static const char file[] = "[machine]\nmpi = open-mpi 5\n[levels]\nnode = 4 ranks\n[hockney]\ngamma = 1ns/B\n"
                               "gamma.source = x\n[measured]\none = 8:1us 1008:2us\none.source = x\n"
                               "lambda.node = 0\nlambda.node.source = x\n";
    g_autoptr(Platform) platform = platform_parse("f.ini", file, strlen(file), NULL);
    const Measured *m = platform->measured;
    g_assert_true(!m->level[0].step && m->level[0].eager == 8192 && m->ports == 1);
    g_assert_true(m->level[0].lambda == 0 && m->level[1].lambda == 0.75);
    g_assert_true(m->work[WORK_REDUCE].per_byte == 1e-9 && m->work[WORK_COPY].per_byte == 0);
    for (int i = 0; i < 2; i++) {
        g_assert_cmpfloat_with_epsilon(table_time_at(m->level[i].gap, 8192), 0.18e-6 + 8192e-9, 1e-15);
        g_assert_cmpfloat_with_epsilon(table_time_at(m->level[i].gap, 8193), 0.1e-6 + 8193e-9, 1e-15);
        g_assert_cmpfloat_with_epsilon(table_time_at(m->level[i].gap, 1 << 20), 0.1e-6 + 1048576e-9, 1e-14);
    }
    g_assert_true(m->far == 0 && m->swap == 1);
    for (int i = 0; i < 2; i++) {
        g_assert_cmpfloat_with_epsilon(measured_take(&m->level[i], 8), 0.05e-6 + 8e-9, 1e-15);
        g_assert_cmpfloat_with_epsilon(measured_take(&m->level[i], 8192), 0.05e-6 + 8192e-9, 1e-15);
    }
    g_assert_true(platform_set(platform, "gap.node=8:0.1us 1008:0.2us", NULL));
    g_assert_true(measured_take(&platform->measured->level[0], 8) == 0); // 0.1 us is less than 0.13 one(8)
    g_assert_cmpfloat_with_epsilon(measured_take(&platform->measured->level[0], 1008), 0.07e-6, 1e-15);
    g_assert_true(platform_set(platform, "take.node=gap", NULL) && !platform_set(platform, "take=x0.5", NULL));
    g_assert_cmpfloat_with_epsilon(measured_take(&platform->measured->level[0], 8), 0.1e-6, 1e-15);
    g_assert_cmpfloat_with_epsilon(measured_take(&platform->measured->level[1], 8), 0.05e-6 + 8e-9, 1e-15);
    g_assert_true(platform_set(platform, "take=8:0us 16:1us", NULL) && platform_set(platform, "take=x0.5", NULL));
    g_assert_cmpfloat_with_epsilon(measured_take(&platform->measured->level[1], 16), 0.5e-6, 1e-15);
    g_assert_true(platform_set(platform, "take=none", NULL) && platform_set(platform, "gap=none", NULL));
    g_assert_cmpfloat_with_epsilon(measured_take(&platform->measured->level[0], 8), 0.05e-6 + 8e-9, 1e-15);
    g_assert_true(platform_set(platform, "one.node=8:0.5us 1008:1us", NULL) &&
                  platform_set(platform, "eager.far=none", NULL) && platform_set(platform, "gamma=2ns/B", NULL) &&
                  platform_set(platform, "copy=3ns/B above 1K", NULL) && platform_set(platform, "lambda=1", NULL));
    m = platform->measured;
    g_assert_cmpfloat_with_epsilon(table_time_at(m->level[0].gap, 8192), 0.09e-6 + 4096e-9, 1e-15);
    g_assert_cmpfloat_with_epsilon(table_time_at(m->level[1].gap, 8), 0.1e-6 + 8e-9, 1e-15);
    g_assert_true(m->level[0].eager == 8192 && m->level[1].eager == MEASURED_ALL_RENDEZVOUS);
    g_assert_true(m->level[0].lambda == 1 && m->level[1].lambda == 1);
    g_assert_true(m->work[WORK_REDUCE].per_byte == 2e-9 && m->work[WORK_COPY].above == 1024);
    g_assert_true(platform_set(platform, "lambda=none", NULL) && platform_set(platform, "copy=none", NULL));
    m = platform->measured;
    g_assert_true(m->level[0].lambda == 0.75 && m->work[WORK_COPY].per_byte == 0 && m->work[WORK_COPY].above == 0);
    g_assert_true(platform_set(platform, "eager=none", NULL));
    g_assert_cmpint(platform->measured->level[0].eager, ==, MEASURED_ALL_RENDEZVOUS);
    g_assert_false(platform_set(platform, "one.node=8:1us", NULL) || platform_set(platform, "one=none", NULL));
    g_assert_cmpfloat(table_time_at(platform->measured->level[0].one, 8), ==, 0.5e-6);
    g_autofree char *text = platform_text(platform, NULL, NULL);
    g_autoptr(Platform) again = platform_parse("f.ini", text, strlen(text), NULL);
    g_autofree char *same = platform_text(again, NULL, NULL);
    g_assert_cmpstr(same, ==, text);
    // Only far remains of a flat machine, with its defaults.
    g_assert_true(platform_set(platform, "step.node=8:1us 16:2us", NULL) && platform_flatten(platform));
    m = platform->measured;
    g_assert_true(m->n_levels == 1 && !m->level[0].step && m->level[0].eager == MEASURED_ALL_RENDEZVOUS);
    g_assert_cmpfloat(table_time_at(m->level[0].one, 8), ==, 1e-6);
    g_assert_true(!platform->has[KEY_STEP] && !platform->source[KEY_STEP]);
}

// --set gives a platform the model when the last level has its times.
static void test_measured_set(void)
{
    static const PlatformKey keys[] = {KEY_ONE, KEY_STEP};
    static const char levels[] = "[levels]\nnode = 4 ranks\n";
    g_autoptr(GError) error = NULL;
    g_autoptr(Platform) platform = platform_parse("f.ini", levels, strlen(levels), NULL);
    g_assert_true(platform_set(platform, "lambda=0.5", NULL) && !platform->measured);
    g_assert_false(platform_need(platform, keys, 2, "measured", &error));
    assert_refused(error, "platform f lacks one (time of a message one way), which model measured needs; allowed: "
                          "another platform, or --set "
                          "KEY=VALUE");
    g_clear_error(&error);
    g_assert_true(platform_set(platform, "one.node=8:1us 16:2us", NULL) && !platform->measured);
    g_assert_false(platform_need(platform, keys, 2, "measured", &error));
    assert_refused(error, "platform f lacks one.far (time of a message one way), which model measured needs; allowed: "
                          "another platform, or --set "
                          "KEY=VALUE");
    g_assert_true(platform_set(platform, "one.far=8:2us 16:2us", NULL) && platform->measured);
    g_assert_true(platform_need(platform, keys, 2, "measured", NULL));
    g_assert_cmpfloat(platform->measured->level[1].lambda, ==, 0.5);
}

// Beyond its last point a table of times goes on as it rose, but never falls.
static void test_times(void)
{
    g_autoptr(Table) rising = table_parse(PLATFORM_TIME, "8:1us 16:2us", NULL),
                     falling = table_parse(PLATFORM_TIME, "8:1us 16:0.96us", NULL);
    g_assert_cmpfloat(table_time_at(rising, 0), ==, 1e-6);
    g_assert_cmpfloat_with_epsilon(table_time_at(rising, 24), 3e-6, 1e-18);
    g_assert_cmpfloat_with_epsilon(table_time_at(falling, 12), 0.98e-6, 1e-18);
    g_assert_cmpfloat(table_time_at(falling, 1 << 30), ==, 0.96e-6);
}

static void test_table(void)
{
    static const struct {
        uint64_t bytes;
        double value;
    } at[] = {{0, 0.5},      {4096, 0.5},     {4097, 0.5 + 0.25 / 4096}, {6144, 0.625}, {8192, 0.75}, {10240, 1.75},
              {12288, 2.75}, {1 << 20, 2.75}, {(uint64_t)1 << 50, 2.75}};
    g_autoptr(Table) table = table_parse(PLATFORM_SHARE, " 4K:0.5  8K:0.75\t12K:2.75 ", NULL);
    g_autoptr(Table) copy = table_copy(table);
    const Table *const tables[] = {table, copy};
    g_autofree char *text = table_text(PLATFORM_SHARE, copy);
    g_assert_cmpstr(text, ==, "4K:0.5 8K:0.75 12K:2.75");
    for (size_t k = 0; k < G_N_ELEMENTS(tables); k++)
        for (size_t i = 0; i < G_N_ELEMENTS(at); i++)
            g_assert_cmpfloat(table_at(tables[k], at[i].bytes), ==, at[i].value);
    g_autoptr(Table) times = table_parse(PLATFORM_TIME, "0:1us 1:3us", NULL); // the values may have any unit
    g_assert_cmpfloat(table_at(times, 1), ==, 3e-6);
    g_autoptr(GString) many = g_string_new("0:1");
    for (int i = 1; i <= TABLE_MOST; i++) {
        g_autoptr(Table) full = table_parse(PLATFORM_SHARE, many->str, NULL);
        g_assert_cmpint(full->n, ==, i);
        g_string_append_printf(many, " %d:1", i);
    }
    g_autoptr(GError) error = NULL;
    g_assert_null(table_parse(PLATFORM_SHARE, many->str, &error));
    assert_refused(error, "the table has too many points; allowed: at most 1024");
    g_assert_null(table_copy(NULL));
    g_autoptr(Table) falling = table_parse(PLATFORM_SHARE, "1:0.5 2:3 3:1", NULL);
    g_assert_cmpfloat(table_most(falling), ==, 3);
}

static void test_need(void)
{
    static const PlatformKey hockney[] = {KEY_ALPHA, KEY_BETA, KEY_GAMMA};
    static const PlatformKey logp[] = {KEY_GAMMA, KEY_L, KEY_O_CPU, KEY_G_GAP};
    g_autoptr(GError) error = NULL;
    g_autoptr(Platform) platform = platform_load("lumi", NULL);
    g_assert_true(platform_need(platform, hockney, G_N_ELEMENTS(hockney), "hockney", &error));
    g_assert_no_error(error);
    g_assert_false(platform_need(platform, logp, G_N_ELEMENTS(logp), "logp", &error));
    assert_refused(error, "platform lumi lacks L, o, g, which model logp needs; allowed: another platform, or --set "
                          "KEY=VALUE");
}

// Returns the complete file with one to four changes: a byte replaced, added or removed, or a line doubled or dropped.
// Free with g_free.
static char *mutate(GRand *rand)
{
    static const char alphabet[] = "0123456789.=[]#-eusnpK/BLoOgGS \t\r\n\\\xff";
    g_autoptr(GString) text = g_string_new(complete);
    for (int n = g_rand_int_range(rand, 1, 5); n > 0; n--) {
        const gssize at = g_rand_int_range(rand, 0, (gint32)text->len);
        const gssize line = (gssize)strcspn(text->str + at, "\n") + 1;
        const char c = alphabet[g_rand_int_range(rand, 0, sizeof alphabet - 1)];
        g_autofree char *copy = NULL;
        switch (g_rand_int_range(rand, 0, 5)) {
        case 0:
            text->str[at] = c;
            break;
        case 1:
            g_string_insert_c(text, at, c);
            break;
        case 2:
            g_string_erase(text, at, 1);
            break;
        case 3:
            copy = g_strndup(text->str + at, (gsize)line);
            g_string_insert(text, at, copy);
            break;
        default:
            g_string_erase(text, at, MIN(line, (gssize)text->len - at));
        }
        if (text->len == 0)
            g_string_append_c(text, c);
    }
    return g_string_free(g_steal_pointer(&text), FALSE);
}

static gboolean in_range(PlatformKey key, double value)
{
    return (value >= 0 || (key == KEY_EAGER && value == -1)) && (key == KEY_S || key == KEY_EAGER || isfinite(value));
}

// Also counts what follows the last newline.
static guint lines_of(const char *text)
{
    guint n = 1;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

static void test_fuzz(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(sample_seed(3));
    const int inputs = sample_of(20000, 4000);
    int loaded = 0;
    for (int i = 0; i < inputs; i++) {
        g_autofree char *text = mutate(rand);
        g_autoptr(GError) error = NULL;
        g_autoptr(Platform) platform = platform_parse("f.ini", text, strlen(text), &error);
        if (!platform) {
            guint line = 0;
            g_assert_error(error, COLLSIM_ERROR, COLLSIM_ERROR_INPUT);
            g_assert_cmpint(sscanf(error->message, "f.ini:%u: ", &line), ==, 1);
            g_assert_cmpuint(line, >=, 1);
            g_assert_cmpuint(line, <=, lines_of(text));
            g_assert_nonnull(strstr(error->message, "allowed: "));
            g_assert_null(strpbrk(error->message, "\n\r"));
            continue;
        }
        loaded++;
        g_assert_no_error(error);
        for (int k = 0; k < N_PLATFORM_KEYS; k++) {
            g_assert_true(in_range(k, platform->value[k]));
            for (int level = 0; platform->by_level[k] && level < platform->levels.n; level++)
                g_assert_true(in_range(k, platform->by_level[k][level]) ||
                              (platform_keys[k].optional && isnan(platform->by_level[k][level])));
            g_assert_true(platform->has[k] ? platform->source[k][0] : !platform->source[k]);
        }
    }
    // Both outcomes must occur.
    g_assert_cmpint(loaded, >, inputs / 50);
    g_assert_cmpint(loaded, <, inputs * 49 / 50);
}

static void add_tests(void)
{
    g_test_add_func("/platform/shipped", test_shipped);
    g_test_add_func("/platform/shipped-levels", test_shipped_levels);
    g_test_add_func("/platform/complete", test_complete);
    g_test_add_func("/platform/bad-files", test_bad_files);
    g_test_add_func("/platform/texts", test_texts);
    g_test_add_func("/platform/ranges", test_ranges);
    g_test_add_func("/platform/figure_texts", test_figure_texts);
    g_test_add_func("/platform/base", test_base);
    g_test_add_func("/platform/load", test_load);
    g_test_add_func("/platform/set", test_set);
    g_test_add_func("/platform/scale", test_scale);
    g_test_add_func("/platform/set_levels", test_set_levels);
    g_test_add_func("/platform/level_sizes", test_level_sizes);
    g_test_add_func("/platform/set_node", test_set_node);
    g_test_add_func("/platform/measured", test_measured);
    g_test_add_func("/platform/measured_set", test_measured_set);
    g_test_add_func("/platform/times", test_times);
    g_test_add_func("/platform/table", test_table);
    g_test_add_func("/platform/need", test_need);
    g_test_add_func("/platform/fuzz", test_fuzz);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}

// What NCCL chooses by its table of latencies and bandwidths, and what is read of its log.
#include "libraries/nccl/nccl_log.h"
#include <math.h>
#include <string.h>

#define INFO "n1:1:9 [0] NCCL INFO "

// A log of three nodes. The figures of Tree and the times of choices are those of the issue NVIDIA/nccl 1453, as far as the
// table's one decimal has them.
static const char LOG[] =
    "NCCL version 2.20.5+cuda12.4\n" INFO
    "Pattern 4, crossNic 0, nChannels 16, bw 20.000000/20.000000, type NVL/PIX, sameChannels 1\n" INFO
    "comm 0x55 rank 0 nRanks 24 nNodes 3 localRanks 8 localRank 0 MNNVL 0\n" INFO "Channel 05/16 :    0   7   6\n" INFO
    "  Algorithm   |       Tree      |      Ring      |  CollNetDirect |\n" INFO
    "  Protocol    |  LL | LL128 | Simple | LL | LL128 | Simple | LL | LL128 | Simple |\n" INFO
    " Max NThreads | 512 | 640 | 512 | 512 | 640 | 512 | 0 | 0 | 640 |\n" INFO
    "    AllGather | 0.0/ 0.0 | 0.0/ 0.0 | 0.0/ 0.0 | 23.3/ 5.3 | 44.6/ 0.0 | 70.0/ 21.3 | 5.6/ 0.0 "
    "| 5.6/ 0.0 | 44.0/ 0.0 |\n" INFO
    "    AllReduce | 25.2/ 8.7 | 48.5/ 70.4 | 448.0/ 75.0 | 43.4/ 2.7 | 79.4/ 80.0 | 90.0/100.0 | 0.0/ "
    "0.0 | 0.0/ 0.0 | 0.0/ 0.0 |\n" INFO "  Algorithm   |   CollNetChain  |      NVLS      |    NVLSTree    |\n" INFO
    "  Protocol    |  LL | LL128 | Simple | LL | LL128 | Simple | LL | LL128 | Simple |\n" INFO
    "    AllReduce | 0.0/ 0.0 | 0.0/ 0.0 | 0.0/ 0.0 | 0.0/ 0.0 | 0.0/ 0.0 | 0.0/ 0.0 | 0.0/ 0.0 | 0.0/ "
    "0.0 | 200.0/ 120.0 |\n" INFO "65536 Bytes -> Algo 0 proto 0 time 37.798233\n" INFO
    "65536 Bytes -> Algo 0 proto 0 time 37.798233\n" INFO "131072 Bytes -> Algo 0 proto 1 time 51.603912\n" INFO
    "262144 Bytes -> Algo 0 proto 1 time 54.707825\n" INFO
    "AllGather: 1024 Bytes -> Algo RING proto SIMPLE channel{Lo..Hi}={0..15}\n" INFO
    "Send: 1024 Bytes -> Algo RING proto SIMPLE channel{Lo..Hi}={0..15}\n";

static void test_names(void)
{
    g_assert_cmpint(nccl_algorithm("COLLNET_DIRECT"), ==, NCCL_COLLNET_DIRECT);
    g_assert_cmpint(nccl_algorithm("CollNetDirect"), ==, NCCL_COLLNET_DIRECT);
    g_assert_cmpint(nccl_algorithm("nvlstree"), ==, NCCL_NVLS_TREE);
    g_assert_cmpint(nccl_algorithm("trees"), ==, -1);
    g_assert_cmpint(nccl_function("ReduceScatter"), ==, NCCL_REDUCESCATTER);
    for (NcclPair pair = 0; pair < NCCL_N_PAIRS; pair++)
        g_assert_cmpint(nccl_pair(nccl_pair_name(pair)), ==, pair);
    g_assert_cmpint(nccl_pair("ring"), ==, -1);
    g_assert_cmpint(nccl_pair("/ll"), ==, -1);
    for (int i = 0; i < NCCL_N_FUNCTIONS; i++)
        g_assert_cmpint(nccl_function_of(nccl_collective(i)), ==, i);
    g_assert_cmpint(nccl_function_of(COLL_ALLTOALL), ==, -1);
}

static void test_log(void)
{
    g_autoptr(NcclLog) log = nccl_log_read(LOG, NCCL_ALLREDUCE);
    g_assert_cmpuint(log->tables->len, ==, 1);
    const NcclTable *t = nccl_log_table(log, -1);
    g_assert_cmpint(t->version, ==, 22005);
    g_assert_cmpint(t->ranks, ==, 24);
    g_assert_cmpint(t->nodes, ==, 3);
    g_assert_cmpint(t->channels, ==, 16);
    g_assert_null(nccl_lacks(t));
    g_assert_cmpfloat(t->latency_us[NCCL_ALLREDUCE][NCCL_PAIR(NCCL_TREE, NCCL_LL128)], ==, 48.5);
    g_assert_cmpfloat(t->bandwidth_gb_per_s[NCCL_ALLREDUCE][NCCL_PAIR(NCCL_NVLS_TREE, NCCL_SIMPLE)], ==, 120);
    g_assert_cmpfloat(t->bandwidth_gb_per_s[NCCL_ALLGATHER][NCCL_PAIR(NCCL_RING, NCCL_SIMPLE)], ==, 21.3);
    g_assert_cmpuint(log->choices->len, ==, 4); // one is there twice, and a send is none
    const NcclChoice *gather = &g_array_index(log->choices, NcclChoice, 3);
    g_assert_cmpint(gather->function, ==, NCCL_ALLGATHER);
    g_assert_cmpuint(gather->bytes, ==, 24 * 1024); // the line counts what one rank gives
    g_assert_cmpint(gather->channels, ==, 16);
    for (guint i = 0; i < 3; i++) { // the times of the choices are what NCCL computed, but for rounding in the table
        const NcclChoice *c = &g_array_index(log->choices, NcclChoice, i);
        NcclPair next;
        g_assert_cmpint(nccl_choose(t, NCCL_ALLREDUCE, c->bytes, &next), ==, c->pair);
        g_assert_cmpfloat(fabs(nccl_estimate(t, NCCL_ALLREDUCE, c->pair, c->bytes) - c->time_us), <, 0.06);
    }
    g_assert_null(nccl_log_read("NCCL version 2.20\nno line of it", -1));
}

// Returns a table of one pair of an allreduce, 10 us and 1 GB/s.
static NcclTable table_of(NcclPair pair, int version, int ranks, int nodes, int channels, int capability)
{
    NcclTable t = {.version = version, .ranks = ranks, .nodes = nodes, .channels = channels, .capability = capability};
    t.latency_us[NCCL_ALLREDUCE][pair] = 10;
    t.bandwidth_gb_per_s[NCCL_ALLREDUCE][pair] = 1;
    return t;
}

// A tree reaches a part of its bandwidth by size, and a ring with the protocol simple has a longer latency between nodes from some
// size on: 64 bytes for each rank and channel, and 4 KiB a rank before 2.20.
static void test_corrections(void)
{
    const NcclPair tree = NCCL_PAIR(NCCL_TREE, NCCL_LL), ring = NCCL_PAIR(NCCL_RING, NCCL_SIMPLE);
    static const struct {
        NcclPair pair;
        int version, ranks, nodes, channels, capability;
        size_t bytes;
        double us;
    } cases[] = {
        {0, 22005, 8, 1, 1, 90, 32, 10.032},                    // below 64 bytes there is no correction
        {0, 22005, 8, 1, 1, 90, 64 << 12, 665.36},              // 0.4
        {0, 20703, 8, 1, 1, 70, 64 << 12, 665.36},              // the same up to 2.7
        {0, 22005, 8, 1, 1, 90, (size_t)64 << 24, 1073751.824}, // beyond the list
        {5, 22005, 16, 2, 4, 90, 4095, 14.095},                 // 63 bytes each
        {5, 22005, 16, 2, 4, 90, 4096, 18.096},                 // 1.4 times
        {5, 22005, 16, 2, 4, 70, 4096, 23.096},                 // 1.9 times
        {5, 22005, 16, 1, 4, 90, 4096, 14.096},                 // one node
        {5, 21701, 16, 2, 4, 90, 65535, 75.535},                // below 4 KiB a rank
        {5, 21701, 16, 2, 4, 90, 65536, 80.536},                // 1.5 times
        {5, 21005, 16, 2, 4, 90, 65536, 84.536},                // 1.9 times
    };
    g_assert_cmpint(tree, ==, 0);
    g_assert_cmpint(ring, ==, 5);
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        const NcclTable t = table_of(cases[i].pair, cases[i].version, cases[i].ranks, cases[i].nodes, cases[i].channels,
                                     cases[i].capability);
        const double us = nccl_estimate(&t, NCCL_ALLREDUCE, cases[i].pair, cases[i].bytes);
        g_test_message("case %zu: %.4f", i, us);
        g_assert_cmpfloat(fabs(us - cases[i].us), <, 1e-6 * cases[i].us);
        NcclPair next;
        g_assert_cmpint(nccl_choose(&t, NCCL_ALLREDUCE, cases[i].bytes, &next), ==, cases[i].pair);
        g_assert_cmpint(next, ==, -1);
    }
}

static void test_environment(void)
{
    static const struct {
        const char *lines;
        NcclPair forced;
    } cases[] = {
        {INFO "NCCL_ALGO set by environment to Tree\n" INFO "NCCL_PROTO set by environment to LL128\n", 1},
        {INFO "NCCL_ALGO set by environment to Tree\n", -1},
        {INFO "NCCL_ALGO set by environment to Tree,Ring\n" INFO "NCCL_PROTO set by environment to LL\n", -1},
        {INFO "NCCL_ALGO set by environment to ^Tree\n" INFO "NCCL_PROTO set by environment to LL\n", -1},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(NcclLog) log = nccl_log_read(cases[i].lines, -1);
        g_assert_cmpint(log->forced, ==, cases[i].forced);
    }
}

// The layout of up to 2.18, and a test that says its collective.
static void test_old(void)
{
    g_autoptr(NcclLog) log = nccl_log_read(
        "# Collective test starting: all_reduce_perf\n" INFO "Latency/AlgBw |    Tree/    LL |    Ring/Simple |\n" INFO
        " Max NThreads | 512 | 256 |\n" INFO "    AllReduce |     6.3/   1.0 |    18.0/   9.0 |\n" INFO
        "comm 0x1 rank 0 nranks 8 cudaDev 0 - Init COMPLETE\n" INFO "16 coll channels, 16 p2p channels\n" INFO
        "1024 Bytes -> Algo 1 proto 2 time 18.1\n",
        -1);
    const NcclTable *t = nccl_log_table(log, -1);
    g_assert_true(t->old_layout);
    g_assert_cmpint(t->ranks, ==, 8);
    g_assert_cmpint(t->channels, ==, 16);
    g_assert_nonnull(nccl_lacks(t)); // nobody says how many nodes
    const NcclChoice *c = &g_array_index(log->choices, NcclChoice, 0);
    g_assert_cmpint(c->function, ==, NCCL_ALLREDUCE);
    g_assert_cmpstr(nccl_pair_name(c->pair), ==, "ring/simple");
    NcclPair next;
    g_assert_cmpstr(nccl_pair_name(nccl_choose(t, NCCL_ALLREDUCE, 64, &next)), ==, "tree/ll");
    g_assert_cmpstr(nccl_pair_name(next), ==, "ring/simple");
    g_assert_cmpint(nccl_choose(t, NCCL_BROADCAST, 64, &next), ==, -1);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/nccl/names", test_names);
    g_test_add_func("/nccl/log", test_log);
    g_test_add_func("/nccl/corrections", test_corrections);
    g_test_add_func("/nccl/environment", test_environment);
    g_test_add_func("/nccl/old", test_old);
    return g_test_run();
}

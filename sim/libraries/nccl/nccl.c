#include "libraries/nccl/nccl.h"
#include <math.h>
#include <string.h>

static const char *const algorithms[NCCL_N_ALGORITHMS] = {
    "tree", "ring", "collnet_direct", "collnet_chain", "nvls", "nvls_tree", "pat"};
static const char *const protocols[NCCL_N_PROTOCOLS] = {"ll", "ll128", "simple"};
static const struct {
    const char *name;
    Collective collective;
} functions[NCCL_N_FUNCTIONS] = {
    [NCCL_BROADCAST] = {"broadcast", COLL_BCAST},     [NCCL_REDUCE] = {"reduce", COLL_REDUCE},
    [NCCL_ALLGATHER] = {"allgather", COLL_ALLGATHER}, [NCCL_REDUCESCATTER] = {"reducescatter", COLL_REDUCE_SCATTER},
    [NCCL_ALLREDUCE] = {"allreduce", COLL_ALLREDUCE},
};

// ---- Names ----------------------------------------------------------------------------------------------------------

// Returns TRUE if two names are the same without regard to case and '_'.
static gboolean alike(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, "_");
        b += strspn(b, "_");
        if (g_ascii_tolower(*a) != g_ascii_tolower(*b))
            return FALSE;
        if (!*a)
            return TRUE;
    }
}

static int find(const char *const *names, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (alike(names[i], name))
            return i;
    return -1;
}

int nccl_algorithm(const char *name)
{
    return alike(name, "collnet") ? NCCL_COLLNET_DIRECT : find(algorithms, NCCL_N_ALGORITHMS, name);
}

int nccl_protocol(const char *name)
{
    return find(protocols, NCCL_N_PROTOCOLS, name);
}

int nccl_function(const char *name)
{
    for (int i = 0; i < NCCL_N_FUNCTIONS; i++)
        if (alike(functions[i].name, name))
            return i;
    return -1;
}

const char *nccl_algorithm_name(int algorithm)
{
    return algorithms[algorithm];
}

const char *nccl_protocol_name(int protocol)
{
    return protocols[protocol];
}

const char *nccl_function_name(int function)
{
    return functions[function].name;
}

const char *nccl_pair_name(NcclPair pair)
{
    static const char *const names[NCCL_N_PAIRS] = {"tree/ll",
                                                    "tree/ll128",
                                                    "tree/simple",
                                                    "ring/ll",
                                                    "ring/ll128",
                                                    "ring/simple",
                                                    "collnet_direct/ll",
                                                    "collnet_direct/ll128",
                                                    "collnet_direct/simple",
                                                    "collnet_chain/ll",
                                                    "collnet_chain/ll128",
                                                    "collnet_chain/simple",
                                                    "nvls/ll",
                                                    "nvls/ll128",
                                                    "nvls/simple",
                                                    "nvls_tree/ll",
                                                    "nvls_tree/ll128",
                                                    "nvls_tree/simple",
                                                    "pat/ll",
                                                    "pat/ll128",
                                                    "pat/simple"};
    return pair < 0 ? "" : names[pair];
}

NcclPair nccl_pair(const char *name)
{
    const char *const slash = strchr(name, '/');
    g_autofree char *first = slash ? g_strndup(name, (gsize)(slash - name)) : NULL;
    const int a = first ? nccl_algorithm(first) : -1, p = slash ? nccl_protocol(slash + 1) : -1;
    return a < 0 || p < 0 ? -1 : NCCL_PAIR(a, p);
}

Collective nccl_collective(int function)
{
    return functions[function].collective;
}

int nccl_function_of(Collective collective)
{
    for (int i = 0; i < NCCL_N_FUNCTIONS; i++)
        if (functions[i].collective == collective ||
            (functions[i].collective == COLL_REDUCE_SCATTER && collective == COLL_REDUCE_SCATTER_BLOCK))
            return i;
    return -1;
}

// ---- The choice -----------------------------------------------------------------------------------------------------

enum { FACTORS = 23, FACTORS_2_7 = 22, UNIT = 64 };

// What a tree reaches of its bandwidth, by protocol, from 64 bytes on for each power of two.
static const float tree_factors[NCCL_N_PROTOCOLS][FACTORS] = {
    {1, 1, 1, 1, .9f, .8f, .7f, .7f, .7f, .7f, .6f, .5f, .4f, .4f, .5f, .6f, .7f, .8f, .9f, 1, 1, 1, 1},
    {1, 1, 1, 1, 1, .9f, .8f, .8f, .8f, .7f, .6f, .6f, .6f, .6f, .6f, .6f, .8f, .9f, .9f, .9f, .9f, 1, 1},
    {.9f, .9f, .9f, .9f, .9f, .9f, .9f, .8f, .7f, .6f, .6f, .5f,
     .5f, .5f, .5f, .6f, .7f, .8f, .7f, .7f, .8f, .9f, .9f}};
// .. up to 2.7.
static const float tree_factors_2_7[NCCL_N_PROTOCOLS][FACTORS_2_7] = {
    {1, 1, 1, 1, .9f, .8f, .7f, .7f, .7f, .7f, .6f, .5f, .4f, .4f, .5f, .6f, .7f, .8f, .9f, 1, 1, 1},
    {1, 1, 1, 1, 1, .9f, .8f, .8f, .8f, .7f, .6f, .6f, .6f, .5f, .6f, .6f, .7f, .7f, .8f, .9f, .9f, 1},
    {.9f, .9f, .9f, .9f, .9f, .9f, .9f, .8f, .7f, .6f, .6f, .5f, .5f, .5f, .5f, .5f, .5f, .6f, .6f, .7f, .8f, .9f}};

static gboolean before(const NcclTable *t, int version)
{
    return (t->version && t->version < version) || (!t->version && t->old_layout && version > 21700);
}

static double tree_factor(const NcclTable *t, int function, int protocol, size_t bytes)
{
    const gboolean old = t->version && t->version < 20800;
    int log = -1;
    for (size_t n = bytes / UNIT; n > 0; n /= 2)
        log++;
    if (log < 0 || function != NCCL_ALLREDUCE)
        return 1;
    if (old)
        return log < FACTORS_2_7 ? (double)tree_factors_2_7[protocol][log] : 1;
    return log < FACTORS ? (double)tree_factors[protocol][log] : 1;
}

// Returns by what the latency of a ring with the protocol simple is multiplied between nodes, where it has a plateau.
static double plateau(const NcclTable *t, size_t bytes)
{
    enum { UNKNOWN = 80 };
    const int capability = t->capability ? t->capability : UNKNOWN;
    if (t->nodes < 2 || !t->ranks)
        return 1;
    if (before(t, 22000)) {
        const double least = t->ranks / 16.0 * 65536;
        return (double)bytes < least ? 1 : before(t, 21700) || capability < 90 ? 1.9 : 1.5;
    }
    const size_t parts = (size_t)MAX(t->channels, 1) * (size_t)t->ranks;
    return bytes / parts < UNIT ? 1 : capability < 80 ? 1.9 : 1.4;
}

double nccl_estimate(const NcclTable *t, int function, NcclPair pair, size_t bytes)
{
    const int algorithm = pair / NCCL_N_PROTOCOLS, protocol = pair % NCCL_N_PROTOCOLS;
    double bandwidth = t->bandwidth_gb_per_s[function][pair], latency = t->latency_us[function][pair];
    if (!(bandwidth > 0))
        return NAN;
    if (algorithm == NCCL_TREE)
        bandwidth *= tree_factor(t, function, protocol, bytes);
    if (algorithm == NCCL_RING && protocol == NCCL_SIMPLE && function == NCCL_ALLREDUCE)
        latency *= plateau(t, bytes);
    return latency + (double)bytes / (1000 * bandwidth);
}

NcclPair nccl_choose(const NcclTable *t, int function, size_t bytes, NcclPair *next)
{
    NcclPair best = -1;
    *next = -1;
    for (NcclPair pair = 0; pair < NCCL_N_PAIRS; pair++) {
        const double time = nccl_estimate(t, function, pair, bytes);
        if (isnan(time))
            continue;
        if (best < 0 || time < nccl_estimate(t, function, best, bytes)) { // the first of equal ones, as NCCL does
            *next = best;
            best = pair;
        } else if (*next < 0 || time < nccl_estimate(t, function, *next, bytes)) {
            *next = pair;
        }
    }
    return best;
}

const char *nccl_lacks(const NcclTable *t)
{
    if (!t->nodes)
        return "on how many nodes the ranks are (a line `comm .. nRanks .. nNodes`, which NCCL_DEBUG_SUBSYS=INIT "
               "prints), "
               "so that they count as one";
    if (t->nodes > 1 && !t->channels && !before(t, 22000))
        return "how many channels there are (NCCL_DEBUG_SUBSYS=GRAPH), so that they count as one";
    return NULL;
}

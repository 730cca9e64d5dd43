#include "advice/targets/cover.h"
#include "advice/targets/tune_target.h"
#include "base/distinct.h"
#include "base/error.h"
#include "base/units.h"
#include "libraries/nccl/nccl.h"
#include "measurements/logs/logs.h"
#include <math.h>

enum { N_CHOICES = NCCL_N_PAIRS + 1 }; // NCCL's own choice, and the pairs

// The measurements of one collective on the same ranks and nodes.
typedef struct NcclGroup {
    int function, p, nodes; // nodes: 0 if nothing says it
    GArray *sizes;          // size_t
    GPtrArray *samples;     // of const LogSample *
} NcclGroup;

static void group_free(gpointer data)
{
    NcclGroup *group = data;
    g_array_unref(group->sizes);
    g_ptr_array_unref(group->samples);
    g_free(group);
}

// Returns the nodes of a sample; 0 if neither NCCL nor a label says it.
static int sample_nodes(const LogSample *s)
{
    const NcclLog *said = s->log->nccl;
    if (said && said->last.nodes && said->last.ranks == s->p)
        return said->last.nodes;
    return s->per_node > 0 && s->p % s->per_node == 0 ? s->p / s->per_node : 0;
}

// Returns the size as NCCL counts it.
static size_t bytes_of(const LogSample *s)
{
    return units_multiply_sizes(s->bytes, s->collective == COLL_ALLGATHER ? (size_t)s->p : 1);
}

// Returns why a sample is passed over; NULL if it is not.
static const char *why_not(const LogSample *s, gconstpointer unused)
{
    (void)unused;
    return s->kind != LOG_COLLECTIVE || nccl_function_of(s->collective) < 0
               ? "are not of a collective that NCCL chooses for"
           : s->predicted     ? "are predictions"
           : s->p < 2         ? "do not say on how many ranks"
           : !(s->time_s > 0) ? "took no time"
           : s->bytes == 0    ? "are of no bytes"
           : s->algorithm && !log_of_library(s) && nccl_pair(s->algorithm) < 0
               ? "name an algorithm that is not one of NCCL's with a protocol, as tree/ll128"
               : NULL;
}

static void add_sample(GPtrArray *groups, const LogSample *s)
{
    const int function = nccl_function_of(s->collective), nodes = sample_nodes(s);
    const size_t bytes = bytes_of(s);
    NcclGroup *group = NULL;
    for (guint i = 0; i < groups->len && !group; i++) {
        NcclGroup *at = groups->pdata[i];
        if (at->function == function && at->p == s->p && at->nodes == nodes)
            group = at;
    }
    if (!group) {
        group = g_new0(NcclGroup, 1);
        *group = (NcclGroup){function, s->p, nodes, g_array_new(FALSE, FALSE, sizeof(size_t)), g_ptr_array_new()};
        g_ptr_array_add(groups, group);
    }
    g_array_append_val(group->sizes, bytes);
    g_ptr_array_add(group->samples, (gpointer)(uintptr_t)s);
}

static int by_group(gconstpointer a, gconstpointer b)
{
    const NcclGroup *x = *(const NcclGroup *const *)a, *y = *(const NcclGroup *const *)b;
    return x->function != y->function ? x->function - y->function : x->p != y->p ? x->p - y->p : x->nodes - y->nodes;
}

static void make_rule(TargetRule *rule, guint choice, gconstpointer user)
{
    rule->id = (int)choice - 1;
    rule->runs = nccl_pair_name(rule->id);
    rule->nodes = *(const int *)user;
}

// Fills in the least time of each choice at each size. Returns the number of pairs that were measured.
static guint fill_times(const NcclGroup *group, const TuneTargetTimes *t)
{
    gboolean measured[N_CHOICES] = {FALSE};
    guint pairs = 0;
    for (guint i = 0; i < t->n * t->n_choices; i++)
        t->time_s[i] = NAN;
    for (guint i = 0; i < group->samples->len; i++) {
        const LogSample *s = group->samples->pdata[i];
        const NcclPair pair = s->algorithm ? nccl_pair(s->algorithm) : -1;
        guint k = 0;
        while (t->sizes[k] != bytes_of(s))
            k++;
        double *time_s = &t->time_s[k * t->n_choices + (guint)(pair + 1)];
        *time_s = *time_s <= s->time_s ? *time_s : s->time_s; // NAN <= x is FALSE
        pairs += pair >= 0 && !measured[pair + 1];
        measured[pair + 1] = TRUE;
    }
    return pairs;
}

// Adds the rules of a group. Returns FALSE and an error if it has too many sizes.
static gboolean add_group(TuneTarget *x, NcclGroup *group, double within, guint *pairs, GError **error)
{
    distinct_sort(group->sizes, distinct_by_size);
    if (group->sizes->len > COVER_MOST)
        return bad_input(error, "%s on %d ranks has %u sizes; allowed: at most %d", nccl_function_name(group->function),
                         group->p, group->sizes->len, COVER_MOST);
    const TuneTargetTimes t = {group->sizes->len, N_CHOICES, (const size_t *)(void *)group->sizes->data,
                               g_new(double, (gsize)group->sizes->len *N_CHOICES)};
    const TuneTargetPart part = {.collective = nccl_collective(group->function),
                                 .p = group->p,
                                 .per_node = group->nodes ? group->p / group->nodes : 0};
    *pairs += fill_times(group, &t);
    tune_target_add(x, part, &t, within, within, TRUE, TRUE, make_rule, &group->nodes);
    g_free(t.time_s);
    if (!group->nodes)
        tune_target_lack(x, "%s on %d ranks: no log says on how many nodes, so the rows are for any number",
                         nccl_function_name(group->function), group->p);
    return TRUE;
}

TuneTarget *tune_nccl(const GPtrArray *logs, double within, gboolean in_place, GPtrArray *notes, GError **error)
{
    g_autoptr(TuneTarget) x = tune_target_new(TARGET_NCCL);
    g_autoptr(GPtrArray) groups = g_ptr_array_new_with_free_func(group_free);
    guint pairs = 0;
    for (guint i = 0; i < logs->len; i++) {
        g_autoptr(GPtrArray) samples = log_choose(logs->pdata[i], why_not, NULL, notes);
        for (guint k = 0; k < samples->len; k++)
            if (((const LogSample *)samples->pdata[k])->in_place == in_place)
                add_sample(groups, samples->pdata[k]);
    }
    g_ptr_array_sort(groups, by_group);
    for (guint i = 0; i < groups->len; i++)
        if (!add_group(x, groups->pdata[i], within, &pairs, error))
            return NULL;
    if (pairs == 0) {
        bad_input(error,
                  "no log names an algorithm and a protocol; allowed: logs of runs with NCCL_ALGO=Tree NCCL_PROTO=LL "
                  "NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,ENV, or labels, as allreduce:tree/ll=FILE");
        return NULL;
    }
    return g_steal_pointer(&x);
}

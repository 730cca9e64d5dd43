#include "model/shares.h"
#include <string.h>

const char *const resource_names[N_RESOURCES] = {
    [RESOURCE_LATENCY] = "latency",
    [RESOURCE_BANDWIDTH] = "bandwidth",
    [RESOURCE_REDUCTION] = "reduction",
    [RESOURCE_MEMORY] = "memory",
    [RESOURCE_NIC] = "NIC",
    [RESOURCE_CPU] = "CPU",
    [RESOURCE_WAITING] = "waiting",
};

// Returns what a term stands for, by its name before any level or length.
static ShareResource resource_of(const char *term)
{
    static const struct {
        const char *name;
        ShareResource resource;
    } known[] = {
        {"alpha", RESOURCE_LATENCY},   {"L", RESOURCE_LATENCY},
        {"beta", RESOURCE_BANDWIDTH},  {"G", RESOURCE_BANDWIDTH},
        {"one", RESOURCE_BANDWIDTH},   {"step", RESOURCE_BANDWIDTH},
        {"gap", RESOURCE_BANDWIDTH},   {"share", RESOURCE_BANDWIDTH},
        {"gamma", RESOURCE_REDUCTION}, {"nic", RESOURCE_NIC},
        {"g", RESOURCE_NIC},           {"o", RESOURCE_CPU},
        {"O", RESOURCE_CPU},           {"calc", RESOURCE_CPU},
        {"memory", RESOURCE_MEMORY},   {"memory_step", RESOURCE_MEMORY},
        {"write", RESOURCE_MEMORY},    {"read", RESOURCE_MEMORY},
        {"copy", RESOURCE_MEMORY},     {"fresh", RESOURCE_MEMORY},
        {"flag", RESOURCE_WAITING},
    };
    const size_t length = strcspn(term, ".(/");
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
        if (strlen(known[i].name) == length && strncmp(known[i].name, term, length) == 0)
            return known[i].resource;
    g_error("the term %s has no resource", term);
}

static void add(GArray *shares, const char *term, int64_t n, double value_s, double time_s, double latency)
{
    const Share x = {.term = term,
                     .n = n,
                     .value_s = value_s,
                     .time_s = time_s,
                     .resource = resource_of(term),
                     .latency_s = (double)n * latency};
    if (n)
        g_array_append_val(shares, x);
}

// Returns what a term of the model costs on a platform without levels.
static double value_of(const char *term, const Platform *platform)
{
    if (strcmp(term, shared_terms[SHARED_CROWD]) == 0)
        return platform->value[KEY_READ] / platform->value[KEY_LANES];
    for (int k = 0; k < N_PLATFORM_KEYS; k++)
        if (strcmp(platform_keys[k].name, term) == 0)
            return platform->value[k];
    g_error("the term %s has no figure", term);
}

GArray *shares_of(const Model *model, const Platform *platform, const Prediction *p)
{
    GArray *shares = g_array_new(FALSE, FALSE, sizeof(Share));
    for (guint i = 0; p->terms && i < p->terms->len; i++) {
        const PredictionTerm *x = &g_array_index(p->terms, PredictionTerm, i);
        add(shares, x->name, x->n, x->value, (double)x->n * x->value, x->latency);
    }
    for (int i = 0; !p->terms && i < model->n_terms; i++) {
        const char *term = model->terms[i];
        const double n = (double)p->count[i], value_s = value_of(term, platform);
        const bool crowd = strcmp(term, shared_terms[SHARED_CROWD]) == 0;
        // In the order in which the model multiplies and divides, so that rounding is the same.
        add(shares, term, p->count[i], value_s,
            crowd ? n * platform->value[KEY_READ] / platform->value[KEY_LANES] : n * value_s, 0);
    }
    return shares;
}

double shares_sum(const GArray *shares)
{
    double sum = 0;
    for (guint i = 0; i < shares->len; i++)
        sum += g_array_index(shares, Share, i).time_s;
    return sum;
}

ShareResource shares_by_resource(const GArray *shares, double sum[N_RESOURCES])
{
    ShareResource most = RESOURCE_LATENCY;
    memset(sum, 0, N_RESOURCES * sizeof *sum);
    for (guint i = 0; i < shares->len; i++) {
        const Share *x = &g_array_index(shares, Share, i);
        sum[x->resource] += x->time_s - x->latency_s;
        sum[RESOURCE_LATENCY] += x->latency_s;
    }
    for (int i = 1; i < N_RESOURCES; i++)
        if (sum[i] > sum[most] * (1 + 1e-12)) // not by rounding
            most = (ShareResource)i;
    return most;
}

#include "engine/model/shares.h"
#include <string.h>

GArray *shares_of(const Prediction *p)
{
    GArray *shares = g_array_new(FALSE, FALSE, sizeof(Share));
    for (guint i = 0; i < p->terms->len; i++) {
        const PredictionTerm *x = &g_array_index(p->terms, PredictionTerm, i);
        const Share share = {.term = &x->term,
                             .n = x->n,
                             .time_s = term_worth(&x->term, x->n),
                             .resource = term_kinds[x->term.kind].resource,
                             .latency_s = (double)x->n * x->term.latency};
        if (x->n)
            g_array_append_val(shares, share);
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

TermResource shares_by_resource(const GArray *shares, double sum[N_RESOURCES])
{
    TermResource most = RESOURCE_LATENCY;
    memset(sum, 0, N_RESOURCES * sizeof *sum);
    for (guint i = 0; i < shares->len; i++) {
        const Share *x = &g_array_index(shares, Share, i);
        sum[x->resource] += x->time_s - x->latency_s;
        sum[RESOURCE_LATENCY] += x->latency_s;
    }
    for (int i = 1; i < N_RESOURCES; i++)
        if (sum[i] > sum[most] * (1 + 1e-12)) // not by rounding
            most = (TermResource)i;
    return most;
}

#include "search/form/logp_bound.h"
#include "search/form/text_run.h"
#include "search/form/text_samples.h"

// How long one way of a rank's network interface is busy. The rank may end before the gap behind its last message does.
typedef struct Gaps {
    double all_s, longest_s;
} Gaps;

// A rank, and what its text has cost it.
typedef struct Busy {
    TextRun text;
    double o, g, O, gamma, enough_s;
    const double *G; // of each level
    const Mapping *map;
    int rank;
    double least_flight_s; // of any message
    double cpu_s, takes_s; // what the processor does, and how much of this is to take messages
    bool receives;
    Gaps out, in;
} Busy;

static double further(size_t len)
{
    return len > 1 ? (double)(len - 1) : 0;
}

static double byte_s(const Busy *x, int peer)
{
    return x->G[x->map ? mapping_level(x->map, x->rank, peer) : 0];
}

static void add_gap(const Busy *x, Gaps *gaps, int peer, size_t len)
{
    const double gap_s = x->g + further(len) * byte_s(x, peer);
    gaps->all_s += gap_s;
    gaps->longest_s = MAX(gaps->longest_s, gap_s);
}

static double bound_of(const Busy *x)
{
    const double out_s = x->out.all_s - x->out.longest_s, in_s = x->in.all_s - x->in.longest_s,
                 taken_s = x->receives ? x->least_flight_s + MAX(x->takes_s, in_s) : 0;
    return MAX(MAX(x->cpu_s, out_s), taken_s);
}

static void go_on(CollRun *run, const CollIssue *op)
{
    Busy *x = (Busy *)run;
    const CollOpKind k = op->kind;
    if (k == COLL_SEND || k == COLL_SENDRECV || k == COLL_ISEND) {
        x->cpu_s += x->o + further(op->out->len) * x->O;
        add_gap(x, &x->out, op->to, op->out->len);
    }
    if (k == COLL_RECV || k == COLL_SENDRECV || k == COLL_IRECV) {
        const double take_s = x->o + further(op->in->len) * MAX(x->O, byte_s(x, op->from));
        x->cpu_s += take_s;
        x->takes_s += take_s;
        x->receives = true;
        add_gap(x, &x->in, op->from, op->in->len);
    }
    if (k == COLL_REDUCE_OP)
        x->cpu_s += (double)op->in->len * x->gamma;
    if (bound_of(x) >= x->enough_s)
        text_leave(&x->text);
}

double logp_bound(const Operation *op, const Model *model, const Platform *platform, const Mapping *map,
                  double enough_s)
{
    const int n = map ? platform->levels.n : 1;
    const bool bytes = model != &logp_model, all = model == &loggops_model;
    const double *v = platform->value;
    g_autofree double *G = g_new0(double, n);
    double least_L = v[KEY_L], latest_s = 0;
    for (int k = 0; k < n; k++) {
        G[k] = !bytes ? 0 : n > 1 ? platform_at(platform, KEY_G_BYTE, k) : v[KEY_G_BYTE];
        least_L = n > 1 ? MIN(least_L, platform_at(platform, KEY_L, k)) : least_L;
    }
    Busy x = {.o = v[KEY_O_CPU],
              .g = v[KEY_G_GAP],
              .O = all ? v[KEY_O_BYTE] : 0,
              .gamma = v[KEY_GAMMA],
              .enough_s = enough_s,
              .G = G,
              .map = n > 1 ? map : NULL,
              .rank = -1,
              .least_flight_s = v[KEY_O_CPU] + least_L};
    text_run_init(&x.text, go_on);
    for (int i = 0; i < TEXT_SAMPLES && latest_s < enough_s; i++) {
        const int rank = text_sample_rank(op, i);
        if (rank == x.rank) // few ranks
            continue;
        x.rank = rank;
        x.cpu_s = x.takes_s = 0;
        x.receives = false;
        x.out = x.in = (Gaps){0};
        text_run(&x.text, op, rank);
        latest_s = MAX(latest_s, bound_of(&x));
    }
    coll_run_clear(&x.text.run);
    return latest_s;
}

#include "judge/audit/claim_grid.h"
#include "api/backend.h"
#include "api/make.h"
#include "search/form/closed_form.h"
#include "engine/schedule/parse.h"
#include "api/integers.h"
#include "registry/composition.h"
#include <math.h>
#include <string.h>

double claim_grid_max_messages(void)
{
    return 2.1e6;
}

int claim_grid_tail_ranks(int tail, int i, int refine)
{
    static const int others[] = {12, 100, 1000};
    const int power = (16 << (3 * i)) * refine;
    return tail == 0 ? power : tail == 1 ? power - 1 : tail == 2 ? power + 1 : others[i] * refine;
}

GArray *claim_grid_ranks(const Claim *c, int refine)
{
    static const int some[] = {64, 65, 100, 127, 128, 129, 1000, 1023, 1024, 1025};
    GArray *ranks = g_array_new(FALSE, FALSE, sizeof(int));
    for (int p = 2; p <= 33 * refine; p++)
        g_array_append_val(ranks, p);
    for (size_t i = 0; i < G_N_ELEMENTS(some); i++)
        if (some[i] > 33 * refine)
            g_array_append_val(ranks, some[i]);
    for (int tail = 0; refine > 1 && tail < TAILS; tail++)
        for (int i = 1; i < TAIL; i++) {
            const int p = claim_grid_tail_ranks(tail, i, refine);
            g_array_append_val(ranks, p);
        }
    const int far = 32768; // sources claim memory and speed-ups at this p
    if (c->quantity == QUANTITY_CONNECTIONS || c->quantity == QUANTITY_CONNECTION_MEMORY ||
        c->quantity == QUANTITY_SPEEDUP)
        g_array_append_val(ranks, far);
    return ranks;
}

// ---- Families of points ---------------------------------------------------------------------------------------------

static int root_of(int p)
{
    return (int)ceil(sqrt(p));
}

enum { MAX_VALUES = 5 };

enum { SEGMENTS = 5 };

static int segments_at(int i, int p)
{
    const int S[SEGMENTS] = {1, 2, 4, log2_ceil(p), p};
    return S[i];
}

// Returns the i-th value of k at p; 0 if there is no i-th value, -1 if it is out of range at this p.
static int k_at(const CollParam *param, int i, int p)
{
    const bool radix = strcmp(param->name, "radix") == 0;
    const int radices[] = {2, 3, 4, 8, root_of(p)}, chains[] = {1, 2, 4, root_of(p), p - 1};
    if (i >= MAX_VALUES)
        return 0;
    const int k = radix ? radices[i] : chains[i];
    return k < param->min || k > (radix ? p : p - 1) ? -1 : k;
}

static int64_t param_at(const CollParam *param, int i)
{
    return MAX(param->min, param->def * (i + 1) + (param->def == 0 ? i : 0));
}

// Returns the smallest m whose blocks, and the halves of these, are whole bytes. For a collective in which m
// is the block of one rank (gather ..) it is simply 4.
static int64_t unit_of(const CollAlgorithm *a, int p)
{
    return collectives[a->collective].vector ? (int64_t)closed_form_least(p, 1) : 4;
}

GArray *claim_grid_families(const Claim *c)
{
    GArray *families = g_array_new(FALSE, FALSE, sizeof(Family));
    bool params = false;
    for (int i = 0; i < COLL_MAX_PARAMS; i++)
        params |= c->varies_param[i];
    for (int S = 0; S < (c->varies_S ? SEGMENTS : 1); S++)
        for (int k = 0; k < (c->varies_k ? MAX_VALUES : 1); k++)
            for (int x = 0; x < (params ? 3 : 1); x++) {
                const Family f = {S, k, x, 1};
                g_array_append_val(families, f);
            }
    // Only the size of segments and blocks matters, and they grow with p. A claim about a few ranks needs more sizes.
    for (int size = 3; size <= 81; size *= 3) {
        const Family larger = {0, 0, 0, size};
        g_array_append_val(families, larger);
    }
    // An algorithm with a limit does something else from this size on, so that a form of smaller sizes is not the truth.
    const CollParam *limit = claim_limit_param(c->algorithm);
    if (limit) {
        const Family beyond = {0, 0, 0, (int)(limit->def / 4 + 1)}; // a unit has 4 bytes or more
        g_array_append_val(families, beyond);
    }
    return families;
}

bool claim_grid_place(const Claim *c, const Family *f, int p, Sample *s, CollParams *par)
{
    const CollAlgorithm *a = c->algorithm;
    const CollParam *segment = claim_segment_param(a), *k = claim_k_param(a);
    if (f->size > 3 && p > 8)
        return false;
    *par = c->par;
    s->p = p;
    s->S = segments_at(f->S, p);
    s->k = c->varies_k ? k_at(k, f->k, p) : k ? (double)param_get(k, par) : 1;
    if (s->k < 1)
        return false;
    const int64_t S = (int64_t)s->S, m = a->collective == COLL_BARRIER ? 0 : unit_of(a, p) * S * f->size;
    s->m = (double)m;
    if (c->varies_S)
        param_set(segment, par, S == 1 ? 0 : m / S);
    if (c->varies_k)
        param_set(k, par, (int64_t)s->k);
    for (int i = 0; i < algorithm_n_params(a); i++)
        if (c->varies_param[i])
            param_set(&a->params[i], par, param_at(&a->params[i], f->params));
    return true;
}

bool claim_grid_too_large(const Claim *c, const Sample *s, const CollParams *par)
{
    // An algorithm may pass each of p blocks through up to p ranks, p/2 on average, segment by segment.
    if (c->varies_S)
        return !collectives[c->collective].vector && s->S * s->p * s->p > 2 * claim_grid_max_messages();
    return par->segment > 0 && floor(s->m / (double)par->segment) * s->p > claim_grid_max_messages();
}

Operation claim_grid_operation(const CollAlgorithm *a, const CollParams *par, int p, double m, const char **why)
{
    Operation op = {.algorithm = a, .m = (size_t)m};
    op.c = coll_make(a->collective, &(Coll){.p = p, .elem = 1, .commutative = true, .par = *par}, 0, op.m, NULL);
    op.algorithm = coll_resolve(a, &op.c, why);
    return op;
}

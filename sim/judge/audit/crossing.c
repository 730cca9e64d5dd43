#include "judge/audit/crossing.h"
#include "search/form/crossover.h"
#include <math.h>

double crossing_linear(const Sample *a, const Sample *b, const Platform *x)
{
    const double *v = x->value, more = (b->part[0] - a->part[0]) * v[KEY_ALPHA],
                 less = ((a->part[1] - b->part[1]) * v[KEY_BETA] + (a->part[2] - b->part[2]) * v[KEY_GAMMA]) / a->m;
    return less > 0 ? MAX(0, more / less) : more < 0 ? 0 : INFINITY;
}

// The two algorithms that run_duel compares at one size.
typedef struct Rivals {
    const CollAlgorithm *algorithm[2];
    CollParams par[2];
    int p;
    const Platform *platform;
    const Model *model;
    Transfer transfer;
} Rivals;

static gboolean run_duel(Duel *duel, gpointer data, GError **error)
{
    const Rivals *x = data;
    duel->fair = TRUE;
    for (int i = 0; i < 2; i++) {
        const char *why;
        const Operation op = claim_grid_operation(x->algorithm[i], &x->par[i], x->p, (double)duel->m, &why);
        g_autoptr(Prediction) side =
            x->model->predict(x->model, &op, x->platform, &(PredictOptions){.transfer = x->transfer}, error);
        if (!side)
            return FALSE;
        duel->fair &= op.algorithm == x->algorithm[i];
        duel->time_s[i] = side->time_s;
        duel->sent[i] = side->totals.messages;
    }
    duel->winner = duel->time_s[0] == duel->time_s[1] ? -1 : duel->time_s[1] < duel->time_s[0];
    return TRUE;
}

gboolean crossing_searched(const Claim *c, const CollParams *par, int p, const Platform *platform, bool eager,
                           double *bytes, GError **error)
{
    // With some hundred fragments or segments, the time per byte no longer changes, so a larger size has the same winner.
    const size_t most = (size_t)1 << 24;
    Rivals x = {{c->algorithm, c->against},
                {*par, c->against_par},
                p,
                platform,
                c->algorithm->shared ? &shared_model : &hockney_model,
                eager ? TRANSFER_EAGER : TRANSFER_RENDEZVOUS};
    g_auto(CrossoverSearch) s = {.element = 1, .most = most, .blocks = (size_t)p, .run = run_duel, .data = &x};
    if (!crossover_search(&s, error))
        return FALSE;
    *bytes = s.final.winner != 1 ? INFINITY : 0;
    if (s.final.winner == 1 && s.found->len > 0)
        *bytes = (double)g_array_index(s.found, Crossover, s.found->len - 1).next.m;
    return TRUE;
}

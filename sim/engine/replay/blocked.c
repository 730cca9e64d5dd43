// Sets up ranks whose operations leave no request open, and makes the result of their clocks.
#include "engine/replay/blocked.h"
#include "base/budget.h"
#include <stdlib.h>
#include <string.h>

// Returns true if two classes differ at most in the numbers of their loops' rounds.
static bool same_list(const Class *a, const Class *b)
{
    if (a->n_ops != b->n_ops || a->loops != b->loops)
        return false;
    for (uint32_t i = 0; i < a->n_ops; i++) {
        const bool loops = a->ops[i].kind == OP_LOOP && b->ops[i].kind == OP_LOOP && a->ops[i].to == b->ops[i].to;
        if (!loops && memcmp(&a->ops[i], &b->ops[i], sizeof(Op)) != 0)
            return false;
    }
    return !a->loops || memcmp(a->strides, b->strides, a->n_ops * sizeof(Stride)) == 0;
}

static bool receives_once(const Class *k)
{
    int n = 0;
    for (const Op *op = k->ops; op->kind != OP_END; op++)
        n += op->kind == OP_RECV || op->kind == OP_SENDRECV;
    return n <= 1 && !k->loops;
}

// Makes the lists, and returns the number of each class's list; free it with g_free. It compares a class only with the
// one before it, because classes that are alike mostly follow each other. `notes` says that every rank's in-port is to
// note its last message.
static uint32_t *share_lists(BlockingRun *x, bool notes)
{
    const Schedule *s = x->s;
    uint32_t *list = g_new(uint32_t, s->n_classes), n = 0;
    x->lists = g_new(OpList, s->n_classes);
    for (uint32_t i = 0; i < s->n_classes; i++) {
        const Class *k = &s->classes[i];
        if (i == 0 || !same_list(k - 1, k))
            x->lists[n++] = (OpList){k->ops, k->strides, !notes && receives_once(k)};
        list[i] = n - 1;
    }
    return list;
}

static bool needs_aside(const Schedule *s)
{
    return s->kinds & (1u << OP_SENDRECV | 1u << OP_LOOP);
}

size_t blocked_rank_bytes(const Schedule *s, bool skewed)
{
    return sizeof(Blocked) + sizeof(int) + (needs_aside(s) ? sizeof(Aside) : 0) + (skewed ? 2 * sizeof(uint32_t) : 0);
}

void blocked_begin(BlockingRun *x, const GearInput *in, int n, bool notes)
{
    const Schedule *s = in->s;
    const size_t bytes = (size_t)n * sizeof(Blocked);
    *x = (BlockingRun){.s = s,
                       .model = in->model,
                       .n = n,
                       .ranks = aligned_alloc(64, bytes),
                       .aside = needs_aside(s) ? g_new(Aside, n) : NULL,
                       .further = cost_is_measured(&in->model) && prices_go_further(in->model.site->measured),
                       .origin = in->from ? g_new(uint32_t, 2 * (size_t)n) : NULL,
                       .runnable = g_new(int, n)};
    if (!x->ranks)
        budget_exhausted(bytes);
    g_autofree uint32_t *list = share_lists(x, notes);
    for (int v = 0; v < n; v++) {
        const Stamp from = in->from ? in->from[rank_of(s, v)] : (Stamp){0};
        x->ranks[v] = (Blocked){.to = -1, .from = -1, .list = list[s->class_of ? s->class_of[v] : 0]};
        if (x->aside)
            x->aside[v].t = -1;
        set_clock(x, v, from, in->from != NULL);
    }
}

Prices *blocked_prices(const BlockingRun *x, const MessageCost *c)
{
    return prices_at(x->model.site, c->level, c->bytes);
}

Replay *blocked_result(const BlockingRun *x, const GearInput *in)
{
    for (int v = 0; v < x->n; v++)
        if (x->ranks[v].to != -1 || x->ranks[v].from != -1)
            return NULL;
    Replay *r = replay_new(x->s->p, in->clocks);
    for (int rank = 0; rank < x->s->p; rank++)
        replay_end_rank(r, rank, clock_of(x, v_of_rank(x->s, rank) % x->n, x->origin != NULL));
    r->simulated = x->n;
    return r;
}

void blocked_end(BlockingRun *x)
{
    free(x->ranks);
    g_free(x->aside);
    g_free(x->lists);
    g_free(x->origin);
    g_free(x->runnable);
}

#include "engine/replay/late.h"

// The requests of a rank that are not waited for, in the order of issue.
typedef struct OpenReq {
    int32_t number; // of a rendezvous isend that may share; -1 for any other
    Prices *prices; // of that isend
} OpenReq;

// Returns true if all ranks of a class have the same lengths and levels.
static bool same_by_class(const Schedule *s, const Measured *figures)
{
    bool same = figures->n_levels == 1;
    for (uint32_t i = 0; i < s->n_classes; i++)
        same = same && !s->classes[i].cut;
    return same;
}

uint64_t late_bytes(const Schedule *s, const Site *site, int n, double messages)
{
    if (!prices_may_share(site, s))
        return 0;
    const uint64_t lists = same_by_class(s, site->measured) ? 0 : (uint64_t)(messages * (double)sizeof(LateBy));
    return (uint64_t)n * (sizeof(LateList) + sizeof(int32_t)) + lists;
}

Late *late_new(const Machine *m)
{
    const Measured *figures = m->model.site->measured;
    if (!prices_may_share(m->model.site, m->s))
        return NULL;
    Late *x = g_new0(Late, 1);
    x->m = m;
    x->by_class = same_by_class(m->s, figures);
    x->list = g_new0(LateList, x->by_class ? m->s->n_classes : (guint)m->n);
    x->issued = g_new0(int32_t, m->n);
    return x;
}

void late_free(Late *x)
{
    if (!x)
        return;
    const guint n = x->by_class ? x->m->s->n_classes : (guint)x->m->n;
    for (guint i = 0; i < n; i++)
        g_free(x->list[i].by);
    g_free(x->list);
    g_free(x->issued);
    g_free(x);
}

// Ends the newest n open requests, which one waitall completes: each isend among them is later by all that follow it.
static void complete_together(Site *site, GArray *open, guint n, GArray *by)
{
    LateBy sum = {0};
    for (; n > 0; n--) {
        const OpenReq last = g_array_index(open, OpenReq, open->len - 1);
        g_array_set_size(open, open->len - 1);
        if (last.number < 0)
            continue;
        g_array_index(by, LateBy, last.number) = sum;
        if (last.prices->of[PRICE_SHARE].value > 0) {
            sum.t += last.prices->of[PRICE_SHARE].value;
            prices_count(site, &sum.n, last.prices, PRICE_SHARE);
        }
    }
}

static void set_number(GArray *open, guint i, int32_t number)
{
    g_array_index(open, OpenReq, i).number = number;
}

// Goes through v's operations as v would, and returns by how much each of its isends is later. Free with g_free.
static LateBy *list_of(const Machine *m, int v)
{
    const Schedule *s = m->s;
    const Class *k = class_of(s, v);
    Site *site = m->model.site;
    static const Stride none;
    g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(OpenReq));
    GArray *by = g_array_new(FALSE, TRUE, sizeof(LateBy));
    for (Cursor at = {0}; k->ops[at.pc].kind != OP_END; at = next_step(k, at)) {
        const Op *op = &k->ops[at.pc];
        const Stride *d = at.round ? &k->strides[at.pc] : &none;
        if (op->kind == OP_ISEND) {
            const uint64_t bytes = length_of(s, v, op->out_cut, op->out, d->out, at.round);
            const int level = site_level(site, v, op_peer(s, v, op, op->to, d->to, at.round));
            const bool eager = prices_eager(site, level, bytes);
            const OpenReq x = {eager ? -1 : (int32_t)by->len, prices_at(site, level, bytes)};
            g_array_append_val(open, x);
            g_array_set_size(by, by->len + 1);
        } else if (op->kind == OP_IRECV) {
            const OpenReq x = {-1, NULL};
            g_array_append_val(open, x);
        } else if (op->kind == OP_WAIT) {
            g_array_remove_index(open, open->len - 1 - (guint)op->to);
        } else if (op->kind == OP_WAITALL) {
            complete_together(site, open, (guint)op->to, by);
        } else if (op->kind == OP_THROTTLE) {
            for (guint i = 0; i < open->len; i++)
                set_number(open, i, -1);
        }
    }
    return (LateBy *)(void *)g_array_free(by, FALSE);
}

Stamp late_end(Machine *m, Late *x, int v, int32_t number, Stamp end, uint32_t node)
{
    const Schedule *s = m->s;
    LateList *list = &x->list[x->by_class ? (s->class_of ? s->class_of[v] : 0) : (guint)v];
    if (!list->by)
        list->by = list_of(m, v);
    const LateBy by = list->by[number];
    if (by.t == 0)
        return end;
    const uint32_t share = machine_trace_again(m, node);
    trace_price(m, share, PRICE_SHARE, by.t);
    end = traced(m, end, share);
    end.t += by.t;
    end.n = tally_sum(end.n, by.n);
    return end;
}

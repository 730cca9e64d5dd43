#include "engine/replay/ledger_part.h"
#include "engine/replay/ledger.h"
#include "engine/replay/machine.h"
#include <math.h>

// The most operations that are left out before the run is given up, which takes some seconds; what is there is shown.
// How many operations of wanted ranks are enough: each is two to four events. How many times the horizon moves, at
// most; and how many operations a text may have for its peers to be looked at.
enum { MOST_SKIPPED = 400000000, MOST_COUNTED = 3 * LEDGER_OPERATIONS / 8, STEPS = 4096, LONG_TEXT = 64 };

// Returns the v of the rank at the other end of an operation; -1 for none.
static int other_end(const Machine *m, int v, uint32_t pc, uint32_t round, bool receives)
{
    const Class *k = class_of(m->s, v);
    const Op *op = &k->ops[pc];
    static const Stride none;
    const Stride *d = round ? &k->strides[pc] : &none;
    if (op_works(op->kind) || op_shares(op->kind))
        return -1;
    return (receives ? op_peer(m->s, v, op, op->from, d->from, round) : op_peer(m->s, v, op, op->to, d->to, round)) %
           m->n;
}

// Returns whether v may exchange messages with wanted ranks. A long text, or one whose peers change from round to
// round, may.
static bool may_be_near(const Machine *m, const LedgerFilter *f, int v)
{
    const Class *k = class_of(m->s, v);
    if (k->n_ops > LONG_TEXT || m->s->graph)
        return true;
    for (uint32_t pc = 0; pc < k->n_ops; pc++) {
        const int kind = k->ops[pc].kind;
        const bool sends = kind == OP_SEND || kind == OP_ISEND || kind == OP_SENDRECV,
                   receives = kind == OP_RECV || kind == OP_IRECV || kind == OP_SENDRECV;
        if (k->strides && (k->strides[pc].to || k->strides[pc].from))
            return true;
        if ((sends && f->wanted[other_end(m, v, pc, 0, false)]) ||
            (receives && f->wanted[other_end(m, v, pc, 0, true)]))
            return true;
    }
    return false;
}

static void ask(LedgerFilter *f, int v)
{
    if (f->asked[v])
        return;
    f->asked[v] = true;
    g_array_append_val(f->next, v);
}

LedgerFilter *filter_new(const Machine *m, const LedgerWish *wish, double end)
{
    LedgerFilter *f = g_new0(LedgerFilter, 1);
    f->has = ledger_wanted(wish, m->s->p, UINT64_MAX);
    f->wanted = g_new0(bool, m->n);
    f->near = g_new0(bool, m->n);
    f->parked = g_array_new(FALSE, FALSE, sizeof(int));
    f->asked = g_new0(bool, m->n);
    f->next = g_array_new(FALSE, FALSE, sizeof(int));
    f->step = f->horizon = end / STEPS;
    f->passed = g_new0(bool, m->n);
    f->after = g_new(double, m->n);
    f->from = wish->from;
    f->until = wish->to > 0 ? nextafter(wish->to, INFINITY) : INFINITY;
    f->issued = g_array_new(FALSE, FALSE, sizeof(double));
    for (int rank = 0; rank < m->s->p; rank++)
        if (!f->has || f->has[rank])
            f->wanted[v_of_rank(m->s, rank) % m->n] = true;
    for (int v = 0; v < m->n; v++) {
        f->after[v] = -1;
        f->left += f->wanted[v];
        f->near[v] = may_be_near(m, f, v);
        if (f->wanted[v] || m->s->mixed) // who waits for a flag asks for nobody
            ask(f, v);
    }
    return f;
}

void filter_free(LedgerFilter *f)
{
    if (!f)
        return;
    g_free(f->has);
    g_free(f->wanted);
    g_free(f->near);
    g_array_free(f->parked, TRUE);
    g_free(f->asked);
    g_array_free(f->next, TRUE);
    g_free(f->passed);
    g_free(f->after);
    g_array_free(f->issued, TRUE);
    g_free(f);
}

// Gives the run up if nothing is missing any more.
static void look(Machine *m)
{
    LedgerFilter *f = m->filter;
    f->enough = f->enough || (f->left == 0 && f->open == 0) || f->skipped > MOST_SKIPPED;
    m->tie |= f->enough;
}

static void pass(LedgerFilter *f, int v)
{
    if (f->wanted[v] && !f->passed[v]) {
        f->passed[v] = true;
        f->left--;
    }
}

// Counts an operation of a wanted rank. If there are too many, the last ones of them will not be shown.
static void count(Machine *m, double t)
{
    LedgerFilter *f = m->filter;
    if (t < f->from)
        return;
    g_array_append_val(f->issued, t);
    if (f->issued->len < MOST_COUNTED + MOST_COUNTED / 4)
        return;
    f->until = MIN(f->until, ledger_until(f->issued, MOST_COUNTED));
    guint keep = f->issued->len;
    while (keep > 0 && g_array_index(f->issued, double, keep - 1) >= f->until)
        keep--;
    g_array_set_size(f->issued, keep);
    for (int v = 0; v < m->n; v++)
        if (m->ranks[v].now.t >= f->until)
            pass(f, v);
}

bool filter_keeps(Machine *m, int v, bool receives)
{
    LedgerFilter *f = m->filter;
    const double t = m->ranks[v].now.t;
    const int other = other_end(m, v, m->ranks[v].pc, m->ranks[v].round, receives);
    if (other >= 0)
        ask(f, other);
    if (!f->wanted[v] && !f->near[v]) {
        if (f->skipped++ > MOST_SKIPPED)
            look(m);
        return false;
    }
    if (t < f->until && f->wanted[v]) {
        count(m, t);
        f->open += other >= 0;
        return true;
    }
    if (t < f->until && other >= 0 && f->wanted[other])
        return true;
    f->skipped++;
    if (f->wanted[v] && f->after[v] < 0)
        f->after[v] = t;
    if (t >= f->until)
        pass(f, v);
    look(m);
    return false;
}

bool filter_goes_on(Machine *m, int v)
{
    LedgerFilter *f = m->filter;
    if (m->ranks[v].now.t < f->horizon)
        return true;
    g_array_append_val(f->parked, v);
    return false;
}

bool filter_advance(Machine *m)
{
    LedgerFilter *f = m->filter;
    const bool moves = f->parked->len > 0 && f->horizon < f->until;
    if (m->tie)
        return false;
    if (!moves && f->next->len > 0) {
        for (guint i = f->next->len; i-- > 0;)
            make_runnable(m, g_array_index(f->next, int, i));
        g_array_set_size(f->next, 0);
        return true;
    }
    if (f->parked->len == 0)
        return false;
    if (!moves) { // nothing that has not happened begins before the horizon
        f->complete = f->enough = m->tie = true;
        return false;
    }
    double first = INFINITY;
    for (guint i = 0; i < f->parked->len; i++) {
        const int v = g_array_index(f->parked, int, i);
        first = MIN(first, m->ranks[v].now.t);
        make_runnable(m, v);
    }
    g_array_set_size(f->parked, 0);
    f->horizon = MAX(f->horizon, first) + f->step;
    return true;
}

static bool is_open(const Machine *m, uint32_t node)
{
    return node > LEFT_OUT && m->filter->wanted[g_array_index(m->trace, TraceStep, node).rank];
}

void filter_met(Machine *m, uint32_t recv, uint32_t message)
{
    m->filter->open -= is_open(m, recv) + is_open(m, message);
    look(m);
}

void filter_ended(Machine *m, int v)
{
    pass(m->filter, v);
    look(m);
}

void filter_settle(Machine *m)
{
    LedgerFilter *f = m->filter;
    if (!f->complete && (f->left > 0 || f->open > 0) && f->enough) { // the run was given up
        for (int v = 0; v < m->n; v++)
            if (f->wanted[v] && !f->passed[v])
                f->until = MIN(f->until, m->ranks[v].now.t);
        for (guint i = LEFT_OUT + 1; i < m->trace->len; i++) {
            const TraceStep *x = &g_array_index(m->trace, TraceStep, i);
            const LedgerTime *t = &g_array_index(m->times, LedgerTime, i);
            if (!x->moves && !x->begins && !t->of && f->wanted[x->rank] && !t->met &&
                other_end(m, (int)x->rank, x->pc, x->round, x->receives) >= 0)
                f->until = MIN(f->until, t->issued);
        }
    }
}

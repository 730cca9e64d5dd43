#include "search/form/text_bound.h"
#include "search/form/size_form.h"
#include "search/form/text_run.h"
#include "search/form/text_samples.h"
#include "engine/schedule/kept.h"
#include <string.h>

// A time, and what adds up to it: messages, their bytes, and bytes that are reduced. On one level the time is the sum of
// these, so that it is the same number whether a text runs or what it paid is kept.
typedef struct Paid {
    double s, n[COSTS];
} Paid;

// A rank whose peers are always ready.
typedef struct Alone {
    TextRun text;
    Hockney cost;
    double figure[COSTS];
    double enough_s;
    int rank;
    bool depends; // on the figures: of two that wait for each other, none has paid at least as much of each
    Paid now;     // the rank's clock
    Paid out, in; // when its ports become free
    int open;     // requests that the rank has not yet waited for
} Alone;

static double sum_of(const double n[COSTS], const double figure[COSTS])
{
    return n[0] * figure[0] + n[1] * figure[1] + n[2] * figure[2];
}

static bool covers(const Paid *a, const Paid *b)
{
    return a->n[0] >= b->n[0] && a->n[1] >= b->n[1] && a->n[2] >= b->n[2];
}

// Returns the later of the two. On one level, what has paid at least as much of each is not earlier with any figures.
static const Paid *later(Alone *x, const Paid *a, const Paid *b)
{
    if (!x->cost.site && covers(a, b))
        return a;
    if (!x->cost.site && covers(b, a))
        return b;
    x->depends = true;
    return a->s >= b->s ? a : b;
}

static void pay_message(const Alone *x, Paid *port, int peer, size_t len)
{
    const Site *site = x->cost.site;
    port->n[0]++;
    port->n[1] += (double)len;
    if (site)
        port->s += cost_at(&x->cost, site->map ? mapping_level(site->map, x->rank, peer) : 0, len);
    else
        port->s = sum_of(port->n, x->figure);
}

static void pay_reduction(const Alone *x, Paid *clock, size_t len)
{
    clock->n[2] += (double)len;
    if (x->cost.site)
        clock->s += cost_own(&x->cost, WORK_REDUCE, len);
    else
        clock->s = sum_of(clock->n, x->figure);
}

static void leaves(Alone *x, int to, size_t len)
{
    x->out = *later(x, &x->out, &x->now);
    pay_message(x, &x->out, to, len);
}

// An eager message may have arrived before its receive is posted. Under eager-port and rendezvous it holds the in-port.
static void comes(Alone *x, int from, size_t len)
{
    if (x->cost.transfer == TRANSFER_RENDEZVOUS)
        x->in = *later(x, &x->in, &x->now);
    if (x->cost.transfer != TRANSFER_EAGER)
        pay_message(x, &x->in, from, len);
}

static const Paid *latest(Alone *x)
{
    return later(x, &x->now, later(x, &x->out, &x->in));
}

static void go_on(CollRun *run, const CollIssue *op)
{
    Alone *x = (Alone *)run;
    const CollOpKind k = op->kind;
    const bool sends = k == COLL_SEND || k == COLL_SENDRECV, receives = k == COLL_RECV || k == COLL_SENDRECV;
    if (sends || k == COLL_ISEND)
        leaves(x, op->to, op->out->len);
    if (receives || k == COLL_IRECV)
        comes(x, op->from, op->in->len);
    x->open += k == COLL_ISEND || k == COLL_IRECV;
    x->open -= k == COLL_WAIT ? 1 : k == COLL_WAITALL ? op->n : 0;
    // While requests are open we do not know which of them are complete, so a receive or a wait moves the clock only if
    // none is left open.
    const bool all = x->open == 0 && (k == COLL_WAIT || k == COLL_WAITALL);
    if (sends || all)
        x->now = *later(x, &x->now, &x->out);
    if ((receives && x->open == 0) || all)
        x->now = *later(x, &x->now, &x->in);
    if (k == COLL_REDUCE_OP)
        pay_reduction(x, &x->now, op->in->len);
    if (MAX(x->now.s, MAX(x->out.s, x->in.s)) >= x->enough_s)
        text_leave(&x->text);
}

// What ranks have paid by the ends of their texts, or by where they were left. On one level, each of them adds up to a time
// that the operation cannot beat, whatever the figures are, because it is what one chain of operations takes.
typedef struct PaidTexts {
    Transfer transfer;
    bool whole;           // all texts have run to their ends
    bool depends;         // on the figures below; with others, another chain of operations may be the longest
    double figure[COSTS]; // with which the texts ran
    int n;
    double paid[TEXT_SAMPLES][COSTS];
} PaidTexts;
_Static_assert(sizeof(PaidTexts) <= KEPT_FACT, "kept as a fact");

// Sets *bound_s to what the texts, which may have run for another machine, tell of this one. Returns false if that is not
// what they would tell if they ran again.
static bool by_texts(const PaidTexts *texts, const double figure[COSTS], Transfer transfer, double enough_s,
                     double *bound_s)
{
    const bool same = !texts->depends || memcmp(texts->figure, figure, sizeof texts->figure) == 0;
    *bound_s = 0;
    for (int i = 0; i < texts->n; i++)
        *bound_s = MAX(*bound_s, sum_of(texts->paid[i], figure));
    return texts->transfer == transfer && same && (texts->whole || *bound_s >= enough_s);
}

// Runs the texts of some ranks until one takes enough_s. Returns the longest time.
static double run_texts(Alone *x, const Operation *op, PaidTexts *texts)
{
    const int samples = x->cost.site ? TEXT_SAMPLES : text_samples(op, TEXT_SAMPLES);
    double latest_s = 0;
    text_run_init(&x->text, go_on);
    for (int i = 0; i < samples && latest_s < x->enough_s; i++) {
        const int rank = text_sample_rank(op, i);
        if (rank == x->rank) // few ranks
            continue;
        x->now = x->out = x->in = (Paid){.s = 0};
        x->open = 0;
        x->rank = rank;
        text_run(&x->text, op, rank);
        const Paid *const end = latest(x);
        latest_s = MAX(latest_s, end->s);
        memcpy(texts->paid[texts->n++], end->n, sizeof texts->paid[0]);
    }
    coll_run_clear(&x->text.run);
    texts->whole = latest_s < x->enough_s;
    texts->depends = x->depends;
    return latest_s;
}

double text_bound(const Operation *op, const Platform *platform, Transfer transfer, const Mapping *map, double enough_s)
{
    g_autoptr(Site) site = site_of_platform(platform, map, transfer);
    Alone x = {.cost = hockney_figures(platform, transfer), .enough_s = enough_s, .rank = -1};
    PaidTexts texts;
    double latest_s;
    size_form_figures(platform, x.figure);
    x.cost.site = site;
    if (site || !kept_find(op, KEPT_TEXT, &texts, sizeof texts) ||
        !by_texts(&texts, x.figure, transfer, enough_s, &latest_s)) {
        texts = (PaidTexts){.transfer = transfer};
        memcpy(texts.figure, x.figure, sizeof texts.figure);
        latest_s = run_texts(&x, op, &texts);
        if (!site)
            kept_note(op, KEPT_TEXT, &texts, sizeof texts);
    }
    return MIN(latest_s, enough_s);
}

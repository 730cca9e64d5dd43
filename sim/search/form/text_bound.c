#include "search/form/text_bound.h"
#include "search/form/size_form.h"
#include "search/form/text_run.h"
#include "search/form/text_samples.h"
#include "engine/schedule/kept.h"
#include <string.h>

// A time, and what adds up to it: messages, their bytes, and bytes that are reduced.
typedef struct Paid {
    double s, n[COSTS];
} Paid;

// A rank whose peers are always ready.
typedef struct Alone {
    TextRun text;
    Hockney cost;
    double enough_s;
    int rank;
    Paid now;     // the rank's clock
    Paid out, in; // when its ports become free
    int open;     // requests that the rank has not yet waited for
} Alone;

static const Paid *later(const Paid *a, const Paid *b)
{
    return a->s >= b->s ? a : b;
}

static void pay_message(const Alone *x, Paid *port, int peer, size_t len)
{
    const Site *site = x->cost.site;
    port->s += cost_at(&x->cost, site && site->map ? mapping_level(site->map, x->rank, peer) : 0, len);
    port->n[0]++;
    port->n[1] += (double)len;
}

static void leaves(Alone *x, int to, size_t len)
{
    x->out = *later(&x->out, &x->now);
    pay_message(x, &x->out, to, len);
}

// An eager message may have arrived before its receive is posted. Under eager-port and rendezvous it holds the in-port.
static void comes(Alone *x, int from, size_t len)
{
    if (x->cost.transfer == TRANSFER_RENDEZVOUS)
        x->in = *later(&x->in, &x->now);
    if (x->cost.transfer != TRANSFER_EAGER)
        pay_message(x, &x->in, from, len);
}

static const Paid *latest(const Alone *x)
{
    return later(&x->now, later(&x->out, &x->in));
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
        x->now = *later(&x->now, &x->out);
    if ((receives && x->open == 0) || all)
        x->now = *later(&x->now, &x->in);
    if (k == COLL_REDUCE_OP) {
        x->now.s += cost_own(&x->cost, WORK_REDUCE, op->in->len);
        x->now.n[2] += (double)op->in->len;
    }
    if (latest(x)->s >= x->enough_s)
        text_leave(&x->text);
}

// What ranks have paid by the ends of their texts, or by where they were left. On one level, each of them adds up to a time
// that the operation cannot beat, whatever the figures are, because it is what one chain of operations takes.
typedef struct PaidTexts {
    Transfer transfer;
    bool whole; // all texts have run to their ends
    int n;
    double paid[TEXT_SAMPLES][COSTS];
} PaidTexts;
_Static_assert(sizeof(PaidTexts) <= KEPT_FACT, "kept as a fact");

// Sets *bound_s to what the texts of another machine tell. Returns false if that is not enough to know.
static bool by_texts(const PaidTexts *texts, const Platform *platform, Transfer transfer, double enough_s,
                     double *bound_s)
{
    double figure[COSTS];
    size_form_figures(platform, figure);
    *bound_s = 0;
    for (int i = 0; i < texts->n && texts->transfer == transfer; i++) {
        const double *n = texts->paid[i];
        *bound_s = MAX(*bound_s, n[0] * figure[0] + n[1] * figure[1] + n[2] * figure[2]);
    }
    return texts->transfer == transfer && (texts->whole || *bound_s >= enough_s);
}

double text_bound(const Operation *op, const Platform *platform, Transfer transfer, const Mapping *map, double enough_s)
{
    g_autoptr(Site) site = site_of_platform(platform, map, transfer);
    Alone x = {.cost = hockney_figures(platform, transfer), .enough_s = enough_s, .rank = -1};
    PaidTexts texts;
    double latest_s = 0;
    if (!site && kept_find(op, KEPT_TEXT, &texts, sizeof texts) &&
        by_texts(&texts, platform, transfer, enough_s, &latest_s))
        return latest_s;
    texts = (PaidTexts){.transfer = transfer};
    latest_s = 0;
    x.cost.site = site;
    text_run_init(&x.text, go_on);
    for (int i = 0; i < TEXT_SAMPLES && latest_s < enough_s; i++) {
        const int rank = text_sample_rank(op, i);
        if (rank == x.rank) // few ranks
            continue;
        x.now = x.out = x.in = (Paid){.s = 0};
        x.open = 0;
        x.rank = rank;
        text_run(&x.text, op, rank);
        latest_s = MAX(latest_s, latest(&x)->s);
        memcpy(texts.paid[texts.n++], latest(&x)->n, sizeof texts.paid[0]);
    }
    coll_run_clear(&x.text.run);
    texts.whole = latest_s < enough_s;
    if (!site)
        kept_note(op, KEPT_TEXT, &texts, sizeof texts);
    return latest_s;
}

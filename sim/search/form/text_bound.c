#include "search/form/text_bound.h"
#include "search/form/text_run.h"

// A rank whose peers are always ready.
typedef struct Alone {
    TextRun text;
    Hockney cost;
    double enough_s;
    int rank;
    double now_s;       // the rank's clock
    double out_s, in_s; // when its ports become free
    int open;           // requests that the rank has not yet waited for
} Alone;

static double message_s(const Alone *x, int peer, size_t len)
{
    const Site *site = x->cost.site;
    return cost_at(&x->cost, site && site->map ? mapping_level(site->map, x->rank, peer) : 0, len);
}

static void leaves(Alone *x, int to, size_t len)
{
    x->out_s = MAX(x->out_s, x->now_s) + message_s(x, to, len);
}

// An eager message may have arrived before its receive is posted. Under eager-port and rendezvous it holds the in-port.
static void comes(Alone *x, int from, size_t len)
{
    if (x->cost.transfer == TRANSFER_RENDEZVOUS)
        x->in_s = MAX(x->in_s, x->now_s);
    if (x->cost.transfer != TRANSFER_EAGER)
        x->in_s += message_s(x, from, len);
}

static double latest(const Alone *x)
{
    return MAX(x->now_s, MAX(x->out_s, x->in_s));
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
        x->now_s = MAX(x->now_s, x->out_s);
    if ((receives && x->open == 0) || all)
        x->now_s = MAX(x->now_s, x->in_s);
    if (k == COLL_REDUCE_OP)
        x->now_s += cost_own(&x->cost, WORK_REDUCE, op->in->len);
    if (latest(x) >= x->enough_s)
        text_leave(&x->text);
}

double text_bound(const Operation *op, const Platform *platform, Transfer transfer, const Mapping *map, double enough_s)
{
    const int p = op->c.p, from_root[] = {0, 1, p / 2, p - 1};
    g_autoptr(Site) site = site_of_platform(platform, map, transfer);
    Alone x = {.cost = hockney_figures(platform, transfer), .enough_s = enough_s, .rank = -1};
    double latest_s = 0;
    x.cost.site = site;
    text_run_init(&x.text, go_on);
    for (size_t i = 0; i < G_N_ELEMENTS(from_root) && latest_s < enough_s; i++) {
        const int rank = (op->c.root + from_root[i]) % p;
        if (rank == x.rank) // few ranks
            continue;
        x.now_s = x.out_s = x.in_s = 0;
        x.open = 0;
        x.rank = rank;
        text_run(&x.text, op, rank);
        latest_s = MAX(latest_s, latest(&x));
    }
    coll_run_clear(&x.text.run);
    return latest_s;
}

#include "form/port_bound.h"
#include "api/backend.h"
#include "api/make.h"

// What a rank's messages and reductions take.
typedef struct Busy {
    CollRun run;
    const Measured *figures;
    const Mapping *map;
    int rank;
    double out_s, in_s; // the gaps of what it sends, and of what it receives
    double most_in_s;   // the largest gap of what it receives
    double work_s;
    int level; // .. and length of the last message, whose gap is kept because the next one is often like it
    size_t len;
    double gap_s;
} Busy;

static double gap_of(Busy *x, int peer, size_t len)
{
    const int level = x->map ? mapping_level(x->map, x->rank, peer) : x->figures->n_levels - 1;
    if (level != x->level || len != x->len) {
        x->level = level;
        x->len = len;
        x->gap_s = table_time_at(x->figures->level[level].gap, len);
    }
    return x->gap_s;
}

static void go_on(CollRun *run, const CollIssue *op)
{
    Busy *x = (Busy *)run;
    const CollOpKind k = op->kind;
    if (k == COLL_SEND || k == COLL_SENDRECV || k == COLL_ISEND)
        x->out_s += gap_of(x, op->to, op->out->len);
    if (k == COLL_RECV || k == COLL_SENDRECV || k == COLL_IRECV) {
        const double gap_s = gap_of(x, op->from, op->in->len);
        x->in_s += gap_s;
        x->most_in_s = MAX(x->most_in_s, gap_s);
    }
    if (k == COLL_REDUCE_OP)
        x->work_s += measured_work_time(&x->figures->work[WORK_REDUCE], op->in->len);
}

// Returns the least time of the rank: a send ends when its port is free again, but the last message to come may end
// before that, and the first one may come at once.
static double rank_bound(const Busy *x)
{
    const double in_s = x->in_s / x->figures->ports - x->most_in_s;
    return MAX(MAX(x->out_s / x->figures->ports, in_s), x->work_s);
}

double port_bound(const Operation *op, const Platform *platform, const Mapping *map, double enough_s)
{
    const int p = op->c.p, from_root[] = {0, 1, p / 2, p - 1};
    double latest_s = 0;
    Busy x = {.figures = platform->measured, .map = map, .rank = -1, .level = -1};
    coll_run_init(&x.run, go_on);
    x.run.most_segments = COLL_MOST_SEGMENTS;
    for (size_t i = 0; i < G_N_ELEMENTS(from_root) && latest_s < enough_s; i++) {
        const int rank = (op->c.root + from_root[i]) % p;
        if (rank == x.rank) // few ranks
            continue;
        coll_run_reset(&x.run);
        x.out_s = x.in_s = x.most_in_s = x.work_s = 0;
        x.rank = rank;
        const Coll view = coll_make(op->algorithm->collective, &op->c, x.rank, op->m, &x.run);
        op->algorithm->run(&view);
        latest_s = MAX(latest_s, rank_bound(&x));
    }
    coll_run_clear(&x.run);
    return latest_s;
}

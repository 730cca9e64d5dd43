// GOAL graphs under hockney. Random ones take as long, rank by rank, as in a second simulator, which was written from "The
// rules of graphs" in docs/MODEL.md alone: it goes from one moment to the next in integers and looks at everything each
// time. The graph of every algorithm takes as long as the algorithm.
#include "engine/loggops/goal_record.h"
#include "engine/model/model.h"
#include "judge/prove/gears_grid.h"
#include "engine/replay/replay.h"
#include "engine/schedule/record.h"
#include "engine/schedule/schedule_graph.h"
#include "tap.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 5, MOST_OPS = 40, MOST_EDGES = 120, ALPHA = 7, BETA = 2, CPUS = 3 };
#define NEVER INT64_MAX

typedef struct DrawnEdge {
    int before, after;
    bool start; // `after` waits for the start of `before`
} DrawnEdge;

typedef struct Drawn {
    int p, n, edges;
    GoalOp op[MOST_OPS];
    DrawnEdge edge[MOST_EDGES];
} Drawn;

// ---- The second simulator --------------------------------------------------------------------------------------------

typedef struct Row {
    int n, at[MOST_OPS];
} Row;

typedef struct GraphNaive {
    const Drawn *d;
    Transfer transfer;
    int64_t now;
    bool ready[MOST_OPS];
    int64_t start[MOST_OPS], end[MOST_OPS]; // NEVER until known
    int64_t came[MOST_OPS];                 // eager: when the message of a send is there
    int64_t cpu[MOST_RANKS][CPUS], out[MOST_RANKS], in[MOST_RANKS];
    int sending[MOST_RANKS],
        taking[MOST_RANKS]; // rendezvous: the send that is offered or under way; the receive under way
    Row sends[MOST_RANKS], posted[MOST_RANKS], mail[MOST_RANKS];
    int met[MOST_OPS]; // rendezvous: of a receive that has met its message, the send; -1
    int turn[MOST_OPS], turns;
} GraphNaive;

static void add(Row *row, int k)
{
    row->at[row->n++] = k;
}

static void drop(Row *row, int i)
{
    memmove(row->at + i, row->at + i + 1, (size_t)(--row->n - i) * sizeof *row->at);
}

static bool may_begin(const GraphNaive *x, int k)
{
    for (int e = 0; e < x->d->edges; e++) {
        const DrawnEdge *edge = &x->d->edge[e];
        if (edge->after == k && (edge->start ? x->start : x->end)[edge->before] > x->now)
            return false;
    }
    return !x->ready[k];
}

static bool fits(const GoalOp *send, const GoalOp *recv)
{
    return (recv->peer == GOAL_ANY || recv->peer == send->host) &&
           (recv->tag == GOAL_ANY || send->tag == GOAL_ANY || recv->tag == send->tag);
}

// Joins what is posted at rank d and the messages there: the first message that matches anything, and the first receive.
static bool join_one(GraphNaive *x, int d, int *send, int *recv)
{
    for (int i = 0; i < x->mail[d].n; i++)
        for (int j = 0; j < x->posted[d].n; j++) {
            *send = x->mail[d].at[i];
            *recv = x->posted[d].at[j];
            if (!fits(&x->d->op[*send], &x->d->op[*recv]))
                continue;
            drop(&x->mail[d], i);
            drop(&x->posted[d], j);
            return true;
        }
    return false;
}

// Returns false if nothing could be joined.
static bool join_all(GraphNaive *x)
{
    int send, recv;
    bool any = false;
    for (int d = 0; d < x->d->p; d++)
        while (join_one(x, d, &send, &recv)) {
            any = true;
            if (x->transfer == TRANSFER_RENDEZVOUS)
                x->met[recv] = send;
            else
                x->end[recv] = MAX(x->came[send], x->start[recv]);
        }
    return any;
}

// Begins the first operation in the file that may begin. Returns false if there is none.
static bool begin_one(GraphNaive *x)
{
    int k = 0;
    while (k < x->d->n && !may_begin(x, k))
        k++;
    if (k == x->d->n)
        return false;
    const GoalOp *o = &x->d->op[k];
    x->ready[k] = true;
    x->start[k] = x->now;
    if (o->kind == GOAL_CALC) {
        int64_t *cpu = &x->cpu[o->host][o->cpu];
        x->start[k] = MAX(x->now, *cpu);
        x->end[k] = *cpu = x->start[k] + (int64_t)o->size;
    } else if (o->kind == GOAL_SEND) {
        add(&x->sends[o->host], k);
    } else {
        x->turn[k] = x->turns++;
        add(&x->posted[o->host], k);
    }
    return true;
}

static int64_t cost(const GraphNaive *x, int send)
{
    return ALPHA + BETA * (int64_t)x->d->op[send].size;
}

static bool leave_one(GraphNaive *x)
{
    for (int v = 0; v < x->d->p; v++) {
        if (x->sends[v].n == 0 || x->out[v] > x->now)
            continue;
        const int k = x->sends[v].at[0], to = (int)x->d->op[k].peer;
        drop(&x->sends[v], 0);
        x->end[k] = x->out[v] = x->now + cost(x, k);
        x->came[k] = x->end[k];
        if (x->transfer == TRANSFER_EAGER_PORT)
            x->came[k] = x->in[to] = MAX(x->now, x->in[to]) + cost(x, k);
        add(&x->mail[to], k);
        return true;
    }
    return false;
}

static void offer_all(GraphNaive *x)
{
    for (int v = 0; v < x->d->p; v++)
        if (x->sending[v] < 0 && x->sends[v].n > 0) {
            x->sending[v] = x->sends[v].at[0];
            drop(&x->sends[v], 0);
            add(&x->mail[x->d->op[x->sending[v]].peer], x->sending[v]);
        }
}

static void take_all(GraphNaive *x)
{
    for (int d = 0; d < x->d->p; d++) {
        int first = -1;
        for (int k = 0; x->taking[d] < 0 && k < x->d->n; k++)
            if (x->met[k] >= 0 && (int)x->d->op[k].host == d && x->end[k] == NEVER &&
                (first < 0 || x->turn[k] < x->turn[first]))
                first = k;
        if (first < 0)
            continue;
        x->taking[d] = first;
        x->end[first] = x->end[x->met[first]] = x->now + cost(x, x->met[first]);
    }
}

static void end_transfers(GraphNaive *x)
{
    for (int v = 0; v < x->d->p; v++) {
        if (x->sending[v] >= 0 && x->end[x->sending[v]] <= x->now)
            x->sending[v] = -1;
        if (x->taking[v] >= 0 && x->end[x->taking[v]] <= x->now)
            x->taking[v] = -1;
    }
}

// Goes on to the next moment at which something starts, ends or becomes free. Returns false if there is none.
static bool advance(GraphNaive *x)
{
    int64_t next = NEVER;
    for (int k = 0; k < x->d->n; k++) {
        next = x->start[k] > x->now ? MIN(next, x->start[k]) : next;
        next = x->end[k] > x->now ? MIN(next, x->end[k]) : next;
    }
    x->now = next;
    return next < NEVER;
}

// Sets the end of each rank. Returns false if an operation never ends.
static bool simulate(const Drawn *d, Transfer transfer, int64_t *end)
{
    GraphNaive x = {.d = d, .transfer = transfer};
    for (int k = 0; k < d->n; k++) {
        x.start[k] = x.end[k] = NEVER;
        x.met[k] = -1;
    }
    for (int v = 0; v < d->p; v++)
        x.sending[v] = x.taking[v] = -1;
    do {
        end_transfers(&x);
        do {
            while (begin_one(&x) || (transfer != TRANSFER_RENDEZVOUS && leave_one(&x)))
                join_all(&x);
            if (transfer == TRANSFER_RENDEZVOUS)
                offer_all(&x);
        } while (join_all(&x));
        if (transfer == TRANSFER_RENDEZVOUS)
            take_all(&x);
    } while (advance(&x));
    bool all = true;
    memset(end, 0, (size_t)d->p * sizeof *end);
    for (int k = 0; k < d->n; k++) {
        all &= x.end[k] < NEVER;
        end[d->op[k].host] = MAX(end[d->op[k].host], x.end[k]);
    }
    for (int v = 0; v < d->p; v++) // a message that nobody receives is an error too
        all &= x.mail[v].n == 0;
    return all;
}

// ---- Graphs ----------------------------------------------------------------------------------------------------------

static void add_edges(GRand *random, Drawn *d, int k, const int *age)
{
    for (int tries = g_rand_int_range(random, 0, 4); tries > 0 && d->edges < MOST_EDGES; tries--) {
        const int before = g_rand_int_range(random, 0, d->n);
        if (age[before] < age[k] && d->op[before].host == d->op[k].host)
            d->edge[d->edges++] = (DrawnEdge){before, k, g_rand_int_range(random, 0, 3) == 0};
    }
}

static int by_host(const void *a, const void *b)
{
    return (int)((const GoalOp *)a)->host - (int)((const GoalOp *)b)->host;
}

// Draws a graph in which what waits was drawn later, so that it mostly comes to its end.
static void draw(GRand *random, Drawn *d)
{
    *d = (Drawn){.p = g_rand_int_range(random, 1, MOST_RANKS + 1)};
    const int wanted = g_rand_int_range(random, 1, MOST_OPS - 1);
    while (d->n < wanted) {
        const uint32_t a = (uint32_t)g_rand_int_range(random, 0, d->p), b = (uint32_t)g_rand_int_range(random, 0, d->p),
                       tag = (uint32_t)g_rand_int_range(random, 0, 3);
        const uint64_t size = (uint64_t)g_rand_int_range(random, 0, 20);
        if (g_rand_int_range(random, 0, 3) == 0) {
            d->op[d->n++] = (GoalOp){.kind = GOAL_CALC, .host = a, .size = size, .cpu = (uint8_t)tag};
            continue;
        }
        const bool any = g_rand_int_range(random, 0, 4) == 0, any_tag = g_rand_int_range(random, 0, 5) == 0;
        d->op[d->n++] = (GoalOp){.kind = GOAL_SEND, .host = a, .peer = b, .tag = tag, .size = size};
        d->op[d->n++] = (GoalOp){
            .kind = GOAL_RECV, .host = b, .peer = any ? GOAL_ANY : a, .tag = any_tag ? GOAL_ANY : tag, .size = size};
    }
    int age[MOST_OPS];
    for (int k = 0; k < d->n; k++)
        d->op[k].level = (uint8_t)k; // its age, for a moment
    qsort(d->op, (size_t)d->n, sizeof *d->op, by_host);
    for (int k = 0; k < d->n; k++) {
        age[k] = d->op[k].level;
        d->op[k].level = 0;
    }
    if (g_rand_int_range(random, 0, 2) == 0) // the order in the file is then not that of the ages
        for (int k = 0; k + 1 < d->n; k++)
            if (d->op[k].host == d->op[k + 1].host && g_rand_int_range(random, 0, 3) == 0) {
                const GoalOp o = d->op[k];
                const int i = age[k];
                d->op[k] = d->op[k + 1];
                age[k] = age[k + 1];
                d->op[k + 1] = o;
                age[k + 1] = i;
            }
    for (int k = 0; k < d->n; k++)
        add_edges(random, d, k, age);
}

static Goal *goal_of(const Drawn *d)
{
    Goal *goal = goal_new((uint32_t)d->p);
    for (int k = 0; k < d->n; k++) {
        const GoalOp *o = &d->op[k];
        goal_add(goal, o->host, o->kind, o->size, o->peer, o->tag);
        goal_place(goal, (uint32_t)k, o->cpu, 0);
    }
    for (int e = 0; e < d->edges; e++)
        (d->edge[e].start ? goal_irequire : goal_require)(goal, (uint32_t)d->edge[e].after,
                                                          (uint32_t)d->edge[e].before);
    return goal;
}

static void test_random(gconstpointer data)
{
    enum { GRAPHS = 5000 };
    const Transfer transfer = (Transfer)GPOINTER_TO_INT(data);
    const Hockney model = {.alpha = ALPHA, .beta = BETA, .gamma = 1, .transfer = transfer};
    g_autoptr(GRand) random = g_rand_new_with_seed(20261124);
    int ended = 0;
    for (int i = 0; i < GRAPHS; i++) {
        Drawn d;
        int64_t end[MOST_RANKS];
        draw(random, &d);
        g_autoptr(Goal) goal = goal_of(&d);
        g_assert_true(schedule_graph_check(goal, NULL));
        Schedule *s = schedule_graph_new(goal, "drawn");
        g_autoptr(Replay) r = replay(s, &model, &(ReplayOptions){.clocks = true, .path = i % 2 == 0}, NULL);
        const bool ends = simulate(&d, transfer, end);
        ended += ends;
        if (ends != (r->stuck->len == 0))
            g_error("graph %d: %s", i, ends ? "ranks are stuck" : "it ends");
        for (int v = 0; ends && v < d.p; v++)
            if (r->clocks[v].t != (double)end[v])
                g_error("graph %d: rank %d ends at %g instead of %" G_GINT64_FORMAT, i, v, r->clocks[v].t, end[v]);
        schedule_free(s);
    }
    g_test_message("%d of %d graphs ended", ended, GRAPHS);
    g_assert_cmpint(ended, >, GRAPHS / 2);
}

// ---- Algorithms ------------------------------------------------------------------------------------------------------

typedef struct {
    int runs, ties;
} GraphRuns;

// Compares the graph of a text with its schedule: every rank's clock, and the certificate. Where a receive ends just
// when the rank has ended what it did meanwhile, the text has the chain of the one and the graph that of the other: an
// operation of a graph has the chain of the first in the file. Both chains cost the same then.
static void compare(const GearsPoint *x, void *data)
{
    GraphRuns *n = data;
    const Operation op = {x->a, x->c, x->m};
    Schedule *s = schedule_record(&op, NULL);
    g_autoptr(Goal) goal = s->mixed ? NULL : goal_record(&op, NULL);
    Schedule *graph = goal ? schedule_graph_new(goal, "graph") : NULL;
    const bool throttled = s->kinds & 1u << OP_THROTTLE; // which a graph cannot express
    for (Transfer transfer = TRANSFER_RENDEZVOUS; graph && !throttled && transfer <= TRANSFER_EAGER_PORT; transfer++) {
        const Hockney model = {.alpha = ALPHA, .beta = BETA, .gamma = 1, .transfer = transfer};
        const ReplayOptions options = {.clocks = true};
        g_autoptr(Replay) text = replay(s, &model, &options, NULL);
        g_autoptr(Replay) replayed = replay(graph, &model, &options, NULL);
        g_autofree char *where = gears_describe(x);
        g_assert_cmpuint(replayed->stuck->len, ==, 0);
        for (int rank = 0; rank < x->c.p; rank++)
            if (text->clocks[rank].t != replayed->clocks[rank].t)
                g_error("%s, %s: rank %d ends at %g, as a graph at %g", where, transfer_names[transfer], rank,
                        text->clocks[rank].t, replayed->clocks[rank].t);
        const bool equal = certificate_equal(&text->certificate, &replayed->certificate);
        if (!equal && certificate_time(&text->certificate, &model) != certificate_time(&replayed->certificate, &model))
            g_error("%s, %s: the graph has a certificate of another price", where, transfer_names[transfer]);
        n->runs++;
        n->ties += !equal;
    }
    schedule_free(graph);
    schedule_free(s);
}

static void test_algorithms(void)
{
    static const int ranks[] = {2, 3, 6, 8};
    GraphRuns n = {0};
    for (int i = 0; i < n_algorithms; i++) {
        const CollAlgorithm *a = algorithms[i];
        const int before = n.runs;
        for (size_t k = 0; k < G_N_ELEMENTS(ranks) && !a->shared; k++)
            gears_visit(a, ranks[k], (const size_t[]){7 * (size_t)ranks[k] + 3, 0}, 2, compare, &n);
        if (!a->shared && n.runs == before)
            g_test_message("%s %s has no graph", collectives[a->collective].name, a->name);
    }
    g_test_message("%d runs take as long as graphs; %d of them have another certificate of the same price", n.runs,
                   n.ties);
    g_assert_cmpint(n.ties, <, n.runs / 1000);
}

static void add_tests(void)
{
    g_test_add_func("/graph/algorithms", test_algorithms);
    g_test_add_data_func("/graph/rendezvous", GINT_TO_POINTER(TRANSFER_RENDEZVOUS), test_random);
    g_test_add_data_func("/graph/eager", GINT_TO_POINTER(TRANSFER_EAGER), test_random);
    g_test_add_data_func("/graph/eager-port", GINT_TO_POINTER(TRANSFER_EAGER_PORT), test_random);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}

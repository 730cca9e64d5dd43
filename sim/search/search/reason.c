#include "search/search/reason.h"
#include "base/error.h"
#include <math.h>
#include <string.h>

enum { LARGE = 1 << 20, SEGMENTS = 64, MOST_RANKS = 1024, LEAST_PROBES = 4 };

// ---- Counting -------------------------------------------------------------------------------------------------------

// What the critical path of a run has.
typedef struct Counts {
    int64_t messages, sent, reduced;
    int64_t before, queued; // messages, and bytes, of others that go first
} Counts;

static void add_term(Counts *counts, const PredictionTerm *x)
{
    switch (x->term.kind) {
    case TERM_ALPHA:
    case TERM_FLAG:
        counts->messages += x->n;
        break;
    case TERM_L: // a message of n bytes pays (n - 1) G
        counts->messages += x->n;
        counts->sent += x->n;
        break;
    case TERM_BETA:
    case TERM_G_BYTE:
    case TERM_WRITE:
    case TERM_READ:
        counts->sent += x->n;
        break;
    case TERM_CROWD: // `over` ranks at a time read at full speed
        counts->sent += (int64_t)((double)x->n / x->term.over);
        break;
    case TERM_NIC_MESSAGES:
        counts->before += x->n;
        break;
    case TERM_NIC_RATE:
    case TERM_MEMORY:
    case TERM_LINK:
        counts->queued += x->n;
        break;
    case TERM_ONE:
    case TERM_STEP:
    case TERM_SWAP:
        counts->messages += x->n;
        counts->sent += x->n * MAX(x->term.bytes, 0);
        break;
    case TERM_GAMMA:
    case TERM_REDUCE:
        counts->reduced += x->n * (x->term.bytes > 0 ? x->term.bytes : 1);
        break;
    default:
        break;
    }
}

// Runs one point. Returns FALSE if the algorithm itself does not run there.
//   par  its parameters; NULL for those of the request
static gboolean count(const Request *r, const CollAlgorithm *a, const CollParams *par, int p, int per_node, size_t m,
                      Counts *counts)
{
    g_autoptr(GError) ignored = NULL;
    Point *x = point_new(r, a, p, per_node, m, &ignored);
    if (x && par)
        point_set_params(x, par);
    const gboolean good = x && !x->why && point_run(x, r, &ignored) && point_timed(x);
    *counts = (Counts){0};
    for (guint i = 0; good && i < x->prediction->terms->len; i++)
        add_term(counts, &g_array_index(x->prediction->terms, PredictionTerm, i));
    point_free(x);
    return good;
}

// ---- How a number grows ---------------------------------------------------------------------------------------------

static int log2_of(int64_t x)
{
    return x <= 1 ? 0 : 1 + log2_of(x / 2);
}

// Returns whether x times the number is what the coefficients say, at each x.
static gboolean fits(const Growth *g)
{
    for (int i = 0; i < g->n; i++) {
        const __int128 x = g->x[i], log = log2_of(g->x[i]),
                       is = g->many * x * x * log + g->line * x * x + g->log * x * log + g->fixed * x + g->rest;
        if (is * g->den[i] != g->scale * x * g->num[i])
            return FALSE;
    }
    return TRUE;
}

// Solves for some of many, line, log, fixed and rest, n of them, whose numbers are in `use`, at the first n x's. Returns FALSE if
// there is no solution. The floats only propose whole numbers; fits() decides.
static gboolean propose(const Growth *g, const int *use, int n, int64_t *found)
{
    double row[4][5];
    for (int i = 0; i < n; i++) {
        const double x = (double)g->x[i], of[] = {x, log2_of(g->x[i]), 1, 1 / x, x * log2_of(g->x[i])};
        for (int k = 0; k < n; k++)
            row[i][k] = of[use[k]];
        row[i][n] = (double)g->scale * (double)g->num[i] / (double)g->den[i];
    }
    for (int k = 0; k < n; k++) {
        if (fabs(row[k][k]) < 1e-9)
            return FALSE;
        for (int i = 0; i < n; i++) {
            const double by = i == k ? 0 : row[i][k] / row[k][k];
            for (int j = 0; j <= n; j++)
                row[i][j] -= by * row[k][j];
        }
    }
    for (int k = 0; k < n; k++) {
        const double value = row[k][n] / row[k][k];
        if (fabs(value) > 1e9)
            return FALSE;
        found[use[k]] = llround(value);
    }
    return TRUE;
}

// Finds the simplest form that the numbers have. At least one number more than it has coefficients must agree.
static void find_form(Growth *g, int per_node)
{
    static const struct {
        int n, use[4];
    } forms[] = {{1, {2}}, {1, {1}},       {2, {1, 2}},    {2, {2, 3}},    {2, {0, 2}},
                 {1, {4}}, {3, {1, 2, 3}}, {3, {0, 1, 2}}, {3, {0, 2, 3}}, {4, {0, 1, 2, 3}}};
    g->scale = 2 * MAX(per_node, 1); // as many ranks as there are nodes may cut a vector into so many times more blocks
    for (size_t i = 0; i < G_N_ELEMENTS(forms) && !g->known; i++) {
        int64_t found[5] = {0};
        if (g->n <= forms[i].n || !propose(g, forms[i].use, forms[i].n, found))
            continue;
        g->line = found[0], g->log = found[1], g->fixed = found[2], g->rest = found[3], g->many = found[4];
        g->known = fits(g);
    }
}

static void add_number(Growth *g, int x, int64_t num, int64_t den)
{
    g->x[g->n] = x;
    g->num[g->n] = num;
    g->den[g->n++] = den;
}

// Returns a size, in elements, at which bytes decide: large, but of not many segments, which would take long to simulate.
static size_t large_of(const Request *r, const CollAlgorithm *a, const CollParams *par)
{
    g_autoptr(GArray) variants = par ? NULL : question_variants(&r->question, a, NULL, NULL);
    if (variants)
        par = &g_array_index(variants, CollParams, 0);
    size_t large = LARGE;
    for (int i = 0; par && i < algorithm_n_params(a); i++) {
        const int64_t value = a->params[i].kind == PARAM_SIZE ? param_get(&a->params[i], par) : 0;
        if (value > 0)
            large = MIN(large, MAX((size_t)value * SEGMENTS / r->question.elem, (size_t)MOST_RANKS * 2));
    }
    return large;
}

// Adds what is counted at one number of ranks. Returns FALSE if the algorithm does not run there.
static gboolean add_probe(const Request *r, const CollAlgorithm *a, const CollParams *par, int x, int per_node,
                          Reason *reason)
{
    const gboolean vector = collectives[a->collective].vector;
    const int p = reason->nodes ? x * per_node : x;
    const size_t elem = r->question.elem, least = vector ? elem * (size_t)p : elem, most = large_of(r, a, par);
    // A vector is cut into p blocks without a rest; a block is smaller, as each rank has one, or several.
    const size_t large = elem * (vector ? most / (size_t)p * (size_t)p : MAX(most / 64, 1));
    Counts small, one, two;
    request_mapping(&r->machine, p, per_node); // so that the request keeps it, and not the copy below
    Request probe = *r;                        // borrowed
    probe.machine.options.why = FALSE;
    probe.machine.options.ledger = NULL;
    probe.machine.options.clocks = FALSE;
    probe.question.memory = FALSE;
    probe.known = NULL;
    if (!count(&probe, a, par, p, per_node, least, &small))
        return FALSE;
    add_number(&reason->messages, x, small.messages, 1);
    add_number(&reason->before, x, small.before, 1);
    if (a->collective == COLL_BARRIER)
        return TRUE;
    if (!count(&probe, a, par, p, per_node, large, &one) || !count(&probe, a, par, p, per_node, 2 * large, &two)) {
        reason->messages.n--;
        reason->before.n--;
        return FALSE;
    }
    add_number(&reason->sent, x, two.sent - one.sent, (int64_t)large);
    add_number(&reason->reduced, x, two.reduced - one.reduced, (int64_t)large);
    add_number(&reason->queued, x, two.queued - one.queued, (int64_t)large);
    return TRUE;
}

// Returns whether some of the numbers of ranks, or of nodes, that the request asks for is not a power of two.
static gboolean asks_others(const Request *r, int per_node)
{
    const GArray *ranks = r->question.ranks;
    for (guint i = 0; ranks && i < ranks->len; i++) {
        const size_t x = g_array_index(ranks, size_t, i) / (size_t)MAX(per_node, 1);
        if (x & (x - 1))
            return TRUE;
    }
    return FALSE;
}

gboolean reason_find(const Request *r, const CollAlgorithm *a, int per_node, Reason *reason)
{
    return reason_find_set(r, a, NULL, per_node, reason);
}

gboolean reason_find_set(const Request *r, const CollAlgorithm *a, const CollParams *par, int per_node, Reason *reason)
{
    *reason = (Reason){.nodes = per_node > 1,
                       .shared = a->shared,
                       .block = !collectives[a->collective].vector,
                       .others = asks_others(r, per_node),
                       .per_node = per_node,
                       .name = a->name};
    if (request_auto(&r->library, a) || r->machine.map.kind == MAP_FILE || r->machine.options.skew ||
        r->question.counts_text || r->question.displs_text || !r->machine.model)
        return FALSE;
    for (int x = reason->nodes ? 2 : 4, i = 0; i < REASON_PROBES; x *= 2, i++)
        if (!reason->nodes || x * per_node <= MOST_RANKS)
            add_probe(r, a, par, x, per_node, reason);
    Growth *const all[] = {&reason->messages, &reason->sent, &reason->reduced, &reason->queued, &reason->before};
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
        find_form(all[i], per_node);
    return reason->messages.n >= LEAST_PROBES;
}

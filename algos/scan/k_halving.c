// What:   Groups of K consecutive ranks, in which a rank works for 1/K of the vector: it gets this part of the others'
//         vectors and adds them up, makes an exscan with the ranks that have the same part in the other groups, and
//         hands what comes before each rank of its group, or up to it, to that rank. K is the product of `levels`
//         divisors of p, each at most `radix`: on each level this many ranks exchange parts at once. If p has no such
//         divisor, the last rank is in no group, and the last group sends it what comes before it. See
//         shapes/prefix_parts.h.
// Cost:   T_exscan(p/K) of m/K bytes + the sum over the levels of the recurrence of one run of ranks, which differ in when
//         they have added up what they got.
// Source: this page. With radix 2 the levels are Rabenseifner's halvings of 2004, as in scan halving; the exscan is
//         Träff's of 2025.
// Needs:  nothing.
//
//   p = 6, radix = 3, levels = 1      0-1-2   3-4-5 (m/3)      0 -> 3   1 -> 4   2 -> 5 (m/3)      0-1-2   3-4-5 (m/3)
#include "coll.h"
#include "times/times.h"
#include <stdlib.h>

// How the ranks are divided.
typedef struct Groups {
    int p;      // the number of ranks that are in groups: all, or all but the last one
    int K;      // the number of ranks of a group
    int levels; // the number of divisors of p that K is the product of
} Groups;

static Groups groups_of(const CollParams *par, int p)
{
    Groups x = {.p = p, .K = 1};
    if (p > 2 && prefix_parts_radix(p, par->radix) > par->radix)
        x.p = p - 1;
    while (x.levels < par->halvings && x.K < x.p) {
        const int r = prefix_parts_radix(x.p / x.K, par->radix);
        if (r > par->radix)
            break;
        x.K *= r;
        x.levels++;
    }
    return x;
}

// Returns the rank of group i that has the caller's part.
static int of_group(const Coll *up, int i)
{
    const int K = groups_of(&up->par, up->p).K;
    return i * K + up->rank % K;
}

// The last rank gets what comes before it from the last run of the first level.
static void receive_rest(const Coll *c, const Groups *g, bool exclusive)
{
    const int r = prefix_parts_radix(g->K, c->par.radix);
    const Slice own = coll_scratch_if(c, !exclusive, c->in.len);
    if (!exclusive)
        coll_copy(c, own, c->in);
    const Blocks part = blocks_even(c, c->out, r), mine = blocks_of(own, &part);
    const CollReq first = coll_mark(c);
    CollReq *request = coll_ints(c, (size_t)r);
    for (int i = 0; i < r; i++)
        request[i] = coll_irecv(c, g->p - r + i, block(&part, i));
    for (int i = 0; i < r && !exclusive; i++) {
        coll_wait(c, request[i]);
        coll_reduce(c, block(&part, i), block(&part, i), block(&mine, i));
    }
    coll_waitall(c, first);
}

static void run(const Coll *c, bool exclusive)
{
    const Groups g = groups_of(&c->par, c->p);
    if (c->p == 1 && !exclusive)
        coll_copy(c, c->out, c->in);
    if (c->p == 1)
        return;
    if (c->rank >= g.p) {
        coll_phase(c, "prefixes");
        receive_rest(c, &g, exclusive);
        return;
    }
    PrefixParts x = prefix_parts(c, g.K, c->par.radix);
    x.alone = g.K == g.p;
    Coll lane = coll_sub(c, g.p / g.K, c->rank / g.K, of_group);
    if (g.p < c->p && c->rank >= g.p - x.level[0].r)
        x.rest = c->p - 1;
    coll_phase(c, "sums");
    lane.in = prefix_parts_up(c, &x);
    lane.out = coll_scratch(c, lane.in.len);
    coll_phase(c, "exscan");
    prefix_two_phase(&lane);
    coll_phase(c, "prefixes");
    prefix_parts_down(c, &x, lane.out, lane.rank > 0, exclusive);
}

static void scan_k_halving(const Coll *c)
{
    run(c, false);
}

static void exscan_k_halving(const Coll *c)
{
    run(c, true);
}

// The ranks of two groups are alike if the groups are in the exscan. The last group is not, if it serves the last rank.
static int same_as(const Coll *c)
{
    const Groups g = groups_of(&c->par, c->p);
    if (c->p == 1 || c->rank >= g.p || (g.p < c->p && c->rank >= g.p - g.K))
        return c->rank;
    return prefix_two_phase_same(c->rank / g.K, g.p / g.K) * g.K + c->rank % g.K;
}

// The exscan of each part begins at the same time in all groups.
static PrefixEnds exscan_ends(const CollPoint *x, const PrefixGroups *g)
{
    int64_t *t = calloc((size_t)g->groups, sizeof *t);
    prefix_two_phase_times(x, x->m / g->K, g->groups, t);
    const PrefixEnds ends = {.first = t[0],
                             .others = g->groups > 1 ? times_latest(t + 1, g->groups - 1) : 0,
                             .last = t[g->groups - 1],
                             .exact = true};
    free(t);
    return ends;
}

static int64_t time_of(const CollPoint *x, bool exclusive)
{
    if (x->p == 1)
        return 0;
    const PrefixGroups g = prefix_groups(x->p, groups_of(&x->par, x->p).K, x->par.radix);
    const PrefixEnds exscan = exscan_ends(x, &g);
    return prefix_parts_time(x, &g, &exscan, exclusive);
}

static int64_t scan_formula(const CollPoint *x)
{
    return time_of(x, false);
}

static int64_t exscan_formula(const CollPoint *x)
{
    return time_of(x, true);
}

#define COMMON                                                                                                         \
    .name = "k_halving",                                                                                               \
    .summary = "groups of ranks exchange parts; exscans of the parts between the groups; prefixes back",               \
    .params = {RADIX_UP_TO(64, 4, "largest number of ranks that exchange parts at a time"),                            \
               {"levels", PARAM_INT, offsetof(CollParams, halvings), 2, 1, 30, NULL,                                   \
                "number of levels; more than ceil(log2 p) means that", CUT_ROUNDS}},                                   \
    .ordered = true, .peers = PEERS_SHIFT, .same_as = same_as,                                                         \
    .cost = "T_exscan(p/K) of m/K bytes + the sum over the levels of the recurrence of one run of ranks, which "       \
            "differ in when they have added up what they got",                                                         \
    .unknown = "the groups do not divide m", .source = "this page"

const CollAlgorithm exscan_k_halving_algorithm = {COMMON, .collective = COLL_EXSCAN, .run = exscan_k_halving,
                                                  .formula = exscan_formula};
const CollAlgorithm scan_k_halving_algorithm = {COMMON, .collective = COLL_SCAN, .run = scan_k_halving,
                                                .formula = scan_formula};

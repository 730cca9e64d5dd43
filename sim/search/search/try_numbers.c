#include "search/search/try_numbers.h"
#include "search/search/try_changes.h"
#include "search/search/try_values.h"
#include <math.h>

enum {
    SMALL = 16, // numbers from 1 up to this one
    PLACES = 4, // .. and those that cut the ranks, the nodes or the ranks of a node into so many pieces, at most
    NEXT = 2,   // .. and those beside the present one on either side
    FINE = 64,  // so many segments of so many elements, or more, take as long with one element more or less
    WIDE = 128, // numbers of a parameter that has no more, and more than SMALL, are tried all over their range
    MOST = 64   // numbers of a parameter
};

// The numbers of one parameter.
typedef struct Numbers {
    const CollParam *param;
    int64_t now, most;
    int64_t value[MOST];
    int n;
} Numbers;

static void add_number(Numbers *x, int64_t number)
{
    gboolean fresh = number >= x->param->min && number <= MIN(x->most, x->param->max) && number != x->now;
    for (int k = 0; k < x->n; k++)
        fresh &= x->value[k] != number;
    if (fresh && x->n < MOST)
        x->value[x->n++] = number;
}

// Adds those that are near in ratio, the farther ones first, and the `next` ones on either side.
static void add_near(Numbers *x, int64_t step, int next)
{
    static const int eighths[] = {16, 4, 12, 6, 10, 7, 9, 5};
    for (size_t i = 0; i < G_N_ELEMENTS(eighths); i++)
        add_number(x, x->now / step * eighths[i] / 8 * step);
    for (int i = -next; i <= next; i++)
        add_number(x, x->now + i * step);
}

// Adds those that are farther away by twice as much each time, up to a sixteenth. Where the time falls from one number
// to the next all along a range, steps of one would go through it number by number.
static void add_strides(Numbers *x, int64_t step)
{
    for (int64_t stride = 4 * step; stride <= x->now / 16; stride *= 2) {
        add_number(x, x->now - stride);
        add_number(x, x->now + stride);
    }
}

// Adds those that are nearer in ratio. Where messages of several ranks wait for each other at a NIC, times jump by some
// per cent from one length of segments to the next.
static void add_nearer(Numbers *x, int64_t step)
{
    static const int shares[] = {60, 68, 62, 66, 61, 67}; // of 64
    for (size_t i = 0; i < G_N_ELEMENTS(shares); i++)
        add_number(x, x->now / step * shares[i] / 64 * step);
}

// Adds numbers from the whole range of a parameter, such as a share in percent. Those in the middle come first.
static void add_spread(Numbers *x)
{
    static const int eighths[] = {2, 3, 1, 4, 5, 6, 7};
    for (size_t i = 0; i < G_N_ELEMENTS(eighths); i++)
        add_number(x, x->param->min + (x->param->max - x->param->min) * eighths[i] / 8);
}

static void find_numbers(const TrySearch *s, Numbers *x)
{
    const int node = MAX(s->node_ranks, 1), counts[] = {s->p, node, s->p / node};
    if (x->param->kind == PARAM_SIZE) {
        const int64_t elem = (int64_t)s->r->question.elem;
        const gboolean fine = (size_t)x->now > s->m / FINE || x->now / elem < FINE;
        if (x->now > 0 && x->now % elem == 0 && (size_t)x->now <= s->m) {
            add_near(x, elem, fine ? NEXT : 0);
            if (fine)
                add_strides(x, elem);
        }
        if (x->n > 0 && !s->flat && !algorithm_has_parts(s->a)) // otherwise bounds would put others behind them
            add_nearer(x, elem);
        return;
    }
    const gboolean dense = !try_plans_long(x->param, s->p);
    if (x->param->max - x->param->min >= SMALL && x->param->max - x->param->min < WIDE)
        add_spread(x);
    add_near(x, 1, NEXT);
    for (int64_t i = 1; i <= SMALL && dense; i++)
        add_number(x, i);
    for (size_t k = 0; k < G_N_ELEMENTS(counts) && dense; k++) {
        for (int i = 1; i <= PLACES; i++)
            add_number(x, (counts[k] + i - 1) / i);
        add_number(x, (int64_t)ceil(sqrt(counts[k])));
    }
}

// Adds what differs from `par` in a parameter of an entry that is not a part.
static void add_numbers(const TrySearch *s, const CollAlgorithm *a, const CollParam *param, const CollParams *par,
                        GArray *to)
{
    Numbers x = {.param = param, .now = param_get(param, par), .most = param_most(param, s->p)};
    // A part that waits for some of its requests may not run. On many ranks, those that have any are too slow.
    if (try_limits_requests(param) && (a != s->a || s->p > TRY_PARTS_FEW))
        return;
    find_numbers(s, &x);
    try_add_values(param, par, x.value, x.n, to);
}

// Adds what differs from `par` in a number of the part that is a parameter.
static void add_numbers_of_part(const TrySearch *s, const CollParam *param, const CollParams *par, GArray *to)
{
    const CollAlgorithm *part = param_part(param, par);
    const CollParams own = try_defaults_of(part);
    g_autoptr(GArray) inner = g_array_new(FALSE, FALSE, sizeof(CollParams));
    try_add_other_numbers(s, algorithm_entry(part), &own, inner);
    try_add_variants(param, par, inner, to);
}

void try_add_other_numbers(const TrySearch *s, const CollAlgorithm *a, const CollParams *par, GArray *to)
{
    GArray *of[COLL_MAX_PARAMS] = {NULL};
    guint longest = 0;
    for (int i = 0; i < algorithm_n_params(a); i++) {
        const CollParam *param = &a->params[i];
        of[i] = g_array_new(FALSE, FALSE, sizeof(CollParams));
        if (a == s->a && !try_is_free(s, param))
            continue;
        if (param->kind == PARAM_ALGORITHM)
            add_numbers_of_part(s, param, par, of[i]);
        else
            add_numbers(s, a, param, par, of[i]);
        longest = MAX(longest, of[i]->len);
    }
    for (guint k = 0; k < longest; k++)
        for (int i = 0; i < algorithm_n_params(a); i++)
            if (k < of[i]->len)
                g_array_append_val(to, g_array_index(of[i], CollParams, k));
    for (int i = 0; i < algorithm_n_params(a); i++)
        g_array_unref(of[i]);
}

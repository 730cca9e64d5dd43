#include "search/search/try_numbers.h"
#include "search/search/try_changes.h"
#include <math.h>
#include <string.h>

enum {
    SMALL = 16, // numbers from 1 up to this one
    PLACES = 4, // .. and those that cut the ranks, the nodes or the ranks of a node into so many pieces, at most
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

// Adds those that are near in ratio, and the next ones.
static void add_near(Numbers *x, int64_t step)
{
    static const int eighths[] = {4, 5, 6, 7, 9, 10, 12, 16};
    for (size_t i = 0; i < G_N_ELEMENTS(eighths); i++)
        add_number(x, x->now / step * eighths[i] / 8 * step);
    for (int64_t i = -2; i <= 2; i++)
        add_number(x, x->now + i * step);
}

static gboolean is_requests(const CollParam *param)
{
    return strcmp(param->name, "max_requests") == 0;
}

static void find_numbers(const TrySearch *s, Numbers *x)
{
    const int per_node = MAX(s->per_node, 1), counts[] = {s->p, per_node, s->p / per_node};
    if (x->param->kind == PARAM_SIZE) {
        const int64_t elem = (int64_t)s->r->question.elem;
        if (x->now > 0 && x->now % elem == 0 && (size_t)x->now <= s->m)
            add_near(x, elem);
        return;
    }
    // Where 0 means no bound, or none more than necessary, more of it take long to plan; not so of requests.
    const gboolean dense = x->param->min > 0 || is_requests(x->param);
    for (int64_t i = 1; i <= SMALL && dense; i++)
        add_number(x, i);
    for (size_t k = 0; k < G_N_ELEMENTS(counts) && dense; k++) {
        for (int i = 1; i <= PLACES; i++)
            add_number(x, (counts[k] + i - 1) / i);
        add_number(x, (int64_t)ceil(sqrt(counts[k])));
    }
    add_near(x, 1);
}

// Adds what differs from `par` in a parameter of an entry that is not a part.
static void add_numbers(const TrySearch *s, const CollAlgorithm *a, const CollParam *param, const CollParams *par,
                        GArray *to)
{
    Numbers x = {.param = param, .now = param_get(param, par), .most = param_most(param, s->p)};
    // A part that waits for some of its requests may not run. On many ranks, those that have any are too slow.
    if (is_requests(param) && (a != s->a || s->p > TRY_PARTS_FEW))
        return;
    find_numbers(s, &x);
    try_add_values(param, par, x.value, x.n, to);
}

void try_add_other_numbers(const TrySearch *s, const CollAlgorithm *a, const CollParams *par, GArray *to)
{
    for (int i = 0; i < algorithm_n_params(a); i++) {
        const CollParam *param = &a->params[i];
        if (a == s->a && !try_is_free(s, param))
            continue;
        if (param->kind != PARAM_ALGORITHM) {
            add_numbers(s, a, param, par, to);
            continue;
        }
        const CollAlgorithm *part = param_part(param, par);
        const CollParams own = try_defaults_of(part);
        g_autoptr(GArray) inner = g_array_new(FALSE, FALSE, sizeof(CollParams));
        try_add_other_numbers(s, algorithm_entry(part), &own, inner);
        try_add_variants(param, par, inner, to);
    }
}

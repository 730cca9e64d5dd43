#include "search/search/try_changes.h"
#include "search/search/try_values.h"
#include "engine/schedule/variant.h"
#include "libraries/decide/decide_ways.h"
#include "registry/rails.h"
#include <stddef.h>

enum { MOST_HALVED = 6 }; // segments of a part are at least a message divided by 2 to this power

gboolean try_is_free(const TrySearch *s, const CollParam *param)
{
    return !try_is_given(&s->r->question, param);
}

TryWhole try_whole_of(const TrySearch *s)
{
    TryWhole w = {s->a, TRY_PARTS_DEPTH, TRUE, {0}};
    if (s->r->library.only)
        w.call = request_call(s->r, s->p, s->per_node, s->m, NULL);
    return w;
}

// Returns TRUE if a part of the entry runs in groups that have several ranks of several nodes, if the entry does.
static gboolean spans_nodes(const CollAlgorithm *a, const CollParam *param)
{
    const size_t part = (param->field - offsetof(CollParams, part)) / sizeof(const CollAlgorithm *);
    gboolean named = FALSE; // only then RAILS_ALL is what an entry says, and not what it leaves out
    for (int i = 0; i < algorithm_n_needs(a); i++)
        named |= a->needs[i] == &need_group_parts;
    return !algorithm_needs_nodes(a) || a->groups[part] == RAILS_ALL_LEADERS || (named && a->groups[part] == RAILS_ALL);
}

// Returns TRUE if the algorithm may be a part. One that groups ranks by node finds no nodes among one rank of each, and
// within a node only where the machine has units such as sockets.
static gboolean may_be(const TrySearch *s, const TryWhole *w, const CollParam *param, int i)
{
    const gboolean nodes = w->nodes && spans_nodes(w->a, param),
                   finds = s->node_ranks > 0 && (nodes || s->r->machine.platform->levels.n > 2);
    return param_allows(param, i) && (finds || !algorithm_needs_nodes(algorithms[i])) &&
           !question_lacks(&s->r->question, algorithms[i]);
}

TryWhole try_part_of(const TrySearch *s, const TryWhole *w, const CollParam *param, const CollAlgorithm *entry,
                     int depth)
{
    TryWhole part = {entry, depth, w->nodes && spans_nodes(w->a, param), {0}};
    if (s->r->library.only)
        part.call = decide_call_of_part(&w->call, w->a, param);
    return part;
}

CollParams try_defaults_of(const CollAlgorithm *part)
{
    CollParams par = algorithm_defaults(part);
    const CollParam *requests = part->defaults ? NULL : algorithm_param(part, "max_requests");
    if (requests && requests->min == 0)
        param_set(requests, &par, 0);
    return par;
}

// Returns the bytes of a segment, in whole elements, if what one of `share` ranks has of m bytes is halved k times; 0
// if these are too few. A whole message is cut into 2^k segments, and not into as many and a rest.
static size_t halved(size_t m, size_t elem, size_t share, int k)
{
    const size_t count = m / elem / share, least = count >> k;
    return (share == 1 && least << k < count && least > 0 ? least + 1 : least) * elem;
}

void try_add_values(const CollParam *param, const CollParams *par, const int64_t *value, int n, GArray *to)
{
    for (int k = 0; k < n; k++) {
        CollParams next = *par;
        param_set(param, &next, value[k]);
        g_array_append_val(to, next);
    }
}

void try_add_variants(const CollParam *param, const CollParams *par, const GArray *inner, GArray *to)
{
    const CollAlgorithm *entry = algorithm_entry(param_part(param, par));
    for (guint k = 0; k < inner->len; k++) {
        CollParams next = *par;
        param_set_part(param, &next, variant_find(entry, &g_array_index(inner, CollParams, k)));
        g_array_append_val(to, next);
    }
}

void try_add_numbers(const TrySearch *s, const CollParam *param, const CollParams *par, int step, GArray *to)
{
    const size_t elem = s->r->question.elem, shares[] = {1, (size_t)MAX(s->node_ranks, 1)};
    int64_t value[TRY_MOST_VALUES];
    int n = try_limits_requests(param) ? 0 : try_values(param, s->p, s->deep ? s->node_ranks : 0, value);
    if (param->kind == PARAM_SIZE)
        value[n++] = 0;
    for (size_t i = 0; param->kind == PARAM_SIZE && i < G_N_ELEMENTS(shares); i++)
        for (int k = 1; k <= MOST_HALVED; k += step) {
            const size_t segment = halved(s->m, elem, shares[i], k);
            if (segment > 0 && (i == 0 || shares[i] > 1))
                value[n++] = (int64_t)segment;
        }
    try_add_values(param, par, value, n, to);
}

// Returns the segment at `to` bytes that is the same share of the message as one at `from` bytes.
static size_t segment_at(size_t elem, int per_node, size_t segment, size_t from, size_t to)
{
    const size_t shares[] = {1, (size_t)MAX(per_node, 1)};
    for (size_t i = 0; i < G_N_ELEMENTS(shares); i++)
        for (int k = 1; k <= MOST_HALVED; k++)
            if (segment > 0 && halved(from, elem, shares[i], k) == segment)
                return MAX(halved(to, elem, shares[i], k), elem);
    return segment;
}

CollParams try_parts_at(const Question *q, int per_node, const CollAlgorithm *a, const CollParams *par, size_t from,
                        size_t to)
{
    CollParams at = *par;
    for (int i = 0; i < algorithm_n_params(a); i++) {
        const CollParam *param = &a->params[i];
        const CollAlgorithm *part = param->kind == PARAM_ALGORITHM ? param_part(param, par) : NULL;
        if (!part || try_is_given(q, param))
            continue;
        const CollAlgorithm *entry = algorithm_entry(part);
        const CollParams own = algorithm_defaults(part);
        CollParams inner = try_parts_at(q, per_node, entry, &own, from, to);
        for (int k = 0; k < algorithm_n_params(entry); k++)
            if (entry->params[k].kind == PARAM_SIZE)
                param_set(&entry->params[k], &inner,
                          (int64_t)segment_at(q->elem, per_node, (size_t)param_get(&entry->params[k], &own), from, to));
        param_set_part(param, &at, variant_find(entry, &inner));
    }
    return at;
}

// Adds what differs from `par` in the algorithm of a part that a library can be told.
static void add_told(const TrySearch *s, const TryWhole *w, const CollParam *param, const CollParams *par, GArray *to)
{
    const Request *r = s->r;
    const gboolean ordered = r->library.any_operation || !question_commutes(&r->question);
    g_autoptr(GArray) parts = decide_parts_told(r->library.only, &w->call, w->a, par, param, ordered);
    for (guint i = 0; i < parts->len; i++) {
        const CollAlgorithm *part = g_array_index(parts, const CollAlgorithm *, i);
        CollParams next = *par;
        if (!may_be(s, w, param, algorithm_number(algorithm_entry(part))))
            continue;
        param_set_part(param, &next, part);
        g_array_append_val(to, next);
    }
}

void try_add_algorithms(const TrySearch *s, const TryWhole *w, const CollParam *param, const CollParams *par,
                        GArray *to)
{
    if (s->r->library.only) {
        add_told(s, w, param, par, to);
        return;
    }
    for (int i = 0; i < n_algorithms; i++) {
        CollParams next = *par;
        if (!may_be(s, w, param, i))
            continue;
        const CollParams defaults = try_defaults_of(algorithms[i]);
        param_set_part(param, &next, variant_find(algorithms[i], &defaults));
        g_array_append_val(to, next);
    }
}

// Adds what differs from `par` in one parameter of the part that it has, of whose own parts `depth` levels are
// searched.
static void change_part(const TrySearch *s, const TryWhole *w, const CollParam *param, const CollParams *par, int depth,
                        int step, GArray *to)
{
    const CollAlgorithm *now = param_part(param, par), *entry = algorithm_entry(now);
    const CollParams own = try_defaults_of(now);
    const TryWhole part = try_part_of(s, w, param, entry, depth);
    g_autoptr(GArray) inner = g_array_new(FALSE, FALSE, sizeof(CollParams));
    for (int i = 0; i < algorithm_n_params(entry); i++)
        try_add_changes(s, &part, &own, i, step, inner);
    try_add_variants(param, par, inner, to);
}

// Adds what differs from `par` in a part: the one that is there with one parameter changed, and any other algorithm. A
// deep search also adds each of these algorithms with one parameter changed; on few ranks, where it is deep from the
// start, only as parts of the composition itself, until it is the deepest. Then parts of these algorithms are replaced,
// too.
static void add_parts(const TrySearch *s, const TryWhole *w, const CollParam *param, const CollParams *par, int step,
                      GArray *to)
{
    const guint before = to->len;
    try_add_algorithms(s, w, param, par, to);
    const gboolean deep = s->deep && (w->depth == TRY_PARTS_DEPTH || s->p > TRY_PARTS_FEW || s->deepest);
    for (guint i = before, n = deep ? to->len : before; i < n; i++) {
        const CollParams other = g_array_index(to, CollParams, i);
        change_part(s, w, param, &other, s->deepest ? w->depth - 1 : 0, step, to);
    }
    change_part(s, w, param, par, w->depth - 1, step, to);
}

void try_add_changes(const TrySearch *s, const TryWhole *w, const CollParams *par, int i, int step, GArray *to)
{
    if (w->a->params[i].kind != PARAM_ALGORITHM)
        try_add_numbers(s, &w->a->params[i], par, step, to);
    else if (w->depth > 0)
        add_parts(s, w, &w->a->params[i], par, step, to);
}

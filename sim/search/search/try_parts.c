#include "search/search/try_parts.h"
#include "search/search/try_values.h"
#include "engine/schedule/variant.h"

// Adds a group with another part, if these parameters are not among those of the algorithm's groups yet.
static void add_part(TrySearch *s, const CollParams *base, const CollParam *param, const CollAlgorithm *part)
{
    TryGroup group = {.algorithm = s->algorithm, .par = *base, .number = (int)s->groups->len};
    const CollParam *segment = try_segment_param(s->a);
    param_set_part(param, &group.par, part);
    for (guint i = 0; i < s->groups->len; i++) {
        const TryGroup *known = &g_array_index(s->groups, TryGroup, i);
        if (known->algorithm == s->algorithm && params_compare(s->a, &known->par, &group.par) == 0)
            return;
    }
    group.bound_s = s->enough_s > 0 && !(segment && s->blind)
                        ? try_search_bound(s, &group.par, TRUE, s->enough_s) * try_rounding
                        : 0;
    group.from_s = group.bound_s;
    if (group.bound_s >= s->enough_s)
        return;
    group.alone = segment != NULL;
    g_array_append_val(s->groups, group);
}

// Adds the groups in which one of the parts is another algorithm than in `base`, or has one parameter of another value.
static void add_parts(TrySearch *s, const CollParams *base, const CollParam *param)
{
    for (int i = 0; i < n_algorithms; i++) {
        const CollAlgorithm *part = algorithms[i];
        // A part that waits for some of its requests cannot run where the whole has others under way (coll_throttle).
        if (part->collective != param->of || !param_allows(param, i) || algorithm_needs_nodes(part) ||
            algorithm_param(part, "max_requests") || question_lacks(&s->r->question, part))
            continue;
        const CollAlgorithm *now = param_part(param, base);
        const gboolean is_now = (now->variant_of ? now->variant_of : now) == part;
        const CollParams inner = is_now && now->defaults ? *now->defaults : algorithm_defaults(part);
        add_part(s, base, param, variant_find(part, &inner));
        for (int k = 0; k < algorithm_n_params(part); k++) {
            const CollParam *of_part = &part->params[k];
            int64_t value[TRY_MOST_VALUES];
            const int n = try_values(of_part, s->p, value);
            for (int j = 0; j < n; j++) {
                CollParams other = inner;
                param_set(of_part, &other, value[j]);
                add_part(s, base, param, variant_find(part, &other));
            }
        }
    }
}

gboolean try_parts_add(const Request *r, int p, int per_node, size_t m, int algorithm, const CollParams *base,
                       const CollParam *param, double limit_s, GArray *groups)
{
    TrySearch s = try_search_begin(r, p, per_node, m);
    const guint before = groups->len;
    s.groups = groups;
    s.algorithm = algorithm;
    s.a = algorithms[algorithm];
    s.enough_s = limit_s;
    if (param->kind == PARAM_ALGORITHM && !try_is_given(&r->question, param) && !r->library.only)
        add_parts(&s, base, param);
    return groups->len > before;
}

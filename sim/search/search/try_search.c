#include "search/search/try_search.h"
#include "search/form/logp_bound.h"
#include "search/form/node_bound.h"
#include "search/form/path_bound.h"
#include "search/form/segment_bound.h"
#include "search/form/text_bound.h"
#include "search/form/text_count.h"
#include "engine/model/same_path.h"
#include "shapes/symmetry.h"
#include <math.h>
#include <string.h>

enum {
    LONG_OPERATIONS = 1 << 17,      // of a rank's text that is long
    LONG_NODE_OPERATIONS = 1 << 19, // .. and of the texts of a node's ranks together
    BEGUN_OPERATIONS = 1 << 13      // .. of one that is looked at from its beginning first
};

Platform try_plain(const Platform *platform)
{
    Platform plain = *platform;
    plain.levels.n = 1;
    memset(plain.by_level, 0, sizeof plain.by_level);
    plain.has[KEY_NIC_RATE] = plain.has[KEY_NIC_MESSAGES] = plain.has[KEY_MEMORY] = FALSE;
    plain.memory = NULL;
    return plain;
}

const CollParam *try_segment_param(const CollAlgorithm *a)
{
    for (int i = 0; i < algorithm_n_params(a); i++)
        if (a->params[i].kind == PARAM_SIZE)
            return &a->params[i];
    return NULL;
}

double try_search_round(double x)
{
    int exponent = 0;
    const double mantissa = frexp(x, &exponent);
    return ldexp(rint(mantissa * 0x1p40), exponent - 40);
}

Point try_search_point(const TrySearch *s, const CollParams *par)
{
    return point_tried(s->r, s->a, par, s->p, s->per_node, s->m);
}

Operation try_search_operation(const TrySearch *s, const CollParams *par)
{
    Point point = try_search_point(s, par);
    Operation op = point_operation(s->r, &point);
    op.algorithm = s->a;
    op.c.par = *par;
    return op;
}

gboolean try_search_logp(const RequestMachine *machine)
{
    return !model_replays(machine->model) && !machine->model->shared;
}

PathForm *try_search_path(const TrySearch *s, const Operation *op, const CollParam *segment)
{
    const RequestMachine *machine = &s->r->machine;
    // path_form() infers all lengths of segments from one. That needs equal blocks: the segments of a short block do
    // not get longer with those of a long one.
    if (try_search_logp(machine) || s->r->question.blocks)
        return NULL;
    return path_form(op, segment, machine->platform, request_discipline(machine),
                     request_mapping(machine, s->p, s->per_node));
}

// Returns segment_bound(), or for a limit the lesser one of blocks below it and of others, which s->counted_s then has. It
// counts messages and their bytes, and these do not depend on how many requests may be open. It knows equal blocks only;
// for others this is 0.
static double count_bound(TrySearch *s, const Operation *op, const CollParam *segment)
{
    const RequestMachine *machine = &s->r->machine;
    const CollParam *requests = algorithm_is_added(s->a) ? NULL : algorithm_param(s->a, "max_requests");
    const Mapping *map = request_mapping(machine, s->p, s->per_node);
    const Transfer transfer = machine->options.transfer;
    const gboolean limits = !segment_is_length(segment);
    CollParams par = op->c.par;
    if (op->c.counts)
        return 0;
    if (requests)
        param_set(requests, &par, requests->def);
    if (!requests || s->counted != s->a || !params_same(s->a, &par, &s->counted_par)) {
        s->counted = s->a;
        s->counted_par = par;
        s->counted_s[FALSE] = segment_bound(op, segment, false, machine->platform, transfer, map);
        s->counted_s[TRUE] = limits ? segment_bound(op, segment, true, machine->platform, transfer, map) : 0;
    }
    return limits ? MIN(s->counted_s[FALSE], s->counted_s[TRUE]) : s->counted_s[FALSE];
}

double try_search_limit_bound(const TrySearch *s, const Operation *op)
{
    const CollParam *segment = try_segment_param(s->a);
    const gboolean limits = segment && s->limit_s && !segment_is_length(segment) && !algorithm_is_added(s->a);
    return limits ? s->limit_s[(size_t)param_get(segment, &op->c.par) > op->m] : 0;
}

double try_search_bound(TrySearch *s, const CollParams *par, gboolean alone, double limit_s)
{
    const Request *r = s->r;
    const Mapping *map = request_mapping(&r->machine, s->p, s->per_node);
    const CollParam *segment = try_segment_param(s->a);
    const Operation op = try_search_operation(s, par);
    if (s->a->shared || (segment && s->blind)) // each of the tries has a bound
        return 0;
    if (segment && !alone) {
        g_autoptr(PathForm) path = s->flat ? NULL : try_search_path(s, &op, segment);
        const double path_s = path ? path_form_least(path, r->question.elem, s->m) : 0;
        return fmax(try_path_share * path_s, count_bound(s, &op, segment));
    }
    Point point = try_search_point(s, par);
    point_operation(r, &point);
    if (point.why)
        return 0;
    if (try_search_logp(&r->machine))
        return logp_bound(&op, r->machine.model, r->machine.platform, map, limit_s);
    return s->blind ? path_bound(&op, r->machine.platform, TRANSFER_MEASURED, map, limit_s)
                    : text_bound(&op, r->machine.platform, r->machine.options.transfer, map, limit_s);
}

TrySearch try_search_begin(const Request *r, int p, int per_node, size_t m)
{
    return (TrySearch){.r = r,
                       .p = p,
                       .per_node = per_node,
                       .node_ranks = request_node_ranks(&r->machine, p, per_node),
                       .m = m,
                       .flat = request_flat(r, p, per_node),
                       .blind = r->machine.model != &hockney_model,
                       .plain = try_plain(r->machine.platform)};
}

double try_search_least(const Request *r, const Operation *op, int p, int per_node, double limit_s)
{
    const Mapping *map = request_mapping(&r->machine, p, per_node);
    double least_s = 0;
    if (try_search_logp(&r->machine))
        return logp_bound(op, r->machine.model, r->machine.platform, map, limit_s);
    if (r->machine.model == &hockney_model)
        least_s = text_bound(op, r->machine.platform, r->machine.options.transfer, map, limit_s);
    // On few ranks without nodes, a run costs hardly more than a walk along the chains of messages.
    if (least_s < limit_s && (!request_flat(r, p, per_node) || p > TRY_FEW_RANKS))
        least_s = fmax(least_s, try_path_share * path_bound(op, r->machine.platform, request_discipline(&r->machine),
                                                            map, limit_s / try_path_share));
    return least_s;
}

gboolean try_excluded(const Request *r, int p, int per_node, size_t m, double limit_s, const Try *try)
{
    Point point = point_tried(r, algorithms[try->algorithm], &try->par, p, per_node, m);
    if (p <= TRY_FEW_RANKS || isinf(limit_s) || point.algorithm->shared)
        return FALSE;
    const Operation op = point_operation(r, &point);
    const Platform *platform = r->machine.platform;
    const Transfer transfer = request_discipline(&r->machine);
    const Mapping *map = request_mapping(&r->machine, p, per_node);
    const double enough_s = limit_s / try_path_share;
    if (!request_flat(r, p, per_node))
        return !point.why && map && !try_search_logp(&r->machine) &&
               node_late_bound(&op, platform, transfer, map, enough_s) >= enough_s;
    const Hockney figures = hockney_figures(platform, transfer);
    double time_s;
    // No bound is above a time that is known. One that is too long does not exclude the try either unless a bound does:
    // what a search counts must not depend on what was run before it.
    if (!point.why && same_path_time(&op, &figures, &time_s) && time_s < enough_s)
        return FALSE;
    return !point.why && (text_bound(&op, platform, transfer, map, enough_s) >= enough_s ||
                          path_bound(&op, platform, transfer, map, enough_s) >= enough_s);
}

// Counts as if all ranks sent as many messages as the one half way round from the root. Of ranks that are all alike, only
// those of one node are simulated.
double try_work_of(const Operation *op, int per_node, double most)
{
    const int simulated = op->algorithm->same_as == same_always ? MAX(per_node, 1) : op->c.p;
    return simulated * text_messages(op, (op->c.root + op->c.p / 2) % op->c.p, ceil(most / simulated));
}

// Returns TRUE if the beginnings of the texts of a node's ranks show that a long text takes limit_s or longer: to run it
// would take a thousand times as long.
static gboolean begins_too_late(const Request *r, const Operation *op, const Mapping *map, double limit_s)
{
    if (isinf(limit_s) || !map || op->c.p <= TRY_FEW_RANKS || try_search_logp(&r->machine) ||
        !text_is_longer(op, op->c.root, BEGUN_OPERATIONS))
        return FALSE;
    const double enough_s = limit_s / try_path_share;
    return node_begun_bound(op, r->machine.platform, request_discipline(&r->machine), map, enough_s) >= enough_s;
}

void try_refine(const Request *r, int p, int per_node, size_t m, double limit_s, Try *try)
{
    Point point = point_tried(r, algorithms[try->algorithm], &try->par, p, per_node, m);
    if (!try->rough)
        return;
    const Operation op = point_operation(r, &point);
    const Mapping *map = request_mapping(&r->machine, p, per_node);
    // What a run costs is found first: tries that cost much wait for those that cost less, which may show that they are
    // of no use. It is counted only as far as this takes them out of the class of what costs as much,
    // and not beyond TRY_DEAREST: under a limit that others have set, a bound takes less than to count all.
    if (!try->counted && try->work < TRY_DEAREST && p > TRY_FEW_RANKS && map && !try->long_text) {
        const double next = MAX(2 * try->work, TRY_COSTLY);
        try->work = try_work_of(&op, per_node, next);
        try->counted = try->work < next;
        if (!try->counted)
            return;
    }
    const int most = map ? MIN(LONG_OPERATIONS, LONG_NODE_OPERATIONS / MAX(per_node, 1)) : LONG_OPERATIONS;
    // Without a limit each text would run to its end. A long one waits until others have set a limit.
    if (isinf(limit_s) && !try->long_text && p > TRY_FEW_RANKS && text_is_longer(&op, op.c.root, (uint64_t)most)) {
        try->long_text = TRUE;
        return;
    }
    double least_s = try->bounded                            ? try->least_s
                     : begins_too_late(r, &op, map, limit_s) ? limit_s
                                                             : try_search_least(r, &op, p, per_node, limit_s);
    // The texts of a whole node take longer than those of a few ranks: they come next time, if no other try is then
    // before this one.
    if (!try->bounded && p > TRY_FEW_RANKS && map && least_s < limit_s) {
        try->least_s = MAX(try->least_s, try_search_round(least_s));
        try->bounded = TRUE;
        return;
    }
    // Where NICs are shared, most of a slow try's time may be theirs, so the node's bound orders tries, too, and those
    // that are much slower are never run. Tries with other parts are given up after several that gained nothing, in the
    // order of what single ranks do; the node only shows which of them are of no use.
    double node_s = 0;
    if (least_s < limit_s && map && !try_search_logp(&r->machine))
        node_s = try_path_share *
                 node_bound(&op, r->machine.platform, request_discipline(&r->machine), map, limit_s / try_path_share);
    try->node_s = node_s;
    if (!try->parts || node_s >= limit_s)
        least_s = MAX(least_s, MIN(node_s, limit_s));
    // Rounded, what is of no use might be of use again.
    try->least_s = MAX(try->least_s, least_s < limit_s ? try_search_round(least_s) : least_s);
    try->work = least_s < limit_s ? try_work_of(&op, per_node, INFINITY) : 0;
    try->rough = FALSE;
}

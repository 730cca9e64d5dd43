#include "search/form/segment_bound.h"
#include "api/backend.h"
#include "api/make.h"
#include "base/units.h"
#include "search/form/bounds.h"
#include "search/form/closed_form.h"
#include "search/form/text_count.h"
#include "search/form/text_samples.h"
#include "registry/composition.h"
#include "engine/replay/site.h"
#include "engine/schedule/kept.h"
#include <string.h>

// How many segments the second text makes of a message, and at least of its halves; and the most that it makes of a
// message, times the ranks, to make as many of each rank's block.
enum { CUTS = 8, LEAST_CUTS = 4, MOST_CUTS = 512 };

bool segment_is_length(const CollParam *segment)
{
    return strcmp(segment->name, "segment") == 0;
}

// Counts what a rank's text says with segments of this many bytes. Returns false if the algorithm cannot run with them.
static bool count_segments(const Operation *op, const CollParam *segment, size_t bytes, int rank, TextCount *count)
{
    Operation cut = *op;
    param_set(segment, &cut.c.par, (int64_t)bytes);
    return text_count(&cut, rank, count);
}

// Finds the least that passes through the rank's ports however the messages are cut. Returns false if the algorithm
// cannot run.
static bool count_least(const Operation *op, const CollParam *segment, int rank, TextCount *least)
{
    const size_t elem = op->c.elem, cuts = CUTS * op->c.p <= MOST_CUTS ? (size_t)(CUTS * op->c.p) : CUTS;
    TextCount whole, cut;
    if (!count_segments(op, segment, 0, rank, &whole) ||
        !count_segments(op, segment, MAX(op->m / cuts / elem, 1) * elem, rank, &cut))
        return false;
    for (int i = 0; i < TEXT_WAYS; i++) {
        // If S segments make a + b / S of the bytes, S = LEAST_CUTS gives a, and more segments less than a. Lengths are
        // rounded to elements.
        const double bytes = (LEAST_CUTS * cut.bytes[i] - whole.bytes[i]) / (LEAST_CUTS - 1),
                     rounding = LEAST_CUTS * (double)elem * MAX(cut.messages[i], whole.messages[i]);
        least->messages[i] = MIN(cut.messages[i], whole.messages[i]);
        // A part that falls back to another algorithm for short segments may send more bytes than without.
        least->bytes[i] = MAX(MIN(MIN(bytes, cut.bytes[i]), whole.bytes[i]) - rounding, 0);
    }
    return true;
}

// Returns true if a part cuts messages into segments of its own.
static bool parts_cut(const CollAlgorithm *a, const CollParams *par)
{
    bool cut = false;
    for (int i = 0; i < algorithm_n_params(a) && !cut; i++) {
        const CollAlgorithm *part = param_part(&a->params[i], par);
        if (!part)
            continue;
        const CollParams own = algorithm_defaults(part);
        for (int k = 0; k < algorithm_n_params(part) && !cut; k++)
            cut = part->params[k].kind == PARAM_SIZE && param_get(&part->params[k], &own) > 0;
        cut = cut || parts_cut(part, &own);
    }
    return cut;
}

// Returns how many messages the longest chain has by the formula if no message is cut; 0 if no formula applies.
// The formula is evaluated at another m. There, a part that has segments of its own would make another number of them,
// so no formula applies to such a composition.
static int64_t formula_messages(const Operation *op, const CollParam *segment, Transfer transfer)
{
    if (transfer == TRANSFER_EAGER_PORT || !segment_is_length(segment) || parts_cut(op->algorithm, &op->c.par))
        return 0;
    Operation sized = *op;
    sized.c.elem = 1;
    param_set(segment, &sized.c.par, 0);
    sized.m = op->algorithm->collective == COLL_BARRIER ? 0 : closed_form_unit(op->c.p, 1);
    const char *why;
    if ((double)sized.m * operation_weight(op->algorithm->collective, op->c.p) >= 0x1p60)
        return 0;
    sized.c = coll_make(op->algorithm->collective, &sized.c, op->c.root, sized.m, NULL);
    if (coll_resolve(op->algorithm, &sized.c, &why) != op->algorithm)
        return 0;
    const int64_t messages = closed_form_messages(&sized, transfer == TRANSFER_EAGER);
    return MAX(messages, 0);
}

// What the bound adds up. No figure of a machine changes it, so it is kept.
typedef struct Least {
    Transfer transfer;
    int64_t messages; // of a chain, by the formula
    bool below;       // see least_of
    TextCount of[TEXT_SAMPLES];
} Least;
_Static_assert(sizeof(Least) <= KEPT_FACT, "kept as a fact");

// Returns what the bound adds up of texts that cut messages or, if `below`, of those in which all blocks are below the
// limit.
static Least least_of(const Operation *from, const CollParam *segment, Transfer transfer, bool below)
{
    Operation at = *from;
    const Operation *op = below ? &at : from;
    Least least;
    if (below)
        param_set(segment, &at.c.par, segment->max);
    if (kept_find(op, KEPT_LEAST, &least, sizeof least) && least.transfer == transfer && least.below == below)
        return least;
    least = (Least){.transfer = transfer, .messages = formula_messages(op, segment, transfer), .below = below};
    for (int i = 0; i < text_samples(op, TEXT_SAMPLES); i++)
        if (!(below ? text_count(op, text_sample_rank(op, i), &least.of[i])
                    : count_least(op, segment, text_sample_rank(op, i), &least.of[i])))
            least.of[i] = (TextCount){.messages = {0}};
    kept_note(op, KEPT_LEAST, &least, sizeof least);
    return least;
}

double segment_bound(const Operation *op, const CollParam *segment, bool below, const Platform *platform,
                     Transfer transfer, const Mapping *map)
{
    const Hockney h = bounds_figures(platform, map);
    g_autoptr(Site) site = site_of_platform(platform, map, transfer);
    const Least least = least_of(op, segment, transfer, below);
    double bound_s = site ? 0 : cost_messages(&h, (double)least.messages);
    for (int i = 0; i < TEXT_SAMPLES; i++)
        for (int way = 0; way < (transfer == TRANSFER_EAGER ? TEXT_IN : TEXT_WAYS); way++)
            bound_s =
                MAX(bound_s, cost_messages(&h, least.of[i].messages[way]) + cost_bytes(&h, least.of[i].bytes[way]));
    return bound_s;
}

#include "search/form/segment_bound.h"
#include "api/backend.h"
#include "api/make.h"
#include "base/units.h"
#include "search/form/bounds.h"
#include "search/form/closed_form.h"
#include "search/form/text_count.h"
#include "registry/composition.h"
#include "engine/replay/site.h"

// How many segments the second text makes of a message, and at least of its halves; and the most that it makes of a
// message, times the ranks, to make as many of each rank's block.
enum { CUTS = 8, LEAST_CUTS = 4, MOST_CUTS = 512 };

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
        least->bytes[i] = MAX(MIN(bytes, cut.bytes[i]) - rounding, 0);
    }
    return true;
}

// Returns how long the rank's busier port is at work at least.
static double rank_bound(const Operation *op, const CollParam *segment, int rank, const Hockney *h)
{
    TextCount least;
    double bound_s = 0;
    if (!count_least(op, segment, rank, &least))
        return 0;
    for (int i = 0; i < (h->transfer == TRANSFER_EAGER ? TEXT_IN : TEXT_WAYS); i++)
        bound_s = MAX(bound_s, cost_messages(h, least.messages[i]) + cost_bytes(h, least.bytes[i]));
    return bound_s;
}

// Returns the time by the formula if only alpha costs anything and no message is cut; 0 if no formula applies.
static double formula_bound(const Operation *op, const CollParam *segment, const Hockney *h)
{
    if (h->transfer == TRANSFER_EAGER_PORT)
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
    return cost_messages(h, (double)MAX(closed_form_messages(&sized, h->transfer == TRANSFER_EAGER), 0));
}

double segment_bound(const Operation *op, const CollParam *segment, const Platform *platform, Transfer transfer,
                     const Mapping *map)
{
    Hockney h = bounds_figures(platform, map);
    g_autoptr(Site) site = site_of_platform(platform, map, transfer);
    const int p = op->c.p, from_root[] = {0, 1, p / 2, p - 1};
    h.transfer = transfer;
    double bound_s = site ? 0 : formula_bound(op, segment, &h);
    for (size_t i = 0; i < G_N_ELEMENTS(from_root); i++)
        bound_s = MAX(bound_s, rank_bound(op, segment, (op->c.root + from_root[i]) % p, &h));
    return bound_s;
}

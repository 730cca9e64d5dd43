#include "search/form/shared_form.h"
#include "engine/replay/site.h"
#include "registry/registry.h"
#include "times/times.h"
#include <math.h>

// The unit of time in formulas, in seconds. A byte or a flag costs more than 10,000 of them on every machine that we
// know, so that rounding changes a time by less than the margin.
static const double unit_s = 1e-16, margin = 5e-4;
static const double most_s = 100; // a longest time that surely fits into 63 bits

static int64_t units(double seconds)
{
    return (int64_t)rint(seconds / unit_s);
}

double shared_form_time(const Operation *op, const Platform *platform)
{
    const CollAlgorithm *a = op->algorithm;
    const double *v = platform->value, lanes = v[KEY_LANES];
    const double dearest = fmax(fmax(v[KEY_WRITE], v[KEY_READ]), v[KEY_GAMMA]);
    // No chain has more than all copies of all ranks, one after the other, and a flag for each of their fragments.
    const double fragments = ceil((double)op->m / (double)op->c.par.fragment) + 1;
    const double longest = 4.0 * op->c.p * op->c.p * ((double)op->m * dearest + fragments * v[KEY_FLAG]);
    const SharedCosts costs = site_shared_costs(platform);
    if (!shared_is_plain(&costs) || op->c.root != 0 || lanes < 1 || lanes > 0x1p20 || lanes != floor(lanes) ||
        longest > most_s)
        return NAN;
    const CollPoint x = {.p = op->c.p,
                         .m = (int64_t)op->m,
                         .par = op->c.par,
                         .write = units(v[KEY_WRITE]),
                         .read = units(v[KEY_READ] / lanes) * (int64_t)lanes,
                         .lanes = (int64_t)lanes,
                         .flag = units(v[KEY_FLAG]),
                         .gamma = units(v[KEY_GAMMA])};
    const int64_t time = algorithm_time(a, &x);
    return time < 0 ? NAN : (double)time * unit_s * (1 - margin);
}

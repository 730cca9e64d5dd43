#include "platform/figure.h"
#include "base/error.h"
#include "base/limits.h"

static const double longest_s = 1e9, shortest_s = 1e-100;

gboolean figure_check(PlatformUnit unit, double value, GError **error)
{
    const char *per = unit == PLATFORM_PER_BYTE ? "/B" : "";
    if (unit == PLATFORM_SIZE || value == 0 || (unit == PLATFORM_NUMBER && value <= LIMIT_RANKS) ||
        (unit != PLATFORM_NUMBER && value >= shortest_s && value <= longest_s))
        return TRUE;
    if (unit == PLATFORM_NUMBER)
        return bad_input(error, "%g is too large; allowed: 1 to 2^27", value);
    return bad_input(error, "%g s%s is too %s; allowed: 0, or %g s%s to %g s%s", value, per,
                     value > longest_s ? "large" : "small", shortest_s, per, longest_s, per);
}

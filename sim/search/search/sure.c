#include "search/search/sure.h"
#include <math.h>

gboolean sure_enough(const Sure *sure, double percent)
{
    enum { PERCENT = 100 };
    return sure->share > percent / PERCENT;
}

// Returns the probability that a normally distributed value is at most z standard deviations above its mean.
static double below(double z)
{
    return erfc(-z / sqrt(2)) / 2;
}

double sure_z(double percent)
{
    enum { HALVINGS = 60 };
    double low = 0, high = 40; // beyond, the probability is 1 to the last bit
    for (int i = 0; i < HALVINGS && percent > SURE_LEAST; i++) {
        const double middle = (low + high) / 2;
        *(below(middle) < percent / 100 ? &low : &high) = middle;
    }
    return low;
}

double sure_family(const Platform *platform, int family)
{
    return platform->spread[family] > 0 ? platform->spread[family] : spread_families[family].sd;
}

double sure_spread(const Platform *platform, const CollAlgorithm *a)
{
    return sure_family(platform, spread_family(a ? algorithm_entry(a)->name : NULL));
}

double sure_deviation(const Platform *platform, const CollAlgorithm *a, const CollAlgorithm *b)
{
    const double x = sure_spread(platform, a), y = sure_spread(platform, b);
    return sqrt(x * x + y * y + 2 * SPREAD_NOISE * SPREAD_NOISE);
}

double sure_limit(const Platform *platform, double usual_s, const CollAlgorithm *usual, const CollAlgorithm *a,
                  double z)
{
    return usual_s * exp(-z * sure_deviation(platform, usual, a));
}

Sure sure_of(const Platform *platform, double usual_s, const CollAlgorithm *usual, double time_s,
             const CollAlgorithm *a)
{
    const double deviation = sure_deviation(platform, usual, a), z = sure_z(SURE_DEFAULT);
    if (!(usual_s > 0 && time_s > 0))
        return (Sure){NAN, NAN, NAN, NAN};
    const double saves = usual_s / time_s;
    return (Sure){saves, saves * exp(-z * deviation), saves * exp(z * deviation), below(log(saves) / deviation)};
}

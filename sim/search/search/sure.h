// How sure it is that one algorithm is faster than another, which predictions say.
//
// A measured time is the predicted one times a factor. The logarithms of the factors of two algorithms at one point have
// a standard deviation each (registry/spread.h, or what the machine's file says), and each measurement adds its own
// noise: ln(x / y) of measured times is normally distributed around that of the predicted ones, with
// sqrt(sd_x^2 + sd_y^2 + 2 * 0.24^2).
#pragma once
#include "machine/platform/platform.h"
#include "registry/registry.h"

// What an algorithm saves against the default.
typedef struct Sure {
    double saves; // the default's predicted time divided by its own; NAN if one is not known
    double low,
        high;     // between them is the measured ratio, in SURE_DEFAULT out of 100 cases above `low`, and in as many
                  // below `high`
    double share; // the probability that it is faster than the default, 0 to 1
} Sure;

enum { SURE_DEFAULT = 90, SURE_LEAST = 50 }; // percent

// Returns TRUE if a rules file names what is so sure, if it has to be sure with this probability, in percent.
gboolean sure_enough(const Sure *sure, double percent);

// Returns z, so that a normally distributed value is below its mean plus z standard deviations with this probability,
// in percent: 0 for 50, 1.28 for 90. The probability is at least SURE_LEAST and below 100.
double sure_z(double percent);
// Returns the spread of a family (of spread_families) on a machine.
double sure_family(const Platform *platform, int family);
// Returns the spread of an algorithm's family on a machine. NULL stands for one that is not in the registry.
double sure_spread(const Platform *platform, const CollAlgorithm *a);
// Returns the standard deviation of the logarithm of the ratio of two algorithms' measured times.
double sure_deviation(const Platform *platform, const CollAlgorithm *a, const CollAlgorithm *b);
// Returns the time that an algorithm must be below, so that it is faster than a default of usual_s with the probability
// that z stands for.
double sure_limit(const Platform *platform, double usual_s, const CollAlgorithm *usual, const CollAlgorithm *a,
                  double z);
// Returns what an algorithm that takes time_s saves against a default of usual_s. Without a known time all is NAN.
Sure sure_of(const Platform *platform, double usual_s, const CollAlgorithm *usual, double time_s,
             const CollAlgorithm *a);

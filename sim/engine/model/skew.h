// How a run is disturbed: ranks arrive at different times, and messages have noise (engine/replay/noise.h); and by which
// of the runs with several seeds, which may also be those of placements, it is judged. All times are whole nanoseconds, so that no draw depends on the machine.
#pragma once
#include "engine/replay/noise.h"
#include <glib.h>

typedef enum ArrivalKind {
    ARRIVAL_TOGETHER,
    ARRIVAL_ONE_LATE,  // the last rank, p - 1, arrives at `ns`, and all others at 0
    ARRIVAL_ASCENDING, // rank r arrives at ns * r / (p - 1), rounded down
    ARRIVAL_RANDOM,    // each rank arrives at a random time from 0 to `ns`
    ARRIVAL_FILE,
} ArrivalKind;

typedef struct Arrival {
    ArrivalKind kind;
    uint64_t ns;
    uint64_t seed; // of ARRIVAL_RANDOM
    GArray *file;  // of uint64_t, by rank, in ns; NULL unless it is a file
} Arrival;

enum { SKEW_MOST_SEEDS = 10000 };

typedef struct Skew {
    Arrival arrival;
    NoiseSpec noise;
    uint64_t noise_seed;
    int seeds; // 1 or more: runs with the seeds that are given, and those above them; also the seeds of placements
    bool p99;  // a time is the 99th percentile of these runs, and not their median
} Skew;

// Parse the arguments of --arrival, whose file they read, and --noise. Return FALSE and a bad-input error if it is
// malformed, with nothing to clear.
gboolean skew_parse_arrival(const char *text, Arrival *out, GError **error);
gboolean skew_parse_noise(const char *text, Skew *out, GError **error);
// Reads a file's text as skew_parse_arrival reads a file; errors call it `name`.
gboolean skew_parse_arrivals(const char *name, const char *text, size_t length, Arrival *out, GError **error);
void skew_clear(Skew *skew);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Skew, skew_clear)

// Returns FALSE and a bad-input error if the arrivals are a file that does not have a time for each of p ranks.
gboolean skew_check(const Skew *skew, int p, GError **error);
// Returns true if messages have noise.
bool skew_is_noisy(const Skew *skew);
// Returns true if it does more than to make runs with several placements: ranks arrive late, or messages have noise.
bool skew_disturbs(const Skew *skew);
// Returns true if the runs with several seeds differ, whatever their placements are.
bool skew_is_random(const Skew *skew);
// Returns when each of p ranks arrives in run i of the seeds, in ns; NULL if all arrive at 0. Free with g_free.
uint64_t *skew_arrivals(const Skew *skew, int p, int i);
// Returns the times of skew_arrivals in s; NULL for NULL. Free with g_free.
double *skew_starts(const uint64_t *arrivals, int p);
// Return the place, from 0, of the median and of the 99th percentile among so many times in ascending order. Of an even
// number of times the median is the lower one in the middle. The percentile is the smallest time that 99 % do not exceed.
int skew_median(int n);
int skew_p99(int n);

// What became of the runs with several seeds. Times are last exits, from 0 on.
typedef struct SkewOutcome {
    int run;                   // the one that is shown: that of the seed `run` above the one given
    double last_arrival_s;     // of this run
    double median_s, p99_s;    // of all runs; NAN if there is one
    double shortest_s, most_s; // likewise
} SkewOutcome;

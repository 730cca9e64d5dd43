#include "judge/audit/sample.h"
#include "coll.h"
#include <math.h>

static bool all(const Sample *s)
{
    return s->p > 0;
}

static bool not_two(const Sample *s)
{
    return s->p > 2;
}

static bool one_segment(const Sample *s)
{
    return s->S == 1;
}

static bool power_of_two(const Sample *s)
{
    return is_pow2(s->p);
}

static bool power_above_two(const Sample *s)
{
    return power_of_two(s) && not_two(s);
}

static bool no_power_of_two(const Sample *s)
{
    return !is_pow2(s->p);
}

static bool even(const Sample *s)
{
    return s->p % 2 == 0;
}

static bool complete_tree(const Sample *s)
{
    return is_pow2(s->p + 1);
}

static bool power_of_k(const Sample *s)
{
    return s->k >= 2 && pow_floor(s->p, (int)s->k) == s->p;
}

static bool k_is_one(const Sample *s)
{
    return s->k == 1;
}

static bool k_is_two(const Sample *s)
{
    return s->k == 2;
}

static bool k_divides(const Sample *s)
{
    return fmod(s->p - 1, s->k) == 0;
}

static bool k_is_two_and_power(const Sample *s)
{
    return k_is_two(s) && power_of_two(s);
}

static bool one_segment_and_power(const Sample *s)
{
    return one_segment(s) && power_of_two(s);
}

static bool one_segment_and_complete(const Sample *s)
{
    return one_segment(s) && complete_tree(s);
}

static bool one_segment_and_k_one(const Sample *s)
{
    return one_segment(s) && k_is_one(s);
}

const SampleClass sample_classes[] = {
    {"all", all},
    {"p > 2", not_two},
    {"one segment", one_segment},
    {"even p", even},
    {"powers of two", power_of_two},
    {"powers of two above 2", power_above_two},
    {"other than powers of two", no_power_of_two},
    {"p = 2^d-1", complete_tree},
    {"p = k^d", power_of_k},
    {"k = 1", k_is_one},
    {"k = 2", k_is_two},
    {"p-1 a multiple of k", k_divides},
    {"k = 2, powers of two", k_is_two_and_power},
    {"one segment, powers of two", one_segment_and_power},
    {"one segment, p = 2^d-1", one_segment_and_complete},
    {"one segment, k = 1", one_segment_and_k_one},
};
const size_t n_sample_classes = sizeof sample_classes / sizeof *sample_classes;

double sample_sum(const Sample *s, int n, const double *cost)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += cost[i] * s->part[i];
    return sum;
}

void sample_add_up(Sample *s, int n, const double (*mixed)[SAMPLE_PARTS])
{
    for (int i = 0; i < SAMPLE_MIXED; i++)
        s->mixed[i] = sample_sum(s, n, mixed[i]);
}

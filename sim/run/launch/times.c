#include "run/launch/times.h"
#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

void times_sort(double *times_s, int n)
{
    qsort(times_s, (size_t)n, sizeof *times_s, compare);
}

double times_median(const double *sorted_s, int n)
{
    return (sorted_s[(n - 1) / 2] + sorted_s[n / 2]) / 2;
}

double times_imprecision(const double *sorted_s, int n)
{
    const double half = 0.98 * sqrt(n);
    const int low = MAX((int)floor(n / 2.0 - half), 0), high = MIN((int)ceil(n / 2.0 + half), n - 1);
    const double middle = times_median(sorted_s, n);
    return middle > 0 ? (sorted_s[high] - sorted_s[low]) / 2 / middle : 0;
}

void times_summarise(const double *sorted_s, int n, JobResult *result)
{
    result->repetitions = n;
    result->min_s = sorted_s[0];
    result->median_s = times_median(sorted_s, n);
    result->p95_s = sorted_s[(int)ceil(0.95 * n) - 1];
    result->max_s = sorted_s[n - 1];
    result->mean_s = 0;
    for (int i = 0; i < n; i++)
        result->mean_s += sorted_s[i] / n;
}

// What is said about the times of repetitions.
#pragma once
#include "run/launch/job.h"

// The functions below take n >= 1 times in rising order, as times_sort() leaves them.
void times_sort(double *times_s, int n);
// Returns the time in the middle, or the mean of the two in the middle if n is even.
double times_median(const double *sorted_s, int n);
// Returns half of the 95 % confidence interval of the median, over the median; 0 if the median is 0. The interval ends
// at order statistics: those 0.98 sqrt(n) below and above the middle.
double times_imprecision(const double *sorted_s, int n);
// Sets the result's repetitions and min_s .. max_s. p95_s is the least of the times that at least 95 % of them do not
// exceed.
void times_summarise(const double *sorted_s, int n, JobResult *result);

// How long do a ring and Rabenseifner's algorithm take for an allreduce, on a platform with a slower network?
#include <collsim.h>
#include <stdio.h>

int main(void)
{
    const int ranks[] = {64, 1000};
    const uint64_t sizes[] = {8192, 1 << 20};
    collsim_error *error = NULL;
    collsim_platform *platform = collsim_platform_open("generic-100g", &error);
    if (!platform || collsim_platform_set(platform, "alpha=3us", &error) != COLLSIM_OK) {
        fprintf(stderr, "%s\n", collsim_error_message(error));
        collsim_error_free(error);
        collsim_platform_free(platform);
        return 1;
    }
    collsim_request *request = collsim_request_new(platform, "allreduce", &error);
    if (collsim_request_ranks(request, ranks, 2, &error) == COLLSIM_OK &&
        collsim_request_sizes(request, sizes, 2, &error) == COLLSIM_OK &&
        collsim_request_algorithms(request, "ring,rabenseifner", &error) == COLLSIM_OK &&
        collsim_request_option(request, "element", "8", &error) == COLLSIM_OK) {
        collsim_runs *runs = collsim_predict(request, &error);
        for (size_t i = 0; i < collsim_runs_count(runs); i++) {
            const collsim_run *run = collsim_runs_at(runs, i);
            if (!run->ran || run->why) // nothing ran, or a fallback, whose time is not the algorithm's
                printf("%-12s %4d ranks %7d bytes: %s\n", run->algorithm, run->p, (int)run->bytes, run->why);
            else
                printf("%-12s %4d ranks %7d bytes %10.3f us = %s\n", run->algorithm, run->p, (int)run->bytes,
                       1e6 * run->time_s, run->certificate);
        }
        collsim_runs_free(runs);
    }
    if (error)
        fprintf(stderr, "%s\n", collsim_error_message(error));
    collsim_error_free(error);
    collsim_request_free(request);
    collsim_platform_free(platform);
    return 0;
}

// Which algorithm of bcast is the fastest, and what decides a library? An error shows what the messages are like.
#include <collsim.h>
#include <signal.h>
#include <stdio.h>

static collsim_request *asked;

// Ctrl-C ends the call that runs: it returns NULL, and the error has the code COLLSIM_STOPPED.
static void stop(int number)
{
    (void)number;
    collsim_request_stop(asked);
}

static void print(const char *title, const collsim_runs *runs)
{
    puts(title);
    for (size_t i = 0; i < 3 && i < collsim_runs_count(runs); i++) {
        const collsim_run *run = collsim_runs_at(runs, i);
        printf("  %d. %s %s: %.3f us, %d terms\n", run->place, run->algorithm, run->params, 1e6 * run->time_s,
               (int)run->n_terms);
    }
    for (size_t i = 0; collsim_runs_note(runs, i); i++)
        printf("  note: %s\n", collsim_runs_note(runs, i));
}

int main(void)
{
    collsim_error *error = NULL;
    collsim_platform *platform = collsim_platform_open("generic-100g", NULL);
    collsim_request *request = collsim_request_new(platform, "bcast", NULL);
    collsim_request_ranks_list(request, "48", NULL);
    collsim_request_sizes_list(request, "1M", NULL);
    asked = request;
    signal(SIGINT, stop);

    collsim_runs *ranked = collsim_rank(request, NULL), *best = collsim_best(request, 3, NULL);
    print("With default parameters", ranked);
    print("With the best parameters", best);
    collsim_runs_free(ranked);
    collsim_runs_free(best);

    collsim_decisions *decisions = collsim_decide(request, "ompi-4.1", NULL);
    for (size_t i = 0; i < collsim_decisions_count(decisions); i++) {
        const collsim_decision *decision = collsim_decisions_at(decisions, i);
        printf("%s runs %s: %s\n", decision->library, decision->text, decision->algorithm);
    }
    collsim_decisions_free(decisions);

    collsim_request_option(request, "model", "hokney", NULL);
    collsim_runs *runs = collsim_predict(request, &error);
    if (!runs)
        printf("error %d: %s\n", collsim_error_code(error), collsim_error_message(error));
    collsim_error_free(error);
    signal(SIGINT, SIG_DFL);
    collsim_request_free(request);
    collsim_platform_free(platform);
    return 0;
}

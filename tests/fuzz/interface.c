// The arguments of collsim.h, one text a line: the collective, the algorithms, ranks and sizes (numbers, each cut to the
// type of the argument, and all as a list), how many best ones, a library, a change of the platform, and options as NAME=VALUE. Whatever
// they are, each call returns an object, or an error of one line. Small requests are run.
#include "library/collsim.h"
#include "fuzz.h"
#include <math.h>
#include <string.h>

enum { COLLECTIVE, ALGORITHMS, RANKS, SIZES, MOST, LIBRARY, SET, OPTIONS };

// Asserts that a call which returned `good` kept the rules of errors. Frees the error.
static void outcome(gboolean good, collsim_error **error)
{
    g_assert_cmpint(good, ==, *error == NULL);
    g_assert_true(good == (collsim_error_code(*error) == COLLSIM_OK));
    const char *message = collsim_error_message(*error);
    g_assert_true(g_utf8_validate(message, -1, NULL) && !strchr(message, '\n'));
    g_assert_true(good || strstr(message, "allowed: "));
    collsim_error_free(g_steal_pointer(error));
}

// Sets the ranks and the sizes. Returns TRUE if they are allowed and a run of them is short.
static gboolean set_points(collsim_request *r, char **text)
{
    g_auto(GStrv) ranks = g_strsplit(text[RANKS], " ", 4), sizes = g_strsplit(text[SIZES], " ", 4);
    int p[4] = {0};
    uint64_t m[4] = {0};
    gboolean small = TRUE;
    collsim_error *error = NULL;
    size_t n = 0, k = 0;
    for (; n < 4 && ranks[n]; n++) {
        p[n] = (int)g_ascii_strtoll(ranks[n], NULL, 10);
        small &= p[n] <= 24;
    }
    for (; k < 4 && sizes[k]; k++) {
        m[k] = g_ascii_strtoull(sizes[k], NULL, 10);
        small &= m[k] <= 4096;
    }
    outcome(collsim_request_ranks_list(r, text[RANKS], &error) == COLLSIM_OK, &error);
    outcome(collsim_request_sizes_list(r, text[SIZES], &error) == COLLSIM_OK, &error);
    const gboolean ranks_good = collsim_request_ranks(r, p, n, &error) == COLLSIM_OK;
    outcome(ranks_good, &error);
    const gboolean sizes_good = collsim_request_sizes(r, m, k, &error) == COLLSIM_OK;
    outcome(sizes_good, &error);
    return small && ranks_good && sizes_good; // otherwise the request has the points of the lists
}

// Sets the options. Returns TRUE if a run with them is short and reads no file.
static gboolean set_options(collsim_request *r, const char *text)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", 8);
    gboolean small = TRUE;
    collsim_error *error = NULL;
    for (char **line = lines; *line; line++) {
        char *value = strchr(*line, '=');
        if (value)
            *value++ = '\0';
        small &= !value || (!strchr(value, ',') && strcmp(value, "-") != 0 && !g_file_test(value, G_FILE_TEST_EXISTS));
        outcome(collsim_request_option(r, *line, value, &error) == COLLSIM_OK, &error);
    }
    return small;
}

static void look(collsim_runs *runs, collsim_error **error)
{
    outcome(runs != NULL, error);
    for (size_t i = 0; i < collsim_runs_count(runs); i++) {
        const collsim_run *run = collsim_runs_at(runs, i);
        g_assert_true(run->time_s >= 0 || (isnan(run->time_s) && (run->why || run->stuck)));
        g_assert_true(isnan(run->time_s) == (run->certificate == NULL));
    }
    collsim_runs_free(runs);
}

static void run(const collsim_request *r, int most, const char *library)
{
    collsim_error *error = NULL;
    look(collsim_predict(r, &error), &error);
    look(collsim_rank(r, &error), &error);
    look(collsim_best(r, most, &error), &error);
    collsim_decisions *decisions = collsim_decide(r, library, &error);
    outcome(decisions != NULL, &error);
    for (size_t i = 0; i < collsim_decisions_count(decisions); i++)
        g_assert_nonnull(collsim_decisions_at(decisions, i)->text);
    collsim_decisions_free(decisions);
}

FUZZ_HARNESS(interface)
{
    g_auto(GStrv) text = fuzz_lines(data, size, OPTIONS);
    collsim_error *error = NULL;
    collsim_platform *platform = collsim_platform_open("generic-100g", &error);
    outcome(platform != NULL, &error);
    outcome(collsim_platform_set(platform, text[SET], &error) == COLLSIM_OK, &error);
    collsim_request *r = collsim_request_new(platform, text[COLLECTIVE], &error);
    outcome(r != NULL, &error);
    if (r) {
        outcome(collsim_request_algorithms(r, text[ALGORITHMS], &error) == COLLSIM_OK, &error);
        const gboolean few = set_points(r, text), small = set_options(r, text[OPTIONS]);
        if (few && small)
            run(r, (int)g_ascii_strtoll(text[MOST], NULL, 10), text[LIBRARY]);
    }
    collsim_request_free(r);
    collsim_platform_free(platform);
    return 0;
}

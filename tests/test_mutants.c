// The contents checker can fail: judge/prove/mutants.h, for every algorithm.
#include "only.h"
#include "judge/prove/mutants.h"
#include "registry/registry.h"
#include "sample.h"
#include "tap.h"

static const int some_p[] = {2, 3, 4, 6};
static const MutantsGrid sample = {some_p, G_N_ELEMENTS(some_p)};
// For what needs two nodes of four ranks.
static const int more_p[] = {8};
static const MutantsGrid more = {more_p, G_N_ELEMENTS(more_p)};

static void test_entry(const void *data)
{
    MutantsTally tally;
    g_test_timer_start();
    mutants_prove(data, sample_all() ? &mutants_grid : &sample, &tally);
    if (tally.all == 0)
        mutants_prove(data, &more, &tally);
    for (Mutation m = 0; m < N_MUTATIONS; m++)
        g_test_message("%-16s %6ld mutants, %6ld caught", mutation_names[m], tally.mutants[m], tally.caught[m]);
    for (Rule rule = REPEATS; rule < N_RULES; rule++)
        if (tally.same[rule])
            g_test_message("%-16s %6ld the same", rule_names[rule], tally.same[rule]);
    g_assert_cmpstr(tally.wrong, ==, NULL);
    g_assert_cmpint(tally.all_caught, >, 0);
    g_test_message("%ld mutants, %ld caught, %ld the same, %.1f s", tally.all, tally.all_caught,
                   tally.all - tally.all_caught, g_test_timer_elapsed());
}

static void add_tests(void)
{
    for (int i = only_first(); i < only_end(); i++) {
        g_autofree char *path =
            g_strdup_printf("/mutants/%s/%s", collectives[algorithms[i]->collective].name, algorithms[i]->name);
        g_test_add_data_func(path, algorithms[i], test_entry);
    }
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}

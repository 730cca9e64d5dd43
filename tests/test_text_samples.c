// What a few ranks' texts say of all ranks: whether any message has bytes where the vectors are empty, and what each rank
// sends and receives where one text is said to stand for all.
#include "api/make.h"
#include "engine/schedule/record.h"
#include "registry/composition.h"
#include "registry/registry.h"
#include "search/form/text_count.h"
#include "search/form/text_samples.h"
#include "tap.h"
#include <string.h>

// Returns whether any rank of an operation with empty vectors sends bytes: 1, 0, or -1 if a fallback would run.
static int check_empty(const CollAlgorithm *a, int p, int root)
{
    const char *why;
    const Coll all = {.p = p, .root = root, .elem = 8, .commutative = true, .par = algorithm_defaults(a)};
    Operation op = {.algorithm = a};
    op.c = coll_make(a->collective, &all, root, 0, NULL);
    if (coll_resolve(a, &op.c, &why) != a)
        return -1;
    Schedule *s = schedule_record(&op, NULL);
    const bool sends = schedule_totals(s).bytes_sent > 0;
    schedule_free(s);
    if (text_samples_send(&op) != sends)
        g_error("%s %s -p %d --root %d: %s rank sends bytes, but the samples say otherwise",
                collectives[a->collective].name, a->name, p, root, sends ? "some" : "no");
    return sends;
}

static void test_empty(void)
{
    static const int ranks[] = {1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 33};
    int sending = 0, silent = 0;
    for (int i = 0; i < n_algorithms; i++)
        for (size_t k = 0; k < G_N_ELEMENTS(ranks) && !algorithms[i]->shared; k++)
            for (int last = 0; last < (collectives[algorithms[i]->collective].rooted ? 2 : 1); last++) {
                const int sends = check_empty(algorithms[i], ranks[k], last * (ranks[k] - 1));
                sending += sends == 1;
                silent += sends == 0;
            }
    g_assert_cmpint(sending, >, 0); // alltoallv, whose ranks exchange lengths
    g_assert_cmpint(silent, >, 1000);
}

// Checks every rank's text against rank 0's, if that is said to be enough. Returns whether it is.
static bool check_one_for_all(const CollAlgorithm *a, int p)
{
    const char *why;
    const Coll all = {.p = p, .elem = 8, .commutative = true, .par = algorithm_defaults(a)};
    Operation op = {.algorithm = a, .m = 40};
    op.c = coll_make(a->collective, &all, 0, op.m, NULL);
    if (coll_resolve(a, &op.c, &why) != a || text_samples(&op, TEXT_SAMPLES) > 1)
        return false;
    for (int v = 0; v < p; v++) {
        TextCount first, count;
        g_assert_true(text_count(&op, 0, &first) && text_count(&op, v, &count));
        if (memcmp(&first, &count, sizeof count) != 0)
            g_error("%s %s -p %d: rank %d does not do what rank 0 does, but one text is said to stand for all",
                    collectives[a->collective].name, a->name, p, v);
    }
    return true;
}

static void test_one_for_all(void)
{
    static const int ranks[] = {1, 2, 3, 5, 6, 8, 12, 16, 33};
    int alike = 0, others = 0;
    for (int i = 0; i < n_algorithms; i++)
        for (size_t k = 0; k < G_N_ELEMENTS(ranks) && !algorithms[i]->shared; k++) {
            const bool one = check_one_for_all(algorithms[i], ranks[k]);
            alike += one;
            others += !one;
        }
    g_assert_cmpint(alike, >, 100);
    g_assert_cmpint(others, >, 100);
}

static void add(void)
{
    g_test_add_func("/text-samples/one-for-all", test_one_for_all);
    g_test_add_func("/text-samples/empty", test_empty);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}

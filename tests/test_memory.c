// What runs need in memory: the figures of the gatherv over a binomial tree that its authors measured, and over the registry
// that ranks which share a schedule need the same.
#include "memory.h"
#include "tap.h"

static Operation operation(const CollAlgorithm *a, int p, int root, size_t m)
{
    Operation op = {.algorithm = a, .m = m};
    const Coll all = {
        .p = p, .root = root, .elem = 1, .commutative = true, .per_node = 4, .par = algorithm_defaults(a)};
    op.c = coll_make(a->collective, &all, root, m, NULL);
    return op;
}

static Memory gatherv(const char *name, int p, int root, size_t m)
{
    Operation op = operation(algorithm_find(COLL_GATHERV, name), p, root, m);
    op.c.par.choice = LEVEL_AGGRESSIVE;
    return memory_of(&op);
}

// Megabytes of the root's connections.
static void assert_megabytes(uint64_t connections, const char *text)
{
    g_autofree char *got = g_strdup_printf("%.2f", (double)connections * MEMORY_CONNECTION / 0x1p20);
    g_assert_cmpstr(got, ==, text);
}

static void test_published(void)
{
    const Memory linear = gatherv("linear", 32768, 0, 8), tree = gatherv("binomial", 32768, 0, 8);
    assert_megabytes(linear.root.connections, "1312.12");
    assert_megabytes(tree.root.connections, "0.60");
    g_assert_cmpuint(tree.most.connections, ==, 15);
    g_assert_cmpuint(tree.all.connections, ==, 2 * 32767);
    g_assert_cmpuint(linear.all.scratch, ==, 0);
}

// p = 8, blocks of 10 bytes. Ranks 2 and 6 hold two blocks, 4 four; of the root's children 1, 2 and 4 only 1 is a leaf.
static void test_scratch_and_copies(void)
{
    const Memory plain = gatherv("binomial", 8, 0, 10), chains = gatherv("binomial_chains", 8, 0, 10);
    g_assert_cmpuint(plain.root.scratch, ==, 60);
    g_assert_cmpuint(plain.root.copied, ==, 10 + 60);
    g_assert_cmpuint(plain.most.scratch, ==, 60);
    g_assert_cmpuint(plain.all.scratch, ==, 60 + 20 + 40 + 20);
    g_assert_cmpuint(plain.all.copied, ==, 70 + 3 * 10);
    g_assert_cmpuint(chains.root.scratch, ==, 0);
    g_assert_cmpuint(chains.root.copied, ==, 10);
    // From root 6 on, the run of 4 ranks begins at 2 and stays; that of two, 0 and 1, too.
    g_assert_cmpuint(gatherv("binomial_chains", 8, 6, 10).root.scratch, ==, 0);
    g_assert_cmpuint(gatherv("binomial", 8, 6, 10).root.scratch, ==, 60);
}

static void compare(const MemoryUse *a, const MemoryUse *b)
{
    g_assert_cmpuint(a->connections, ==, b->connections);
    g_assert_cmpuint(a->scratch, ==, b->scratch);
    g_assert_cmpuint(a->copied, ==, b->copied);
}

static void test_shared(void)
{
    for (int i = 0; i < n_algorithms; i++)
        for (int p = 1; p <= 33; p++)
            for (int root = 0; root < (collectives[algorithms[i]->collective].rooted ? MIN(p, 3) : 1); root++) {
                const size_t m = 24 * (size_t)p * (size_t)pow2_floor(p);
                Operation op = operation(algorithms[i], p, root, algorithms[i]->collective == COLL_BARRIER ? 0 : m);
                const char *why;
                if (coll_resolve(op.algorithm, &op.c, &why) != op.algorithm)
                    continue;
                g_test_message("%s %s p=%d root=%d", collectives[op.algorithm->collective].name, op.algorithm->name, p, root);
                const Memory shared = memory_of(&op);
                CollAlgorithm alone = *op.algorithm;
                alone.same_as = NULL;
                op.algorithm = &alone;
                const Memory each = memory_of(&op);
                compare(&shared.root, &each.root);
                compare(&shared.most, &each.most);
                compare(&shared.all, &each.all);
                g_assert_cmpuint(each.most.connections, <, (guint64)p);
                g_assert_cmpuint(each.all.connections % 2, ==, 0);
            }
}

static void add(void)
{
    g_test_add_func("/memory/published", test_published);
    g_test_add_func("/memory/scratch and copies", test_scratch_and_copies);
    g_test_add_func("/memory/shared", test_shared);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}

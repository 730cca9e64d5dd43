// The memory that a run needs: the figures that the authors of the binomial gatherv published, and for every algorithm
// of the registry as many connections as its recorded schedule has.
#include "schedule/memory.h"
#include "schedule/record.h"
#include "tap.h"
#include "nodes.h"
#include "registry/composition.h"
#include "api/make.h"

static Operation operation(const CollAlgorithm *a, int p, int root, size_t m)
{
    Operation op = {.algorithm = a, .m = m};
    const Coll all = {
        .p = p, .root = root, .elem = 1, .commutative = true, .nodes = nodes_of(p, 4), .par = algorithm_defaults(a)};
    op.c = coll_make(a->collective, &all, root, m, NULL);
    return op;
}

static Memory gatherv(const char *name, int p, int root, size_t m)
{
    Operation op = operation(algorithm_find(COLL_GATHERV, name), p, root, m);
    op.c.par.choice = LEVEL_AGGRESSIVE;
    return memory_of(&op);
}

// Fails unless that many connections need this memory, in MiB with two decimals.
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

// p = 8, blocks of 10 bytes. Ranks 2 and 6 gather two blocks in scratch, rank 4 four. The root receives runs of 2 and 4
// blocks from ranks 2 and 4 in scratch, and the block of rank 1 in place.
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
    // From root 6, the runs of 4 blocks (of ranks 2 to 5) and of 2 (of ranks 0 and 1) do not wrap around, so their
    // blocks touch and need no scratch.
    g_assert_cmpuint(gatherv("binomial_chains", 8, 6, 10).root.scratch, ==, 0);
    g_assert_cmpuint(gatherv("binomial", 8, 6, 10).root.scratch, ==, 60);
}

// Returns the number of ranks with which v exchanges messages in the schedule.
static uint64_t connections(const Schedule *s, int v)
{
    const Class *k = class_of(s, v);
    g_autofree bool *met = g_new0(bool, s->p);
    uint64_t n = 0;
    uint32_t rounds = 1;
    for (uint32_t i = 0; i < k->n_ops; i++) {
        const Op *op = &k->ops[i];
        for (uint32_t j = i + 1; j <= i + 4 && j < k->n_ops; j++) // is i in the body of a loop?
            if (k->ops[j].kind == OP_LOOP && (uint32_t)k->ops[j].to >= j - i)
                rounds = (uint32_t)k->ops[j].out.bytes;
        for (uint32_t round = 0; round < rounds; round++) {
            const Stride stride = k->loops ? k->strides[i] : (Stride){0};
            if (op->kind == OP_SEND || op->kind == OP_ISEND || op->kind == OP_SENDRECV)
                met[op_peer(s, v, op, op->to, stride.to, round)] = true;
            if (op->kind == OP_RECV || op->kind == OP_IRECV || op->kind == OP_SENDRECV)
                met[op_peer(s, v, op, op->from, stride.from, round)] = true;
        }
        rounds = 1;
    }
    for (int i = 0; i < s->p; i++)
        n += met[i];
    return n;
}

static void test_connections(void)
{
    for (int i = 0; i < n_algorithms; i++)
        for (int p = 1; p <= 33; p++) {
            const CollectiveInfo *info = &collectives[algorithms[i]->collective];
            const size_t m = algorithms[i]->collective == COLL_BARRIER ? 0 : 24 * (size_t)p;
            Operation op = operation(algorithms[i], p, info->rooted ? p / 2 : 0, m);
            const char *why;
            if (coll_resolve(op.algorithm, &op.c, &why) != op.algorithm)
                continue;
            const Memory memory = memory_of(&op);
            Schedule *s = schedule_record(&op, NULL);
            uint64_t all = 0, most = 0;
            for (int v = 0; v < p; v++) {
                const uint64_t n = connections(s, v);
                all += n;
                most = MAX(most, n);
            }
            g_assert_cmpuint(memory.all.connections, ==, all);
            g_assert_cmpuint(memory.most.connections, ==, most);
            g_assert_cmpuint(memory.root.connections, ==, connections(s, 0));
            schedule_free(s);
        }
}

static void add(void)
{
    g_test_add_func("/memory/published", test_published);
    g_test_add_func("/memory/scratch and copies", test_scratch_and_copies);
    g_test_add_func("/memory/connections", test_connections);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}

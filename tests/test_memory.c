// The memory that a run needs: the figures that the authors of the binomial gatherv published, for every algorithm of
// the registry as many connections as its recorded schedule has, and the segment of shared memory.
#include "engine/schedule/memory.h"
#include "engine/schedule/record.h"
#include "engine/schedule/segment.h"
#include "tap.h"
#include "judge/prove/nodes.h"
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

// ---- The segment of shared memory ----------------------------------------------------------------------------------

static size_t segment(Collective collective, const char *name, int p, size_t m, size_t fragment, int slots)
{
    Operation op = operation(algorithm_find(collective, name), p, 0, m);
    op.c.par.fragment = fragment;
    op.c.par.slots = slots;
    return segment_bytes(&op);
}

// Counted by hand: a flag takes a line of 64 bytes, and so does a queue of two slots of 8 bytes.
static void test_segment(void)
{
    // The root sets 3 cells, and 3 readers free the root's slots. With a counter the root raises 1 flag.
    g_assert_cmpuint(segment(COLL_BCAST, "shm_flat", 4, 20, 8, 2), ==, 64 * (1 + 3 + 3));
    g_assert_cmpuint(segment(COLL_BCAST, "shm_flat_counter", 4, 20, 8, 2), ==, 64 * (1 + 1 + 3));
    // Ranks 1 to 3 have a queue and a flag for it, and the root has a flag for each of these queues.
    g_assert_cmpuint(segment(COLL_REDUCE, "shm_flat", 4, 20, 8, 2), ==, 64 * (3 + 3 + 3));
    g_assert_cmpuint(segment(COLL_ALLREDUCE, "shm_flat", 4, 20, 8, 2), ==, 64 * (4 + 3 + 3 + 3));
    // Only slots that are used count, but they count whole.
    g_assert_cmpuint(segment(COLL_BCAST, "shm_flat", 8, 8, 8192, 8), ==, 8192 + 64 * 14);
    g_assert_cmpuint(segment(COLL_BCAST, "shm_flat", 8, 8193, 8192, 8), ==, 2 * 8192 + 64 * 14);
    g_assert_cmpuint(segment(COLL_BCAST, "shm_flat", 8, 1 << 20, 8192, 8), ==, 8 * 8192 + 64 * 14);
    g_assert_cmpuint(segment(COLL_BCAST, "shm_flat", 1, 8, 8192, 8), ==, 0);
    g_assert_cmpuint(segment(COLL_BCAST, "binomial", 8, 8, 8192, 8), ==, 0);
}

typedef struct LayoutCheck {
    CollRun run; // must be the first member
    const SegmentLayout *layout;
    int rank, slots, flags; // how many were looked at
} LayoutCheck;

static void check_slot(LayoutCheck *k, const Slice *s)
{
    if (!is_slot(*s))
        return;
    const size_t *queue = k->layout->queue + slot_owner(*s);
    g_assert_cmpuint(queue[0] + s->off + s->len, <=, queue[1]);
    k->slots++;
}

static void check_place(CollRun *run, const CollIssue *op)
{
    LayoutCheck *k = (LayoutCheck *)run;
    check_slot(k, op->in);
    check_slot(k, op->out);
    check_slot(k, op->right);
    if (op->kind != COLL_RAISE && op->kind != COLL_AWAIT)
        return;
    const int who = op->kind == COLL_RAISE ? k->rank : op->from;
    g_assert_cmpuint(segment_flag(k->layout, op->to, who), <, k->layout->queue[0]);
    k->flags++;
}

// Every slot and flag of every text has its place, and no two flags have the same.
static void test_layout(void)
{
    LayoutCheck k = {.slots = 0};
    coll_run_init(&k.run, check_place);
    for (int i = 0; i < n_algorithms; i++)
        for (int p = 1; algorithms[i]->shared && p <= 9; p++) {
            Operation op = operation(algorithms[i], p, collectives[algorithms[i]->collective].rooted ? p / 2 : 0, 100);
            op.c.par.fragment = op.c.par.fragment > 0 ? 8 : 0; // a text whose buffers are lent has neither
            op.c.par.slots = op.c.par.slots > 0 ? 3 : 0;
            SegmentLayout *layout = segment_layout(&op);
            k.layout = layout;
            for (k.rank = 0; k.rank < p; k.rank++) {
                const Coll view = coll_make(op.algorithm->collective, &op.c, k.rank, op.m, &k.run);
                coll_run_reset(&k.run);
                op.algorithm->run(&view);
            }
            for (size_t f = 1; f < layout->n_flags; f++)
                g_assert_cmpuint(layout->flags[f - 1], <, layout->flags[f]);
            g_assert_cmpuint(layout->bytes, ==, segment_bytes(&op));
            g_assert_cmpuint(layout->bytes % SEGMENT_LINE, ==, 0);
            segment_layout_free(layout);
        }
    g_assert_cmpint(k.slots, >, 1000);
    g_assert_cmpint(k.flags, >, 1000);
    coll_run_clear(&k.run);
}

// At p = 32, the lengths that the root broadcasts first travel over the tree of the gather, which then has no other
// connections: p-1 messages, each counted at both ends. Open MPI's tree shares only some of these connections.
static void test_lengths(void)
{
    Operation op = operation(algorithm_find(COLL_GATHERV, "binomial"), 32, 0, 8);
    g_assert_cmpint(op.c.par.choice, ==, LEVEL_CONSERVATIVE);
    g_assert_cmpint(op.c.par.lengths, ==, LENGTHS_FAR);
    g_assert_cmpuint(memory_of(&op).all.connections, ==, 62);
    op.c.par.lengths = LENGTHS_NEAR;
    g_assert_cmpuint(memory_of(&op).all.connections, ==, 114);
    op.c.par.lengths = LENGTHS_MPICH; // 264 bytes, which MPICH sends down the tree of the gather
    g_assert_cmpuint(memory_of(&op).all.connections, ==, 62);
    // It scatters 16,392 bytes, and collects them by recursive doubling if p is a power of two. 12,280 bytes are the
    // most that go down the tree, and 12,296 bytes travel around a ring.
    const struct {
        int p;
        uint64_t connections;
    } many[] = {{2048, 2048 * 11}, {1534, 2 * 1533}};
    for (size_t i = 0; i < G_N_ELEMENTS(many); i++) {
        op = operation(algorithm_find(COLL_GATHERV, "binomial"), many[i].p, 0, 8);
        op.c.par.lengths = LENGTHS_MPICH;
        g_assert_cmpuint(memory_of(&op).all.connections, ==, many[i].connections);
    }
    op = operation(algorithm_find(COLL_GATHERV, "binomial"), 1536, 0, 8);
    const uint64_t tree = memory_of(&op).all.connections;
    op.c.par.lengths = LENGTHS_MPICH;
    g_assert_cmpuint(memory_of(&op).all.connections, >, tree + 1024);
}

// The blocks of ranks 0 to 3 touch, and those of 5 to 7. The block of rank 4 is left over: it comes through scratch, and
// is copied like the root's own. The block of rank 1 is all that its sender has, and goes straight into place.
static void test_left_over(void)
{
    static const size_t len[] = {8, 8, 8, 8, 8, 8, 8, 8}, at[] = {0, 8, 16, 24, 40, 56, 64, 72, 80};
    const CollCounts counts = {len, at};
    Operation op = {.algorithm = algorithm_find(COLL_GATHERV, "binomial_chains"), .m = 8};
    const Coll all = {
        .p = 8, .elem = 1, .commutative = true, .counts = &counts, .par = algorithm_defaults(op.algorithm)};
    op.c = coll_make(COLL_GATHERV, &all, 0, 8, NULL);
    op.c.par.choice = LEVEL_AGGRESSIVE;
    g_assert_cmpuint(memory_of(&op).root.copied, ==, 16);
    g_assert_cmpuint(memory_of(&op).root.scratch, ==, 8);
}

static void add(void)
{
    g_test_add_func("/memory/published", test_published);
    g_test_add_func("/memory/scratch and copies", test_scratch_and_copies);
    g_test_add_func("/memory/connections", test_connections);
    g_test_add_func("/memory/segment", test_segment);
    g_test_add_func("/memory/layout", test_layout);
    g_test_add_func("/memory/lengths", test_lengths);
    g_test_add_func("/memory/left over", test_left_over);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}

// Message matrices: over the registry, every cell and every level has what the messages of all ranks, one by one, sum up
// to; larger cells have the sums of smaller ones; and the whole is what `run` counts.
#include "api/make.h"
#include "judge/prove/nodes.h"
#include "only.h"
#include "registry/composition.h"
#include "engine/schedule/record.h"
#include "tap.h"
#include "engine/trace/matrix.h"
#include <string.h>

// Adds the messages of v to `cell`, one operation after the other and round by round.
static void walk(const Schedule *s, int v, MatrixSum *cell)
{
    static const Stride none;
    const Class *k = class_of(s, v);
    uint32_t round = 0;
    for (uint32_t pc = 0; k->ops[pc].kind != OP_END; pc++) {
        const Op *op = &k->ops[pc];
        const Stride *d = k->loops ? &k->strides[pc] : &none;
        if (op->kind == OP_LOOP) {
            round = round + 1 < op->out.bytes ? round + 1 : 0;
            pc -= round ? (uint32_t)op->to + 1 : 0;
            continue;
        }
        if (op->kind != OP_SEND && op->kind != OP_ISEND && op->kind != OP_SENDRECV)
            continue;
        const int peer = rank_of(s, op_peer(s, v, op, op->to, d->to, round));
        MatrixSum *x = &cell[rank_of(s, v) * s->p + peer];
        x->messages++;
        x->bytes += length_of(s, v, op->out_cut, op->out, d->out, round);
    }
}

// Each cell has the sum of what its ranks send each other.
static void check_cells(const char *what, const Matrix *x, const MatrixSum *each)
{
    g_autofree MatrixSum *due = g_new0(MatrixSum, x->n * x->n);
    for (int from = 0; from < x->p; from++)
        for (int to = 0; to < x->p; to++) {
            MatrixSum *sum = &due[from / x->width * x->n + to / x->width];
            sum->messages += each[from * x->p + to].messages;
            sum->bytes += each[from * x->p + to].bytes;
        }
    if (memcmp(due, x->cell, sizeof(MatrixSum) * (size_t)(x->n * x->n)) != 0)
        g_error("%s: %d cells of %d ranks have other sums than the messages", what, x->n, x->width);
}

// Each level has the sum of the messages that stay in its units and leave those inside.
static void check_levels(const char *what, const Matrix *x, const Mapping *map, const MatrixSum *each)
{
    MatrixSum due[LEVELS_MOST] = {{0}};
    for (int from = 0; from < x->p; from++)
        for (int to = 0; to < x->p; to++) {
            MatrixSum *sum = &due[mapping_level(map, from, to)];
            sum->messages += each[from * x->p + to].messages;
            sum->bytes += each[from * x->p + to].bytes;
        }
    g_assert_cmpint(x->n_levels, ==, map->n_levels);
    for (int i = 0; i < x->n_levels; i++)
        if (memcmp(&due[i], &x->level[i].sum, sizeof due[i]) != 0)
            g_error("%s: level %s has other sums than the messages", what, x->level[i].name);
}

// The maps: consecutive ranks, and ranks that are dealt out.
static const MapSpec maps[] = {{.kind = MAP_BLOCK, .k = 4}, {.kind = MAP_CYCLIC, .k = 4}};

static bool check(const CollAlgorithm *a, int p, int root, size_t m, const Levels *levels)
{
    Operation op = {
        .algorithm = a, .c = {.p = p, .root = root, .elem = 1, .commutative = true, .nodes = nodes_of(p, 4)}, .m = m};
    op.c.par = algorithm_defaults(a);
    Coll c = coll_make(a->collective, &op.c, 0, m, NULL);
    const char *why;
    if (coll_resolve(a, &c, &why) != a)
        return false;
    g_autofree char *what =
        g_strdup_printf("%s %s, p = %d, root %d, m = %zu", collectives[a->collective].name, a->name, p, root, m);
    Schedule *s = schedule_record(&op, NULL), *unordered = schedule_record(&op, &(RecordOptions){.unordered = true});
    g_autofree MatrixSum *each = g_new0(MatrixSum, p * p);
    for (int v = 0; v < p; v++)
        walk(s, v, each);
    const Totals totals = schedule_totals(s);
    for (size_t i = 0; i < G_N_ELEMENTS(maps); i++) {
        g_autoptr(Mapping) map = mapping_new(&maps[i], levels, p, NULL);
        static const int most[] = {MATRIX_CELLS, 7, 3, 1};
        for (size_t k = 0; k < G_N_ELEMENTS(most); k++) {
            g_autoptr(Matrix) x = matrix_of_schedule(unordered, map, levels, most[k]);
            g_assert_cmpuint(x->all.messages, ==, totals.messages);
            g_assert_cmpuint(x->all.bytes, ==, totals.bytes_sent);
            g_assert_cmpint(x->n, <=, most[k]);
            check_cells(what, x, each);
            check_levels(what, x, map, each);
        }
    }
    schedule_free(unordered);
    schedule_free(s);
    return true;
}

static void test_registry(void)
{
    static const int ranks[] = {9, 12, 16, 33};
    Levels levels;
    levels_init(&levels);
    levels_add(&levels, "socket", 2);
    levels_add(&levels, "node", 4);
    int64_t n = 0;
    for (int i = only_first(); i < only_end(); i++)
        for (size_t k = 0; k < G_N_ELEMENTS(ranks); k++) {
            const CollAlgorithm *a = algorithms[i];
            const size_t p = (size_t)ranks[k], sizes[] = {7 * p + 3, 2 * p - 1};
            const bool barrier = a->collective == COLL_BARRIER;
            for (size_t j = 0; j < (barrier ? 1 : G_N_ELEMENTS(sizes)) && !a->shared; j++) {
                const int root = collectives[a->collective].rooted ? (int)(p / 3 * j) : 0;
                n += check(a, ranks[k], root, barrier ? 0 : sizes[j], &levels);
            }
        }
    levels_clear(&levels);
    only_visited(n);
}

// Returns the schedule of an algorithm on p ranks. Free with schedule_free.
static Schedule *schedule_of(Collective collective, const char *name, int p, size_t m)
{
    for (int i = 0; i < n_algorithms; i++) {
        const CollAlgorithm *a = algorithms[i];
        if (a->collective != collective || strcmp(a->name, name) != 0)
            continue;
        const Coll c = {.p = p, .elem = 1, .commutative = true, .par = algorithm_defaults(a)};
        return schedule_record(&(Operation){.algorithm = a, .c = c, .m = m}, NULL);
    }
    g_assert_not_reached();
}

// Ranks that exchange messages in pairs send each other the same.
static void test_symmetric(void)
{
    static const int ranks[] = {8, 64, 1024};
    for (size_t k = 0; k < G_N_ELEMENTS(ranks); k++) {
        Schedule *s = schedule_of(COLL_ALLREDUCE, "recursive_doubling", ranks[k], 40);
        g_autoptr(Matrix) x = matrix_of_schedule(s, NULL, NULL, 64);
        for (int i = 0; i < x->n * x->n; i++)
            g_assert_true(memcmp(&x->cell[i], &x->cell[i % x->n * x->n + i / x->n], sizeof(MatrixSum)) == 0);
        g_assert_cmpint(x->n_levels, ==, 0);
        schedule_free(s);
    }
}

// In a ring all but the last cell send each other alike: all messages but one of a cell stay in it.
static void test_ring(void)
{
    Schedule *s = schedule_of(COLL_ALLGATHER, "ring", 1000, 8);
    g_autoptr(Matrix) x = matrix_of_schedule(s, NULL, NULL, 64);
    g_assert_cmpint(x->width, ==, 16);
    g_assert_cmpint(x->n, ==, 63); // the last one has 8 ranks
    for (int from = 0; from < x->n; from++)
        for (int to = 0; to < x->n; to++) {
            const uint64_t links = to == (from + 1) % x->n ? 1 : to != from ? 0 : from + 1 < x->n ? 15 : 7;
            g_assert_cmpuint(x->cell[from * x->n + to].messages, ==, 999 * links);
            g_assert_cmpuint(x->cell[from * x->n + to].bytes, ==, 999 * 8 * links);
        }
    schedule_free(s);
}

// Returns how many ranks a cell has on nodes of k ranks each.
static int width_on(int p, int k, int most)
{
    const MapSpec spec = {.kind = MAP_BLOCK, .k = k};
    g_autoptr(Mapping) map = mapping_new(&spec, NULL, p, NULL);
    Schedule *s = schedule_of(COLL_BCAST, "binomial", p, 8);
    g_autoptr(Matrix) x = matrix_of_schedule(s, map, NULL, most);
    schedule_free(s);
    return x->width;
}

// Cells end where nodes do if that takes at most half as many ranks more.
static void test_widths(void)
{
    g_assert_cmpint(width_on(64, 8, 64), ==, 1);
    g_assert_cmpint(width_on(4608, 48, 64), ==, 96);
    g_assert_cmpint(width_on(4608, 48, 96), ==, 48);
    g_assert_cmpint(width_on(128, 16, 20), ==, 8);
    g_assert_cmpint(width_on(141, 47, 64), ==, 3);
    g_assert_cmpint(width_on(5, 2, 1), ==, 6);
}

static void test_goal(void)
{
    g_autoptr(Goal) goal = goal_new(3);
    goal_add(goal, 0, GOAL_SEND, 8, 2, 0);
    goal_add(goal, 1, GOAL_CALC, 100, 0, 0);
    goal_add(goal, 2, GOAL_RECV, 8, 0, 0);
    g_autoptr(Matrix) x = matrix_of_goal(goal, 2, NULL);
    g_assert_cmpint(x->n, ==, 2);
    g_assert_cmpuint(x->cell[1].messages, ==, 1);
    g_assert_cmpuint(x->all.bytes, ==, 8);
    goal_add(goal, 2, GOAL_SEND, (uint64_t)1 << 62, 0, 0);
    g_autoptr(GError) error = NULL;
    g_assert_null(matrix_of_goal(goal, 2, &error));
    g_assert_nonnull(error);
}

static void add(void)
{
    g_test_add_func("/matrix/registry", test_registry);
    g_test_add_func("/matrix/symmetric", test_symmetric);
    g_test_add_func("/matrix/ring", test_ring);
    g_test_add_func("/matrix/widths", test_widths);
    g_test_add_func("/matrix/goal", test_goal);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}

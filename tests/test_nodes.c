// Nodes: their parts against plain definitions, and the nodes that groups of ranks have.
#include "judge/prove/contents.h"
#include "judge/prove/nodes.h"
#include "sample.h"
#include "tap.h"
#include <string.h>
#include "registry/composition.h"
#include "registry/registry.h"
#include "api/communicate.h"

static const NodesKind kinds[] = {NODES_BLOCK, NODES_CYCLIC, NODES_RUNS, NODES_RANDOM};

// ---- The nodes of all ranks -----------------------------------------------------------------------------------------

// Checks which ranks a node, or a lane, has, and which numbers these have in it.
static void check_members(const CollNodes *x, int p)
{
    for (int rank = 0; rank < p; rank++) {
        int below = 0, lane = 0;
        for (int other = 0; other < p; other++) {
            const bool same_lane = x->local[other] == x->local[rank];
            below += x->of[other] == x->of[rank] && other < rank;
            lane += same_lane && x->of[other] < x->of[rank];
        }
        g_assert_cmpint(x->local[rank], ==, below);
        g_assert_cmpint(x->member[x->first[x->of[rank]] + below], ==, rank);
        g_assert_cmpint(coll_nodes_in_lane(x, rank), ==, lane);
        g_assert_cmpint(coll_nodes_lane_rank(x, below, lane), ==, rank);
    }
}

// Checks what is said of all nodes: the sizes, and whether the nodes are equal, runs of ranks, or blocks.
static void check_whole(const CollNodes *x, int p)
{
    int equal = coll_nodes_size(x, 0), block = equal, largest = 0, sizes = 0;
    bool ordered = true;
    for (int node = 0; node < x->n; node++) {
        const int size = coll_nodes_size(x, node);
        bool is_new = true;
        for (int before = 0; before < node; before++)
            is_new &= coll_nodes_size(x, before) != size;
        if (is_new)
            g_assert_cmpint(x->sized[sizes++], ==, node);
        largest = MAX(largest, size);
        equal = size == equal ? equal : 0;
    }
    for (int rank = 0; rank < p; rank++) {
        ordered &= x->member[rank] == rank;
        block = block && x->of[rank] == rank / block ? block : 0;
    }
    g_assert_cmpint(x->first[x->n], ==, p);
    g_assert_cmpint(x->n_sizes, ==, sizes);
    g_assert_cmpint(coll_nodes_equal(x), ==, equal);
    g_assert_cmpint(coll_nodes_block(x), ==, block);
    g_assert_true(x->ordered == ordered);
    for (int lane = 0; lane < largest; lane++) {
        int n = 0;
        for (int node = 0; node < x->n; node++)
            n += lane < coll_nodes_size(x, node);
        g_assert_cmpint(coll_nodes_lane_size(x, lane), ==, n);
    }
}

static void test_parts(void)
{
    int irregular = 0;
    for (size_t kind = 0; kind < G_N_ELEMENTS(kinds); kind++)
        for (int p = 1; p <= 33; p++)
            for (int k = 1; k <= 9; k++) {
                const CollNodes *x = nodes_kept(kinds[kind], p, k);
                check_members(x, p);
                check_whole(x, p);
                irregular += x->n_sizes > 2 && !x->ordered;
            }
    g_assert_cmpint(irregular, >, 100);
}

// ---- Groups ---------------------------------------------------------------------------------------------------------

static int backwards(const Coll *up, int i)
{
    return up->p - 1 - i;
}
// The ranks that are even, or odd, as the caller is.
static int like_caller(const Coll *up, int i)
{
    return 2 * i + up->rank % 2;
}
static int group_size(const Coll *c)
{
    return (c->p + 1 - c->rank % 2) / 2;
}

static void check_group(const Coll *group, const CollNodes *whole)
{
    const CollNodes *x = coll_nodes(group);
    g_assert_true(coll_nodes(group) == x); // it is kept
    check_members(x, group->p);
    check_whole(x, group->p);
    for (int a = 0, n = 0; a < group->p; a++) {
        for (int b = 0; b < group->p; b++)
            g_assert_true((x->of[a] == x->of[b]) ==
                          (whole->of[coll_world(group, a)] == whole->of[coll_world(group, b)]));
        g_assert_cmpint(x->of[a], <=, n); // numbered in the order of their lowest ranks
        n = MAX(n, x->of[a] + 1);
    }
}

// All ranks of an operation share a run here, as in the recorder: a rank must not get the nodes of another's group.
static void test_groups(void)
{
    for (size_t kind = 0; kind < G_N_ELEMENTS(kinds); kind++)
        for (int p = 2; p <= 33; p++) {
            const CollNodes *nodes = nodes_kept(kinds[kind], p, 3);
            CollRun run;
            coll_run_init(&run, NULL);
            for (int rank = 0; rank < p; rank++) {
                const Coll all = {.p = p, .rank = rank, .nodes = nodes, .run = &run};
                const Coll half = coll_sub(&all, group_size(&all), rank / 2, like_caller);
                const Coll turned = coll_sub(&half, half.p, half.p - 1 - half.rank, backwards);
                g_assert_null(half.nodes);
                g_assert_true(coll_nodes(&all) == nodes);
                check_group(&turned, nodes); // it needs those of `half`, which nobody has asked for
                check_group(&half, nodes);
            }
            int kept = 0;
            for (const struct CollGroupNodes *at = run.groups; at; at = at->next)
                kept++;
            g_assert_cmpint(kept, ==, 4); // not one for each rank
            coll_run_clear(&run);
        }
}

static int made; // how many tables, for test_tables

static void make_sizes(const Coll *c, CollKey key, int *size)
{
    made++;
    for (int i = 0; i < c->nodes->n; i++)
        size[i] = coll_nodes_size(c->nodes, i) + (int)(key.first + 100 * key.second);
}

static void make_lengths(const Coll *c, CollKey key, size_t *length)
{
    made++;
    for (int i = 0; i < c->p; i++)
        length[i] = key.first * (size_t)c->nodes->local[i] + key.second;
}

static void make_ranks(int p, int *rank)
{
    made++;
    for (int i = 0; i < p; i++)
        rank[i] = -i;
}

// Checks that views of these nodes get tables for the key that `fresh` says are new, or are those that were made before.
static void check_table(CollRun *run, const CollNodes *nodes, CollKey key, int p, bool fresh)
{
    const int before = made;
    for (int rank = 0; rank < p; rank++) {
        const Coll c = {.p = p, .rank = rank, .nodes = nodes, .run = run};
        const int *size = coll_nodes_table(&c, make_sizes, key, (size_t)nodes->n);
        const size_t *length = coll_nodes_sizes(&c, make_lengths, key, (size_t)p);
        g_assert_cmpint(size[nodes->of[rank]], ==,
                        coll_nodes_size(nodes, nodes->of[rank]) + (int)(key.first + 100 * key.second));
        g_assert_cmpuint(length[rank], ==, key.first * (size_t)nodes->local[rank] + key.second);
    }
    g_assert_cmpint(made - before, ==, 2 * fresh);
}

// All ranks share a table of the nodes and a key, nodes of the same p have one each, and a run that forgets nodes keeps
// only tables of p.
static void test_tables(void)
{
    CollRun run;
    coll_run_init(&run, NULL);
    const CollNodes *two = nodes_kept(NODES_BLOCK, 9, 2), *four = nodes_kept(NODES_BLOCK, 9, 4);
    const Coll c = {.p = 9, .run = &run};
    const int *ranks = coll_table(&c, make_ranks, 9, 9);
    for (int again = 0; again < 2; again++) {
        check_table(&run, two, (CollKey){0}, 9, true);
        check_table(&run, four, (CollKey){0}, 9, true);
        check_table(&run, two, (CollKey){3, 0}, 9, true);
        check_table(&run, two, (CollKey){3, 8}, 9, true);
        check_table(&run, two, (CollKey){0}, 9, false);
        const int before = made;
        g_assert_true(coll_table(&c, make_ranks, 9, 9) == ranks && made == before);
        coll_run_forget(&run);
    }
    coll_run_clear(&run);
}

static void test_unknown(void)
{
    const Coll all = {.p = 4}, group = coll_sub(&all, 4, 0, backwards);
    g_assert_null(coll_nodes(&all));
    g_assert_null(coll_nodes(&group));
}

// ---- A hierarchical algorithm in a group ----------------------------------------------------------------------------

// Even and odd ranks reduce among themselves; then each rank exchanges its sum with its neighbour.
static void in_halves(const Coll *c)
{
    Coll half = coll_sub(c, c->p / 2, c->rank / 2, like_caller);
    const Slice other = coll_scratch(c, c->out.len);
    coll_call(&half, &allreduce_smp_algorithm);
    coll_sendrecv(c, c->rank ^ 1, c->out, c->rank ^ 1, other);
    coll_reduce(c, c->out, c->out, other);
}

// Returns true if the rank is the lowest of its node in its half.
static bool leads(const CollNodes *nodes, int rank)
{
    bool leader = true;
    for (int other = rank % 2; other < rank; other += 2)
        leader &= nodes->of[other] != nodes->of[rank];
    return leader;
}

// In a group, too, only leaders send to other nodes.
static void test_smp(void)
{
    const CollAlgorithm algorithm = {.collective = COLL_ALLREDUCE, .name = "halves", .run = in_halves};
    int grouped = 0;
    for (size_t kind = 0; kind < G_N_ELEMENTS(kinds); kind++)
        for (int p = 4; p <= 32; p += 2) {
            const CollNodes *nodes = nodes_kept(kinds[kind], p, 5);
            const ContentsCase x = {
                .algorithm = &algorithm, .p = p, .m = 24, .elem = 8, .commutative = true, .nodes = nodes};
            Contents *c = contents_record(&x);
            g_autofree char *error = contents_error(c);
            g_assert_cmpstr(error, ==, NULL);
            for (int rank = 0; rank < p; rank++)
                for (int i = 0; i < c->rank[rank].n; i++) {
                    const CollOp *op = &c->rank[rank].op[i];
                    if (!contents_sends(op) || op->to == (rank ^ 1))
                        continue;
                    g_assert_true(nodes->of[op->to] == nodes->of[rank] || leads(nodes, rank));
                    grouped += nodes->of[op->to] == nodes->of[rank];
                }
            contents_free(c);
        }
    g_assert_cmpint(grouped, >, 500);
}

// ---- Levels inside and outside the nodes ----------------------------------------------------------------------------

// Returns nodes whose number for a rank is unit[rank].
static CollNodes *numbered(int p, const int *unit)
{
    g_autofree int *of = g_new(int, p), *number = g_new(int, 4 * p);
    int n = 0;
    memset(number, 0xff, 4 * (size_t)p * sizeof *number);
    for (int rank = 0; rank < p; rank++) {
        if (number[unit[rank]] < 0)
            number[unit[rank]] = n++;
        of[rank] = number[unit[rank]];
    }
    return coll_nodes_new(p, of);
}

// Makes nodes of about 4 ranks, with two levels inside and one outside; in blocks, or drawn at random.
static CollNodes *nested(int p, GRand *random)
{
    g_autofree int *unit = g_new(int, p);
    CollNodes *level[4]; // core complexes, sockets, nodes, groups
    for (int rank = 0; rank < p; rank++)
        unit[rank] = random ? g_rand_int_range(random, 0, p) : rank;
    for (int k = 0; k < 4; k++) {
        for (int rank = 0; rank < p; rank++)
            unit[rank] /= 2;
        level[k] = numbered(p, unit);
    }
    level[2]->inner = level[1];
    level[1]->inner = level[0];
    level[2]->outer = level[3];
    return level[2];
}

static void check_nested(const CollAlgorithm *a, const CollParams *par, int p, int root, size_t m,
                         const CollNodes *nodes)
{
    const ContentsCase x = {.algorithm = a,
                            .p = p,
                            .root = root,
                            .m = a->collective == COLL_BARRIER ? 0 : m,
                            .elem = 1, // a signal has one byte

                            .commutative = true,
                            .nodes = nodes,
                            .par = *par};
    const CollAlgorithm *ran;
    g_autofree char *wrong = contents_check(&x, &ran), *params = params_text(a, par);
    if (wrong)
        g_error("%s %s %s p %d root %d: %s", collectives[a->collective].name, a->name, params, p, root, wrong);
}

// Sets every part of the algorithm to the algorithm of this name, where the collective has one.
static CollParams all_parts(const CollAlgorithm *a, const char *name)
{
    CollParams par = algorithm_defaults(a);
    for (int i = 0; i < algorithm_n_params(a); i++)
        for (int k = 0; a->params[i].kind == PARAM_ALGORITHM && k < n_algorithms; k++)
            if (algorithms[k]->collective == a->params[i].of && strcmp(algorithms[k]->name, name) == 0)
                param_set(&a->params[i], &par, k);
    return par;
}

// Every composition over nodes computes its collective if its parts group ranks as well, on four levels.
static void test_nested(void)
{
    int runs = 0;
    GRand *random = g_rand_new_with_seed(20261123);
    for (int p = 5; p <= 40; p += 5)
        for (int drawn = 0; drawn < 3; drawn++) {
            CollNodes *nodes = nested(p, drawn ? random : NULL);
            for (int i = 0; i < n_algorithms; i++) {
                const CollAlgorithm *a = algorithms[i];
                const bool groups = algorithm_needs_nodes(a);
                const CollParams par = all_parts(a, "smp");
                for (int root = 0; groups && root < (collectives[a->collective].rooted ? p : 1); root += 7)
                    if (sample_takes((guint)runs++, 12))
                        check_nested(a, &par, p, root, 40, nodes);
            }
            coll_nodes_free(nodes);
        }
    g_rand_free(random);
    g_assert_cmpint(runs, >, 600);
}

// Every composition computes its collective with any algorithm as a part, also where its blocks differ in length: 4 does
// not divide 41, nor what a node has of it.
static void test_uneven(void)
{
    int runs = 0;
    CollNodes *nodes = coll_nodes_blocks(16, 4);
    for (int i = 0; i < n_algorithms; i++)
        for (int n = 0; n < algorithm_n_params(algorithms[i]); n++) {
            const CollParam *param = &algorithms[i]->params[n];
            CollParams par = algorithm_defaults(algorithms[i]);
            for (int k = 0; param->kind == PARAM_ALGORITHM && k < n_algorithms; k++)
                if (param_allows(param, k)) {
                    param_set(param, &par, k);
                    if (sample_takes((guint)runs++, 12))
                        check_nested(algorithms[i], &par, 16, 0, 41, nodes);
                }
        }
    coll_nodes_free(nodes);
    g_assert_cmpint(runs, >, 1000);
}

// On 16 ranks in sockets of 2, nodes of 4 and groups of 8, three levels of smp have one rank of each unit for its
// messages to others, so 15 messages of a broadcast are 1 between groups, 2 between nodes, 4 between sockets, and 8.
static void test_levels(void)
{
    static const int expected[] = {8, 4, 2, 1};
    CollNodes *nodes = coll_nodes_blocks(16, 4);
    nodes->inner = coll_nodes_blocks(16, 2);
    nodes->outer = coll_nodes_blocks(16, 8);
    for (int root = 0; root < 16; root++) {
        const CollParams par = all_parts(&bcast_smp_algorithm, "smp");
        const ContentsCase x = {.algorithm = &bcast_smp_algorithm,
                                .p = 16,
                                .root = root,
                                .m = 8,
                                .elem = 8,
                                .commutative = true,
                                .nodes = nodes,
                                .par = par};
        Contents *c = contents_record(&x);
        int count[4] = {0};
        for (int rank = 0; rank < 16; rank++)
            for (int j = 0; j < c->rank[rank].n; j++) {
                const CollOp *op = &c->rank[rank].op[j];
                if (contents_sends(op))
                    count[rank / 2 == op->to / 2 ? 0 : rank / 4 == op->to / 4 ? 1 : rank / 8 == op->to / 8 ? 2 : 3]++;
            }
        contents_free(c);
        for (int k = 0; k < 4; k++)
            g_assert_cmpint(count[k], ==, expected[k]);
    }
    coll_nodes_free(nodes);
}

// ---- The branches of MPICH's broadcast ------------------------------------------------------------------------------

// Returns true if two ranks make the same messages, one after the other.
static bool alike(const ContentsRank *x, const ContentsRank *y)
{
    bool same = x->n == y->n;
    for (int i = 0; same && i < x->n; i++)
        same = x->op[i].kind == y->op[i].kind && x->op[i].to == y->op[i].to && x->op[i].from == y->op[i].from;
    return same;
}

// Each branch sends the messages of the entry that it is, computes the broadcast, and begins at its size.
static void test_branches(void)
{
    static const struct {
        int p;
        size_t m;
        const char *branch;
    } cases[] = {
        {8, 12224, "ch4_alpha"},
        {8, 12288, "ch4_beta"},
        {7, 12288, "ch4_alpha"},
        {7, 524288, "ch4_alpha"},
        {8, 524224, "ch4_beta"},
        {8, 524288, "scatter_ring_allgather"},
        {16, 524224, "ch4_beta"},
        {12, 12224, "ch4_alpha"},
        {12, 12288, "scatter_ring_allgather"},
        {9, 64, "ch4_alpha"},
        {9, 12288, "scatter_ring_allgather"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        for (int root = 0; root < cases[i].p; root += 3) {
            const CollAlgorithm *branch = algorithm_find(COLL_BCAST, cases[i].branch), *ran;
            ContentsCase x = {.algorithm = &bcast_mpich_smp_algorithm,
                              .p = cases[i].p,
                              .root = root,
                              .m = cases[i].m,
                              .elem = 64,
                              .nodes = nodes_of(cases[i].p, 4),
                              .par = algorithm_defaults(&bcast_mpich_smp_algorithm)};
            g_autofree char *wrong = contents_check(&x, &ran);
            g_assert_cmpstr(wrong, ==, NULL);
            Contents *ours = contents_record(&x);
            x.algorithm = branch;
            x.par = algorithm_defaults(branch);
            Contents *theirs = contents_record(&x);
            for (int rank = 0; rank < x.p; rank++)
                g_assert_true(alike(&ours->rank[rank], &theirs->rank[rank]));
            contents_free(ours);
            contents_free(theirs);
        }
}

static void add(void)
{
    g_test_add_func("/nodes/parts", test_parts);
    g_test_add_func("/nodes/groups", test_groups);
    g_test_add_func("/nodes/tables", test_tables);
    g_test_add_func("/nodes/unknown", test_unknown);
    g_test_add_func("/nodes/smp in a group", test_smp);
    g_test_add_func("/nodes/branches", test_branches);
    g_test_add_func("/nodes/levels/contents", test_nested);
    g_test_add_func("/nodes/uneven", test_uneven);
    g_test_add_func("/nodes/levels/messages", test_levels);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}

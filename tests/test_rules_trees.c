// Tuning files of MPICH: what a tree makes the library run, and which traps are found. The sample in
// tests/golden/rules-mpich.txt says what MPICH 4.0.2 did with random files: what its calls ran, and whether it survived.
#include "libraries/decide/rules_call.h"
#include "rules_trees.h"
#include "sample.h"
#include "tap.h"
#include "trap_cases.h"
#include <string.h>

// ---- What runs -----------------------------------------------------------------------------------------------------

static const char *runs(const RulesFile *file, Collective collective, int p, size_t bytes)
{
    const DecideCall decide = {.collective = collective, .p = p, .m = bytes, .elem = 4, .commutative = TRUE};
    const RuleCall call = selection_call(&decide);
    const SelectionRun run = selection_run(file->selection, &call);
    return run.ends ? "ends" : tables_short_name(run.row->algorithm->function);
}

#define LEAF(name)     "{\"algorithm=MPIR_Bcast_intra_" name "\": {}}"
#define BINOMIAL       LEAF("binomial")
#define RING           LEAF("scatter_ring_allgather")
#define DOUBLING       LEAF("scatter_recursive_doubling_allgather")
#define COMPOSED(name) "{\"composition=MPIDI_" name "\": {}}"
#define GAMMA          COMPOSED("Bcast_intra_composition_gamma")
#define BCAST(in)      "{\"collective=bcast\":\n" in "}"

static void test_search(void)
{
    // Thresholds of ranks and bytes, and a power of two between them.
    static const char text[] =
        BCAST("{\"comm_size<4\": " BINOMIAL ",\n\"comm_size=pow2\": {\"avg_msg_size<=64\": " BINOMIAL
              ", \"avg_msg_size<100\": " RING ", \"avg_msg_size=any\": " DOUBLING "},\n"
              "\"comm_size=any\": " RING "}");
    static const struct {
        int p;
        size_t bytes;
        const char *name;
    } cases[] = {{2, 1000, "binomial"},
                 {3, 1000, "binomial"},
                 {4, 64, "binomial"},
                 {4, 68, "scatter_ring_allgather"},
                 {4, 96, "scatter_ring_allgather"},
                 {4, 100, "scatter_recursive_doubling_allgather"},
                 {64, 4000, "scatter_recursive_doubling_allgather"},
                 {5, 4, "scatter_ring_allgather"}};
    for (LibraryId id = LIBRARY_MPICH_40; id <= LIBRARY_MPICH_43; id++) {
        g_autoptr(RulesFile) file = trap_read(text, id);
        for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
            g_assert_cmpstr(runs(file, COLL_BCAST, cases[i].p, cases[i].bytes), ==, cases[i].name);
        g_assert_cmpstr(runs(file, COLL_BARRIER, 4, 0), ==, "ends");
    }
}

// comm_size<N is < while the communicator is made, and <= behind a condition about messages.
static void test_strict(void)
{
    g_autoptr(RulesFile) above =
        trap_read(BCAST("{\"comm_size<4\": " BINOMIAL ", \"comm_size=any\": " RING "}"), LIBRARY_MPICH_40);
    g_autoptr(RulesFile) behind =
        trap_read(BCAST("{\"avg_msg_size=any\": {\"comm_size<4\": " BINOMIAL ", \"comm_size=any\": " RING "}}"),
                  LIBRARY_MPICH_40);
    g_assert_cmpstr(runs(above, COLL_BCAST, 4, 8), ==, "scatter_ring_allgather");
    g_assert_cmpstr(runs(behind, COLL_BCAST, 4, 8), ==, "binomial");
    g_assert_cmpstr(runs(behind, COLL_BCAST, 5, 8), ==, "scatter_ring_allgather");
}

// Every call fits exactly one row.
static void test_rows(void)
{
    for (guint32 seed = 1; seed <= 60; seed++) {
        if (!sample_takes(seed - 1, 4))
            continue;
        g_autofree char *text = trees_random(seed);
        g_autoptr(GError) error = NULL;
        g_autoptr(RulesFile) file = rules_parse(text, strlen(text), "tree", &libraries[LIBRARY_MPICH_40], &error);
        g_autoptr(GArray) points = trees_points(seed, TREES_ALONE);
        for (guint i = 0; file && !file->ignored && i < points->len; i++) {
            const RuleCall call = trees_call(&g_array_index(points, TreesPoint, i));
            RuleWhen at = rule_find(selection_rows(file->selection), &call)->when, both;
            const GArray *rows = selection_rows(file->selection);
            int n = 0;
            for (int k = 0; k < SELECT_N_NUMBERS; k++)
                at.numbers[k] = (RuleRange){call.numbers[k], call.numbers[k]};
            for (int k = 0; k < SELECT_N_FLAGS; k++)
                at.flags[k] = call.flags[k] ? 2 : 1;
            at.hierarchies = (guint8)call.hierarchy;
            for (guint k = 0; k < rows->len; k++) {
                const LibraryRule *row = &g_array_index(rows, LibraryRule, k);
                n += (row->collective < 0 || row->collective == call.collective) &&
                     selection_meet(&row->when, &at, &both);
            }
            g_assert_cmpint(n, ==, 1);
        }
    }
}

// ---- Traps ---------------------------------------------------------------------------------------------------------

#define V40  (1u << LIBRARY_MPICH_40)
#define V43  (1u << LIBRARY_MPICH_43)
#define BOTH (V40 | V43)

static const TrapCase traps[] = {
    {"", BOTH, TRAP_START, 1, "the file is empty"},
    {"{", BOTH, TRAP_START, 1, "this is not JSON"},
    {"[]", BOTH, TRAP_START, 1, "not an object"},
    {BCAST("{\"comm_sise<4\": " BINOMIAL "}"), BOTH, TRAP_START, 2, "the key 'comm_sise<4' is unknown"},
    {"{\"collective=cast\": " BINOMIAL "}", BOTH, TRAP_START, 1, "the collective 'collective=cast' is unknown"},
    {BCAST(LEAF("trinomial")), BOTH, TRAP_START, 2, "there is no 'algorithm=MPIR_Bcast_intra_trinomial'"},
    {BCAST(LEAF("tree")), V40, TRAP_START, 2, "there is no 'algorithm=MPIR_Bcast_intra_tree' in MPICH 4.0.2"},
    {BCAST(LEAF("tree")), V43, TRAP_CRASH, 2, "memory that nobody has set, because tree_type is missing"},
    {BCAST("{\"comm_size<4\":\n" BINOMIAL "}"), BOTH, TRAP_START, 2, "'comm_size<4' is the last key of its object"},
    {BCAST("{\"any\": " BINOMIAL "}"), V40, TRAP_START, 2, "the key 'any' is unknown"},
    {BCAST("{\"comm_avg_ppn<4\": " BINOMIAL ", \"comm_size=any\": " RING "}"), V40, TRAP_START, 2, "is unknown"},
    {BCAST("{\"comm_size=any\": " BINOMIAL ",\n\"comm_size<4\": " RING "}"), BOTH, TRAP_START, 3, "a key follows"},
    {BCAST("{\"comm_size=any\": 3}"), BOTH, TRAP_START, 2, "is not an object"},
    {BCAST("{\"comm_size=any\": {}}"), BOTH, TRAP_START, 2, "has nothing inside"},
    {BCAST(BINOMIAL ",\n\"collective=barrier\": {\"composition=MPIDI_Barrier_intra_composition_beta\": {}}"), BOTH,
     TRAP_START, 3, "is for MPIR_CVAR_CH4_COLL"},
    {BCAST(GAMMA ",\n\"collective=barrier\": {\"algorithm=MPIR_Barrier_intra_smp\": {}}"), BOTH, TRAP_START, 3,
     "is for MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE"},
    {BCAST(GAMMA), BOTH, TRAP_CALL, 2, NULL}, // what it lacks, the other tree has
    {BCAST(GAMMA), BOTH, TRAP_START, 2, NULL},
    {BCAST(COMPOSED("Bcast_intra_composition_epsilon")), BOTH, TRAP_START, 2, "there is no"},
    {"{\"collective=alltoall\": " COMPOSED("Alltoall_intra_composition_beta") "}", V40, TRAP_START, 1,
     "in MPICH 4.0.2"},
    {"{\"collective=alltoall\": " GAMMA "}", BOTH, TRAP_CALL, 1, "is not an algorithm of alltoall"},
    {"{\"collective=ibcast\": " GAMMA "}", BOTH, TRAP_UNREAD, 1, "does not ask how to compose ibcast"},
    {BCAST(COMPOSED("Bcast_intra_composition_alpha")), BOTH, TRAP_CALL, 2, "needs ranks that share a node"},
    {BCAST(COMPOSED("Bcast_intra_composition_beta")), BOTH, TRAP_WRONG, 2, "needs ranks that share a node"},
    {BCAST("{\"comm_hierarchy=parent\": " COMPOSED("Bcast_intra_composition_alpha") ", \"comm_hierarchy=flat\": " GAMMA
                                                                                    "}"),
     BOTH, TRAP_CALL, 2, NULL},
    {BCAST("{\"avg_msg_size<=64\": " GAMMA "}"), BOTH, TRAP_START, 2, "is the last key of its object"},
    {BCAST("{\"comm_size<=8\": " GAMMA ",\n\"comm_size<=8 \": " GAMMA ", \"comm_size=any\": " GAMMA "}"), BOTH,
     TRAP_DEAD, 3, "no call gets into"},
    {BCAST("{\"algorithm=MPIR_Bcast_intra_binomial\": {}, \"comm_size<4\": {}}"), BOTH, TRAP_START, 2,
     "beside an algorithm"},
    {BCAST("{\"avg_msg_size<=64K\": " BINOMIAL ", \"avg_msg_size=any\": " RING "}"), BOTH, TRAP_MISREAD, 2,
     "'64K' is read as 64"},
    {BCAST("{\"avg_msg_size<=4294967300\": " BINOMIAL ", \"avg_msg_size=any\": " RING "}"), BOTH, TRAP_MISREAD, 2,
     "does not fit into 32 bits and becomes 4"},
    {BCAST("{\"avg_msg_size<=x\": " BINOMIAL ", \"avg_msg_size=any\": " RING "}"), BOTH, TRAP_MISREAD, 2, "read as 0"},
    {BCAST("{\"avg_msg_size=any\":\n{\"comm_size<4\": " BINOMIAL ", \"comm_size=any\": " RING "}}"), V40, TRAP_SHIFTED,
     3, "'comm_size<4' is <= 4 here"},
    {BCAST("{\"comm_size<=8\": " BINOMIAL ",\n\"comm_size<=4\": " RING ", \"comm_size=any\": " RING "}"), BOTH,
     TRAP_DEAD, 3, "no call gets into 'comm_size<=4'"},
    {BCAST(BINOMIAL ",\n\"collective=bcast \": " RING), BOTH, TRAP_DEAD, 1, "no call gets into 'collective=bcast'"},
    {BCAST("{\"comm_size=any\": " BINOMIAL ",\n\"comm_size=any\": " RING "}"), BOTH, TRAP_UNREAD, 2,
     "replaced by that of line 3"},
    {BCAST(BINOMIAL), BOTH, TRAP_CALL, 1, "the first call of allgather, allgatherv"},
    {BCAST(DOUBLING), BOTH, TRAP_CALL, 1, "the first call of allgather"},
    {BCAST(LEAF("smp")), BOTH, TRAP_CALL, 2, "MPIR_Bcast_intra_smp needs ranks that share a node"},
    {"{\"collective=allgather\": {\"algorithm=MPIR_Allgather_intra_recursive_doubling\": {}}}", BOTH, TRAP_CALL, 1,
     "needs a power of two of ranks"},
    {"{\"collective=allgather\": {\"avg_msg_size<=8\": " BINOMIAL ", \"avg_msg_size=any\": " BINOMIAL "}}", BOTH,
     TRAP_CALL, 1, "this cannot be asked about allgather"},
    {"{\"collective=barrier\": {\"total_msg_size<=8\": {\"algorithm=MPIR_Barrier_allcomm_nb\": {}}, "
     "\"total_msg_size=any\": "
     "{\"algorithm=MPIR_Barrier_allcomm_nb\": {}}}}",
     BOTH, TRAP_CALL, 1, "this cannot be asked about barrier"},
    {"{\"collective=scan\": {\"total_msg_size<=8\": {\"algorithm=MPIR_Scan_allcomm_nb\": {}}, \"total_msg_size=any\": "
     "{\"algorithm=MPIR_Scan_allcomm_nb\": {}}}}",
     BOTH, TRAP_CALL, 1, "this cannot be asked about scan"},
    {"{\"collective=exscan\": {\"total_msg_size<=8\": {\"algorithm=MPIR_Exscan_allcomm_nb\": {}}, "
     "\"total_msg_size=any\": "
     "{\"algorithm=MPIR_Exscan_allcomm_nb\": {}}}}",
     BOTH, TRAP_CALL, 1, "this cannot be asked about exscan"},
    {"{\"collective=gatherv\": {\"total_msg_size<=8\": {\"algorithm=MPIR_Gatherv_allcomm_nb\": {}}, "
     "\"total_msg_size=any\": "
     "{\"algorithm=MPIR_Gatherv_allcomm_nb\": {}}}}",
     BOTH, TRAP_CALL, 1, "this cannot be asked about gatherv"},
    {"{\"collective=scatterv\": {\"total_msg_size<=8\": {\"algorithm=MPIR_Scatterv_allcomm_nb\": {}}, "
     "\"total_msg_size=any\": "
     "{\"algorithm=MPIR_Scatterv_allcomm_nb\": {}}}}",
     BOTH, TRAP_CALL, 1, "this cannot be asked about scatterv"},
    {"{\"collective=alltoall\": {\"count<=8\": {\"algorithm=MPIR_Alltoall_intra_brucks\": {}}, \"count=any\": "
     "{\"algorithm=MPIR_Alltoall_intra_pairwise\": {}}}}",
     BOTH, TRAP_CALL, 1, "this cannot be asked about alltoall"},
    {"{\"collective=allreduce\": {\"algorithm=MPIR_Allreduce_intra_reduce_scatter_allgather\": {}}}", BOTH, TRAP_CALL,
     1, "needs as many elements as the greatest power of two"},
    {"{\"collective=allreduce\": {\"algorithm=MPIR_Allreduce_intra_reduce_scatter_allgather\": {}}}", BOTH, TRAP_CALL,
     1, "needs an operation of MPI's own"},
    {"{\"collective=gather\": {\"total_msg_size<=8\": {\"algorithm=MPIR_Gather_intra_binomial\": {}}, "
     "\"total_msg_size=any\": {\"algorithm=MPIR_Gather_intra_binomial\": {}}}}",
     BOTH, TRAP_MISREAD, 1, "total_msg_size of gather is the elements of all ranks"},
    {BCAST("{\"avg_msg_size<=010\": " BINOMIAL ", \"avg_msg_size=any\": " RING "}"), BOTH, TRAP_MISREAD, 2,
     "'010' is not octal"},
    {BCAST(BINOMIAL) "\n/* the end */\n} more", BOTH, TRAP_UNREAD, 4,
     "what follows the file's first value is not read"},
    {"{\"collective=allgather\": " BINOMIAL "}", BOTH, TRAP_CALL, 1, "is not an algorithm of allgather"},
    {"{\"comm_type=inter\": {\"collective=bcast\": " BINOMIAL "}}", BOTH, TRAP_CALL, 1, "when a communicator is made"},
    {"{\"avg_msg_size=any\": {\"collective=bcast\": " BINOMIAL "}}", V40, TRAP_CALL, 1, "when a communicator is made"},
    {BCAST(BINOMIAL ",\n\"comm_size=any\": " RING), BOTH, TRAP_CRASH, 3, "follows a collective"},
    {"{\"collective=alltoall\": {\"algorithm=MPIR_Alltoall_intra_pairwise_sendrecv_replace\": {}}}", BOTH, TRAP_WRONG,
     1, "needs MPI_IN_PLACE"},
    {"{\"collective=allreduce\": {\"algorithm=MPIR_Allreduce_intra_smp\": {}}}", BOTH, TRAP_ORDER, 1,
     "needs a commutative operation"},
    {"{\"collective=gather\": {\"total_msg_size<=8\": {\"algorithm=MPIR_Gather_intra_binomial\": {}},\n"
     "\"total_msg_size=any\": {\"algorithm=MPIR_Gather_allcomm_nb\": {}}}}",
     BOTH, TRAP_RANKS, 2, "gather with two algorithms"},
};

// What is not a trap.
static void test_fine(void)
{
    static const char *const texts[] = {BCAST(BINOMIAL) "\n/* the end */\n",
                                        BCAST("{\" algorithm = MPIR_Bcast_intra_binomial\": {}}")};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(RulesFile) file = trap_read(texts[i], LIBRARY_MPICH_40);
        for (guint k = 0; k < file->traps->len; k++) // the file has one collective only
            g_assert_cmpint(g_array_index(file->traps, Trap, k).kind, ==, TRAP_CALL);
        g_assert_cmpstr(runs(file, COLL_BCAST, 4, 8), ==, "binomial");
    }
}

static void test_traps(void)
{
    trap_check(traps, G_N_ELEMENTS(traps), LIBRARY_MPICH_40, LIBRARY_MPICH_43);
}

// ---- Converted files ------------------------------------------------------------------------------------------------

static void test_convert(void)
{
    int n = 0;
    for (guint32 seed = 1; seed <= 80; seed++) {
        if (!sample_takes(seed - 1, 4))
            continue;
        g_autofree char *text = trees_random(seed);
        g_autoptr(GError) error = NULL;
        g_autoptr(RulesFile) file = rules_parse(text, strlen(text), "tree", &libraries[LIBRARY_MPICH_40], &error);
        if (!file)
            continue;
        g_autofree char *newer = selection_convert(file, &libraries[LIBRARY_MPICH_43], NULL);
        if (!newer)
            continue;
        g_autoptr(RulesFile) again = trap_read(newer, LIBRARY_MPICH_43);
        g_autofree char *older = selection_convert(again, &libraries[LIBRARY_MPICH_40], &error);
        g_assert_no_error(error);
        g_autoptr(RulesFile) back = trap_read(older, LIBRARY_MPICH_40);
        g_assert_true(selection_differs(file, back) == NULL);
        n++;
    }
    g_assert_cmpint(n, >, sample_of(20, 2));
}

// ---- Nodes ----------------------------------------------------------------------------------------------------------

// A communicator of the program, and the library's own within a node and of the nodes' leaders, see other conditions.
static void test_nodes(void)
{
    static const char text[] =
        "{\"collective=bcast\": {\"comm_hierarchy=parent\": {\"is_node_consecutive=yes\": {\"comm_avg_ppn<=4\":\n" RING
        ", \"comm_size=any\":\n" DOUBLING "}, \"is_node_consecutive=no\":\n" BINOMIAL "},\n"
        "\"comm_hierarchy=node\": {\"comm_avg_ppn<=4\":\n" DOUBLING ", \"comm_size=any\":\n" RING "},\n"
        "\"comm_hierarchy=node_roots\": {\"comm_avg_ppn<=1\":\n" BINOMIAL ", \"comm_size=any\":\n" RING "},\n"
        "\"comm_hierarchy=flat\": {\"is_node_consecutive=yes\":\n" RING ", \"is_node_consecutive=no\":\n" DOUBLING
        "}}}";
    static const struct {
        int p, per_node;
        DecideGroup group;
        size_t line;
    } cases[] = {{16, 4, DECIDE_ON_ALL, 2},  {15, 5, DECIDE_ON_ALL, 3}, {16, 1, DECIDE_ON_ALL, 13},
                 {16, 0, DECIDE_ON_ALL, 13}, {4, 0, DECIDE_ON_NODE, 6}, {5, 0, DECIDE_ON_NODE, 7},
                 {5, 0, DECIDE_ON_ROOTS, 9}, {14, 4, DECIDE_ON_ALL, 2}};
    g_autoptr(RulesFile) file = trap_read(text, LIBRARY_MPICH_40);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        CollNodes *nodes = cases[i].per_node ? coll_nodes_blocks(cases[i].p, cases[i].per_node) : NULL;
        const DecideCall decide = {.collective = COLL_BCAST,
                                   .p = cases[i].p,
                                   .m = 8,
                                   .elem = 8,
                                   .commutative = TRUE,
                                   .group = cases[i].group,
                                   .nodes = nodes};
        const RuleCall call = selection_call(&decide);
        g_assert_cmpuint((guint)rule_find(selection_rows(file->selection), &call)->line, ==, (guint)cases[i].line);
        coll_nodes_free(nodes);
    }
}

// ---- The library's own tree ------------------------------------------------------------------------------------------

// The files that say what the library does without one, one of algorithms and one of compositions, decide every call as
// the library's tables do: with compositions and without, whose parts run on the nodes and on their leaders.
static void check_default(Tables *tables, const RulesFile *file, const DecideCall *call)
{
    g_autoptr(Decision) by_tables = decide_call(tables, call), by_file = rules_decision(tables, call, file);
    g_autofree char *one = decision_text(by_tables), *two = decision_text(by_file);
    if (decide_alike(by_tables, by_file) && strcmp(one, two) == 0)
        return;
    g_test_message("%s, %d ranks, %zu bytes: %s, not %s (%s)", collectives[call->collective].name, call->p, call->m,
                   two, one, by_file->missing);
    g_test_fail();
}

static void test_default(void)
{
    static const int ps[] = {2, 3, 4, 6, 7, 8, 9, 12, 16, 48, 256};
    for (LibraryId id = LIBRARY_MPICH_40; id <= LIBRARY_MPICH_43; id++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(Tables) tables = tables_load(&libraries[id], &error);
        g_assert_no_error(error);
        g_autoptr(RulesFile) file = selection_default("default", &libraries[id], FALSE, &error),
                             compositions = error ? NULL : selection_default("ch4", &libraries[id], TRUE, &error);
        g_assert_no_error(error);
        g_assert_true(selection_composes(compositions->selection) && compositions->traps->len == 0);
        for (size_t i = 0; i < G_N_ELEMENTS(ps) * 3; i++) {
            const int p = ps[i / 3], per_node = i % 3 == 0 ? 0 : i % 3 == 1 ? 2 : p;
            CollNodes *nodes = per_node ? coll_nodes_blocks(p, per_node) : NULL;
            for (int c = 0; c < N_COLLECTIVES * 4; c++)
                for (size_t m = 8; m <= 1 << 20; m *= 4) {
                    const DecideCall call = {.collective = (Collective)(c / 4),
                                             .p = p,
                                             .m = c / 4 == COLL_BARRIER ? 0 : m,
                                             .elem = 8,
                                             .commutative = c % 2 == 0,
                                             .no_compositions = c % 4 < 2,
                                             .nodes = nodes};
                    check_default(tables, file, &call);
                    if (!call.no_compositions)
                        check_default(tables, compositions, &call);
                }
            coll_nodes_free(nodes);
        }
    }
}

// ---- In the shared memory of a node ---------------------------------------------------------------------------------

static const char in_shared[] = "{\"collective=bcast\": {\"algorithm=MPIDI_POSIX_mpi_bcast_release_gather\": {}},\n"
                                "\"collective=allreduce\": {\"comm_type=intra\": {\"is_commutative=yes\": {\n"
                                "\"algorithm=MPIDI_POSIX_mpi_allreduce_release_gather\": {}}}},\n"
                                "\"collective=reduce\": {\"algorithm=MPIDI_POSIX_mpi_reduce_release_gather\": {}}}";

// Returns the number of traps with a text. Asserts that it is that of the kind.
static guint count_traps(const RulesFile *file, TrapKind kind, const char *text)
{
    guint n = 0;
    for (guint i = 0; i < file->traps->len; i++) {
        const Trap *trap = &g_array_index(file->traps, Trap, i);
        if (strstr(trap->text, text))
            n += trap->kind == kind ? 1 : 1000;
    }
    return n;
}

// A file of the module posix leaves to the tree what it does not name, is never taken for one of another kind, and is
// read by 4.3 alone.
static void test_shared(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(RulesFile) file =
        rules_parse(in_shared, strlen(in_shared), "shared", &libraries[LIBRARY_MPICH_43], &error);
    g_assert_no_error(error);
    g_assert_cmpstr(file->variable, ==, "MPIR_CVAR_CH4_POSIX_COLL_SELECTION_TUNING_JSON_FILE");
    g_assert_false(file->ignored || selection_composes(file->selection) || rules_usual(file, NULL));
    static const struct {
        Collective collective;
        gboolean commutative;
        const char *function;
    } calls[] = {{COLL_BCAST, FALSE, "MPIDI_POSIX_mpi_bcast_release_gather"},
                 {COLL_ALLREDUCE, TRUE, "MPIDI_POSIX_mpi_allreduce_release_gather"},
                 {COLL_ALLREDUCE, FALSE, NULL},
                 {COLL_REDUCE, TRUE, "MPIDI_POSIX_mpi_reduce_release_gather"},
                 {COLL_BARRIER, FALSE, NULL}};
    for (size_t i = 0; i < G_N_ELEMENTS(calls); i++) {
        const DecideCall decide = {
            .collective = calls[i].collective, .p = 4, .m = 8, .elem = 8, .commutative = calls[i].commutative};
        const RuleCall call = selection_call(&decide);
        const SelectionRun run = selection_run(file->selection, &call);
        g_assert_null(run.ends);
        g_assert_cmpstr(run.row->runs, ==, calls[i].function);
    }
    g_assert_cmpuint(count_traps(file, TRAP_ORDER, "MPIDI_POSIX_mpi_reduce_release_gather needs"), ==, 1);
    g_assert_cmpuint(count_traps(file, TRAP_UNREAD, "in the place of this one"), ==, 0);
    g_autofree char *older = selection_convert(file, &libraries[LIBRARY_MPICH_40], &error);
    g_assert_no_error(error);
    g_autoptr(RulesFile) again = rules_parse(older, strlen(older), "older", &libraries[LIBRARY_MPICH_40], &error);
    g_assert_cmpuint(count_traps(again, TRAP_UNREAD, "in the place of this one"), ==, 1);
    g_assert_null(selection_differs(file, again));

    static const char mixed[] = "{\"collective=bcast\": {\"algorithm=MPIDI_POSIX_mpi_bcast_release_gather\": {}},\n"
                                "\"collective=gather\": {\"algorithm=MPIR_Gather_intra_binomial\": {}}}",
                      other[] = "{\"collective=gather\": {\"algorithm=MPIDI_POSIX_mpi_bcast_release_gather\": {}}}";
    g_autoptr(RulesFile) two = rules_parse(mixed, strlen(mixed), "two", &libraries[LIBRARY_MPICH_43], &error);
    g_assert_true(two->ignored);
    g_assert_cmpuint(count_traps(two, TRAP_START, "is for MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE"), ==, 1);
    g_autoptr(RulesFile) gather = rules_parse(other, strlen(other), "gather", &libraries[LIBRARY_MPICH_43], &error);
    g_assert_cmpuint(count_traps(gather, TRAP_UNREAD, "the device has nothing in shared memory for gather"), ==, 1);
}

// ---- What the library did ------------------------------------------------------------------------------------------

// Asserts that a recorded line, "POINT: yes ALGORITHM", "POINT: apart ALGORITHM" or "POINT: ends", is what is predicted.
static void check_line(const RulesFile *file, const char *line, guint seed)
{
    TreesPoint point = {.nodes = NULL};
    const char *said = strstr(line, ": ");
    g_assert_true(said && trees_read_point(line, &point));
    const SelectionRun run = trees_run(file, &point);
    const LibraryRule *row = run.nonblocking ? run.nonblocking : run.row;
    if (strcmp(said, ": ends") == 0 ? !run.ends : run.ends || !g_str_has_suffix(said, row->algorithm->function)) {
        g_test_message("file %u: %s, not %s", seed, line, run.ends ? run.ends : row->algorithm->function);
        g_test_fail();
    }
}

static void test_real(void)
{
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;
    g_assert_true(g_file_get_contents("tests/golden/rules-mpich.txt", &text, NULL, &error));
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_autoptr(RulesFile) file = NULL;
    guint seed = 0, n = 0;
    for (char **line = lines; *line && **line; line++) {
        char sum[9];
        if (sscanf(*line, "file %u %8s", &seed, sum) == 2) {
            g_autofree char *tree = trees_random(seed), *now = trees_sum(tree);
            g_assert_cmpstr(now, ==, sum); // otherwise trees_random() makes other files: run `make rules-real`
            g_clear_pointer(&file, rules_free);
            file = trap_read(tree, LIBRARY_MPICH_40);
            n++;
        } else if (strcmp(*line, "starts") == 0 || strcmp(*line, "dies") == 0) {
            if (trees_start(file, TREES_ALONE) != (**line == 's' ? TREES_STARTS : TREES_DIES)) {
                g_test_message("file %u: it %s", seed, *line);
                g_test_fail();
            }
        } else {
            check_line(file, *line, seed);
        }
    }
    g_assert_cmpuint(n, >=, 90);
}

static void add(void)
{
    g_test_add_func("/rules_trees/search", test_search);
    g_test_add_func("/rules_trees/strict", test_strict);
    g_test_add_func("/rules_trees/rows", test_rows);
    g_test_add_func("/rules_trees/traps", test_traps);
    g_test_add_func("/rules_trees/fine", test_fine);
    g_test_add_func("/rules_trees/convert", test_convert);
    g_test_add_func("/rules_trees/nodes", test_nodes);
    g_test_add_func("/rules_trees/default", test_default);
    g_test_add_func("/rules_trees/shared", test_shared);
    g_test_add_func("/rules_trees/real", test_real);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}

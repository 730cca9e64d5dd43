// Rules files of MPI libraries: what each version makes of them, and which traps are found. The sample in
// tests/golden/rules-ompi.txt has files that Open MPI 4.1.4 has read, with the algorithms that it ran then.
#include "libraries/decide/rules.h"
#include "libraries/decide/rules_write.h"
#include "libraries/decide/tables.h"
#include "rules_files.h"
#include "engine/schedule/parse.h"
#include "sample.h"
#include "tap.h"
#include "trap_cases.h"
#include <string.h>

static int id_at(const RulesFile *file, const char *collective, int ranks, gint64 bytes)
{
    const LibraryRule *rule = rules_find(file, tuned_collective(collective), ranks, bytes);
    return rule ? rule->id : 0;
}

// ---- Which rule decides --------------------------------------------------------------------------------------------

static void test_search(void)
{
    // Keys 4 and 8 of allreduce, each with two sizes; a set of 16 ranks without rules.
    static const char text[] = "1\n2 3\n4 2\n0 1 0 0\n100 2 0 0\n8 2\n0 3 0 0\n200 4 0 512\n16 0\n";
    static const struct {
        int ranks;
        gint64 bytes;
        int older, main; // ids in 4.1 and 5.0, and in main
    } cases[] = {
        {2, 0, 1, 1},   {2, 99, 1, 1},  {2, 100, 2, 2},  {4, 0, 1, 3},    {7, 100, 2, 3},
        {8, 199, 3, 0}, {8, 200, 4, 0}, {15, 300, 4, 0}, {16, 300, 0, 0}, {1000, 0, 0, 0},
    };
    for (LibraryId id = LIBRARY_OMPI_41; id <= LIBRARY_OMPI_MAIN; id++) {
        g_autoptr(RulesFile) file = trap_read(text, id);
        for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
            g_assert_cmpint(id_at(file, "allreduce", cases[i].ranks, cases[i].bytes), ==,
                            id == LIBRARY_OMPI_MAIN ? cases[i].main : cases[i].older);
        g_assert_cmpint(id_at(file, "bcast", 4, 0), ==, 0);
    }
}

// Keys that do not ascend: 8, 2, 16. 4.1 stops at the first key above its number.
static void test_descending(void)
{
    static const char text[] = "1 2 3 8 1 0 1 0 0 2 1 0 2 0 0 16 3 0 3 0 0 50 4 0 0 10 5 0 0";
    g_autoptr(RulesFile) file = trap_read(text, LIBRARY_OMPI_41);
    g_assert_cmpint(id_at(file, "allreduce", 2, 0), ==, 1); // no key is passed: the first entry
    g_assert_cmpint(id_at(file, "allreduce", 8, 0), ==, 2); // 8 and 2 are passed
    g_assert_cmpint(id_at(file, "allreduce", 16, 9), ==, 3);
    g_assert_cmpint(id_at(file, "allreduce", 16, 49), ==, 3); // 10 stands behind 50
    g_assert_cmpint(id_at(file, "allreduce", 16, 50), ==, 5); // both are passed
}

static void test_fields(void)
{
    static const char text[] = "rule-file-version-2\n1 3 1 2 2 0 4 1 2 \t 3\n1000 3 4 5\n";
    g_autoptr(RulesFile) file = trap_read(text, LIBRARY_OMPI_5);
    const LibraryRule *rule = rules_find(file, 3, 2, 0), *next = rules_find(file, 3, 2, 1000);
    g_assert_cmpstr(file->format, ==, "text, version 2");
    g_assert_cmpint(rule->id, ==, 4);
    g_assert_cmpint(rule->fanout, ==, 1);
    g_assert_cmpint(rule->segment, ==, 2);
    g_assert_cmpint(rule->max_requests, ==, 3);
    g_assert_cmpuint(rule->line, ==, 2);
    g_assert_cmpint(next->segment, ==, 5);
    g_assert_cmpint(next->max_requests, ==, 0);
    g_assert_cmpuint(next->line, ==, 3);
}

// In JSON both bounds are included, the first entry and the first rule that fit decide, and what they leave is fixed.
static void test_json(void)
{
    static const char text[] =
        "{\"collectives\": {\"allreduce\": ["
        "{\"comm_size_min\": 4, \"comm_size_max\": 8, \"comm_rank_distribution\": \"one-per-node\", \"rules\": ["
        "  {\"msg_size_max\": 100, \"alg\": \"nonoverlapping\"},"
        "  {\"msg_size_min\": 50, \"msg_size_max\": \"inf\", \"alg\": 3, \"reqs\": 2,}]},"
        "{\"comm_size_min\": 2, \"rules\": [{\"msg_size_min\": 10, \"alg\": 1}]}]}}";
    g_autoptr(RulesFile) file = trap_read(text, LIBRARY_OMPI_MAIN);
    static const struct {
        int ranks;
        SelectHierarchy hierarchy;
        gboolean one_node;
        gint64 bytes;
        int id;
    } cases[] = {
        {4, SELECT_FLAT, FALSE, 100, 2}, {8, SELECT_FLAT, FALSE, 101, 3},  {8, SELECT_FLAT, FALSE, G_MAXINT64, 3},
        {9, SELECT_FLAT, FALSE, 9, 0},   {9, SELECT_FLAT, FALSE, 10, 1},   {4, SELECT_PARENT, TRUE, 100, 1},
        {4, SELECT_PARENT, FALSE, 9, 0}, {1, SELECT_PARENT, FALSE, 10, 0},
    };
    g_assert_cmpstr(file->format, ==, "JSON");
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        RuleCall call = rule_call(tuned_collective("allreduce"), cases[i].ranks, cases[i].bytes);
        call.hierarchy = cases[i].hierarchy;
        call.flags[SELECT_ONE_NODE] = cases[i].one_node;
        const LibraryRule *rule = rule_find(file->rules, &call);
        g_assert_cmpint(rule ? rule->id : 0, ==, cases[i].id);
    }
}

// ---- Traps ---------------------------------------------------------------------------------------------------------

#define V41   (1u << LIBRARY_OMPI_41)
#define V5    (1u << LIBRARY_OMPI_5)
#define VMAIN (1u << LIBRARY_OMPI_MAIN)
#define ALL   (V41 | V5 | VMAIN)

// One rule or set between what makes it a file of allreduce.
#define RULE(rule)      "1\n2\n1\n2 1\n" rule "\n"
#define SET(n, rules)   "1\n2\n1\n2 " n "\n" rules "\n"
#define OF(id, n, sets) "1\n" id "\n" n "\n" sets "\n"

// One entry of allreduce, or one rule of it, in JSON.
#define JSON(entries)   "{\"collectives\": {\n\"allreduce\": [\n" entries "\n]}}\n"
#define JSON_RULE(rule) JSON("{\"rules\": [\n{" rule "}\n]}")

static const TrapCase traps[] = {
    {"", ALL, TRAP_IGNORED, 1, "it ends where the number of collectives should be"},
    {"# only\n# comments\n", ALL, TRAP_IGNORED, 3, "it ends where"},
    {"-1\n", V41 | V5, TRAP_IGNORED, 1, "the number of collectives is -1, below 0"},
    {"23\n", V41 | V5, TRAP_IGNORED, 1, "above 22"},
    {"1\n22\n", ALL, TRAP_IGNORED, 2, "a collective's number is 22, above 21"},
    {"1\n2\n1\n2 1\n0 1 0\n", ALL, TRAP_IGNORED, 6, "it ends where a segment size should be"},
    {RULE("8 1 0 0"), ALL, TRAP_IGNORED, 5, "the first message size of a set is 8, not 0"},
    {"1\n2\n4294967297\n", VMAIN, TRAP_IGNORED, 3, "above 2147483647"},
    {"1\n2\n4294967297\n", V41 | V5, TRAP_CRASH, 3, "it writes beyond the table's end"},
    {"1\n2\n1\n2 4294967297\n", ALL, TRAP_CRASH, 4, "a number of rules is 4294967297"},
    {RULE("0 1 0 64K"), ALL, TRAP_MISREAD, 5, "'64K' is read as '64'"},
    {RULE("0 1 0 010"), ALL, TRAP_MISREAD, 5, "'010' is octal: it is read as 8"},
    {RULE("0 1 0 0x10"), ALL, TRAP_MISREAD, 5, "'0x10' is hexadecimal: it is read as 16"},
    {RULE("0 1 0 1e6"), ALL, TRAP_MISREAD, 5, "'1e6' is read as '1'"},
    {RULE("0 1 08 0"), ALL, TRAP_MISREAD, 5, "'8' is read as a number of its own"},
    {RULE("0 one 1 0 0"), ALL, TRAP_MISREAD, 5, "'one' is not a number and is skipped"},
    {RULE("0 1 - 0 0"), ALL, TRAP_MISREAD, 5, "'-' is not a number"},
    {RULE("0 4294967297 0 0"), ALL, TRAP_MISREAD, 5,
     "the algorithm 4294967297 does not fit into 32 bits and becomes 1"},
    {RULE("0 1 0 99999999999999999999"), ALL, TRAP_MISREAD, 5, "does not fit into 64 bits"},
    {"rule-file-version-2\n" RULE("0 1 0 0"), V41, TRAP_SHIFTED, 1, "does not know the line rule-file-version"},
    {"# text\nrule-file-version-2\n" RULE("0 1 0 0"), V5 | VMAIN, TRAP_SHIFTED, 2, "must be the first word"},
    {SET("2", "0 1 0 0 0\n64 2 0 0 0"), ALL, TRAP_SHIFTED, 5, "the fifth is taken for the next field"},
    {SET("2", "0 1 0 0 0\n64 2 0 0 0"), ALL, TRAP_SHIFTED, 5, "on lines 5 to 6"},
    {OF("2", "2", "2 1\n0 1 0 0\n9 1\n0 3 0 0"), VMAIN, TRAP_SHIFTED, 4, "serve fewer than 2 ranks"},
    {OF("2", "2", "2 1\n0 1 0 0\n9 1\n0 3 0 0"), VMAIN, TRAP_SHIFTED, 6, "serve 2 ranks and more"},
    {RULE("0 1 0 0") "3\n", ALL, TRAP_UNREAD, 6, "this and all that follows is not read"},
    {"2\n2 1 2 1\n0 1 0 0\n2 1 2 1\n0 3 0 0\n", ALL, TRAP_UNREAD, 2, "replaced by those of line 4"},
    {OF("10", "1", "2 1\n0 1 0 0"), ALL, TRAP_UNREAD, 5, "rules of gatherv have no effect"},
    {OF("7", "1", "2 1\n0 7 2 0"), ALL, TRAP_UNREAD, 5, "coll_tuned_bcast_algorithm_knomial_radix"},
    {RULE("0 1 0 64"), ALL, TRAP_UNREAD, 5, "allreduce 1 (basic_linear) does not use the segment size"},
    {OF("2", "2", "8 1\n0 1 0 0\n4 1\n0 3 0 0"), VMAIN, TRAP_REACH, 99, NULL},
    {OF("2", "1", "8 1\n0 1 0 0"), V41 | V5, TRAP_REACH, 4, "also serve 2 to 7"},
    {OF("2", "3", "4 1\n0 1 0 0\n8 1\n0 3 0 0\n8 1\n0 1 0 0"), V41 | V5, TRAP_DEAD, 6,
     "two sets of rules have the number of ranks 8: those of line 8 act, and these are lost"},
    {OF("7", "2", "2 1\n0 6 0 0\n2 1\n0 3 0 4096"), ALL, TRAP_DEAD, 4, "those of line 6 act, and these are lost"},
    {OF("7", "2", "2 1\n0 6 0 0\n3 1\n0 3 0 4096"), ALL, TRAP_DEAD, 99, NULL},
    {OF("2", "2", "4 1\n0 1 0 0\n4 1\n0 3 0 0"), V41 | V5, TRAP_SHIFTED, 4,
     "two sets of rules have the number of ranks 4: those of line 6 act, and these serve 2 to 3 ranks"},
    {OF("2", "2", "4 1\n0 1 0 0\n4 1\n0 3 0 0"), ALL, TRAP_REACH, 99, NULL},
    {OF("2", "2", "8 1\n0 1 0 0\n4 1\n0 3 0 0"), V41 | V5, TRAP_SHIFTED, 4,
     "on 8 ranks the rules of line 6 act, and these serve 2 to 7 ranks"},
    {OF("2", "2", "8 1\n0 1 0 0\n4 1\n0 3 0 0"), V41 | V5, TRAP_SHIFTED, 6,
     "on 4 ranks the rules of line 4 act, and these serve 8 and more ranks"},
    {OF("2", "3", "8 1\n0 1 0 0\n4 1\n0 3 0 0\n16 1\n0 1 0 0"), VMAIN, TRAP_DEAD, 6,
     "on 4 ranks the rules of line 4 act, and these are lost"},
    {OF("2", "4", "16 1\n0 1 0 0\n4 1\n0 3 0 0\n8 1\n0 1 0 0\n12 1\n0 3 0 0"), ALL, TRAP_DEAD, 8,
     "on 8 ranks the rules of line 4 act, and these are lost"},
    {OF("2", "3", "1 1\n0 1 0 0\n2 1\n0 3 0 0\n2 1\n0 1 0 0"), ALL, TRAP_DEAD, 4, NULL},
    {SET("3", "0 1 0 0\n64 2 0 0\n8 3 0 0"), ALL, TRAP_SHIFTED, 7,
     "on 8 bytes the rule of line 5 acts, and this one serves 64 and more bytes"},
    {SET("2", "0 1 0 0\n0 3 0 0"), V41 | V5, TRAP_DEAD, 5, "two rules have the message size 0: that of line 6 acts"},
    {SET("2", "0 1 0 0\n0 3 0 0"), VMAIN, TRAP_DEAD, 6, "two rules have the message size 0: that of line 5 acts"},
    {SET("2", "0 0 0 0\n0 3 0 0"), V41 | V5, TRAP_DEAD, 5, "that of line 6 acts, and this one is lost"},
    {SET("3", "0 1 0 0\n64 2 0 0\n64 3 0 0"), ALL, TRAP_DEAD, 6,
     "two rules have the message size 64: that of line 7 acts, and this one is lost"},
    {OF("6", "1", "2 2\n0 1 0 0\n64 2 0 0"), ALL, TRAP_DEAD, 6, "the message size is always 0"},
    {OF("14", "1", "2 2\n0 1 0 0\n64 2 0 0"), ALL, TRAP_REACH, 6, "the count is not in it"},
    {"2\n2 1 2 1\n0 2 0 0\n11 1 2 1\n0 1 0 0\n", ALL, TRAP_NOTE, 3, "calls reduce, so the rules of reduce decide"},
    {"2\n2 1 2 1\n0 2 0 0\n11 1 2 1\n0 1 0 0\n", ALL, TRAP_REACH, 99, NULL},
    {"2\n2 1 2 1\n0 2 0 0\n11 1 2 1\n0 9 0 0\n", ALL, TRAP_REACH, 3, "that of line 5 returns an error"},
    {"2\n2 1 2 1\n0 2 0 0\n11 1 2 1\n0 4 0 0\n", ALL, TRAP_ORDER, 3,
     "that of line 5 gives wrong results if the operation is not commutative"},
    {"2\n2 1 2 2\n0 2 0 0\n64 3 0 0\n11 1 2 2\n0 0 0 0\n64 4 0 0\n", ALL, TRAP_ORDER, 3, NULL},
    {"2\n2 1 2 2\n0 2 0 0\n64 3 0 0\n11 1 2 2\n0 0 0 0\n64 1 0 0\n", ALL, TRAP_NOTE, 3, NULL},
    {"2\n1 1 2 1\n0 1 0 0\n7 1 2 2\n0 0 0 0\n64 1 0 0\n", ALL, TRAP_NOTE, 3, "allgatherv 1 (default) calls bcast"},
    {"{\"comment\": \"x\",\n\"collectives\": {}}", VMAIN, TRAP_NOTE, 1, "does not read 'comment'"},
    {RULE("0 9 0 0"), ALL, TRAP_ERROR, 5, "allreduce has no algorithm 9"},
    {RULE("0 7 0 0"), V41 | V5, TRAP_ERROR, 5, "allreduce has no algorithm 7"},
    {OF("7", "1", "2 1\n0 10 0 0"), ALL, TRAP_ERROR, 5,
     "allgatherv 1 (default) takes no notice and returns wrong data"},
    {OF("3", "1", "2 1\n0 5 0 0"), ALL, TRAP_ERROR, 5, "alltoall 5 (two_proc) needs two ranks"},
    {OF("0", "1", "2 1\n0 3 0 0"), V41 | V5, TRAP_ELSE, 5, "needs a power of two of ranks; otherwise 2 (bruck) runs"},
    {OF("0", "1", "2 1\n0 5 0 0"), ALL, TRAP_ELSE, 5, "needs an even number of ranks; otherwise 4 (ring) runs"},
    {RULE("0 6 0 0"), V41 | V5, TRAP_ELSE, 5, "needs 2 elements or more on 2 ranks, and more on more; with fewer 1"},
    {RULE("0 5 0 0"), ALL, TRAP_ELSE, 5, "without a segment size is always 4 (ring)"},
    {SET("2", "0 1 0 0\n64 5 0 512"), ALL, TRAP_ELSE, 6, "needs 1024 bytes or more on 2 ranks"},
    {RULE("0 4 0 0"), ALL, TRAP_ORDER, 5, "allreduce 4 (ring) gives wrong results"},
    {OF("11", "1", "2 1\n0 2 0 0"), ALL, TRAP_ORDER, 5, "reduce 2 (chain)"},
    {OF("12", "1", "2 1\n0 3 0 0"), ALL, TRAP_ORDER, 5, "reduce_scatter 3 (ring)"},
    {OF("15", "1", "2 2\n0 1 0 0\n64 2 0 0"), ALL, TRAP_RANKS, 6, "scatter with two algorithms"},
    {OF("9", "1", "2 2\n0 1 0 0\n64 3 0 0"), ALL, TRAP_RANKS, 6, "gather with two algorithms"},
    {"{}", VMAIN, TRAP_IGNORED, 1, "the field \"collectives\" is missing"},
    {"{}", V41 | V5, TRAP_IGNORED, 1, "does not know JSON"},
    {"/* 64K, 128K */ // 3\n{}", V41 | V5, TRAP_IGNORED, 1, "does not know JSON"},
    {"7", VMAIN, TRAP_IGNORED, 1, "the field \"collectives\" is missing"},
    {"{\"collectives\": []}", VMAIN, TRAP_IGNORED, 1, "is not an object"},
    {"{\"collectives\": {\n\"allreduce\": 3}}", VMAIN, TRAP_IGNORED, 2, "'allreduce' is not an array"},
    {"{\"collectives\": {\n\"reducescatter\": []}}", VMAIN, TRAP_IGNORED, 2, "there is no collective 'reducescatter'"},
    {JSON("{\"comm_size_min\": 2}"), VMAIN, TRAP_IGNORED, 3, "an entry has no \"rules\""},
    {JSON("{\"rules\": 3}"), VMAIN, TRAP_IGNORED, 3, "\"rules\" is not an array"},
    {JSON("{\"comm_size_max\": \"64\", \"rules\": []}"), VMAIN, TRAP_IGNORED, 3, "neither an integer nor \"inf\""},
    {JSON("{\"comm_rank_distribution\": 1, \"rules\": []}"), VMAIN, TRAP_IGNORED, 3, "is not a string"},
    {JSON_RULE("\"msg_size_min\": 1.5, \"alg\": 1"), VMAIN, TRAP_IGNORED, 4, "msg_size_min is neither"},
    {JSON("{\"comm_size_max\": \"inf\", \"rules\": [{\"alg\": 1}]}"), VMAIN, TRAP_MISREAD, 3, "becomes -1"},
    {JSON("{\"comm_size_max\": \"inf\", \"rules\": [{\"alg\": 1}]}"), VMAIN, TRAP_DEAD, 3, "its range is empty"},
    {JSON("{\"comm_rank_distribution\": \"all\", \"rules\": []}"), VMAIN, TRAP_MISREAD, 3, "is taken as any"},
    {JSON_RULE("\"msg_size_min\": -1, \"alg\": 1"), VMAIN, TRAP_MISREAD, 4, "below 0"},
    {JSON_RULE("\"alg\": 1, \"segsize\": 64"), VMAIN, TRAP_UNREAD, 4, "'segsize'; a segment size is seg_size"},
    {JSON_RULE("\"alg\": 1, \"alg\": 3"), VMAIN, TRAP_UNREAD, 4, "the first one counts"},
    {JSON_RULE("\"alg\": \"rings\""), VMAIN, TRAP_UNREAD, 4,
     "no algorithm 'rings' in Open MPI main, so the rule is disabled"},
    {JSON_RULE("\"msg_size_min\": 8"), VMAIN, TRAP_ELSE, 4, "runs the fixed decision"},
    {JSON_RULE("\"alg\": \"ring\""), VMAIN, TRAP_ORDER, 4, "allreduce 4 (ring)"},
    {JSON("{\"rules\": [{\"alg\": 1}]},\n{\"rules\": [{\"alg\": 3}]}"), VMAIN, TRAP_DEAD, 4,
     "reaches this set of rules, as what stands before it, such as line 3, takes all"},
    {JSON_RULE("\"alg\": 1},\n{\"alg\": 3"), VMAIN, TRAP_DEAD, 5, "such as line 4, takes all"},
    {"{\"collectives\": {\n\"bcast\": [],\n\"bcast\": []}}", VMAIN, TRAP_UNREAD, 2, "replaced by those of line 3"},
    {"{\"collectives\": {\n\"bcast\": [}}", VMAIN, TRAP_SHIFTED, 2, "'}}' stands where a value should be"},
};

static void test_traps(void)
{
    trap_check(traps, G_N_ELEMENTS(traps), LIBRARY_OMPI_41, LIBRARY_OMPI_MAIN);
}

// A file that every version understands alike has no trap.
static void test_no_trap(void)
{
    static const char text[] = "# allreduce and bcast\n2\n2 1\n2 2   # from 2 ranks on\n0 3 0 0\n1000 1 0 0\n"
                               "7 1\n2 3\n0 6 0 0\n8192 6 0 1024\n1000000 3 0 65536\n";
    for (LibraryId id = LIBRARY_OMPI_41; id <= LIBRARY_OMPI_MAIN; id++) {
        g_autoptr(RulesFile) file = trap_read(text, id);
        g_assert_cmpuint(file->traps->len, ==, 0);
        g_assert_cmpint(id_at(file, "bcast", 2, 999999), ==, 6);
        g_assert_cmpint(id_at(file, "bcast", 2, 1000000), ==, 3);
    }
}

// ---- Converted files -----------------------------------------------------------------------------------------------

// Asserts that both files make their libraries run the same in every cell of either.
static void compare_files(const RulesFile *a, const RulesFile *b)
{
    g_autoptr(GArray) cells = rules_cells((const RulesFile *const[]){a, b}, 2);
    for (guint i = 0; i < cells->len; i++) {
        const RulesCell *cell = &g_array_index(cells, RulesCell, i);
        const int p = (int)cell->ranks.first;
        const LibraryRule *x = rules_find(a, cell->collective, p, cell->bytes.first);
        const LibraryRule *y = rules_find(b, cell->collective, p, cell->bytes.first);
        g_assert_cmpint(x ? x->id : 0, ==, y ? y->id : 0);
        if (!x || x->id == 0)
            continue;
        const LibraryAlgorithm *from = tables_tuned(a->names, x->collective, x->id);
        const LibraryAlgorithm *to = tables_tuned(b->names, y->collective, y->id);
        g_assert_nonnull(to);
        g_assert_true(!(from->takes & TAKES_SEGMENT) || x->segment == y->segment);
        g_assert_true(!(from->takes & TAKES_MAX_REQUESTS) || x->max_requests == y->max_requests);
        g_assert_true(!(from->takes & TAKES_FANOUT) || x->fanout == y->fanout);
        g_assert_true(!to->older_fanout || y->fanout == to->older_fanout);
    }
}

static void test_convert(void)
{
    int converted = 0;
    const guint32 first = sample_seed(1), files = (guint32)sample_of(400, 100);
    for (guint32 k = 0; k < files; k++) {
        g_autofree char *text = files_random(first + k);
        g_autoptr(RulesFile) file = trap_read(text, LIBRARY_OMPI_41);
        for (LibraryId id = LIBRARY_OMPI_41; id <= LIBRARY_OMPI_MAIN; id++) {
            g_autoptr(GError) error = NULL;
            g_autofree char *written = rules_convert(file, &libraries[id], &error);
            g_assert_true((written != NULL) == (error == NULL));
            if (!written)
                continue;
            g_autoptr(RulesFile) again = trap_read(written, id);
            compare_files(file, again);
            for (guint i = 0; i < again->traps->len; i++) {
                const TrapKind kind = g_array_index(again->traps, Trap, i).kind;
                g_assert_true(kind == TRAP_NOTE || kind == TRAP_REACH || kind == TRAP_ERROR || kind == TRAP_ELSE ||
                              kind == TRAP_ORDER || kind == TRAP_RANKS);
            }
            converted++;
        }
    }
    g_assert_cmpint(converted, >, files * 3 / 4);
}

// Numbers that a library cuts to 32 bits, so that they are below 0: a converted file has the same.
static void test_convert_large(void)
{
    static const char *const texts[] = {
        "1 2 1 2 2\n0 3 0 0\n1 5 0 19999999999990\n",
        "1 7 1 2 1\n0 2 4294967295 2147483648\n",
        "rule-file-version-2\n1 3 1 2 1\n0 4 0 0 3000000000\n",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        for (LibraryId id = LIBRARY_OMPI_5; id <= LIBRARY_OMPI_MAIN; id++) {
            g_autoptr(GError) error = NULL;
            g_autoptr(RulesFile) file = trap_read(texts[i], LIBRARY_OMPI_5);
            g_autofree char *written = rules_convert(file, &libraries[id], &error);
            g_assert_no_error(error);
            g_autoptr(RulesFile) again = trap_read(written, id);
            g_assert_false(file->ignored || again->ignored);
            compare_files(file, again);
        }
}

static void test_not_converted(void)
{
    static const struct {
        const char *text;
        LibraryId from, to;
        const char *says;
    } cases[] = {
        {"1\n2 1\n", LIBRARY_OMPI_41, LIBRARY_OMPI_5, "rules:3: the library ignores this file"},
        {"1 2 1 2 1\n0 9 0 0", LIBRARY_OMPI_41, LIBRARY_OMPI_5, "rules:2: allreduce has no algorithm 9"},
        {"1 0 1 2 1\n0 7 0 0", LIBRARY_OMPI_5, LIBRARY_OMPI_41,
         "allgather 7 (sparbit) does not exist in Open MPI 4.1.4"},
        {"rule-file-version-2\n1 3 1 2 1\n0 4 0 0 2", LIBRARY_OMPI_5, LIBRARY_OMPI_41, "a number of requests"},
        {JSON("{\"comm_rank_distribution\": \"one-per-node\", \"rules\": []}"), LIBRARY_OMPI_MAIN, LIBRARY_OMPI_5,
         "rules:3: comm_rank_distribution cannot be converted"},
        {"1 0 1 2 1\n0 2 3 0", LIBRARY_OMPI_MAIN, LIBRARY_OMPI_5, "allgather 2 with another fanout than 2"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(RulesFile) file = trap_read(cases[i].text, cases[i].from);
        g_autoptr(GError) error = NULL;
        g_assert_null(rules_convert(file, &libraries[cases[i].to], &error));
        if (!strstr(error->message, cases[i].says))
            g_error("%s", error->message);
    }
}

// ---- What Open MPI did ---------------------------------------------------------------------------------------------

// Compares a line "COLLECTIVE RANKS BYTES ran [error] ID fixed ID" with what the file says.
static gboolean replay_call(const RulesFile *file, const char *line)
{
    char name[32], error[8] = "";
    int ranks, id, fixed;
    gint64 bytes;
    if (sscanf(line, "%31s %d %" G_GINT64_FORMAT " ran error %d fixed %d", name, &ranks, &bytes, &id, &fixed) == 5)
        strcpy(error, "error");
    else
        g_assert_cmpint(sscanf(line, "%31s %d %" G_GINT64_FORMAT " ran %d fixed %d", name, &ranks, &bytes, &id, &fixed),
                        ==, 5);
    const FilesRun due = files_predict(file, tuned_collective(name), ranks, bytes, fixed);
    return due.error == (*error != '\0') && (due.error || due.id == id);
}

static void test_sample(void)
{
    g_autofree char *sample = NULL;
    const char *dir = g_getenv("COLLSIM_TESTS");
    g_autofree char *path = g_build_filename(dir ? dir : "tests", "golden", "rules-ompi.txt", NULL);
    g_assert_true(g_file_get_contents(path, &sample, NULL, NULL));
    g_auto(GStrv) lines = g_strsplit(sample, "\n", -1);
    g_autoptr(RulesFile) file = NULL;
    g_autoptr(GString) text = g_string_new("");
    int files = 0, calls = 0;
    for (char **line = lines; *line && **line; line++) {
        if (g_str_has_prefix(*line, "file ")) {
            g_string_truncate(text, 0);
            g_clear_pointer(&file, rules_free);
            files++;
        } else if (g_str_has_prefix(*line, "| ")) {
            g_autofree char *plain = g_strcompress(*line + 2);
            g_string_append_printf(text, "%s%s", text->len ? "\n" : "", plain);
        } else {
            if (!file)
                file = trap_read(text->str, LIBRARY_OMPI_41);
            if (!replay_call(file, *line)) {
                g_test_message("file %d: %s", files, *line);
                g_test_fail();
            }
            calls++;
        }
    }
    g_assert_cmpint(files, >=, 100);
    g_assert_cmpint(calls, >=, 1000);
}

static void add(void)
{
    g_test_add_func("/rules/search", test_search);
    g_test_add_func("/rules/descending", test_descending);
    g_test_add_func("/rules/fields", test_fields);
    g_test_add_func("/rules/json", test_json);
    g_test_add_func("/rules/traps", test_traps);
    g_test_add_func("/rules/no-trap", test_no_trap);
    g_test_add_func("/rules/convert", test_convert);
    g_test_add_func("/rules/convert-large", test_convert_large);
    g_test_add_func("/rules/not-converted", test_not_converted);
    g_test_add_func("/rules/sample", test_sample);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}

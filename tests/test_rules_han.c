// Rules files of Open MPI's component HAN: which rule serves, and which traps are found.
#include "libraries/decide/rules_han.h"
#include "rules_files.h"
#include "sample.h"
#include "tap.h"
#include "trap_cases.h"
#include <string.h>

#define V41   (1u << LIBRARY_OMPI_41)
#define V5    (1u << LIBRARY_OMPI_5)
#define VMAIN (1u << LIBRARY_OMPI_MAIN)
#define SINCE (V5 | VMAIN)
#define ALL   (V41 | SINCE)

// Rules of one collective for the whole communicator: of one size of it, and of several.
#define RULES(coll, n, rules) "1\n" coll " 1\n2 1\n1 " n "\n" rules "\n"
#define SETS(coll, n, sets)   "1\n" coll " 1\n2 " n "\n" sets "\n"

// Returns the line of the rule that serves; 0 for none.
static guint line_at(const RulesFile *file, const char *collective, HanLevel level, gint64 ranks, gint64 bytes)
{
    const LibraryRule *rule = rules_han_find(file, tuned_collective(collective), level, ranks, bytes);
    return rule ? (guint)rule->line : 0;
}

static void test_search(void)
{
    static const char text[] =
        "2 # bcast and barrier\nbcast 2\n2 2\n1 3\n0 han @simple\n8192 tuned\n524288 han [ 64 ]\n64 1\n"
        "0 libnbc\ninter_node 1\n1 1\n0 adapt\n6 1 0 1 1 1 0 sm\n";
    g_autoptr(RulesFile) file = trap_read(text, LIBRARY_OMPI_5);
    g_assert_cmpstr(file->variable, ==, "coll_han_dynamic_rules_filename");
    g_assert_cmpuint(line_at(file, "bcast", HAN_GLOBAL, 2, 8191), ==, 5);
    g_assert_cmpuint(line_at(file, "bcast", HAN_GLOBAL, 63, 8192), ==, 6);
    g_assert_cmpuint(line_at(file, "bcast", HAN_GLOBAL, 63, 524288), ==, 7);
    g_assert_cmpuint(line_at(file, "bcast", HAN_GLOBAL, 64, 524288), ==, 9);
    g_assert_cmpuint(line_at(file, "bcast", HAN_INTER_NODE, 4, 0), ==, 12);
    g_assert_cmpuint(line_at(file, "barrier", HAN_INTRA_NODE, 4, 0), ==, 13);
    g_assert_cmpuint(line_at(file, "barrier", HAN_GLOBAL, 4, 0), ==, 0);
    g_assert_cmpstr(g_array_index(file->han, LibraryRule, 0).params, ==, "simple");
}

// The library looks for the last key that is not above its number: of 1, 16, 4, the 16 never serves.
static void test_falling(void)
{
    g_autoptr(RulesFile) file = trap_read(SETS("bcast", "3", "1 1\n0 han\n16 1\n0 tuned\n4 1\n0 sm"), LIBRARY_OMPI_5);
    g_assert_cmpuint(line_at(file, "bcast", HAN_GLOBAL, 3, 0), ==, 5);
    g_assert_cmpuint(line_at(file, "bcast", HAN_GLOBAL, 4, 0), ==, 9);
    g_assert_cmpuint(line_at(file, "bcast", HAN_GLOBAL, 100, 0), ==, 9);
}

// ---- Traps ----------------------------------------------------------------------------------------------------------

static const TrapCase traps[] = {
    {RULES("bcast", "2", "0 han\n8K tuned"), ALL, TRAP_IGNORED, 6, "'K' is not a component"},
    {RULES("bcast", "2", "0 han\n64 han# x"), ALL, TRAP_IGNORED, 6, "'han#' is not a component"},
    {RULES("bcast", "2", "0 han\n64 xhc"), V41 | V5, TRAP_IGNORED, 6, "'xhc' is not a component"},
    {RULES("bcast", "1", "8 han"), ALL, TRAP_IGNORED, 5, "the first message size of a set is 8, not 0"},
    {RULES("bcast", "1", "1 tuned"), ALL, TRAP_IGNORED, 5, NULL},
    {SETS("bcast", "1", "2 1\n0 han"), ALL, TRAP_IGNORED, 4, "the first size of a level's communicator is 2, not 1"},
    {RULES("bcast", "2", "0 han"), ALL, TRAP_IGNORED, 6, "it ends where a message size should be"},
    {"1\nbcasts 1\n2 1\n1 1\n0 han\n", ALL, TRAP_IGNORED, 2, "there is no collective 'bcasts'"},
    {"1\n22 1\n2 1\n1 1\n0 han\n", ALL, TRAP_IGNORED, 2, "there is no collective '22'"},
    {"1\nbcast# 1\n2 1\n1 1\n0 han\n", ALL, TRAP_IGNORED, 2, "there is no collective 'bcast#'"},
    {"1\nallgatherv# 1\n2 1\n1 1\n0 han\n", ALL, TRAP_IGNORED, 2, NULL},
    {SETS("bcast", "2", "1 1\n0 han\n4294967298 1\n0 tuned"), ALL, TRAP_MISREAD, 6,
     "does not fit into 32 bits and becomes 2"},
    {"1\nbcast 1\n2 1\n1 1\n0 han [64", ALL, TRAP_IGNORED, 5, NULL},
    {"1\nbcast 1\n2 1\n1 1\n0 han [64 K", ALL, TRAP_IGNORED, 5, "it ends within the brackets"},
    {"1\nbcast 1\n3 1\n1 1\n0 han\n", V41, TRAP_IGNORED, 3, "a level is 3, above 2"},
    {"1\nbcast 1\n3 1\n1 1\n0 han\n", SINCE, TRAP_IGNORED, 3, "there is no level '3'"},
    {"1\nbcast 1\nglobal_communicator 1\n1 1\n0 han\n", V41, TRAP_MISREAD, 3, "'global_communicator' is not a number"},
    {"1\nbcast 1\nglobal 1\n1 1\n0 han\n", SINCE, TRAP_IGNORED, 3, "there is no level 'global'"},
    {RULES("bcast", "1", "0 3"), ALL, TRAP_IGNORED, 5, "'3' is not a component"},
    {RULES("bcast", "1", "0 han @simple"), SINCE, TRAP_NOTE, 5, "coll_han_use_bcast_algorithm, where it is set"},
    {RULES("bcast", "1", "0 han @simple"), V41, TRAP_UNREAD, 5, "reads no algorithm"},
    {RULES("bcast", "1", "0 han @simpel"), SINCE, TRAP_IGNORED, 5, "bcast has no algorithm 'simpel' in HAN"},
    {RULES("bcast", "1", "0 han @2"), SINCE, TRAP_IGNORED, 5, NULL},
    {RULES("bcast", "1", "0 han @3"), SINCE, TRAP_IGNORED, 5, "bcast has no algorithm '3' in HAN"},
    {RULES("allgatherv", "1", "0 han @simple"), SINCE, TRAP_CRASH, 5, "no algorithms of allgatherv"},
    {RULES("bcast", "1", "0 han [ 64 ]"), ALL, TRAP_UNREAD, 5, "coll_han_bcast_segsize"},
    {RULES("bcast", "1", "0 han") "0 tuned\n", ALL, TRAP_UNREAD, 6, "is not read"},
    {RULES("scan", "1", "0 han"), ALL, TRAP_UNREAD, 2, "rules of scan have no effect"},
    {RULES("alltoall", "1", "0 han"), V41 | V5, TRAP_UNREAD, 2, "rules of alltoall have no effect"},
    {"2\nbcast 1\n2 1\n1 1\n0 han\nbcast 1\n2 1\n1 1\n0 tuned\n", ALL, TRAP_UNREAD, 2, "by those of line 6"},
    {"1\nbcast 2\n2 1\n1 1\n0 han\n2 1\n1 1\n0 tuned\n", ALL, TRAP_UNREAD, 3, "replaced by those of line 6"},
    {SETS("bcast", "3", "1 1\n0 han\n4 1\n0 sm\n4 1\n0 tuned"), ALL, TRAP_DEAD, 6,
     "two sets of rules have the number of ranks 4: those of line 8 act, and these are lost"},
    {SETS("bcast", "3", "1 1\n0 han\n16 1\n0 sm\n4 1\n0 tuned"), ALL, TRAP_DEAD, 6,
     "on 16 ranks the rules of line 8 act, and these are lost"},
    {RULES("bcast", "3", "0 han\n64 tuned\n64 sm"), ALL, TRAP_DEAD, 6, "that of line 7 acts, and this one is lost"},
    {RULES("bcast", "3", "0 han\n64 tuned\n8 sm"), ALL, TRAP_DEAD, 6, "on 64 bytes the rule of line 7 acts"},
    {"1\nbcast 1\n1 1\n1 1\n0 tuned\n", ALL, TRAP_UNREAD, 3, "rules for inter_node have no effect"},
    {"1\nbarrier 1\n1 1\n1 1\n0 tuned\n", ALL, TRAP_UNREAD, 3, NULL},
    {"1\ngather 1\n1 1\n1 1\n0 tuned\n", V41, TRAP_UNREAD, 3, "rules for inter_node have no effect"},
    {"1\nbcast 2\n2 1\n1 1\n0 han @simple\n1 1\n1 1\n0 tuned\n", V41, TRAP_UNREAD, 6, "for inter_node have no effect"},
    {"1\nbarrier 1\n0 1\n1 1\n0 han\n", ALL, TRAP_ELSE, 5, "han cannot serve intra_node"},
    {RULES("scatter", "2", "0 han\n64 tuned"), ALL, TRAP_RANKS, 6, "scatter with two ways"},
    {RULES("scatter", "2", "0 han @intra\n64 han @simple"), SINCE, TRAP_RANKS, 6, "scatter with two ways"},
    {RULES("bcast", "2", "0 han\n64 tuned"), ALL, TRAP_RANKS, 6, NULL},
    {RULES("bcast", "1", "0 han"), V41, TRAP_NOTE, 1, "HAN's priority is 0"},
};

static void test_traps(void)
{
    trap_check(traps, G_N_ELEMENTS(traps), LIBRARY_OMPI_41, LIBRARY_OMPI_MAIN);
}

// A file of the component tuned stays one, whatever its comments say.
static void test_tuned(void)
{
    g_autoptr(RulesFile) file = trap_read("1 # 0 han, bcast\n7 1 # 0 tuned\n2 1\n0 6 0 0\n", LIBRARY_OMPI_5);
    g_assert_null(file->variable);
    g_assert_cmpuint(file->traps->len, ==, 0);
}

// ---- Written files --------------------------------------------------------------------------------------------------

// Returns what serves a call, with HAN's default algorithm by its name.
static char *serves(const RulesFile *file, int collective, HanLevel level, gint64 ranks, gint64 bytes)
{
    const LibraryRule *rule = rules_han_find(file, collective, level, ranks, bytes);
    const HanFile *served = rules_han_served(file->names, collective);
    const gboolean han = rule && level == HAN_GLOBAL && strcmp(rule->runs, "han") == 0;
    const char *runs = !han ? "" : *rule->params ? rule->params : rules_han_usual(file->library, served);
    return rule ? g_strconcat(rule->runs, " ", runs, NULL) : g_strdup("nobody");
}

// Compares two files wherever one of their rules begins or ends.
static void compare(const RulesFile *a, const RulesFile *b, const char *text)
{
    for (guint i = 0; i < a->han->len + b->han->len; i++) {
        const LibraryRule *rule = i < a->han->len ? &g_array_index(a->han, LibraryRule, i)
                                                  : &g_array_index(b->han, LibraryRule, i - a->han->len);
        const RuleRange p = rule->when.ranks, m = rule->when.bytes;
        if (!rules_han_served(a->names, rule->collective))
            continue;
        for (int k = 0; k < 9; k++) {
            const gint64 ranks = k / 3 == 0   ? MAX(p.first, 1)
                                 : k / 3 == 1 ? MAX(p.first, 2) - 1
                                              : p.last,
                         bytes = k % 3 == 0   ? m.first
                                 : k % 3 == 1 ? MAX(m.first, 1) - 1
                                              : m.last;
            g_autofree char *one = serves(a, rule->collective, rule->level, ranks, bytes),
                            *two = serves(b, rule->collective, rule->level, ranks, bytes);
            if (strcmp(one, two) != 0)
                g_error("%s, %s: %s, not %s, in\n%s", tuned_collectives[rule->collective].name,
                        han_level_names[rule->level], two, one, text);
        }
    }
}

// What is written is read back as what it was, by each version that has all of it.
static void test_write(void)
{
    guint written[LIBRARY_OMPI_MAIN + 1] = {0};
    const guint32 first = sample_seed(1);
    for (int i = 0; i < sample_of(2000, 100); i++) {
        g_autofree char *text = files_random_han(first + (guint32)i);
        for (int k = 0; k < 9; k++) {
            g_autoptr(RulesFile) from = trap_read(text, (LibraryId)(k / 3));
            g_autoptr(GError) error = NULL;
            g_autofree char *to = from->han ? rules_han_convert(from, &libraries[k % 3], &error) : NULL;
            if (!to)
                continue;
            g_autoptr(RulesFile) back = trap_read(to, (LibraryId)(k % 3));
            g_assert_nonnull(back->han);
            g_assert_false(back->ignored);
            compare(from, back, to);
            written[k % 3]++;
        }
    }
    for (int k = 0; k <= LIBRARY_OMPI_MAIN; k++)
        g_assert_cmpuint(written[k], >, 20);
}

// Returns the error of a conversion.
static void refused(const char *text, LibraryId from, LibraryId to, const char *says)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(RulesFile) file = trap_read(text, from);
    g_assert_null(rules_han_convert(file, &libraries[to], &error));
    g_assert_nonnull(error);
    if (!strstr(error->message, says))
        g_error("'%s' does not say '%s'", error->message, says);
}

static void test_refused(void)
{
    refused(RULES("bcast", "1", "0 han @simple"), LIBRARY_OMPI_5, LIBRARY_OMPI_41,
            "rules:5: a file for Open MPI 4.1.4 names no");
    refused(RULES("gather", "1", "0 han"), LIBRARY_OMPI_5, LIBRARY_OMPI_41, "coll_han_use_simple_gather");
    refused(RULES("bcast", "1", "0 xhc"), LIBRARY_OMPI_MAIN, LIBRARY_OMPI_5, "HAN does not know xhc in Open MPI 5.0.9");
    refused(RULES("alltoall", "1", "0 tuned"), LIBRARY_OMPI_MAIN, LIBRARY_OMPI_5,
            "HAN does not serve alltoall in Open MPI 5.0.9");
    refused(RULES("alltoall", "1", "0 tuned"), LIBRARY_OMPI_5, LIBRARY_OMPI_MAIN, "has no rule that acts");
    refused("1\nbcast 1\n2 2\n1 1\n0 tuned\n1 0\n", LIBRARY_OMPI_5, LIBRARY_OMPI_5,
            "has no rule that acts"); // an empty set
    refused(RULES("bcast", "1", "8 han"), LIBRARY_OMPI_5, LIBRARY_OMPI_MAIN, "rules:5: the library ignores this file");
}

// ---- Pairs ----------------------------------------------------------------------------------------------------------

#define TUNED(coll, sets) "1\n" coll " " sets "\n"

// Returns the line of the first rule that never acts on several nodes, or on all ranks of them; 0 if all act.
static guint dead_line(const char *tuned, const char *han, LibraryId library)
{
    g_autoptr(RulesFile) file = trap_read(tuned, library), other = trap_read(han, library);
    g_assert_null(file->han);
    rules_pair_judge(file, other);
    for (guint i = 0; i < file->traps->len; i++) {
        const Trap *trap = &g_array_index(file->traps, Trap, i);
        if (trap->kind == TRAP_DEAD && strstr(trap->text, "this rule never acts on"))
            return (guint)trap->line;
    }
    return 0;
}

// A pair, and what is said of a rule of tuned: `says`, once, or nothing if `line` is 0.
typedef struct PairCase {
    LibraryId library;
    const char *tuned, *han;
    TrapKind kind;
    guint line;
    const char *says;
} PairCase;

#define RANKS_OF(coll, ranks, id) TUNED(coll, "3\n0 1\n0 0 0 0\n" ranks " 1\n0 " id " 0 0\n100 1\n0 0 0 0")
#define FROM_96(coll)             TUNED(coll, "2\n0 1\n0 0 0 0\n96 1\n0 1 0 0")
#define ALL_TO(coll, component)   RULES(coll, "1", "0 " component)

// tuned's rules also act where HAN calls tuned: within nodes of as many ranks, and between as many nodes where its calls block.
static const PairCase parts[] = {
    {LIBRARY_OMPI_5, FROM_96("7"), ALL_TO("bcast", "tuned"), TRAP_NOTE, 6, "on nodes of 96 ranks and more"},
    {LIBRARY_OMPI_5, FROM_96("7"), ALL_TO("bcast", "tuned"), TRAP_NOTE, 0, "between the nodes"}, // HAN serves none
    {LIBRARY_OMPI_5, FROM_96("7"), ALL_TO("bcast", "han"), TRAP_NOTE, 6, "on 96 nodes and more"},
    {LIBRARY_OMPI_5, TUNED("7", "3\n0 1\n0 0 0 0\n8 1\n0 1 0 0\n9 1\n0 0 0 0"), ALL_TO("bcast", "han"), TRAP_NOTE, 6,
     "on nodes of 8 ranks, this"},
    {LIBRARY_OMPI_5, RANKS_OF("7", "8", "1"), ALL_TO("bcast", "han"), TRAP_NOTE, 6,
     "this rule acts only within a node and between the nodes: han serves its calls there, by line 5"},
    {LIBRARY_OMPI_5, RANKS_OF("7", "8", "1"), ALL_TO("gather", "han"), TRAP_NOTE, 6, "on 8 to 99 nodes, this"},
    // The broadcast of an allgather of HAN is within the nodes, its allgather between them.
    {LIBRARY_OMPI_5, RANKS_OF("0", "8", "1"), ALL_TO("allgather", "han"), TRAP_NOTE, 6,
     "this rule acts only between the nodes"},
    {LIBRARY_OMPI_5, RANKS_OF("0", "8", "1"), ALL_TO("allgather", "han"), TRAP_NOTE, 0, "within a node"},
    {LIBRARY_OMPI_5, RANKS_OF("0", "8", "1"), ALL_TO("allgather", "libnbc"), TRAP_DEAD, 6,
     "this rule never acts on several nodes: libnbc serves"},
    {LIBRARY_OMPI_5, RANKS_OF("6", "8", "1"), ALL_TO("barrier", "han"), TRAP_NOTE, 6,
     "this rule acts only within a node and between the nodes"},
    // In segments, reduce goes to libnbc between the nodes; simple does not.
    {LIBRARY_OMPI_5, RANKS_OF("11", "8", "1"), ALL_TO("reduce", "han"), TRAP_NOTE, 6,
     "this rule acts only within a node: han"},
    {LIBRARY_OMPI_5, RANKS_OF("11", "8", "1"), ALL_TO("reduce", "han @simple"), TRAP_NOTE, 6,
     "this rule acts only within a node and between the nodes: han"},
    {LIBRARY_OMPI_5, RANKS_OF("11", "8", "1"), ALL_TO("reduce", "han @simple"), TRAP_NOTE, 6, "on 8 to 99 nodes, this"},
    {LIBRARY_OMPI_5, TUNED("0", "1\n0 1\n0 1 0 0"), ALL_TO("allgather", "han"), TRAP_DEAD, 4,
     "this rule never acts on all ranks of several nodes"},
    // tuned counts the blocks of all 4 ranks, HAN one of them.
    {LIBRARY_OMPI_5, TUNED("0", "2\n4 2\n0 0 0 0\n3999 4 0 0\n5 1\n0 0 0 0"),
     RULES("allgather", "2", "0 tuned\n1000 han"), TRAP_NOTE, 0, "acts only"},
    {LIBRARY_OMPI_5, TUNED("0", "2\n4 2\n0 0 0 0\n4000 4 0 0\n5 1\n0 0 0 0"),
     RULES("allgather", "2", "0 tuned\n1000 han"), TRAP_NOTE, 5, "acts only between the nodes"},
    // Which algorithm of gather is the default depends on the version.
    {LIBRARY_OMPI_41, RANKS_OF("9", "8", "1"), ALL_TO("gather", "han"), TRAP_NOTE, 6, "acts only within a node: han"},
    {LIBRARY_OMPI_5, RANKS_OF("9", "8", "1"), ALL_TO("gather", "han"), TRAP_NOTE, 6,
     "acts only within a node and between the nodes: han"},
};

static void test_parts(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
        const PairCase *x = &parts[i];
        g_autoptr(RulesFile) file = trap_read(x->tuned, x->library), han = trap_read(x->han, x->library);
        guint n = 0;
        rules_pair_judge(file, han);
        for (guint k = 0; k < file->traps->len; k++) {
            const Trap *trap = &g_array_index(file->traps, Trap, k);
            if (!strstr(trap->text, x->says))
                continue;
            n++;
            g_assert_cmpint(trap->kind, ==, x->kind);
            g_assert_cmpuint(trap->line, ==, x->line);
        }
        if (n != (x->line > 0))
            g_error("case %zu: '%s' is said %u times", i, x->says, n);
    }
}

static void test_pairs(void)
{
    static const char sizes[] = RULES("bcast", "2", "0 han\n8192 tuned"),
                      ranks[] = SETS("bcast", "2", "1 1\n0 tuned\n90 1\n0 han");
    g_assert_cmpuint(dead_line(TUNED("7", "1\n0 2\n0 1 0 0\n4096 6 0 0"), sizes, LIBRARY_OMPI_5), ==,
                     4); // 4096 goes on
    g_assert_cmpuint(dead_line(TUNED("7", "1\n0 2\n0 0 0 0\n4096 6 0 0"), sizes, LIBRARY_OMPI_5), ==, 0);
    g_assert_cmpuint(dead_line(TUNED("7", "2\n0 1\n0 6 0 0\n96 1\n0 1 0 0"), ranks, LIBRARY_OMPI_5), ==, 6);
    g_assert_cmpuint(dead_line(TUNED("7", "2\n0 1\n0 6 0 0\n89 1\n0 1 0 0"), ranks, LIBRARY_OMPI_5), ==, 0);
    g_assert_cmpuint(dead_line(TUNED("2", "1\n0 1\n0 3 0 0"), sizes, LIBRARY_OMPI_5), ==,
                     4); // allreduce is not handed over
    g_assert_cmpuint(dead_line(TUNED("14", "1\n0 1\n0 2 0 0"), sizes, LIBRARY_OMPI_5), ==, 0); // scan is tuned's anyway
    g_assert_cmpuint(dead_line(TUNED("3", "1\n0 1\n0 2 0 0"), sizes, LIBRARY_OMPI_5), ==, 0); // and so is alltoall in 5
    g_assert_cmpuint(dead_line(TUNED("3", "1\n0 1\n0 2 0 0"), sizes, LIBRARY_OMPI_MAIN), ==, 4);
    g_assert_cmpuint(dead_line(TUNED("7", "1\n0 1\n0 6 0 0"), RULES("bcast", "1", "8 tuned"), LIBRARY_OMPI_5), ==,
                     4); // ignored
}

static void add(void)
{
    g_test_add_func("/rules_han/search", test_search);
    g_test_add_func("/rules_han/falling", test_falling);
    g_test_add_func("/rules_han/traps", test_traps);
    g_test_add_func("/rules_han/tuned", test_tuned);
    g_test_add_func("/rules_han/write", test_write);
    g_test_add_func("/rules_han/refused", test_refused);
    g_test_add_func("/rules_han/parts", test_parts);
    g_test_add_func("/rules_han/pairs", test_pairs);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}

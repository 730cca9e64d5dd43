// UCC's selection strings: what they select, which traps are found, and what is written.
#include "advice/tune/tune.h"
#include "libraries/decide/rules_call.h"
#include "libraries/decide/ucc.h"
#include "libraries/decide/ucc_string.h"
#include "sample.h"
#include "tap.h"
#include "trap_cases.h"
#include "tunes.h"
#include <string.h>

#define V13  (1u << LIBRARY_UCC_13)
#define V14  (1u << LIBRARY_UCC_14)
#define BOTH (V13 | V14)

static const LibraryRule *rule_at(const RulesFile *file, const char *collective, int ranks, gint64 bytes)
{
    return rules_find(file, tuned_collective(collective), ranks, bytes);
}

// ---- What is selected -----------------------------------------------------------------------------------------------

static void test_strings(void)
{
    static const struct {
        const char *text, *collective; // MPI's name
        int ranks;
        gint64 bytes;
        int id; // UCC's; -1 for the default, -2 for another layer
    } cases[] = {
        {"allreduce:0-4k:@knomial#allreduce:4k-inf:@1", "allreduce", 8, 4095, 0},
        {"allreduce:0-4k:@knomial#allreduce:4k-inf:@1", "allreduce", 8, 4096, 1},
        {"allreduce:0-4K:host:@1", "allreduce", 8, 4096, -1},
        {"allreduce:cuda:@1", "allreduce", 8, 8, -1},                    // the host's memory keeps the default
        {"allreduce:host,cuda:@1", "allreduce", 8, 8, 1},                //
        {"bcast:[4-8,64]:@sag_knomial", "bcast", 3, 8, -1},              // both ends of a range of ranks are in it
        {"bcast:[4-8,64]:@sag_knomial", "bcast", 4, 8, 1},               //
        {"bcast:[4-8,64]:@sag_knomial", "bcast", 8, 8, 1},               //
        {"bcast:[4-8,64]:@sag_knomial", "bcast", 9, 8, -1},              //
        {"bcast:[4-8,64]:@sag_knomial", "bcast", 64, 8, 1},              //
        {"bcast:[4-inf]:@SAG_knomial", "bcast", 70000, 8, 1},            // upper and lower case are the same
        {"BCAST,reduce:@0", "reduce", 8, 8, 0},                          //
        {"reduce_scatter:@ring", "reduce_scatter_block", 8, 8, 0},       // what UCC calls so
        {"reduce_scatterv:@ring", "reduce_scatter", 8, 8, 0},            //
        {"reduce_scatter:@ring", "reduce_scatter", 8, 8, -1},            //
        {"alltoall:1kb-2M:@bruck", "alltoall", 8, 1 << 20, 1},           //
        {"alltoall:1kb-2M:@bruck", "alltoall", 8, 1023, -1},             //
        {"allgather:8-16,32-64:@bruck", "allgather", 8, 16, -1},         //
        {"allgather:8-16,32-64:@bruck", "allgather", 8, 32, 3},          //
        {"@ring:8-inf:allgather", "allgather", 8, 8, 1},                 // in any order
        {"allreduce:0", "allreduce", 8, 8, -2},                          // a score of 0 switches tl/ucp off
        {"allreduce:0:@1", "allreduce", 8, 8, -2},                       //
        {"allreduce:20", "allreduce", 8, 8, -1},                         // another one chooses no algorithm
        {"allreduce:20:@1", "allreduce", 8, 8, 1},                       //
        {"allreduce:@1#allreduce:@0", "allreduce", 8, 8, -1},            // they overlap, so the string is refused
        {"allreduce:[2-8]:@1#allreduce:[8-9]:@0", "allreduce", 7, 8, 1}, // .. by teams of 8 ranks only
        {"allreduce:[2-8]:@1#allreduce:[8-9]:@0", "allreduce", 8, 8, -1},
        {"allreduce:[2-8]:@1#allreduce:[8-9]:@0", "allreduce", 9, 8, 0},
        {"allreduce:host:@1#allreduce:cuda:@0", "allreduce", 9, 8, 1}, // kinds of memory do not overlap
        {"allreduce:0-8,4-16,32-64:@1", "allreduce", 8, 4, 1},         // a range that is not the last may be wrong
        {"allreduce:0-8,4-16,32-64:@1", "allreduce", 8, 12, -1},
        {"allreduce:0-8,32-64,4-16:@1", "allreduce", 8, 4, -1}, // the last may not
        {"bcast:@1#allreduce:cpu:@1", "bcast", 8, 8, -1},       // one fault, and nothing of the string is in effect
        {"bcast::@1##", "bcast", 8, 8, 1},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(RulesFile) file = trap_read(cases[i].text, LIBRARY_UCC_14);
        const LibraryRule *rule = rule_at(file, cases[i].collective, cases[i].ranks, cases[i].bytes);
        const int id = !rule ? -1 : rule->runs ? -2 : rule->id - 1;
        if (id != cases[i].id)
            g_error("'%s': %s of %d ranks and %d bytes is %d, not %d", cases[i].text, cases[i].collective,
                    cases[i].ranks, (int)cases[i].bytes, id, cases[i].id);
    }
}

// ---- Traps ----------------------------------------------------------------------------------------------------------

#define LONG "allreduce:0-1:@0#allreduce:1-2:@0#allreduce:2-3:@0#allreduce:3-4:@0#allreduce:4-5:@0#"
#define TUNE "UCC_TL_UCP_TUNE="
#define GOOD TUNE "bcast:@1\n"

static void test_traps(void)
{
    static const TrapCase traps[] = {
        {"allreduce:0-4k:@knomial\n", BOTH, TRAP_IGNORED, 1, NULL},
        {"reduce_scatter:@knomial", V13, TRAP_IGNORED, 1, "no algorithm of reduce_scatter"},
        {"reduce:@srg", V13, TRAP_IGNORED, 1, "no algorithm of reduce"},
        {"allreduce:@9", BOTH, TRAP_IGNORED, 1, "no algorithm of allreduce"},
        {"barrier:@knomial", BOTH, TRAP_IGNORED, 1, "barrier, which has none to choose"},
        {"@0", BOTH, TRAP_IGNORED, 1, "barrier, which has none to choose"},
        {"allreduce:cpu:@0", BOTH, TRAP_IGNORED, 1, "whose name for memory is host"},
        {"reduce_scatter_block:@0", BOTH, TRAP_IGNORED, 1, "whose name for it is reduce_scatter"},
        {"allreduce:cuda_managed:@0", BOTH, TRAP_IGNORED, 1, "whose name for it is cuda-managed"},
        {"allreduce:[8-4]:@0", BOTH, TRAP_IGNORED, 1, "'[8-4]' says nothing"},
        {"allreduce:1.5k-2k:@0", BOTH, TRAP_IGNORED, 1, "'1.5k-2k' says nothing"},
        {"allreduce:4k-0:@0", BOTH, TRAP_IGNORED, 1, "is empty or overlaps"},
        {"allreduce:@0#allreduce:8-16:@1", BOTH, TRAP_IGNORED, 1, "is empty or overlaps"},
        {"allreduce:[2-8]:@1#allreduce:[8]:@0", BOTH, TRAP_IGNORED, 1, "for teams of 8 ranks, UCC refuses"},
        {"allreduce:0-8,4-16,32-64:@1", BOTH, TRAP_UNREAD, 1, "is left out for allreduce"},
        {"allreduce:0-4k", BOTH, TRAP_UNREAD, 1, "neither an algorithm nor a score"},
        {"allreduce:@", BOTH, TRAP_MISREAD, 1, "is algorithm 0 (knomial)"},
        {"allgather:@neighbor", BOTH, TRAP_ELSE, 1, "needs an even number of ranks; otherwise ring runs"},
        {"allgather:[5]:@2", BOTH, TRAP_ELSE, 1, "otherwise ring runs"},
        {"allgather:[4]:@neighbor", BOTH, TRAP_ELSE, 1, NULL},
        {"allreduce:4096:@1", BOTH, TRAP_NOTE, 1, NULL},
        {"allreduce:4096", BOTH, TRAP_NOTE, 1, "a score chooses between layers"},
        {"allreduce:cuda:@1", BOTH, TRAP_NOTE, 1, "not about the host's memory"},
        // files
        {GOOD, BOTH, TRAP_IGNORED, 1, NULL},
        {"# a comment\n\n; another one\n" GOOD, BOTH, TRAP_UNREAD, 1, NULL},
        {GOOD GOOD, BOTH, TRAP_IGNORED, 2, "stands there twice"},
        {"export " GOOD "export " GOOD, BOTH, TRAP_UNREAD, 1, "replaced by that of line 2"},
        {"TUNE=1\n" GOOD, BOTH, TRAP_IGNORED, 1, "has no UCC_"},
        {"export PATH=1\nexport " GOOD, BOTH, TRAP_IGNORED, 1, NULL},
        {"UCC_A=1\n x\n" GOOD, BOTH, TRAP_IGNORED, 2, "an indented line"},
        {"UCC_A=1\nhello\n" GOOD, BOTH, TRAP_IGNORED, 2, "neither NAME=VALUE nor a section"},
        {TUNE LONG LONG LONG "bcast:@1\n", BOTH, TRAP_SHIFTED, 1, "the first 199 for another line"},
        {"export " TUNE "'" LONG "bcast:@1'\n", BOTH, TRAP_SHIFTED, 1, NULL},
        {"UCC_CLS=basic,hier\n" GOOD, BOTH, TRAP_NOTE, 1, "CL/hier comes before"},
        {"UCC_TL_UCP_BCAST_KN_RADIX=8\n" GOOD, BOTH, TRAP_NOTE, 1, "is not looked at"},
        {"UCC_TUNE=bcast:@1\n", BOTH, TRAP_UNREAD, 1, "no variable 'UCC_TUNE'"},
        {"UCC_A=1\n", BOTH, TRAP_UNREAD, 1, "nothing here sets"},
        // sections
        {"[team_size=8 ppn=4]\n" GOOD, BOTH, TRAP_IGNORED, 1, NULL},
        {"[team_size=8\n" GOOD, BOTH, TRAP_IGNORED, 1, "a ] is missing"},
        {"[team_size=8x]\n" GOOD, BOTH, TRAP_IGNORED, 1, "is not a range"},
        {"[ranks=8]\n" GOOD, BOTH, TRAP_IGNORED, 1, "'ranks=8' is unknown"},
        {"[team_size]\n" GOOD, BOTH, TRAP_CRASH, 1, "'team_size' has no value"},
        {"[team_size=8-4]\n" GOOD, BOTH, TRAP_DEAD, 1, "no team fits"},
        {GOOD "[team_size=8]\n" GOOD, BOTH, TRAP_DEAD, 3, "outside of all sections, comes first"},
        {"[team_size=8]\n" GOOD "[nnodes=2]\n" GOOD, BOTH, TRAP_SHIFTED, 3, "hash table"},
        {"[team_size=8]\n" GOOD "[team_size=9]\n" GOOD, BOTH, TRAP_SHIFTED, 3, NULL},
        {"[vendor=amd]\n" GOOD "[vendor=intel]\n" GOOD, BOTH, TRAP_SHIFTED, 3, NULL},
        {"[vendor=amd]\n" GOOD "[vendor=intel]\n" GOOD, BOTH, TRAP_NOTE, 3, "processors of intel alone"},
    };
    trap_check(traps, G_N_ELEMENTS(traps), LIBRARY_UCC_13, LIBRARY_UCC_14);
}

// A section's string acts on teams that fit all of its name.
static void test_sections(void)
{
    static const char text[] = "[team_size=8-16 ppn=4 nnodes=2-4]\n" TUNE "allreduce:@knomial\n"
                               "[team_size=8-16 ppn=1]\n" TUNE "allreduce:@1\n";
    static const struct {
        int p, per_node;
        size_t line;
    } cases[] = {{8, 4, 2}, {16, 4, 2}, {12, 4, 2}, {8, 8, 0}, {4, 4, 0}, {20, 4, 0}, {8, 1, 4}, {8, 2, 0}, {8, 0, 0}};
    g_autoptr(RulesFile) file = trap_read(text, LIBRARY_UCC_14);
    g_autoptr(Tables) tables = tables_load(&libraries[LIBRARY_UCC_14], NULL);
    g_assert_cmpuint(file->traps->len, ==, 0);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        CollNodes *nodes = cases[i].per_node ? coll_nodes_blocks(cases[i].p, cases[i].per_node) : NULL;
        const DecideCall call = {
            .collective = COLL_ALLREDUCE, .p = cases[i].p, .m = 8, .elem = 8, .commutative = TRUE, .nodes = nodes};
        size_t line;
        g_autofree char *runs = rules_runs(file, tables, &call, &line);
        g_assert_cmpuint(line, ==, cases[i].line);
        g_assert_cmpstr(runs, ==, line == 4 ? "sra_knomial" : "knomial");
        coll_nodes_free(nodes);
    }
}

// ---- Against a reader that follows one call --------------------------------------------------------------------------

typedef struct NaiveRange {
    int collective, memory, score, id;
    gint64 start, end;
} NaiveRange;

typedef struct NaiveToken {
    int collectives[3], n_collectives, memory, score, id, teams[2];
    gint64 ranges[3][2];
    int n_ranges;
} NaiveToken;

// Returns what a call runs: -2 another layer, -1 the default, or an id.
static int naive(const NaiveToken *tokens, int n, int collective, int ranks, gint64 bytes)
{
    NaiveRange all[200];
    int filled = 0;
    for (int i = 0; i < n; i++) {
        const NaiveToken *t = &tokens[i];
        gboolean failed = FALSE;
        if (ranks < t->teams[0] || ranks > t->teams[1])
            continue;
        for (int c = 0; c < t->n_collectives; c++)
            for (int m = 0; m < 5; m++)
                for (int r = 0; r < t->n_ranges && (t->memory < 0 || t->memory == m); r++) {
                    failed = t->ranges[r][0] >= t->ranges[r][1];
                    for (int k = 0; k < filled; k++)
                        failed |= all[k].collective == t->collectives[c] && all[k].memory == m &&
                                  all[k].start < t->ranges[r][1] && t->ranges[r][0] < all[k].end;
                    if (!failed)
                        all[filled++] =
                            (NaiveRange){t->collectives[c], m, t->score, t->id, t->ranges[r][0], t->ranges[r][1]};
                }
        if (failed)
            return -1;
    }
    for (int k = 0; k < filled; k++)
        if (all[k].collective == collective && all[k].memory == 0 && all[k].start <= bytes && bytes < all[k].end)
            return all[k].score == 0 ? -2 : all[k].id;
    return -1;
}

static int pick(GRand *random, int most)
{
    return g_rand_int_range(random, 0, most + 1);
}

// Makes a token, and appends it as text.
static NaiveToken random_token(GRand *random, GString *s)
{
    static const char *const names[] = {"allreduce", "bcast", "allgather"}, *const kinds[] = {"host", "cuda"};
    NaiveToken t = {
        .n_collectives = 1 + pick(random, 1), .memory = pick(random, 3) ? -1 : pick(random, 1), .score = -1};
    const int first = pick(random, 2);
    g_string_append(s, s->len ? "#" : "");
    for (int i = 0; i < t.n_collectives; i++) {
        t.collectives[i] = (first + i) % 3;
        g_string_append_printf(s, "%s%s", i ? "," : "", names[t.collectives[i]]);
    }
    t.n_ranges = 1 + pick(random, 1);
    for (int i = 0; i < t.n_ranges; i++) {
        t.ranges[i][0] = 8 * pick(random, 12);
        t.ranges[i][1] = t.ranges[i][0] + 8 * pick(random, 6);
        g_string_append_printf(s, "%s%d-%d", i ? "," : ":", (int)t.ranges[i][0], (int)t.ranges[i][1]);
    }
    if (t.memory >= 0)
        g_string_append_printf(s, ":%s", kinds[t.memory]);
    t.teams[0] = pick(random, 2) ? 0 : 2 + pick(random, 6);
    t.teams[1] = t.teams[0] ? t.teams[0] + pick(random, 4) : G_MAXINT;
    if (t.teams[0])
        g_string_append_printf(s, ":[%d-%d]", t.teams[0], t.teams[1]);
    if (!pick(random, 5)) {
        t.score = pick(random, 1) * 10;
        g_string_append_printf(s, ":%d", t.score);
    }
    t.id = pick(random, 1);
    g_string_append_printf(s, ":@%d", t.id);
    return t;
}

static void test_naive(void)
{
    static const char *const names[] = {"allreduce", "bcast", "allgather"};
    g_autoptr(GRand) random = g_rand_new_with_seed(sample_seed(1));
    int ruled = 0, refused = 0;
    for (int round = 0; round < sample_of(4000, 500); round++) {
        g_autoptr(GString) s = g_string_new(NULL);
        NaiveToken tokens[5];
        const int n = 1 + pick(random, 4);
        for (int i = 0; i < n; i++)
            tokens[i] = random_token(random, s);
        // The string may stand in a section for some teams, unless its line would be too long for that.
        const int least = s->len < 180 && pick(random, 1) ? 2 + pick(random, 6) : 0,
                  most = least ? least + pick(random, 4) : G_MAXINT;
        g_autofree char *section = g_strdup_printf("[team_size=%d-%d]\n" TUNE "%s\n", least, most, s->str);
        g_autoptr(RulesFile) file = trap_read(least ? section : s->str, LIBRARY_UCC_14);
        g_autofree char *text = ucc_string_text(file->names, file->rules, NULL);
        g_autoptr(RulesFile) again = *text ? trap_read(text, LIBRARY_UCC_14) : NULL; // what is written selects the same
        refused += file->traps->len > 0;
        for (int k = 0; k < 60; k++) {
            const int c = pick(random, 2), ranks = 2 + pick(random, 10);
            const gint64 bytes = pick(random, 160);
            const LibraryRule *rule = rule_at(file, names[c], ranks, bytes),
                              *written = again ? rule_at(again, names[c], ranks, bytes) : NULL;
            const int due = ranks < least || ranks > most ? -1 : naive(tokens, n, c, ranks, bytes),
                      id = !rule        ? -1
                           : rule->runs ? -2
                                        : rule->id - 1,
                      id_again = !written        ? -1
                                 : written->runs ? -2
                                                 : written->id - 1;
            if (id != due || id_again != due)
                g_error("'%s', written as '%s': %s of %d ranks and %d bytes is %d and %d, not %d", s->str, text,
                        names[c], ranks, (int)bytes, id, id_again, due);
            ruled += due != -1;
        }
    }
    g_assert_cmpint(ruled, >, sample_of(4000, 500));
    g_assert_cmpint(refused, >, sample_of(4000, 500) / 20);
}

// ---- Writing --------------------------------------------------------------------------------------------------------

static void test_convert(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(RulesFile) file = trap_read("reduce:[4-8]:8-inf:@knomial#allreduce:0", LIBRARY_UCC_14);
    g_autofree char *text = ucc_convert(file, &libraries[LIBRARY_UCC_13], &error);
    g_assert_cmpstr(text, ==,
                    "export UCC_TL_UCP_TUNE='allreduce:host:0-inf:[2-inf]:0#reduce:host:8-inf:[4-8]:@knomial'\n");
    g_autoptr(RulesFile) newer = trap_read("# \nreduce:@srg", LIBRARY_UCC_14);
    g_assert_null(ucc_convert(newer, &libraries[LIBRARY_UCC_13], &error));
    g_assert_cmpstr(error->message, ==, "rules:2: UCC 1.3 has no algorithm srg of reduce");
    g_clear_error(&error);
    g_autoptr(RulesFile) none = trap_read("allreduce:@9", LIBRARY_UCC_14);
    g_assert_null(ucc_convert(none, &libraries[LIBRARY_UCC_14], &error));
    g_assert_nonnull(strstr(error->message, "no rule that acts"));
    g_clear_error(&error);
    static const char sections[] = "[team_size=8 ppn=4]\n" TUNE "reduce:host:0-inf:@knomial\n";
    g_autoptr(RulesFile) conf = trap_read(sections, LIBRARY_UCC_14);
    g_autofree char *same = ucc_convert(conf, &libraries[LIBRARY_UCC_13], &error);
    g_assert_cmpstr(same, ==, sections);
    static const char longer[] = "[team_size=8 ppn=4]\n" TUNE "allreduce:0-1:@0#allreduce:1-2:@0#allreduce:2-3:@0#"
                                 "allreduce:3-4:@0#allreduce:4-5:@0#allreduce:5-6:@0#allreduce:6-7:@0\n";
    g_autoptr(RulesFile) tight = trap_read(longer, LIBRARY_UCC_14);
    g_assert_cmpuint(tight->traps->len, ==, 0);
    g_assert_null(ucc_convert(tight, &libraries[LIBRARY_UCC_14], &error)); // :host makes it longer than a line may be
    g_assert_nonnull(strstr(error->message, "a line of more than 199 characters"));
    g_clear_error(&error);
    static const char *const ends[] = {"100000000-100000001", "999999999-1000000000"};
    for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) { // lines of 199 and of 200 characters, in a section of 199
        g_autofree char *vendor = g_strnfill(199 - strlen("[vendor=]"), 'v');
        g_autofree char *conf_text = g_strdup_printf("[vendor=%s]\n" TUNE "%sallreduce:%s:@0\n", vendor, LONG, ends[i]);
        g_autoptr(RulesFile) full = trap_read(conf_text, LIBRARY_UCC_14);
        g_autofree char *written = ucc_convert(full, &libraries[LIBRARY_UCC_14], &error);
        g_assert_cmpint(written != NULL, ==, i == 0);
    }
    g_assert_nonnull(strstr(error->message, "a line of more than 199 characters"));
    g_clear_error(&error);
}

// What tune writes has no trap, and selects at each point what it chose.
static void test_tune(void)
{
    static const Collective tuned[] = {COLL_ALLGATHER, COLL_REDUCE_SCATTER_BLOCK, COLL_ALLTOALL};
    for (LibraryId id = LIBRARY_UCC_13; id <= LIBRARY_UCC_14; id++) {
        g_auto(Request) r = {0};
        g_autoptr(GError) error = NULL;
        g_autoptr(GPtrArray) tunes = tunes_new(), header = g_ptr_array_new();
        guint n_rules = 0;
        tunes_request(&r, id, "4 7 16 20", "8 512 4096 65536");
        g_assert_false(tune_can(r.library.only, COLL_BARRIER));
        g_assert_false(tune_can(r.library.only, COLL_REDUCE_SCATTER)); // there is one algorithm
        for (size_t i = 0; i < G_N_ELEMENTS(tuned); i++) {
            if (!tune_can(r.library.only, tuned[i]))
                continue;
            Tune *tune = tune_compute(&r, tuned[i], 8, TUNE_WITHIN, FALSE, &error);
            g_assert_no_error(error);
            g_assert_true(tune_refine(tune, &r, TUNE_WITHIN, &error));
            g_ptr_array_add(tunes, tune);
            n_rules += tune->rules->len;
        }
        g_assert_cmpuint(tunes->len, ==, id == LIBRARY_UCC_13 ? 2 : 3); // 1.3 has one algorithm of reduce_scatter_block
        g_assert_cmpuint(n_rules, >, 0);
        g_ptr_array_add(header, (char *)(guintptr) "made here");
        g_autofree char *text = tune_file(r.library.only, tunes, header);
        g_assert_true(g_str_has_prefix(text, "# made here\nexport UCC_TL_UCP_TUNE='"));
        g_autoptr(RulesFile) file = trap_read(text, id);
        g_assert_cmpuint(file->traps->len, ==, 0);
        for (guint i = 0; i < tunes->len; i++) {
            const Tune *tune = tunes->pdata[i];
            for (guint k = 0; k < tune->places->len; k++) {
                const TunePlace *place = &g_array_index(tune->places, TunePlace, k);
                const LibraryRule *rule = rule_at(file, collectives[tune->collective].name, place->p, place->bytes);
                g_assert_cmpint(rule ? rule->id : 0, ==, place->choice.id);
            }
        }
    }
}

static void add(void)
{
    g_test_add_func("/rules_ucc/strings", test_strings);
    g_test_add_func("/rules_ucc/traps", test_traps);
    g_test_add_func("/rules_ucc/sections", test_sections);
    g_test_add_func("/rules_ucc/naive", test_naive);
    g_test_add_func("/rules_ucc/convert", test_convert);
    g_test_add_func("/rules_ucc/tune", test_tune);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}

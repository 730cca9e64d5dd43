// What libraries decide: calls of a real Open MPI 4.1.4 with the functions that it entered, every corner of every row of
// the tables, and decisions over nodes and of MPICH that were worked out by hand.
#include "base/csv.h"
#include "base/error.h"
#include "libraries/decide/decide.h"
#include "libraries/decide/tuned.h"
#include "libraries/decide/ucc.h"
#include "registry/coverage.h"
#include "tap.h"
#include <glib/gstdio.h>
#include <string.h>

static Tables *load(const char *name)
{
    GError *error = NULL;
    Tables *tables = tables_load(library_find(name, NULL), &error);
    g_assert_no_error(error);
    return tables;
}

// ---- A real library -------------------------------------------------------------------------------------------------

// Open MPI's functions ompi_coll_base_COLLECTIVE_intra_NAME, and the ids that they are.
static const struct {
    const char *function;
    int id;
} functions[] = {{"allgather.two_procs", 6},
                 {"allgather.recursivedoubling", 3},
                 {"allgather.bruck", 2},
                 {"allgatherv.basic_default", 1},
                 {"allgatherv.bruck", 2},
                 {"allgatherv.ring", 3},
                 {"allgatherv.neighborexchange", 4},
                 {"allreduce.nonoverlapping", 2},
                 {"allreduce.recursivedoubling", 3},
                 {"allreduce.ring", 4},
                 {"allreduce.ring_segmented", 5},
                 {"allreduce.redscat_allgather", 6},
                 {"alltoall.basic_linear", 1},
                 {"alltoall.pairwise", 2},
                 {"alltoall.bruck", 3},
                 {"alltoall.linear_sync", 4},
                 {"alltoallv.basic_linear", 1},
                 {"alltoallv.pairwise", 2},
                 {"barrier.basic_linear", 1},
                 {"barrier.recursivedoubling", 3},
                 {"bcast.basic_linear", 1},
                 {"bcast.chain", 2},
                 {"bcast.pipeline", 3},
                 {"bcast.bintree", 5},
                 {"bcast.binomial", 6},
                 {"bcast.knomial", 7},
                 {"bcast.scatter_allgather", 8},
                 {"exscan.linear", 1},
                 {"gather.basic_linear", 1},
                 {"gather.binomial", 2},
                 {"gather.linear_sync", 3},
                 {"reduce.basic_linear", 1},
                 {"reduce.pipeline", 3},
                 {"reduce.binary", 4},
                 {"reduce.binomial", 5},
                 {"reduce.in_order_binary", 6},
                 {"reduce_scatter.nonoverlapping", 1},
                 {"reduce_scatter.basic_recursivehalving", 2},
                 {"reduce_scatter.ring", 3},
                 {"reduce_scatter.butterfly", 4},
                 {"reduce_scatter_block_basic_linear", 1},
                 {"reduce_scatter_block.recursivedoubling", 2},
                 {"reduce_scatter_block.recursivehalving", 3},
                 {"reduce_scatter_block.butterfly", 4},
                 {"scan.linear", 1},
                 {"scatter.basic_linear", 1},
                 {"scatter.binomial", 2},
                 {"scatter.linear_nb", 3}};

static int id_of(const char *function)
{
    for (size_t i = 0; i < G_N_ELEMENTS(functions); i++)
        if (strcmp(functions[i].function, function) == 0)
            return functions[i].id;
    g_error("%s is not in the table", function);
}

// Returns the ids of the functions of a row as "3>2>"; bcast.generic is a helper of several ids.
static char *ids_entered(const char *text)
{
    g_auto(GStrv) words = g_strsplit(text, ">", -1);
    GString *ids = g_string_new(NULL);
    for (char **word = words; *word; word++)
        if (!g_str_has_suffix(*word, ".generic"))
            g_string_append_printf(ids, "%d>", id_of(*word));
    return g_string_free(ids, FALSE);
}

// Returns the ids of a decision in the order in which they are entered: the id chosen, its fallbacks, its parts.
static char *ids_decided(const Tables *tables, const Decision *d)
{
    GString *ids = g_string_new(NULL);
    for (int id = d->chosen;;) {
        g_string_append_printf(ids, "%d>", id);
        if (id == d->id)
            break;
        id = tables_algorithm(tables, d->collective, id)->else_runs;
    }
    for (guint i = 0; i < d->parts->len; i++) {
        const Decision *part = d->parts->pdata[i];
        if (part->id)
            g_string_append_printf(ids, "%d>", part->id);
    }
    return g_string_free(ids, FALSE);
}

static int number(const Csv *csv, size_t row, const char *column)
{
    int value = 0;
    g_assert_true(csv_int(csv, row, csv_column(csv, column), 0, INT_MAX, &value, NULL));
    return value;
}

// Every row of the recorded calls: the bytes, the id chosen, and the functions entered.
static void test_recorded(void)
{
    g_autoptr(Tables) tables = load("ompi-4.1.4");
    const char *dir = g_getenv("COLLSIM_TESTS");
    g_autofree char *path = g_build_filename(dir ? dir : "tests", "golden", "decisions-ompi-4.1.4.csv", NULL);
    GError *error = NULL;
    g_autoptr(Csv) csv = csv_read(path, &error);
    g_assert_no_error(error);
    for (size_t i = 0; i < csv_rows(csv); i++) {
        const char *name = csv_field(csv, i, csv_column(csv, "collective"));
        const int p = number(csv, i, "p"), count = number(csv, i, "count"), type = number(csv, i, "type_size");
        g_autofree size_t *len = g_new(size_t, p), *at = g_new0(size_t, p + 1);
        const CollCounts counts = {len, at};
        DecideCall call = {.p = p,
                           .m = (size_t)count * (size_t)type,
                           .elem = (size_t)type,
                           .commutative = strcmp(csv_field(csv, i, csv_column(csv, "commutative")), "yes") == 0};
        while (strcmp(collectives[call.collective].name, name) != 0)
            call.collective++;
        for (int k = 0; k < p; k++) // the row has the sum of all counts
            len[k] = (size_t)(count / p + (k < count % p)) * (size_t)type;
        if (call.collective == COLL_ALLGATHERV)
            call.counts = &counts;
        g_autoptr(Decision) d = decide_call(tables, &call);
        g_autofree char *entered = ids_entered(csv_field(csv, i, csv_column(csv, "functions_called"))),
                        *decided = ids_decided(tables, d);
        if (call.collective != COLL_EXSCAN && call.collective != COLL_SCAN)
            g_assert_cmpint((int)d->bytes, ==, number(csv, i, "bytes"));
        g_assert_cmpint(d->chosen, ==, number(csv, i, "expected"));
        g_assert_cmpstr(decided, ==, entered);
    }
    g_assert_cmpint((int)csv_rows(csv), ==, 300);
}

// Returns TRUE if the ids that Open MPI entered are those of the decision.
static gboolean entered_ids(const Decision *d, int chosen, int ran, const char *parts)
{
    gboolean same = d->chosen == chosen && d->id == ran;
    for (guint i = 0; i < d->parts->len; i++) {
        const Decision *part = d->parts->pdata[i];
        g_autofree char *due = g_strdup_printf(" %s:%d ", collectives[part->collective].name, part->id);
        g_autofree char *all = g_strdup_printf(" %s ", parts);
        same = same && (!part->id || strstr(all, due)); // gatherv and scatterv have no id
    }
    return same;
}

// Every fourth of the calls of `make decisions-real`, or all if it runs this.
static void test_real(void)
{
    g_autoptr(Tables) ompi = load("ompi-4.1.4"), mpich = load("mpich-4.0.2");
    const char *dir = g_getenv("COLLSIM_TESTS"), *all = g_getenv("COLLSIM_CALLS");
    g_autofree char *path =
        all ? g_strdup(all) : g_build_filename(dir ? dir : "tests", "golden", "decisions-real.csv", NULL);
    GError *error = NULL;
    g_autoptr(Csv) csv = csv_read(path, &error);
    g_assert_no_error(error);
    for (size_t i = 0; i < csv_rows(csv); i++) {
        const gboolean of_ompi = strcmp(csv_field(csv, i, csv_column(csv, "library")), "ompi-4.1") == 0;
        const char *name = csv_field(csv, i, csv_column(csv, "collective")),
                   *ran = csv_field(csv, i, csv_column(csv, "ran"));
        DecideCall call = {.p = number(csv, i, "p"),
                           .elem = (size_t)number(csv, i, "type_size"),
                           .m = (size_t)number(csv, i, "count") * (size_t)number(csv, i, "type_size"),
                           .commutative = strcmp(csv_field(csv, i, csv_column(csv, "commutative")), "yes") == 0,
                           .in_place = strcmp(csv_field(csv, i, csv_column(csv, "in_place")), "yes") == 0};
        while (strcmp(collectives[call.collective].name, name) != 0)
            call.collective++;
        g_autoptr(Decision) d = decide_call(of_ompi ? ompi : mpich, &call);
        g_autofree char *id = decision_id(d), *text = decision_text(d);
        g_auto(GStrv) sends_alike = g_strsplit(ran, " ", -1);
        if (of_ompi ? entered_ids(d, number(csv, i, "chosen"), atoi(ran), csv_field(csv, i, csv_column(csv, "parts")))
                    : g_strv_contains((const char *const *)sends_alike, id))
            continue;
        g_test_message("line %" G_GSIZE_FORMAT ": %s, not %s", i + 2, text, ran);
        g_test_fail();
    }
    g_assert_cmpint((int)csv_rows(csv), >=, 500);
}

// ---- The tables -----------------------------------------------------------------------------------------------------

// Returns how many rows fit.
static int fitting(const Tables *tables, const RuleCall *call)
{
    int n = 0;
    for (guint i = 0; i < tables->tuned->len; i++) {
        const LibraryRule *row = &g_array_index(tables->tuned, LibraryRule, i);
        n += row->collective == call->collective && rule_fits(&row->when, call);
    }
    return n;
}

// At the corners of each row and one step outside of them, exactly one row fits.
static void check_fit(const Tables *tables, const LibraryRule *row)
{
    const RuleRange ranks = row->when.ranks, sizes = row->when.bytes;
    const gint64 ps[] = {ranks.first - 1, ranks.first, ranks.last, ranks.last + (ranks.last < RULES_NO_LIMIT)};
    const gint64 bytes[] = {sizes.first - (sizes.first > 0), sizes.first, sizes.last,
                            sizes.last + (sizes.last < RULES_NO_LIMIT)};
    for (size_t i = 0; i < G_N_ELEMENTS(ps); i++)
        for (size_t k = 0; k < G_N_ELEMENTS(bytes) && ps[i] >= 2 && ps[i] <= INT_MAX; k++)
            for (int commutative = 0; commutative < 2; commutative++)
                for (int alone = 0; alone < 2; alone++) {
                    RuleCall call = rule_call(row->collective, (int)ps[i], bytes[k]);
                    call.flags[SELECT_COMMUTATIVE] = commutative;
                    call.hierarchy = alone ? SELECT_FLAT : SELECT_PARENT;
                    g_assert_cmpint(fitting(tables, &call), ==, 1);
                }
}

// decide_call() gives the row's id and parameters at its corners. The elements of the calls are bytes.
static void check_row(Tables *tables, const LibraryRule *row)
{
    enum { MOST_RANKS = 1 << 14 };
    const gint64 ps[] = {row->when.ranks.first, MIN(row->when.ranks.last, MOST_RANKS)};
    const gint64 bytes[] = {row->when.bytes.first, MIN(row->when.bytes.last, (gint64)1 << 40)};
    const Collective collective = tuned_ours(row->collective);
    for (size_t i = 0; i < G_N_ELEMENTS(ps) && ps[0] <= MOST_RANKS; i++)
        for (size_t k = 0; k < G_N_ELEMENTS(bytes); k++) {
            CollNodes *nodes = row->when.hierarchies == SELECT_FLAT ? coll_nodes_blocks((int)ps[i], 1) : NULL;
            const DecideCall call = {.collective = collective,
                                     .p = (int)ps[i],
                                     .m = (size_t)bytes[k],
                                     .elem = 1,
                                     .commutative = row->when.flags[SELECT_COMMUTATIVE] != RULE_NO,
                                     .no_han = TRUE,
                                     .nodes = nodes};
            g_autoptr(Decision) d = decide_call(tables, &call);
            if (collective != COLL_SCAN && collective != COLL_EXSCAN)
                g_assert_cmpint(d->chosen, ==, row->id);
            g_assert_cmpint((int)d->segment, ==, row->segment);
            coll_nodes_free(nodes);
        }
}

static void test_rows(void)
{
    static const char *const names[] = {"ompi-4.1", "ompi-5", "ompi-main"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autoptr(Tables) tables = load(names[i]);
        g_assert_cmpint((int)tables->tuned->len, >, 400);
        for (guint k = 0; k < tables->tuned->len; k++) {
            const LibraryRule *row = &g_array_index(tables->tuned, LibraryRule, k);
            g_assert_nonnull(tables_tuned(tables, row->collective, row->id));
            check_fit(tables, row);
            check_row(tables, row);
        }
    }
}

// Returns TRUE if the list of what libraries have gives a reason why the registry lacks an algorithm.
static gboolean is_listed_missing(Collective collective, const char *alias)
{
    for (int i = 0; i < n_cover_items; i++)
        if (cover_items[i].collective == collective && strcmp(cover_items[i].name, alias) == 0)
            return cover_items[i].reason != NULL;
    return FALSE;
}

// The registry has an entry for every algorithm of every version, under the names that libraries have.
static void test_entries(void)
{
    for (int i = 0; i < N_LIBRARIES; i++) {
        g_autoptr(Tables) tables = load(libraries[i].name);
        const LibraryOf *of = &library_families[libraries[i].family];
        for (guint k = 0; k < tables->algorithms->len; k++) {
            const LibraryAlgorithm *a = &g_array_index(tables->algorithms, LibraryAlgorithm, k);
            g_autofree char *id = tables_id(a), *alias = g_strconcat(of->prefixes[0], id, NULL),
                            *later = g_strdup_printf("ompi-main:%d", a->id);
            const gboolean alike = algorithm_find(a->collective, alias) || algorithm_find(a->collective, later);
            if (libraries[i].family != LIBRARY_UCC)
                g_assert_true(alike);
            else if (
                *a->nearest) // an entry under another name, or one that differs, as parts that are not its usual ones
                g_assert_nonnull(algorithm_find(a->collective, a->nearest));
            else if (!alike) // then the coverage says why
                g_assert_true(is_listed_missing(a->collective, alias));
            g_assert_true(!a->else_runs || tables_algorithm(tables, a->collective, a->else_runs));
            g_assert_true(!a->one_fanout || tables_algorithm(tables, a->collective, a->one_fanout));
        }
        for (guint k = 0; k < tables->tree->len; k++) {
            const LibraryRule *row = &g_array_index(tables->tree, LibraryRule, k);
            g_assert_nonnull(strstr(row->runs, "_intra_") ? strstr(row->runs, "_intra_")
                                                          : strstr(row->runs, "_allcomm_"));
        }
    }
}

// ---- By hand --------------------------------------------------------------------------------------------------------

// Decisions as text; a block of `per_node` ranks shares a node, 0 for no nodes. Elements have 8 bytes.
static const struct {
    const char *library;
    Collective collective;
    int p, per_node;
    size_t m;
    gboolean ordered, no_han; // ordered: the operation is not commutative
    const char *text;
    gboolean missing; // the answer says that something is not in the data
} by_hand[] = {
    // 48 ranks need 32 elements: 31 go to the linear algorithm, also with 16 doubles
    {"ompi-4.1", COLL_ALLREDUCE, 48, 0, 256, FALSE, FALSE, "6 rabenseifner", FALSE},
    {"ompi-4.1", COLL_ALLREDUCE, 48, 0, 248, FALSE, FALSE, "1 basic_linear (chosen 6: count < 2^floor(log2 p))", FALSE},
    {"ompi-4.1", COLL_ALLREDUCE, 48, 0, 128, FALSE, FALSE, "1 basic_linear (chosen 6: count < 2^floor(log2 p))", FALSE},
    {"ompi-4.1", COLL_ALLREDUCE, 65536, 0, 32768, FALSE, FALSE, "1 basic_linear (chosen 6: count < 2^floor(log2 p))",
     FALSE},
    {"ompi-4.1", COLL_ALLREDUCE, 1, 0, 8, FALSE, FALSE, "self", FALSE},
    {"ompi-4.1", COLL_ALLGATHER, 7, 0, 8, FALSE, FALSE, "2 bruck (chosen 3: p is not a power of two)", FALSE},
    {"ompi-main", COLL_ALLGATHER, 7, 0, 8, FALSE, FALSE, "2 bruck-k-fanout (chosen 3: p is not a power of two)", FALSE},
    {"ompi-4.1", COLL_SCATTERV, 7, 0, 8, FALSE, FALSE, "basic linear", TRUE},
    // the parts decide with their own bytes: reduce with 64 blocks of 1 MiB
    {"ompi-4.1", COLL_REDUCE_SCATTER_BLOCK, 8, 0, 1 << 20, FALSE, FALSE,
     "1 basic_linear (reduce: 5 binomial; scatter: 1 basic_linear)", FALSE},
    // HAN on several nodes, and what it is without it
    {"ompi-5", COLL_BCAST, 16, 4, 32768, FALSE, FALSE, "han (bcast: 1 basic_linear; bcast: 1 basic_linear)", FALSE},
    {"ompi-5", COLL_BCAST, 16, 4, 32768, FALSE, TRUE, "6 binomial", FALSE},
    {"ompi-5", COLL_BCAST, 16, 16, 32768, FALSE, FALSE, "6 binomial", FALSE},
    {"ompi-4.1", COLL_BCAST, 16, 4, 32768, FALSE, FALSE, "6 binomial", FALSE},
    {"ompi-5", COLL_REDUCE, 16, 4, 32768, TRUE, FALSE, "6 in-order_binary", FALSE},
    // HAN cuts the message into segments of 64 KiB, so the part within a node broadcasts 64 KiB, not 16 MiB. The first
    // segment goes between the nodes by a call that blocks, so tuned decides on it; the others go by libnbc.
    {"ompi-5", COLL_BCAST, 384, 32, 8192, FALSE, FALSE, "han (bcast: 5 binary_tree; bcast: 7 knomial)", FALSE},
    {"ompi-5", COLL_BCAST, 16, 4, 65536, FALSE, FALSE, "han (bcast: 1 basic_linear; bcast: 1 basic_linear)", FALSE},
    {"ompi-5", COLL_BCAST, 16, 4, 65544, FALSE, FALSE, "han (bcast: 1 basic_linear)", TRUE},
    {"ompi-5", COLL_BCAST, 16, 4, 1 << 24, FALSE, FALSE, "han (bcast: 1 basic_linear)", TRUE},
    // UCC: "allreduce:0-4k:@0#allreduce:4k-inf:@1" and the like; the end of a range is not in it
    {"ucc-1.3", COLL_ALLREDUCE, 8, 0, 4088, FALSE, FALSE, "knomial", FALSE},
    {"ucc-1.3", COLL_ALLREDUCE, 8, 0, 4096, FALSE, FALSE, "sra_knomial", FALSE},
    {"ucc-1.4", COLL_ALLREDUCE, 8, 0, 8, TRUE, FALSE, "not in UCC", TRUE},
    // allgather counts the blocks of all ranks; on an odd number of ranks the ring takes the place of neighbor exchange
    {"ucc-1.4", COLL_ALLGATHER, 8, 0, 504, FALSE, FALSE, "knomial", FALSE},
    {"ucc-1.4", COLL_ALLGATHER, 8, 0, 512, FALSE, FALSE, "neighbor", FALSE},
    {"ucc-1.4", COLL_ALLGATHER, 7, 0, 1024, FALSE, FALSE, "ring (p is odd)", FALSE},
    {"ucc-1.3", COLL_ALLGATHERV, 8, 0, 8, FALSE, FALSE, "ring", FALSE},
    {"ucc-1.4", COLL_ALLGATHERV, 8, 0, 504, FALSE, FALSE, "knomial", FALSE},
    {"ucc-1.4", COLL_ALLGATHERV, 8, 0, 512, FALSE, FALSE, "ring", FALSE},
    // alltoall: bruck below 129 bytes for each rank
    {"ucc-1.4", COLL_ALLTOALL, 9, 0, 128, FALSE, FALSE, "bruck", FALSE},
    {"ucc-1.4", COLL_ALLTOALL, 9, 0, 136, FALSE, FALSE, "pairwise", FALSE},
    {"ucc-1.4", COLL_ALLTOALLV, 63, 0, 8, FALSE, FALSE, "pairwise", TRUE},
    {"ucc-1.4", COLL_ALLTOALLV, 64, 0, 8, FALSE, FALSE, "hybrid", FALSE},
    {"ucc-1.3", COLL_REDUCE, 8, 0, 1 << 20, FALSE, FALSE, "knomial", FALSE},
    {"ucc-1.4", COLL_REDUCE, 8, 0, 1 << 20, FALSE, FALSE, "srg", FALSE},
    {"ucc-1.4", COLL_BCAST, 8, 0, 32760, FALSE, FALSE, "knomial", FALSE},
    {"ucc-1.4", COLL_BCAST, 8, 0, 32768, FALSE, FALSE, "sag_knomial", FALSE},
    {"ucc-1.4", COLL_REDUCE_SCATTER_BLOCK, 8, 0, 8, FALSE, FALSE, "ring", TRUE},
    {"ucc-1.4", COLL_SCATTER, 8, 0, 8, FALSE, FALSE, "basic linear", TRUE},
    // csel.c compares p < 8 as p <= 8 for alltoall
    {"mpich-4.0", COLL_ALLTOALL, 8, 0, 64, FALSE, FALSE, "scattered", FALSE},
    {"mpich-4.0", COLL_ALLTOALL, 9, 0, 64, FALSE, FALSE, "brucks", FALSE},
    {"mpich-4.0", COLL_BARRIER, 9, 0, 0, FALSE, FALSE, "dissemination", FALSE},
    {"mpich-4.3", COLL_BARRIER, 9, 0, 0, FALSE, FALSE, "k_dissemination", FALSE},
    {"mpich-4.3", COLL_BCAST, 7, 0, 1 << 20, FALSE, FALSE, "binomial", FALSE},
    {"mpich-4.3", COLL_BCAST, 8, 0, 12288, FALSE, FALSE, "binomial", FALSE},
    {"mpich-4.3", COLL_BCAST, 8, 0, 12296, FALSE, FALSE, "scatter_recursive_doubling_allgather", FALSE},
    {"mpich-4.3", COLL_BCAST, 9, 0, 12296, FALSE, FALSE, "scatter_ring_allgather", FALSE},
    {"mpich-4.3", COLL_ALLREDUCE, 48, 0, 248, FALSE, FALSE, "recursive_doubling", FALSE},
    {"mpich-4.3", COLL_ALLREDUCE, 48, 0, 256, FALSE, FALSE, "reduce_scatter_allgather", FALSE},
    {"mpich-4.3", COLL_ALLREDUCE, 48, 0, 256, TRUE, FALSE, "recursive_doubling", FALSE},
    // the tree sees 12 nodes of 4 ranks: 31 elements are enough for both
    {"mpich-4.3", COLL_ALLREDUCE, 48, 4, 248, FALSE, FALSE,
     "alpha (allreduce: reduce_scatter_allgather; reduce: binomial; bcast: binomial)", FALSE},
    {"mpich-4.3", COLL_ALLREDUCE, 48, 4, 248, TRUE, FALSE, "recursive_doubling", FALSE},
    {"mpich-4.3", COLL_ALLREDUCE, 48, 48, 256, FALSE, FALSE, "reduce_scatter_allgather", FALSE},
    {"mpich-4.3", COLL_BCAST, 32, 4, 32768, FALSE, FALSE,
     "beta (bcast: scatter_recursive_doubling_allgather; bcast: binomial)", FALSE},
    {"mpich-4.3", COLL_BARRIER, 48, 4, 0, FALSE, FALSE,
     "alpha (barrier: k_dissemination; barrier: k_dissemination; bcast: binomial)", FALSE},
    {"mpich-4.3", COLL_SCAN, 48, 4, 8, FALSE, FALSE,
     "alpha (scan: recursive_doubling; scan: recursive_doubling; bcast: binomial)", FALSE},
    {"mpich-4.3", COLL_EXSCAN, 48, 4, 8, FALSE, FALSE, "recursive_doubling", FALSE},
};

static void test_by_hand(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(by_hand); i++) {
        g_autoptr(Tables) tables = load(by_hand[i].library);
        CollNodes *nodes = by_hand[i].per_node ? coll_nodes_blocks(by_hand[i].p, by_hand[i].per_node) : NULL;
        const DecideCall call = {.collective = by_hand[i].collective,
                                 .p = by_hand[i].p,
                                 .m = by_hand[i].m,
                                 .elem = 8,
                                 .commutative = !by_hand[i].ordered,
                                 .nodes = nodes,
                                 .no_han = by_hand[i].no_han};
        g_autoptr(Decision) d = decide_call(tables, &call);
        g_autofree char *text = decision_text(d);
        g_assert_cmpstr(text, ==, by_hand[i].text);
        g_assert_true((d->missing != NULL) == by_hand[i].missing);
        g_assert_true(d->entry || d->missing);
        coll_nodes_free(nodes);
    }
}

// What HAN's variables change: on 4 nodes of 4 ranks, 8 MiB.
static void test_han(void)
{
    static const struct {
        const char *library;
        Collective collective;
        DecideHan han;
        const char *entry; // NULL: HAN does not serve the call
        size_t segment;
    } cases[] = {
        {"ompi-5", COLL_BCAST, {NULL, 0, 0}, "han", 65536},
        {"ompi-main", COLL_BCAST, {NULL, 0, 0}, "han", 524288},
        {"ompi-main", COLL_REDUCE, {NULL, 0, 0}, "han", 524288},
        {"ompi-main", COLL_ALLREDUCE, {NULL, 0, 0}, "han", 524288},
        {"ompi-main", COLL_BCAST, {"intra", 65536, 0}, "han", 65536},
        {"ompi-5", COLL_BCAST, {"simple", 65536, 0}, "han", 0}, // it has no segments
        {"ompi-5", COLL_ALLREDUCE, {"simple", 0, 0}, "smp", 0},
        {"ompi-5", COLL_GATHER, {NULL, 65536, 0}, "han", 0},
        {"ompi-main", COLL_ALLTOALL, {"simple", 0, 0}, "han", 0}, // there is none, and the variable not either
        {"ompi-5", COLL_BCAST, {NULL, 0, 30}, NULL, 0},
        {"ompi-5", COLL_BCAST, {NULL, 0, 31}, "han", 65536},
        {"ompi-4.1", COLL_BCAST, {NULL, 65536, 0}, NULL, 0},
        {"ompi-4.1", COLL_BCAST, {NULL, 0, 35}, "han", 65536},
        {"ompi-4.1", COLL_ALLTOALL, {NULL, 0, 35}, NULL, 0},
    };
    CollNodes *nodes = coll_nodes_blocks(16, 4);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(Tables) tables = load(cases[i].library);
        const DecideCall call = {.collective = cases[i].collective,
                                 .p = 16,
                                 .m = 8 << 20,
                                 .elem = 8,
                                 .commutative = TRUE,
                                 .nodes = nodes,
                                 .han = cases[i].han};
        g_autoptr(Decision) d = decide_call(tables, &call);
        g_assert_cmpint(strcmp(d->name, "han") == 0, ==, cases[i].entry != NULL);
        if (!cases[i].entry)
            continue;
        g_assert_cmpstr(d->entry->name, ==, cases[i].entry);
        g_assert_cmpuint(d->par.segment, ==, cases[i].segment);
    }
    coll_nodes_free(nodes);
}

// What UCC passes of its own accord: a radix, and how many messages are posted at once.
static void test_ucc_usual(void)
{
    static const struct {
        Collective collective;
        int p, per_node;
        size_t m;
        int fanout, max_requests;
        size_t elem; // 0: 8
    } cases[] = {
        {COLL_ALLREDUCE, 64, 8, 8, 4, 0},                // knomial: always 4
        {COLL_ALLREDUCE, 64, 8, 1 << 20, 2, 0},          // sra_knomial: 2^6
        {COLL_ALLREDUCE, 64, 1, 1 << 20, 4, 0},          // .. from 3 on where ranks are alone on their nodes: 4^3
        {COLL_ALLREDUCE, 64, 1, 3 << 18, 4, 0, 1 << 18}, // .. which 3 elements are enough for
        {COLL_ALLREDUCE, 64, 1, 2 << 18, 2, 0, 1 << 18}, // .. and 2 are not
        {COLL_ALLREDUCE, 27, 1, 1 << 20, 3, 0},          // .. 3^3
        {COLL_ALLREDUCE, 48, 4, 1 << 20, 4, 0},          // .. up to 4: 2^5, 3^3 and 4^2 leave out 16, 21 and 0 ranks
        {COLL_ALLREDUCE, 7, 7, 1 << 20, 7, 0},           // .. 7, which leaves out nobody
        {COLL_BARRIER, 6, 0, 0, 6, 0},                   // 8, but not more than there are ranks
        {COLL_ALLTOALL, 32, 0, 1 << 20, 0, 0},           // all messages at once on up to 32 ranks
        {COLL_ALLTOALL, 33, 0, 2008, 0, 1},              // .. and one at a time for more than 66,000 bytes on more
        {COLL_ALLTOALL, 33, 0, 2000, 0, 0},              // .. but not for exactly as many
        {COLL_REDUCE_SCATTER_BLOCK, 8, 8, 8, 0, 0}       // the ring has none
    };
    g_autoptr(Tables) tables = load("ucc-1.4");
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        CollNodes *nodes = cases[i].per_node ? coll_nodes_blocks(cases[i].p, cases[i].per_node) : NULL;
        const DecideCall call = {.collective = cases[i].collective,
                                 .p = cases[i].p,
                                 .m = cases[i].m,
                                 .elem = cases[i].elem ? cases[i].elem : 8,
                                 .commutative = TRUE,
                                 .nodes = nodes};
        g_autoptr(Decision) d = decide_call(tables, &call);
        g_assert_cmpint(d->fanout, ==, cases[i].fanout);
        g_assert_cmpint(d->max_requests, ==, cases[i].max_requests);
        const CollParam *radix = algorithm_param(d->entry, "radix");
        if (radix && cases[i].fanout)
            g_assert_cmpint((int)param_get(radix, &d->par), ==, cases[i].fanout);
        coll_nodes_free(nodes);
    }
}

// What a library is told to run: without HAN, also in the parts, and with the fallback where a need is not met.
static void test_told(void)
{
    static const struct {
        const char *library, *name; // the algorithm's name there
        Collective collective;
        int p, per_node;
        size_t m;
        const char *text, *why;
    } told[] = {
        {"ompi-5", "binomial", COLL_BCAST, 16, 4, 65536, "6 binomial", NULL},
        {"ompi-5", "basic_linear", COLL_REDUCE_SCATTER_BLOCK, 8, 4, 1 << 20,
         "1 basic_linear (reduce: 5 binomial; scatter: 1 basic_linear)", NULL},
        {"ompi-4.1", "segmented_ring", COLL_ALLREDUCE, 33, 0, 80, "3 recursive_doubling (chosen 5: count < p segments)",
         "count < p segments"},
        {"ompi-4.1", "two_proc", COLL_ALLGATHER, 3, 0, 8, "error (chosen 6: p is not 2)", "p is not 2"},
        {"mpich-4.0", "ring", COLL_ALLGATHER, 12, 0, 8, "ring", NULL},
        {"mpich-4.0", "recursive_doubling", COLL_ALLGATHER, 12, 0, 8, "brucks", "p is not a power of two"},
        {"mpich-4.3", "binomial", COLL_BCAST, 16, 4, 64, "binomial", NULL},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(told); i++) {
        g_autoptr(Tables) tables = load(told[i].library);
        CollNodes *nodes = told[i].per_node ? coll_nodes_blocks(told[i].p, told[i].per_node) : NULL;
        const DecideCall call = {.collective = told[i].collective,
                                 .p = told[i].p,
                                 .m = told[i].m,
                                 .elem = 8,
                                 .commutative = TRUE,
                                 .nodes = nodes};
        const LibraryAlgorithm *a = tables_named(tables, told[i].collective, told[i].name);
        g_assert_nonnull(a);
        g_autoptr(Decision) d = decide_told(tables, &call, a);
        g_autofree char *text = decision_text(d);
        g_assert_cmpstr(text, ==, told[i].text);
        g_assert_cmpstr(d->why, ==, told[i].why);
        g_assert_true(d->told && (d->entry != NULL) == (strcmp(d->name, "error") != 0));
        coll_nodes_free(nodes);
    }
}

// A part that needs parameters is a variant of its entry, and equal parameters give the same variant.
static void test_variants(void)
{
    g_autoptr(Tables) tables = load("mpich-4.3");
    CollNodes *nodes = coll_nodes_blocks(48, 4);
    const DecideCall call = {
        .collective = COLL_ALLREDUCE, .p = 48, .m = 4096, .elem = 8, .commutative = TRUE, .nodes = nodes};
    g_autoptr(Decision) d = decide_call(tables, &call), again = decide_call(tables, &call);
    const CollAlgorithm *outer = d->par.part[0];
    g_assert_nonnull(outer->variant_of);
    g_assert_cmpint(algorithm_defaults(outer).prestep, ==, PRESTEP_MPICH);
    g_assert_cmpint(algorithm_defaults(outer->variant_of).prestep, ==, PRESTEP_OMPI);
    g_assert_true(again->par.part[0] == outer);
    coll_nodes_free(nodes);
}

// ---- Files ----------------------------------------------------------------------------------------------------------

static void test_refused(void)
{
    static const struct {
        const char *text, *part;
    } bad[] = {
        {"collective,commutative\n", "column `nodes` is missing"},
        {"collective,commutative,nodes,p_min,p_max,bytes_min,bytes_max,algorithm,segment,fanout,max_requests\n"
         "bcast,perhaps,any,2,2,0,,1,0,0,0\n",
         ":2: commutative 'perhaps'; allowed: no, yes, any"},
        {"collective,commutative,nodes,p_min,p_max,bytes_min,bytes_max,algorithm,segment,fanout,max_requests\n"
         "bcast,any,any,2,two,0,,1,0,0,0\n",
         ":2"},
        {"collective,commutative,nodes,p_min,p_max,bytes_min,bytes_max,algorithm,segment,fanout,max_requests\n"
         "bcast,any,any,2,2,0,,0,0,0,0\n",
         ":2"},
        {"collective,commutative,nodes,p_min,p_max,bytes_min,bytes_max,algorithm,segment,fanout,max_requests\n"
         "bcast,any,any,3,2,0,,1,0,0,0\n",
         ":2: p_min '3'; allowed: at most p_max, which is 2"},
        {"collective,commutative,nodes,p_min,p_max,bytes_min,bytes_max,algorithm,segment,fanout,max_requests\n"
         "bcast,any,any,2,,8,7,1,0,0,0\n",
         ":2: bytes_min '8'; allowed: at most bytes_max, which is 7"},
    };
    g_autofree char *path = NULL;
    GError *error = NULL;
    const int fd = g_file_open_tmp("collsim-XXXXXX.csv", &path, &error);
    g_assert_no_error(error);
    g_close(fd, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(Tables) tables = tables_new(&libraries[LIBRARY_OMPI_41]);
        g_assert_true(g_file_set_contents(path, bad[i].text, -1, NULL));
        g_assert_false(tables_read_tuned(tables, path, &error));
        g_assert_error(error, COLLSIM_ERROR, COLLSIM_ERROR_INPUT);
        if (!strstr(error->message, bad[i].part))
            g_error("\"%s\" does not say \"%s\"", error->message, bad[i].part);
        g_clear_error(&error);
    }
    g_remove(path);
    g_setenv("COLLSIM_DECISIONS", "/nowhere", TRUE);
    g_assert_null(tables_load(&libraries[LIBRARY_OMPI_41], &error));
    g_assert_error(error, COLLSIM_ERROR, COLLSIM_ERROR_INPUT);
    g_clear_error(&error);
    g_unsetenv("COLLSIM_DECISIONS");
}

static void add_tests(void)
{
    g_test_add_func("/decide/recorded", test_recorded);
    g_test_add_func("/decide/real", test_real);
    g_test_add_func("/decide/rows", test_rows);
    g_test_add_func("/decide/entries", test_entries);
    g_test_add_func("/decide/by-hand", test_by_hand);
    g_test_add_func("/decide/han", test_han);
    g_test_add_func("/decide/ucc_usual", test_ucc_usual);
    g_test_add_func("/decide/told", test_told);
    g_test_add_func("/decide/variants", test_variants);
    g_test_add_func("/decide/refused", test_refused);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}

// The blocks of v-collectives: how counts are named, read from files and made. And for all kinds of counts, scatterv
// and gatherv take the time that a recurrence over the tree gives.
#include "engine/schedule/counts.h"
#include "engine/schedule/record.h"
#include "engine/replay/replay.h"
#include "tap.h"
#include "times/times.h"
#include "api/make.h"
#include <glib/gstdio.h>
#include <string.h>

// ---- Names and files -----------------------------------------------------------------------------------------------

static void test_names(void)
{
    const struct {
        const char *text;
        CountsKind kind;
        uint32_t seed;
    } good[] = {
        {NULL, COUNTS_EQUAL, 0},
        {"equal", COUNTS_EQUAL, 0},
        {"linear", COUNTS_LINEAR, 0},
        {"one-big", COUNTS_ONE_BIG, 0},
        {"random", COUNTS_RANDOM, 0},
        {"zero-holes", COUNTS_ZERO_HOLES, 0},
        {"random:0", COUNTS_RANDOM, 0},
        {"random:7", COUNTS_RANDOM, 7},
        {"random:4294967295", COUNTS_RANDOM, UINT32_MAX},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(good); i++) {
        CountsSpec spec = {0};
        GError *error = NULL;
        g_assert_true(counts_parse(good[i].text, 4, &spec, &error));
        g_assert_no_error(error);
        g_assert_cmpint(spec.kind, ==, good[i].kind);
        g_assert_cmpuint(spec.seed, ==, good[i].seed);
        g_assert_null(spec.file);
    }
}

// Fails unless the counts are refused by an error of one line that contains `text`.
static void assert_refused(const char *counts, const char *text)
{
    CountsSpec spec = {0};
    g_autoptr(GError) error = NULL;
    g_assert_false(counts_parse(counts, 4, &spec, &error));
    g_assert_nonnull(error);
    if (!strstr(error->message, text) || strchr(error->message, '\n'))
        g_error("\"%s\" is refused with \"%s\", without \"%s\"", counts, error->message, text);
    counts_clear(&spec);
}

static void test_bad_names(void)
{
    assert_refused("lineal", "allowed: equal, linear, one-big, random, zero-holes, random:SEED, or a file");
    assert_refused("", "allowed: equal");
    assert_refused("/no/such/file", "neither a distribution nor a readable file");
    assert_refused("/", "/: Is a directory; allowed: a readable file");
    assert_refused("random:", "allowed: random:SEED");
    assert_refused("random:x", "allowed: random:SEED");
    assert_refused("random:-1", "a number from 0 to 4294967295");
    assert_refused("random:4294967296", "a number from 0 to 4294967295");
    assert_refused("random:7 ", "allowed: random:SEED");
    assert_refused("new\nline", "allowed: equal");
}

// Makes a file with this text and returns its name; free with g_free, and remove the file.
static char *file_of(const char *text)
{
    char *name = NULL;
    const int fd = g_file_open_tmp("counts-XXXXXX", &name, NULL);
    g_assert_cmpint(fd, >=, 0);
    g_assert_true(g_close(fd, NULL));
    g_assert_true(g_file_set_contents(name, text, -1, NULL));
    return name;
}

static void test_files(void)
{
    g_autofree char *name = file_of("# a comment\n8\n\n 64K  # the big one\n0\n24");
    CountsSpec spec = {0};
    CollCounts *counts = NULL;
    GError *error = NULL;
    g_assert_true(counts_parse(name, 4, &spec, &error) && counts_make(&spec, 4, 1, 8, &counts, &error));
    g_assert_no_error(error);
    const size_t len[] = {8, 65536, 0, 24}, at[] = {0, 8, 65544, 65544, 65568};
    g_assert_cmpmem(counts->len, sizeof len, len, sizeof len);
    g_assert_cmpmem(counts->at, sizeof at, at, sizeof at);
    counts_free(counts);
    g_assert_false(counts_make(&spec, 5, 1, 1, &counts, &error));
    g_assert_cmpstr(error->message, ==, "the file of --counts has 4 numbers; allowed: 5, one for each rank");
    g_clear_error(&error);
    g_assert_false(counts_make(&spec, 4, 1, 16, &counts, &error));
    g_assert_nonnull(strstr(error->message, "has 8 bytes for rank 0; allowed: multiples of --element 16"));
    g_assert_null(counts);
    g_clear_error(&error);
    counts_clear(&spec);
    g_assert_null(spec.file);
    g_remove(name);
}

static void test_bad_files(void)
{
    static const char *const bad[][2] = {
        {"8\n\n-1\n", ":3: '-1' is not a size; allowed: a number of bytes such as 8 or 64K"},
        {"eight", ":1: 'eight' is not a size; allowed"},
        {"8 9", ":1: '8 9' is not a size; allowed"},
        {"#\n1.5", ":2: '1.5' is not a size; allowed"},
        {"99999999999999999999", ":1: '99999999999999999999' is not a size; allowed"},
        {"8\xff", ":1: "},
        {"1\n2\n3\n\n4\n#\n", NULL},
        {"1\n2\n3\n\n4\n#\n5\n6\n", ":7: the file has too many numbers; allowed: one for each rank"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autofree char *name = file_of(bad[i][0]);
        CountsSpec spec = {0};
        if (bad[i][1])
            assert_refused(name, bad[i][1]);
        else
            g_assert_true(counts_parse(name, 4, &spec, NULL));
        counts_clear(&spec);
        g_remove(name);
    }
    // A byte 0 does not end the line or the file.
    static const struct {
        const char *text;
        gssize length;
        const char *error;
    } zero[] = {
        {"8\n16\0 7\n24\n", 11, ":2: the line has a byte 0; allowed: text"},
        {"8\n\0\n1\n2\n", 8, ":2: the line has a byte 0; allowed: text"},
        {"8\n16 #\0\n1\n2", 11, ":2: the line has a byte 0; allowed: text"},
        {"8\n16\0", 5, ":2: the line has a byte 0; allowed: text"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(zero); i++) {
        g_autofree char *name = file_of("");
        g_assert_true(g_file_set_contents(name, zero[i].text, zero[i].length, NULL));
        assert_refused(name, zero[i].error);
        g_remove(name);
    }
    assert_refused("/dev/zero", "/dev/zero:1: the line is too long; allowed: at most 262143 bytes");
}

// Displacements are numbers of bytes in any order. Blocks that overlap are refused, and so is what does not fit.
static void test_displs(void)
{
    static const struct {
        const char *text;
        size_t m, elem;
        const char *error;
    } CASES[] = {
        {"16\n0 # first\n\n40\n32", 8, 8, NULL},
        {"16\n0\n40\n32", 16, 8,
         "has rank 2 at byte 40, within the 16 bytes from 32 on of rank 3; allowed: blocks that do"},
        {"0\n8\n8\n16", 8, 8, "has rank 2 at byte 8, within the 8 bytes from 8 on of rank 1"},
        {"0\n0\n0\n0", 0, 8, NULL},
        {"0\n8\n20\n32", 8, 8, "the file of --displs has 20 bytes for rank 2; allowed: multiples of --element 8"},
        {"0\n8\n16", 8, 8, "the file of --displs has 3 numbers; allowed: 4, one for each rank"},
        {"0\n1\n2\n1152921504606846974", 1, 1, NULL},
        {"0\n1\n2\n1152921504606846975", 1, 1, "--displs: the blocks and gaps of 4 ranks are too long"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(CASES); i++) {
        g_autofree char *name = file_of(CASES[i].text);
        CountsSpec spec = {0};
        CollCounts *counts = NULL;
        g_autoptr(GError) error = NULL;
        g_assert_true(counts_parse_displs(name, 4, &spec, &error));
        g_assert_cmpint(counts_make(&spec, 4, CASES[i].m, CASES[i].elem, &counts, &error), ==, !CASES[i].error);
        if (CASES[i].error && (!strstr(error->message, CASES[i].error) || strchr(error->message, '\n')))
            g_error("case %d is refused with \"%s\"", (int)i, error->message);
        if (i == 0) {
            const size_t at[] = {16, 0, 40, 32, 48};
            g_assert_cmpmem(counts->at, sizeof at, at, sizeof at);
        }
        counts_free(counts);
        counts_clear(&spec);
        g_assert_null(spec.displs);
        g_remove(name);
    }
    CountsSpec spec = {0};
    g_assert_true(counts_parse_displs(NULL, 4, &spec, NULL) && !spec.gaps);
    g_assert_true(counts_parse_displs("gaps", 4, &spec, NULL) && spec.gaps);
    g_assert_true(counts_parse_displs("consecutive", 4, &spec, NULL) && !spec.gaps && !spec.displs);
    g_autoptr(GError) error = NULL;
    g_assert_false(counts_parse_displs("gasp", 4, &spec, &error));
    g_assert_cmpstr(error->message, ==,
                    "--displs 'gasp' is neither an arrangement nor a readable file, did you mean gaps? allowed: "
                    "consecutive, gaps, or a file");
}

// The sum of all blocks may be as large as p times it stays below 2^62, and a random block has up to 2 m bytes.
static void test_ends(void)
{
    static const struct {
        const char *text;
        gboolean good;
    } CASES[] = {
        {"2305843009213693951\n0\n", TRUE}, {"2305843009213693950\n1\n", TRUE}, {"2305843009213693951\n1\n", FALSE}};
    for (size_t i = 0; i < G_N_ELEMENTS(CASES); i++) {
        g_autofree char *name = file_of(CASES[i].text);
        CountsSpec spec = {0};
        CollCounts *counts;
        g_assert_true(counts_parse(name, 2, &spec, NULL));
        g_assert_cmpint(counts_make(&spec, 2, 1, 1, &counts, NULL), ==, CASES[i].good);
        counts_free(counts);
        counts_clear(&spec);
        g_remove(name);
    }
    size_t seen[4] = {0};
    const CountsSpec random = {.kind = COUNTS_RANDOM, .seed = 1};
    CollCounts *counts;
    g_assert_true(counts_make(&random, 3000, 8, 8, &counts, NULL));
    for (int i = 0; i < 3000; i++)
        seen[MIN(counts->len[i] / 8, 3)]++;
    for (int i = 0; i < 3; i++)
        g_assert_cmpuint(seen[i], >, 850); // 1000 on average
    g_assert_cmpuint(seen[3], ==, 0);
    counts_free(counts);
}

// ---- Making counts --------------------------------------------------------------------------------------------------

static CollCounts *make(CountsKind kind, uint32_t seed, bool gaps, int p, size_t m, size_t elem)
{
    const CountsSpec spec = {.kind = kind, .seed = seed, .gaps = gaps};
    CollCounts *counts;
    GError *error = NULL;
    g_assert_true(counts_make(&spec, p, m, elem, &counts, &error));
    g_assert_no_error(error);
    return counts;
}

static void assert_lengths(CountsKind kind, int p, size_t m, size_t elem, const size_t *len)
{
    CollCounts *counts = make(kind, 0, false, p, m, elem);
    for (int i = 0; i < p; i++)
        g_assert_cmpuint(counts->len[i], ==, len[i]);
    counts_free(counts);
}

static void test_distributions(void)
{
    g_assert_null(make(COUNTS_EQUAL, 0, false, 4, 8, 1));
    assert_lengths(COUNTS_LINEAR, 4, 10, 1, (const size_t[]){4, 8, 12, 16});
    assert_lengths(COUNTS_LINEAR, 4, 12, 4, (const size_t[]){4, 8, 12, 16});
    assert_lengths(COUNTS_ONE_BIG, 4, 10, 1, (const size_t[]){0, 0, 0, 40});
    assert_lengths(COUNTS_ONE_BIG, 1, 10, 1, (const size_t[]){10});
    assert_lengths(COUNTS_ZERO_HOLES, 4, 10, 1, (const size_t[]){20, 0, 20, 0});
}

// Every block consists of whole elements. The blocks follow each other directly, or with a gap of one element before
// each; their mean is about m; and they depend on nothing but the seed.
static void test_made(void)
{
    enum { P = 1000, M = 800, ELEM = 8 };
    for (CountsKind kind = COUNTS_LINEAR; kind < N_COUNTS; kind++)
        for (int gaps = 0; gaps <= 1; gaps++) {
            CollCounts *a = make(kind, 1, gaps, P, M, ELEM), *b = make(kind, 1, gaps, P, M, ELEM);
            g_assert_cmpmem(a->len, P * sizeof *a->len, b->len, P * sizeof *b->len);
            size_t sum = 0;
            for (int i = 0; i < P; i++) {
                g_assert_cmpuint(a->len[i] % ELEM, ==, 0);
                sum += a->len[i];
                const size_t end = i ? a->at[i - 1] + a->len[i - 1] : 0;
                g_assert_cmpuint(a->at[i], ==, end + (gaps ? ELEM : 0));
            }
            g_assert_cmpuint(a->at[P], ==, a->at[P - 1] + a->len[P - 1]);
            g_assert_cmpfloat_with_epsilon((double)sum / P, M, 0.05 * M);
            counts_free(a);
            counts_free(b);
        }
    CollCounts *a = make(COUNTS_RANDOM, 1, false, P, M, ELEM), *b = make(COUNTS_RANDOM, 2, false, P, M, ELEM);
    g_assert_cmpint(memcmp(a->len, b->len, P * sizeof *a->len), !=, 0);
    counts_free(a);
    counts_free(b);
}

// ---- Times ----------------------------------------------------------------------------------------------------------

// A point of gatherv or scatterv. The registry's formulas hold for equal blocks only, the recurrences below for any.
typedef struct CountsCase {
    const CollAlgorithm *a;
    Coll c;
    CollPoint x; // p, costs, level and discipline
    Blocks b;    // of the root's buffer
} CountsCase;

// Returns the length of v's block.
static size_t length(const CountsCase *k, int v)
{
    return block(&k->b, coll_rank(&k->c, v)).len;
}

// Returns the time of one message with the blocks of v and all ranks below it in the tree.
static int64_t run_cost(const CountsCase *k, int v)
{
    int64_t bytes = 0;
    for (int i = v; i < v + tree_binomial_span(v, k->x.p); i++)
        bytes += (int64_t)length(k, i);
    return u(&k->x, bytes);
}

// Returns the number of message chains in which v hands its run of blocks to the root. Two or more blocks that touch
// each other in the root's buffer are one chain, and so is each stretch of the run before, between and behind these.
static int chains(const CountsCase *k, int v)
{
    const int end = v + tree_binomial_span(v, k->x.p);
    int n = 0;
    bool before = false; // whether the previous block touches one of its neighbours
    for (int i = v; i < end; i++) {
        const int here = coll_rank(&k->c, i);
        const bool back = i > v && blocks_touch(&k->b, coll_rank(&k->c, i - 1), here);
        const bool on = i + 1 < end && blocks_touch(&k->b, here, coll_rank(&k->c, i + 1));
        n += i == v || (!back && (on || before));
        before = back || on;
    }
    return n;
}

// Returns the time at which v has the blocks of all ranks below it.
static int64_t gathered(const CountsCase *k, int v)
{
    const CollPoint *x = &k->x;
    int64_t t = runs_bcast_counts_time(x, v);
    for (int d = 1; (v == 0 || d < (v & -v)) && v + d < x->p; d *= 2) {
        const int64_t ready = gathered(k, v + d);
        const bool in_chains = v == 0 && strcmp(k->a->name, "binomial_chains") == 0;
        const int64_t cost = run_cost(k, v + d) + (in_chains ? (chains(k, v + d) - 1) * x->alpha : 0);
        t = x->eager ? MAX(t, ready + cost) : MAX(t, ready) + cost;
    }
    return t;
}

// Returns the time at which the last rank in v's subtree ends, if v has its blocks at time t.
static int64_t scattered(const CountsCase *k, int v, int64_t t)
{
    const CollPoint *x = &k->x;
    int64_t end = t;
    for (int d = pow2_floor(x->p); d >= 1; d /= 2) {
        if (v % (2 * d) != 0 || v + d >= x->p)
            continue;
        const int64_t counts = runs_bcast_counts_time(x, v + d); // when the child has passed the lengths on
        t = (x->eager ? t : MAX(t, counts)) + run_cost(k, v + d);
        end = MAX(end, scattered(k, v + d, MAX(t, counts)));
    }
    return MAX(t, end);
}

// Returns the time of the linear algorithms: the root's messages go one after the other. Those of an eager gatherv do
// not wait for the root's port, so the longest decides.
static int64_t one_by_one(const CountsCase *k)
{
    int64_t sum = 0, most = 0;
    for (int v = 1; v < k->x.p; v++) {
        const int64_t cost = length(k, v) ? u(&k->x, (int64_t)length(k, v)) : 0; // Open MPI sends nothing empty
        sum += cost;
        most = MAX(most, cost);
    }
    return k->x.eager && k->a->collective == COLL_GATHERV ? most : sum;
}

static int64_t expected(const CountsCase *k)
{
    if (strcmp(k->a->name, "linear") == 0)
        return one_by_one(k);
    return k->a->collective == COLL_GATHERV ? gathered(k, 0) : scattered(k, 0, runs_bcast_counts_time(&k->x, 0));
}

static void compare(CountsCase *k, size_t m, int *compared)
{
    static const int64_t costs[][2] = {{1, 0}, {0, 1}, {700, 3}};
    Schedule *s = schedule_record(&(Operation){k->a, k->c, m}, NULL);
    k->x = (CollPoint){.p = k->c.p, .par = k->c.par};
    for (int i = 0; i < 6; i++) {
        k->x.alpha = costs[i / 2][0];
        k->x.beta = costs[i / 2][1];
        k->x.eager = i % 2;
        const Hockney h = {(double)k->x.alpha, (double)k->x.beta, 0, k->x.eager ? TRANSFER_EAGER : TRANSFER_RENDEZVOUS};
        g_autoptr(Replay) r = replay(s, &h, &(ReplayOptions){0}, NULL);
        g_assert_cmpuint(r->stuck->len, ==, 0);
        if ((int64_t)r->time_s != expected(k))
            g_error("%s %s level %d on %d ranks, root %d, %s: T(%d, %d) is %" G_GINT64_FORMAT ", not %" G_GINT64_FORMAT,
                    collectives[k->a->collective].name, k->a->name, k->c.par.choice, k->c.p, k->c.root,
                    k->x.eager ? "eager" : "rendezvous", (int)k->x.alpha, (int)k->x.beta, (int64_t)r->time_s,
                    expected(k));
        ++*compared;
    }
    schedule_free(s);
}

static void compare_levels(const CollAlgorithm *a, int p, int root, const CollCounts *counts, int *compared)
{
    enum { M = 24 };
    for (int level = LEVEL_CONSERVATIVE; level <= LEVEL_AGGRESSIVE; level++) {
        const Coll all = {.p = p, .root = root, .elem = 1, .commutative = true, .par.choice = level, .counts = counts};
        CountsCase k = {.a = a, .c = coll_make(a->collective, &all, root, M, NULL)};
        k.b = a->collective == COLL_GATHERV ? coll_out(&k.c) : coll_in(&k.c);
        compare(&k, M, compared);
    }
}

static void test_times(void)
{
    int compared = 0;
    for (int i = 0; i < n_algorithms; i++) {
        if ((algorithms[i]->collective != COLL_GATHERV && algorithms[i]->collective != COLL_SCATTERV) ||
            algorithm_needs_nodes(algorithms[i]))
            continue;
        for (int p = 1; p <= 33; p++)
            for (int kind = 0; kind < 2 * N_COUNTS; kind++) {
                CollCounts *counts = make(kind / 2, 1, kind % 2, p, 24, 1);
                for (int root = 0; root < p; root += MAX(p / 3, 1))
                    compare_levels(algorithms[i], p, root, counts, &compared);
                counts_free(counts);
            }
    }
    g_test_message("%d times equal", compared);
    g_assert_cmpint(compared, >=, 70000);
}

// If rank 7 of 8 has all the data, the binomial tree carries them over three messages, and the linear algorithm over
// one.
static void test_tree_can_lose(void)
{
    CollCounts *counts = make(COUNTS_ONE_BIG, 0, false, 8, 10, 1);
    const struct {
        const char *name;
        int64_t alpha, beta;
    } known[] = {{"linear", 1, 80}, {"binomial", 3, 240}};
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
        const Coll all = {.p = 8, .elem = 1, .commutative = true, .par.choice = LEVEL_AGGRESSIVE, .counts = counts};
        const Operation op = {algorithm_find(COLL_GATHERV, known[i].name), all, 10};
        Schedule *s = schedule_record(&op, NULL);
        g_autoptr(Replay) r = replay(s, &(Hockney){1000, 1, 0, TRANSFER_RENDEZVOUS}, &(ReplayOptions){0}, NULL);
        g_assert_cmpint((int64_t)r->time_s, ==, 1000 * known[i].alpha + known[i].beta);
        schedule_free(s);
    }
    counts_free(counts);
}

static void add(void)
{
    g_test_add_func("/counts/names", test_names);
    g_test_add_func("/counts/bad names", test_bad_names);
    g_test_add_func("/counts/files", test_files);
    g_test_add_func("/counts/bad files", test_bad_files);
    g_test_add_func("/counts/displs", test_displs);
    g_test_add_func("/counts/ends", test_ends);
    g_test_add_func("/counts/distributions", test_distributions);
    g_test_add_func("/counts/any kind", test_made);
    g_test_add_func("/counts/times", test_times);
    g_test_add_func("/counts/a tree can be slower", test_tree_can_lose);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}

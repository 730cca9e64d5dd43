// The LogGOPS engine gives LogGOPSim's times to the nanosecond for every row of tests/golden/loggopsim.csv: on integer
// clocks, and on clocks of doubles, where the certificate and path of every rank are checked too. The graphs go through
// the text of a GOAL schedule. The other tests need many ranks.
#include "engine/goal/goal_text.h"
#include "loggops_check.h"
#include "loggops_patterns.h"
#include "tap.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const LoggopsParams standard = {.L = 2500, .o = 1500, .g = 1000, .G = 6, .O = 0, .S = 65535, .gamma = 1};

// ---- The reference rows ----

typedef struct LoggopsRow {
    LoggopsParams params;
    char pattern[32];
    uint32_t p, messages;
    uint64_t bytes, segment;
    uint64_t max_finish;
    char finish[2048]; // of each rank
} LoggopsRow;

static void parse_row(const char *line, LoggopsRow *row)
{
    *row = (LoggopsRow){.params.gamma = 1, .segment = 1};
    LoggopsParams *q = &row->params;
    int at = 0;
    const int n = sscanf(line, "\"%*[a-z](L%lf,o%lf,g%lf,G%lf,O%lf,S%lf)\",%31[a-z_],%n", &q->L, &q->o, &q->g, &q->G,
                         &q->O, &q->S, row->pattern, &at);
    g_assert_cmpint(n, ==, 7);
    g_auto(GStrv) field = g_strsplit(line + at, ",", -1);
    g_assert_cmpuint(g_strv_length(field), ==, 6);
    row->p = g_ascii_strtoull(field[0], NULL, 10);
    row->bytes = g_ascii_strtoull(field[1], NULL, 10);
    if (*field[2])
        row->segment = g_ascii_strtoull(field[2], NULL, 10);
    row->messages = g_ascii_strtoull(field[3], NULL, 10);
    row->max_finish = g_ascii_strtoull(field[4], NULL, 10);
    g_assert_cmpuint(g_strlcpy(row->finish, field[5], sizeof row->finish), <, sizeof row->finish);
}

// Returns true if the row has messages of 0 bytes, for which clocks of doubles differ on purpose: they charge 1 byte,
// while LogGOPSim's s-1 wraps to 2^64-1.
static gboolean is_left_out(const LoggopsRow *row)
{
    static const char *const patterns[] = {"allreduce_ring", "allreduce_recdoub"};
    for (size_t i = 0; i < G_N_ELEMENTS(patterns); i++)
        if (strcmp(row->pattern, patterns[i]) == 0 && row->bytes < row->p)
            return TRUE;
    return FALSE;
}

// Makes the row's graph, writes it as a GOAL text and reads it again; free with goal_free.
static Goal *read_pattern(const LoggopsRow *row)
{
    g_autoptr(Goal) goal = loggops_pattern(row->pattern, row->p, row->bytes, row->segment);
    g_assert_nonnull(goal);
    g_assert_cmpuint(goal_n_messages(goal), ==, row->messages);
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    goal_write(goal, to);
    fclose(to);
    g_autoptr(GError) error = NULL;
    Goal *again = goal_parse(text, length, row->pattern, &error);
    g_assert_no_error(error);
    free(text);
    return again;
}

static void compare_ticks(const LoggopsRow *row, const Goal *goal)
{
    const LoggopsTicks ticks = loggops_ticks_of(&row->params);
    g_autoptr(LoggopsTicksResult) result = loggops_run_ticks(goal, &ticks);
    g_assert_cmpuint(result->stuck->len, ==, 0);
    g_assert_cmpuint(result->finish[result->last_host], ==, row->max_finish);
    g_auto(GStrv) finish = g_strsplit(row->finish, " ", -1);
    g_assert_cmpuint(g_strv_length(finish), ==, row->p);
    for (uint32_t rank = 0; rank < row->p; rank++)
        g_assert_cmpuint(result->finish[rank], ==, g_ascii_strtoull(finish[rank], NULL, 10));
}

static void compare_row(const LoggopsRow *row, const Goal *goal)
{
    g_autoptr(LoggopsResult) result = loggops_run(goal, &row->params);
    g_assert_cmpuint(result->stuck->len, ==, 0);
    g_assert_cmpfloat(result->last.t, ==, (double)row->max_finish);
    g_auto(GStrv) finish = g_strsplit(row->finish, " ", -1);
    g_assert_cmpuint(g_strv_length(finish), ==, row->p);
    for (uint32_t rank = 0; rank < row->p; rank++)
        g_assert_cmpfloat(result->finish[rank], ==, g_ascii_strtod(finish[rank], NULL));
    loggops_assert_certificates(result, goal, &row->params);
}

static void test_reference_rows(void)
{
    const char *tests = g_getenv("COLLSIM_TESTS");
    g_autofree char *file = g_build_filename(tests ? tests : "tests", "golden", "loggopsim.csv", NULL);
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;
    g_file_get_contents(file, &text, NULL, &error);
    g_assert_no_error(error);
    g_auto(GStrv) lines = g_strsplit(g_strchomp(text), "\n", -1);
    int compared = 0, left_out = 0;
    for (char **line = lines + 1; *line; line++) {
        LoggopsRow row;
        parse_row(*line, &row);
        g_autoptr(Goal) goal = read_pattern(&row);
        compare_ticks(&row, goal);
        if (is_left_out(&row)) {
            left_out++;
            continue;
        }
        compare_row(&row, goal);
        compared++;
    }
    g_assert_cmpint(compared, ==, 770);
    g_assert_cmpint(left_out, ==, 15);
}

// ---- Many ranks ----

// 19,999 ranks send 8 bytes to the root at once. The first message arrives at o + L = 4000. After that the root's CPU
// takes one message every o + (s-1)G = 1542.
static void test_many_to_one(void)
{
    enum { P = 20000 };
    g_autoptr(Goal) goal = loggops_pattern("gather", P, 8, 1);
    g_autoptr(LoggopsResult) result = loggops_run(goal, &standard);
    g_assert_cmpuint(result->stuck->len, ==, 0);
    g_assert_cmpfloat(result->last.t, ==, 4000 + (P - 1) * 1542.0);
    const int64_t expected[LOGGOPS_TERMS] = {[LOGGOPS_L] = 1, [LOGGOPS_o] = P, [LOGGOPS_G] = 7 * (P - 1)};
    g_assert_cmpmem(result->last.n, sizeof expected, expected, sizeof expected);
}

// LogGOPSim misses this figure, because its sort of ready operations is not stable beyond 16 of them. With parameters
// in seconds, the certificate gives the time more exactly than the clock, which has been rounded many times.
static void test_large_tree(void)
{
    g_autoptr(Goal) goal = loggops_pattern("binomialtreebcast", 131072, 8, 1);
    g_autoptr(LoggopsResult) result = loggops_run(goal, &standard);
    g_assert_cmpfloat(result->last.t, ==, 94214);
    const LoggopsParams seconds = {2500e-9, 1500e-9, 1000e-9, 6e-9, 0, 65535, 1e-9};
    g_autoptr(LoggopsResult) in_s = loggops_run(goal, &seconds);
    g_assert_cmpfloat_with_epsilon(in_s->last.t, 94214e-9, 1e-16);
    g_assert_cmpfloat_with_epsilon(loggops_time(&in_s->last, &seconds), 94214e-9, 1e-18);
    g_assert_cmpmem(in_s->last.n, sizeof in_s->last.n, result->last.n, sizeof result->last.n);
}

static void add_tests(void)
{
    g_test_add_func("/loggops/reference_rows", test_reference_rows);
    g_test_add_func("/loggops/many_to_one", test_many_to_one);
    g_test_add_func("/loggops/large_tree", test_large_tree);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}

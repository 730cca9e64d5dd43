// The reader and writer of GOAL texts, and the reader of the binary form: what they are read as, every error with its
// place in the file, a round trip of random graphs, and mutations. Each must give a whole graph or one error.
#include "base/error.h"
#include "engine/goal/goal_labels.h"
#include "engine/goal/goal_text.h"
#include "base/lines.h"
#include "goal_bytes.h"
#include "loggops_naive.h"
#include "sample.h"
#include "tap.h"
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *written(const Goal *goal)
{
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    goal_write(goal, to);
    fclose(to);
    char *copy = g_strdup(text);
    free(text);
    return copy;
}

static void assert_reads_as(const char *text, const char *expected)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Goal) goal = goal_parse(text, strlen(text), "f.goal", &error);
    g_assert_no_error(error);
    g_autofree char *again = written(goal);
    g_assert_cmpstr(again, ==, expected);
}

static void test_good(void)
{
    // Every kind of statement, in the usual layout.
    assert_reads_as(
        "num_ranks 2\n\nrank 0 {\nl1: send 8b to 1 tag 7 cpu 1 nic 2\nl2: calc 100 cpu 1\nl3: recv 0b from -1 "
        "tag -1\nl2 requires l1\nl3 irequires l2\n}\nrank 1 {\nrecv 8b from 0 tag 7\nsend 0b to 0\n}\n",
        "num_ranks 2\n\nrank 0 {\nl1: send 8b to 1 tag 7 cpu 1 nic 2\nl2: calc 100 cpu 1\nl3: recv 0b from "
        "-1 tag -1\nl2 requires l1\nl3 irequires l2\n}\n\nrank 1 {\nl1: recv 8b from 0 tag 7\nl2: send 0b to "
        "0\n}\n");
    // Blanks that LogGOPSim's reader accepts, and blanks left out where it needs none; CR LF; several statements in a
    // line; comments.
    assert_reads_as("/* head\n * of several lines */ num_ranks\t1 rank 0{ // opens\r\n"
                    "\ta_1 :send 8 bto0tag 1cpu 0nic 3 // wildcards follow\r\n"
                    "recv8: recv 8b from-1tag-1/* here */\n"
                    "calc 9223372036854775807cpu255}\n// the end",
                    "num_ranks 1\n\nrank 0 {\nl1: send 8b to 0 tag 1 nic 3\nl2: recv 8b from -1 tag -1\nl3: calc "
                    "9223372036854775807 cpu 255\n}\n");
    // The numbers that mean -1.
    assert_reads_as("num_ranks 1\nrank 0 {\nrecv 1b from 4294967295 tag 18446744073709551615\nrecv 1b from "
                    "18446744073709551615 tag 4294967295 cpu 1\nsend 1b to 0 tag 4294967295\n}",
                    "num_ranks 1\n\nrank 0 {\nl1: recv 1b from -1 tag -1\nl2: recv 1b from -1 tag -1 cpu 1\nl3: "
                    "send 1b to 0 tag -1\n}\n");
    // Labels may be numbers that are far apart, falling or begin with 0, or words.
    assert_reads_as("num_ranks 2\nrank 0 {\nl4000000: calc 1\nl5: calc 2\nl05: calc 3\nto: calc 4\nl4000900: calc 5\n"
                    "l999999999999: calc 6\nl4000900 requires l4000000\nto requires l5\nl05 requires l5\nl999999999999 "
                    "requires l05\n}\nrank 1 {\nl5: recv 1b from 0 tag 5\n}",
                    "num_ranks 2\n\nrank 0 {\nl1: calc 1\nl2: calc 2\nl3: calc 3\nl4: calc 4\nl5: calc 5\nl6: calc "
                    "6\nl5 requires l1\nl4 requires l2\nl3 requires l2\nl6 requires l3\n}\n\nrank 1 {\nl1: recv 1b "
                    "from 0 tag 5\n}\n");
    // A dependency that is given twice counts twice. One of an operation on itself is a circle, but the reader accepts
    // it.
    assert_reads_as("num_ranks 1\nrank 0 {\na: calc 1\nb: calc 1\nb requires a\nb requires a\na irequires a\n}",
                    "num_ranks 1\n\nrank 0 {\nl1: calc 1\nl2: calc 1\nl2 requires l1\nl2 requires l1\nl1 irequires "
                    "l1\n}\n");
}

static void assert_fails(const char *text, size_t length, const char *message)
{
    g_autoptr(GError) error = NULL;
    g_assert_null(goal_parse(text, length, "f.goal", &error));
    g_assert_error(error, COLLSIM_ERROR, COLLSIM_ERROR_INPUT);
    g_assert_cmpstr(error->message, ==, message);
}

#define TWO  "num_ranks 2\nrank 0 {\n"
#define STMT "num_ranks, rank, send, recv, calc, a label, } or a comment"

static void test_bad(void)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "f.goal:1: the file ends without num_ranks; allowed: num_ranks N, then each rank R { ... }"},
        {"// nothing\n\n", "f.goal:2: the file ends without num_ranks; allowed: num_ranks N, then each rank R { ... }"},
        {"num_ranks 0\n", "f.goal:1: num_ranks is 0; allowed: 1 or more"},
        {"num_ranks\n", "f.goal:1: the line ends; allowed: a number of ranks"},
        {"num_ranks -1\n", "f.goal:1: unexpected '-'; allowed: a number of ranks"},
        {"num_ranks 4294967295\n",
         "f.goal:1: '4294967295' is too large; allowed: a number of ranks, at most 4294967294"},
        {"num_ranks 1 num_ranks 1", "f.goal:1: num_ranks appears twice; allowed: once"},
        {"rank 0 {\n}\n", "f.goal:1: a rank comes before num_ranks; allowed: num_ranks N first"},
        {"num_ranks 2\nrank 1 {\n}\n", "f.goal:2: rank 1 is out of order; allowed: every rank once, rank 0 here"},
        {"num_ranks 1\nrank 0 {\n}\nrank 0 {\n}\n", "f.goal:4: rank 0 appears twice; allowed: every rank once"},
        {"num_ranks 2\nrank 2 {\n", "f.goal:2: '2' is too large; allowed: a rank, at most 1"},
        {"num_ranks 2\nrank 0\n{\n", "f.goal:2: the line ends; allowed: {"},
        {TWO "rank 1 {\n", "f.goal:3: a rank begins within rank 0; allowed: } first"},
        {TWO "}\n", "f.goal:3: the file ends before rank 1; allowed: all ranks 0 .. 1"},
        {TWO "send 8b to 1\n", "f.goal:3: the file ends within rank 0; allowed: } first"},
        {TWO "/* }\n\n", "f.goal:4: the file ends within a comment; allowed: */ first"},
        {"num_ranks 2\nsend 8b to 1\n",
         "f.goal:2: an operation is outside of a rank; allowed: num_ranks N, rank R { first"},
        {"num_ranks 2\na requires b\n",
         "f.goal:2: no operation is labelled 'a'; allowed: a label from above, in the same rank"},
        {"num_ranks 2\n}\n", "f.goal:2: unexpected '}'; allowed: " STMT},
        {TWO "8b\n", "f.goal:3: unexpected '8b'; allowed: " STMT},
        {TWO "\xff\n", "f.goal:3: unexpected '\\377'; allowed: " STMT},
        {TWO "# note\n", "f.goal:3: unexpected '#'; allowed: " STMT},
        {TWO "\r \n", "f.goal:3: unexpected '\\r'; allowed: " STMT},
        {TWO "sent 8b to 1\n", "f.goal:3: unexpected '8b'; allowed: :, requires or irequires behind a label"},
        {TWO "send8b to 1\n", "f.goal:3: unexpected 'to'; allowed: :, requires or irequires behind a label"},
        {TWO "a\n", "f.goal:3: the line ends; allowed: :, requires or irequires behind a label"},
        {TWO "a:\n", "f.goal:3: the line ends; allowed: send, recv or calc"},
        {TWO "a: wait 3\n", "f.goal:3: unexpected 'wait'; allowed: send, recv or calc"},
        {TWO "send\n", "f.goal:3: the line ends; allowed: a number of bytes"},
        {TWO "send -8b to 1\n", "f.goal:3: unexpected '-'; allowed: a number of bytes"},
        {TWO "send 8 to 1\n", "f.goal:3: unexpected 'to'; allowed: b, for bytes"},
        {TWO "send 8K to 1\n", "f.goal:3: unexpected 'K'; allowed: b, for bytes"},
        {TWO "send 8b from 1\n", "f.goal:3: unexpected 'from'; allowed: to"},
        {TWO "recv 8b to 1\n", "f.goal:3: unexpected 'to'; allowed: from"},
        {TWO "send 8b to -1\n", "f.goal:3: unexpected '-'; allowed: a rank"},
        {TWO "recv 8b from -2\n", "f.goal:3: unexpected '-'; allowed: a rank or -1"},
        {TWO "send 8b to 2\n", "f.goal:3: '2' is too large; allowed: a rank, at most 1"},
        {TWO "send 9223372036854775808b to 1\n",
         "f.goal:3: '9223372036854775808' is too large; allowed: a number of bytes, at most 9223372036854775807"},
        {TWO "calc 18446744073709551616\n",
         "f.goal:3: '18446744073709551616' is too large; allowed: nanoseconds, at most 9223372036854775807"},
        {TWO "send 8b to 1 tag 4294967296\n",
         "f.goal:3: '4294967296' is too large; allowed: a tag or -1, at most 4294967295"},
        {TWO "send 8b to 1 tag 184467440737095516150\n",
         "f.goal:3: '184467440737095516150' is too large; allowed: a tag or -1, at most 4294967295"},
        {TWO "send 8b to 4294967295\n", "f.goal:3: '4294967295' is too large; allowed: a rank, at most 1"},
        {TWO "send 8b to 1 cpu 256\n", "f.goal:3: '256' is too large; allowed: a CPU, at most 255"},
        {TWO "send 8b to 1 nic 256\n", "f.goal:3: '256' is too large; allowed: a NIC, at most 255"},
        {TWO "send 8b to 1 nic 0 cpu 0\n", "f.goal:3: unexpected 'cpu'; allowed: the end of the line"},
        {TWO "send 8b to 1 cpu 0 tag 0\n", "f.goal:3: unexpected 'tag'; allowed: nic or the end of the line"},
        {TWO "send 8b to 1 now\n", "f.goal:3: unexpected 'now'; allowed: tag, cpu, nic or the end of the line"},
        {TWO "calc 8b\n", "f.goal:3: unexpected 'b'; allowed: cpu or the end of the line"},
        {TWO "calc 8 nic 1\n", "f.goal:3: unexpected 'nic'; allowed: cpu or the end of the line"},
        {TWO "calc 1.5\n", "f.goal:3: unexpected '.'; allowed: cpu or the end of the line"},
        {TWO "a: calc 1\nb: calc 1\na: calc 1\n", "f.goal:5: label 'a' appears twice in rank 0; allowed: once"},
        {TWO "l7: calc 1\nl7: calc 1\n", "f.goal:4: label 'l7' appears twice in rank 0; allowed: once"},
        {TWO "l7: calc 1\nl7 requires l8\n",
         "f.goal:4: no operation is labelled 'l8'; allowed: a label from above, in the same rank"},
        {TWO "l7: calc 1\n}\nrank 1 {\nl8: calc 1\nl8 requires l7\n",
         "f.goal:7: no operation is labelled 'l7'; allowed: a label from above, in the same rank"},
        {TWO "a: calc 1\na requires\n", "f.goal:4: the line ends; allowed: a label"},
        {TWO "a: calc 1\na requires a b\n", "f.goal:4: unexpected 'b'; allowed: the end of the line"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%s", cases[i].text);
        assert_fails(cases[i].text, strlen(cases[i].text), cases[i].message);
    }
    assert_fails(TWO "\0\n", sizeof TWO + 1, "f.goal:3: unexpected byte 0; allowed: " STMT);
}

// A text from a file that is longer than the reader's buffer, with lines of all lengths up to the longest that is
// allowed. Its last line has no line end.
static void test_long(void)
{
    enum { N = 30000 };
    g_autoptr(GString) text = g_string_new("num_ranks 1\nrank 0 {\n");
    for (int i = 1; i <= N; i++)
        g_string_append_printf(text, "l%d: calc %d %.*s// %*s\n", i, i, i % 7, "       ", i % 100, "");
    g_string_append_printf(text, "// %*s\nl%d requires l1\n}", LINES_MAX - 4, "", N);
    g_autofree char *dir = g_dir_make_tmp("collsim-XXXXXX", NULL), *path = g_build_filename(dir, "long.goal", NULL);
    g_assert_true(g_file_set_contents(path, text->str, (gssize)text->len, NULL));
    g_autoptr(Goal) goal = goal_read(path, NULL);
    g_remove(path);
    g_rmdir(dir);
    g_assert_cmpuint(goal_n_ops(goal), ==, N);
    for (uint32_t i = 0; i < N; i++)
        g_assert_cmpuint(goal_op(goal, i)->size, ==, i + 1);
    g_autofree uint32_t *open = g_new0(uint32_t, N);
    const GoalDependents waiting = goal_required(goal, open);
    g_assert_cmpuint(open[N - 1], ==, 1);
    g_free(waiting.first);
    g_free(waiting.op);

    g_autoptr(GString) too_long = g_string_new("num_ranks 1\n//");
    g_string_append_printf(too_long, "%*s", LINES_MAX - 2, "");
    assert_fails(too_long->str, too_long->len, "f.goal:2: the line is too long; allowed: at most 262143 bytes");
    g_autoptr(GError) missing = NULL, directory = NULL;
    g_assert_null(goal_read("/nonexistent/f.goal", &missing));
    g_assert_cmpstr(missing->message, ==, "/nonexistent/f.goal: No such file or directory; allowed: a readable file");
    g_assert_null(goal_read("/", &directory));
    g_assert_cmpstr(directory->message, ==, "/: Is a directory; allowed: a readable file");
}

static void test_round_trip(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(sample_seed(5));
    for (int i = 0; i < sample_of(2000, 500); i++) {
        g_autoptr(Goal) goal = loggops_random_goal(rand, 8);
        g_autofree char *text = written(goal);
        g_autoptr(Goal) again = goal_parse(text, strlen(text), "f.goal", NULL);
        g_assert_cmpuint(goal_n_hosts(again), ==, goal_n_hosts(goal));
        g_assert_cmpuint(goal_n_ops(again), ==, goal_n_ops(goal));
        g_assert_cmpuint(goal_n_messages(again), ==, goal_n_messages(goal));
        for (uint32_t op = 0; op < goal_n_ops(goal); op++) {
            const GoalOp *a = goal_op(goal, op), *b = goal_op(again, op);
            g_assert_true(a->kind == b->kind && a->host == b->host && a->size == b->size && a->cpu == b->cpu);
            g_assert_true(a->nic == b->nic && a->peer == b->peer && a->tag == b->tag);
        }
        assert_reads_as(text, text);
        g_autoptr(GByteArray) bytes = goal_bytes(goal);
        g_autoptr(Goal) from_bytes = goal_parse((const char *)bytes->data, bytes->len, "f.bin", NULL);
        g_autofree char *same = written(from_bytes);
        g_assert_cmpstr(same, ==, text);
    }
}

// The binary form of this text, as txt2bin writes it.
//
//     num_ranks 2
//     rank 0 {
//     l1: send 8b to 1 tag 7 nic 1
//     l2: calc 100 cpu 2
//     l2 requires l1
//     l2 irequires l1
//     }
//     rank 1 {
//     recv 8b from -1 tag -1
//     }
#define ALL "\xff\xff\xff\xff"
static const char binary[] = "\x7f\x10\0\0\0\0\0\0"                             // 0: the mark
                             "\2\0\0\0\2\1"                                     // 8: 2 ranks, CPU 2, NIC 1
                             "\x26\0\0\0\0\0\0\0\x88\0\0\0\0\0\0\0"             // 14: rank 0 has 46 .. 144
                             "\x88\0\0\0\0\0\0\0\xbb\0\0\0\0\0\0\0"             // 30: rank 1 has 144 .. 195
                             "\2\0\0\0\1\0\0\0\0\0\0\0"                         // 46: rank 0
                             "\0\0\0\0\1\1\0\0\0\x08\0\0\0\0\0\0\0\7\0\0\0\0\1" // 58: the send
                             "\1\0\0\0\0\0\0\0\1\0\0\0\1\0\0\0"                 // .. 2 dependents
                             "\2\0\0\0\3\0\0\0\0\x64\0\0\0\0\0\0\0\0\0\0\0\2\0" // 97: the calc
                             "\0\0\0\0\2\0\0\0\0\0\0\0\2\0\0\0"                 // .. none
                             "\1\0\0\0\1\0\0\0"                                 // 136: the dependents
                             "\1\0\0\0\1\0\0\0\0\0\0\0"                         // 144: rank 1
                             "\0\0\0\0\2" ALL "\x08\0\0\0\0\0\0\0" ALL "\0\0"   // 156: the receive
                             "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"; // 179: .. none; the string's end is the last 0

static void test_binary(void)
{
    static const char text[] = "num_ranks 2\n\nrank 0 {\nl1: send 8b to 1 tag 7 nic 1\nl2: calc 100 cpu 2\nl2 requires "
                               "l1\nl2 irequires l1\n}\n\nrank 1 {\nl1: recv 8b from -1 tag -1\n}\n";
    g_autoptr(GError) error = NULL;
    g_autoptr(Goal) goal = goal_parse(binary, sizeof binary, "f.bin", &error);
    g_assert_no_error(error);
    g_autofree char *as_text = written(goal);
    g_assert_cmpstr(as_text, ==, text);
    g_autoptr(GByteArray) bytes = goal_bytes(goal);
    g_assert_cmpmem(bytes->data, bytes->len, binary, sizeof binary);

    // A calc may have any peer, tag and NIC, and where dependents begin has no meaning if there are none.
    g_autofree char *loose = g_memdup2(binary, sizeof binary);
    memset(loose + 102, 0xff, 4);
    memset(loose + 114, 0xff, 4);
    loose[119] = 1;
    memset(loose + 124, 0xff, 4);
    g_autoptr(Goal) again = goal_parse(loose, sizeof binary, "f.bin", NULL);
    g_autofree char *same = written(again);
    g_assert_cmpstr(same, ==, text);

    // One byte is changed.
    static const struct {
        size_t at;
        uint8_t value;
        const char *message;
    } cases[] = {
        {0, 0x80, "f.bin:1: unexpected '\\200'; allowed: " STMT},
        {8, 0, "f.bin: byte 8: there are 0 ranks; allowed: 1 .. 4294967294"},
        {8, 3, "f.bin: byte 14: the block of rank 0 is at 46 .. 144; allowed: to begin at 62"},
        {11, 0xff, "f.bin: byte 14: the block of rank 0 is at 46 .. 144; allowed: to begin at 68451041326"},
        {14, 0, "f.bin: byte 14: the block of rank 0 is at 8 .. 144; allowed: to begin at 46"},
        {22, 0, "f.bin: byte 14: the block of rank 0 is at 46 .. 8; allowed: to begin at 46"},
        {30, 0x89, "f.bin: byte 30: the block of rank 1 is at 145 .. 195; allowed: to begin at 144"},
        {12, 1, "f.bin: byte 97: an operation is on CPU 2 and NIC 0; allowed: at most 1 and 1, as the head says"},
        {13, 0, "f.bin: byte 58: an operation is on CPU 0 and NIC 1; allowed: at most 2 and 0, as the head says"},
        {49, 0xff, "f.bin: byte 136: the peer of an operation is 16777216; allowed: a rank, at most 1"},
        {54, 1, "f.bin: byte 144: operation 0 of rank 0 requires nothing; allowed: to list it as free"},
        {58, 1, "f.bin: byte 144: operation 0 of rank 0 says that it has 1 dependencies; allowed: 0, as listed"},
        {62, 4, "f.bin: byte 58: an operation is of kind 4; allowed: 1 (send), 2 (recv), 3 (calc)"},
        {63, 2, "f.bin: byte 58: the peer of an operation is 2; allowed: a rank, at most 1"},
        {161, 2, "f.bin: byte 156: the peer of an operation is 4294967042; allowed: a rank, at most 1, or 4294967295"},
        {74, 0x80,
         "f.bin: byte 58: the size of an operation is 9223372036854775816; allowed: at most 9223372036854775807"},
        {85, 9, "f.bin: byte 58: the dependents of an operation begin at 9 and 1; allowed: 0 and 1"},
        {93, 9, "f.bin: byte 58: the dependents of an operation begin at 0 and 9; allowed: 0 and 1"},
        {136, 2, "f.bin: byte 140: operation 2 is not in its rank; allowed: at most 1"},
        {140, 0, "f.bin: byte 144: operation 0 of rank 0 says that it has 0 dependencies; allowed: 1, as listed"},
        {148, 0, "f.bin: byte 152: an operation is of kind 0; allowed: 1 (send), 2 (recv), 3 (calc)"},
        {38, 0xbc, "f.bin: byte 195: the block of rank 1 ends here; allowed: at 196, as its rank's offsets say"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *bad = g_memdup2(binary, sizeof binary);
        bad[cases[i].at] = (char)cases[i].value;
        g_autoptr(GError) wrong = NULL;
        g_assert_null(goal_parse(bad, sizeof binary, "f.bin", &wrong));
        g_assert_error(wrong, COLLSIM_ERROR, COLLSIM_ERROR_INPUT);
        g_assert_cmpstr(wrong->message, ==, cases[i].message);
    }
    g_autofree char *used = g_memdup2(binary, sizeof binary);
    used[0] = 0x26;
    used[1] = 0x09;
    g_autoptr(GError) used_up = NULL, longer = NULL;
    g_assert_null(goal_parse(used, sizeof binary, "f.bin", &used_up));
    g_assert_cmpstr(used_up->message, ==,
                    "f.bin: byte 0: LogGOPSim has used this schedule up (--save-mem); allowed: what txt2bin wrote");
    g_autofree char *more = g_malloc0(sizeof binary + 1);
    memcpy(more, binary, sizeof binary);
    g_assert_null(goal_parse(more, sizeof binary + 1, "f.bin", &longer));
    g_assert_cmpstr(longer->message, ==, "f.bin: byte 195: the file goes on; allowed: its end, behind the last rank");
    for (size_t n = 8; n < sizeof binary; n++) {
        g_autoptr(GError) cut = NULL;
        g_assert_null(goal_parse(binary, n, "f.bin", &cut));
        g_assert_nonnull(strstr(cut->message, ": the file ends too early; allowed: "));
    }
}

// The table of labels finds what a linear search finds, for labels of numbers and of names, and for several ranks one
// after the other.
static void test_labels(void)
{
    enum { RANKS = 200, LABELS = 60 };
    g_autoptr(GRand) rand = g_rand_new_with_seed(6);
    GoalLabels *labels = goal_labels_new();
    for (int rank = 0; rank < RANKS; rank++) {
        char names[LABELS][16];
        uint32_t n = 0;
        goal_labels_begin(labels);
        for (int i = 0; i < 2 * LABELS && n < LABELS; i++) {
            char name[16];
            const unsigned number = (unsigned)g_rand_int_range(rand, 0, rank % 3 ? 100 : 3000);
            g_snprintf(name, sizeof name, "%s%u%s", g_rand_int_range(rand, 0, 9) ? "l" : "l0",
                       rank % 5 ? number : number * 100000, g_rand_int_range(rand, 0, 9) ? "" : "_");
            gboolean known = FALSE;
            for (uint32_t k = 0; k < n; k++)
                known |= strcmp(names[k], name) == 0;
            g_assert_cmpint(goal_labels_add(labels, name, strlen(name), n), ==, !known);
            if (!known)
                g_strlcpy(names[n++], name, sizeof *names);
        }
        for (uint32_t k = 0; k < n; k++)
            g_assert_cmpuint(goal_labels_find(labels, names[k], strlen(names[k])), ==, k);
        g_assert_cmpuint(goal_labels_find(labels, "l5000", 5), ==,
                         GOAL_NO_LABEL); // labels of an earlier rank are forgotten
    }
    goal_labels_free(labels);
}

// Labels to which g_str_hash() gives one hash: 33 'A' + 'b' is 33 'B' + 'A'. make bench times more of them.
static void test_one_hash(void)
{
    enum { BITS = 10 };
    GoalLabels *labels = goal_labels_new();
    goal_labels_begin(labels);
    for (uint32_t op = 0; op < 1u << BITS; op++) {
        char name[2 * BITS + 1] = "";
        for (int bit = 0; bit < BITS; bit++) {
            const gboolean is_set = (op >> bit & 1) != 0;
            name[2 * bit] = is_set ? 'A' : 'B';
            name[2 * bit + 1] = is_set ? 'b' : 'A';
        }
        g_assert_true(goal_labels_add(labels, name, 2 * BITS, op));
        g_assert_cmpuint(goal_labels_find(labels, name, 2 * BITS), ==, op);
    }
    goal_labels_free(labels);
}

static const char complete[] =
    "// a comment\nnum_ranks 3\n\nrank 0 {\nl1: send 8b to 1 tag 7 cpu 1 nic 2\nl2: calc 100 cpu 1\nl2 requires l1\n"
    "recv 0b from -1 tag -1\n}\nrank 1 {\nfirst: recv 8b from 0 tag 7\nthen: send 0b to 0\nthen irequires first\n}\n"
    "/* two\nlines */\nrank 2 {\n}\n";

// Returns the complete text with one to four changes: a byte replaced, added or removed, or a line doubled or dropped.
// Free with g_free.
static char *mutate(GRand *rand)
{
    static const char alphabet[] = "0123456789:-{}/*abcdlnrtuq_ \t\r\n\xff";
    g_autoptr(GString) text = g_string_new(complete);
    for (int n = g_rand_int_range(rand, 1, 5); n > 0; n--) {
        const gssize at = g_rand_int_range(rand, 0, (gint32)text->len);
        const gssize line = MIN((gssize)strcspn(text->str + at, "\n") + 1, (gssize)text->len - at);
        const char c = alphabet[g_rand_int_range(rand, 0, sizeof alphabet - 1)];
        g_autofree char *copy = g_strndup(text->str + at, (gsize)line);
        switch (g_rand_int_range(rand, 0, 5)) {
        case 0:
            text->str[at] = c;
            break;
        case 1:
            g_string_insert_c(text, at, c);
            break;
        case 2:
            g_string_erase(text, at, 1);
            break;
        case 3:
            g_string_insert(text, at, copy);
            break;
        default:
            g_string_erase(text, at, line);
        }
        if (text->len == 0)
            g_string_append_c(text, c);
    }
    return g_string_free(g_steal_pointer(&text), FALSE);
}

static void test_fuzz(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(sample_seed(7));
    const int inputs = sample_of(20000, 1500);
    int read = 0;
    for (int i = 0; i < inputs; i++) {
        g_autofree char *text = mutate(rand);
        g_autoptr(GError) error = NULL;
        g_autoptr(Goal) goal = goal_parse(text, strlen(text), "f.goal", &error);
        if (goal) {
            g_assert_no_error(error);
            g_autofree char *again = written(goal);
            assert_reads_as(again, again);
            read++;
            continue;
        }
        guint line = 0;
        g_assert_error(error, COLLSIM_ERROR, COLLSIM_ERROR_INPUT);
        g_assert_cmpint(sscanf(error->message, "f.goal:%u: ", &line), ==, 1);
        g_assert_cmpuint(line, >=, 1);
        g_assert_cmpuint(line, <=, 40);
        g_assert_nonnull(strstr(error->message, "; allowed: "));
        g_assert_null(strpbrk(error->message, "\n\r"));
    }
    // Both outcomes must occur.
    g_assert_cmpint(read, >, inputs / 50);
    g_assert_cmpint(read, <, inputs * 49 / 50);
}

// The binary form with one to four bytes changed, or cut off.
static void test_binary_fuzz(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(sample_seed(9));
    const int inputs = sample_of(20000, 1500);
    int read = 0;
    for (int i = 0; i < inputs; i++) {
        static const uint8_t values[] = {0, 1, 2, 3, 7, 0x7f, 0x80, 0xff};
        g_autoptr(Goal) whole = loggops_random_goal(rand, 8);
        g_autoptr(GByteArray) bytes = goal_bytes(whole);
        const int n_changes = g_rand_int_range(rand, 1, 5);
        for (int k = 0; k < n_changes; k++)
            bytes->data[g_rand_int_range(rand, 8, (gint32)bytes->len)] =
                values[g_rand_int_range(rand, 0, sizeof values)];
        if (g_rand_int_range(rand, 0, 4) == 0)
            g_byte_array_set_size(bytes, (guint)g_rand_int_range(rand, 8, (gint32)bytes->len));
        g_autoptr(GError) error = NULL;
        g_autoptr(Goal) goal = goal_parse((const char *)bytes->data, bytes->len, "f.bin", &error);
        read += goal != NULL;
        if (!goal) {
            g_assert_error(error, COLLSIM_ERROR, COLLSIM_ERROR_INPUT);
            g_assert_true(g_str_has_prefix(error->message, "f.bin: byte ") && strstr(error->message, "; allowed: "));
            continue;
        }
        g_autofree char *text = written(goal); // what is read is a whole graph
        assert_reads_as(text, text);
    }
    g_assert_cmpint(read, >, inputs / 50);
    g_assert_cmpint(read, <, inputs * 49 / 50);
}

static void add_tests(void)
{
    g_test_add_func("/goal_text/good", test_good);
    g_test_add_func("/goal_text/bad", test_bad);
    g_test_add_func("/goal_text/binary", test_binary);
    g_test_add_func("/goal_text/binary-fuzz", test_binary_fuzz);
    g_test_add_func("/goal_text/long", test_long);
    g_test_add_func("/goal_text/round_trip", test_round_trip);
    g_test_add_func("/goal_text/labels", test_labels);
    g_test_add_func("/goal_text/one-hash", test_one_hash);
    g_test_add_func("/goal_text/fuzz", test_fuzz);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}

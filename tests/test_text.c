// Whole files of text: what is not text or too large is refused, wherever in the file that shows, and a file that never
// ends is read as far as the limit.
#include "base/text.h"
#include "base/error.h"
#include "tap.h"
#include <glib/gstdio.h>
#include <string.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void test_check(void)
{
    static const struct {
        const char *text;
        size_t length, most;
        const char *message; // NULL if the text is good
    } CASES[] = {
        {"", 0, 0, NULL},
        {"abc", 3, 3, NULL},
        {"caf\303\251", 5, 8, NULL},
        {"abc", 3, 2, "f: the file is too large; allowed: at most 2 bytes"},
        {"8\n16\0", 5, 9, "f:2: the line is not text; allowed: UTF-8"},
        {"\0", 1, 9, "f:1: the line is not text; allowed: UTF-8"},
        {"a\n\n\303\n", 5, 9, "f:3: the line is not text; allowed: UTF-8"},
        {"a\n\n\303", 4, 9, "f:3: the line is not text; allowed: UTF-8"},
        {"\037\213\010\0", 4, 9, "f: the file is compressed; allowed: text, as `gunzip -c` prints it"},
        {"\377\376a\0", 4, 9, "f: the file is UTF-16; allowed: UTF-8"},
        {"\376\377\0a", 4, 9, "f: the file is UTF-16; allowed: UTF-8"},
        {"\377", 1, 9, "f:1: the line is not text; allowed: UTF-8"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(CASES); i++) {
        g_autoptr(GError) error = NULL;
        // In a heap copy of exactly this length, a sanitizer notices a read beyond the end.
        g_autofree char *text = g_memdup2(CASES[i].text, CASES[i].length);
        g_assert_cmpint(text_check(text, CASES[i].length, CASES[i].most, "f", &error), ==, !CASES[i].message);
        g_assert_cmpstr(error ? error->message : NULL, ==, CASES[i].message);
    }
}

static void test_read(void)
{
    enum { MOST = 200000 }; // more than one piece
    g_autofree char *name = NULL;
    g_close(g_file_open_tmp("text-XXXXXX", &name, NULL), NULL);
    for (size_t length = MOST - 1; length <= MOST + 2; length++) {
        g_autofree char *all = g_strnfill(length, 'x');
        g_assert_true(g_file_set_contents(name, all, (gssize)length, NULL));
        size_t got = 0;
        g_autofree char *text = text_read(name, MOST, &got, NULL);
        g_assert_cmpuint(got, ==, MIN(length, MOST + 1));
        g_assert_true(text[got] == '\0' && memcmp(text, all, got) == 0);
    }
    // A byte order mark is left out, unless the file is too large anyway: what was read of that is not its end.
    g_assert_true(g_file_set_contents(name,
                                      "\xEF\xBB\xBF"
                                      "8\n",
                                      -1, NULL));
    for (size_t most = 4; most <= 5; most++) {
        size_t got = 0;
        g_autofree char *text = text_read(name, most, &got, NULL), *same = text_read_as_is(name, most, &got, NULL);
        g_assert_cmpuint(got, ==, 5);
        g_assert_cmpstr(same, ==,
                        "\xEF\xBB\xBF"
                        "8\n");
        g_assert_cmpstr(text, ==, most < 5 ? same : "8\n");
    }
    g_assert_true(g_file_set_contents(name, "", 0, NULL));
    size_t got = 1;
    g_autofree char *empty = text_read(name, MOST, &got, NULL);
    g_assert_cmpstr(empty, ==, "");
    g_assert_cmpuint(got, ==, 0);
    g_remove(name);
}

static void assert_fails(const char *path, const char *message)
{
    g_autoptr(GError) error = NULL;
    size_t length;
    g_assert_null(text_read(path, 9, &length, &error));
    g_assert_error(error, COLLSIM_ERROR, COLLSIM_ERROR_INPUT);
    g_assert_cmpstr(error->message, ==, message);
}

static gpointer write_pipe(gpointer name)
{
    FILE *const pipe = fopen(name, "w");
    fputs("8\n16\n", pipe);
    fclose(pipe);
    return NULL;
}

// A folder is refused. A pipe is read to its end. A device of zeros is read up to its first piece.
static void test_no_files(void)
{
    size_t got = 0;
    assert_fails("/", "/: Is a directory; allowed: a readable file");
    assert_fails("/nonexistent", "/nonexistent: No such file or directory; allowed: a readable file");
    g_autofree char *zeros = text_read("/dev/zero", (size_t)1 << 40, &got, NULL);
    g_assert_nonnull(zeros);
    g_assert_cmpuint(got, <=, 1 << 16);
    g_assert_false(text_check(zeros, got, (size_t)1 << 40, "f", NULL));

    g_autofree char *dir = g_dir_make_tmp("text-XXXXXX", NULL), *pipe = g_build_filename(dir, "pipe", NULL);
    g_assert_cmpint(mkfifo(pipe, 0600), ==, 0);
    GThread *const writer = g_thread_new("writer", write_pipe, pipe);
    g_autofree char *text = text_read(pipe, 9, &got, NULL);
    g_thread_join(writer);
    g_assert_cmpstr(text, ==, "8\n16\n");
    g_remove(pipe);
    g_rmdir(dir);
}

static void add_tests(void)
{
    g_test_add_func("/text/check", test_check);
    g_test_add_func("/text/read", test_read);
    g_test_add_func("/text/no_files", test_no_files);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}

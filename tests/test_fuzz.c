// Replays the corpora of the fuzz harnesses (tests/fuzz/): every file of tests/fuzz/corpus/NAME goes through NAME.c.
// The corpora hold an input for each branch of a parser, and every input that once broke one. The Makefile lists the
// harnesses in HARNESSES, as X(NAME) for each.
#include "fuzz.h"
#include "tap.h"
#include <string.h>

#define X(name) int harness_##name(const uint8_t *data, size_t size);
HARNESSES
#undef X

typedef struct Harness {
    const char *name;
    int (*run)(const uint8_t *data, size_t size);
} Harness;

static const Harness harnesses[] = {
#define X(name) {#name, harness_##name},
    HARNESSES
#undef X
};

static void replay(gconstpointer data)
{
    const Harness *const harness = data;
    g_autofree char *folder = g_build_filename("tests", "fuzz", "corpus", harness->name, NULL);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    g_assert_nonnull(dir);
    int n = 0;
    for (const char *name; (name = g_dir_read_name(dir)); n++) {
        g_autofree char *path = g_build_filename(folder, name, NULL), *input = NULL;
        gsize size;
        g_test_message("%s", path);
        g_assert_true(g_file_get_contents(path, &input, &size, NULL));
        // A copy of its own length, so that a sanitizer sees who reads beyond it; not NULL if it is empty.
        g_autofree uint8_t *exact = g_malloc(MAX(size, 1));
        memcpy(exact, input, size);
        g_assert_cmpint(harness->run(exact, size), ==, 0);
    }
    g_assert_cmpint(n, >, 0);
}

static void add_tests(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(harnesses); i++) {
        g_autofree char *path = g_strconcat("/fuzz/", harnesses[i].name, NULL);
        g_test_add_data_func(path, &harnesses[i], replay);
    }
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}

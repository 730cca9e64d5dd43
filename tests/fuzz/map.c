// Maps: the levels of a machine (NAME=SIZE joined by commas), --map (a file if it is empty), and then the file. Where
// ranks can be placed, their levels must nest, and the ranks of a node must be nearer to each other than to others.
#include "fuzz.h"
#include "machine/platform/mapping.h"
#include <string.h>

enum { MOST_RANKS = 64 };

// Reads the levels, up to the first that is wrong.
static void read_levels(Levels *levels, const char *text)
{
    g_auto(GStrv) items = g_strsplit(text, ",", -1);
    gboolean good = TRUE;
    for (char **item = items; *item && good; item++) {
        g_autoptr(GError) error = NULL;
        char *size = strchr(*item, '=');
        if (size)
            *size++ = '\0';
        good = fuzz_outcome(levels_read(levels, *item, size ? size : "", &error), &error);
    }
}

// Asserts that each level is written so that it reads back.
static void write_levels(const Levels *levels)
{
    Levels again;
    levels_init(&again);
    for (int i = 0; i + 1 < levels->n; i++) {
        g_autofree char *size = levels_size_text(levels, i);
        g_assert_true(levels_read(&again, levels->at[i].name, size, NULL));
        g_assert_cmpuint(again.at[i].ranks, ==, levels->at[i].ranks);
    }
    levels_clear(&again);
}

static void check(const Mapping *m, const Levels *levels)
{
    const int node = levels_node(levels);
    for (int a = 0; a < m->p; a++)
        for (int b = 0; b < m->p; b++) {
            const int level = mapping_level(m, a, b), c = (a + b) % m->p;
            g_assert_cmpint(level, ==, mapping_level(m, b, a));
            g_assert_cmpint(level, <=, MAX(mapping_level(m, a, c), mapping_level(m, b, c)));
            if (m->code)
                g_assert_true((level <= node) == (m->nodes->of[a] == m->nodes->of[b]));
        }
}

FUZZ_HARNESS(map)
{
    g_auto(GStrv) text = fuzz_lines(data, size, 2);
    g_autoptr(GError) error = NULL;
    const char *name = strchr(text[1], ':') ? text[1] : fuzz_file(text[2], strlen(text[2]));
    Levels levels;
    MapSpec spec;
    levels_init(&levels);
    read_levels(&levels, text[0]);
    write_levels(&levels);
    if (fuzz_outcome(map_parse(name, MOST_RANKS, &spec, &error), &error)) {
        const int ranks = spec.numbers ? (int)spec.units->len / spec.numbers : 13;
        g_autoptr(Mapping) m = mapping_new(&spec, &levels, MAX(ranks, 1), &error);
        if (fuzz_outcome(m != NULL, &error))
            check(m, &levels);
        map_clear(&spec);
    }
    levels_clear(&levels);
    return 0;
}

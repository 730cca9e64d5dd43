// Requests as the command line has them, one text a line: the collective, the algorithms, -p, -m, --root, --element,
// --counts, --displs, --per-node, --model, --transfer, --set, --param and --map. Small ones are run.
#include "ask/ask.h"
#include "fuzz.h"
#include <string.h>

enum {
    COLLECTIVE,
    ALGORITHMS,
    RANKS,
    SIZES,
    ROOT,
    ELEMENT,
    COUNTS,
    DISPLS,
    PER_NODE,
    MODEL,
    TRANSFER,
    SET,
    PARAM,
    MAP
};

// Returns TRUE if no list has more than `most_values` values, or one above `most`.
static gboolean below(const GArray *list, guint most_values, size_t most)
{
    for (guint i = 0; i < list->len; i++)
        if (g_array_index(list, size_t, i) > most)
            return FALSE;
    return list->len <= most_values;
}

static void run(const Request *r)
{
    enum { MOST_POINTS = 4 };
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) points = points_make(r, &error);
    if (!fuzz_outcome(points != NULL, &error) || !below(r->question.ranks, 2, 24) || !below(r->question.sizes, 2, 4096))
        return;
    for (guint i = 0; i < MIN(points->len, MOST_POINTS); i++) {
        Point *const point = points->pdata[i];
        g_free(point_name(point));
        g_free(point_choice(point));
        g_free(point_ran(point));
        fuzz_outcome(point_run(point, r, &error), &error);
    }
}

FUZZ_HARNESS(request)
{
    enum { MOST_BLOCKS = 1000 };
    g_auto(GStrv) text = fuzz_lines(data, size, MAP);
    char *sets[] = {fuzz_given(text[SET]), NULL}, *params[] = {fuzz_given(text[PARAM]), NULL};
    if ((*text[COUNTS] && g_file_test(text[COUNTS], G_FILE_TEST_EXISTS)) ||
        (*text[DISPLS] && g_file_test(text[DISPLS], G_FILE_TEST_EXISTS)) ||
        (*text[MAP] && g_file_test(text[MAP], G_FILE_TEST_EXISTS)) || strchr(text[1], '/') || strchr(text[PARAM], '/'))
        return 0; // it must not read files, and least of all run code from one
    const RequestOptions o = {.libraries = TRUE,
                              .ranks = fuzz_given(text[RANKS]),
                              .sizes = fuzz_given(text[SIZES]),
                              .root = fuzz_given(text[ROOT]),
                              .element = fuzz_given(text[ELEMENT]),
                              .counts = fuzz_given(text[COUNTS]),
                              .displs = fuzz_given(text[DISPLS]),
                              .per_node = fuzz_given(text[PER_NODE]),
                              .map = fuzz_given(text[MAP]),
                              .model = fuzz_given(text[MODEL]),
                              .transfer = fuzz_given(text[TRANSFER]),
                              .sets = sets,
                              .params = params,
                              .why = TRUE,
                              .memory = TRUE};
    g_auto(Request) r = {0};
    g_autoptr(GError) error = NULL;
    if (fuzz_outcome(ask_operation(text, &o, &r, &error) && ask_machine(&o, &r, &error), &error) &&
        below(r.question.ranks, 100,
              o.counts || o.map || o.per_node || r.question.per_node || r.question.root < 0 ? MOST_BLOCKS : SIZE_MAX) &&
        r.question.sizes->len < 100)
        run(&r);
    text[SET] = sets[0] ? sets[0] : text[SET];         // ask_sets() has freed and replaced it
    text[PARAM] = params[0] ? params[0] : text[PARAM]; // and so may ask_plugin_params()
    return 0;
}

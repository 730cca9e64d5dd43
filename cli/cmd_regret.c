#include "answer/advice/regret_answer.h"
#include "ask/ask.h"
#include "ask/foresee.h"
#include "ask/options.h"
#include "base/error.h"
#include "base/output.h"
#include "cli.h"
#include "figure/grid.h"
#include "out/picture.h"
#include "engine/schedule/parse.h"
#include <string.h>

static const char help_text[] = "Finds out how much time a library's defaults cost: x is the time of what it\n"
                                "runs by default, divided by that of the best that the same version can be told\n"
                                "to run, with the parameters and parts that can be told, as best --only finds it.\n"
                                "\n"
                                "  collsim regret ompi-4.1 -p 16,48 -m 8..1M:x4 --platform lumi\n"
                                "  collsim regret mpich-4.3 allreduce,bcast -p 16x32,64x32 --platform leonardo\n"
                                "\n"
                                "LIB is a library and its version, as ompi-5, mpich-4.3 or ucc-1.4 (an unknown\n"
                                "one lists all), or without it, as ompi (4.1). Without COLLECTIVES, all are\n"
                                "examined. The grid is each p with each m: by default p = 2, 3, 4, 6, 8, 12 ..\n"
                                "128 and 8 bytes to 2M by factors of 4.\n"
                                "\n"
                                "For each collective the answer has the geometric mean of x over the grid, the\n"
                                "share of points with x above 1.1 and above 2, and the worst points with what\n"
                                "runs there. A cliff is a pair of neighbours, two sizes one element apart or p\n"
                                "and p + 1 ranks, whose x differ by a factor of 1.5 or more; on nodes, one node\n"
                                "or one rank on each node apart. Both sides are examined wherever the library\n"
                                "decides otherwise between the grid's smallest and largest size, and at each p\n"
                                "of the grid. JSON has all points.\n"
                                "\n"
                                "--draw draws a map of one collective: each place of the grid has the colour of\n"
                                "x, and a thick line stands between two places where there is a cliff. --draw -\n"
                                "prints the map as text.\n"
                                "\n"
                                "  collsim regret ompi-4.1 allreduce --platform lumi --draw regret.svg\n"
                                "\n"
                                "--root R asks about another root than rank 0, for the collectives that have one.\n"
                                "\n"
                                "Elements of reductions have 8 bytes, others 1, unless --element says otherwise.\n"
                                "The answer names collectives for which a size of -m is not a whole number of\n"
                                "elements; a size that is not for any collective is refused.\n"
                                "With --non-commutative, libraries decide for such an operation, and the best is\n"
                                "one whose results are right for it.\n"
                                "--of-all also finds the best of all algorithms, as best does without --only, at\n"
                                "each point of the grid: the mean of its time divided by that of the best that\n"
                                "the library can be told to run says what the library lacks.\n"
                                "Points at which the default is not known, or too large to simulate, do not\n"
                                "count.\n"
                                "\n" HELP_NODES "\n" HELP_ON_NETWORK;

static const char usage[] = "LIB [COLLECTIVE,..]";

// Checks that a map can show what is asked for.
static gboolean check_map(const Question *q, const gboolean *chosen, GError **error)
{
    int n = 0;
    for (int i = 0; i < N_COLLECTIVES; i++)
        n += chosen[i];
    if (n > 1)
        return bad_input(error, "--draw draws one collective, and %d are asked for; allowed: LIB COLLECTIVE", n);
    const guint most = MAX(q->ranks->len, q->sizes->len);
    return most <= FIGURE_GRID_MAX ||
           bad_input(error, "--draw: %u values on an axis; allowed: at most %d of -p and of -m", most, FIGURE_GRID_MAX);
}

static void free_regret(gpointer regret)
{
    regret_free(regret);
}

// Says how long this will take, and computes the regret of each chosen collective.
static gboolean compute_all(Request *r, const RequestOptions *o, const gboolean *chosen, GPtrArray *regrets,
                            GError **error)
{
    KnownTimes *own = known_begin(&r->known); // what is run to foresee the time need not run again
    gboolean good = TRUE;
    foresee_library(r, o, chosen, "this grid");
    for (int i = 0; i < N_COLLECTIVES && good; i++) {
        Regret *x =
            chosen[i] ? regret_compute(r, (Collective)i, ask_library_element(o, (Collective)i), TRUE, error) : NULL;
        good = x || !chosen[i];
        if (x)
            g_ptr_array_add(regrets, x);
    }
    known_end(&r->known, own);
    return good;
}

int cmd_regret(int argc, char **argv, GError **error)
{
    g_auto(RequestOptions) o = {0};
    g_autofree char *most = NULL;
    g_auto(PictureAsk) draw = {0};
    const GOptionEntry entries[] = {
        PORT_ENTRIES(o),
        NETWORK_ENTRIES(o.on),
        ENTRY_BYTES(o.sizes),
        ENTRY_ONE_ROOT(o.root),
        ENTRY_NON_COMMUTATIVE(o.ordered),
        ENTRIES_HAN(o),
        ENTRY_OF_ALL(o.of_all),
        ENTRY_STRING("top", 0, most, "print at most N worst points and cliffs (default 5)", "N"),
        DRAW_ENTRIES(draw, "draw a map to FILE.svg, .png or .pdf, or - for text"),
        {NULL},
    };
    g_auto(GStrv) words = NULL;
    g_auto(Request) r = {0};
    g_auto(Output) drawing = {0};
    g_auto(Answer) answer = {0};
    gboolean chosen[N_COLLECTIVES];
    size_t top = 5;
    r.question.asked = chosen;
    if (!options_parse(argc, argv, usage, help_text, entries, 1, 2, &words, error))
        return 2;
    picture_synonym(&o.answer.output, &draw);
    const gboolean text = g_strcmp0(draw.path, "-") == 0;
    if ((!text && !picture_ask(&draw, "--draw", error)) || !ask_collectives(words[1], chosen, error) ||
        !options_number("--top", most, 1, 1000, &top, error) || !ask_about_library("regret", words[0], &o, &r, error) ||
        !ask_library_sizes(&o, chosen, o.sizes != NULL, &r, error) ||
        (draw.path && !check_map(&r.question, chosen, error)) || !answer_open(&answer, &o.answer, error) ||
        (text && answer.format != FORMAT_TABLE &&
         !bad_input(error, "--draw - is text among tables; allowed: without -f, or --draw FILE")) ||
        (!text && !picture_open(&draw, &drawing, error)))
        return 2;
    g_autoptr(GPtrArray) regrets = g_ptr_array_new_with_free_func(free_regret);
    if (!compute_all(&r, &o, chosen, regrets, error))
        return 2;
    g_autoptr(FigureGrid) map = draw.path ? regret_map(regrets->pdata[0], &r, error) : NULL;
    if (draw.path && (!map || (!text && !canvas_close(figure_grid_canvas(map, &draw), &drawing, error))))
        return 2;
    regret_report(&answer, &r, regrets, (guint)top);
    if (text)
        regret_print(map, answer.to);
    return answer_close(&answer, error) ? 0 : 2;
}

#include "answer/bound.h"
#include "ask/ask.h"
#include "ask/options.h"
#include "base/error.h"
#include "base/output.h"
#include "cli.h"
#include "out/picture.h"
#include "schedule/names.h"

static const char help_text[] =
    "Lower bounds of a collective on a fully connected network, and how near the fastest known algorithm\n"
    "comes, by simulation, with its best parameters: what `collsim best` finds.\n\n"
    "  collsim bound allreduce -p 64,1K -m 8..64M:x8 --element 8 --platform lumi\n"
    "  collsim bound bcast -p 64,1K -m 8..64M:x4 -o bcast.svg\n"
    "  collsim bound alltoall -p 2..33 -m 64 --ports 2\n\n"
    "The bounds, each on its own: latency (rounds of alpha), bandwidth (bytes of beta through some port),\n"
    "computation (bytes of gamma at some rank); the largest of them holds for all algorithms of messages,\n"
    "the three together need not be reachable. A bcast has one more, for those that send blocks of one\n"
    "length one by one. Alltoall: in no more rounds than ceil(log2 p), p a power of two, p/2 log2(p) m\n"
    "bytes pass some port. All blocks are alike. They hold where a port takes one message at a time;\n"
    "--transfer eager lets messages arrive for nothing: of gather, gatherv and reduce one alpha and m beta\n"
    "are left. --ports K: with so many ports each way; algorithms have one, so none is compared then.\n"
    "-o draws the fastest one's time by the bound, over sizes or ranks, whichever are more.";

typedef struct BoundOptions {
    char *ports, *draw;
} BoundOptions;

static void bound_options_clear(BoundOptions *o)
{
    g_free(o->ports);
    g_free(o->draw);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(BoundOptions, bound_options_clear)

static gboolean find_ports(const BoundOptions *o, int *ports, GError **error)
{
    size_t n = 1;
    if (!options_number("--ports", o->ports, 1, MAX_RANKS, &n, error))
        return FALSE;
    if (n > 1 && o->draw)
        return bad_input(error, "--draw compares algorithms with the bound, and they have one port; allowed: --ports 1");
    *ports = (int)n;
    return TRUE;
}

int cmd_bound(int argc, char **argv, GError **error)
{
    g_auto(RequestOptions) o = {0};
    g_auto(BoundOptions) own = {0};
    const GOptionEntry entries[] = {
        HOCKNEY_ENTRIES(o),
        {"bytes", 'm', 0, G_OPTION_ARG_STRING, &o.sizes, "sizes in bytes", "LIST"},
        {"ports", 0, 0, G_OPTION_ARG_STRING, &own.ports, "ports of a rank each way (1)", "K"},
        {"draw", 0, 0, G_OPTION_ARG_FILENAME, &own.draw, "draw to FILE.svg, FILE.png or FILE.pdf", "FILE"},
        {NULL},
    };
    g_auto(GStrv) words = NULL;
    g_auto(BoundGrid) grid = {0};
    g_auto(Output) drawing = {0};
    g_auto(Answer) answer = {0};
    const char *picture;
    if (!options_parse(argc, argv, "COLLECTIVE", help_text, entries, 1, 1, &words, error))
        return 2;
    picture_synonym(&o.answer.output, &own.draw);
    if (!picture_format("--draw", own.draw, &picture, error) || !find_ports(&own, &grid.ports, error) ||
        !collective_parse(words[0], &grid.request.collective, error) || !ask_points(&o, &grid.request, error) ||
        !ask_machine(&o, &grid.request, error) || !answer_open(&answer, &o.answer, error) ||
        (own.draw && !output_open(&drawing, own.draw, error)) || !bound_grid_make(&grid, error))
        return 2;
    if (own.draw && !(bound_draw(&grid, own.draw, picture, drawing.to, error) && output_close(&drawing, error)))
        return 2;
    bound_report(&answer, &grid);
    return answer_close(&answer, error) ? 0 : 2;
}

#include "answer/search/bound.h"
#include "ask/ask.h"
#include "ask/options.h"
#include "base/error.h"
#include "base/output.h"
#include "cli.h"
#include "out/picture.h"
#include "engine/schedule/parse.h"

static const char help_text[] = "Compares the fastest known algorithm of a collective, with the parameters that\n"
                                "`collsim best` finds, with what no algorithm can beat on this machine.\n"
                                "\n"
                                "  collsim bound allreduce -p 64,1K -m 8..16M:x8 --element 8 --platform lumi\n"
                                "  collsim bound bcast -p 64,1K -m 8..32M:x4 --draw bcast.svg\n"
                                "  collsim bound alltoall -p 2..33 -m 64 --ports 2\n"
                                "\n"
                                "ALGORITHM, names joined by commas or files with algorithms of your own, compares\n"
                                "the fastest of these instead:\n"
                                "\n"
                                "  collsim bound bcast ./mine.c -p 1000 -m 1M\n"
                                "\n"
                                "--root R compares the fastest from another root than rank 0. The bounds are the\n"
                                "same for all roots.\n"
                                "\n"
                                "There are three bounds on a flat machine: latency (rounds of alpha), bandwidth\n"
                                "(bytes of beta through the busiest port) and computation (bytes of gamma at the\n"
                                "busiest rank). Every algorithm that sends messages takes at least the largest.\n"
                                "There may be no algorithm that reaches all at once.\n"
                                "\n"
                                "A bcast has a fourth bound, for algorithms that send blocks of equal length one\n"
                                "by one. An alltoall with only ceil(log2 p) rounds, p a power of two, must send\n"
                                "p/2 log2(p) m bytes through some port.\n"
                                "\n"
                                "The bounds assume that all blocks are equal, and that a port takes one message\n"
                                "at a time. With --transfer eager an arriving message takes no port, so for\n"
                                "gather, gatherv and reduce the first two bounds are only alpha and m beta. With\n"
                                "--ports K above 1 no algorithm is compared, because algorithms have one port.\n"
                                "\n"
                                "On a machine with nodes, bandwidth is that of its fastest level, and there is a\n"
                                "bound for nodes: what must pass between them, and through their NICs. Where the\n"
                                "machine has tables (measured), and under the LogP family, a rank can send again\n"
                                "before its message has arrived, so the latency does not count rounds. No bound\n"
                                "is known for shared memory: there, the answer is the fastest alone.\n"
                                "\n"
                                "  collsim bound bcast -p 8 -m 64,64K --model shared\n"
                                "\n"
                                "--draw draws the time divided by the bound, over sizes or ranks, whichever has\n"
                                "more values.";

typedef struct BoundOptions {
    char *ports;
    PictureAsk draw;
} BoundOptions;

static void bound_options_clear(BoundOptions *o)
{
    g_free(o->ports);
    picture_ask_clear(&o->draw);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(BoundOptions, bound_options_clear)

static gboolean find_ports(const BoundOptions *o, int *ports, GError **error)
{
    size_t n = 1;
    if (!options_number("--ports", o->ports, 1, LIMIT_RANKS, &n, error))
        return FALSE;
    if (n > 1 && o->draw.path)
        return bad_input(error,
                         "--draw compares algorithms with the bound, and they have one port; allowed: --ports 1");
    *ports = (int)n;
    return TRUE;
}

// Finds the algorithms that are compared, if a word names them.
static gboolean find_algorithms(const char *word, Request *r, GError **error)
{
    if (word && r->library.only)
        return bad_input(error, "bound: --only and ALGORITHM both say what is compared; allowed: one of them");
    return !word || ask_algorithms(word, r, error);
}

// Shared memory has no ports, and no bound to draw. Under measured, the figures say how many ports there are, and the
// LogP family has one.
static gboolean check_ports(const BoundGrid *grid, const BoundOptions *own, GError **error)
{
    const Model *model = grid->request.machine.model;
    const char *option = grid->ports > 1 ? "--ports" : own->draw.path ? "--draw" : NULL;
    if (option && model->shared)
        return bad_input(error, "%s: no bound is known for shared memory; allowed: models of messages", option);
    if (grid->ports == 1 || model->transfers)
        return TRUE;
    return model == &measured_model
               ? bad_input(error, "--ports: under measured, the machine says how many; allowed: --set ports=%d",
                           grid->ports)
               : bad_input(error, "--ports: a rank has one network interface under %s; allowed: --model hockney",
                           model->name);
}

int cmd_bound(int argc, char **argv, GError **error)
{
    g_auto(RequestOptions) o = {.links = LINKS_LEFT_OUT, .one_root = TRUE};
    g_auto(BoundOptions) own = {0};
    const GOptionEntry entries[] = {
        PORT_ENTRIES(o),
        ENTRY_ONLY(o.only),
        ENTRY_BYTES(o.sizes),
        ENTRY_ONE_ROOT(o.root),
        ENTRY_STRING("ports", 0, own.ports, "ports per rank in each direction (default 1)", "K"),
        DRAW_ENTRIES(own.draw, "draw to FILE.svg, FILE.png or FILE.pdf"),
        {NULL},
    };
    g_auto(GStrv) words = NULL;
    g_auto(BoundGrid) grid = {0};
    g_auto(Output) drawing = {0};
    g_auto(Answer) answer = {0};
    if (!options_parse(argc, argv, "COLLECTIVE [ALGORITHM]", help_text, entries, 1, 2, &words, error))
        return 2;
    picture_synonym(&o.answer.output, &own.draw);
    if (!picture_ask(&own.draw, "--draw", error) || !find_ports(&own, &grid.ports, error) ||
        !collective_parse(words[0], &grid.request.question.collective, error) ||
        !ask_only(&o, &grid.request.library, error) || !find_algorithms(words[1], &grid.request, error) ||
        !ask_points(&o, &grid.request, error) || !ask_machine(&o, &grid.request, error) ||
        !check_ports(&grid, &own, error) || !answer_open(&answer, &o.answer, error) ||
        (own.draw.path && !bound_can_draw(&grid, error)) || !picture_open(&own.draw, &drawing, error) ||
        !bound_grid_make(&grid, error))
        return 2;
    if (own.draw.path && !canvas_close(bound_canvas(&grid, &own.draw, error), &drawing, error))
        return 2;
    bound_report(&answer, &grid);
    return answer_close(&answer, error) ? 0 : 2;
}

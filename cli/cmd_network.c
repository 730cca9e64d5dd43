#include "answer/engine/network_answer.h"
#include "ask/ask.h"
#include "base/error.h"
#include "cli.h"
#include "out/picture.h"

static const char help_text[] = "Describes the network between the nodes of a machine: its classes of links, what\n"
                                "connects its halves, how far hosts are from each other, and how much of a link\n"
                                "random pairs of hosts get (the effective bisection).\n"
                                "\n"
                                "  collsim network lumi\n"
                                "  collsim network --topology torus:16,16,16\n"
                                "  collsim network --topology \"dragonfly:9,1;8,1;4\" --draw machine.svg\n"
                                "  collsim network leonardo -p 128 --nodes fragment:7:1 --draw job.svg\n"
                                "\n"
                                "-p and --nodes say where a job's nodes are; --draw shows how many hosts of each\n"
                                "group it has.\n"
                                "\n" HELP_PLACEMENT;

typedef struct OwnOptions {
    NetworkOptions network;
    AnswerOptions answer;
    char *nodes, *pairings;
    PictureAsk draw;
} OwnOptions;

static void options_clear(OwnOptions *o)
{
    network_options_clear(&o->network);
    answer_options_clear(&o->answer);
    g_free(o->nodes);
    g_free(o->pairings);
    picture_ask_clear(&o->draw);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(OwnOptions, options_clear)

// Writes the answer, and the picture if there is to be one. Returns the exit status.
static int write_answer(const NetworkAnswer *x, const OwnOptions *o, GError **error)
{
    g_auto(Answer) answer = {0};
    g_auto(Output) drawing = {0};
    if (!answer_open(&answer, &o->answer, error) || !picture_open(&o->draw, &drawing, error) ||
        (o->draw.path && !canvas_close(network_canvas(x, &o->draw), &drawing, error)))
        return 2;
    if (!o->draw.path || o->answer.format || o->answer.output)
        network_report(&answer, x);
    return answer_close(&answer, error) ? 0 : 2;
}

static int describe(const char *name, const OwnOptions *o, GError **error)
{
    g_autoptr(Platform) platform = ask_platform(name ? name : PLATFORM_DEFAULT, error);
    g_auto(NetworkSpec) asked = {0};
    size_t nodes = 0, pairings = 20;
    if (!platform || !network_options_read(&o->network, platform, &asked, error) ||
        !options_number("-p", o->nodes, 1, LIMIT_RANKS, &nodes, error) ||
        !options_number("--pairings", o->pairings, 0, 1000, &pairings, error))
        return 2;
    const Topology *t = &asked.topology;
    if (!nodes && !t->hosts)
        return bad_input(error, "-p: %s %s has as many groups as a job needs; allowed: -p NODES, or shape = %s;GROUPS",
                         topology_names[t->kind], t->shape, t->shape),
               2;
    if (o->network.nodes && !nodes)
        return bad_input(error, "--nodes places the nodes of a job; allowed: with -p NODES"), 2;
    g_autofree int *host = NULL;
    g_autoptr(Network) n = placement_make(&asked.nodes, asked.nodes.seed, &asked.topology, asked.hosts,
                                          nodes ? (int)nodes : 1, &host, error);
    if (!n)
        return 2;
    const NetworkAnswer x = {.platform = o->network.topology ? NULL : platform,
                             .asked = &asked,
                             .network = n,
                             .host = nodes ? host : NULL,
                             .nodes = (int)nodes,
                             .pairings = (int)pairings};
    return write_answer(&x, o, error);
}

int cmd_network(int argc, char **argv, GError **error)
{
    g_auto(OwnOptions) o = {0};
    const GOptionEntry entries[] = {
        NETWORK_ENTRIES(o.network),
        ENTRY_STRING("ranks", 'p', o.nodes, "nodes of a job", "NODES"),
        ENTRY_STRING("pairings", 0, o.pairings, "random pairings of all hosts (default 20)", "N"),
        DRAW_ENTRIES(o.draw, "draw to FILE.svg, .png or .pdf"),
        ANSWER_ENTRIES(o.answer),
        {NULL},
    };
    g_auto(GStrv) words = NULL;
    if (!options_parse(argc, argv, "[PLATFORM]", help_text, entries, 0, 1, &words, error))
        return 2;
    picture_synonym(&o.answer.output, &o.draw);
    return picture_ask(&o.draw, "--draw", error) ? describe(words[0], &o, error) : 2;
}

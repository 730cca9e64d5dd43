#include "answer/search/crossover_answer.h"
#include "ask/ask.h"
#include "ask/options.h"
#include "ask/plugins.h"
#include "base/error.h"
#include "cli.h"
#include "engine/schedule/parse.h"

static const char help_text[] = "Finds, for each p, the message size at which the faster of two algorithms\n"
                                "changes, to the element, by simulation.\n"
                                "\n"
                                "  collsim crossover allreduce recursive_doubling rabenseifner -p 8,64,1024\n"
                                "  collsim crossover bcast pipeline binomial -p 1000 --param segment=16K\n"
                                "\n"
                                "It tries sizes of 1, 2, 4 .. elements, up to 1T bytes or to what can be\n"
                                "simulated, and more between them, and bisects where the winner changes. A\n"
                                "crossover has two sizes: the old winner does not win an element after the first,\n"
                                "nor the new one an element before the second. Sizes with equal times count for\n"
                                "neither, and sizes at which an algorithm cannot run as itself do not count.\n"
                                "\n"
                                "The winner may change many times around a crossover, if p does not divide the\n"
                                "blocks, ranks share a NIC, or larger messages are sent in another way. Changes\n"
                                "less than a factor of two apart are one crossover, whose sizes are those of the\n"
                                "last change found.\n"
                                "\n"
                                "The second table has the ranges between crossovers. Its winners win at all sizes\n"
                                "tried, and at other sizes if no change was missed. From `proven from` on, up to\n"
                                "the size beside it, they win at all sizes: those next to each other were all\n"
                                "tried, or the times were found to grow along lines too far apart to cross. That\n"
                                "needs hockney and transfers that do not compete, so no NIC or memory is shared.\n"
                                "\n"
                                "The answer also has m*, the size at which the closed forms are equal, and their\n"
                                "equation. Closed forms assume that messages are cut evenly, and hold only where\n"
                                "all ranks are equally far apart and share nothing, under the model hockney.\n"
                                "\n"
                                "The last sentence says which of the two has fewer messages one after the other,\n"
                                "and which sends fewer bytes, and how both grow with p, a power of two. They are\n"
                                "counted on critical paths, so they hold for files and machines with nodes too.\n"
                                "Where a library decides, or with --best, it is about what runs at the crossover.\n"
                                "\n"
                                "Both have their default parameters, or those of --param. With --best, each has\n"
                                "at every size its best parameters and parts, of those that best finds at 1, 8,\n"
                                "64 .. elements on both sides of it; segments of parts are the same share of\n"
                                "every size. Sizes up to 16M bytes are tried, and no form is known. --param fixes\n"
                                "a parameter here too.\n"
                                "\n"
                                "  collsim crossover allreduce lane ring -p 16x8 --best --platform leonardo\n"
                                "\n"
                                "  collsim crossover bcast shm_flat shm_knomial -p 8,16 --param fragment=16K\n"
                                "\n"
                                "compares two algorithms of shared memory. It tries sizes up to 64M bytes there.\n"
                                "\n"
                                "--root R asks about another root than rank 0. On nodes, the crossover can be\n"
                                "elsewhere; closed forms know rank 0 alone.\n"
                                "\n" HELP_NODES "\n" HELP_ON_NETWORK;

static gboolean find_rivals(char **words, const RequestOptions *o, Request *r, GError **error)
{
    if (!collective_parse(words[0], &r->question.collective, error) || !ask_only(o, &r->library, error))
        return FALSE;
    if (r->question.collective == COLL_BARRIER)
        return bad_input(error, "crossover barrier: a barrier has no message size; allowed: another collective");
    for (int i = 1; i <= 2; i++) {
        g_autofree char *name = ask_plugin(words[i], r->question.collective, error);
        if (!name || !request_name_algorithm(r, name, error))
            return FALSE;
    }
    return r->question.named->len == 2 ||
           bad_input(error, "crossover: %s and %s are the same algorithm; allowed: two different ones", words[1],
                     words[2]);
}

// Checks that the parameters of both algorithms are free, or given by --param.
static gboolean check_best(const Request *r, GError **error)
{
    for (int i = 0; i < 2; i++) {
        const CollAlgorithm *a = r->question.named->pdata[i];
        if (r->library.only || request_auto(&r->library, a) || algorithm_entry(a) != a)
            return bad_input(
                error,
                "crossover --best: %s has parameters of a library; allowed: algorithms of `collsim list`, and "
                "files",
                a->name);
    }
    return TRUE;
}

static gboolean find_request(char **words, const RequestOptions *o, gboolean best, Request *r, GError **error)
{
    size_t element;
    r->question.params = o->params;
    if (!ask_plugin_params(o->params, error) || !find_rivals(words, o, r, error) ||
        !options_element(o->element, &element, error))
        return FALSE;
    request_set_element(r, element);
    r->question.one_root = TRUE;
    return ask_ranks(o->ranks, o->per_node, o->map, r, error) && question_root(&r->question, o->root, error) &&
           request_check_map(r, error) && request_check_params(r, error) && question_no_lists(&r->question, error) &&
           ask_machine(o, r, error) && (!best || check_best(r, error));
}

int cmd_crossover(int argc, char **argv, GError **error)
{
    g_auto(RequestOptions) o = {0};
    gboolean best = FALSE;
    const GOptionEntry entries[] = {
        PORT_ENTRIES(o),
        NETWORK_ENTRIES(o.on),
        ENTRY_ONLY(o.only),
        ENTRY_ONE_ROOT(o.root),
        ENTRY_PARAM(o.params),
        {"best", 0, 0, G_OPTION_ARG_NONE, &best, "each with its best parameters and parts at any size", NULL},
        {NULL},
    };
    g_auto(GStrv) words = NULL;
    g_auto(Request) r = {0};
    g_auto(Answer) answer = {0};
    if (!options_parse(argc, argv, "COLLECTIVE A B", help_text, entries, 3, 3, &words, error) ||
        !find_request(words, &o, best, &r, error))
        return 2;
    g_autoptr(GPtrArray) rivalries = rivalry_make_all(&r, best);
    KnownTimes *own = known_begin(&r.known); // each round of the search asks for many runs of those before it
    const gboolean good = answer_open(&answer, &o.answer, error) && rivalry_run_all(rivalries, error);
    known_end(&r.known, own);
    if (!good)
        return 2;
    crossover_report(&answer, &r, rivalries);
    return answer_close(&answer, error) ? 0 : 2;
}

#include "answer/crossover.h"
#include "ask/ask.h"
#include "ask/options.h"
#include "base/error.h"
#include "cli.h"
#include "schedule/names.h"

static const char help_text[] =
    "For each p the size where the winner changes between two algorithms, to the element, by simulation.\n\n"
    "  collsim crossover allreduce recursive_doubling rabenseifner -p 8,64,1024\n"
    "  collsim crossover bcast pipeline binomial -p 1000 --param segment=16K --platform lumi\n\n"
    "Sizes of 1, 2, 4 .. elements are tried, up to 1T or what can be simulated. Between two of them that\n"
    "different ones win the change is bracketed: the largest size at which the one wins, the next at which\n"
    "the other does; equal times count for neither, nor do sizes at which a fallback runs. Blocks that p\n"
    "does not divide make the winner change to and fro about there: the last change is what is printed, and\n"
    "where the first one is. (These are all changes, if neither time falls as the size grows.) Several\n"
    "crossovers are told if they lie in different steps. Beside it m*, where the closed forms are equal,\n"
    "and the equation. They are of evenly cut messages.";

static gboolean find_rivals(char **words, Request *r, GError **error)
{
    if (!collective_parse(words[0], &r->collective, error))
        return FALSE;
    if (r->collective == COLL_BARRIER)
        return bad_input(error,
                         "crossover barrier: it moves nothing, its time has no size; allowed: another collective");
    for (int i = 1; i <= 2; i++) {
        const CollAlgorithm *a = algorithm_parse(r->collective, words[i], error);
        if (!a)
            return FALSE;
        if (a->shared)
            return bad_input(error, "crossover: %s is one of shared memory; allowed: algorithms of messages", a->name);
        request_add(r, a);
    }
    return r->named->len == 2 ||
           bad_input(error, "crossover: %s and %s are the same algorithm; allowed: two", words[1], words[2]);
}

static gboolean find_request(char **words, const RequestOptions *o, Request *r, GError **error)
{
    r->params = o->params;
    return find_rivals(words, r, error) && options_element(o->element, &r->elem, error) &&
           (r->ranks = options_ranks(o->ranks, error)) && options_per_node(o->per_node, &r->per_node, error) &&
           request_check_params(r, error) && request_no_lists(r, error) && ask_machine(o, r, error);
}

int cmd_crossover(int argc, char **argv, GError **error)
{
    g_auto(RequestOptions) o = {0};
    const GOptionEntry entries[] = {
        HOCKNEY_ENTRIES(o),
        {"param", 0, 0, G_OPTION_ARG_STRING_ARRAY, &o.params, "a parameter of those that have it, as segment=64K",
         "NAME=VALUE"},
        {NULL},
    };
    g_auto(GStrv) words = NULL;
    g_auto(Request) r = {0};
    g_auto(Answer) answer = {0};
    if (!options_parse(argc, argv, "COLLECTIVE A B", help_text, entries, 3, 3, &words, error) ||
        !find_request(words, &o, &r, error))
        return 2;
    g_autoptr(GPtrArray) rivalries = rivalry_make_all(&r);
    if (!answer_open(&answer, &o.answer, error) || !rivalry_run_all(rivalries, error))
        return 2;
    crossover_report(&answer, &r, rivalries);
    return answer_close(&answer, error) ? 0 : 2;
}

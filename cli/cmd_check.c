#include "answer/run/backends_answer.h"
#include "answer/search/formulas_answer.h"
#include "answer/judge/proofs.h"
#include "ask/ask.h"
#include "ask/ask_meter.h"
#include "ask/options.h"
#include "ask/stop.h"
#include "base/error.h"
#include "base/nearest.h"
#include "cli.h"
#include "engine/plugin/plugin.h"
#include "engine/schedule/parse.h"
#include <stdio.h>
#include <string.h>

static const char help_text[] = "Compares simulation with the exact formulas of the registry, in integers: the\n"
                                "time T at (alpha, beta, gamma) = (1,0,0), (0,1,0), (0,0,1) and (7,3,1),\n"
                                "rendezvous and eager, and the counts of the critical path if the formula is\n"
                                "linear. In shared memory it compares T(write, read/lanes, flag, gamma). Nodes\n"
                                "have 4 ranks, for algorithms that know nodes.\n"
                                "\n"
                                "  collsim check -p 2..33\n"
                                "  collsim check allreduce ring -p 32768\n"
                                "\n"
                                "ALGORITHM may be several names, and LIB:NAME or LIB:ID of a library; with\n"
                                "--backends also LIB:auto, as `run` takes them.\n"
                                "\n"
                                "  collsim check ./mine.c\n"
                                "  collsim check --prove allreduce ring\n"
                                "\n"
                                "proves all algorithms of a file, or those that are named: every rank's result is\n"
                                "right, the checker finds mistakes that are planted in the text, the ranks that\n"
                                "the entry declares to be alike are, all gears of the engine agree, and the\n"
                                "formula holds. It stops at the first fault. docs/PLUGINS.md has more.\n"
                                "\n"
                                "With --backends, it runs the same points on several backends and prints their\n"
                                "times side by side: sim is collsim's own engine, smpi is SimGrid's simulator set\n"
                                "to charge alpha + n beta, mpi is a real MPI on this machine, and simgrid is\n"
                                "SimGrid's own algorithm. If that calls other collectives, these are SimGrid's\n"
                                "defaults, unless the answer names others. The results of all ranks are verified.\n"
                                "\n"
                                "  collsim check --backends sim,smpi bcast -p 16 -m 64K\n"
                                "  collsim check --backends sim,smpi,mpi allreduce ring -p 2,4 -m 8,64K\n"
                                "\n"
                                "If sim and smpi differ by more than 1e-9, the answer says why: port sharing\n"
                                "(messages of a rank that are under way at once share its port in smpi, and queue\n"
                                "in sim), link sharing (on a network with rates, those of a round share links in\n"
                                "sim, and those that are under way at once in smpi), unmodelled (one of them does\n"
                                "not model what it meets), or different, which is an error and makes the exit\n"
                                "status 1. The formulas and SMPI know the model hockney, but not measured.\n\n"
                                "Without --backends, only -p, -f and -o are allowed.";

// ---- With --backends -----------------------------------------------------------------------------------------------

static gboolean find_backends(const char *list, BackendCheck *c, GError **error)
{
    g_auto(GStrv) name = g_strsplit(list, ",", -1);
    for (char **n = name; *n; n++) {
        int which;
        if (!nearest_find("backend", g_strstrip(*n), backend_names, &which, error))
            return FALSE;
        c->asked[which] = TRUE;
    }
    return *name || bad_input(error, "--backends is empty; allowed: sim, smpi, mpi, simgrid, joined by commas");
}

// Sets SMPI's platform and transfer to those of sim. Returns FALSE and an error if SMPI has no such transfer.
static gboolean find_transfer(BackendCheck *c, GError **error)
{
    const gboolean smpi = c->asked[BACKEND_SMPI] || c->asked[BACKEND_SIMGRID];
    c->machine = (SimgridMachine){
        .platform = c->request.machine.platform,
        .network = c->request.machine.options.network,
        .transfer = c->request.machine.options.transfer == TRANSFER_EAGER ? SIMGRID_EAGER : SIMGRID_RENDEZVOUS};
    return !smpi || c->request.machine.options.transfer != TRANSFER_EAGER_PORT ||
           bad_input(error, "--transfer eager-port: SMPI cannot simulate it; allowed: rendezvous, eager");
}

static gboolean open_meter(BackendCheck *c, char *patience, GError **error)
{
    char budget[] = "200ms";
    const MeterOptions options = {.budget = budget, .patience = patience};
    return ask_meter(&options, &c->meter, error) && (!c->asked[BACKEND_MPI] || meter_open(&c->meter, error));
}

// The options that only check has, as texts; an option that was not given is NULL.
typedef struct CheckOptions {
    char *backends, *patience;
} CheckOptions;

static void check_options_clear(CheckOptions *o)
{
    g_free(o->backends);
    g_free(o->patience);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CheckOptions, check_options_clear)

static gboolean find_check(char **words, const RequestOptions *o, const CheckOptions *own, BackendCheck *c,
                           GError **error)
{
    char *both[] = {words[0], words[0] && words[1] ? words[1] : (char *)(uintptr_t) "all", NULL};
    RequestOptions machine = *o;
    if (!words[0])
        return bad_input(error, "--backends needs a COLLECTIVE, as in check --backends sim,smpi bcast -p 16 -m 64K");
    if (!find_backends(own->backends, c, error))
        return FALSE;
    machine.network = c->asked[BACKEND_SMPI] || c->asked[BACKEND_SIMGRID];
    machine.libraries = TRUE;
    return ask_operation(both, &machine, &c->request, error) && ask_machine(&machine, &c->request, error) &&
           (!machine.network || c->request.machine.model->shared ||
            request_knows("smpi", c->request.machine.model, FALSE, error)) &&
           find_transfer(c, error) && open_meter(c, own->patience, error);
}

static int check_backends(char **words, const RequestOptions *o, const CheckOptions *own, GError **error)
{
    g_auto(BackendCheck) c = {0};
    g_auto(Answer) answer = {0};
    if (!find_check(words, o, own, &c, error) || !answer_open(&answer, &o->answer, error) || !backends_run(&c, error))
        return 2;
    ask_note_network(&c.request);
    int status = 0;
    for (guint i = 0; i < c.points->len; i++) {
        status |= backends_wrong(&c.of[i]);
        if (c.of[i].wrong)
            fprintf(stderr, "%s on %d ranks, %s\n", c.of[i].point->algorithm->name, c.of[i].point->p, c.of[i].wrong);
    }
    backends_report(&answer, &c);
    return answer_close(&answer, error) ? status : 2;
}

// ---- Proofs --------------------------------------------------------------------------------------------------------

// Adds the algorithms that the words name: those of a file, or of a collective.
static gboolean find_proofs(char **words, Request *r, GError **error)
{
    const Plugin *plugin = algorithm_is_file(words[0]) && !words[1] ? plugin_load(words[0], error) : NULL;
    for (int i = 0; plugin && plugin->entries[i]; i++)
        question_add(&r->question, plugin->entries[i]);
    if (plugin || (error && *error))
        return plugin != NULL;
    if (!collective_parse(words[0], &r->question.collective, error))
        return FALSE;
    if (words[1] && !ask_algorithms(words[1], r, error))
        return FALSE;
    for (int i = 0; !words[1] && i < n_algorithms; i++)
        if (algorithms[i]->collective == r->question.collective)
            question_add(&r->question, algorithms[i]);
    return TRUE;
}

static int check_proofs(char **words, const RequestOptions *o, GError **error)
{
    g_auto(Request) r = {0};
    g_auto(Answer) answer = {0};
    if (o->ranks)
        return bad_input(error, "a proof chooses the ranks itself; allowed: -f and -o"), 2;
    if (!find_proofs(words, &r, error) || !answer_open(&answer, &o->answer, error))
        return 2;
    guint done = 0;
    if (!o->answer.output)
        stop_begin();
    const gboolean good = proofs_report(&answer, r.question.named, &done), written = answer_close(&answer, error);
    if (written)
        stop_end(done, r.question.named->len, "algorithms");
    return !written ? 2 : good ? 0 : 1;
}

// ---- The formulas --------------------------------------------------------------------------------------------------

// Returns FALSE and an error if there is an option that needs --backends.
static gboolean no_options(const RequestOptions *o, const char *patience, GError **error)
{
    if (o->sizes || o->root || o->element || o->counts || o->displs || o->per_node || o->map || o->platform ||
        o->transfer || o->params || o->sets || o->model || o->on.topology || o->on.routing || o->on.nodes || patience)
        return bad_input(error,
                         "check takes only -p, -f and -o without --backends, because it chooses the points itself");
    return TRUE;
}

static int check_formulas(char **words, const RequestOptions *o, GError **error)
{
    Collective only = N_COLLECTIVES;
    g_auto(Request) named = {0};
    g_auto(Answer) answer = {0};
    if (words[0] && !collective_parse(words[0], &only, error))
        return 2;
    named.question.collective = only;
    if (words[0] && words[1] && !ask_libraries(words[1], &named, error))
        return 2;
    if (named.library.autos) {
        bad_input(error, "check %s %s: a library decides about it at each point; allowed: with --backends", words[0],
                  words[1]);
        return 2;
    }
    g_autoptr(GArray) ranks = options_ranks(o->ranks, NULL, error);
    if (!ranks || !answer_open(&answer, &o->answer, error))
        return 2;
    g_autoptr(GPtrArray) entries = g_ptr_array_new();
    for (int i = 0; i < n_algorithms; i++)
        if (!named.question.named && (only == N_COLLECTIVES || algorithms[i]->collective == only))
            g_ptr_array_add(entries, (gpointer)(uintptr_t)algorithms[i]);
    for (guint i = 0; named.question.named && i < named.question.named->len; i++)
        g_ptr_array_add(entries, named.question.named->pdata[i]);
    guint done = 0;
    if (!o->answer.output)
        stop_begin();
    const gboolean equal = formulas_report(&answer, entries, ranks, &done), written = answer_close(&answer, error);
    if (written)
        stop_end(done, entries->len, "algorithms");
    return !written ? 2 : equal ? 0 : 1;
}

// ---- The command ---------------------------------------------------------------------------------------------------

int cmd_check(int argc, char **argv, GError **error)
{
    g_auto(RequestOptions) o = {0};
    g_auto(CheckOptions) own = {0};
    gboolean prove = FALSE;
    const GOptionEntry entries[] = {
        ENTRY_RANKS(o.ranks),
        ENTRY_STRING("backends", 0, own.backends, "where to run: sim, smpi, mpi or simgrid; see above", "LIST"),
        ANSWER_ENTRIES(o.answer),
        {"prove", 0, 0, G_OPTION_ARG_NONE, &prove, "prove the algorithms; see above", NULL},
        // The options from here on need --backends.
        ENTRY_BYTES(o.sizes),
        ENTRY_ROOT(o.root),
        ENTRY_PARAM(o.params),
        ENTRY_ELEMENT(o.element),
        ENTRY_COUNTS(o.counts),
        ENTRY_DISPLS(o.displs),
        ENTRY_PER_NODE(o.per_node),
        ENTRY_MAP(o.map),
        NETWORK_ENTRIES(o.on),
        ENTRY_PLATFORM(o.platform),
        ENTRY_SET(o.sets),
        ENTRY_STRING("model", 0, o.model, "hockney, measured or shared", "NAME"),
        ENTRY_STRING("transfer", 0, o.transfer, "rendezvous (default) or eager", "NAME"),
        ENTRY_PATIENCE(own.patience),
        {NULL},
    };
    g_auto(GStrv) words = NULL;
    if (!options_parse(argc, argv, "[COLLECTIVE [ALGORITHM]], or FILE", help_text, entries, 0, 2, &words, error))
        return 2;
    if (own.backends)
        return check_backends(words, &o, &own, error);
    if (!no_options(&o, own.patience, error))
        return 2;
    if (prove && !words[0])
        return bad_input(error, "--prove needs a COLLECTIVE, as in check --prove bcast binomial; allowed: also a FILE"),
               2;
    prove |= words[0] && algorithm_is_file(words[0]);
    return prove ? check_proofs(words, &o, error) : check_formulas(words, &o, error);
}

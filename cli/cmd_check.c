#include "answer/backends.h"
#include "answer/formulas.h"
#include "ask/ask.h"
#include "ask/ask_meter.h"
#include "ask/options.h"
#include "base/error.h"
#include "base/nearest.h"
#include "cli.h"
#include "out/progress.h"
#include "schedule/names.h"
#include <stdio.h>
#include <string.h>

static const char help_text[] =
    "Holds simulation against the exact formulas, integer by integer: T at (alpha, beta, gamma) = (1,0,0),\n"
    "(0,1,0), (0,0,1) and (7,3,1), rendezvous and eager, and the certificate where the form is linear; in shared\n"
    "memory T(write, read/lanes, flag, gamma) likewise. Nodes, for those that have a use for them, have 4 ranks.\n\n"
    "  collsim check -p 2..33\n"
    "  collsim check allreduce ring -p 32768\n\n"
    "With --backends, runs the same text there and puts the times side by side: sim, the engine; smpi, SimGrid's\n"
    "simulator, set to charge alpha + n beta; mpi, the real one on this machine. Data are verified. Where sim\n"
    "and smpi differ by more than 1e-9 the reason is told: port sharing (a rank has several messages under way in one\n"
    "direction, which share its port there and queue here), unmodelled, or different, which makes the exit status "
    "1.\n\n"
    "  collsim check --backends sim,smpi bcast -p 16 -m 64K\n"
    "  collsim check --backends sim,smpi,mpi allreduce ring -p 2,4 -m 8,64K --element 8";

// ---- With --backends -----------------------------------------------------------------------------------------------

static gboolean find_backends(const char *list, BackendCheck *c, GError **error)
{
    g_auto(GStrv) name = g_strsplit(list, ",", -1);
    for (char **n = name; *n; n++) {
        int which;
        if (!nearest_find("backend", *n, backend_names, &which, error))
            return FALSE;
        c->asked[which] = TRUE;
    }
    return *name || bad_input(error, "--backends is empty; allowed: sim, smpi, mpi, simgrid, joined by commas");
}

// Chooses the transfer of SMPI, which is that of sim.
static gboolean find_transfer(BackendCheck *c, GError **error)
{
    const gboolean smpi = c->asked[BACKEND_SMPI] || c->asked[BACKEND_SIMGRID];
    c->machine = (SimgridMachine){.platform = c->request.platform,
                                  .transfer = c->request.options.transfer == TRANSFER_EAGER ? SIMGRID_EAGER
                                                                                            : SIMGRID_RENDEZVOUS};
    return !smpi || c->request.options.transfer != TRANSFER_EAGER_PORT ||
           bad_input(error, "--transfer eager-port: SMPI has no such machine; allowed: rendezvous, eager");
}

static gboolean open_meter(BackendCheck *c, GError **error)
{
    const MeterOptions o = {.budget = (char[]){"200ms"}};
    return !c->asked[BACKEND_MPI] || (ask_meter(&o, &c->meter, error) && meter_open(&c->meter, error));
}

static gboolean find_check(char **words, const RequestOptions *o, const char *backends, BackendCheck *c, GError **error)
{
    char *both[] = {words[0], words[0] && words[1] ? words[1] : (char *)(uintptr_t) "all", NULL};
    if (!words[0])
        return bad_input(error,
                         "--backends needs a COLLECTIVE; allowed: as check --backends sim,smpi bcast -p 16 -m 64K");
    return find_backends(backends, c, error) && ask_operation(both, o, &c->request, error) &&
           ask_machine(o, &c->request, error) && find_transfer(c, error) && open_meter(c, error);
}

static int check_backends(char **words, const RequestOptions *o, const char *backends, GError **error)
{
    g_auto(BackendCheck) c = {.progress = progress_show};
    g_auto(Answer) answer = {0};
    if (!find_check(words, o, backends, &c, error) || !answer_open(&answer, &o->answer, error) ||
        !backends_run(&c, error))
        return 2;
    int status = 0;
    for (guint i = 0; i < c.points->len; i++) {
        status |= backends_wrong(&c.of[i]);
        if (c.of[i].wrong)
            fprintf(stderr, "%s on %d ranks, %s\n", c.of[i].point->algorithm->name, c.of[i].point->p, c.of[i].wrong);
    }
    backends_report(&answer, &c);
    return answer_close(&answer, error) ? status : 2;
}

// ---- The formulas --------------------------------------------------------------------------------------------------

static int check_formulas(char **words, const RequestOptions *o, GError **error)
{
    Collective only = N_COLLECTIVES;
    const CollAlgorithm *one = NULL;
    g_auto(Answer) answer = {0};
    if (o->sizes || o->root || o->element || o->counts || o->displs || o->per_node || o->platform || o->transfer ||
        o->params || o->sets || o->model)
        return bad_input(error,
                         "without --backends the formulas are checked at points of their own; allowed: -p, -f, -o"),
               2;
    if ((words[0] && !collective_parse(words[0], &only, error)) ||
        (words[0] && words[1] && !(one = algorithm_parse(only, words[1], error))))
        return 2;
    g_autoptr(GArray) ranks = options_ranks(o->ranks, error);
    if (!ranks || !answer_open(&answer, &o->answer, error))
        return 2;
    g_autoptr(GPtrArray) entries = g_ptr_array_new();
    for (int i = 0; i < n_algorithms; i++)
        if ((only == N_COLLECTIVES || algorithms[i]->collective == only) && (!one || one == algorithms[i]))
            g_ptr_array_add(entries, (gpointer)(uintptr_t)algorithms[i]);
    const gboolean equal = formulas_report(&answer, entries, ranks);
    return !answer_close(&answer, error) ? 2 : equal ? 0 : 1;
}

// ---- The command ---------------------------------------------------------------------------------------------------

int cmd_check(int argc, char **argv, GError **error)
{
    g_auto(RequestOptions) o = {0};
    g_autofree char *backends = NULL;
    const GOptionEntry entries[] = {
        {"ranks", 'p', 0, G_OPTION_ARG_STRING, &o.ranks, "numbers of ranks", "LIST"},
        {"backends", 0, 0, G_OPTION_ARG_STRING, &backends, "run on these: sim, smpi, mpi, simgrid", "LIST"},
        {"bytes", 'm', 0, G_OPTION_ARG_STRING, &o.sizes, "backends: sizes in bytes", "LIST"},
        {"root", 0, 0, G_OPTION_ARG_STRING, &o.root, "backends: root (0)", "R|all"},
        {"param", 0, 0, G_OPTION_ARG_STRING_ARRAY, &o.params, "backends: a parameter of the algorithm", "NAME=VALUE"},
        {"element", 0, 0, G_OPTION_ARG_STRING, &o.element, "backends: bytes of an element (1)", "BYTES"},
        {"counts", 0, 0, G_OPTION_ARG_STRING, &o.counts, "backends: lengths of the blocks, as of run", "NAME|FILE"},
        {"displs", 0, 0, G_OPTION_ARG_STRING, &o.displs, "backends: gaps between blocks", "NAME"},
        {"per-node", 0, 0, G_OPTION_ARG_STRING, &o.per_node, "backends: ranks of a node", "N"},
        {"platform", 0, 0, G_OPTION_ARG_STRING, &o.platform, "backends: machine (generic-100g)", "NAME|FILE"},
        {"model", 0, 0, G_OPTION_ARG_STRING, &o.model, "backends: hockney, or shared for shared memory", "NAME"},
        {"transfer", 0, 0, G_OPTION_ARG_STRING, &o.transfer, "backends: rendezvous (default) or eager", "NAME"},
        {"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &o.sets, "backends: a parameter of the model", "KEY=VALUE"},
        ANSWER_ENTRIES(o.answer),
        {NULL},
    };
    g_auto(GStrv) words = NULL;
    if (!options_parse(argc, argv, "[COLLECTIVE [ALGORITHM]]", help_text, entries, 0, 2, &words, error))
        return 2;
    return backends ? check_backends(words, &o, backends, error) : check_formulas(words, &o, error);
}

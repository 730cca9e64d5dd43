#include "answer/judge/compare_answer.h"
#include "ask/ask.h"
#include "ask/ask_logs.h"
#include "ask/options.h"
#include "ask/plugins.h"
#include "base/error.h"
#include "base/output.h"
#include "base/number.h"
#include "cli.h"
#include "out/picture.h"
#include "search/search/measurement_rows.h"
#include <string.h>

typedef struct CompareOptions {
    char *tie;
    PictureAsk draw;
    LogOptions logs;
    gboolean points;
    RequestOptions request;
} CompareOptions;

static void options_clear(CompareOptions *o)
{
    log_options_clear(&o->logs);
    g_free(o->tie);
    picture_ask_clear(&o->draw);
    request_options_clear(&o->request);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CompareOptions, options_clear)

static const char help_text[] = "Finds the algorithm that a measured curve is most likely of: predicts what each\n"
                                "candidate takes at each size, and says which one fits.\n"
                                "\n"
                                "  collsim compare osu_allreduce.txt -p 8 --platform ./here.ini --only ompi-5\n"
                                "  collsim compare times.csv --platform ./here.ini --where ranks=64 --points\n"
                                "  collsim compare imb.txt --platform ./here.ini --only mpich-4.3 --draw fit.svg\n"
                                "\n"
                                "It reads blocking collectives of OSU and IMB, nccl-tests (allreduce=FILE says\n"
                                "which test it is), and CSV as `measure` writes it or `calibrate` reads it. A\n"
                                "curve is what has the same collective, ranks, nodes and algorithm. -p,\n"
                                "--per-node and --map say where the ranks were if the log does not. The platform\n"
                                "should be calibrated on the same machine, from other measurements;\n"
                                "COLLECTIVE=FILE picks the rows of one collective. A file with algorithms of your\n"
                                "own, ./mine.c, makes these candidates too.\n"
                                "\n"
                                "Candidates are what a library can run (--only): each of its algorithms, and its\n"
                                "own choice (auto), HAN too; or all algorithms that collsim has. Those that take\n"
                                "the same times with the same messages at all sizes count as one.\n"
                                "\n"
                                "A candidate's deviation is the mean over the sizes of |ln(measured/predicted)|,\n"
                                "about 0.2 if it is off by 20 % everywhere. Several candidates fit, each at its\n"
                                "sizes, if each change of the candidate lowers the sum of |ln| by 3 or more.\n"
                                "The answer is `cannot tell` if the second candidate deviates by less than 1 %\n"
                                "(--tie) more than the first, and that nothing fits if the first is off by a\n"
                                "factor of two on average. If curves name what ran, the answer counts how many\n"
                                "are nearest to it.\n"
                                "\n"
                                "Times of nccl-tests in place and out of place are two curves. Where a log has\n"
                                "what NCCL prints with NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,ENV,GRAPH,TUNING,\n"
                                "the answer says which algorithm and protocol NCCL's table of latencies and\n"
                                "bandwidths gives at each size, and which one NCCL chose. How long they take is\n"
                                "not predicted: latency + bytes/bandwidth is off by 4 times in the middle.\n"
                                "\n"
                                "  collsim compare allreduce=nccl.txt";

static gboolean read_options(int argc, char **argv, CompareOptions *o, GError **error)
{
    RequestOptions *r = &o->request;
    const GOptionEntry entries[] = {
        ENTRY_STRING("platform", 0, r->platform, "machine, or an .ini file", "NAME|FILE"),
        ENTRY_STRING("model", 0, r->model, "hockney or measured (default if the machine has it)", "NAME"),
        ENTRY_SET(r->sets),
        ENTRY_ONLY(r->only),
        ENTRY_STRING("ranks", 'p', r->ranks, "ranks of logs that do not say it: 8, or 2x4", "P|NxK"),
        ENTRY_PER_NODE(r->per_node),
        ENTRY_MAP(r->map),
        NETWORK_ENTRIES((*r).on),
        LOG_ENTRIES(o->logs),
        ENTRY_STRING("tie", 0, o->tie, "candidates so close are tied (default 1%)", "PERCENT"),
        {"points", 0, 0, G_OPTION_ARG_NONE, &o->points, "print each size with its error (csv: these rows)", NULL},
        DRAW_ENTRIES(o->draw, "draw the curve and the candidates"),
        ANSWER_ENTRIES(r->answer),
        {NULL},
    };
    return options_parse(argc, argv, "[COLLECTIVE=]LOG...", help_text, entries, 1, 1000, &o->logs.files, error) &&
           ask_plugin_files(o->logs.files, error) &&
           (*o->logs.files ||
            bad_input(error, "compare needs measurements; allowed: files of them, with ./mine.c or without"));
}

// What curves are compared with. Clear with setup_clear.
typedef struct CompareSetup {
    ComparePlan plan;
    Request machine; // and the ranks, if they are given
    LogReading how;
    LogNames *names;
} CompareSetup;

static void setup_clear(CompareSetup *setup)
{
    request_clear(&setup->machine);
    log_names_free(setup->names);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CompareSetup, setup_clear)

// Sets the ranks and the map that the options give, if they do.
static gboolean find_ranks(const RequestOptions *o, CompareSetup *setup, GError **error)
{
    Request *r = &setup->machine;
    ComparePlan *plan = &setup->plan;
    if (!o->ranks && (o->map || o->per_node))
        return bad_input(error, "--per-node and --map say where ranks are; allowed: with -p");
    if (!o->ranks)
        return TRUE;
    if (!ask_ranks(o->ranks, o->per_node, o->map, r, error))
        return FALSE;
    if (r->question.ranks->len != 1)
        return bad_input(error, "-p %s; allowed: one number of ranks, such as 8 or 2x4", o->ranks);
    plan->p = (int)g_array_index(r->question.ranks, size_t, 0);
    plan->per_node = request_per_node(r, 0);
    plan->map = r->machine.map.kind == MAP_NONE ? NULL : &r->machine.map;
    return plan->p > 1 || bad_input(error, "-p 1; allowed: 2 ranks or more");
}

static gboolean find_setup(const CompareOptions *o, CompareSetup *setup, GError **error)
{
    ComparePlan *plan = &setup->plan;
    plan->tie = 0.01;
    if (!number_percent("--tie", o->tie, "1%", &plan->tie, error) ||
        !ask_reading(&o->logs, "compare", &setup->how, &setup->names, error) ||
        !find_ranks(&o->request, setup, error) || !ask_machine(&o->request, &setup->machine, error) ||
        !request_knows("compare", setup->machine.machine.model, TRUE, error))
        return FALSE;
    setup->how.in_place = setup->how.choices = TRUE;
    plan->model = setup->machine.machine.model;
    plan->platform = setup->machine.machine.platform;
    plan->network = setup->machine.machine.options.network;
    return !o->request.only || strcmp(o->request.only, "any") == 0 ||
           (plan->library = library_find(o->request.only, error));
}

int cmd_compare(int argc, char **argv, GError **error)
{
    g_auto(CompareOptions) o = {0};
    g_auto(CompareSetup) setup = {0};
    g_auto(Answer) answer = {0};
    g_auto(OutputSet) set = {0};
    const Output *drawing = NULL;
    if (!read_options(argc, argv, &o, error) || !picture_ask(&o.draw, "--draw", error) ||
        !find_setup(&o, &setup, error))
        return 2;
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) logs = ask_logs(&o.logs, &setup.how, error);
    if (logs)
        measurement_rows_prepare(logs, setup.plan.model, notes);
    g_autoptr(GArray) choices = logs ? nccl_choices(logs, notes, error) : NULL;
    g_autoptr(GPtrArray) curves = choices ? curves_new(logs, notes, choices->len ? NULL : error) : NULL;
    if (!curves && choices && choices->len && !o.draw.path)
        curves = g_ptr_array_new();
    if (!curves || !answer_open(&answer, &o.request.answer, error) ||
        (o.draw.path && !(drawing = output_set_open(&set, o.draw.path, error))))
        return 2;
    g_autoptr(GPtrArray) all = compare_curves(curves, &setup.plan, notes, error);
    if (!all)
        return 2;
    const CompareAnswer comparison = {all, choices, notes};
    if (o.draw.path && (!canvas_write(compare_canvas(&comparison, &o.draw, error), drawing->to, error) ||
                        !output_set_close(&set, error)))
        return 2;
    compare_report(&answer, &comparison, o.points);
    return answer_close(&answer, error) ? 0 : 2;
}

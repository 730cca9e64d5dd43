#include "answer/compare.h"
#include "ask/ask.h"
#include "ask/options.h"
#include "ask/plugins.h"
#include "base/error.h"
#include "base/number.h"
#include "base/output.h"
#include "cli.h"
#include "logs/log_names.h"
#include "out/picture.h"
#include "search/measured_rows.h"
#include <string.h>

typedef struct CompareOptions {
    char **files, *names, *bytes, **where, *tie, *draw, *title;
    gboolean points;
    RequestOptions request;
} CompareOptions;

static void options_clear(CompareOptions *o)
{
    g_strfreev(o->files);
    g_free(o->names);
    g_free(o->bytes);
    g_strfreev(o->where);
    g_free(o->tie);
    g_free(o->draw);
    g_free(o->title);
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
                                "are nearest to it.";

static gboolean read_options(int argc, char **argv, CompareOptions *o, GError **error)
{
    RequestOptions *r = &o->request;
    const GOptionEntry entries[] = {
        ENTRY_STRING("platform", 0, r->platform, "machine, or an .ini file", "NAME|FILE"),
        ENTRY_STRING("model", 0, r->model, "hockney, or measured (default if the machine has it)", "NAME"),
        ENTRY_SET(r->sets),
        ENTRY_ONLY(r->only),
        ENTRY_STRING("ranks", 'p', r->ranks, "ranks of logs that do not say it: 8, or 2x4", "P|NxK"),
        ENTRY_PER_NODE(r->per_node),
        ENTRY_MAP(r->map),
        ENTRY_STRING("element", 0, r->element, "size of an element of reductions, whatever logs say", "BYTES"),
        {"names", 0, 0, G_OPTION_ARG_FILENAME, &o->names, "names that a CSV has for algorithms", "FILE.csv"},
        ENTRY_STRING("bytes", 0, o->bytes, "what bytes of a CSV are: total, block or vector", "KIND"),
        ENTRY_STRINGS("where", o->where, "read only these rows of a CSV", "COLUMN=VALUE"),
        ENTRY_STRING("tie", 0, o->tie, "candidates so close are tied (default 1%)", "PERCENT"),
        {"points", 0, 0, G_OPTION_ARG_NONE, &o->points, "print each size with its error (csv: these rows)", NULL},
        {"draw", 0, 0, G_OPTION_ARG_FILENAME, &o->draw, "draw the curve and the candidates", "FILE"},
        ENTRY_STRING("title", 0, o->title, "the title of the drawing", "TEXT"),
        ANSWER_ENTRIES(r->answer),
        {NULL},
    };
    return options_parse(argc, argv, "[COLLECTIVE=]LOG...", help_text, entries, 1, 1000, &o->files, error) &&
           ask_plugin_files(o->files, error) &&
           (*o->files ||
            bad_input(error, "compare needs measurements; allowed: files of them, with ./mine.c or without")) &&
           (!o->title || g_utf8_validate(o->title, -1, NULL) ||
            bad_input(error, "--title is not text; allowed: UTF-8"));
}

static gboolean find_tie(const char *text, double *tie, GError **error)
{
    double percent = 1;
    g_autofree char *number = text && g_str_has_suffix(text, "%") ? g_strndup(text, strlen(text) - 1) : NULL;
    if (text && (!number || !number_real(number, &percent) || percent >= 100)) {
        g_autofree char *quoted = error_quote(text);
        return bad_input(error, "--tie %s; allowed: at least 0%% and below 100%%, such as 1%%", quoted);
    }
    *tie = percent / 100;
    return TRUE;
}

// What curves are compared with. Clear with setup_clear.
typedef struct CompareSetup {
    ComparePlan plan;
    Request machine; // and the ranks, if they are given
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
    if (r->ranks->len != 1)
        return bad_input(error, "-p %s; allowed: one number of ranks, such as 8 or 2x4", o->ranks);
    plan->p = (int)g_array_index(r->ranks, size_t, 0);
    plan->per_node = request_per_node(r, 0);
    plan->map = r->map.kind == MAP_NONE ? NULL : &r->map;
    return plan->p > 1 || bad_input(error, "-p 1; allowed: 2 ranks or more");
}

static gboolean find_setup(const CompareOptions *o, CompareSetup *setup, GError **error)
{
    ComparePlan *plan = &setup->plan;
    if (!find_tie(o->tie, &plan->tie, error) ||
        !options_number("--element", o->request.element, 1, 1 << 30, &plan->element, error) ||
        (o->names && !(setup->names = log_names_read(o->names, error))) || !find_ranks(&o->request, setup, error) ||
        !ask_machine(&o->request, &setup->machine, error) ||
        !request_knows("compare", setup->machine.model, TRUE, error))
        return FALSE;
    plan->model = setup->machine.model;
    plan->platform = setup->machine.platform;
    return !o->request.only || strcmp(o->request.only, "any") == 0 ||
           (plan->library = library_find(o->request.only, error));
}

// Reads the logs (of Log *). Returns NULL and an error on bad input.
static GPtrArray *read_logs(const CompareOptions *o, const CompareSetup *setup, GPtrArray *notes, GError **error)
{
    LogReading how = {.names = setup->names, .where = o->where, .command = "compare"};
    if (o->bytes && !log_bytes_parse(o->bytes, &how.bytes, error))
        return NULL;
    g_autoptr(GPtrArray) logs = logs_read(o->files, g_strv_length(o->files), &how, error);
    if (!logs || !logs_check_where(o->where, logs, error))
        return NULL;
    measured_rows_pass_crowded(logs, notes);
    log_note_elements(logs, setup->plan.element, notes);
    for (guint i = 0; i < logs->len; i++)
        log_note_means(g_ptr_array_index(logs, i), model_replays(setup->plan.model), notes);
    return g_steal_pointer(&logs);
}

int cmd_compare(int argc, char **argv, GError **error)
{
    g_auto(CompareOptions) o = {0};
    g_auto(CompareSetup) setup = {0};
    g_auto(Answer) answer = {0};
    g_auto(OutputSet) set = {0};
    const Output *drawing = NULL;
    const char *format;
    if (!read_options(argc, argv, &o, error) || (o.draw && !picture_format("--draw", o.draw, &format, error)) ||
        !find_setup(&o, &setup, error))
        return 2;
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) logs = read_logs(&o, &setup, notes, error);
    g_autoptr(GPtrArray) curves = logs ? curves_new(logs, setup.plan.element, notes, error) : NULL;
    if (!curves || !answer_open(&answer, &o.request.answer, error) ||
        (o.draw && !(drawing = output_set_open(&set, o.draw, error))))
        return 2;
    g_autoptr(GPtrArray) all = compare_curves(curves, &setup.plan, notes, error);
    if (!all)
        return 2;
    const CompareAnswer comparison = {all, notes};
    if (o.draw && (!compare_draw(&comparison, o.draw, o.title, drawing->to, error) || !output_set_close(&set, error)))
        return 2;
    compare_report(&answer, &comparison, o.points);
    return answer_close(&answer, error) ? 0 : 2;
}

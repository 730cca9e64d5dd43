#include "answer/report.h"
#include "ask/ask.h"
#include "ask/options.h"
#include "base/error.h"
#include "base/number.h"
#include "cli.h"
#include "schedule/names.h"
#include "base/units.h"
#include "tune/tune.h"
#include "tune/verify.h"
#include <math.h>
#include <string.h>

static const char help_text[] = "Writes a file that makes Open MPI or MPICH run, at each point of a grid, an\n"
                                "algorithm that takes at most W percent more time than the best one that the\n"
                                "file can name.\n"
                                "\n"
                                "  collsim tune ompi-4.1 allreduce,bcast --platform lumi -o rules.conf\n"
                                "  mpirun --mca coll_tuned_use_dynamic_rules 1 \\\n"
                                "         --mca coll_tuned_dynamic_rules_filename rules.conf ...\n"
                                "\n"
                                "  collsim tune mpich-4.0 --platform lumi -o tuning.json\n"
                                "  MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=tuning.json \\\n"
                                "  MPIR_CVAR_DEVICE_COLLECTIVES=none mpiexec ...\n"
                                "\n"
                                "LIB is ompi-4.1 (text), ompi-5 (text of version 2, for 5.0.7 and later),\n"
                                "ompi-main (JSON), mpich-4.0 or mpich-4.3 (JSON). Without COLLECTIVES, all are\n"
                                "tuned. The grid is each p with\n"
                                "each m: by default p = 2, 3, 4, 6, 8, 12 .. 128 and 8 bytes to 2M by factors of\n"
                                "4. The rules of a p hold up to the next p of the grid; outside the grid's ranks\n"
                                "the library decides as it does without a file.\n"
                                "\n"
                                "The file has as few rules as possible, and none where the default is good\n"
                                "enough. Gather, scatter, barrier, alltoallv, scan and exscan get one algorithm\n"
                                "for all sizes, or none. Only algorithms whose results are right for any\n"
                                "operation are named, unless --commutative-only allows the others; the file then\n"
                                "says so. A comment in the file says what made it, and how much time it is\n"
                                "expected to save.\n"
                                "\n"
                                "--verify N, of Open MPI, draws N calls between those of the grid, at random but always the\n"
                                "same, and adds to the comment how much longer than the best they take with this\n"
                                "file, and the worst of them.\n"
                                "\n"
                                "In Open MPI 5 and main, the component HAN decides first, and rules act on what\n"
                                "it leaves; the file is made for runs with --mca coll ^han. In MPICH, the device\n"
                                "ch4 first divides a call into parts on each node and on the nodes' leaders, and\n"
                                "the file would see only these; it is made for runs in which ch4 does not.\n"
                                "\n"
                                "MPICH's file has all of its collectives, because it replaces the library's own\n"
                                "choices. It asks what an algorithm needs, so every operation gets an algorithm\n"
                                "that is right for it, without --commutative-only.\n"
                                "\n"
                                "Elements of reductions have 8 bytes, others 1, unless --element says otherwise.\n"
                                "\n" HELP_NODES;

static const char usage[] = "LIB [COLLECTIVE,..]";

// Parses a share such as "3%" or "3". Returns FALSE and an error unless it is above 0 and at most 100 percent.
static gboolean parse_within(const char *text, double *out, GError **error)
{
    g_autofree char *number = g_strdup(text ? text : "3");
    if (g_str_has_suffix(number, "%"))
        number[strlen(number) - 1] = '\0';
    if (!number_real(number, out) || !(*out > 0 && *out <= 100))
        return bad_input(error, "--within %s is not a share; allowed: above 0%% and at most 100%%, such as 3%%", text);
    *out /= 100;
    return TRUE;
}

static void add_line(GPtrArray *lines, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void add_line(GPtrArray *lines, const char *format, ...)
{
    va_list words;
    va_start(words, format);
    g_ptr_array_add(lines, g_strdup_vprintf(format, words));
    va_end(words);
}

// Returns the lines of the file's comment (char *). Free with g_ptr_array_unref.
static GPtrArray *header_lines(const Request *r, const RequestOptions *o, double within, const GPtrArray *tunes)
{
    GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *machine = report_machine_text(r);
    const gboolean tree = r->only->library->family == LIBRARY_MPICH;
    add_line(lines, "Rules for %s, made by collsim %s tune", r->only->library->title, COLLSIM_VERSION);
    add_line(lines, "for p %s and sizes %s%s.", o->ranks ? o->ranks : ASK_LIBRARY_RANKS,
             o->sizes ? o->sizes : ASK_LIBRARY_SIZES, machine);
    if (tree) {
        add_line(lines,
                 "Load it with MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=FILE MPIR_CVAR_DEVICE_COLLECTIVES=none.");
        add_line(lines,
                 "Without the second one, the device ch4 divides calls into parts on nodes and on their leaders,");
        add_line(lines, "and what is said here of p ranks acts on parts with p ranks.");
    } else {
        add_line(lines,
                 "Load it with --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename FILE%s.",
                 r->no_han ? " --mca coll ^han" : "");
    }
    add_line(lines, r->any_operation ? "Its results are right for any operation."
                                     : "ONLY FOR COMMUTATIVE OPERATIONS: with others, some results are wrong.");
    add_line(lines,
             "Expected time, relative to the best that the library can be told to run (within %g %%):", 100 * within);
    for (guint i = 0; i < tunes->len; i++) {
        const Tune *tune = tunes->pdata[i];
        add_line(lines, "  %-20s elements of %" G_GSIZE_FORMAT ": default %.3f, these rules %.3f, at worst %.3f",
                 collectives[tune->collective].name, tune->elem, tune->before, tune->after, tune->worst);
    }
    return lines;
}

// Adds what the rules cost at n random calls to the lines.
static gboolean add_verified(GPtrArray *lines, Request *r, const GPtrArray *tunes, guint n, double within,
                             GError **error)
{
    enum { WORST = 5 };
    g_autoptr(GPtrArray) none = g_ptr_array_new();
    g_autofree char *text = tune_file(r->only->library, tunes, none);
    g_autoptr(RulesFile) file = rules_parse(text, strlen(text), "rules", r->only->library, error);
    g_autoptr(GArray) which = g_array_new(FALSE, FALSE, sizeof(Collective)),
                      elements = g_array_new(FALSE, FALSE, sizeof(size_t));
    for (guint i = 0; i < tunes->len; i++) {
        const Tune *tune = tunes->pdata[i];
        g_array_append_val(which, tune->collective);
        g_array_append_val(elements, tune->elem);
    }
    g_autoptr(Verify) x = file ? verify_file(r, file, which, elements, n, error) : NULL;
    if (!x)
        return FALSE;
    add_line(lines, "At %u random calls off the grid: default %.3f, these rules %.3f; %.1f %% are above %g.",
             x->places->len, x->mean_before, x->mean, 100 * verify_above(x, 1 + 2 * within), 1 + 2 * within);
    for (guint i = 0; i < MIN(x->places->len, WORST) && verify_x(&g_array_index(x->places, VerifyPlace, i)) > 1; i++) {
        const VerifyPlace *place = &g_array_index(x->places, VerifyPlace, i);
        g_autofree char *time = units_format_time(place->file_s), *best = units_format_time(place->best_s),
                        *size = units_format_size(place->m);
        add_line(lines, "  x %.3f: %s on %d ranks, %s bytes: %s, %s; best %s, %s", verify_x(place),
                 collectives[place->collective].name, place->p, size, place->runs, time, place->best, best);
    }
    return TRUE;
}

static void free_tune(gpointer tune)
{
    tune_free(tune);
}

int cmd_tune(int argc, char **argv, GError **error)
{
    g_auto(RequestOptions) o = {0};
    g_autofree char *within_text = NULL, *verify_text = NULL;
    gboolean commutative_only = FALSE;
    const GOptionEntry entries[] = {
        ENTRY_RANKS(o.ranks),
        ENTRY_BYTES(o.sizes),
        ENTRY_ELEMENT(o.element),
        ENTRY_PER_NODE(o.per_node),
        ENTRY_MAP(o.map),
        ENTRY_PLATFORM(o.platform),
        ENTRY_PORT_MODEL(o.model),
        ENTRY_TRANSFER(o.transfer),
        ENTRY_SET(o.sets),
        ENTRY_STRING("within", 0, within_text, "time above the best that is allowed (default 3%)", "W"),
        ENTRY_STRING("verify", 0, verify_text, "time N random calls off the grid, and say the worst", "N"),
        {"commutative-only", 0, 0, G_OPTION_ARG_NONE, &commutative_only, "for operations that commute only", NULL},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &o.answer.output, "write to FILE (default standard output)", "FILE"},
        {NULL},
    };
    g_auto(GStrv) words = NULL;
    g_auto(Request) r = {0};
    g_auto(Output) output = {0};
    gboolean chosen[N_COLLECTIVES];
    double within;
    size_t verify = 0;
    if (!options_parse(argc, argv, usage, help_text, entries, 1, 2, &words, error) ||
        !ask_collectives(words[1], chosen, error) || !parse_within(within_text, &within, error) ||
        !options_number("--verify", verify_text, 1, 100000, &verify, error) ||
        !ask_about_library("tune", words[0], &o, &r, error))
        return 2;
    const Library *library = r.only->library;
    const gboolean tree = library->family == LIBRARY_MPICH;
    if (tree && commutative_only) {
        bad_input(error, "--commutative-only is not for %s, whose file asks whether an operation commutes",
                  library->name);
        return 2;
    }
    if (tree && verify > 0) {
        bad_input(error, "--verify is not for %s; allowed: ompi-4.1, ompi-5, ompi-main", library->name);
        return 2;
    }
    r.by_file = r.no_compositions = TRUE;
    r.any_operation = !commutative_only;
    r.no_han = library->id != LIBRARY_OMPI_41;
    if (!output_open(&output, o.answer.output, error))
        return 2;
    g_autoptr(GPtrArray) tunes = g_ptr_array_new_with_free_func(free_tune);
    for (int i = 0; i < N_COLLECTIVES; i++) {
        if (!chosen[i] || !tune_can(r.only, (Collective)i))
            continue;
        Tune *tune = tune_compute(&r, (Collective)i, ask_library_element(&o, (Collective)i), within, error);
        if (!tune)
            return 2;
        g_ptr_array_add(tunes, tune);
    }
    g_autoptr(GPtrArray) lines = header_lines(&r, &o, within, tunes);
    if (verify > 0 && !add_verified(lines, &r, tunes, (guint)verify, within, error))
        return 2;
    g_autofree char *text = tree ? tune_tree_file(&r, tunes, lines, error) : tune_file(library, tunes, lines);
    if (!text)
        return 2;
    fputs(text, output.to);
    return output_close(&output, error) ? 0 : 2;
}

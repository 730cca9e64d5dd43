#include "answer/report.h"
#include "ask/ask.h"
#include "ask/options.h"
#include "base/error.h"
#include "base/number.h"
#include "cli.h"
#include "schedule/names.h"
#include "base/units.h"
#include "tune/tune_header.h"
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
                                "tuned. The grid is each p with each m: by default p = 2, 3, 4, 6, 8, 12 .. 128\n"
                                "and 8 bytes to 2M by factors of 4. Outside the grid's ranks the library decides\n"
                                "as it does without a file.\n"
                                "\n"
                                "Up to 256 ranks and 256M on all of them together, the file is made for calls\n"
                                "between those of the grid too: for other numbers of ranks, for sizes where its\n"
                                "choice changes, and for random calls at which it would take more than 1.5 W\n"
                                "percent more time than the best.\n"
                                "\n"
                                "The file has as few rules as possible, and none where the default is good\n"
                                "enough. Gather, scatter, barrier, alltoallv, scan and exscan get one algorithm\n"
                                "for all sizes, or none. Only algorithms whose results are right for any\n"
                                "operation are named, unless --commutative-only allows the others; the file then\n"
                                "says so. A comment in the file says what made it, and how much time it is\n"
                                "expected to save.\n"
                                "\n"
                                "--verify N draws N calls between those of the grid, at random but always the\n"
                                "same, and adds to the comment how much longer than the best they take with this\n"
                                "file, and the worst of them. MPICH's files cannot be verified.\n"
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
                                "--format c writes a C header in place of the library's file, for programs that\n"
                                "choose by themselves; it is the default if -o ends in .h.\n"
                                "\n"
                                "  collsim tune ompi-4.1 --platform lumi --format c -o pick.h\n"
                                "\n"
                                "Its function pick_algorithm(PICK_BCAST, ranks, size, element, 0) returns the id\n"
                                "and the parameters to run. It is told each call's real size, and so has rules by\n"
                                "size for gather, scatter, scan and exscan too; and it is told whether the\n"
                                "operation commutes. No algorithm is named to a call that has too few elements\n"
                                "for it. --prefix NAME takes the place of pick in all names.\n"
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

// Finds out whether to write a header of C. Returns FALSE and an error if --format is unknown, or if options do not go
// with it.
static gboolean find_format(const char *format, const char *output, const char *prefix, gboolean commutative_only,
                            gboolean verify, gboolean *header, GError **error)
{
    *header = format ? strcmp(format, "c") == 0 : output && g_str_has_suffix(output, ".h");
    if (format && !*header && strcmp(format, "rules") != 0)
        return bad_input(error, "--format %s; allowed: rules, c", format);
    if (*header && commutative_only)
        return bad_input(error,
                         "--commutative-only is for rules files; a header is told whether an operation commutes");
    if (*header && verify)
        return bad_input(error, "--verify is for rules files; a header decides as they do");
    if (prefix && !*header)
        return bad_input(error, "--prefix is for a header; allowed: with --format c");
    return !prefix || tune_header_prefix(prefix) ||
           bad_input(error,
                     "--prefix %s cannot begin a name in C; allowed: a letter, and at most 39 letters, digits or _",
                     prefix);
}

static void add_line(GPtrArray *lines, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void add_line(GPtrArray *lines, const char *format, ...)
{
    va_list words;
    va_start(words, format);
    g_ptr_array_add(lines, g_strdup_vprintf(format, words));
    va_end(words);
}

// Adds a line that says where the rules come from.
static void add_grid(GPtrArray *lines, const Request *r, const RequestOptions *o)
{
    g_autofree char *machine = report_machine_text(r);
    add_line(lines, "for p %s and sizes %s%s.", o->ranks ? o->ranks : ASK_LIBRARY_RANKS,
             o->sizes ? o->sizes : ASK_LIBRARY_SIZES, machine);
}

// Returns the lines of a header's comment (char *). Free with g_ptr_array_unref.
static GPtrArray *about_lines(const Request *r, const RequestOptions *o, double within)
{
    GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
    add_line(lines, "Which algorithm of %s to run, as collsim %s tune has found", r->only->library->title,
             COLLSIM_VERSION);
    add_grid(lines, r, o);
    add_line(lines, "%s", "");
    add_line(lines, "Where the size is asked, the algorithm takes, at each point of this grid, at most %g %% more time",
             100 * within);
    add_line(lines, "than the best that the library can be told to run. The rules of a number of ranks serve those up");
    add_line(lines, "to the next one of the grid, and the rule of a size the sizes up to the next rule's. Above the");
    add_line(lines, "rules of a collective are the times of the default and of the rules, divided by the best:");
    add_line(lines, "geometric means over the grid, and the worst of the rules.");
    if (r->only->library->family == LIBRARY_MPICH)
        add_line(lines, "They hold with MPIR_CVAR_DEVICE_COLLECTIVES=none.");
    else if (r->no_han)
        add_line(lines, "They hold with --mca coll ^han.");
    return lines;
}

// Returns the lines of the file's comment (char *). Free with g_ptr_array_unref.
static GPtrArray *header_lines(const Request *r, const RequestOptions *o, double within, const GPtrArray *tunes)
{
    GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
    const gboolean tree = r->only->library->family == LIBRARY_MPICH;
    add_line(lines, "Rules for %s, made by collsim %s tune", r->only->library->title, COLLSIM_VERSION);
    add_grid(lines, r, o);
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

static int by_collective(const void *a, const void *b)
{
    const Tune *x = *(const Tune *const *)a, *y = *(const Tune *const *)b;
    return (int)x->collective - (int)y->collective;
}

// Tunes the collectives that are chosen, those whose algorithms call others after these, so that the rules of a file
// decide the parts. Returns NULL and an error on bad input. Free with g_ptr_array_unref.
static GPtrArray *tune_chosen(Request *r, const RequestOptions *o, const gboolean chosen[N_COLLECTIVES], double within,
                              gboolean by_call, GError **error)
{
    const Library *library = r->only->library;
    g_autoptr(RulesFile) file = rules_new("rules", library);
    g_autoptr(GPtrArray) tunes = g_ptr_array_new_with_free_func(free_tune);
    for (int calls = 0; calls <= 1; calls++)
        for (int i = 0; i < N_COLLECTIVES; i++) {
            if (!chosen[i] || !tune_can(r->only, (Collective)i) || tune_calls_others(library, (Collective)i) != calls)
                continue;
            r->rules = calls && !by_call ? file : NULL;
            Tune *tune = tune_compute(r, (Collective)i, ask_library_element(o, (Collective)i), within, by_call, error);
            const gboolean good = tune && tune_refine(tune, r, within, error);
            r->rules = NULL;
            if (tune)
                g_ptr_array_add(tunes, tune);
            if (!good)
                return NULL;
            g_array_append_vals(file->rules, tune->rules->data, tune->rules->len);
        }
    g_ptr_array_sort(tunes, by_collective);
    return g_steal_pointer(&tunes);
}

// Returns the text of a header, or NULL and an error. Free with g_free.
static char *make_header(Request *r, const RequestOptions *o, const gboolean chosen[N_COLLECTIVES], double within,
                         const char *prefix, GError **error)
{
    gboolean again[N_COLLECTIVES];
    for (int i = 0; i < N_COLLECTIVES; i++)
        again[i] = chosen[i] && collectives[i].reduces;
    r->ordered = TRUE;
    g_autoptr(GPtrArray) any = tune_chosen(r, o, chosen, within, TRUE, error), commuting = NULL;
    r->any_operation = r->ordered = FALSE;
    if (!any || !(commuting = tune_chosen(r, o, again, within, TRUE, error)))
        return NULL;
    if (any->len == 0) {
        bad_input(error,
                  "%s cannot be told what to run for this collective, so a header would be empty; allowed: others, "
                  "such as bcast",
                  r->only->library->name);
        return NULL;
    }
    g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(TuneHeaderPart));
    g_autoptr(GPtrArray) about = about_lines(r, o, within);
    for (guint i = 0, k = 0; i < any->len; i++) {
        TuneHeaderPart part = {any->pdata[i], NULL};
        if (again[part.any->collective])
            part.commuting = commuting->pdata[k++];
        g_array_append_val(parts, part);
    }
    return tune_header(r->only, parts, prefix, about, error);
}

// Returns the text of the library's file, or NULL and an error; `verify` is the number of calls to verify it with. Free
// with g_free.
static char *make_file(Request *r, const RequestOptions *o, const gboolean chosen[N_COLLECTIVES], double within,
                       guint verify, GError **error)
{
    g_autoptr(GPtrArray) tunes = tune_chosen(r, o, chosen, within, FALSE, error);
    g_autoptr(GPtrArray) lines = tunes ? header_lines(r, o, within, tunes) : NULL;
    if (!tunes || (verify > 0 && !add_verified(lines, r, tunes, verify, within, error)))
        return NULL;
    return r->only->library->family == LIBRARY_MPICH ? tune_tree_file(r, tunes, lines, error)
                                                     : tune_file(r->only->library, tunes, lines);
}

int cmd_tune(int argc, char **argv, GError **error)
{
    g_auto(RequestOptions) o = {0};
    g_autofree char *within_text = NULL, *verify_text = NULL, *format = NULL, *prefix = NULL;
    gboolean commutative_only = FALSE, header;
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
        {"format", 'f', 0, G_OPTION_ARG_STRING, &format, "rules (default): the library's file; c: a C header",
         "FORMAT"},
        ENTRY_STRING("prefix", 0, prefix, "what a header's names begin with (default pick)", "NAME"),
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
        !find_format(format, o.answer.output, prefix, commutative_only, verify > 0, &header, error) ||
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
    g_autofree char *text = header ? make_header(&r, &o, chosen, within, prefix ? prefix : "pick", error)
                                   : make_file(&r, &o, chosen, within, (guint)verify, error);
    if (!text)
        return 2;
    fputs(text, output.to);
    return output_close(&output, error) ? 0 : 2;
}

// `collsim tune intel`, `tune nccl` and `tune pgmpi`.
#include "answer/advice/target_answer.h"
#include "answer/advice/tune_answer.h"
#include "answer/report/report.h"
#include "ask/ask.h"
#include "ask/ask_logs.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/number.h"
#include "cli.h"
#include "out/note.h"
#include "search/search/intervals.h"
#include "tune_others.h"
#include <string.h>

// Parses --within, a share above 0.
static gboolean read_within(const char *text, const char *usual, double *within, GError **error)
{
    return number_percent("--within", text, usual, within, error) &&
           (*within > 0 || bad_input(error, "--within %s; allowed: above 0%%, such as %s", text, usual));
}

static void note_all(const GPtrArray *notes)
{
    for (guint i = 0; i < notes->len; i++)
        note("%s", (const char *)notes->pdata[i]);
}

// Returns the names of the logs, "from a.log, b.log and 3 more". Free with g_free.
static char *names_of(const GPtrArray *logs)
{
    enum { SHOWN = 4 };
    GString *s = g_string_new("from ");
    for (guint i = 0; i < MIN(logs->len, SHOWN); i++) {
        g_autofree char *name = g_path_get_basename(((const Log *)logs->pdata[i])->name);
        g_string_append_printf(s, "%s%s", i ? ", " : "", name);
    }
    if (logs->len > SHOWN)
        g_string_append_printf(s, " and %u more", logs->len - SHOWN);
    return g_string_free(s, FALSE);
}

// Returns the sentences (char *) about where a file's rows come from: the first one, whose ownership is taken, and those
// of a request, if there is one. Free with g_ptr_array_unref.
static GPtrArray *sentences(char *first, const Request *r)
{
    GPtrArray *list = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(list, first);
    if (r)
        tune_answer_notes(r, list);
    return list;
}

// Writes the file that has all rules. Returns the exit status.
static int write_one(const TuneTarget *x, const char *path, const GPtrArray *from, double within, GError **error)
{
    g_autofree char *text = target_answer_text(x, NULL, from, within);
    return output_write(path, text, strlen(text), error) ? 0 : 2;
}

// ---- NCCL -----------------------------------------------------------------------------------------------------------

static const char nccl_help[] = "Writes a file for NCCL's example of a tuner plug-in (ext-tuner/example): at each\n"
                                "size that was measured, an algorithm and a protocol whose time is within 2 % of\n"
                                "the best measured one, in as few rows as possible.\n"
                                "\n"
                                "  NCCL_ALGO=Tree NCCL_PROTO=LL NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,ENV \\\n"
                                "      mpirun .. all_reduce_perf -b 8 -e 1G -f 2 >tree_ll.log\n"
                                "  collsim tune nccl --measured *.log -o tuner.csv\n"
                                "  collsim tune nccl allreduce:ring/ll128=ring.log allreduce=auto.log\n"
                                "\n"
                                "A log is output of nccl-tests, which says itself which algorithm and protocol ran\n"
                                "if NCCL printed that both were set; otherwise a label does. One without either is\n"
                                "of NCCL's own choice: where that is within 2 %, it needs no row. The first row\n"
                                "that fits decides, so rows may lie within others, and their number is the least\n"
                                "possible. A row holds from its size up to the next one that was measured; the\n"
                                "first begins at 0, and the last has no end.\n"
                                "\n"
                                "Times out of place count, or those in place with --in-place. NCCL's times are\n"
                                "not predicted. `collsim rules check tuner.csv --for nccl` reads the file.";

int tune_others_nccl(int argc, char **argv, GError **error)
{
    g_auto(GStrv) words = NULL, measured = NULL;
    g_autofree char *within_text = NULL, *output = NULL;
    gboolean in_place = FALSE;
    double within = 0.02;
    const GOptionEntry entries[] = {
        {"measured", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &measured, "a log; others may follow", "LOG"},
        ENTRY_STRING("within", 0, within_text, "time above the best that is allowed (default 2%)", "W"),
        {"in-place", 0, 0, G_OPTION_ARG_NONE, &in_place, "take the times in place", NULL},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &output, "write to FILE (default standard output)", "FILE"},
        {NULL},
    };
    if (!options_parse(argc, argv, "[LABEL=]LOG...", nccl_help, entries, 0, 1000, &words, error) ||
        !read_within(within_text, "2%", &within, error))
        return 2;
    g_autoptr(GPtrArray) files = g_ptr_array_new(), notes = g_ptr_array_new_with_free_func(g_free);
    for (char **list = measured; list && *list; list++)
        g_ptr_array_add(files, *list);
    for (char **word = words; *word; word++)
        g_ptr_array_add(files, *word);
    if (files->len == 0)
        return bad_input(error, "tune nccl needs measurements; allowed: logs of nccl-tests"), 2;
    const LogReading how = {.command = "tune", .in_place = in_place, .choices = TRUE};
    g_autoptr(GPtrArray) logs = logs_read((char **)files->pdata, files->len, &how, error);
    g_autoptr(TuneTarget) x = logs ? tune_nccl(logs, within, in_place, notes, error) : NULL;
    if (!x)
        return 2;
    g_autofree char *names = names_of(logs);
    g_autoptr(GPtrArray) from = sentences(g_strconcat(names, in_place ? ", times in place." : ".", NULL), NULL);
    note_all(notes);
    return write_one(x, output, from, within, error);
}

// ---- Intel MPI ------------------------------------------------------------------------------------------------------

static const char intel_help[] = "Writes lines for a shell that make Intel MPI run, at each point of a grid, the\n"
                                 "fastest of the ids of I_MPI_ADJUST_ALLREDUCE and the like that are predicted,\n"
                                 "within W percent. What Intel MPI runs by itself is not known: nothing says how\n"
                                 "much these lines gain, or whether they do. Ids whose name does not say what ranks\n"
                                 "send are left out; the file lists them.\n"
                                 "\n"
                                 "  collsim tune intel --platform ./here.ini -p 16,64,256 -o adjust.sh\n"
                                 "  collsim tune intel allreduce,bcast --platform ./here.ini -p 16x8,64x8\n"
                                 "  . ./adjust.sh && mpirun ...\n"
                                 "\n"
                                 "The grid is each p with each m: by default p = 2, 3, 4, 6, 8, 12 .. 128 and 8\n"
                                 "bytes to 2M by factors of 4. The lines of a number of ranks serve those up to\n"
                                 "the next one of the grid, and beyond the largest size what is named for it holds.\n"
                                 "Intel's variables do not ask for nodes, so each p may be there once.\n"
                                 "\n"
                                 "`collsim rules check adjust.sh --for intel` reads the file.\n"
                                 "\n" HELP_NODES;

int tune_others_intel(int argc, char **argv, GError **error)
{
    g_auto(RequestOptions) o = {0};
    g_auto(GStrv) words = NULL;
    g_auto(Request) r = {0};
    g_autofree char *within_text = NULL;
    gboolean chosen[N_COLLECTIVES];
    size_t elem[N_COLLECTIVES];
    double within = TUNE_WITHIN;
    const GOptionEntry entries[] = {
        ENTRY_RANKS(o.ranks),
        ENTRY_BYTES(o.sizes),
        ENTRY_ELEMENT(o.element),
        MACHINE_ENTRIES(o),
        ENTRY_STRING("within", 0, within_text, "time above the best that is allowed (default 3%)", "W"),
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &o.answer.output, "write to FILE (default standard output)", "FILE"},
        {NULL},
    };
    r.question.asked = chosen;
    if (!options_parse(argc, argv, "[COLLECTIVE,..]", intel_help, entries, 0, 1, &words, error) ||
        !ask_collectives(words[0], chosen, error) || !read_within(within_text, "3%", &within, error) ||
        !ask_about_library("tune intel", NULL, &o, &r, error) ||
        !ask_library_sizes(&o, chosen, o.sizes != NULL, &r, error))
        return 2;
    for (int c = 0; c < N_COLLECTIVES; c++)
        elem[c] = ask_library_element(&o, (Collective)c);
    g_autoptr(TuneTarget) x = tune_intel(&r, chosen, elem, within, error);
    if (!x)
        return 2;
    g_autofree char *machine = report_machine_text(&r);
    g_autoptr(GPtrArray) from =
        sentences(g_strdup_printf("for p %s and sizes %s%s.", o.ranks ? o.ranks : ASK_LIBRARY_RANKS,
                                  o.sizes ? o.sizes : ASK_LIBRARY_SIZES, machine),
                  &r);
    ask_note_unknowns(&r);
    return write_one(x, o.answer.output, from, within, error);
}

// ---- PGMPITuneLib ---------------------------------------------------------------------------------------------------

static const char pgmpi_help[] = "Writes profiles for PGMPITuneLib, which replaces MPI calls of any library, Cray's\n"
                                 "and Intel's too, by other calls that do the same work: allgather by gather and\n"
                                 "bcast, where `collsim guidelines` finds that these are faster.\n"
                                 "\n"
                                 "  collsim tune pgmpi osu_*.txt -o profiles\n"
                                 "  collsim tune pgmpi mpich-4.3 -p 16,64 -m 8..2M:x4 --platform lumi -o profiles\n"
                                 "  PGMPI_PROFILE_PATH=profiles/p64 mpirun -n 64 ...\n"
                                 "\n"
                                 "With LOGs, the times are measured: files of OSU or IMB, or CSV with the columns of\n"
                                 "docs/FORMATS.md, of whatever MPI it is. Rows of the library's own choice count.\n"
                                 "OSU's averages of collectives with a root do not, because they make them look too\n"
                                 "fast; use osu_* -f. With LIB, they are what its defaults are predicted to take.\n"
                                 "\n"
                                 "Each number of ranks has a folder with a profile for each collective that gains.\n"
                                 "A call is replaced where it takes more than 10 % longer (--tolerance) than the\n"
                                 "best mock-up, by one within 3 % (--within) of it, in as few ranges of sizes as\n"
                                 "possible, up to the largest size that was looked at. Where it is smaller than that\n"
                                 "the call stays as it is.\n"
                                 "\n"
                                 "`collsim rules check profiles/p64/allgather.prf --for pgmpi` reads one.\n"
                                 "\n" HELP_NODES;

typedef struct PgmpiOptions {
    RequestOptions request;
    LogOptions logs;
    char *tolerance, *within, *folder;
    gboolean means;
} PgmpiOptions;

static void options_clear(PgmpiOptions *o)
{
    request_options_clear(&o->request);
    log_options_clear(&o->logs);
    g_free(o->tolerance);
    g_free(o->within);
    g_free(o->folder);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(PgmpiOptions, options_clear)

static gboolean read_options(int argc, char **argv, PgmpiOptions *o, GError **error)
{
    RequestOptions *r = &o->request;
    const GOptionEntry entries[] = {
        ENTRY_RANKS(r->ranks),
        ENTRY_STRING("sizes", 'm', r->sizes, "sizes in bytes, such as 8,64K or 1K..1M:x4", "LIST"),
        MACHINE_ENTRIES(*r),
        ENTRIES_HAN(*r),
        LOG_ENTRIES(o->logs),
        {"means", 0, 0, G_OPTION_ARG_NONE, &o->means, "times of a CSV are means over the ranks", NULL},
        ENTRY_STRING("tolerance", 0, o->tolerance, "what a call may lose and still stay (default 10%)", "PERCENT"),
        ENTRY_STRING("within", 0, o->within, "time above the best that is allowed (default 3%)", "W"),
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &o->folder, "write into this folder", "FOLDER"},
        {NULL},
    };
    return options_parse(argc, argv, "LIB|LOG [LOG...]", pgmpi_help, entries, 1, 1000, &o->logs.files, error) &&
           ((o->folder && strcmp(o->folder, "-") != 0) ||
            bad_input(error, "tune pgmpi writes a folder of profiles for each number of ranks; allowed: -o FOLDER"));
}

// Predicts what a library takes. Returns FALSE and an error on bad input.
static gboolean predict(const PgmpiOptions *o, Guidelines *x, Request *r, GError **error)
{
    static gboolean all[N_COLLECTIVES];
    ask_collectives(NULL, all, NULL);
    r->question.asked = all;
    if (o->logs.files[1])
        return bad_input(error, "%s is a library; allowed: LIB alone, or LOGs", o->logs.files[0]);
    if (o->logs.names || o->logs.bytes || o->logs.where || o->means)
        return bad_input(error, "--means, --names, --bytes and --where are for logs; allowed: with LOGs");
    if (!ask_about_library("tune pgmpi", *o->logs.files, &o->request, r, error))
        return FALSE;
    for (int i = 0; i < N_COLLECTIVES; i++)
        x->elem[i] = ask_library_element(&o->request, (Collective)i);
    x->elem[GUIDELINE_LOCAL] = x->elem[COLL_REDUCE];
    return guidelines_predict(x, r, NULL, NULL, error);
}

// Returns FALSE and an error if options of a grid go with logs.
static gboolean check_logs(const PgmpiOptions *o, GError **error)
{
    const RequestOptions *r = &o->request;
    return !(r->ranks || r->sizes || r->per_node || r->map || r->platform || r->model || r->transfer || r->sets ||
             r->han || r->no_han || r->on.topology || r->on.routing || r->on.nodes) ||
           bad_input(error,
                     "-p, -m and options of a machine are for predictions; allowed: with LIB, such as mpich-4.3");
}

// Adds one file of a folder to the set.
static gboolean write_file(OutputSet *set, const char *folder, const char *name, const char *text, GError **error)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    return output_set_write(set, path, text, strlen(text), error);
}

// Adds a configuration if the library's buffers are too small for the profiles of p ranks: 100 MB for messages, and
// 10,000 bytes for two lists of integers of p.
static gboolean write_buffers(OutputSet *set, const char *folder, int p, size_t buffer, gboolean *needed,
                              GError **error)
{
    enum { MESSAGES = 100000000, INTEGERS = 10000 };
    const size_t integers = 2 * sizeof(int) * (size_t)p;
    *needed = buffer > MESSAGES || integers > INTEGERS;
    if (!*needed)
        return TRUE;
    g_autofree char *text =
        g_strdup_printf("# What the mock-ups of the profiles need; without it, the library calls the default.\n"
                        "size_msg_buffer_bytes %zu\nsize_int_buffer_bytes %zu\n",
                        MAX(buffer, MESSAGES), MAX(integers, INTEGERS));
    return write_file(set, folder, "pgmpi.conf", text, error);
}

// Writes the profiles of p ranks, and appends how to load them. Returns FALSE and an error if a file cannot be written.
static gboolean write_ranks(const TuneTarget *x, const PgmpiOptions *o, int p, const GPtrArray *from, double within,
                            OutputSet *set, GString *load, GError **error)
{
    g_autofree char *name = g_strdup_printf("p%d", p), *folder = g_build_filename(o->folder, name, NULL);
    size_t buffer = 0;
    gboolean any = FALSE, needed = FALSE;
    for (guint i = 0; i < x->parts->len; i++) {
        const TuneTargetPart *part = &g_array_index(x->parts, TuneTargetPart, i);
        if (part->p != p || part->n == 0)
            continue;
        g_autofree char *text = target_answer_text(x, part, from, within),
                        *file = g_strdup_printf("%s.prf", collectives[part->collective].name);
        if ((!any && !output_set_folder(set, folder, error)) || !write_file(set, folder, file, text, error))
            return FALSE;
        any = TRUE;
        buffer = MAX(buffer, part->buffer);
    }
    if (!any)
        return TRUE;
    if (!write_buffers(set, folder, p, buffer, &needed, error))
        return FALSE;
    g_autofree char *all = g_canonicalize_filename(folder, NULL), *word = escape_shell(all),
                    *config = g_build_filename(all, "pgmpi.conf", NULL), *config_word = escape_shell(config);
    g_string_append_printf(load, "PGMPI_PROFILE_PATH=%s %s%s%s", word, needed ? "PGMPI_CONFIG_FILE=" : "",
                           needed ? config_word : "", needed ? " " : "");
    g_string_append_printf(load, "mpirun -n %d ...\n", p);
    return TRUE;
}

static int write_profiles(const TuneTarget *x, const PgmpiOptions *o, const GPtrArray *from, double within,
                          GError **error)
{
    g_auto(OutputSet) set = {NULL};
    g_autoptr(GString) load = g_string_new(NULL);
    g_autoptr(GArray) done = g_array_new(FALSE, FALSE, sizeof(int));
    for (guint i = 0; i < x->parts->len; i++) {
        const int p = g_array_index(x->parts, TuneTargetPart, i).p;
        gboolean again = FALSE;
        for (guint k = 0; k < done->len; k++)
            again |= g_array_index(done, int, k) == p;
        if (!again && !write_ranks(x, o, p, from, within, &set, load, error))
            return 2;
        g_array_append_val(done, p);
    }
    if (load->len == 0) {
        note("no call takes longer than a mock-up by more than the tolerance, so there is no profile to write");
        return 0;
    }
    if (!output_set_folder(&set, o->folder, error) || !output_set_close(&set, error)) // whose name is said
        return 2;
    fputs(load->str, stdout);
    return output_check_stdout(error) ? 0 : 2;
}

int tune_others_pgmpi(int argc, char **argv, GError **error)
{
    g_auto(PgmpiOptions) o = {0};
    g_auto(Request) r = {0};
    double within = TUNE_WITHIN, tolerance = 0.1;
    LogReading how;
    if (!read_options(argc, argv, &o, error) || !number_percent("--tolerance", o.tolerance, "10%", &tolerance, error) ||
        !read_within(o.within, "3%", &within, error))
        return 2;
    g_autoptr(GPtrArray) list = tune_pgmpi_list(), notes = g_ptr_array_new_with_free_func(g_free), logs = NULL,
                         from = NULL;
    LogNames *names = NULL;
    g_autoptr(Guidelines) x = guidelines_new(list, tolerance);
    const char *first = *o.logs.files;
    if (library_names(first) && !strchr(first, '=') && !g_file_test(first, G_FILE_TEST_EXISTS)) {
        if (!predict(&o, x, &r, error))
            return 2;
        g_autofree char *machine = report_machine_text(&r);
        from = sentences(g_strdup_printf("from what the defaults of %s are predicted to take%s.",
                                         r.library.only->library->title, machine),
                         &r);
    } else {
        const gboolean good = check_logs(&o, error) && ask_reading(&o.logs, "tune", &how, &names, error);
        how.defaults = TRUE;
        logs = good ? ask_logs(&o.logs, &how, error) : NULL;
        const gboolean measured = logs && guidelines_measure(x, logs, FALSE, o.means, notes, error);
        log_names_free(names);
        if (!measured)
            return 2;
        g_autofree char *all = names_of(logs);
        from = sentences(g_strconcat(all, ", as measured.", NULL), NULL);
        note_all(notes);
    }
    g_autoptr(TuneTarget) tuned = tune_pgmpi(x, within, error);
    return tuned ? write_profiles(tuned, &o, from, within, error) : 2;
}

#include "answer/advice/tune_answer.h"
#include "answer/advice/tune_family.h"
#include "ask/ask.h"
#include "ask/foresee.h"
#include "ask/kinds.h"
#include "ask/options.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/number.h"
#include "cli.h"
#include "tune_others.h"
#include "advice/tune/tune_header.h"
#include "search/search/sure.h"
#include <math.h>
#include <string.h>

static const char help_text[] = "Writes a file that makes Open MPI, MPICH or UCC run, at each point of a grid,\n"
                                "an algorithm that is faster than the default, as sure as --sure says, and takes\n"
                                "at most W percent more time than the best that the file can name. Where\n"
                                "it is sure of none, the default stays. --sure 50 names whatever is predicted to\n"
                                "be faster. docs/TUNING.md says how sure predictions are.\n"
                                "\n"
                                "  collsim tune ompi-4.1 allreduce,bcast --platform lumi -o rules.conf\n"
                                "  mpirun --mca coll_tuned_use_dynamic_rules 1 \\\n"
                                "         --mca coll_tuned_dynamic_rules_filename rules.conf ...\n"
                                "\n"
                                "  collsim tune mpich-4.0 --platform lumi -o tuning.json\n"
                                "  MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=tuning.json \\\n"
                                "  MPIR_CVAR_DEVICE_COLLECTIVES=none mpiexec ...\n"
                                "\n"
                                "  collsim tune ucc-1.4 --platform lumi -o ucc.sh; . ./ucc.sh\n"
                                "  mpirun -x UCC_TL_UCP_TUNE --mca coll_ucc_enable 1 \\\n"
                                "         --mca coll_ucc_priority 100 ...\n"
                                "\n"
                                "For other libraries, `tune intel`, `tune pgmpi` (any MPI) and `tune nccl` have\n"
                                "options of their own: collsim tune intel --help\n"
                                "\n"
                                "LIB is ompi-4.1 (text), ompi-5 (text of version 2, for 5.0.7 and later),\n"
                                "ompi-main (JSON), mpich-4.0 or mpich-4.3 (JSON), ucc-1.3 or ucc-1.4 (a shell\n"
                                "file that exports a selection string). Without COLLECTIVES, all are\n"
                                "tuned. The grid is each p with each m: by default p = 2, 3, 4, 6, 8, 12 .. 128\n"
                                "and 8 bytes to 2M by factors of 4. Outside the grid's ranks the library decides\n"
                                "as it does without a file, but outside its sizes the choices for the smallest\n"
                                "and the largest one hold, so the grid should reach to what programs send.\n"
                                "\n"
                                "Up to 256 ranks and 256M on all of them together, the file is made for calls\n"
                                "between those of the grid too: for other numbers of ranks, for sizes where its\n"
                                "choice changes, and for random calls at which it would name what is not surely\n"
                                "faster.\n"
                                "\n"
                                "The file has as few rules as possible, and none where the default stays.\n"
                                "Gather, scatter, barrier, alltoallv, scan and exscan get one algorithm for all\n"
                                "sizes, or none; with --sure 50 it may be up to W percent slower than the\n"
                                "default at some sizes, if it gains over all of them. Only algorithms whose\n"
                                "results are right for any operation are named, unless --commutative-only allows\n"
                                "the others; the file then says so. A\n"
                                "comment in the file, or for ompi-main notes on standard error, say what made\n"
                                "it, and how much time it is expected to save. `rules check` finds no\n"
                                "trap in the file.\n"
                                "\n"
                                "--verify N draws N calls between those of the grid, at random but always the\n"
                                "same, and adds to the comment how much longer than the best they take with this\n"
                                "file, and the worst of them. MPICH's files cannot be verified.\n"
                                "\n"
                                "In Open MPI 5 and main, the component HAN decides first on several nodes. Where\n"
                                "-p has nodes (16x8), a setting is therefore two files in the folder of -o:\n"
                                "han.conf, which says by size whether HAN serves a call, with which algorithm,\n"
                                "or tuned, and tuned.conf (tuned.json for main), which says with which id. For\n"
                                "bcast, reduce and allreduce, HAN's segments of 64 KiB and 512 KiB are both\n"
                                "tried. tuned.conf also has rules for as many ranks as a node has, and for as\n"
                                "many as there are nodes, if they make what HAN runs within the nodes or between\n"
                                "them faster, and if no call of the grid has as few ranks in all. What loads the\n"
                                "files is printed: options of mpirun, and variables.\n"
                                "\n"
                                "  collsim tune ompi-5 --platform lumi -p 16x8,64x8 -o setting\n"
                                "\n"
                                "With --no-han it is one file, for runs with --mca coll ^han, and a C header is\n"
                                "for such runs too. On one node HAN leaves all calls to tuned, so one file acts\n"
                                "there as it is. --han sets HAN's variables, and with priority=40 it comes first\n"
                                "in ompi-4.1 too.\n"
                                "\n"
                                "In MPICH, the device ch4 first divides a call into parts on each node and on the\n"
                                "nodes' leaders. Where -p has nodes, a setting is two files as well: ch4.json\n"
                                "says which composition divides a call, or that none does, and mpir.json which\n"
                                "algorithm then runs on all ranks. One file is for runs without ch4's part.\n"
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
                                "--of-all also says how the best of all algorithms, as best finds it without\n"
                                "--only, compares with the best that the library can be told to run.\n"
                                "Elements of reductions have 8 bytes, others 1, unless --element says otherwise.\n"
                                "The file names collectives for which a size of -m is not a whole number of\n"
                                "elements; a size that is not for any collective is refused.\n"
                                "\n" HELP_NODES "\n" HELP_ON_NETWORK;

static const char usage[] = "LIB [COLLECTIVE,..]";

// Reads "3%" or "3". Returns FALSE if it is not a number.
static gboolean read_percent(const char *text, double *out)
{
    g_autofree char *number = g_strdup(text);
    if (g_str_has_suffix(number, "%"))
        number[strlen(number) - 1] = '\0';
    return number_real(number, out);
}

// Parses a share such as "3%" or "3". Returns FALSE and an error unless it is above 0 and at most 100 percent.
static gboolean parse_within(const char *text, double *out, GError **error)
{
    *out = 100 * TUNE_WITHIN;
    if ((text && !read_percent(text, out)) || !(*out > 0 && *out <= 100))
        return bad_input(error, "--within %s is not a share; allowed: above 0%% and at most 100%%, such as 3%%", text);
    *out /= 100;
    return TRUE;
}

// Parses how sure it must be that an algorithm is faster than the default, such as "90%" or "90", and sets *z (sure_z).
// Returns FALSE and an error unless it is at least 50 and below 100 percent.
static gboolean parse_sure(const char *text, double *percent, double *z, GError **error)
{
    *percent = SURE_DEFAULT;
    if ((text && !read_percent(text, percent)) || !(*percent >= SURE_LEAST && *percent < 100))
        return bad_input(error, "--sure %s is not how sure to be; allowed: at least 50%% and below 100%%, such as 90%%",
                         text);
    *z = sure_z(*percent);
    return TRUE;
}

// Finds out whether to write a header of C. Returns FALSE and an error if --format is unknown, or if options do not go
// with it.
static gboolean find_format(const char *format, const char *output, const char *prefix, gboolean commutative_only,
                            gboolean verify, gboolean *header, GError **error)
{
    *header = format ? strcmp(format, "c") == 0 : output && g_str_has_suffix(output, ".h");
    static const char *const formats[] = {"rules", "c", NULL};
    int kind;
    if (format && !nearest_find("format", format, formats, &kind, error))
        return FALSE;
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

// Writes a pair of files, and says how to load it. Returns the exit status.
static int tune_pair(const TuneAnswer *answer, guint verify, GError **error)
{
    const char *folder = answer->options->answer.output;
    g_auto(OutputSet) set = {NULL};
    g_auto(TunePair) pair = {NULL};
    const Library *library = answer->request->library.only->library;
    const TunePairNames names = tune_family_pair(library);
    const char *alone = tune_family(library)->alone;
    if (!folder || strcmp(folder, "-") == 0) {
        bad_input(error,
                  "on several nodes a setting is two files, one for %s and one for %s; allowed: -o FOLDER for both%s%s",
                  names.for_first, names.for_algorithms, alone ? ", or " : "", alone ? alone : "");
        return 2;
    }
    if (!output_set_folder(&set, folder, error) || !tune_answer_pair(answer, verify, folder, &pair, error))
        return 2;
    g_autofree char *first = g_build_filename(folder, names.first, NULL),
                    *second = g_build_filename(folder, names.algorithms, NULL);
    if (!output_set_write(&set, first, pair.first, strlen(pair.first), error) ||
        !output_set_write(&set, second, pair.algorithms, strlen(pair.algorithms), error))
        return 2;
    ask_note_unknowns(answer->request);
    if (!output_set_close(&set, error))
        return 2;
    fputs(pair.load, stdout);
    return output_check_stdout(error) ? 0 : 2;
}

static const CommandKind kinds[] = {
    {"intel", "write I_MPI_ADJUST variables for Intel MPI", tune_others_intel},
    {"nccl", "write a file for NCCL's tuner plug-in, from measurements", tune_others_nccl},
    {"pgmpi", "write profiles for PGMPITuneLib, for any MPI", tune_others_pgmpi},
};
static const CommandKinds others = {.command = "tune", .kinds = kinds, .n = G_N_ELEMENTS(kinds)};

int cmd_tune(int argc, char **argv, GError **error)
{
    int status;
    if (kinds_try(&others, argc, argv, &status, error))
        return status;
    g_auto(RequestOptions) o = {0};
    g_autofree char *within_text = NULL, *sure_text = NULL, *verify_text = NULL, *format = NULL, *prefix = NULL;
    gboolean commutative_only = FALSE, header;
    const GOptionEntry entries[] = {
        ENTRY_RANKS(o.ranks),
        ENTRY_BYTES(o.sizes),
        ENTRY_ELEMENT(o.element),
        MACHINE_ENTRIES(o),
        ENTRY_OF_ALL(o.of_all),
        ENTRIES_HAN(o),
        ENTRY_STRING("within", 0, within_text, "time above the best that is allowed (default 3%)", "W"),
        ENTRY_STRING("sure", 0, sure_text, "percent by which to be sure of a gain (default 90)", "S"),
        ENTRY_STRING("verify", 0, verify_text, "time N random calls off the grid, and say the worst", "N"),
        {"commutative-only", 0, 0, G_OPTION_ARG_NONE, &commutative_only, "for operations that commute only", NULL},
        {"format", 'f', 0, G_OPTION_ARG_STRING, &format, "rules (default): the library's file; c: a C header",
         "FORMAT"},
        ENTRY_STRING("prefix", 0, prefix, "what a header's names begin with (default pick)", "NAME"),
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &o.answer.output,
         "write to FILE (default stdout), or a folder of two", "FILE"},
        {NULL},
    };
    g_auto(GStrv) words = NULL;
    g_auto(Request) r = {0};
    g_auto(Output) output = {0};
    gboolean chosen[N_COLLECTIVES];
    double within, sure;
    size_t verify = 0;
    r.question.asked = chosen;
    if (!options_parse(argc, argv, usage, help_text, entries, 1, 2, &words, error) ||
        !ask_collectives(words[1], chosen, error) || !parse_within(within_text, &within, error) ||
        !parse_sure(sure_text, &sure, &r.library.z, error) ||
        !options_number("--verify", verify_text, 1, 100000, &verify, error) ||
        !find_format(format, o.answer.output, prefix, commutative_only, verify > 0, &header, error) ||
        !ask_about_library("tune", words[0], &o, &r, error))
        return 2;
    for (int i = 0; i < N_COLLECTIVES; i++)
        chosen[i] = chosen[i] && tune_can(r.library.only, (Collective)i);
    if (!ask_library_sizes(&o, chosen, o.sizes != NULL, &r, error))
        return 2;
    const gboolean given[N_TUNE_FAMILY_OPTIONS] = {
        [TUNE_FAMILY_HEADER] = header, [TUNE_FAMILY_COMMUTATIVE] = commutative_only, [TUNE_FAMILY_VERIFY] = verify > 0};
    for (int i = 0; i < N_TUNE_FAMILY_OPTIONS; i++)
        if (given[i] && !tune_family_takes(r.library.only->library, (TuneFamilyOption)i, error))
            return 2;
    tune_answer_ask(&r, header, !commutative_only);
    const TuneAnswer answer = {&r, &o, chosen, within, sure};
    if (r.library.pair)
        return tune_pair(&answer, (guint)verify, error);
    if (!output_open(&output, o.answer.output, error))
        return 2;
    KnownTimes *own = known_begin(&r.known); // what is run to foresee the time need not run again
    foresee_library(&r, &o, chosen, "this grid");
    g_autofree char *text = header ? tune_answer_header(&answer, prefix ? prefix : "pick", error)
                                   : tune_answer_file(&answer, (guint)verify, error);
    known_end(&r.known, own);
    if (!text)
        return 2;
    fputs(text, output.to);
    ask_note_unknowns(&r);
    return output_close(&output, error) ? 0 : 2;
}

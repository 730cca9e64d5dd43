#include "answer/libraries/rules_answer.h"
#include "answer/libraries/rules_tree.h"
#include "answer/libraries/target_rules.h"
#include "ask/kinds.h"
#include "ask/options.h"
#include "base/error.h"
#include "cli.h"
#include "libraries/decide/rules_han.h"
#include "libraries/decide/rules_write.h"
#include "libraries/decide/selection.h"
#include "libraries/decide/ucc_string.h"
#include <string.h>

typedef struct RulesOptions {
    char **words, *library, *to, *output, *ranks, *bytes, *element, *han;
    AnswerOptions answer;
} RulesOptions;

static void options_clear(RulesOptions *o)
{
    g_strfreev(o->words);
    g_free(o->library);
    g_free(o->to);
    g_free(o->ranks);
    g_free(o->bytes);
    g_free(o->element);
    g_free(o->output);
    g_free(o->han);
    answer_options_clear(&o->answer);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RulesOptions, options_clear)

#define ENTRY_FOR(to) ENTRY_STRING("for", 0, to, "the version that reads the file", "LIB-VERSION")

// Returns the library that --for names, or NULL and an error.
static const Library *read_for(const RulesOptions *o, const char *command, GError **error)
{
    if (o->library)
        return library_find(o->library, error);
    g_autofree char *all = library_list();
    bad_input(error, "%s needs --for LIB-VERSION; allowed: %s%s", command, all,
              g_str_has_suffix(command, "check") || g_str_has_suffix(command, "show") ? ", intel, nccl, pgmpi" : "");
    return NULL;
}

// Returns the file's target if --for names one, which has a reader of its own; otherwise NULL.
static const Target *find_target(const RulesOptions *o)
{
    return o->library ? target_find(o->library) : NULL;
}

// Does the work of `check`, or without `check` of `show`, for a file of a target. Returns the exit status.
static int run_target(const RulesOptions *o, const Target *target, gboolean check, GError **error)
{
    g_auto(Answer) answer = {0};
    g_autoptr(GArray) ranks = NULL, sizes = NULL;
    if (o->han || o->element)
        return bad_input(error, "%s is not for %s; allowed: -p and -m", o->han ? "--han" : "--element", target->name),
               2;
    if ((o->ranks || o->bytes) &&
        (!(ranks = options_ranks(o->ranks, NULL, error)) || !(sizes = options_sizes(o->bytes, error))))
        return 2;
    g_autoptr(TargetFile) file = target_read(o->words[0], target, error);
    if (!file || !answer_open(&answer, &o->answer, error))
        return 2;
    if (check)
        target_rules_report(&answer, file, ranks, sizes);
    else
        target_rules_show(&answer, file);
    if (!answer_close(&answer, error))
        return 2;
    return check && target_n_traps(file) > 0;
}

static const char check_help[] = "Reads a rules file of Open MPI, a tuning file (JSON) of MPICH, or a selection\n"
                                 "string of UCC, exactly as a version of the library does, and says which\n"
                                 "algorithm runs at each number of ranks and each size, and where the file does\n"
                                 "not do what it seems to. The library itself says nothing, or ends the program.\n"
                                 "A file for coll_han_dynamic_rules_filename (Open MPI's HAN), or for\n"
                                 "MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE (MPICH's compositions), is\n"
                                 "checked as that. UCC's string (UCC_TL_UCP_TUNE) can be a line of ucc.conf, of a\n"
                                 "section there, or of a shell file that exports it, or the file's only line.\n"
                                 "\n"
                                 "  collsim rules check rules.conf --for ompi-4.1\n"
                                 "  collsim rules check tuning.json --for mpich-4.0\n"
                                 "  collsim rules check ucc.conf --for ucc-1.4\n"
                                 "\n"
                                 "Each line that is a trap is reported with the file and the line:\n"
                                 "\n"
                                 "  ignored   the library ignores the whole file\n"
                                 "  misread   a number is not what it seems to be, as 64K, which is read as 64\n"
                                 "  shifted   numbers or keys are taken for others than they were written for\n"
                                 "  unread    a part of the file is not read, or has no effect\n"
                                 "  dead      no call reaches the rule\n"
                                 "  reach     the rule also acts where it was hardly meant to\n"
                                 "  error     calls that reach the rule return an error\n"
                                 "  else      another algorithm than the one named runs\n"
                                 "  order     results are wrong if the operation is not commutative\n"
                                 "  crash     the library can write beyond its memory while it reads the file\n"
                                 "  ranks     the ranks of one call can run different algorithms, and hang\n"
                                 "  start     MPI_Init ends the program\n"
                                 "  call      a call, or making a communicator, ends the program\n"
                                 "  wrong     results are wrong\n"
                                 "  note      no trap, but worth knowing\n"
                                 "\n"
                                 "`bytes` is what the library takes as the size: for allgather, alltoall, gather,\n"
                                 "scatter and reduce_scatter_block, the block of one rank times the ranks. In\n"
                                 "MPICH's trees it is avg_msg_size or total_msg_size, whichever they ask about.\n"
                                 "In UCC's strings it is the bytes of the whole buffer.\n"
                                 "\n"
                                 "With -p and -m, the answer also says what calls of the file's collectives run at\n"
                                 "these points, down to the fixed decision and to fallbacks, on one node; with\n"
                                 "MPICH's trees, each rank is on a node of its own, unless -p 2x4 has nodes.\n"
                                 "\n"
                                 "With --han HANFILE, a file for tuned is judged together with the one for HAN: on\n"
                                 "several nodes HAN serves barrier, bcast, reduce, allreduce, gather, scatter and\n"
                                 "allgather in Open MPI 5 (main: all-to-all calls and the calls in v, too), unless\n"
                                 "its file hands the call to tuned. Rules that therefore never act there are dead.\n"
                                 "In 4.1 that is so with a coll_han_priority above 30.\n"
                                 "\n"
                                 "  collsim rules check tuned.conf --for ompi-5 --han han.conf\n"
                                 "\n"
                                 "--for intel (lines that set I_MPI_ADJUST_ALLREDUCE ..), nccl (a file for its\n"
                                 "example of a tuner plug-in) and pgmpi (a profile of PGMPITuneLib) read the\n"
                                 "files that `tune` writes for these libraries.\n"
                                 "\n"
                                 "The exit status is 1 if there is a trap. --commutative-only is for files that\n"
                                 "are made for operations that commute, as tune makes them with this option.";

// Reads the points. The arrays stay NULL if no points were asked for.
static gboolean read_points(const RulesOptions *o, RulesPoints *points, GError **error)
{
    if (!o->ranks && !o->bytes)
        return !o->element || bad_input(error, "--element is for points; allowed: with -p and -m");
    const Library *library = library_find(o->library, NULL);
    if (!options_element(o->element, &points->elem, error) ||
        !(points->ranks = options_ranks(o->ranks, library->family != LIBRARY_OMPI ? &points->per_node : NULL, error)) ||
        !(points->sizes = options_sizes(o->bytes, error)))
        return FALSE;
    for (guint i = 0; points->elem && i < points->sizes->len; i++) {
        const size_t m = g_array_index(points->sizes, size_t, i);
        if (m % points->elem != 0)
            return bad_input(error, "-m %zu is not a multiple of --element %zu; allowed: whole elements", m,
                             points->elem);
    }
    return (points->tables = tables_load(library, error)) != NULL;
}

// Judges the file together with the one of --han, or notes what is to be said without one.
static gboolean judge_pair(const RulesOptions *o, RulesFile *file, GError **error)
{
    const gboolean tuned = file->library->family == LIBRARY_OMPI && !file->han;
    if (o->han && !tuned)
        return bad_input(error, "--han goes with a file for coll_tuned_dynamic_rules_filename; %s is for %s",
                         file->name, file->han ? file->variable : file->library->title);
    g_autoptr(RulesFile) han = o->han ? rules_read(o->han, file->library, error) : NULL;
    if (o->han && !han)
        return FALSE;
    if (han && !han->han)
        return bad_input(error,
                         "--han %s is not a file for coll_han_dynamic_rules_filename; allowed: one that "
                         "collsim rules check takes for that",
                         han->name);
    if (han)
        rules_pair_judge(file, han);
    else if (tuned)
        rules_pair_note(file);
    return TRUE;
}

static int run_check(int argc, char **argv, GError **error)
{
    g_auto(RulesOptions) o = {NULL};
    g_auto(Answer) answer = {0};
    g_auto(RulesPoints) points = {NULL};
    gboolean commutative_only = FALSE;
    const GOptionEntry entries[] = {
        ENTRY_FOR(o.library),
        ENTRY_RANKS(o.ranks),
        ENTRY_BYTES(o.bytes),
        ENTRY_ELEMENT(o.element),
        {"han", 0, 0, G_OPTION_ARG_FILENAME, &o.han, "the file for HAN with which Open MPI loads it", "FILE"},
        {"commutative-only", 0, 0, G_OPTION_ARG_NONE, &commutative_only,
         "all operations commute, so do not report order", NULL},
        ANSWER_ENTRIES(o.answer),
        {NULL},
    };
    if (!options_parse(argc, argv, "FILE", check_help, entries, 1, 1, &o.words, error))
        return 2;
    if (find_target(&o))
        return run_target(&o, find_target(&o), TRUE, error);
    const Library *library = read_for(&o, argv[0], error);
    g_autoptr(RulesFile) file = library ? rules_read(o.words[0], library, error) : NULL;
    if (file && file->han && (o.ranks || o.bytes || o.element)) {
        bad_input(error,
                  "%s is a file for %s, which decides no calls by itself; -p, -m and --element are allowed for others",
                  file->name, file->variable);
        return 2;
    }
    if (!file || !judge_pair(&o, file, error) || !read_points(&o, &points, error) ||
        !answer_open(&answer, &o.answer, error))
        return 2;
    rules_report(&answer, file, &points, !commutative_only);
    if (!answer_close(&answer, error))
        return 2;
    return rules_n_traps(file, !commutative_only) > 0;
}

// Reads the files that the words name, as the library of --for does. Returns FALSE and an error on bad input; the
// caller frees what is in `files`.
static gboolean read_files(const RulesOptions *o, const char *command, RulesFile **files, GError **error)
{
    const Library *library = read_for(o, command, error);
    for (int i = 0; library && o->words[i]; i++)
        if (!(files[i] = rules_read(o->words[i], library, error)))
            return FALSE;
    return library != NULL;
}

static const char show_help[] = "Shows what a rules file makes a version of a library run, as a table of its\n"
                                "rules and as a map of the algorithms over ranks and bytes.\n"
                                "\n"
                                "  collsim rules show rules.conf --for ompi-4.1\n"
                                "\n"
                                "A line of a map begins with the fewest ranks for which it holds, a column with\n"
                                "the least size; a dot is the fixed decision. A communicator has several nodes,\n"
                                "and several ranks on a node. In a map of MPICH's tree letters are algorithms, a\n"
                                "dot ends the program, and no two ranks share a node.";

static int run_show(int argc, char **argv, GError **error)
{
    g_auto(RulesOptions) o = {NULL};
    g_auto(Answer) answer = {0};
    g_autoptr(RulesFile) file = NULL;
    const GOptionEntry entries[] = {ENTRY_FOR(o.library), ANSWER_ENTRIES(o.answer), {NULL}};
    if (!options_parse(argc, argv, "FILE", show_help, entries, 1, 1, &o.words, error))
        return 2;
    if (find_target(&o))
        return run_target(&o, find_target(&o), FALSE, error);
    if (!read_files(&o, argv[0], &file, error) || !answer_open(&answer, &o.answer, error))
        return 2;
    rules_show(&answer, file);
    return answer_close(&answer, error) ? 0 : 2;
}

static const char diff_help[] = "Compares what two rules files make a version of a library run, at all numbers of\n"
                                "ranks and all sizes, and prints where they differ and what that costs.\n"
                                "\n"
                                "  collsim rules diff old.conf new.conf --for ompi-4.1\n"
                                "  collsim rules diff default new.conf --for ompi-4.1 -p 16x8 --platform lumi\n"
                                "\n"
                                "The word default stands for the library without a file. Fields that an algorithm\n"
                                "does not use are not compared. A communicator has several nodes, and several\n"
                                "ranks on a node; with MPICH's trees each rank is on a node of its own, unless\n"
                                "-p 16x8 or --per-node says otherwise.\n"
                                "\n"
                                "Each difference is timed at the points of the grid that lie in it: each p with\n"
                                "each m, by default p = 2, 3, 4, 6, 8, 12 .. 128 and 8 bytes to 2M by factors of\n"
                                "4. Without -p and -m, one in which no point of the grid lies is timed at its\n"
                                "least ranks, up to 4096, and its least size. `ratio` is the first file's time\n"
                                "divided by the second one's; what differs most comes first. HAN is off, and so\n"
                                "are MPICH's compositions (MPIR_CVAR_DEVICE_COLLECTIVES=none), unless the files\n"
                                "are about these.\n"
                                "\n"
                                "Elements of reductions have 8 bytes, others 1, unless --element says otherwise.\n"
                                "The exit status is 1 if the files differ.\n"
                                "\n" HELP_NODES;

// Returns TRUE if a file is one of MPICH's compositions.
static gboolean composes(const RulesFile *file)
{
    return file->selection && selection_composes(file->selection);
}

// Returns TRUE if a file asks for no more than ranks and bytes; otherwise FALSE and an error, as sections of ucc.conf do.
static gboolean asks_plainly(const RulesFile *file, GError **error)
{
    for (guint i = 0; file->library->family == LIBRARY_UCC && i < file->rules->len; i++)
        if (*g_array_index(file->rules, LibraryRule, i).params)
            return bad_input(error, "%s has a section; allowed: a selection string outside of all sections",
                             file->name);
    return TRUE;
}

// Reads two files as the library does. For the word `default`, the file has what the library does without one of the kind
// that the other file is. Returns FALSE and an error on bad input; the caller frees what is in `files`.
static gboolean read_both(const RulesOptions *o, const Library *library, RulesFile *files[2], GError **error)
{
    gboolean compositions = FALSE;
    for (int i = 0; i < 2; i++) {
        if (strcmp(o->words[i], "default") == 0)
            continue;
        if (!(files[i] = rules_read(o->words[i], library, error)) ||
            (!composes(files[i]) && !rules_usual(files[i], error)) || !asks_plainly(files[i], error))
            return FALSE;
        compositions |= composes(files[i]);
    }
    g_autoptr(Tables) names = library->family != LIBRARY_MPICH ? tables_names(library, error) : NULL;
    for (int i = 0; i < 2; i++)
        if (!files[i] &&
            !(files[i] = library->family == LIBRARY_MPICH ? selection_default(o->words[i], library, compositions, error)
                         : names                          ? rules_new(o->words[i], names)
                                                          : NULL))
            return FALSE;
    return composes(files[0]) == composes(files[1]) ||
           bad_input(error, "%s and %s are for different variables; allowed: two files for one of them", files[0]->name,
                     files[1]->name);
}

static int run_diff(int argc, char **argv, GError **error)
{
    g_auto(RulesOptions) o = {NULL};
    g_auto(RequestOptions) asked = {0};
    g_auto(Request) r = {0};
    g_auto(Answer) answer = {0};
    g_auto(RulesDifference) difference = {{NULL}};
    g_autofree char *most = NULL;
    size_t top = 10;
    const GOptionEntry entries[] = {
        ENTRY_FOR(o.library),
        PORT_ENTRIES(asked),
        NETWORK_ENTRIES(asked.on),
        ENTRY_BYTES(asked.sizes),
        ENTRY_STRING("top", 0, most, "print at most N points (default 10)", "N"),
        {NULL},
    };
    if (!options_parse(argc, argv, "FILE|default FILE|default", diff_help, entries, 2, 2, &o.words, error))
        return 2;
    const Library *library = read_for(&o, argv[0], error);
    RulesFile *files[2] = {NULL};
    const gboolean read = library && read_both(&o, library, files, error);
    g_autoptr(RulesFile) first = files[0], second = files[1];
    asked.no_han = TRUE;
    r.library.no_compositions = read && !composes(first);
    if (!read || !options_number("--top", most, 1, 1000, &top, error) ||
        !ask_about_library(argv[0], library->name, &asked, &r, error) || !answer_open(&answer, &asked.answer, error))
        return 2;
    difference.files[0] = first;
    difference.files[1] = second;
    difference.options = &asked;
    if (!rules_difference_find(&difference, &r, error))
        return 2;
    const gboolean differ = rules_difference_report(&answer, &difference, &r, (guint)top);
    return answer_close(&answer, error) ? differ : 2;
}

static const char convert_help[] = "Writes a rules file for another version of the same library, which then runs the\n"
                                   "same at every number of ranks and every size.\n"
                                   "\n"
                                   "  collsim rules convert rules.conf --for ompi-4.1 --to ompi-main\n"
                                   "\n"
                                   "ompi-4.1 gets text, ompi-5 text of version 2 (5.0.7 and later), and ompi-main\n"
                                   "JSON. A rule that the version cannot have is an error: an id or a number of\n"
                                   "requests that it lacks, or rules for communicators placed in one way only.\n"
                                   "A file for HAN becomes text for any of them; what HAN does not know in that\n"
                                   "version, as algorithms in 4.1, is an error.\n"
                                   "Between mpich-4.0 and mpich-4.3, and between ucc-1.3 and ucc-1.4 (a shell file\n"
                                   "that exports the string), an algorithm that only one has is an error.";

static int run_convert(int argc, char **argv, GError **error)
{
    g_auto(RulesOptions) o = {NULL};
    g_autoptr(RulesFile) file = NULL;
    const GOptionEntry entries[] = {
        ENTRY_STRING("for", 0, o.library, "the version that the file is for", "LIB-VERSION"),
        ENTRY_STRING("to", 0, o.to, "the version to write a file for", "LIB-VERSION"),
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &o.output, "write to FILE (default standard output)", "FILE"},
        {NULL},
    };
    if (!options_parse(argc, argv, "FILE", convert_help, entries, 1, 1, &o.words, error))
        return 2;
    if (!o.to) {
        g_autofree char *all = library_list();
        bad_input(error, "%s needs --to LIB-VERSION; allowed: %s", argv[0], all);
        return 2;
    }
    const Library *target = library_find(o.to, error);
    const Library *from = target ? read_for(&o, argv[0], error) : NULL;
    if (target && from && target->family != from->family) {
        bad_input(error, "rules for %s cannot be converted for %s; allowed: a version of %s", from->name, target->name,
                  library_family(from->family));
        return 2;
    }
    if (!target || !from || !read_files(&o, argv[0], &file, error))
        return 2;
    g_autofree char *text = from->family == LIBRARY_UCC ? ucc_convert(file, target, error)
                            : file->selection           ? selection_convert(file, target, error)
                            : file->han                 ? rules_han_convert(file, target, error)
                                                        : rules_convert(file, target, error);
    return text && output_write(o.output, text, strlen(text), error) ? 0 : 2;
}

static const CommandKind kinds[] = {
    {"check", "say what a rules file makes a library run, and its traps", run_check},
    {"show", "show a rules file as a table and as a map", run_show},
    {"diff", "say where two rules files differ, and what that costs", run_diff},
    {"convert", "write a rules file for another version of the library", run_convert},
};

int cmd_rules(int argc, char **argv, GError **error)
{
    const CommandKinds all = {"rules", "Reads the rules files by which MPI libraries choose algorithms.",
                              "collsim rules check rules.conf --for ompi-4.1", kinds, G_N_ELEMENTS(kinds)};
    return kinds_run(&all, argc, argv, error);
}

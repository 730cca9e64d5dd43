#include "answer/rules.h"
#include "ask/options.h"
#include "base/error.h"
#include "base/nearest.h"
#include "cli.h"
#include <string.h>

typedef struct RulesOptions {
    char **words, *library;
    AnswerOptions answer;
} RulesOptions;

static void options_clear(RulesOptions *o)
{
    g_strfreev(o->words);
    g_free(o->library);
    answer_options_clear(&o->answer);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RulesOptions, options_clear)

#define ENTRY_FOR(to) ENTRY_STRING("for", 0, to, "the version that reads the file", "LIB-VERSION")

// Returns the library that --for names, or NULL and an error.
static const Library *read_for(const RulesOptions *o, const char *command, GError **error)
{
    if (o->library)
        return library_find(o->library, error);
    bad_input(error, "%s needs --for LIB-VERSION; allowed: ompi-4.1, ompi-5, ompi-main", command);
    return NULL;
}

static const char check_help[] = "Reads a rules file exactly as a version of Open MPI does, and says which\n"
                                 "algorithm runs at each number of ranks and each size, and where the file does\n"
                                 "not do what it seems to. The library itself says nothing.\n"
                                 "\n"
                                 "  collsim rules check rules.conf --for ompi-4.1\n"
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
                                 "  ranks     the ranks of one call can run different algorithms, and hang\n"
                                 "\n"
                                 "`bytes` is what the library takes as the size: for allgather, alltoall, gather,\n"
                                 "scatter and reduce_scatter_block, the block of one rank times the ranks.\n"
                                 "\n"
                                 "The exit status is 1 if there is a trap.";

static int run_check(int argc, char **argv, GError **error)
{
    g_auto(RulesOptions) o = {NULL};
    g_auto(Answer) answer = {0};
    const GOptionEntry entries[] = {ENTRY_FOR(o.library), ANSWER_ENTRIES(o.answer), {NULL}};
    if (!options_parse(argc, argv, "FILE", check_help, entries, 1, 1, &o.words, error))
        return 2;
    const Library *library = read_for(&o, argv[0], error);
    g_autoptr(RulesFile) file = library ? rules_read(o.words[0], library, error) : NULL;
    if (!file || !answer_open(&answer, &o.answer, error))
        return 2;
    rules_report(&answer, file);
    if (!answer_close(&answer, error))
        return 2;
    return file->traps->len > 0;
}

static const struct {
    const char *name, *summary;
    int (*run)(int argc, char **argv, GError **error);
} kinds[] = {
    {"check", "say what a rules file makes a library run, and its traps", run_check},
};

static int help(GError **error)
{
    GString *s = g_string_new("Usage:\n  collsim rules KIND ...\n\nReads the rules files by which MPI libraries choose "
                              "algorithms.\n\n");
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
        g_string_append_printf(s, "  %-8s %s\n", kinds[i].name, kinds[i].summary);
    g_string_append(s, "\n  collsim rules check rules.conf --for ompi-4.1\n"
                       "\n`collsim rules KIND --help` explains a kind.\n");
    g_set_error_literal(error, COLLSIM_ERROR, COLLSIM_ERROR_HELP, s->str);
    g_string_free(s, TRUE);
    return 2;
}

int cmd_rules(int argc, char **argv, GError **error)
{
    const char *names[G_N_ELEMENTS(kinds) + 1] = {NULL};
    int kind;
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
        names[i] = kinds[i].name;
    if (argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
        return help(error);
    if (argc < 2) {
        g_autofree char *list = g_strjoinv(", ", (char **)(guintptr)names);
        bad_input(error, "rules takes KIND, but KIND is missing; allowed: %s; see collsim rules --help", list);
        return 2;
    }
    if (!nearest_find("kind of rules", argv[1], names, &kind, error))
        return 2;
    g_autofree char *name = g_strdup_printf("rules %s", names[kind]);
    argv[1] = name;
    return kinds[kind].run(argc - 1, argv + 1, error);
}

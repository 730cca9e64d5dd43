// Finds backends and launchers, and builds the command that starts a backend.
#include "run/launch/launch_argv.h"
#include "base/escape.h"
#include "run/launch/child.h"
#include "base/error.h"
#include "base/share.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

const char *const launch_programs[] = {"collsim-mpi", "collsim-mpich", "collsim-smpi"};

// What brings a program that is missing: Debian's packages with its library, before a build, and the package with it.
static const struct {
    const char *libraries, *package;
} needed[] = {
    [LAUNCH_MPI] = {"openmpi-bin libopenmpi-dev", "collsim-openmpi"},
    [LAUNCH_MPICH] = {"mpich libmpich-dev", "collsim-mpich"},
    [LAUNCH_SMPI] = {"simgrid libsimgrid-dev", "collsim-smpi"},
};

// Sets the error of a program that is missing, with the advice that fits how collsim was installed, and returns NULL.
static char *missing(LaunchKind kind, const char *path, GError **error)
{
    const ShareOrigin origin = share_origin();
    if (g_getenv("COLLSIM_BACKENDS"))
        bad_input(error, "%s is missing; allowed: COLLSIM_BACKENDS=FOLDER that has it", path);
    else if (origin == SHARE_PACKAGED)
        bad_input(error, "%s is missing; install the package %s", path, needed[kind].package);
    else
        bad_input(error, "%s is missing; install %s, then %s", path, needed[kind].libraries,
                  origin == SHARE_INSTALLED ? "repeat make install" : "make");
    return NULL;
}

char *launch_place(const char *program)
{
    const char *const asked = g_getenv("COLLSIM_BACKENDS");
    g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *beside = g_path_get_dirname(self ? self : "."), *prefix = g_path_get_dirname(beside);
    g_autofree char *path = g_build_filename(asked ? asked : beside, program, NULL);
    g_autofree char *installed = g_build_filename(prefix, "libexec", "collsim", program, NULL);
    const gboolean there = asked || g_file_test(path, G_FILE_TEST_IS_REGULAR) ||
                           (share_origin() == SHARE_BUILT && !g_file_test(installed, G_FILE_TEST_IS_REGULAR));
    return there ? g_steal_pointer(&path) : g_steal_pointer(&installed);
}

char *launch_find(LaunchKind kind, GError **error)
{
    g_autofree char *path = launch_place(launch_programs[kind]);
    return g_file_test(path, G_FILE_TEST_IS_REGULAR) ? g_steal_pointer(&path) : missing(kind, path, error);
}

static ChildLine take_library(const char *line, gboolean out, void *user)
{
    char **said = user;
    if (!out || !*line || *said)
        return CHILD_OTHER;
    *said = g_strdup(line);
    return CHILD_ANSWER;
}

// Returns the first line that the program prints about its library, without its launcher; free with g_free. Returns
// NULL and an error if it does not run.
static char *ask_library(const Launch *launch, const char *program, GError **error)
{
    char option[] = "--library";
    char *const words[] = {(char *)(uintptr_t)program, option, NULL};
    g_autofree char *said = NULL;
    Child child = {
        .patience_s = launch->patience_s > 0 ? launch->patience_s : PATIENCE_S, .take = take_library, .user = &said};
    const int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (in < 0)
        return bad_input(error, "/dev/null: %s; allowed: a file that can be opened", g_strerror(errno)), NULL;
    const gboolean ran = child_run(&child, words, in, error), good = ran && child_good(&child) && said;
    close(in);
    if (ran && !good) {
        g_autofree char *end = child_end(&child, said ? "" : " without naming its MPI library");
        bad_input(error, "%s cannot be run: it %s; allowed: a program that runs here, as make builds it", program, end);
    }
    child_clear(&child);
    if (child.signal)
        raise(child.signal);
    return good ? g_steal_pointer(&said) : NULL;
}

static const char open_mpi[] = "Open MPI", mpich[] = "MPICH";

char *launch_library(const Launch *launch, GError **error)
{
    g_autofree char *program = launch_find(launch->kind, error);
    g_autofree char *said = program ? ask_library(launch, program, error) : NULL;
    if (!said)
        return NULL;
    // The line is like "Open MPI v4.1.4, package: .." or "MPICH Version:\t4.0.2".
    const char *name = g_str_has_prefix(said, open_mpi) ? open_mpi : g_str_has_prefix(said, mpich) ? mpich : NULL;
    const char *version = strpbrk(said, "0123456789");
    return name && version ? g_strdup_printf("%s %.*s", name, (int)strspn(version, "0123456789."), version)
                           : g_strdelimit(g_steal_pointer(&said), ",\"", ' ');
}

// Returns the path of the first of these launchers that is in PATH; free with g_free. Returns NULL and an error that
// ends with `remedy` if none is.
static char *find_launcher(const char *const *names, const char *program, const char *remedy, GError **error)
{
    for (const char *const *name = names; *name; name++) {
        char *path = g_find_program_in_path(*name);
        if (path)
            return path;
    }
    bad_input(error, "%s, which starts %s, is not in PATH; %s", names[0], program, remedy);
    return NULL;
}

static gboolean add_words(GPtrArray *argv, const char *words, int p, GError **error)
{
    g_auto(GStrv) word = NULL;
    g_autoptr(GError) why = NULL;
    g_autofree char *ranks = g_strdup_printf("%d", p);
    if (!g_shell_parse_argv(words, NULL, &word, &why))
        return bad_input(error, "--launcher '%s': %s", words, why->message);
    gboolean has_ranks = FALSE;
    for (char **w = word; *w; w++) {
        g_auto(GStrv) part = g_strsplit(*w, "{p}", -1);
        has_ranks |= part[0] && part[1];
        g_ptr_array_add(argv, g_strjoinv(ranks, part));
    }
    return has_ranks ||
           bad_input(error, "--launcher '%s' has no {p}, the number of ranks; allowed: as in \"srun -n {p}\"", words);
}

static gboolean add_mpirun(GPtrArray *argv, const Launch *launch, const char *program, int p, GError **error)
{
    static const char *const of_open_mpi[] = {"mpirun.openmpi", "mpirun", NULL};
    static const char *const of_mpich[] = {"mpirun.mpich", "mpiexec.hydra", "mpirun", NULL};
    g_autofree char *said = launch->library ? g_strdup(launch->library) : ask_library(launch, program, error);
    if (!said)
        return FALSE;
    const gboolean is_open = g_str_has_prefix(said, open_mpi);
    char *launcher =
        find_launcher(is_open ? of_open_mpi : of_mpich, program, "allowed: another launcher by --launcher", error);
    if (!launcher)
        return FALSE;
    g_ptr_array_add(argv, launcher);
    if (is_open && geteuid() == 0)
        g_ptr_array_add(argv, g_strdup("--allow-run-as-root"));
    if (is_open)
        g_ptr_array_add(argv, g_strdup("--oversubscribe"));
    g_ptr_array_add(argv, g_strdup("-np"));
    g_ptr_array_add(argv, g_strdup_printf("%d", p));
    return TRUE;
}

const char *const *launch_place_words(gboolean is_open, LaunchPlace place)
{
    static const char *const words[2][3][5] = {
        {[PLACE_NEAR] = {"-map-by", "core", "-bind-to", "core"},
         [PLACE_APART] = {"-map-by", "socket", "-bind-to", "core"}},
        {[PLACE_NEAR] = {"--map-by", "core", "--bind-to", "core"},
         [PLACE_APART] = {"--map-by", "socket", "--bind-to", "core"}},
    };
    return place == PLACE_ANY ? NULL : words[!!is_open][place];
}

static void add_smpirun(GPtrArray *argv, const Launch *launch, const char *program, int p, const LaunchFiles *files)
{
    SimgridMachine machine = *launch->machine;
    machine.p = p;
    g_autoptr(GPtrArray) rest = g_ptr_array_new();
    for (const char *const *option = launch->options; option && *option; option++)
        g_ptr_array_add(rest, (gpointer)(uintptr_t)*option);
    g_ptr_array_add(rest, (gpointer)(uintptr_t)program);
    g_ptr_array_add(rest, NULL);
    g_autofree char **words =
        simgrid_command(&machine, files->platform, files->hosts, (const char *const *)(void *)rest->pdata);
    for (char **word = words; *word; word++)
        g_ptr_array_add(argv, *word);
}

GPtrArray *launch_argv(const Launch *launch, int p, const LaunchFiles *files, GError **error)
{
    static const char *const smpirun[] = {"smpirun", NULL};
    g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *program = launch_find(launch->kind, error);
    if (!program)
        return NULL;
    if (launch->kind == LAUNCH_SMPI) {
        g_autofree char *there = find_launcher(smpirun, program, "install simgrid", error);
        if (!there)
            return NULL;
        add_smpirun(argv, launch, program, p, files);
        return g_steal_pointer(&argv);
    }
    if (!(launch->launcher ? add_words(argv, launch->launcher, p, error) : add_mpirun(argv, launch, program, p, error)))
        return NULL;
    for (const char *const *option = launch->options; option && *option; option++)
        g_ptr_array_add(argv, g_strdup(*option));
    g_ptr_array_add(argv, g_steal_pointer(&program));
    return g_steal_pointer(&argv);
}

char *launch_command(const Launch *launch, int p, GError **error)
{
    const LaunchFiles shown = {.platform = (char[]){"PLATFORM.xml"}, .hosts = (char[]){"HOSTS"}};
    g_autoptr(GPtrArray) argv = launch_argv(launch, p, &shown, error);
    if (!argv)
        return NULL;
    GString *s = g_string_new(NULL);
    for (guint i = 0; i < argv->len; i++) {
        g_autofree char *quoted = escape_shell(g_ptr_array_index(argv, i));
        g_string_append_printf(s, "%s%s", i ? " " : "", quoted);
    }
    return g_string_free(s, FALSE);
}

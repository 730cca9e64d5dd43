// How the benchmarks of a log were started. A job prints the line that starts a program, as `set -x` does, or a batch
// system prints what it gave the job:
//     + srun -N 2 -n 2 --ntasks-per-node=1 --cpu-bind=map_cpu:0,24 ./osu_latency
//     mpirun -np 2 --map-by ppr:1:node ./osu_latency
//     SLURM_JOB_NUM_NODES=2
// The nearest such line above a table holds for it; what it does not say, the job says.
#include "base/limits.h"
#include "base/number.h"
#include "measurements/logs/log_lines.h"
#include <string.h>

typedef enum LaunchField {
    NODES,
    RANKS,
    PER_NODE,
    WINDOW,
    CORES,  // "map_cpu:0,24" or "0,24"
    UNIT,   // "block:cyclic": ranks over nodes, and those of a node over sockets
    MAP_BY, // "ppr:1:node", "socket"
    HOSTS,  // "n1,n2:4"
    SELECT, // "2:ncpus=48:mpiprocs=1"
    IGNORED,
} LaunchField;

typedef struct LaunchOption {
    const char *name; // as it stands in the line
    LaunchField field;
} LaunchOption;

typedef struct Launcher {
    const char *names; // blanks are around each
    gboolean job;      // it says what the job has
    LaunchOption options[22];
} Launcher;

static const Launcher launchers[] = {
    {" srun salloc flux ",
     FALSE,
     {{"-N", NODES},
      {"--nodes", NODES},
      {"-n", RANKS},
      {"--ntasks", RANKS},
      {"--ntasks-per-node", PER_NODE},
      {"--tasks-per-node", PER_NODE},
      {"--cpu-bind", CORES},
      {"--cpu_bind", CORES},
      {"-m", UNIT},
      {"--distribution", UNIT}}},
    {" #SBATCH ",
     TRUE,
     {{"-N", NODES}, {"--nodes", NODES}, {"-n", RANKS}, {"--ntasks", RANKS}, {"--ntasks-per-node", PER_NODE}}},
    {" #PBS ", TRUE, {{"-l", SELECT}}},
    {" aprun ", FALSE, {{"-n", RANKS}, {"-N", PER_NODE}, {"-cc", CORES}}},
    {" mpirun mpiexec mpiexec.hydra orterun prterun mpirun_rsh ibrun prun ",
     FALSE,
     {{"-np", RANKS},
      {"--np", RANKS},
      {"-n", RANKS},
      {"--n", RANKS},
      {"-c", RANKS},
      {"-N", PER_NODE},
      {"-npernode", PER_NODE},
      {"--npernode", PER_NODE},
      {"-ppn", PER_NODE},
      {"--ppn", PER_NODE},
      {"-perhost", PER_NODE},
      {"--map-by", MAP_BY},
      {"-map-by", MAP_BY},
      {"--host", HOSTS},
      {"-host", HOSTS},
      {"-H", HOSTS},
      {"-hosts", HOSTS},
      {"--hosts", HOSTS},
      {"--cpu-set", CORES},
      {"--cpu-list", CORES},
      {"-machinefile", IGNORED}}},
};

static void read_count(const char *text, int *to)
{
    g_autofree char *digits = g_strndup(text, strspn(text, "0123456789"));
    int value;
    if (number_int(digits, 1, LIMIT_RANKS, &value))
        *to = value;
}

// Reads the first two of a list of cores, as "map_cpu:0,24".
static void read_cores(const char *text, LogLaunch *launch)
{
    static const char map[] = "map_cpu:";
    const char *const named = strstr(text, map);
    text = named ? named + strlen(map) : text;
    g_auto(GStrv) list = g_strsplit(text, ",", 3);
    int first, second;
    if (g_strv_length(list) < 2 || !number_int(list[0], 0, LIMIT_RANKS, &first) ||
        !number_int(list[1], 0, LIMIT_RANKS, &second) || first == second)
        return;
    launch->cores[0] = first;
    launch->cores[1] = second;
}

static void set_unit(LogLines *at, const char *unit, LogLaunch *launch)
{
    launch->unit = g_string_chunk_insert_const(at->log->texts, unit);
}

// Reads how Slurm distributes ranks: "block:cyclic" deals those of a node over its sockets.
static void read_distribution(LogLines *at, const char *text, LogLaunch *launch)
{
    g_auto(GStrv) parts = g_strsplit(text, ":", 3);
    if (!parts[0])
        return;
    if (strcmp(parts[0], "cyclic") == 0)
        set_unit(at, "node", launch);
    else if (parts[1])
        set_unit(at, strcmp(parts[1], "block") == 0 ? "core" : "socket", launch);
}

// Reads how mpirun maps ranks: "ppr:1:node" puts so many on each unit, and "socket" deals them out.
static void read_map(LogLines *at, const char *text, LogLaunch *launch)
{
    g_auto(GStrv) parts = g_strsplit(text, ":", 4);
    const gboolean ppr = parts[0] && strcmp(parts[0], "ppr") == 0 && parts[1] && parts[2];
    const char *const unit = ppr ? parts[2] : parts[0];
    int each = 0;
    if (!unit || !*unit)
        return;
    if (ppr)
        read_count(parts[1], &each);
    if (ppr && strcmp(unit, "node") == 0) {
        launch->per_node = each;
        return;
    }
    if (!ppr || each == 1)
        set_unit(at, strcmp(unit, "package") == 0 ? "socket" : unit, launch);
}

// Reads a list of hosts, each with its ranks behind a colon if it may have several.
static void read_hosts(const char *text, LogLaunch *launch)
{
    g_auto(GStrv) hosts = g_strsplit(text, ",", -1);
    const guint n = g_strv_length(hosts);
    const char *const slots = n ? strchr(hosts[0], ':') : NULL;
    launch->nodes = n ? (int)MIN(n, LIMIT_RANKS) : launch->nodes;
    launch->per_node = 1;
    if (slots)
        read_count(slots + 1, &launch->per_node);
}

static void read_select(const char *text, LogLaunch *launch)
{
    static const char select[] = "select=", each[] = "mpiprocs=";
    const char *const nodes = strstr(text, select), *const ranks = strstr(text, each);
    if (nodes)
        read_count(nodes + strlen(select), &launch->nodes);
    if (ranks)
        read_count(ranks + strlen(each), &launch->per_node);
}

static void read_value(LogLines *at, LaunchField field, const char *value, LogLaunch *launch)
{
    switch (field) {
    case NODES:
        read_count(value, &launch->nodes);
        break;
    case RANKS:
        read_count(value, &launch->ranks);
        break;
    case PER_NODE:
        read_count(value, &launch->per_node);
        break;
    case WINDOW:
        read_count(value, &launch->window);
        break;
    case CORES:
        read_cores(value, launch);
        break;
    case UNIT:
        read_distribution(at, value, launch);
        break;
    case MAP_BY:
        read_map(at, value, launch);
        break;
    case HOSTS:
        read_hosts(value, launch);
        break;
    case SELECT:
        read_select(value, launch);
        break;
    default:
        break;
    }
}

// Reads word i as one of the options, whose value may be behind it: "-N 2", "-N2", "--nodes=2". Returns how many words
// it takes, 0 if it is none of them.
static guint read_option(LogLines *at, const LaunchOption *options, guint most, char **words, LogLaunch *launch)
{
    for (guint k = 0; k < most && options[k].name; k++) {
        const char *const name = options[k].name, *const word = words[0];
        const size_t n = strlen(name);
        if (strcmp(word, name) == 0 && words[1]) {
            read_value(at, options[k].field, words[1], launch);
            return 2;
        }
        if (strncmp(word, name, n) != 0)
            continue;
        const gboolean glued = n == 2 && g_ascii_isdigit(word[n]);
        if (word[n] != '=' && !glued)
            continue;
        read_value(at, options[k].field, word + n + !glued, launch);
        return 1;
    }
    return 0;
}

// Returns TRUE if a word starts a benchmark.
static gboolean is_program(const char *word)
{
    const char *const slash = strrchr(word, '/'), *const name = slash ? slash + 1 : word;
    return g_str_has_prefix(name, "osu_") || g_str_has_prefix(name, "IMB-");
}

// Reads the words behind a launcher, up to the program; of the program, only the length of its windows.
static LogLaunch read_words(LogLines *at, const Launcher *launcher, char **words)
{
    static const LaunchOption program[] = {{"-W", WINDOW}, {"--window-size", WINDOW}};
    LogLaunch launch = {.line = at->line};
    gboolean started = FALSE;
    while (*words) {
        started |= is_program(*words);
        const guint taken = started
                                ? read_option(at, program, G_N_ELEMENTS(program), words, &launch)
                                : read_option(at, launcher->options, G_N_ELEMENTS(launcher->options), words, &launch);
        words += MAX(taken, 1);
    }
    return launch;
}

// Reads "SLURM_NNODES=2" and the like.
static void read_variable(const char *line, LogLaunch *job)
{
    static const struct {
        const char *name;
        LaunchField field;
    } variables[] = {
        {"SLURM_JOB_NUM_NODES=", NODES},
        {"SLURM_NNODES=", NODES},
        {"SLURM_NTASKS=", RANKS},
        {"SLURM_NPROCS=", RANKS},
        {"SLURM_NTASKS_PER_NODE=", PER_NODE},
        {"SLURM_TASKS_PER_NODE=", PER_NODE},
        {"PBS_NUM_NODES=", NODES},
        {"PBS_NUM_PPN=", PER_NODE},
    };
    for (guint i = 0; i < G_N_ELEMENTS(variables); i++) {
        const char *const at = strstr(line, variables[i].name);
        if (!at)
            continue;
        const char *value = at + strlen(variables[i].name);
        read_count(value + (*value == '"'), variables[i].field == NODES   ? &job->nodes
                                            : variables[i].field == RANKS ? &job->ranks
                                                                          : &job->per_node);
    }
}

// Finds a version of an MPI library in a line, as "Open MPI v5.0.6", "openmpi/5.0.6" or "MPICH Version: 4.1.2".
static void read_library(LogLines *at, const char *line)
{
    static const char *const names[][2] = {
        {"Open MPI", "Open MPI"},    {"openmpi/", "Open MPI"},      {"OpenMPI/", "Open MPI"},
        {"ompi/", "Open MPI"},       {"cray-mpich/", "Cray MPICH"}, {"MVAPICH2", "MVAPICH2"},
        {"mvapich2/", "MVAPICH2"},   {"MPICH Version", "MPICH"},    {"mpich/", "MPICH"},
        {"intel-mpi/", "Intel MPI"}, {"impi/", "Intel MPI"},        {"Intel(R) MPI Library", "Intel MPI"}};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        const char *c = strstr(line, names[i][0]);
        for (const char *later; c && (later = strstr(c + 1, names[i][0]));)
            c = later; // a module is reloaded as "old => new"
        if (!c || (i && strstr(line, "cray-mpich/") && strcmp(names[i][1], "MPICH") == 0))
            continue;
        c += strlen(names[i][0]);
        c += strcspn(c, "0123456789\n");
        const size_t n = strspn(c, "0123456789.");
        if (n < 3 || n > 16 || !memchr(c, '.', n))
            continue;
        g_free(at->log->mpi);
        at->log->mpi = g_strdup_printf("%s %.*s", names[i][1], (int)n, c);
        return;
    }
}

void log_launch(LogLines *at)
{
    const char *const line = at->text;
    if (!at->n_words || g_ascii_isdigit(*at->words[0]))
        return;
    if (strstr(line, "SLURM_") || strstr(line, "PBS_"))
        read_variable(line, &at->job);
    read_library(at, line);
    enum { BEFORE = 8 }; // words of a shell before the launcher
    for (guint w = 0; w < MIN(at->n_words, BEFORE); w++) {
        const char *const slash = strrchr(at->words[w], '/');
        g_autofree char *name = g_strdup_printf(" %s ", slash ? slash + 1 : at->words[w]);
        for (guint i = 0; i < G_N_ELEMENTS(launchers); i++) {
            if (!strstr(launchers[i].names, name))
                continue;
            g_autofree char *rest = g_strdup(strstr(line, at->words[w]));
            g_auto(GStrv) words = g_strsplit_set(rest, " \t", -1);
            LogLaunch launch = read_words(at, &launchers[i], words + 1);
            gboolean program = FALSE;
            for (char **word = words; *word; word++)
                program |= is_program(*word);
            if (launchers[i].job)
                at->job = (LogLaunch){.nodes = launch.nodes ? launch.nodes : at->job.nodes,
                                      .ranks = launch.ranks ? launch.ranks : at->job.ranks,
                                      .per_node = launch.per_node ? launch.per_node : at->job.per_node};
            else if (program || launch.ranks || launch.nodes) {
                launch.text = g_string_chunk_insert_const(at->log->texts, rest);
                at->launch = launch;
            }
            return;
        }
    }
}

// Returns the launch of the table that begins, with what the job and its own figures say of each other.
static LogLaunch complete(const LogLines *at)
{
    LogLaunch x = at->launch;
    const LogLaunch *const job = &at->job;
    const gboolean slurm = x.text && (g_str_has_prefix(x.text, "srun") || strstr(x.text, "/srun"));
    if (!x.line) {
        x = *job;
        x.line = 0;
    }
    if (!x.ranks && x.nodes && x.per_node)
        x.ranks = (int)MIN((gint64)x.nodes * x.per_node, LIMIT_RANKS);
    x.ranks = x.ranks ? x.ranks : job->ranks;
    if (!x.per_node && !x.nodes) {
        x.per_node = slurm && job->nodes ? 0 : job->per_node;
        x.nodes = slurm ? MIN(job->nodes, MAX(x.ranks, 1)) : 0;
    }
    if (!x.ranks && x.per_node && job->nodes)
        x.ranks = (int)MIN((gint64)job->nodes * x.per_node, LIMIT_RANKS);
    if (x.ranks && x.per_node)
        x.nodes = x.ranks / x.per_node + (x.ranks % x.per_node > 0);
    else if (x.ranks && x.nodes)
        x.per_node = x.ranks / x.nodes + (x.ranks % x.nodes > 0);
    return x;
}

void log_benchmark(LogLines *at, const char *title, const char *datatype)
{
    GStringChunk *const texts = at->log->texts;
    const LogBenchmark b = {.sweep = at->sweep,
                            .line = at->line,
                            .title = g_string_chunk_insert_const(texts, title),
                            .datatype = datatype ? g_string_chunk_insert_const(texts, datatype) : NULL,
                            .launch = complete(at)};
    g_array_append_val(at->log->benchmarks, b);
}

const LogBenchmark *log_benchmark_of(const LogSample *s)
{
    const GArray *const all = s->log->benchmarks;
    guint low = 0, high = all->len; // they are in the order of their sweeps
    while (low < high) {
        const guint middle = (low + high) / 2;
        if (g_array_index(all, LogBenchmark, middle).sweep < s->sweep)
            low = middle + 1;
        else
            high = middle;
    }
    const LogBenchmark *const b = low < all->len ? &g_array_index(all, LogBenchmark, low) : NULL;
    return b && b->sweep == s->sweep ? b : NULL;
}

// Intel MPI benchmarks, IMB-MPI1. A table is
//     # Benchmarking Allreduce
//     # #processes = 4
//     # ( 4 additional processes waiting in MPI_Barrier)
//            #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
//                 8         1000         1.93         2.01         1.97
// PingPong has only t[usec], the one-way time, and PingPing the time in which two processes send to each other. In Sendrecv
// every process sends to the next one and receives from the one before; its time is that of one such step. In Exchange every
// process sends to both and receives from both. In Reduce_local each process reduces alone. Uniband and Biband have only
// rates: of the messages of all pairs, rank i with rank i + p/2, one way and in both directions. Tables of
// benchmarks that measure something else are passed over.
#include "base/limits.h"
#include "base/number.h"
#include "measurements/logs/log_lines.h"
#include <stdint.h>
#include <string.h>

typedef enum { BYTES, REPETITIONS, TIME, LEAST, MOST, AVERAGE, RATE, MESSAGES, DEFECTS, N_COLUMNS } ImbColumn;
static const char *const names[N_COLUMNS] = {
    "#bytes",      "#repetitions", "t[usec]", "t_min[usec]", "t_max[usec]",
    "t_avg[usec]", "Mbytes/sec",   "Msg/sec", "defects",
};

// A benchmark, and what a row of it measures.
typedef struct ImbBenchmark {
    const char *name;
    LogSampleKind kind;
    ImbColumn from; // the column that the times come from; N_COLUMNS if the rows are passed over
    int p;          // ranks of a row; 0 for as many as #processes says
} ImbBenchmark;

static const ImbBenchmark benchmarks[] = {
    {"PingPong", LOG_ONE_WAY, TIME, 2},
    {"PingPing", LOG_SENDRECV, TIME, 2},
    {"PingPongSpecificSource", LOG_ONE_WAY, N_COLUMNS, 2},
    {"PingPingSpecificSource", LOG_SENDRECV, N_COLUMNS, 2},
    {"Sendrecv", LOG_SENDRECV, MOST, 0},
    {"Exchange", LOG_EXCHANGE, MOST, 0},
    {"Uniband", LOG_WINDOW, MESSAGES, 0},
    {"Biband", LOG_WINDOW_BOTH, MESSAGES, 0},
    {"Reduce_local", LOG_REDUCE, MOST, 1},
    {"Reduce_scatter_block", LOG_COLLECTIVE, N_COLUMNS, 0}, // its #bytes means different things in different versions
};
static const ImbBenchmark of_collective = {.kind = LOG_COLLECTIVE, .from = MOST};

// The table that is being read.
typedef struct ImbBlock {
    char name[40];          // of the benchmark
    const ImbBenchmark *is; // NULL if it is unknown
    Collective collective;  // for LOG_COLLECTIVE
    int p;
    ImbColumn column[N_COLUMNS];
    guint n;                 // number of columns; 0 until their header is read
    gboolean skip;           // the table cannot be read, for a reason that was noted
    size_t element, reduced; // length of an element, and of one of reductions, in bytes; 0 if not known
    char type[24];           // the datatype's name; "" if the file does not say it
    char version[80];        // of the benchmarks, as the file names them; "" if it does not
} ImbBlock;

static const char suite[] = "MPI Benchmarks", begin[] = "# Benchmarking ";

gboolean log_imb_is(const char *line)
{
    return g_str_has_prefix(line, begin) || (*line == '#' && strstr(line, suite) && strstr(line, "Intel"));
}

static gboolean read_title(LogLines *at, ImbBlock *block, GError **error)
{
    const char *const name = at->n_words == 3 ? at->words[2] : "";
    LogSampleKind kind;
    ImbBlock next = {.element = block->element, .reduced = block->reduced};
    memcpy(next.version, block->version, sizeof next.version);
    memcpy(next.type, block->type, sizeof next.type);
    *block = next;
    at->sweep++;
    g_autofree char *title = g_strdup_printf("IMB %s%s%s", name, *block->version ? ", " : "", block->version);
    log_benchmark(at, title, *block->type ? block->type : NULL);
    g_strlcpy(block->name, name, sizeof block->name);
    if (log_find_kind(name, &kind, &block->collective) && kind == LOG_COLLECTIVE)
        block->is = &of_collective;
    for (guint i = 0; i < G_N_ELEMENTS(benchmarks); i++)
        if (strcmp(name, benchmarks[i].name) == 0)
            block->is = &benchmarks[i];
    block->skip = !block->is;
    return !block->skip || log_bad(at, error, "unknown benchmark; allowed: the benchmarks of IMB-MPI1");
}

// Returns the text's first word; free with g_free.
static char *word_of(const char *text)
{
    text += strspn(text, " \t");
    return g_strndup(text, strcspn(text, " \t"));
}

// Reads the lines above the tables that say what the benchmarks are and when they ran:
//     #    Intel(R) MPI Benchmarks 2019 Update 6, MPI-1 part
//     # Date                  : Mon Mar 11 09:36:51 2019
static void read_header(LogLines *at, const char *line, ImbBlock *block)
{
    static const char date[] = "Date ";
    line += strspn(line, "# \t");
    const char *const value = strchr(line, ':');
    if (strstr(line, suite) && g_str_has_prefix(line, "Intel"))
        g_strlcpy(block->version, line, sizeof block->version);
    else if (g_str_has_prefix(line, date) && value)
        g_ptr_array_add(at->log->measured, g_strdup_printf("on %s with %s", value + 1 + strspn(value + 1, " \t"),
                                                           *block->version ? block->version : "IMB"));
}

// Reads a comment line. Most comments around the tables hold nothing that is needed.
static gboolean read_comment(LogLines *at, const char *line, ImbBlock *block, GError **error)
{
    static const char count[] = "#processes = ";
    const char *processes = strstr(line, count);
    const char *type = strstr(line, "MPI_Datatype");
    read_header(at, line, block);
    if (processes) {
        g_autofree char *word = word_of(processes + strlen(count));
        if (!number_int(word, 1, LIMIT_RANKS, &block->p))
            return log_bad(at, error, "#processes is '%.20s'; allowed: an integer from 1 to 2^27", word);
    }
    if (type && strchr(type, ':')) {
        g_autofree char *word = word_of(strchr(type, ':') + 1);
        if (!strstr(type, "reductions"))
            g_strlcpy(block->type, word, sizeof block->type);
        if (!log_datatype(word, strstr(type, "reductions") ? &block->reduced : &block->element))
            return log_bad(at, error, "unknown datatype %.40s; allowed: one of MPI's, such as MPI_BYTE or MPI_FLOAT",
                           word);
    }
    return TRUE;
}

static gboolean read_columns(LogLines *at, ImbBlock *block, GError **error)
{
    gboolean has[N_COLUMNS] = {FALSE};
    if (block->n || !block->is || block->p < 1)
        return log_bad(at, error, "a header of columns without `# Benchmarking NAME` and `# #processes = P` before it");
    for (guint i = 0; i < at->n_words; i++) {
        int found = -1;
        for (int k = 0; k < N_COLUMNS; k++)
            found = strcmp(at->words[i], names[k]) == 0 ? k : found;
        if (found < 0 || has[found])
            return log_bad(at, error,
                           "unknown column `%.20s`; allowed: #bytes, #repetitions, t_min[usec], t_max[usec], "
                           "t_avg[usec], or t[usec], Mbytes/sec, Msg/sec, defects",
                           at->words[i]);
        has[found] = TRUE;
        block->column[block->n++] = (ImbColumn)found;
    }
    const gboolean barrier = block->is == &of_collective && block->collective == COLL_BARRIER;
    if ((block->is->from < N_COLUMNS && !has[block->is->from]) || (!barrier && !has[BYTES]))
        return log_bad(at, error, "%s has other columns; allowed: what IMB-MPI1 prints for it", block->name);
    return TRUE;
}

// Adds the sample of a row, whose columns have these values.
static gboolean add_row(LogLines *at, const ImbBlock *block, size_t bytes, const double *value, GError **error)
{
    const ImbBenchmark *const is = block->is;
    LogSample sample = {is->kind, .bytes = bytes, .p = is->p ? is->p : block->p};
    if (is->from == N_COLUMNS) {
        g_autofree char *what = g_strdup_printf("of the benchmark %s, which is of no kind that is used", block->name);
        log_count(at, what);
        return TRUE;
    }
    if (is->from == MESSAGES && value[MESSAGES] == 0) {
        log_count(at, "with a rate of 0");
        return TRUE;
    }
    if (value[LEAST] > value[MOST])
        return log_bad(at, error, "t_min is above t_max");
    if (sample.p == 1 && is->kind != LOG_REDUCE && is->from != MESSAGES) {
        log_count(at, "of one process");
        return TRUE;
    }
    sample.time_s = value[is->from] * 1e-6;
    at->log->time_is = is->kind == LOG_ONE_WAY ? "t[usec], one-way" : names[is->from];
    if (is->from == MESSAGES) {
        const int pairs = MAX(block->p / 2, 1), ways = is->kind == LOG_WINDOW ? 1 : 2;
        sample.time_s = ways * pairs / value[MESSAGES];
        sample.p = 2 * pairs;
        at->log->time_is = "from one message to the next";
    }
    if (is->kind == LOG_COLLECTIVE) {
        sample.collective = block->collective;
        sample.element = collectives[block->collective].reduces ? block->reduced : block->element;
        sample.usual_element = 4; // MPI_FLOAT
    }
    return log_add(at, sample, error);
}

static gboolean read_row(LogLines *at, gpointer data, GError **error)
{
    const ImbBlock *const block = data;
    double value[N_COLUMNS] = {0};
    size_t bytes = 0, repetitions = 0;
    static const char *const unmeasured[][2] = {{"time-out.;", "of sizes that timed out"},
                                                {"out-of-mem.;", "of sizes for which IMB had no memory"},
                                                {"int-overflow.;", "of sizes that are too large for IMB"}};
    for (guint i = 0; at->n_words > 1 && i < G_N_ELEMENTS(unmeasured); i++)
        if (strcmp(at->words[1], unmeasured[i][0]) == 0) {
            log_count(at, unmeasured[i][1]);
            return log_size(at, 0, names[BYTES], LIMIT_BYTES, &bytes, error);
        }
    if (at->n_words != block->n)
        return log_bad(at, error, "%u fields; allowed: %u, as in the header", at->n_words, block->n);
    for (guint i = 0; i < block->n; i++) {
        const ImbColumn c = block->column[i];
        if (c == BYTES         ? !log_size(at, i, names[c], LIMIT_BYTES, &bytes, error)
            : c == REPETITIONS ? !log_size(at, i, names[c], SIZE_MAX, &repetitions, error)
                               : !log_number(at, i, names[c], &value[c], error))
            return FALSE;
    }
    if (value[DEFECTS] > 0)
        return log_bad(at, error, "the data were wrong: defects is %g", value[DEFECTS]);
    return add_row(at, block, bytes, value, error);
}

// Reads a line. Returns FALSE and an error if it cannot be used.
static gboolean read_line(LogLines *at, gpointer data, GError **error)
{
    ImbBlock *const block = data;
    const char *line = at->text;
    while (g_ascii_isspace(*line))
        line++;
    const gboolean header = g_str_has_prefix(line, "#bytes") || g_str_has_prefix(line, "#repetitions");
    if (g_str_has_prefix(line, begin))
        return read_title(at, block, error);
    if (block->skip || !*line)
        return TRUE;
    if (header) {
        block->skip = !read_columns(at, block, error);
        return !block->skip;
    }
    if (*line == '#')
        return read_comment(at, line, block, error);
    return log_row(at, block->n > 0, read_row, block, error);
}

void log_imb_read(LogLines *at)
{
    ImbBlock block = {0};
    log_each_line(at, read_line, &block);
}

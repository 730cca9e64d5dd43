// nccl-tests. A table is
//     # Collective test starting: all_reduce_perf                                            of newer versions
//     # nThread 1 nGpus 1 minBytes 8 maxBytes 8589934592 step: 2(factor) ..
//     #  Rank  0 Group  0 Pid   6899 on n1 device  0 [0000:04:00] NVIDIA H100                a line for each rank
//     #       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
//     #        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
//          1048576        262144     float     sum      -1    156.7    6.69    6.69      0    135.7    7.73    7.73      0
// The first time is that of separate buffers, the second one in place. The size is all that a rank has in the end: p
// blocks in allgather, alltoall, gather and scatter. Older versions do not say which collective ran, so that a label
// must. Lines of NCCL itself (nccl_log.h) may stand anywhere; where its variables name an algorithm and a protocol, these ran.
#include "base/limits.h"
#include "base/number.h"
#include "measurements/logs/log_lines.h"
#include <math.h>
#include <string.h>

// The tests, and the ratio busbw / algbw: a number times (p-1)/p, or 1.
static const struct {
    const char *name;
    Collective collective;
    int passes; // 0 for busbw = algbw
} tests[] = {
    {"all_reduce", COLL_ALLREDUCE, 2}, {"reduce_scatter", COLL_REDUCE_SCATTER, 1},
    {"all_gather", COLL_ALLGATHER, 1}, {"alltoall", COLL_ALLTOALL, 1},
    {"gather", COLL_GATHER, 1},        {"scatter", COLL_SCATTER, 1},
    {"broadcast", COLL_BCAST, 0},      {"reduce", COLL_REDUCE, 0},
};

typedef enum { SIZE, TYPE, ROOT, TIME, ALGBW, BUSBW, WRONG, N_COLUMNS } NcclColumn;
static const char *const names[N_COLUMNS] = {"size", "type", "root", "time", "algbw", "busbw", "#wrong"};
static const char not_run[] = "N/A"; // in the place of a number

// The table that is being read.
typedef struct NcclBlock {
    int test;                // index into tests; -1 if nothing says it
    int p;                   // the largest rank so far + 1
    int column[N_COLUMNS];   // -1 for none
    int in_place[N_COLUMNS]; // the second columns of these names; -1 for none
    guint n;                 // number of columns; 0 until their header is read
    gboolean skip;           // the table cannot be read, for a reason that was noted
} NcclBlock;

static const char starting[] = "# Collective test starting: ", threads[] = "# nThread ";

gboolean log_nccl_is(const char *line)
{
    return g_str_has_prefix(line, starting) || (g_str_has_prefix(line, threads) && strstr(line, "minBytes"));
}

// Begins a table: by the name of its test, or by the line behind it, which older versions have alone.
static void begin(LogLines *at, NcclBlock *block)
{
    const gboolean named = g_str_has_prefix(at->text, starting);
    const LogLabel *const label = at->label;
    const int before = block->n || block->p ? -1 : block->test; // named by the line before
    *block = (NcclBlock){.test = named ? -1 : before};
    at->sweep++;
    for (guint i = 0; i < G_N_ELEMENTS(tests); i++) {
        g_autofree char *name = g_strdup_printf("%s_perf", tests[i].name);
        if ((named && strcmp(at->text + strlen(starting), name) == 0) ||
            (!named && block->test < 0 && label && label->given && label->kind == LOG_COLLECTIVE &&
             label->collective == tests[i].collective))
            block->test = (int)i;
    }
}

static gboolean read_columns(LogLines *at, NcclBlock *block, GError **error)
{
    for (int k = 0; k < N_COLUMNS; k++) {
        block->column[k] = block->in_place[k] = -1;
        for (guint i = at->n_words - 1; i > 0; i--) // the first of two counts, after the # of the line
            if (strcmp(at->words[i], names[k]) == 0) {
                block->in_place[k] = k >= TIME ? block->column[k] : -1;
                block->column[k] = (int)i - 1;
            }
    }
    block->n = at->n_words - 1;
    block->skip = block->test < 0 || block->p < 1 || block->column[TIME] < 0;
    if (block->test < 0)
        return log_bad(at, error,
                       "output of nccl-tests, which does not say which collective it measured; allowed: a label, as "
                       "allreduce=%s, in compare and plot, or allreduce:ring=%s in calibrate and validate",
                       log_path(at->log), log_path(at->log));
    return !block->skip || log_bad(at, error, "nccl-tests without %s; allowed: what nccl-tests prints",
                                   block->p < 1 ? "lines `#  Rank`" : "a column `time`");
}

// Returns FALSE and an error unless the bandwidths, in these columns, are those of the collective.
static gboolean check_rates(const LogLines *at, const NcclBlock *block, const int *column, GError **error)
{
    double algbw, busbw;
    const int passes = tests[block->test].passes;
    const double times = passes ? passes * (block->p - 1.0) / block->p : 1;
    if (column[ALGBW] < 0 || column[BUSBW] < 0)
        return TRUE;
    return log_number(at, (guint)column[ALGBW], names[ALGBW], &algbw, error) &&
           log_number(at, (guint)column[BUSBW], names[BUSBW], &busbw, error) &&
           (fabs(busbw - times * algbw) <= 0.02 * algbw + 0.02 ||
            log_bad(at, error,
                    "busbw is %g and algbw %g, which is not %s on %d ranks; allowed: the label of another "
                    "collective",
                    busbw, algbw, tests[block->test].name, block->p));
}

// Adds the sample with the time that these columns have.
static gboolean add_time(LogLines *at, const NcclBlock *block, const int *column, LogSample sample, GError **error)
{
    double us, wrong = 0;
    const char *const bad = column[WRONG] < 0 ? not_run : at->words[column[WRONG]];
    if (!log_number(at, (guint)column[TIME], names[TIME], &us, error) || !check_rates(at, block, column, error))
        return FALSE;
    if (strcmp(bad, not_run) != 0 && !(number_real(bad, &wrong) && wrong == 0))
        return log_bad(at, error, "the data were wrong: #wrong is %.20s", bad);
    sample.time_s = us * 1e-6;
    return log_add(at, sample, error);
}

static gboolean read_row(LogLines *at, gpointer data, GError **error)
{
    const NcclBlock *const block = data;
    const NcclLog *const said = at->log->nccl;
    LogSample sample = {LOG_COLLECTIVE, .p = block->p, .collective = tests[block->test].collective};
    const gboolean blocks = !collectives[sample.collective].vector && sample.collective != COLL_REDUCE_SCATTER;
    if (at->n_words != block->n)
        return log_bad(at, error, "%u fields; allowed: %u, as in the header", at->n_words, block->n);
    if (!log_size(at, (guint)block->column[SIZE], names[SIZE], LIMIT_BYTES, &sample.bytes, error))
        return FALSE;
    if (block->column[TYPE] >= 0)
        log_datatype(at->words[block->column[TYPE]], &sample.element);
    if (block->column[ROOT] >= 0)
        number_int(at->words[block->column[ROOT]], 0, block->p - 1, &sample.root);
    // A command that simulates algorithms has none of these; it asks for a label.
    const gboolean wanted = at->how->in_place || at->how->choices || at->how->defaults;
    if (wanted && said && said->forced >= 0 && !(at->label && at->label->algorithm))
        sample.algorithm = nccl_pair_name(said->forced);
    sample.bytes /= blocks ? (size_t)block->p : 1;
    at->log->time_is = at->how->in_place ? "time, out of place and in place" : "time, out of place";
    if (!add_time(at, block, block->column, sample, error))
        return FALSE;
    sample.in_place = TRUE;
    return !at->how->in_place || block->in_place[TIME] < 0 || strcmp(at->words[block->in_place[TIME]], not_run) == 0 ||
           add_time(at, block, block->in_place, sample, error);
}

static gboolean read_line(LogLines *at, gpointer data, GError **error)
{
    NcclBlock *const block = data;
    if (log_nccl_is(at->text)) {
        begin(at, block);
        return TRUE;
    }
    if (block->skip || !at->n_words || nccl_log_line(at->text))
        return TRUE;
    if (strcmp(at->words[0], "#") == 0) {
        int rank;
        if (at->n_words > 2 && strcmp(at->words[1], "Rank") == 0 &&
            number_int(at->words[2], 0, LIMIT_RANKS - 1, &rank)) // a program without MPI has a rank 0 in each process
            block->p = MAX(block->p, rank + 1);
        return at->n_words < 2 || strcmp(at->words[1], names[SIZE]) != 0 || read_columns(at, block, error);
    }
    if (*at->text == '#')
        return TRUE;
    return log_row(at, block->n > 0, read_row, block, error);
}

void log_nccl_read(LogLines *at)
{
    NcclBlock block = {.test = -1};
    log_pass(at->log, "line %u: the buffers are a GPU's, which no model knows", at->line);
    log_each_line(at, read_line, &block);
}

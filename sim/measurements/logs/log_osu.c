// OSU micro-benchmarks. A table is
//     # OSU MPI Allreduce Latency Test v7.3
//     # Datatype: MPI_FLOAT.                                                                    from 7.1 on
//     # Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations              all but Avg with -f
//     4                      82.69             78.98             85.16        1000
// osu_latency has one column of times, the one-way times. A size is what -m is: the whole vector of a bcast or a
// reduction, the block of one rank in the other collectives. The bandwidth tests keep a window of messages under way,
// so their times are not those of one message, but from one message of a sender to its next:
//     osu_bw       "Bandwidth (MB/s)" of a sender: n / 1e6 / rate
//     osu_bibw     the same, of both directions together: 2 n / 1e6 / rate
//     osu_mbw_mr   "MB/s" and "Messages/s" of all pairs together, "# [ pairs: 4 ] [ window size: 64 ]": pairs / messages
#include "base/limits.h"
#include "base/number.h"
#include "measurements/logs/log_lines.h"
#include <stdint.h>
#include <string.h>

typedef enum {
    SIZE,
    TIME,
    AVERAGE,
    LEAST,
    MOST,
    ITERATIONS,
    PERCENTILE,
    VALIDATION,
    RATE,     // megabytes (10^6 bytes) per second
    MESSAGES, // per second
    N_COLUMNS
} OsuColumn;

static const struct {
    const char *text; // in the header
    OsuColumn column;
} columns[] = {
    {"Size", SIZE},
    {"Latency (us)", TIME},
    {"Latency(us)", TIME},
    {"Avg Latency(us)", AVERAGE},
    {"Avg Latency (us)", AVERAGE},
    {"Min Latency(us)", LEAST},
    {"Max Latency(us)", MOST},
    {"Iterations", ITERATIONS},
    {"P50 Tail Lat(us)", PERCENTILE},
    {"P90 Tail Lat(us)", PERCENTILE},
    {"P95 Tail Lat(us)", PERCENTILE},
    {"P99 Tail Lat(us)", PERCENTILE},
    {"Validation", VALIDATION},
    {"Bandwidth (MB/s)", RATE},
    {"MB/s", RATE},
    {"Messages/s", MESSAGES},
};

// The tests of two ranks or of pairs, by their titles.
static const struct {
    const char *test;
    LogSampleKind kind;
    OsuColumn column; // that the times are computed from
} pair_tests[] = {
    {"Latency", LOG_ONE_WAY, TIME},
    {"Multi Latency", LOG_MANY_WAYS, TIME},
    {"Bandwidth", LOG_WINDOW, RATE},
    {"Bi-Directional Bandwidth", LOG_WINDOW_BOTH, RATE},
    {"Bidirectional Bandwidth", LOG_WINDOW_BOTH, RATE}, // before 3.1
    {"Multiple Bandwidth / Message Rate", LOG_WINDOW, MESSAGES},
};

// The titles of the tests of collectives that MPI calls differently; all go on with " Latency".
static const struct {
    const char *test, *collective;
} tests[] = {
    {"All-to-All Personalized Exchange", "alltoall"},
    {"All-to-Allv Personalized Exchange", "alltoallv"},
    {"Broadcast", "bcast"},
};

enum { MAX_COLUMNS = 12 };

// The table that is being read.
typedef struct OsuBlock {
    LogSampleKind kind;
    Collective collective; // for LOG_COLLECTIVE
    OsuColumn from;        // for other kinds: the column that the times are computed from
    int window;            // messages of a window; 0 if no line says it
    int pairs;             // of ranks that send at the same time; 0 if a line that says it is still missing
    const char *type;      // the datatype's name; NULL if OSU does not say it
    size_t element, usual; // length of an element, in bytes, and what it was before OSU said it; 0 for unknown
    OsuColumn column[MAX_COLUMNS];
    guint n;       // number of columns; 0 until their header is read
    int decimals;  // behind the point of the last figure of the row before; -1 if there is none
    gboolean next; // a datatype has been named below the columns, so another header may follow
    gboolean skip; // the table cannot be read, for a reason that was noted
} OsuBlock;

static const char title[] = "# OSU MPI";

gboolean log_osu_is(const char *line)
{
    return g_str_has_prefix(line, title);
}

// Returns TRUE if a version, such as "7.0", is one before 7.1, which was the first to say the datatype.
static gboolean before_datatypes(const char *version)
{
    const size_t digits = strspn(version, "0123456789");
    const char *const rest = version + digits + (version[digits] == '.');
    g_autofree char *major = g_strndup(version, digits), *minor = g_strndup(rest, strspn(rest, "0123456789"));
    int first, second = 0;
    return number_int(major, 0, G_MAXINT, &first) &&
           (first < 7 || (first == 7 && !(number_int(minor, 0, G_MAXINT, &second) && second >= 1)));
}

// Reads "# OSU MPI NAME Latency Test v7.0", or "(Version 2.2)" of the first versions.
static gboolean read_title(LogLines *at, const char *line, OsuBlock *block, GError **error)
{
    const char *name = line + strlen(title);
    name += strcspn(name, " "); // skips a suffix such as "-CUDA"
    name += strspn(name, " ");
    static const char *const marks[] = {" Test v", " Test (Version "};
    const char *end = NULL, *version = "";
    for (guint i = 0; i < G_N_ELEMENTS(marks) && !end; i++) {
        end = strstr(name, marks[i]);
        version = end ? end + strlen(marks[i]) : version;
    }
    g_autofree char *test = g_strndup(name, end ? (gsize)(end - name) : 0);
    *block = (OsuBlock){.decimals = -1};
    for (guint i = 0; i < G_N_ELEMENTS(pair_tests); i++)
        if (strcmp(test, pair_tests[i].test) == 0) {
            block->kind = pair_tests[i].kind;
            block->from = pair_tests[i].column;
            block->pairs = block->from == MESSAGES ? 0 : 1;
            return TRUE;
        }
    block->kind = LOG_COLLECTIVE;
    if (g_str_has_suffix(test, " Latency"))
        test[strlen(test) - strlen(" Latency")] = '\0';
    else
        g_free(g_steal_pointer(&test)); // a one-sided test, or one of start-up
    const char *called = test;
    for (guint i = 0; test && i < G_N_ELEMENTS(tests); i++)
        called = strcmp(test, tests[i].test) == 0 ? tests[i].collective : called;
    block->usual = before_datatypes(version) ? 4 : 0; // MPI_FLOAT
    if (called && log_find_kind(called, &block->kind, &block->collective) && block->kind == LOG_COLLECTIVE)
        return TRUE;
    return log_bad(
        at, error,
        "this OSU test cannot be used; allowed: osu_latency, osu_multi_lat, osu_bw, osu_bibw, osu_mbw_mr and the "
        "blocking collectives");
}

// Reads the end of "# [ pairs: 4 ] [ window size: 64 ]".
static gboolean read_pairs(LogLines *at, const char *text, OsuBlock *block, GError **error)
{
    static const char window[] = "[ window size: ";
    g_autofree char *word = g_strndup(text, strcspn(text, " "));
    const char *const size = strstr(text, window);
    g_autofree char *messages =
        size ? g_strndup(size + strlen(window), strcspn(size + strlen(window), " ")) : g_strdup("");
    number_int(messages, 1, LIMIT_RANKS, &block->window);
    return number_int(word, 1, LIMIT_RANKS / 2, &block->pairs) ||
           log_bad(at, error, "pairs is '%.20s'; allowed: an integer from 1 to 2^26", word);
}

// Gives the datatype that was read to the table whose columns come next; the table is a further one if its title has one.
static void begin_table(LogLines *at, const OsuBlock *block, gboolean further)
{
    GArray *const all = at->log->benchmarks;
    if (further) {
        at->sweep++;
        log_benchmark(at, g_array_index(all, LogBenchmark, all->len - 1).title, NULL);
    }
    g_array_index(all, LogBenchmark, all->len - 1).datatype = block->type;
}

static gboolean read_datatype(LogLines *at, const char *name, OsuBlock *block, GError **error)
{
    g_autofree char *word = g_strndup(name, strcspn(name, " .")); // OSU ends its line like a sentence
    block->type = g_string_chunk_insert_const(at->log->texts, word);
    return log_datatype(name, &block->element) ||
           log_bad(at, error, "unknown datatype %.40s; allowed: one of MPI's, such as MPI_CHAR or MPI_FLOAT", name);
}

// Returns TRUE if a line begins with the name of a column, as the header of columns does.
static gboolean begins_columns(const char *line)
{
    const char *const c = line + 1 + strspn(line + 1, " \t");
    for (guint i = 0; i < G_N_ELEMENTS(columns); i++)
        if (g_str_has_prefix(c, columns[i].text) || g_str_has_prefix(c, "Latency"))
            return TRUE;
    return FALSE;
}

static gboolean read_columns(LogLines *at, const char *line, OsuBlock *block, GError **error)
{
    const char *c = line + 1;
    for (c += strspn(c, " \t\r"); *c; c += strspn(c, " \t\r")) {
        guint best = G_N_ELEMENTS(columns);
        for (guint i = 0; i < G_N_ELEMENTS(columns); i++)
            if (g_str_has_prefix(c, columns[i].text))
                best = i;
        if (best == G_N_ELEMENTS(columns) || block->n == MAX_COLUMNS)
            return log_bad(at, error, "unknown column `%.20s`; allowed: Size, then times in (us), Iterations", c);
        block->column[block->n++] = columns[best].column;
        c += strlen(columns[best].text);
    }
    gboolean has[N_COLUMNS] = {FALSE};
    for (guint i = 0; i < block->n; i++) {
        if (has[block->column[i]] && block->column[i] != PERCENTILE)
            return log_bad(at, error, "a column appears twice; allowed: once");
        has[block->column[i]] = TRUE;
    }
    if (block->kind == LOG_WINDOW || block->kind == LOG_WINDOW_BOTH)
        return (has[SIZE] && has[block->from] && block->pairs > 0) ||
               log_bad(at, error, "unexpected columns; allowed: what osu_bw, osu_bibw and osu_mbw_mr print");
    const gboolean barrier = block->kind == LOG_COLLECTIVE && block->collective == COLL_BARRIER;
    if (has[SIZE] == barrier || (!has[TIME] && !has[AVERAGE]) || (has[TIME] && has[AVERAGE]))
        return log_bad(at, error, "unexpected columns; allowed: %sLatency or Avg Latency, and more times of the same",
                       barrier ? "" : "Size, ");
    return TRUE;
}

// Adds a row of a bandwidth test. Its printed figures have two decimals, so a slow one may be 0.
static gboolean add_window(LogLines *at, const OsuBlock *block, size_t bytes, double rate, GError **error)
{
    if (rate == 0) {
        log_count(at, "with a rate of 0");
        return TRUE;
    }
    const double sent = block->from == MESSAGES          ? block->pairs
                        : block->kind == LOG_WINDOW_BOTH ? 2 * (double)bytes / 1e6
                                                         : (double)bytes / 1e6;
    at->log->time_is = "from one message to the next";
    return log_add(
        at,
        (LogSample){block->kind, .bytes = bytes, .time_s = sent / rate, .p = 2 * block->pairs, .window = block->window},
        error);
}

// Returns how many characters a word has behind its point; -1 if it has none.
static int decimals(const char *word)
{
    const char *const point = strchr(word, '.');
    return point ? (int)strlen(point + 1) : -1;
}

static gboolean read_row(LogLines *at, gpointer data, GError **error)
{
    OsuBlock *const block = data;
    double value[N_COLUMNS] = {0};
    gboolean has[N_COLUMNS] = {FALSE};
    size_t size = 0, iterations = 0;
    if (at->n_words != block->n)
        return log_bad(at, error, "%u fields; allowed: %u, as in the header", at->n_words, block->n);
    // A figure has as many decimals in all rows, unless the job was killed while it printed it.
    const int before = block->decimals;
    block->decimals = decimals(at->words[block->n - 1]);
    if (at->unended && block->decimals < before)
        return log_bad(at, error, "the line is cut; allowed: %d digits behind the point, as in the row before", before);
    for (guint i = 0; i < block->n; i++) {
        const OsuColumn column = block->column[i];
        has[column] = TRUE;
        if (column == VALIDATION) {
            if (strcmp(at->words[i], "Pass") != 0)
                return log_bad(at, error, "the data were wrong: validation says %.20s", at->words[i]);
        } else if (column == SIZE || column == ITERATIONS) {
            const gboolean bytes = column == SIZE;
            if (!log_size(at, i, bytes ? "Size" : "Iterations", bytes ? LIMIT_BYTES : SIZE_MAX,
                          bytes ? &size : &iterations, error))
                return FALSE;
        } else if (!log_number(at, i, column >= RATE ? "a rate" : "a time", &value[column], error))
            return FALSE;
    }
    if (block->kind == LOG_WINDOW || block->kind == LOG_WINDOW_BOTH)
        return add_window(at, block, size, value[block->from], error);
    const double time = has[AVERAGE] ? value[AVERAGE] : value[TIME];
    if ((has[LEAST] && value[LEAST] > time) || (has[MOST] && value[MOST] < time))
        return log_bad(at, error, "the average is not between the smallest and the largest time");
    LogSample sample = {block->kind, .bytes = size, .time_s = (has[MOST] ? value[MOST] : time) * 1e-6};
    at->log->time_is = has[MOST] ? "the largest of the ranks' averages" : "the average over the ranks";
    if (block->kind == LOG_ONE_WAY || block->kind == LOG_MANY_WAYS) {
        at->log->time_is = "one-way latency";
        sample.p = block->kind == LOG_ONE_WAY ? 2 : 0;
        sample.time_s = time * 1e-6;
        return log_add(at, sample, error);
    }
    sample.collective = block->collective;
    sample.mean = has[AVERAGE] && !has[MOST];
    sample.element = block->element;
    sample.usual_element = block->usual;
    return log_add(at, sample, error);
}

// Reads a line that begins with #.
static gboolean read_comment(LogLines *at, const char *line, OsuBlock *block, GError **error)
{
    static const char datatype[] = "# Datatype: ", pairs[] = "# [ pairs: ", device[] = "Buffer on DEVICE";
    block->next |= g_str_has_prefix(line, datatype) && block->n > 0;
    if (g_str_has_prefix(line, datatype))
        return read_datatype(at, line + strlen(datatype), block, error);
    if (g_str_has_prefix(line, pairs))
        return read_pairs(at, line + strlen(pairs), block, error);
    if (strstr(line, device)) {
        log_pass(at->log, "line %u: the buffers are a GPU's, which no model knows", at->line);
        return TRUE;
    }
    if (!begins_columns(line)) {
        log_other(at);
        return TRUE;
    }
    const gboolean second = block->n > 0 && !block->next;
    if (!second)
        begin_table(at, block, block->next);
    if (block->next) { // of one run with several datatypes
        block->next = FALSE;
        block->n = 0;
    }
    block->skip = second || !read_columns(at, line, block, error);
    return second ? log_bad(at, error, "a second header within a table") : !block->skip;
}

// Reads a line. Returns FALSE and an error if it cannot be used.
static gboolean read_line(LogLines *at, gpointer data, GError **error)
{
    OsuBlock *const block = data;
    const char *const line = at->text;
    if (log_osu_is(line)) {
        at->sweep++;
        log_benchmark(at, line + strlen("# "), NULL);
        block->skip = !read_title(at, line, block, error);
        return !block->skip;
    }
    if (block->skip || !*line)
        return TRUE;
    if (*line == '#')
        return read_comment(at, line, block, error);
    return log_row(at, block->n > 0, read_row, block, error);
}

void log_osu_read(LogLines *at)
{
    OsuBlock block = {0};
    log_each_line(at, read_line, &block);
}

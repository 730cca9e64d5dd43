#include "libraries/nccl/nccl_log.h"
#include "base/limits.h"
#include "base/number.h"
#include <math.h>
#include <string.h>

static const char info[] = "NCCL INFO ", version[] = "NCCL version ", starting[] = "# Collective test starting: ";

// The text that is being read.
typedef struct NcclReader {
    NcclLog *log;
    guint line;
    int function;                   // of older lines of choices
    int algorithm, protocol;        // that the environment names; -1 for none or several
    GArray *algorithms, *protocols; // int: the columns of the table that is being read
    gboolean rows;                  // it has had rows
    GHashTable *seen;               // GBytes: choices
} NcclReader;

gboolean nccl_log_line(const char *line)
{
    return strstr(line, info) != NULL || strstr(line, version) != NULL;
}

void nccl_log_free(NcclLog *log)
{
    if (!log)
        return;
    g_array_unref(log->tables);
    g_array_unref(log->choices);
    g_free(log);
}

const NcclTable *nccl_log_table(const NcclLog *log, int table)
{
    if (table < 0)
        table = (int)log->tables->len - 1;
    return table < 0 ? NULL : &g_array_index(log->tables, NcclTable, table);
}

static NcclTable *table_now(const NcclReader *at)
{
    GArray *tables = at->log->tables;
    return tables->len ? &g_array_index(tables, NcclTable, tables->len - 1) : NULL;
}

// ---- Words ----------------------------------------------------------------------------------------------------------

// Returns the integer behind a word and a blank, "nRanks 16"; 0 if there is none from 1 to `most`.
static int behind(const char *text, const char *word, int most)
{
    const char *at = strstr(text, word);
    g_autofree char *number = at ? g_strndup(at + strlen(word), strspn(at + strlen(word), "0123456789")) : NULL;
    int value = 0;
    if (number)
        number_int(number, 1, most, &value);
    return value;
}

// Reads "2.20.5+cuda12.4".
static int read_version(const char *text)
{
    g_auto(GStrv) parts = g_strsplit_set(text, ".+- ", 4);
    int part[3] = {0};
    for (int i = 0; i < 3 && parts[i]; i++)
        number_int(parts[i], 0, 99, &part[i]);
    return part[0] * 10000 + part[1] * 100 + part[2];
}

// Returns the capability of a GPU by its name, times 10; 0 if it is not known.
static int capability_of(const char *line)
{
    static const struct {
        const char *name;
        int capability;
    } known[] = {{"P100", 60}, {"V100", 70},  {"T4", 75},    {"A100", 80},   {"A800", 80}, {"A30", 80},
                 {"A10", 86},  {"A40", 86},   {"L4", 89},    {"H100", 90},   {"H800", 90}, {"H200", 90},
                 {"H20", 90},  {"GH200", 90}, {"B200", 100}, {"GB200", 100}, {"B300", 100}};
    g_auto(GStrv) words = g_strsplit_set(line, " -_", -1);
    for (char **word = words; *word; word++)
        for (gsize i = 0; i < G_N_ELEMENTS(known); i++)
            if (strcmp(*word, known[i].name) == 0)
                return known[i].capability;
    return 0;
}

// ---- Tables ---------------------------------------------------------------------------------------------------------

// Returns the cells of a line that | divides, without blanks around them. Free with g_strfreev.
static char **cells_of(const char *text)
{
    char **cells = g_strsplit(text, "|", -1);
    for (char **cell = cells; *cell; cell++)
        g_strstrip(*cell);
    return cells;
}

// Begins the columns of a block of a table: of a new one, unless this one is the second block of the last.
static void begin_columns(NcclReader *at, gboolean second)
{
    g_array_set_size(at->algorithms, 0);
    g_array_set_size(at->protocols, 0);
    at->rows = second;
}

// Reads "Latency/AlgBw | Tree/ LL | Tree/ LL128 |".
static void read_old_header(NcclReader *at, char **cells)
{
    begin_columns(at, FALSE);
    for (char **cell = cells + 1; *cell && **cell; cell++) {
        g_auto(GStrv) both = g_strsplit(*cell, "/", 2);
        const int algorithm = nccl_algorithm(g_strstrip(both[0])),
                  protocol = both[1] ? nccl_protocol(g_strstrip(both[1])) : -1;
        g_array_append_val(at->algorithms, algorithm);
        g_array_append_val(at->protocols, protocol);
    }
    at->log->last.old_layout = TRUE;
}

// Reads "Algorithm | Tree | Ring |": each algorithm has a column for each protocol. A block that begins with tree
// begins a table.
static void read_algorithms(NcclReader *at, char **cells)
{
    begin_columns(at, cells[1] && nccl_algorithm(cells[1]) != NCCL_TREE);
    for (char **cell = cells + 1; *cell && **cell; cell++) {
        const int algorithm = nccl_algorithm(*cell);
        for (int i = 0; i < NCCL_N_PROTOCOLS; i++)
            g_array_append_val(at->algorithms, algorithm);
    }
    at->log->last.old_layout = FALSE;
}

static void read_protocols(NcclReader *at, char **cells)
{
    g_array_set_size(at->protocols, 0);
    for (char **cell = cells + 1; *cell && **cell; cell++) {
        const int protocol = nccl_protocol(*cell);
        g_array_append_val(at->protocols, protocol);
    }
}

// Reads "25.2/ 8.7". Returns FALSE if it is not that.
static gboolean read_cell(const char *cell, double *latency, double *bandwidth)
{
    g_auto(GStrv) both = g_strsplit(cell, "/", 2);
    return both[0] && both[1] && number_real(g_strstrip(both[0]), latency) &&
           number_real(g_strstrip(both[1]), bandwidth);
}

static void read_row(NcclReader *at, int function, char **cells)
{
    const guint n = MIN(at->algorithms->len, at->protocols->len);
    if (n == 0)
        return;
    if (!at->rows || !at->log->tables->len) {
        NcclTable table = at->log->last;
        table.line = at->line;
        g_array_append_val(at->log->tables, table);
    }
    at->rows = TRUE;
    NcclTable *table = table_now(at);
    for (guint i = 0; i < n && cells[i + 1]; i++) {
        const int algorithm = g_array_index(at->algorithms, int, i), protocol = g_array_index(at->protocols, int, i);
        double latency, bandwidth;
        if (algorithm < 0 || protocol < 0 || !read_cell(cells[i + 1], &latency, &bandwidth))
            continue;
        table->latency_us[function][NCCL_PAIR(algorithm, protocol)] = latency;
        table->bandwidth_gb_per_s[function][NCCL_PAIR(algorithm, protocol)] = bandwidth;
    }
}

static void read_table(NcclReader *at, const char *text)
{
    g_auto(GStrv) cells = cells_of(text);
    const int function = nccl_function(cells[0]);
    if (strcmp(cells[0], "Latency/AlgBw") == 0)
        read_old_header(at, cells);
    else if (strcmp(cells[0], "Algorithm") == 0)
        read_algorithms(at, cells);
    else if (strcmp(cells[0], "Protocol") == 0)
        read_protocols(at, cells);
    else if (function >= 0)
        read_row(at, function, cells);
}

// ---- Choices --------------------------------------------------------------------------------------------------------

// Returns the number of an algorithm or a protocol, which lines give as a number or as a name; -1 if it is neither.
static int number_or_name(const char *word, int n, int find(const char *))
{
    int number;
    return number_int(word, 0, n - 1, &number) ? number : find(word);
}

static void add_choice(NcclReader *at, const NcclChoice *choice)
{
    const gint64 key[] = {choice->function, (gint64)choice->bytes, choice->pair, choice->table};
    GBytes *bytes = g_bytes_new(key, sizeof key);
    at->log->full |= at->log->choices->len >= LIMIT_LOG_ROWS;
    if (!g_hash_table_contains(at->seen, bytes) && !at->log->full)
        g_array_append_vals(at->log->choices, choice, 1);
    g_hash_table_add(at->seen, bytes);
}

// Reads "[AllReduce: ]N Bytes -> Algo A proto P [time T] [channel{Lo..Hi}={0..15}]".
static void read_choice(NcclReader *at, const char *text)
{
    g_auto(GStrv) words = g_strsplit_set(text, " ", -1);
    const guint n = g_strv_length(words);
    const gboolean named = n > 0 && g_str_has_suffix(words[0], ":");
    const guint first = named ? 1 : 0;
    NcclChoice choice = {.line = at->line, .function = at->function, .time_us = NAN};
    if (n < first + 7 || strcmp(words[first + 1], "Bytes") != 0 ||
        !number_size(words[first], 0, LIMIT_BYTES, &choice.bytes))
        return;
    const int algorithm = number_or_name(words[first + 4], NCCL_N_ALGORITHMS, nccl_algorithm),
              protocol = number_or_name(words[first + 6], NCCL_N_PROTOCOLS, nccl_protocol);
    if (named) {
        words[0][strlen(words[0]) - 1] = '\0';
        choice.function = nccl_function(words[0]);
    }
    if (algorithm < 0 || protocol < 0 || (named && choice.function < 0))
        return; // such as a send
    if (n > first + 8 && strcmp(words[first + 7], "time") == 0)
        number_real(words[first + 8], &choice.time_us);
    const char *const high = strstr(text, "={"), *const dots = high ? strstr(high, "..") : NULL;
    if (dots && behind(dots, "..", 1024))
        choice.channels = behind(dots, "..", 1024) + 1;
    choice.pair = NCCL_PAIR(algorithm, protocol);
    choice.table = (int)at->log->tables->len - 1;
    // Lines that name the collective count what one rank gives.
    const gboolean block = named && (choice.function == NCCL_ALLGATHER || choice.function == NCCL_REDUCESCATTER);
    const int ranks = at->log->last.ranks;
    if (block && ranks && choice.bytes <= LIMIT_BYTES / (size_t)ranks)
        choice.bytes *= (size_t)ranks;
    add_choice(at, &choice);
}

// ---- Other lines ----------------------------------------------------------------------------------------------------

// Notes how many channels a communicator has: "Channel 05/16 : 0 7" or "16 coll channels, ..".
static void read_channels(NcclReader *at, const char *text)
{
    int channels = 0;
    if (g_str_has_prefix(text, "Channel ") && strchr(text, '/') && strstr(text, " :"))
        channels = behind(strchr(text, '/'), "/", 1024);
    else if (strstr(text, " coll channels"))
        channels = behind(text, "", 1024);
    if (!channels)
        return;
    at->log->last.channels = channels;
    NcclTable *table = table_now(at);
    if (table && !table->channels)
        table->channels = channels;
}

// Reads "NCCL_ALGO set by environment to Tree". A list, and a list for each collective, name none.
static void read_environment(NcclReader *at, const char *text)
{
    static const char set[] = " set by environment to ";
    const char *const to = strstr(text, set);
    if (!to)
        return;
    g_autofree char *value = g_strstrip(g_strdup(to + strlen(set)));
    value[strcspn(value, ". ")] = '\0';
    if (g_str_has_prefix(text, "NCCL_ALGO "))
        at->algorithm = nccl_algorithm(value);
    else if (g_str_has_prefix(text, "NCCL_PROTO "))
        at->protocol = nccl_protocol(value);
    at->log->forced = at->algorithm < 0 || at->protocol < 0 ? -1 : NCCL_PAIR(at->algorithm, at->protocol);
}

static void read_info(NcclReader *at, const char *text)
{
    NcclTable *last = &at->log->last;
    if (strchr(text, '|')) {
        read_table(at, text);
        return;
    }
    if (strstr(text, " Bytes -> Algo ")) {
        read_choice(at, text);
        return;
    }
    read_environment(at, text);
    read_channels(at, text);
    const gboolean communicator = strstr(text, "comm ") != NULL;
    const int ranks =
                  communicator ? MAX(behind(text, " nRanks ", LIMIT_RANKS), behind(text, " nranks ", LIMIT_RANKS)) : 0,
              nodes = communicator ? behind(text, " nNodes ", LIMIT_RANKS) : 0;
    if (ranks && ranks != last->ranks && !nodes) // of another communicator, so that what is known is not of it
        last->nodes = last->channels = 0;
    if (ranks)
        last->ranks = ranks;
    if (nodes)
        last->nodes = nodes;
    NcclTable *table = table_now(at);
    if (table && !table->ranks)
        table->ranks = ranks;
    if (table && !table->nodes && nodes)
        table->nodes = nodes;
}

// Returns the collective of "# Collective test starting: all_reduce_perf"; -1 if NCCL does not choose for it.
static int tested(const char *name)
{
    g_autofree char *bare = g_strndup(name, strcspn(name, " \r"));
    if (g_str_has_suffix(bare, "_perf"))
        bare[strlen(bare) - strlen("_perf")] = '\0';
    return nccl_function(bare);
}

static void read_line(NcclReader *at, char *line)
{
    const char *const said = strstr(line, info), *const released = strstr(line, version),
                      *const test = strstr(line, starting);
    if (said)
        read_info(at, said + strlen(info));
    else if (released)
        at->log->last.version = read_version(released + strlen(version));
    else if (test)
        at->function = tested(test + strlen(starting));
    else if (strstr(line, "NVIDIA ") && strstr(line, " Rank "))
        at->log->last.capability = capability_of(line);
}

NcclLog *nccl_log_read(const char *text, int function)
{
    if (!strstr(text, info))
        return NULL;
    NcclLog *log = g_new0(NcclLog, 1);
    log->tables = g_array_new(FALSE, FALSE, sizeof(NcclTable));
    log->choices = g_array_new(FALSE, FALSE, sizeof(NcclChoice));
    log->forced = -1;
    NcclReader at = {.log = log,
                     .function = function,
                     .algorithm = -1,
                     .protocol = -1,
                     .algorithms = g_array_new(FALSE, FALSE, sizeof(int)),
                     .protocols = g_array_new(FALSE, FALSE, sizeof(int)),
                     .seen = g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL)};
    g_autoptr(GString) line = g_string_new(NULL);
    for (const char *rest = text; rest;) {
        const char *const end = strchr(rest, '\n');
        g_string_truncate(line, 0);
        g_string_append_len(line, rest, end ? end - rest : -1);
        at.line++;
        read_line(&at, line->str);
        rest = end ? end + 1 : NULL;
    }
    g_array_unref(at.algorithms);
    g_array_unref(at.protocols);
    g_hash_table_unref(at.seen);
    return log;
}

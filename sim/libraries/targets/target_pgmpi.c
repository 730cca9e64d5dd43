// A profile of PGMPITuneLib, for one collective on one number of ranks:
//     MPI_Allgather                   the collective
//     4                               ranks
//     2                               how many mock-ups
//     1 allgather_as_allreduce        .. with the numbers that ranges have
//     2 allgather_as_gather_bcast
//     1                               how many ranges of sizes
//     16 1024 2                       the first that has a size decides
// Lines that begin with # are comments, and what follows the last word of a line is not read. There is no empty line:
// it counts as one that lacks its words.
#include "base/distinct.h"
#include "base/limits.h"
#include "base/number.h"
#include "libraries/targets/target.h"
#include <string.h>

enum { FUNCTION_BYTES = 39, NAME_BYTES = 59, LINE_BYTES = 99, MOST_BYTES = G_MAXINT32, MOST_LISTED = 1024 };

const TargetMockUp target_mock_ups[] = {
    {COLL_ALLGATHER, "allgather_as_allgatherv", "allgather(m) <= allgatherv(m)"},
    {COLL_ALLGATHER, "allgather_as_allreduce", "allgather(m) <= allreduce(p*m)"},
    {COLL_ALLGATHER, "allgather_as_alltoall", "allgather(m) <= alltoall(m)"},
    {COLL_ALLGATHER, "allgather_as_gather_bcast", "allgather(m) <= gather(m) + bcast(p*m)"},
    {COLL_ALLREDUCE, "allreduce_as_reduce_bcast", "allreduce(m) <= reduce(m) + bcast(m)"},
    {COLL_ALLREDUCE, "allreduce_as_reducescatterblock_allgather",
     "allreduce(p*m) <= reduce_scatter_block(m) + allgather(m)"},
    {COLL_ALLREDUCE, "allreduce_as_reducescatter_allgatherv", "allreduce(p*m) <= reduce_scatter(p*m) + allgatherv(m)"},
    {COLL_ALLTOALL, "alltoall_as_alltoallv", "alltoall(m) <= alltoallv(m)"},
    {COLL_BCAST, "bcast_as_allgatherv", NULL},
    {COLL_BCAST, "bcast_as_scatter_allgather", "bcast(p*m) <= scatter(m) + allgather(m)"},
    {COLL_GATHER, "gather_as_allgather", "gather(m) <= allgather(m)"},
    {COLL_GATHER, "gather_as_gatherv", "gather(m) <= gatherv(m)"},
    {COLL_GATHER, "gather_as_reduce", "gather(m) <= reduce(p*m)"},
    {COLL_REDUCE, "reduce_as_allreduce", "reduce(m) <= allreduce(m)"},
    {COLL_REDUCE, "reduce_as_reducescatterblock_gather", "reduce(p*m) <= reduce_scatter_block(m) + gather(m)"},
    {COLL_REDUCE, "reduce_as_reducescatter_gatherv", "reduce(p*m) <= reduce_scatter(p*m) + gatherv(m)"},
    {COLL_REDUCE_SCATTER_BLOCK, "reducescatterblock_as_reduce_scatter",
     "reduce_scatter_block(m) <= reduce(p*m) + scatter(m)"},
    {COLL_REDUCE_SCATTER_BLOCK, "reducescatterblock_as_reducescatter",
     "reduce_scatter_block(m) <= reduce_scatter(p*m)"},
    {COLL_REDUCE_SCATTER_BLOCK, "reducescatterblock_as_allreduce", "reduce_scatter_block(m) <= allreduce(p*m)"},
    {COLL_SCAN, "scan_as_exscan_reducelocal", "scan(m) <= exscan(m) + reduce_local(m)"},
    {COLL_SCATTER, "scatter_as_bcast", "scatter(m) <= bcast(p*m)"},
    {COLL_SCATTER, "scatter_as_scatterv", "scatter(m) <= scatterv(m)"},
};
const guint target_n_mock_ups = G_N_ELEMENTS(target_mock_ups);

char *target_pgmpi_function(Collective collective)
{
    g_autofree char *name = g_strdup(collectives[collective].name);
    name[0] = g_ascii_toupper(name[0]);
    return g_strconcat("MPI_", name, NULL);
}

// Returns the collective of a function's name; -1 if the library has no mock-ups of it.
static int find_function(const char *word)
{
    for (guint i = 0; i < target_n_mock_ups; i++) {
        g_autofree char *name = target_pgmpi_function(target_mock_ups[i].collective);
        if (strcmp(name, word) == 0)
            return (int)target_mock_ups[i].collective;
    }
    return -1;
}

static gboolean known(int collective, const char *name)
{
    gboolean found = strcmp(name, "default") == 0;
    for (guint i = 0; i < target_n_mock_ups; i++)
        found |= (int)target_mock_ups[i].collective == collective && strcmp(target_mock_ups[i].name, name) == 0;
    return found;
}

// Goes to the next line that is not a comment. Returns its words (free with g_strfreev), or NULL and a trap at the end
// of the file, where the library ends the program.
static char **next(TargetLines *at, const char *what)
{
    while (at->lines[at->line] && at->lines[at->line][0] == '#')
        at->line++;
    if (!at->lines[at->line] || (!at->lines[at->line + 1] && !at->lines[at->line][0])) {
        target_trap(at->file, TRAP_START, MAX(at->line, 1), "the file ends before %s", what);
        return NULL;
    }
    const char *line = at->lines[at->line++];
    if (strlen(line) > LINE_BYTES)
        target_trap(at->file, TRAP_NOTE, at->line, "the line has more than %d bytes", LINE_BYTES);
    char **words = g_strsplit_set(line, " \t\r", -1);
    guint n = 0;
    for (guint i = 0; words[i]; i++) {
        if (*words[i])
            words[n++] = words[i];
        else
            g_free(words[i]);
    }
    words[n] = NULL;
    return words;
}

// Reads word i as an integer from `least` to `most`. Without the word, the library uses what memory holds.
static gboolean number_of(TargetLines *at, char **words, guint i, const char *what, int least, int most, int *value)
{
    if (i < g_strv_length(words) && number_int(words[i], least, most, value))
        return TRUE;
    g_autofree char *allowed = number_range((size_t)least, (size_t)most);
    if (i >= g_strv_length(words))
        target_trap(at->file, TRAP_CRASH, at->line, "the line lacks %s, and the library takes what its memory holds",
                    what);
    else
        target_trap(at->file, TRAP_MISREAD, at->line, "%s is '%.40s'; allowed: %s", what, words[i], allowed);
    return FALSE;
}

// Reads a line with one number.
static gboolean read_number(TargetLines *at, const char *what, int least, int most, int *value)
{
    g_auto(GStrv) words = next(at, what);
    return words && number_of(at, words, 0, what, least, most, value);
}

// The mock-ups that a profile lists.
typedef struct PgmpiListed {
    int ids[MOST_LISTED];
    char *names[MOST_LISTED];
    int n;
} PgmpiListed;

static gboolean read_listed(TargetLines *at, int collective, PgmpiListed *listed)
{
    int n;
    if (!read_number(at, "the number of mock-ups", 0, MOST_LISTED, &n))
        return FALSE;
    for (int i = 0; i < n; i++) {
        g_auto(GStrv) words = next(at, "a mock-up");
        if (!words || !number_of(at, words, 0, "the number of a mock-up", 0, G_MAXINT32, &listed->ids[i]))
            return FALSE;
        if (!words[1] || strlen(words[1]) > NAME_BYTES) {
            target_trap(at->file, TRAP_CRASH, at->line, "%s; allowed: a name of at most %d bytes",
                        words[1] ? "the name is too long for the library's memory" : "the line lacks a name",
                        NAME_BYTES);
            return FALSE;
        }
        if (!known(collective, words[1])) {
            const gboolean lane = g_str_has_suffix(words[1], "_lane") || g_str_has_suffix(words[1], "_hier") ||
                                  g_str_has_suffix(words[1], "_zero") || g_str_has_suffix(words[1], "_circulant");
            target_trap(at->file, lane ? TRAP_NOTE : TRAP_START, at->line,
                        lane ? "%s is only in some builds of the library" : "%s is not a mock-up of this collective",
                        words[1]);
        }
        listed->names[i] = g_strdup(words[1]);
        listed->n = i + 1;
    }
    return TRUE;
}

static void read_ranges(TargetLines *at, int collective, int p, const PgmpiListed *listed)
{
    int n, least, most, id;
    if (!read_number(at, "the number of ranges", 1, 1 << 20, &n))
        return;
    for (int i = 0; i < n; i++) {
        g_auto(GStrv) words = next(at, "a range of sizes");
        if (!words || !number_of(at, words, 0, "the least size", 0, MOST_BYTES, &least) ||
            !number_of(at, words, 1, "the largest size", 0, MOST_BYTES, &most) ||
            !number_of(at, words, 2, "the number of the mock-up", 0, G_MAXINT32, &id))
            return;
        int k = 0;
        while (k < listed->n && listed->ids[k] != id)
            k++;
        if (least > most || k == listed->n) {
            target_trap(at->file, least > most ? TRAP_START : TRAP_CRASH, at->line, "%s",
                        least > most ? "the range ends before it begins"
                                     : "no mock-up has this number, and the library takes what its memory holds");
            continue;
        }
        const TargetRule rule = {.collective = (Collective)collective,
                                 .ranks = {p, p},
                                 .bytes = {least, most},
                                 .id = -1,
                                 .runs = listed->names[k],
                                 .line = at->line};
        target_add(at->file, &rule);
    }
}

static void read_profile(TargetLines *at)
{
    PgmpiListed *listed = g_new0(PgmpiListed, 1);
    int p, collective = -1;
    g_auto(GStrv) words = next(at, "the name of a collective");
    if (words && (!words[0] || strlen(words[0]) > FUNCTION_BYTES))
        target_trap(at->file, TRAP_CRASH, at->line, "%s; allowed: a name such as MPI_Allgather",
                    words[0] ? "the name is too long for the library's memory" : "the line has no name");
    else if (words && (collective = find_function(words[0])) < 0)
        target_trap(at->file, TRAP_START, at->line, "%.40s is not a function that PGMPITuneLib replaces", words[0]);
    if (collective >= 0 && read_number(at, "the number of ranks", 1, LIMIT_RANKS, &p) &&
        read_listed(at, collective, listed))
        read_ranges(at, collective, p, listed);
    for (int i = 0; i < listed->n; i++)
        g_free(listed->names[i]);
    g_free(listed);
}

void target_pgmpi_read(TargetLines *at)
{
    read_profile(at);
    if (target_n_traps(at->file))
        return;
    for (; at->lines[at->line]; at->line++)
        if (at->lines[at->line][0] && at->lines[at->line][0] != '#') {
            target_trap(at->file, TRAP_UNREAD, at->line + 1, "nothing is read behind the last range");
            return;
        }
}

void target_pgmpi_write(GString *text, const GArray *rules)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    const TargetRule *first = &g_array_index(rules, TargetRule, 0);
    g_autofree char *function = target_pgmpi_function(first->collective);
    for (guint i = 0; i < rules->len; i++)
        distinct_name(names, g_array_index(rules, TargetRule, i).runs);
    g_string_append_printf(text, "%s\n%d # ranks\n%u # mock-ups\n", function, (int)first->ranks.first, names->len);
    for (guint i = 0; i < names->len; i++)
        g_string_append_printf(text, "%u %s\n", i + 1, (const char *)names->pdata[i]);
    g_string_append_printf(text, "%u # ranges of bytes, and the mock-up of each\n", rules->len);
    for (guint i = 0; i < rules->len; i++) {
        const TargetRule *rule = &g_array_index(rules, TargetRule, i);
        g_string_append_printf(text, "%d %d %u\n", (int)rule->bytes.first, (int)MIN(rule->bytes.last, MOST_BYTES),
                               distinct_name(names, rule->runs) + 1);
    }
}

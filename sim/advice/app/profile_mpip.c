// The report of mpiP, versions 3.3 to 3.5. A section begins with a line `@--- TITLE --`, between two lines of dashes,
// and a line with the names of its columns. These are read:
//
//     @ MPI Task Assignment : 0 host       the ranks, and which of them share a node
//     MPI Time (seconds)                   the line * has the time of all ranks in MPI
//     Aggregate Time                       calls and times of the 20 call sites that take longest, over all ranks
//     Aggregate Sent Message Size          calls and mean sizes of the 20 that send most
//     Callsite Time statistics             the same for all call sites: the lines whose rank is *
//     Callsite Message Sent statistics
//
// A call site is a function and a number. mpiP counts the bytes that the call's first count and type say: the vector of
// bcast, reduce, allreduce and scan, and one rank's block of others. It has no sizes of calls with a list of counts.
#include "advice/app/profile.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/lines.h"
#include "base/number.h"
#include <math.h>
#include <string.h>

typedef enum {
    SECTION_NONE,
    SECTION_TIME,
    SECTION_SITES_TIME,
    SECTION_SITES_SENT,
    SECTION_ALL_TIME,
    SECTION_ALL_SENT
} MpipSection;

static const struct {
    const char *title, *first; // how the title begins, and the first word of the names of the columns
    MpipSection section;
} sections[] = {
    {"MPI Time (seconds)", "Task", SECTION_TIME},
    {"Aggregate Time (", "Call", SECTION_SITES_TIME},
    {"Aggregate Sent Message Size (", "Call", SECTION_SITES_SENT},
    {"Callsite Time statistics", "Name", SECTION_ALL_TIME},
    {"Callsite Message Sent statistics", "Name", SECTION_ALL_SENT},
};

enum { MOST_WORDS = 12 };

typedef struct MpipReader {
    Profile *profile;
    Lines lines;
    GHashTable *sites; // NAME\tSITE -> index in `calls` + 1
    GArray *calls;     // of ProfileCall
    GArray *found;     // by call: in which sections (int), as a sum of 1 << MpipSection
    int sections;      // all sections with calls, as such a sum
    MpipSection section;
    char **names; // of the section's columns; NULL before they were read
    char *words[MOST_WORDS + 1];
    int n_words;
    // The ranks.
    GHashTable *hosts; // those seen
    char *host;        // of the last rank
    int run, per_node; // ranks on the last host so far, and on each host before; -1 if these differ
} MpipReader;

static gboolean bad_line(const MpipReader *r, GError **error, const char *what, const char *word, const char *allowed)
{
    return profile_bad(r->profile, r->lines.line, what, word, allowed, error);
}

static void split(MpipReader *r, char *line)
{
    r->n_words = 0;
    while (r->n_words < MOST_WORDS) {
        while (g_ascii_isspace(*line))
            *line++ = '\0';
        if (!*line)
            break;
        r->words[r->n_words++] = line;
        while (*line && !g_ascii_isspace(*line))
            line++;
    }
    r->words[r->n_words] = NULL;
}

// Returns the word in a column of the section; NULL if the section does not have the column.
static const char *word_of(const MpipReader *r, const char *column)
{
    for (int i = 0; i < r->n_words && r->names[i]; i++)
        if (strcmp(r->names[i], column) == 0)
            return r->words[i];
    return NULL;
}

// ---- The ranks ------------------------------------------------------------------------------------------------------

// Reads "@ MPI Task Assignment : 3 host".
static gboolean read_rank(MpipReader *r, const char *text, GError **error)
{
    text = strchr(text, ':');
    text = text ? text + 1 : "";
    while (g_ascii_isspace(*text))
        text++;
    const size_t digits = strspn(text, "0123456789");
    const char *host = text + digits;
    while (g_ascii_isspace(*host))
        host++;
    g_autofree char *number = g_strndup(text, digits);
    int rank;
    if (!number_int(number, 0, LIMIT_RANKS - 1, &rank) || rank != r->profile->ranks || !*host)
        return bad_line(r, error, "the task assignment", text, "each rank and its host, in order");
    r->profile->ranks++;
    if (r->host && strcmp(r->host, host) == 0) {
        r->run++;
        return TRUE;
    }
    if (r->host && r->per_node != r->run)
        r->per_node = r->per_node == 0 ? r->run : -1;
    if (!g_hash_table_add(r->hosts, g_strdup(host)))
        r->per_node = -1;
    g_free(r->host);
    r->host = g_strdup(host);
    r->run = 1;
    return TRUE;
}

static void place_ranks(MpipReader *r)
{
    const gboolean blocks = r->host && (r->per_node == 0 || r->per_node == r->run);
    r->profile->per_node = blocks ? r->run : 0;
    if (r->host && !blocks)
        profile_note(r->profile, "the hosts of the ranks are not equal blocks, so --map must say where they are");
}

// ---- Sections -------------------------------------------------------------------------------------------------------

// Finds the call site of a row, or adds it.
static ProfileCall *site_of(MpipReader *r, int **found)
{
    const char *const site = word_of(r, "Site");
    g_autofree char *key = g_strconcat(r->words[0], "\t", site ? site : "", NULL);
    guint at = GPOINTER_TO_UINT(g_hash_table_lookup(r->sites, key));
    if (!at) {
        const ProfileCall call = {g_strdup(r->words[0]), r->lines.line, 0, NAN, NAN, NAN, FALSE, FALSE};
        const int none = 0;
        g_array_append_val(r->calls, call);
        g_array_append_val(r->found, none);
        at = r->calls->len;
        g_hash_table_insert(r->sites, g_steal_pointer(&key), GUINT_TO_POINTER(at));
    }
    *found = &g_array_index(r->found, int, at - 1);
    return &g_array_index(r->calls, ProfileCall, at - 1);
}

static gboolean read_calls(const MpipReader *r, ProfileCall *call, GError **error)
{
    const char *const word = word_of(r, "Count");
    size_t calls;
    if (!word) // mpiP 3.3 has no counts among the aggregate times
        return TRUE;
    if (!number_size(word, 0, (size_t)1 << 62, &calls))
        return bad_line(r, error, "Count", word, "an integer, 0 or above");
    call->calls = (gint64)calls;
    return TRUE;
}

static gboolean read_time(const MpipReader *r, const char *column, double *value, GError **error)
{
    const char *const word = word_of(r, column);
    return word && number_real(word, value) ? TRUE
                                            : bad_line(r, error, column, word ? word : "", "a number, 0 or above");
}

// Reads the size of a row. The statistics of call sites have 4 digits, the aggregate ones 3.
static gboolean read_sent(const MpipReader *r, ProfileCall *call, GError **error)
{
    const gboolean all = r->section == SECTION_ALL_SENT;
    const char *const column = all ? "Mean" : "Avrg", *const word = word_of(r, column);
    if (!word || !profile_interval(word, all ? 4 : 3, &call->low, &call->high))
        return bad_line(r, error, column, word ? word : "", "a number, 0 or above");
    const char *const most = word_of(r, "Max"), *const least = word_of(r, "Min");
    call->mean = most && least && strcmp(most, least) != 0;
    return TRUE;
}

// Reads a row of calls. What all call sites have counts more than what the first 20 have.
static gboolean read_site(MpipReader *r, GError **error)
{
    const gboolean time = r->section == SECTION_SITES_TIME || r->section == SECTION_ALL_TIME;
    const gboolean all = r->section == SECTION_ALL_TIME || r->section == SECTION_ALL_SENT;
    const char *const rank = word_of(r, "Rank");
    if (all && (!rank || strcmp(rank, "*") != 0))
        return TRUE;
    ProfileCall row = {.calls = -1};
    if (!read_calls(r, &row, error) ||
        !(time ? read_time(r, all ? "Mean" : "Time", &row.time_s, error) : read_sent(r, &row, error)))
        return FALSE;
    int *found;
    ProfileCall *call = site_of(r, &found);
    if (*found & 1 << (time ? SECTION_ALL_TIME : SECTION_ALL_SENT))
        return TRUE;
    *found |= 1 << r->section;
    r->sections |= 1 << r->section;
    call->calls = row.calls < 0 ? call->calls : row.calls;
    if (time) {
        call->time_s = 1e-3 * row.time_s * (all ? (double)call->calls : 1);
    } else {
        call->low = row.low;
        call->high = row.high;
        call->mean = row.mean;
    }
    return TRUE;
}

// Reads the line * of the time in MPI.
static gboolean read_total(MpipReader *r, GError **error)
{
    double time_s;
    if (strcmp(r->words[0], "*") != 0 || !r->profile->ranks)
        return TRUE;
    if (!read_time(r, "MPITime", &time_s, error))
        return FALSE;
    r->profile->mpi_s = time_s / r->profile->ranks;
    return TRUE;
}

static void begin_section(MpipReader *r, const char *title)
{
    r->section = SECTION_NONE;
    g_clear_pointer(&r->names, g_strfreev);
    for (guint i = 0; i < G_N_ELEMENTS(sections); i++)
        if (g_str_has_prefix(title, sections[i].title))
            r->section = sections[i].section;
}

static gboolean read_line(MpipReader *r, char *line, GError **error)
{
    static const char assignment[] = "@ MPI Task Assignment";
    line[strcspn(line, "\n")] = '\0';
    g_strchomp(line);
    if (g_str_has_prefix(line, "@--- "))
        begin_section(r, line + 5);
    else if (g_str_has_prefix(line, assignment))
        return read_rank(r, line + strlen(assignment), error);
    if (*line == '@' || g_str_has_prefix(line, "----") || r->section == SECTION_NONE)
        return TRUE;
    split(r, line);
    if (r->n_words == 0)
        return TRUE;
    if (!r->names) {
        for (guint i = 0; i < G_N_ELEMENTS(sections); i++)
            if (sections[i].section == r->section && strcmp(sections[i].first, r->words[0]) == 0)
                r->names = g_strdupv(r->words);
        r->section = r->names ? r->section : SECTION_NONE;
        return TRUE;
    }
    if (strcmp(r->words[0], "Total") == 0) // behind the rows: "Total send/collective operation calls >= .."
        return TRUE;
    GError *fault = NULL;
    if (!(r->section == SECTION_TIME ? read_total(r, &fault) : read_site(r, &fault)))
        profile_fault(r->profile, fault);
    return TRUE;
}

// ---- The file -------------------------------------------------------------------------------------------------------

gboolean profile_mpip_is(const char *line)
{
    return strcmp(line, "@ mpiP") == 0;
}

static gboolean read_all(MpipReader *r, GError **error)
{
    char *line;
    do
        if (!lines_next(&r->lines, &line, error) || (line && !read_line(r, line, error)))
            return FALSE;
    while (line);
    if (!r->profile->ranks)
        return bad_input(error, "%s: the report has no lines `@ MPI Task Assignment`; allowed: a whole report of mpiP",
                         r->profile->name);
    place_ranks(r);
    if (r->sections && !(r->sections & (1 << SECTION_ALL_TIME | 1 << SECTION_ALL_SENT)))
        profile_note(r->profile, "the report has only the 20 call sites that take longest and the 20 that send most");
    return profile_add_calls(r->profile, r->calls, r->profile->ranks, error);
}

gboolean profile_mpip_read(Profile *profile, const char *text, size_t len, GError **error)
{
    MpipReader r = {.profile = profile,
                    .sites = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
                    .calls = profile_calls_new(),
                    .found = g_array_new(FALSE, FALSE, sizeof(int)),
                    .hosts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL)};
    lines_of_text(&r.lines, text, len, profile->name);
    const gboolean done = read_all(&r, error);
    lines_close(&r.lines);
    g_hash_table_unref(r.sites);
    g_hash_table_unref(r.hosts);
    g_array_unref(r.calls);
    g_array_unref(r.found);
    g_strfreev(r.names);
    g_free(r.host);
    return done;
}

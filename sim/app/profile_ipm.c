// IPM's XML, versions 0.98 and 2. It has one element in each line, and these are read:
//
//     <task .. mpi_rank="0" mpi_size="64" .. >          one rank
//     <job nhosts="2" ntasks="64" .. >                  nodes
//     <regions ..>, </regions>                          regions may have regions, whose calls theirs include
//     <func name="MPI_Bcast" count="4" bytes="6.4e+01" > 1.2e-04 </func>     calls, bytes of all of them, their time
//     <hent .. call="MPI_Bcast" bytes="16" .. count="4" .. >1.2e-04 .. </hent>    calls of one size, and their time
//
// A file with <hent> (IPM_LOG=full) has exact sizes, and one with <func> alone has sums. IPM counts the bytes that the
// call's first count and type say, of scatter those that a rank receives, and of calls with a list of counts the
// calling rank's own entry.
//
// IPM also prints a banner at the end of a run, in the output of the program. With IPM_REPORT=full it has a table of
// functions, with the columns [time] [calls] <%mpi> <%wall> in version 0.98 and [time] [count] <%wall> in version 2.
// Neither has bytes, so that a banner is no profile.
#include "app/profile.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/lines.h"
#include "base/number.h"
#include <math.h>
#include <string.h>

// IpmSums over the tasks.
typedef struct IpmSums {
    GHashTable *known; // NAME or NAME\tBYTES -> index in `calls` + 1
    GArray *calls;     // of ProfileCall; of functions, low and high are sums over all calls
} IpmSums;

typedef struct IpmReader {
    Profile *profile;
    Lines lines;
    IpmSums functions, sizes;
    int tasks, copies, hosts, depth; // depth of <regions>
} IpmReader;

static gboolean bad_line(const IpmReader *r, GError **error, const char *what, const char *word, const char *allowed)
{
    return profile_bad(r->profile, r->lines.line, what, word, allowed, error);
}

// Returns the value of an attribute, or NULL. Free with g_free.
static char *attribute(const char *line, const char *name)
{
    g_autofree char *key = g_strconcat(" ", name, "=\"", NULL);
    const char *const at = strstr(line, key), *const value = at ? at + strlen(key) : NULL;
    return value ? g_strndup(value, strcspn(value, "\"")) : NULL;
}

// Reads an attribute that is an integer; *value stays if there is none.
static gboolean read_count(const IpmReader *r, const char *line, const char *name, size_t most, size_t *value,
                           GError **error)
{
    g_autofree char *text = attribute(line, name);
    return !text || number_size(text, 0, most, value) || bad_line(r, error, name, text, "an integer, 0 or above");
}

// ---- Calls ----------------------------------------------------------------------------------------------------------

static ProfileCall *call_of(const IpmReader *r, IpmSums *sums, const char *key, const char *name)
{
    guint at = GPOINTER_TO_UINT(g_hash_table_lookup(sums->known, key));
    if (!at) {
        const ProfileCall call = {g_strdup(name), r->lines.line, 0, 0, 0, 0, FALSE, TRUE};
        g_array_append_val(sums->calls, call);
        at = sums->calls->len;
        g_hash_table_insert(sums->known, g_strdup(key), GUINT_TO_POINTER(at));
    }
    return &g_array_index(sums->calls, ProfileCall, at - 1);
}

// Reads the first number behind the > of an element.
static gboolean read_time(const IpmReader *r, const char *line, double *time_s, GError **error)
{
    const char *text = strrchr(line, '"');
    text = text ? strchr(text, '>') : NULL;
    text = text ? text + 1 : "";
    while (g_ascii_isspace(*text))
        text++;
    g_autofree char *word = g_strndup(text, strcspn(text, " \t<"));
    return number_real(word, time_s) || bad_line(r, error, "the time", word, "a number, 0 or above");
}

// Adds the calls of one element. `low` and `high` are NAN if their size is not known.
static gboolean add_call(const IpmReader *r, IpmSums *sums, const char *key, const char *name, const char *line,
                         double low, double high, GError **error)
{
    size_t calls = 0;
    double time_s;
    if (!read_count(r, line, "count", (size_t)1 << 62, &calls, error) || !read_time(r, line, &time_s, error))
        return FALSE;
    ProfileCall *call = call_of(r, sums, key, name);
    call->time_s += time_s;
    call->low += low;
    call->high += high;
    return (!__builtin_add_overflow(call->calls, (gint64)calls, &call->calls) && !isinf(call->time_s)) ||
           bad_line(r, error, "the sum of the calls or of their times", "too large", "below 2^63");
}

static gboolean read_func(IpmReader *r, const char *line, GError **error)
{
    g_autofree char *name = attribute(line, "name"), *bytes = attribute(line, "bytes");
    double low = NAN, high = NAN;
    if (!name || !g_str_has_prefix(name, "MPI_"))
        return TRUE;
    if (bytes && !profile_interval(bytes, 5, &low, &high))
        return bad_line(r, error, "bytes", bytes, "a number, 0 or above");
    return add_call(r, &r->functions, name, name, line, low, high, error);
}

static gboolean read_hent(IpmReader *r, const char *line, GError **error)
{
    g_autofree char *name = attribute(line, "call");
    size_t bytes = 0;
    if (!name || !g_str_has_prefix(name, "MPI_"))
        return TRUE;
    if (!read_count(r, line, "bytes", LIMIT_BYTES, &bytes, error))
        return FALSE;
    g_autofree char *key = g_strdup_printf("%s\t%" G_GSIZE_FORMAT, name, bytes);
    if (!add_call(r, &r->sizes, key, name, line, 0, 0, error))
        return FALSE;
    ProfileCall *call = call_of(r, &r->sizes, key, name);
    call->low = call->high = (double)bytes;
    return TRUE;
}

// ---- Tasks ----------------------------------------------------------------------------------------------------------

static gboolean read_task(IpmReader *r, const char *line, GError **error)
{
    size_t ranks = 0;
    if (!read_count(r, line, "mpi_size", LIMIT_RANKS, &ranks, error))
        return FALSE;
    if (!ranks || (r->profile->ranks && r->profile->ranks != (int)ranks))
        return bad_input(error, "%s:%" G_GUINT64_FORMAT ": a task of %" G_GSIZE_FORMAT " ranks; allowed: %s",
                         r->profile->name, r->lines.line, ranks, ranks ? "one job in a file" : "1 or more");
    r->profile->ranks = (int)ranks;
    r->tasks++;
    r->depth = 0;
    return TRUE;
}

static gboolean read_line(IpmReader *r, char *line, GError **error)
{
    line[strcspn(line, "\n")] = '\0';
    g_strstrip(line);
    size_t hosts = 0;
    if (g_str_has_prefix(line, "<task "))
        return read_task(r, line, error);
    if (g_str_has_prefix(line, "<taskcopy "))
        r->copies++;
    else if (g_str_has_prefix(line, "<regions"))
        r->depth++;
    else if (g_str_has_prefix(line, "</regions"))
        r->depth--;
    else if (g_str_has_prefix(line, "<func ") && r->tasks)
        return r->depth > 1 || read_func(r, line, error);
    else if (g_str_has_prefix(line, "<hent ") && r->tasks)
        return read_hent(r, line, error);
    else if (g_str_has_prefix(line, "<job ")) {
        if (!read_count(r, line, "nhosts", LIMIT_RANKS, &hosts, error))
            return FALSE;
        r->hosts = (int)hosts;
    }
    return TRUE;
}

// Makes sizes of the sums over all calls.
static void divide(const GArray *functions)
{
    for (guint i = 0; i < functions->len; i++) {
        ProfileCall *call = &g_array_index(functions, ProfileCall, i);
        const double low = call->low / (double)MAX(call->calls, 1), high = call->high / (double)MAX(call->calls, 1);
        call->mean = floor(high) < low; // no whole size is printed like this
        call->low = low;
        call->high = high;
    }
}

static gboolean read_all(IpmReader *r, GError **error)
{
    char *line;
    do
        if (!lines_next(&r->lines, &line, error) || (line && !read_line(r, line, error)))
            return FALSE;
    while (line);
    Profile *const profile = r->profile;
    if (!r->tasks)
        return bad_input(error, "%s: the profile has no <task>; allowed: XML of IPM", profile->name);
    if (r->hosts && profile->ranks % r->hosts == 0) {
        profile->per_node = profile->ranks / r->hosts;
        if (r->hosts > 1)
            profile_note(profile,
                         "IPM does not say which ranks share a node: each of the %d nodes is taken to have %d "
                         "consecutive ones",
                         r->hosts, profile->per_node);
    }
    if (r->tasks < profile->ranks)
        profile_note(profile, "the profile has %d of %d ranks, whose mean stands for all", r->tasks, profile->ranks);
    const gboolean exact = r->sizes.calls->len > 0;
    if (!exact) {
        divide(r->functions.calls);
        profile_note(profile,
                     "the profile has sums of bytes, and each call counts as one of the mean size; IPM_LOG=full "
                     "writes the sizes");
    }
    profile->mpi_s = 0;
    const GArray *calls = exact ? r->sizes.calls : r->functions.calls;
    for (guint i = 0; i < calls->len; i++)
        profile->mpi_s += g_array_index(calls, ProfileCall, i).time_s / r->tasks;
    return profile_add_calls(profile, calls, r->tasks, error);
}

// ---- The file -------------------------------------------------------------------------------------------------------

gboolean profile_ipm_is(const char *line)
{
    return g_str_has_prefix(line, "<?xml ") || g_str_has_prefix(line, "<ipm_job_profile") ||
           g_str_has_prefix(line, "<ipm");
}

guint64 profile_ipm_banner(const char *text, size_t len)
{
    const char *const banner = g_strstr_len(text, (gssize)len, "##IPMv");
    guint64 line = 1;
    for (const char *at = text; banner && at < banner; at++)
        line += *at == '\n';
    return banner ? line : 0;
}

static IpmSums ipm_sums_new(void)
{
    const IpmSums sums = {g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL), profile_calls_new()};
    return sums;
}

static void ipm_sums_clear(IpmSums *sums)
{
    g_hash_table_unref(sums->known);
    g_array_unref(sums->calls);
}

gboolean profile_ipm_read(Profile *profile, const char *text, size_t len, GError **error)
{
    IpmReader r = {.profile = profile, .functions = ipm_sums_new(), .sizes = ipm_sums_new()};
    lines_of_text(&r.lines, text, len, profile->name);
    const gboolean done = read_all(&r, error);
    lines_close(&r.lines);
    ipm_sums_clear(&r.functions);
    ipm_sums_clear(&r.sizes);
    return done;
}

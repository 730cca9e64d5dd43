// IPM's XML, versions 0.98 and 2. These elements are read:
//
//     <task .. mpi_rank="0" mpi_size="64" .. >          one rank
//     <job nhosts="2" ntasks="64" .. >                  nodes
//     <regions ..>, </regions>                          regions may have regions, whose calls theirs include
//     <func name="MPI_Bcast" count="4" bytes="6.4e+01" > 1.2e-04 </func>     calls, bytes of all of them, their time
//     <hent .. call="MPI_Bcast" bytes="16" .. count="4" .. >1.2e-04 .. </hent>    calls of one size, and their time
//
// A file with <hent> (IPM_LOG=full) has exact sizes, and one with <func> alone has sums. IPM counts the bytes that the
// call's first count and type say, of scatter those that a rank receives, and of calls with a list of counts the
// calling rank's own entry. A job that is killed leaves half a file, whose complete elements count.
//
// IPM also prints a banner at the end of a run, in the output of the program. With IPM_REPORT=full it has a table of
// functions, with the columns [time] [calls] <%mpi> <%wall> in version 0.98 and [time] [count] <%wall> in version 2.
// Neither version prints bytes, so a banner cannot serve as a profile.
#include "advice/app/profile.h"
#include "base/error.h"
#include "base/limits.h"
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
    GMarkupParseContext *context;
    IpmSums functions, sizes;
    int tasks, copies, hosts, depth; // depth of <regions>
    // Of the open <func> or <hent>
    IpmSums *sums;    // where its calls belong; NULL if no such element is open
    char *key, *name; // its key in `sums`, and its function
    size_t calls;
    double low, high; // bytes, as in ProfileCall
    guint64 line;     // where it begins
    GString *text;
} IpmReader;

static guint64 line_of(const IpmReader *r)
{
    int line;
    g_markup_parse_context_get_position(r->context, &line, NULL);
    return (guint64)line;
}

static gboolean bad_line(const IpmReader *r, GError **error, const char *what, const char *word, const char *allowed)
{
    return profile_bad(r->profile, line_of(r), what, word, allowed, error);
}

// The attributes of an element.
typedef struct IpmAttributes {
    const char **names, **values;
} IpmAttributes;

// Returns the value of an attribute, or NULL.
static const char *attribute(const IpmAttributes *a, const char *name)
{
    for (guint i = 0; a->names[i]; i++)
        if (strcmp(a->names[i], name) == 0)
            return a->values[i];
    return NULL;
}

// Reads an attribute that is an integer; *value stays if there is none.
static gboolean read_count(const IpmReader *r, const IpmAttributes *a, const char *name, size_t most, size_t *value,
                           GError **error)
{
    const char *const text = attribute(a, name);
    return !text || number_size(text, 0, most, value) || bad_line(r, error, name, text, "an integer, 0 or above");
}

// ---- Calls ----------------------------------------------------------------------------------------------------------

static ProfileCall *call_of(const IpmReader *r)
{
    IpmSums *const sums = r->sums;
    guint at = GPOINTER_TO_UINT(g_hash_table_lookup(sums->known, r->key));
    if (!at) {
        const ProfileCall call = {g_strdup(r->name), line_of(r), 0, 0, 0, 0, FALSE, TRUE};
        g_array_append_val(sums->calls, call);
        at = sums->calls->len;
        g_hash_table_insert(sums->known, g_strdup(r->key), GUINT_TO_POINTER(at));
    }
    return &g_array_index(sums->calls, ProfileCall, at - 1);
}

// Begins the calls of an element, whose text is their time.
static gboolean begin_call(IpmReader *r, IpmSums *sums, const char *name, const IpmAttributes *a, GError **error)
{
    const gboolean sized = sums == &r->sizes;
    const char *const bytes = attribute(a, "bytes");
    size_t size = 0;
    r->low = r->high = NAN;
    if (!name || !g_str_has_prefix(name, "MPI_"))
        return TRUE;
    if (sized ? !read_count(r, a, "bytes", LIMIT_BYTES, &size, error)
              : bytes && !profile_interval(bytes, 5, &r->low, &r->high) &&
                    !bad_line(r, error, "bytes", bytes, "a number, 0 or above"))
        return FALSE;
    if (sized)
        r->low = r->high = (double)size;
    r->calls = 0;
    if (!read_count(r, a, "count", (size_t)1 << 62, &r->calls, error))
        return FALSE;
    r->sums = sums;
    r->line = line_of(r);
    g_free(r->key);
    g_free(r->name);
    r->name = g_strdup(name);
    r->key = sized ? g_strdup_printf("%s\t%" G_GSIZE_FORMAT, name, size) : g_strdup(name);
    g_string_truncate(r->text, 0);
    return TRUE;
}

// Adds the calls of the open element; their time is the first number of its text.
static gboolean end_call(IpmReader *r, GError **error)
{
    double time_s;
    if (!r->sums)
        return TRUE;
    const gboolean sized = r->sums == &r->sizes;
    g_strstrip(r->text->str)[strcspn(r->text->str, " \t\n")] = '\0';
    const gboolean timed = number_real(r->text->str, &time_s);
    ProfileCall *const call = timed ? call_of(r) : NULL;
    r->sums = NULL;
    if (!call)
        return profile_bad(r->profile, r->line, "the time", r->text->str, "a number, 0 or above", error);
    gint64 calls;
    if (__builtin_add_overflow(call->calls, (gint64)r->calls, &calls) || isinf(call->time_s + time_s))
        return profile_bad(r->profile, r->line, "the sum of the calls or of their times", "too large", "below 2^63",
                           error);
    call->calls = calls;
    call->time_s += time_s;
    call->low = sized ? r->low : call->low + r->low;
    call->high = sized ? r->high : call->high + r->high;
    return TRUE;
}

// ---- Elements -------------------------------------------------------------------------------------------------------

static gboolean read_task(IpmReader *r, const IpmAttributes *a, GError **error)
{
    size_t ranks = 0;
    if (!read_count(r, a, "mpi_size", LIMIT_RANKS, &ranks, error))
        return FALSE;
    if (!ranks || (r->profile->ranks && r->profile->ranks != (int)ranks))
        return bad_input(error, "%s:%" G_GUINT64_FORMAT ": a task of %" G_GSIZE_FORMAT " ranks; allowed: %s",
                         r->profile->name, line_of(r), ranks, ranks ? "one job in a file" : "1 or more");
    r->profile->ranks = (int)ranks;
    r->tasks++;
    r->depth = 0;
    return TRUE;
}

static void on_start(GMarkupParseContext *context, const char *element, const char **names, const char **values,
                     gpointer data, GError **error)
{
    IpmReader *const r = data;
    const IpmAttributes a = {names, values};
    size_t hosts = (size_t)r->hosts;
    GError *fault = NULL;
    (void)context;
    if (strcmp(element, "task") == 0)
        read_task(r, &a, error);
    else if (strcmp(element, "taskcopy") == 0)
        r->copies++;
    else if (strcmp(element, "regions") == 0)
        r->depth++;
    else if (strcmp(element, "func") == 0 && r->tasks && r->depth <= 1)
        begin_call(r, &r->functions, attribute(&a, "name"), &a, &fault);
    else if (strcmp(element, "hent") == 0 && r->tasks)
        begin_call(r, &r->sizes, attribute(&a, "call"), &a, &fault);
    else if (strcmp(element, "job") == 0 && read_count(r, &a, "nhosts", LIMIT_RANKS, &hosts, &fault))
        r->hosts = (int)hosts;
    if (fault)
        profile_fault(r->profile, fault);
}

static void on_end(GMarkupParseContext *context, const char *element, gpointer data, GError **error)
{
    IpmReader *const r = data;
    (void)context, (void)error;
    GError *fault = NULL;
    r->depth -= strcmp(element, "regions") == 0;
    if (!end_call(r, &fault))
        profile_fault(r->profile, fault);
}

static void on_text(GMarkupParseContext *context, const char *text, gsize len, gpointer data, GError **error)
{
    (void)context, (void)error;
    g_string_append_len(((IpmReader *)data)->text, text, (gssize)len);
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

// Reads all elements. What is not XML ends the profile, and is refused only if there is nothing before it.
static gboolean read_elements(IpmReader *r, const char *text, size_t len, GError **error)
{
    g_autoptr(GError) why = NULL;
    // IPM does not escape the command line that it writes down.
    g_autoptr(GRegex) bare = g_regex_new("&(?!#?[[:alnum:]]+;)", G_REGEX_DEFAULT, G_REGEX_MATCH_DEFAULT, NULL);
    g_autofree char *escaped =
        g_regex_replace_literal(bare, text, (gssize)len, 0, "&amp;", G_REGEX_MATCH_DEFAULT, NULL);
    if (g_markup_parse_context_parse(r->context, escaped, -1, &why) &&
        g_markup_parse_context_end_parse(r->context, &why))
        return TRUE;
    if (why->domain != G_MARKUP_ERROR) {
        g_propagate_error(error, g_steal_pointer(&why));
        return FALSE;
    }
    if (!r->sizes.calls->len && !r->functions.calls->len)
        return bad_input(error, "%s:%" G_GUINT64_FORMAT ": this is not XML: %s; allowed: the XML file that IPM writes",
                         r->profile->name, line_of(r), why->message);
    profile_note(r->profile, "%s:%" G_GUINT64_FORMAT ": the XML ends here, and what follows is passed over",
                 r->profile->name, line_of(r));
    return TRUE;
}

static gboolean add_all(IpmReader *r, GError **error)
{
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
    static const GMarkupParser parser = {.start_element = on_start, .end_element = on_end, .text = on_text};
    IpmReader r = {
        .profile = profile, .functions = ipm_sums_new(), .sizes = ipm_sums_new(), .text = g_string_new(NULL)};
    r.context = g_markup_parse_context_new(&parser, G_MARKUP_TREAT_CDATA_AS_TEXT, &r, NULL);
    const gboolean done = read_elements(&r, text, len, error) && add_all(&r, error);
    g_markup_parse_context_free(r.context);
    g_string_free(r.text, TRUE);
    g_free(r.key);
    g_free(r.name);
    ipm_sums_clear(&r.functions);
    ipm_sums_clear(&r.sizes);
    return done;
}

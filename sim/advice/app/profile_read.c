// Which of the formats a file has, and where its profile begins.
#include "advice/app/profile.h"
#include "base/csv.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/text.h"
#include <string.h>

static const struct {
    const char *name;
    gboolean (*is)(const char *line);
    gboolean (*read)(Profile *profile, const char *text, size_t len, GError **error);
} formats[] = {
    {"IPM", profile_ipm_is, profile_ipm_read},
    {"CSV", profile_csv_is, profile_csv_read},
};

// Returns the first place from `from` on where a line is the header of mpiP's report, and sets *line to its number,
// counted from that of `from`; NULL if there is none.
static const char *find_mpip(const char *from, const char *end, guint64 *line)
{
    for (const char *at = from; at < end; (*line)++) {
        const char *const stop = memchr(at, '\n', (size_t)(end - at));
        g_autofree char *text = *at == '@' ? g_strndup(at, stop ? (size_t)(stop - at) : (size_t)(end - at)) : NULL;
        if (text && profile_mpip_is(g_strchomp(text)))
            return at;
        at = stop ? stop + 1 : end;
    }
    return NULL;
}

// Reads mpiP's report where it stands in a job's output. *found says whether there is one.
static gboolean read_mpip(Profile *profile, const char *text, size_t len, gboolean *found, GError **error)
{
    guint64 line = 1, next = 0;
    const char *const end = text + len, *const at = find_mpip(text, end, &line);
    *found = at != NULL;
    if (!at)
        return FALSE;
    next = line;
    const char *const body = memchr(at, '\n', (size_t)(end - at));
    next++;
    const char *const second = body ? find_mpip(body + 1, end, &next) : NULL;
    profile->format = "mpiP";
    if (line > 1)
        profile_note(profile, "%s:%" G_GUINT64_FORMAT ": mpiP's report begins here; what is above it is passed over",
                     profile->name, line);
    if (second)
        profile_note(profile,
                     "%s:%" G_GUINT64_FORMAT ": a second report of mpiP begins here; it is passed over, and so is all "
                     "below it",
                     profile->name, next);
    return profile_mpip_read(profile, text, second ? (size_t)(second - text) : len, error);
}

// Finds the format by the first line that is neither blank nor a comment, or mpiP's report anywhere.
static gboolean read_format(Profile *profile, const char *text, size_t len, GError **error)
{
    const char *const end = text + len, *at = text;
    while (at < end && g_ascii_isspace(*at))
        at++;
    g_autofree char *rest = g_strndup(at, (size_t)(end - at));
    at += csv_begin(rest) - rest; // behind comments
    const size_t left = (size_t)(end - at);
    const char *const stop = memchr(at, '\n', left);
    g_autofree char *first = g_strndup(at, stop ? (size_t)(stop - at) : left);
    for (guint i = 0; i < G_N_ELEMENTS(formats); i++)
        if (formats[i].is(g_strchomp(first))) {
            profile->format = formats[i].name;
            return formats[i].read(profile, text, len, error);
        }
    gboolean found;
    const gboolean read = read_mpip(profile, text, len, &found, error);
    if (found)
        return read;
    const guint64 banner = profile_ipm_banner(text, len);
    if (banner)
        return bad_input(error,
                         "%s:%" G_GUINT64_FORMAT
                         ": the banner of IPM has no sizes of calls; allowed: the XML file that "
                         "IPM writes, which has them all after a run with IPM_LOG=full",
                         profile->name, banner);
    return bad_input(error,
                     "%s:1: unknown layout; allowed: a report of mpiP, XML of IPM, or CSV whose header has the columns "
                     "collective, calls and bytes",
                     profile->name);
}

// Fails if there is nothing to predict.
static gboolean check_rows(Profile *profile, GError **error)
{
    if (profile->rows->len)
        return TRUE;
    if (profile->first) {
        g_propagate_error(error, g_steal_pointer(&profile->first));
        return FALSE;
    }
    if (!profile->others->len)
        return bad_input(error, "%s: the profile has no calls; allowed: at least one collective", profile->name);
    const ProfileOther *other = &g_array_index(profile->others, ProfileOther, 0);
    return bad_input(error, "%s: the profile has no collective that can be predicted: %s, %s", profile->name,
                     other->name, other->why);
}

Profile *profile_parse(const char *text, size_t len, const char *name, GError **error)
{
    if (!text_check(text, len, LIMIT_TABLE_BYTES, name, error))
        return NULL;
    g_autoptr(Profile) profile = profile_new(name);
    return read_format(profile, text, len, error) && check_rows(profile, error) ? g_steal_pointer(&profile) : NULL;
}

Profile *profile_read(const char *path, GError **error)
{
    size_t len;
    g_autofree char *text = text_read(path, LIMIT_TABLE_BYTES, &len, error);
    return text ? profile_parse(text, len, text_name(path), error) : NULL;
}

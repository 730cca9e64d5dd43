// What mpiP and IPM have in common: sums over ranks, with sizes that were printed with few digits.
#include "advice/app/profile.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/number.h"
#include "engine/schedule/parse.h"
#include <math.h>
#include <string.h>

static void call_clear(gpointer call)
{
    g_free(((ProfileCall *)call)->name);
}

GArray *profile_calls_new(void)
{
    GArray *calls = g_array_new(FALSE, FALSE, sizeof(ProfileCall));
    g_array_set_clear_func(calls, call_clear);
    return calls;
}

gboolean profile_bad(const Profile *profile, guint64 line, const char *what, const char *word, const char *allowed,
                     GError **error)
{
    g_autofree char *shown = error_quote(word);
    return bad_input(error, "%s:%" G_GUINT64_FORMAT ": %s is %s; allowed: %s", profile->name, line, what, shown,
                     allowed);
}

// Returns how many digits of the mantissa a number has, and sets *behind to those behind the point.
static int count_digits(const char *text, int *behind)
{
    int n = 0;
    gboolean point = FALSE;
    *behind = 0;
    for (; *text && *text != 'e' && *text != 'E'; text++) {
        point |= *text == '.';
        n += g_ascii_isdigit(*text) && (n || *text != '0');
        *behind += point && g_ascii_isdigit(*text);
    }
    return n;
}

gboolean profile_interval(const char *text, int digits, double *low, double *high)
{
    double value;
    int behind;
    if (!number_real(text, &value))
        return FALSE;
    const int n = count_digits(text, &behind);
    const double unit = value > 0 ? pow(10, floor(log10(value)) - MAX(n, digits) + 1) : 0;
    *low = MAX(value - unit / 2, 0);
    *high = value + unit / 2;
    return TRUE;
}

// Returns the integer of an interval that is a multiple of the largest power of two, because people choose such sizes;
// or the integer next to the middle, if the interval has none.
static double roundest(double low, double high)
{
    for (int i = 50; i >= 0; i--) {
        const double power = ldexp(1, i), least = ceil(low / power) * power;
        if (least <= high)
            return least;
    }
    return round((low + high) / 2);
}

// Sets the size of a row. A mean of several sizes is rounded to whole elements of 8 bytes.
static gboolean set_size(const Profile *profile, const ProfileCall *call, ProfileRow *row, GError **error)
{
    const double mean = (call->low + call->high) / 2;
    const double m = call->mean && mean >= 8 ? round(mean / 8) * 8 : roundest(call->low, call->high);
    if (!(m <= (double)LIMIT_BYTES))
        return bad_input(error, "%s:%" G_GUINT64_FORMAT ": a call has %g bytes; allowed: at most 2^50", profile->name,
                         call->line, m);
    row->m = (size_t)m;
    row->block = call->block && row->collective == COLL_REDUCE_SCATTER;
    return TRUE;
}

const char *profile_why_not(const char *name)
{
    const char *const plain = g_str_has_prefix(name, "MPI_") ? name + 4 : name;
    Collective collective;
    if (g_ascii_toupper(*plain) == 'I' && collective_parse(plain + 1, &collective, NULL))
        return "it does not block";
    return "not a collective";
}

gboolean profile_add_calls(Profile *profile, const GArray *calls, int tasks, GError **error)
{
    guint means = 0, uneven = 0;
    for (guint i = 0; i < calls->len; i++) {
        const ProfileCall *call = &g_array_index(calls, ProfileCall, i);
        ProfileRow row = {.calls = call->calls / tasks + (call->calls % tasks != 0), .time_s = call->time_s / tasks};
        const gboolean known = collective_parse(call->name, &row.collective, NULL);
        const gboolean barrier = known && row.collective == COLL_BARRIER;
        if (!known || (isnan(call->low) && !barrier)) {
            const char *const why = known ? "the profile has no sizes of it" : profile_why_not(call->name);
            if (!profile_add_other(profile, call->line, call->name, why, row.calls, row.time_s, error))
                return FALSE;
            continue;
        }
        if ((!barrier && !set_size(profile, call, &row, error)) || !profile_add(profile, call->line, &row, error))
            return FALSE;
        means += call->mean && !barrier;
        uneven += call->calls % tasks != 0;
    }
    if (means)
        profile_note(profile,
                     "%u of the profile's lines have calls of several sizes, which count as calls of their mean",
                     means);
    if (uneven)
        profile_note(profile,
                     "%u of the profile's lines have calls that not all ranks make; their number on one rank is "
                     "rounded up",
                     uneven);
    return TRUE;
}

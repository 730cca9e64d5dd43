#include "ask/ask_profile.h"
#include "ask/options.h"
#include "base/error.h"
#include <string.h>

// Parses -p, one number of ranks; 0 if it was not given.
static gboolean parse_ranks(const char *text, int *p, int *per_node, GError **error)
{
    *p = *per_node = 0;
    if (!text)
        return TRUE;
    g_autoptr(GArray) nodes = NULL;
    g_autoptr(GArray) ranks = options_ranks(text, &nodes, error);
    if (!ranks)
        return FALSE;
    if (ranks->len > 1)
        return bad_input(error, "-p %s has %u numbers; allowed: one", text, ranks->len);
    *p = (int)g_array_index(ranks, size_t, 0);
    *per_node = nodes ? g_array_index(nodes, int, 0) : 0;
    return TRUE;
}

// Returns TRUE if the profile says on how many ranks each call is, or on how many the program ran.
static gboolean says_ranks(const Profile *profile)
{
    gboolean says = TRUE;
    for (guint i = 0; i < profile->rows->len && !profile->ranks; i++)
        says &= g_array_index(profile->rows, ProfileRow, i).p > 0;
    return says;
}

Profile *ask_profile(const char *path, const RequestOptions *o, gboolean grid, GError **error)
{
    size_t elem;
    int p, per_node;
    g_autoptr(Profile) profile = options_element(o->element, &elem, error) ? profile_read(path, error) : NULL;
    if (!profile || !parse_ranks(grid && says_ranks(profile) ? NULL : o->ranks, &p, &per_node, error))
        return NULL;
    if (o->map || o->per_node) {
        profile->per_node = 0;
        for (guint i = 0; i < profile->rows->len; i++)
            g_array_index(profile->rows, ProfileRow, i).per_node = 0;
    }
    if (!p && profile->ranks) {
        p = profile->ranks;
        per_node = profile->per_node;
        profile_note(profile, "%s does not say how many ranks take part in a call; all %d do, or -p says it",
                     profile->format, p);
    }
    return profile_complete(profile, p, per_node, elem, error) ? g_steal_pointer(&profile) : NULL;
}

gboolean ask_calls(const char *command, const char *library, const Profile *profile, const RequestOptions *o,
                   gboolean called[N_COLLECTIVES], Request *r, GError **error)
{
    g_autofree char *ranks = profile_ranks(profile, NULL), *sizes = profile_sizes(profile, NULL);
    RequestOptions with = *o;
    with.ranks = ranks;
    with.sizes = sizes;
    with.root = NULL; // a profile does not say the roots of calls
    memset(called, 0, N_COLLECTIVES * sizeof *called);
    for (guint i = 0; i < profile->rows->len; i++)
        called[g_array_index(profile->rows, ProfileRow, i).collective] = TRUE;
    r->question.asked = called;
    if (!ask_about_library(command, library, &with, r, error))
        return FALSE;
    r->question.elem_assumed = FALSE; // each call of the profile has its own
    // as tune, whose file is to save what the answer says
    r->library.by_file = r->library.any_operation = library != NULL;
    return TRUE;
}

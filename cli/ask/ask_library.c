#include "ask/ask.h"
#include "base/error.h"
#include "engine/schedule/parse.h"
#include <string.h>

gboolean ask_only(const RequestOptions *o, RequestLibrary *lib, GError **error)
{
    if (!request_han(lib, o->han, o->no_han, "--", error))
        return FALSE;
    if (!o->only || strcmp(o->only, "any") == 0)
        return TRUE;
    const Library *library = library_find(o->only, error);
    if (!library) {
        g_prefix_error(error, "--only: ");
        return FALSE;
    }
    return (lib->only = request_tables(lib, library, error)) != NULL;
}

gboolean ask_collectives(const char *word, gboolean *chosen, GError **error)
{
    for (int i = 0; i < N_COLLECTIVES; i++)
        chosen[i] = !word || strcmp(word, "all") == 0;
    g_auto(GStrv) names = g_strsplit(chosen[0] ? "" : word, ",", -1);
    for (char **name = names; *name; name++) {
        Collective collective;
        if (!collective_parse(g_strstrip(*name), &collective, error))
            return FALSE;
        chosen[collective] = TRUE;
    }
    return TRUE;
}

gboolean ask_about_library(const char *command, const char *library, const RequestOptions *o, Request *r,
                           GError **error)
{
    const Library *known = library ? library_find(library, error) : NULL;
    if (!request_han(&r->library, o->han, o->no_han, "--", error))
        return FALSE;
    r->library.of_all = o->of_all;
    r->question.ordered = o->ordered;
    r->question.collective = COLL_ALLREDUCE; // the machine needs the figures of reductions
    r->question.elem = ask_library_element(o, r->question.collective);
    r->question.elem_assumed = !o->element;
    r->question.one_root = TRUE;
    size_t element; // is only checked
    return (!library || (known && (r->library.only = request_tables(&r->library, known, error)))) &&
           options_element(o->element, &element, error) &&
           ask_ranks(o->ranks ? o->ranks : ASK_LIBRARY_RANKS, o->per_node, o->map, r, error) &&
           question_root(&r->question, o->root, error) &&
           (r->question.sizes = options_sizes(o->sizes ? o->sizes : ASK_LIBRARY_SIZES, error)) &&
           ask_machine(o, r, error) && request_check_map(r, error) &&
           (!r->machine.model->shared ||
            bad_input(error, "%s does not know model shared; allowed: any other", command));
}

size_t ask_library_element(const RequestOptions *o, Collective collective)
{
    size_t given;
    options_element(o->element, &given, NULL);
    return question_element(collective, TRUE, NULL, given);
}

char *ask_sizes_text(const GArray *sizes)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < sizes->len; i++)
        g_string_append_printf(text, "%s%zu", i ? "," : "", g_array_index(sizes, size_t, i));
    return g_string_free(text, FALSE);
}

// Returns a chosen collective whose elements divide m, or do not divide it if `whole` is FALSE. Returns -1 if all chosen
// ones are of the other kind.
static int find_uneven(const RequestOptions *o, const gboolean *chosen, size_t m, gboolean whole)
{
    for (int c = 0; c < N_COLLECTIVES; c++)
        if (chosen[c] && c != COLL_BARRIER && (m % ask_library_element(o, (Collective)c) == 0) == whole)
            return c;
    return -1;
}

// Notes in the request that these sizes are left out for the collectives whose elements do not divide m, one of them. A
// command's elements are reductions' and those of others, so these collectives are the same for all sizes.
static void note_uneven(const RequestOptions *o, const gboolean *chosen, Request *r, const GArray *sizes)
{
    enum { SHOWN = 8 };
    g_autoptr(GString) text = g_string_new(sizes->len == 1 ? "size " : "sizes ");
    const size_t m = g_array_index(sizes, size_t, 0);
    size_t elem = 1;
    for (guint i = 0; i < MIN(sizes->len, SHOWN); i++)
        g_string_append_printf(text, "%s%zu", i ? ", " : "", g_array_index(sizes, size_t, i));
    if (sizes->len > SHOWN)
        g_string_append_printf(text, " and %u more", sizes->len - SHOWN);
    for (int c = 0, n = 0; c < N_COLLECTIVES; c++) {
        const size_t own = ask_library_element(o, (Collective)c);
        if (!chosen[c] || c == COLL_BARRIER || m % own == 0)
            continue;
        elem = own;
        g_string_append_printf(text, "%s%s", n++ ? ", " : " of ", collectives[c].name);
    }
    request_leave_out(r, g_strdup_printf("%s (no whole number of elements of %zu bytes)", text->str, elem));
}

gboolean ask_library_sizes(RequestOptions *o, const gboolean *chosen, gboolean given, Request *r, GError **error)
{
    const guint asked = r->question.sizes->len;
    g_autoptr(GArray) noted = g_array_new(FALSE, FALSE, sizeof(size_t));
    for (guint i = 0; i < r->question.sizes->len;) {
        const size_t m = g_array_index(r->question.sizes, size_t, i);
        const int uneven = find_uneven(o, chosen, m, FALSE);
        const gboolean some = uneven < 0 || find_uneven(o, chosen, m, TRUE) >= 0;
        if (!some && (given || r->question.sizes->len == 1))
            return bad_input(
                error,
                "-m %zu is not a multiple of %zu, the bytes of an element of %s; allowed: whole elements, or "
                "another --element",
                m, ask_library_element(o, (Collective)uneven), collectives[uneven].name);
        if (uneven >= 0)
            g_array_append_val(noted, m);
        if (some)
            i++;
        else
            g_array_remove_index(r->question.sizes, i);
    }
    if (noted->len > 0)
        note_uneven(o, chosen, r, noted);
    if (r->question.sizes->len < asked) {
        g_free(o->sizes);
        o->sizes = ask_sizes_text(r->question.sizes);
    }
    return TRUE;
}

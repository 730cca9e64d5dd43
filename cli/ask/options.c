#include "ask/options.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/units.h"
#include <string.h>

gboolean options_parse(int argc, char **argv, const char *usage, const char *text, const GOptionEntry *entries,
                       guint least, guint most, char ***words, GError **error)
{
    g_auto(GStrv) rest = NULL;
    gboolean help = FALSE;
    // GLib's own --help would end the program before main sees whether the text could be written.
    const GOptionEntry remaining[] = {
        {"help", 'h', 0, G_OPTION_ARG_NONE, &help, "this text", NULL},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &rest, NULL, usage},
        {NULL},
    };
    g_autofree char *name = g_strdup_printf("collsim %s", argv[0]);
    g_set_prgname(name);
    g_autoptr(GOptionContext) context = g_option_context_new(NULL);
    g_option_context_set_summary(context, text);
    if (entries)
        g_option_context_add_main_entries(context, entries, NULL);
    g_option_context_add_main_entries(context, remaining, NULL);
    g_option_context_set_help_enabled(context, FALSE);
    g_autoptr(GError) wrong = NULL;
    if (!g_option_context_parse(context, &argc, &argv, &wrong))
        return bad_input(error, "%s: %s; see %s --help", name, wrong->message, name);
    if (help) {
        g_autofree char *all = g_option_context_get_help(context, TRUE, NULL);
        g_set_error_literal(error, COLLSIM_ERROR, COLLSIM_ERROR_HELP, all);
        return FALSE;
    }
    const guint n = rest ? g_strv_length(rest) : 0;
    if (n < least || n > most)
        return bad_input(error, "%s: %u arguments given; allowed: %s; see %s --help", name, n, usage, name);
    *words = rest ? g_steal_pointer(&rest) : g_new0(char *, 1);
    return TRUE;
}

gboolean options_per_node(const char *text, int *per_node, GError **error)
{
    size_t n = 0;
    if (text && (!units_parse_size(text, &n, NULL) || n < 1 || n > MAX_RANKS)) {
        g_autofree char *quoted = error_quote(text);
        return bad_input(error, "--per-node %s; allowed: a number of ranks, 1 or more", quoted);
    }
    *per_node = (int)n;
    return TRUE;
}

GArray *options_ranks(const char *list, GError **error)
{
    if (!list) {
        bad_input(error, "-p is missing; allowed: a list of numbers of ranks, as 8 or 2..33 or 1K..1M:x4");
        return NULL;
    }
    return units_parse_list(list, "-p", 1, MAX_RANKS, error);
}

GArray *options_sizes(const char *list, GError **error)
{
    if (!list) {
        bad_input(error, "-m is missing; allowed: a list of sizes, as 8 or 1K..1M:x4");
        return NULL;
    }
    return units_parse_list(list, "-m", 0, (size_t)1 << 50, error);
}

enum { MAX_ELEMENT = 1 << 30 }; // larger ones are not elements, and products with one of these stay far from 2^64

gboolean options_element(const char *text, size_t *elem, GError **error)
{
    *elem = 1;
    if (text && !units_parse_size(text, elem, error))
        return FALSE;
    return (*elem > 0 && *elem <= MAX_ELEMENT) || bad_input(error, "--element %s; allowed: 1 to 1G bytes", text);
}

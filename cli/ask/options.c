#include "ask/options.h"
#include "ask/description.h"
#include "out/note.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/ranks.h"
#include "base/units.h"
#include "engine/schedule/parse.h"
#include <stdint.h>
#include <string.h>

// ---- The command line -----------------------------------------------------------------------------------------------

// Returns the long name of -p: "ranks", or "np" where --ranks means something else. Returns NULL if there is no -p.
static const char *name_of_ranks(const GOptionEntry *entries)
{
    for (; entries && entries->long_name; entries++)
        if (entries->short_name == 'p')
            return entries->long_name;
    return NULL;
}

// Returns the argument as GLib reads it, with -n, -np and --np as -p: "-np" gives "-p", "-np8" and "--np=8" give
// "--ranks=8" if that is the long name of -p, because GLib does not take "-p8". Free with g_free.
static char *ranks_argument(const char *argument, const char *name)
{
    static const char *const spellings[] = {"--np", "-np", "-n", "-p"};
    for (size_t i = 0; i < G_N_ELEMENTS(spellings); i++) {
        const char *number = argument + strlen(spellings[i]);
        if (!g_str_has_prefix(argument, spellings[i]) || !(!*number || *number == '=' || g_ascii_isdigit(*number)))
            continue;
        return *number ? g_strconcat("--", name, "=", number + (*number == '='), NULL) : g_strdup("-p");
    }
    return g_strdup(argument);
}

// Returns the argument as GLib reads it, which does not take "-m8": "--bytes=8" if -m has this long name and takes a
// value. Returns other arguments as they are. Free with g_free.
static char *value_argument(const char *argument, const GOptionEntry *entries)
{
    if (argument[0] == '-' && argument[1] && argument[2])
        for (; entries && entries->long_name; entries++)
            if (entries->short_name == argument[1] && entries->arg != G_OPTION_ARG_NONE)
                return g_strconcat("--", entries->long_name, "=", argument + 2 + (argument[2] == '='), NULL);
    return g_strdup(argument);
}

// Returns a copy of the arguments as GLib reads them. Free with g_strfreev.
static char **copy_arguments(int argc, char **argv, const GOptionEntry *entries)
{
    const char *const ranks = name_of_ranks(entries);
    char **copy = g_new0(char *, argc + 1);
    gboolean options = TRUE; // FALSE from "--" on
    for (int i = 0; i < argc; i++) {
        options = options && strcmp(argv[i], "--") != 0;
        g_autofree char *argument = options && ranks ? ranks_argument(argv[i], ranks) : g_strdup(argv[i]);
        copy[i] = options ? value_argument(argument, entries) : g_steal_pointer(&argument);
    }
    return copy;
}

// Returns ", did you mean --set?" for GLib's "Unknown option --sett", and ";" if it says something else or no option is
// near. Free with g_free.
static char *option_hint(const char *message, const GOptionEntry *entries)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    const char *wrong = strstr(message, "--");
    for (; entries && entries->long_name; entries++)
        g_ptr_array_add(names, (gpointer)(uintptr_t)entries->long_name);
    g_ptr_array_add(names, (gpointer)(uintptr_t) "help");
    g_ptr_array_add(names, NULL);
    const char *near = wrong ? nearest_name(wrong + 2, (const char *const *)names->pdata) : NULL;
    return near ? g_strdup_printf(", did you mean --%s?", near) : g_strdup(";");
}

// Returns argument i of a usage without its label, its brackets and alternatives: "ALGORITHM" for i = 1 and
// "COLLECTIVE ALGORITHM|all". Free with g_free.
static char *usage_word(const char *usage, guint i)
{
    g_auto(GStrv) words = g_strsplit(usage, " ", -1);
    g_assert(i < g_strv_length(words));
    const char *const label = strstr(words[i], "=]"); // it may be left out
    const char *word = label ? label + strlen("=]") : words[i] + strspn(words[i], "[");
    return g_strndup(word, strcspn(word, "|[],."));
}

gboolean options_check_words(const char *command, const char *usage, char **words, guint least, guint most,
                             GError **error)
{
    const guint n = words ? g_strv_length(words) : 0;
    if (n == 1 && n < least && g_str_has_prefix(usage, "COLLECTIVE") && algorithm_is_file(words[0]))
        return bad_input(error, "%s is a file; allowed: a collective first, then the file, as in `%s bcast %s`",
                         words[0], command, words[0]);
    if (n < least) {
        g_autofree char *missing = usage_word(usage, n);
        return bad_input(error, "%s takes %s, but %s is missing; see collsim %s --help", command, usage, missing,
                         command);
    }
    if (n > most) {
        g_autofree char *extra = error_quote(words[most]);
        return bad_input(error, "%s takes %s, but %s comes after that; see collsim %s --help", command,
                         *usage ? usage : "options only", extra, command);
    }
    return TRUE;
}

gboolean options_check_goal(const char *command, const char *usage, char **words, gboolean goal, GError **error)
{
    if (!goal)
        return options_check_words(command, usage, words, 2, 2, error);
    g_autofree char *extra = words[0] ? error_quote(words[0]) : NULL;
    return !extra || bad_input(error, "--goal FILE runs alone, without %s; see collsim %s --help", extra, command);
}

gboolean options_parse(int argc, char **argv, const char *usage, const char *text, const GOptionEntry *entries,
                       guint least, guint most, char ***words, GError **error)
{
    g_auto(GStrv) rest = NULL;
    gboolean help = FALSE, describe = FALSE;
    // GLib's own --help would end the program before main sees whether the text could be written.
    const GOptionEntry remaining[] = {
        {"help", 'h', 0, G_OPTION_ARG_NONE, &help, "print this text", NULL},
        {"describe", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &describe, "print this text for programs", NULL},
        {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &rest, NULL, NULL},
        {NULL},
    };
    g_autofree char *name = g_strdup_printf("collsim %s", argv[0]);
    g_set_prgname(name);
    g_autoptr(GOptionContext) context = g_option_context_new(usage);
    g_autofree char *summary = g_strchomp(g_strdup(text)); // an empty line follows it
    g_option_context_set_summary(context, summary);
    if (entries)
        g_option_context_add_main_entries(context, entries, NULL);
    g_option_context_add_main_entries(context, remaining, NULL);
    g_option_context_set_help_enabled(context, FALSE);
    g_auto(GStrv) arguments = copy_arguments(argc, argv, entries);
    g_autoptr(GError) wrong = NULL;
    if (!g_option_context_parse_strv(context, &arguments, &wrong)) {
        g_autofree char *hint = g_error_matches(wrong, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION)
                                    ? option_hint(wrong->message, entries)
                                    : g_strdup(";");
        return bad_input(error, "%s: %s%s see %s --help", argv[0], wrong->message, hint, name);
    }
    if (help || describe) {
        g_autofree char *all = describe ? description_of_options(usage, summary, entries, remaining)
                                        : g_option_context_get_help(context, TRUE, NULL);
        g_set_error_literal(error, COLLSIM_ERROR, COLLSIM_ERROR_HELP, all);
        return FALSE;
    }
    if (!options_check_words(argv[0], usage, rest, least, most, error))
        return FALSE;
    *words = rest ? g_steal_pointer(&rest) : g_new0(char *, 1);
    return TRUE;
}

// ---- Options of several subcommands ---------------------------------------------------------------------------------

gboolean options_number(const char *option, const char *text, size_t least, size_t most, size_t *out, GError **error)
{
    size_t n = *out;
    if (!text)
        return TRUE;
    if (!units_parse_size(text, &n, NULL) || n < least || n > most) {
        g_autofree char *quoted = error_quote(text), *low = units_format_size(least), *high = units_format_size(most);
        return bad_input(error, "%s %s; allowed: %s .. %s", option, quoted, low, high);
    }
    note_size(text);
    *out = n;
    return TRUE;
}

gboolean options_per_node(const char *text, int *per_node, GError **error)
{
    size_t n = 0;
    const gboolean good = options_number("--per-node", text, 1, LIMIT_RANKS, &n, error);
    *per_node = (int)n;
    return good;
}

gboolean options_element(const char *text, size_t *elem, GError **error)
{
    enum { MAX_ELEMENT = 1 << 30 }; // larger ones are not elements, and products with one of these stay far below 2^64
    *elem = 0;
    return options_number("--element", text, 1, MAX_ELEMENT, elem, error);
}

static GArray *read_list(const char *option, const char *list, size_t least, size_t most, GError **error)
{
    GArray *values = units_parse_list(list, option, least, most, error);
    if (values)
        note_list(option, list);
    return values;
}

GArray *options_ranks(const char *list, GArray **per_node, GError **error)
{
    if (!list) {
        bad_input(error, "-p is missing; allowed: numbers of ranks, such as 8 or 2..33 or 1K..1M:x4");
        return NULL;
    }
    GArray *ranks = ranks_parse_list(list, "-p", per_node, error);
    if (ranks)
        note_list("-p", list);
    return ranks;
}

GArray *options_sizes(const char *list, GError **error)
{
    if (list)
        return read_list("-m", list, 0, LIMIT_BYTES, error);
    bad_input(error, "-m is missing; allowed: sizes in bytes, such as 8 or 8,64K or 1K..1M:x4");
    return NULL;
}

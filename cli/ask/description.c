#include "ask/description.h"
#include <string.h>

// ---- Writing --------------------------------------------------------------------------------------------------------

static const char *type_of(const GOptionEntry *entry)
{
    switch (entry->arg) {
    case G_OPTION_ARG_NONE:
        return "flag";
    case G_OPTION_ARG_FILENAME:
        return "file";
    case G_OPTION_ARG_FILENAME_ARRAY:
        return "files";
    case G_OPTION_ARG_STRING_ARRAY:
        return "words";
    default:
        return "word";
    }
}

static void write_options(GString *s, const GOptionEntry *entries)
{
    for (; entries && entries->long_name; entries++) {
        if (!*entries->long_name || (entries->flags & G_OPTION_FLAG_HIDDEN)) // the name of G_OPTION_REMAINING is empty
            continue;
        g_string_append_printf(s, "option\t%s\t%.*s\t%s\t%s\t%s\n", entries->long_name, entries->short_name != 0,
                               &entries->short_name, entries->arg_description ? entries->arg_description : "",
                               type_of(entries), entries->description);
    }
}

char *description_of_text(const char *text)
{
    GString *s = g_string_new(NULL);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++)
        g_string_append_printf(s, "text\t%s\n", *line);
    return g_string_free(s, FALSE);
}

char *description_of_options(const char *usage, const char *text, const GOptionEntry *entries, const GOptionEntry *more)
{
    GString *s = g_string_new(NULL);
    g_autofree char *lines = description_of_text(text);
    g_string_printf(s, "usage\t%s\n%s", usage, lines);
    write_options(s, entries);
    write_options(s, more);
    return g_string_free(s, FALSE);
}

// ---- Reading --------------------------------------------------------------------------------------------------------

// Splits "SPEC.ini, or COLLECTIVE ALGORITHM" into its two ways. Free with g_strfreev.
static char **usages_of(const char *usage)
{
    char **ways = g_strsplit(usage, " or ", -1);
    for (char **way = ways; *way; way++)
        if (g_str_has_suffix(*way, ","))
            (*way)[strlen(*way) - 1] = '\0';
    return ways;
}

// Cuts the line after its first `n` - 1 tabs into fields, in place; those that the line lacks become "".
static void cut(char *line, char **fields, guint n)
{
    for (guint i = 0; i < n; i++) {
        fields[i] = line;
        char *tab = i + 1 < n ? strchr(line, '\t') : NULL;
        line = tab ? tab + 1 : line + strlen(line);
        if (tab)
            *tab = '\0';
    }
}

static void read_option(Description *d, char *rest)
{
    char *f[5];
    cut(rest, f, G_N_ELEMENTS(f));
    const DescribedOption option = {.name = f[0],
                                    .letter = *f[1],
                                    .value = f[2],
                                    .about = f[4],
                                    .file = g_str_has_prefix(f[3], "file"),
                                    .repeated = g_str_has_suffix(f[3], "s")};
    g_array_append_val(d->options, option);
}

Description *description_read(const char *text)
{
    Description *d = g_new0(Description, 1);
    d->text = g_ptr_array_new();
    d->options = g_array_new(FALSE, FALSE, sizeof(DescribedOption));
    d->kinds = g_array_new(FALSE, FALSE, sizeof(DescribedKind));
    d->lines = g_strsplit(text, "\n", -1);
    for (char **line = d->lines; *line; line++) {
        char *f[2], *kind[2];
        cut(*line, f, G_N_ELEMENTS(f));
        if (strcmp(f[0], "usage") == 0 && !d->usages)
            d->usages = usages_of(f[1]);
        else if (strcmp(f[0], "text") == 0)
            g_ptr_array_add(d->text, f[1]);
        else if (strcmp(f[0], "option") == 0)
            read_option(d, f[1]);
        else if (strcmp(f[0], "kind") == 0) {
            cut(f[1], kind, G_N_ELEMENTS(kind));
            const DescribedKind x = {kind[0], kind[1]};
            g_array_append_val(d->kinds, x);
        }
    }
    if (!d->usages)
        d->usages = g_new0(char *, 1);
    return d;
}

void description_free(Description *d)
{
    if (!d)
        return;
    g_strfreev(d->usages);
    g_ptr_array_unref(d->text);
    g_array_unref(d->options);
    g_array_unref(d->kinds);
    g_strfreev(d->lines);
    g_free(d);
}

const DescribedOption *description_option(const Description *d, const char *name)
{
    for (guint i = 0; i < d->options->len; i++) {
        const DescribedOption *option = &g_array_index(d->options, DescribedOption, i);
        if (strcmp(option->name, name) == 0 || (name[0] && !name[1] && option->letter == name[0]))
            return option;
    }
    return NULL;
}

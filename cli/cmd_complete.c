// `collsim complete LINE`, which shells call to complete a command line: prints the candidates for its last word, one
// per line, with a tab and a description. A line without a candidate, only a tab and `files`, `folders` or `plugins`,
// asks the shell for names of files, of folders, or of C files and libraries. All names come from the tables that
// --help and the commands themselves use.
#include "cli.h"
#include "complete.h"
#include <stdio.h>
#include <string.h>

// Splits a line into words as a shell does, without the quotes. The last quote may be open. The last word is the one to
// complete; it is empty if the line ends in a space. Free with g_strfreev.
static char **words_of(const char *line)
{
    static const char *const closings[] = {"", "'", "\""};
    for (size_t i = 0; i < G_N_ELEMENTS(closings); i++) {
        // A letter at the end keeps a last word that is empty or that is not complete.
        g_autofree char *closed = g_strconcat(line, "x", closings[i], NULL);
        char **words = NULL;
        if (!g_shell_parse_argv(closed, NULL, &words, NULL))
            continue;
        char *last = words[g_strv_length(words) - 1];
        last[strlen(last) - 1] = '\0';
        return words;
    }
    return g_strsplit(line, " ", -1);
}

static void add_commands(Completion *x)
{
    for (const Command *c = commands; c->name; c++)
        complete_add(x, c->name, c->summary);
}

static void add_kinds(Completion *x)
{
    for (guint i = 0; i < x->command->kinds->len; i++) {
        const DescribedKind *kind = &g_array_index(x->command->kinds, DescribedKind, i);
        complete_add(x, kind->name, kind->about);
    }
}

static gboolean is_given(const Completion *x, const DescribedOption *option)
{
    return g_ptr_array_find(x->given, option, NULL);
}

static void add_options(Completion *x)
{
    for (guint i = 0; i < x->command->options->len; i++) {
        const DescribedOption *option = &g_array_index(x->command->options, DescribedOption, i);
        g_autofree char *name = g_strconcat("--", option->name, NULL);
        const char letter[] = {'-', option->letter, '\0'};
        if (is_given(x, option) && !option->repeated)
            continue;
        complete_add(x, name, option->about);
        if (option->letter && strlen(x->word) < 3)
            complete_add(x, letter, option->about);
    }
}

// Returns the option that a word is or begins with, such as --platform=lumi; NULL if there is none. *value becomes what
// follows the '=', or NULL.
static const DescribedOption *option_of(const Description *d, const char *word, const char **value)
{
    const char *name = word + strspn(word, "-"), *equals = strchr(name, '=');
    g_autofree char *only = equals ? g_strndup(name, (gsize)(equals - name)) : g_strdup(name);
    *value = equals ? equals + 1 : NULL;
    if (strcmp(only, "n") == 0 || strcmp(only, "np") == 0) // as mpirun has them
        return description_option(d, "p");
    return word[0] == '-' ? description_option(d, only) : NULL;
}

// Adds what can stand at the place of the next argument, in any of the ways to use the command.
static void add_arguments(Completion *x)
{
    for (char **usage = x->command->usages; *usage; usage++) {
        g_auto(GStrv) words = g_strsplit(*usage, " ", -1);
        const guint n = g_strv_length(words), at = x->arguments->len;
        if (**usage == '-' || n == 0)
            continue; // "--goal FILE" is an option
        if (at < n)
            complete_argument(x, words[at]);
        else if (g_str_has_suffix(words[n - 1], "..."))
            complete_argument(x, words[n - 1]);
    }
}

// Reads the words after the command, and completes the last one.
static void complete_words(Completion *x, char **words)
{
    const DescribedOption *open = NULL; // the option whose value the next word is
    gboolean ended = FALSE;             // after --
    for (; words[1]; words++) {
        const char *value;
        const DescribedOption *option = ended || open ? NULL : option_of(x->command, *words, &value);
        if (option)
            g_ptr_array_add(x->given, (gpointer)option);
        else if (!open && !ended && strcmp(*words, "--") == 0)
            ended = TRUE;
        else if (!open && (ended || **words != '-'))
            g_ptr_array_add(x->arguments, *words);
        open = option && *option->value && !value ? option : NULL;
    }
    const char *value;
    const DescribedOption *option = open || ended ? open : option_of(x->command, *words, &value);
    x->word = *words;
    if (open)
        complete_value(x, open);
    else if (option && value && *option->value) {
        x->kept = (size_t)(value - x->word);
        complete_value(x, option);
    } else if (x->word[0] == '-' && !ended)
        add_options(x);
    else
        add_arguments(x);
}

// Completes the last word of a command line. The first word is the program.
static void complete(Completion *x, char **words)
{
    const guint n = g_strv_length(words);
    const gboolean help = n > 2 && strcmp(words[1], "help") == 0;
    x->word = words[n - 1];
    char **at = words + (help ? 2 : 1);
    if (!at[1]) {
        add_commands(x);
        for (const char *const *other = (const char *const[]){"help", "--help", "--version", NULL}; !help && *other;
             other++)
            complete_add(x, *other, NULL);
        return;
    }
    const Command *command = commands_find(*at++);
    x->command = command ? commands_describe(command, NULL) : NULL;
    if (x->command && x->command->kinds->len > 0) {
        if (!at[1]) {
            add_kinds(x);
            return;
        }
        description_free(x->command);
        x->command = commands_describe(command, *at++);
    }
    if (x->command && !help)
        complete_words(x, at);
}

int cmd_complete(int argc, char **argv, GError **error)
{
    (void)error;
    g_auto(GStrv) words = words_of(argc > 1 ? argv[1] : "");
    g_autoptr(GPtrArray) arguments = g_ptr_array_new(), given = g_ptr_array_new();
    g_autoptr(GString) out = g_string_new(NULL);
    Completion x = {.arguments = arguments, .given = given, .out = out};
    if (g_strv_length(words) > 1)
        complete(&x, words);
    fputs(out->str, stdout);
    description_free(x.command);
    return 0;
}

#include "ask/options.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/output.h"
#include "cli.h"
#include "engine/schedule/parse.h"
#include "libraries/sources/sources.h"
#include "out/wrap.h"
#include <string.h>

static const char help_text[] = "Prints what to cite for an algorithm, as BibTeX: the papers, documents and\n"
                                "libraries that its text is from. Without words it lists all sources with\n"
                                "their keys.\n"
                                "\n"
                                "  collsim cite\n"
                                "  collsim cite allreduce rabenseifner\n"
                                "  collsim cite bruck1997 loggp 003 -o paper.bib\n"
                                "\n"
                                "A word is an algorithm, a key, a model (hockney, logp, loggp, loggops), or one\n"
                                "of the five documents that the project grew from (000 to 004). After a\n"
                                "collective, words are algorithms of it; else they are those of all collectives,\n"
                                "or of the one in COLLECTIVE/NAME.\n"
                                "A source without a field doi has none, or none that could be verified.";

enum { MOST_WORDS = 1000 };

// Adds the sources of the collective's algorithms that have this name, or of all collectives' if it is N_COLLECTIVES.
// Returns the number of algorithms.
static int add_algorithms(const Sources *s, Collective only, const char *word, GPtrArray *found)
{
    int n = 0;
    for (int c = 0; c < N_COLLECTIVES; c++) {
        const CollAlgorithm *a = only == N_COLLECTIVES || c == (int)only ? algorithm_find((Collective)c, word) : NULL;
        if (a)
            sources_of_entry(s, a, found);
        n += a != NULL;
    }
    return n;
}

static gboolean not_known(const Sources *s, const char *word, GError **error)
{
    g_autoptr(GPtrArray) known = g_ptr_array_new();
    for (guint i = 0; i < sources_all(s)->len; i++)
        g_ptr_array_add(known, (char *)((const Source *)g_ptr_array_index(sources_all(s), i))->key);
    for (int i = 0; i < n_algorithms; i++)
        g_ptr_array_add(known, (char *)algorithms[i]->name);
    g_ptr_array_add(known, NULL);
    g_autofree char *shown = error_quote(word), *hint = nearest_hint(word, (const char *const *)known->pdata);
    return bad_input(error,
                     "%s is neither an algorithm nor a source%sallowed: a key of `collsim cite`, or a name of "
                     "`collsim list`",
                     shown, hint);
}

// Adds the sources of one word, each at most once.
//   word  a key, or an algorithm, also as COLLECTIVE/NAME
static gboolean add_word(const Sources *s, Collective only, const char *word, GPtrArray *found, GError **error)
{
    const char *const slash = strchr(word, '/');
    g_autofree char *collective = slash ? g_strndup(word, (size_t)(slash - word)) : NULL;
    if (collective && only == N_COLLECTIVES && collective_parse(collective, &only, NULL))
        word = slash + 1;
    const Source *source = sources_find(s, word);
    g_autoptr(GPtrArray) own = g_ptr_array_new();
    if (source)
        g_ptr_array_add(own, (gpointer)source);
    else if (only != N_COLLECTIVES && !algorithm_parse(only, word, error))
        return FALSE;
    else if (add_algorithms(s, only, word, own) == 0)
        return not_known(s, word, error);
    for (guint i = 0; i < own->len; i++)
        if (!g_ptr_array_find(found, own->pdata[i], NULL))
            g_ptr_array_add(found, own->pdata[i]);
    return own->len > 0 || bad_input(error,
                                     "no paper, document or library is known for %s; allowed: a key of `collsim cite`, "
                                     "or another algorithm",
                                     word);
}

static void list_sources(const Sources *s, FILE *to)
{
    static const char others_of_bibtex[] = "; others"; // the last of the authors, if not all are named
    for (guint i = 0; i < sources_all(s)->len; i++) {
        const Source *x = g_ptr_array_index(sources_all(s), i);
        g_autofree char *head = g_strdup_printf("%-18s", x->key);
        g_auto(GStrv) names = g_strsplit(x->author, " and ", -1);
        g_autofree char *authors = g_strjoinv("; ", names);
        const gboolean others = g_str_has_suffix(authors, others_of_bibtex);
        const int length = (int)(strlen(authors) - (others ? strlen(others_of_bibtex) : 0));
        g_autofree char *text =
            g_strdup_printf("%.*s%s%s%s%s%s%s%s", length, authors, others ? " et al." : "", *authors ? ": " : "",
                            x->title, *x->year ? ", " : "", x->year, *x->doi ? ", doi " : "", x->doi);
        g_auto(GStrv) parts = g_strsplit_set(text, "{}", -1); // braces are for BibTeX alone
        g_autofree char *plain = g_strjoinv("", parts);
        wrap_print(to, head, plain);
    }
}

int cmd_cite(int argc, char **argv, GError **error)
{
    g_autofree char *path = NULL;
    const GOptionEntry entries[] = {
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &path, "write to FILE (default standard output)", "FILE"},
        {NULL},
    };
    g_auto(GStrv) words = NULL;
    g_auto(Output) output = {0};
    Collective only = N_COLLECTIVES;
    g_autoptr(GPtrArray) found = g_ptr_array_new();
    g_autoptr(GString) text = g_string_new(NULL);
    if (!options_parse(argc, argv, "[COLLECTIVE|SOURCE] [ALGORITHM|SOURCE...]", help_text, entries, 0, MOST_WORDS,
                       &words, error))
        return 2;
    g_autoptr(Sources) sources = sources_read(error);
    if (!sources)
        return 2;
    const gboolean has_collective = words[0] && collective_parse(words[0], &only, NULL);
    if (has_collective && !words[1])
        return bad_input(error, "%s is a collective; allowed: one of its algorithms after it", words[0]), 2;
    for (char **word = words + has_collective; *word; word++)
        if (!add_word(sources, only, *word, found, error))
            return 2;
    for (guint i = 0; i < found->len; i++) {
        g_string_append(text, i ? "\n" : "");
        sources_put_bibtex(g_ptr_array_index(found, i), text);
    }
    if (!output_open(&output, path, error))
        return 2;
    if (words[0])
        fputs(text->str, output.to);
    else
        list_sources(sources, output.to);
    return output_close(&output, error) ? 0 : 2;
}

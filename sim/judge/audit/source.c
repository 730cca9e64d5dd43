#include "judge/audit/source.h"
#include "libraries/sources/sources.h"
#include <string.h>

// Returns the documents and papers of decisions/sources.csv, which are read once; NULL if they cannot be read.
static const Sources *all_sources(void)
{
    static gsize once;
    static Sources *sources;
    if (g_once_init_enter(&once)) {
        sources = sources_read(NULL);
        g_once_init_leave(&once, 1);
    }
    return sources;
}

static const Source *find(const char *source)
{
    return all_sources() ? sources_find(all_sources(), source) : NULL;
}

// Returns true if the source is one of the documents, whose keys are numbers.
static bool is_document(const Source *x)
{
    return x && x->key[strspn(x->key, "0123456789")] == '\0';
}

const char *source_title(const char *source)
{
    const Source *x = find(source);
    if (!is_document(x))
        return source;
    g_autofree char *title = g_strdup_printf("%s, %s", x->key, x->title);
    return g_intern_string(title);
}

// Returns the authors as people write them in a list: "Sun Haonan, Wang Fei". Free with g_free.
static char *authors_of(const Source *x)
{
    g_auto(GStrv) authors = g_strsplit(x->author, " and ", -1);
    for (char **author = authors; *author; author++) {
        g_auto(GStrv) parts = g_strsplit_set(*author, ",{}", -1);
        g_free(*author);
        *author = g_strstrip(g_strjoinv("", parts));
    }
    return g_strjoinv(", ", authors);
}

// Returns true if the text contains the words, which are folded (g_utf8_casefold).
static bool contains(const char *text, const char *folded)
{
    g_autofree char *all = g_utf8_casefold(text, -1);
    return strstr(all, folded) != NULL;
}

bool source_matches(const Claim *claim, const char *words)
{
    if (strcmp(claim->source, words) == 0)
        return true;
    g_autofree char *folded = g_utf8_casefold(words, -1);
    // A number names a document and nothing else, so that 2005 is not a year.
    if (!*folded || folded[strspn(folded, "0123456789")] == '\0')
        return false;
    if (contains(claim->source, folded) || (claim->algorithm && contains(claim->algorithm->source, folded)))
        return true;
    const Source *x = find(claim->source);
    g_autofree char *authors = x ? authors_of(x) : NULL;
    return x && (contains(x->title, folded) || contains(x->also, folded) || contains(authors, folded));
}

char *source_list(void)
{
    GString *s = g_string_new(NULL);
    for (guint i = 0; all_sources() && i < sources_all(all_sources())->len; i++) {
        const Source *x = g_ptr_array_index(sources_all(all_sources()), i);
        if (!is_document(x))
            continue;
        g_autofree char *authors = authors_of(x);
        g_string_append_printf(s, "%s%s%s%s%s", s->len ? "; " : "", source_title(x->key), *authors ? " (" : "", authors,
                               *authors ? ")" : "");
    }
    return g_string_free(s, FALSE);
}

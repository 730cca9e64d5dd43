#include "judge/audit/source.h"
#include <string.h>

static const struct {
    const char *source, *title, *own_title, *authors;
} documents[] = {
    {"000", "000, a report on Open MPI's algorithms", "", "WizHUA"},
    {"001", "001, a survey of allreduce", "MPI_Allreduce的前世今生", "虎王, Computing Dynamics"},
    {"002", "002, Gatherv by binomial tree", "", "Sun Haonan, Wang Fei, Wei Di, Yin Wanwang, Shi Junda"},
    {"003", "003, collectives in shared memory",
     "Algorithms of MPI reduction and broadcast based on shared memory of multiprocessor nodes",
     "A. A. Romanyuta, M. G. Kurnosov"},
    {"004", "004, tree and butterfly allreduce", "", ""},
};

const char *source_title(const char *source)
{
    for (size_t i = 0; i < G_N_ELEMENTS(documents); i++)
        if (strcmp(documents[i].source, source) == 0)
            return documents[i].title;
    return source;
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
    for (size_t i = 0; i < G_N_ELEMENTS(documents); i++)
        if (strcmp(documents[i].source, claim->source) == 0)
            return contains(documents[i].title, folded) || contains(documents[i].own_title, folded) ||
                   contains(documents[i].authors, folded);
    return false;
}

char *source_list(void)
{
    GString *s = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(documents); i++)
        g_string_append_printf(s, "%s%s%s%s%s", i ? "; " : "", documents[i].title, *documents[i].authors ? " (" : "",
                               documents[i].authors, *documents[i].authors ? ")" : "");
    return g_string_free(s, FALSE);
}

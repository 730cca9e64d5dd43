#include "run/launch/job_map.h"
#include "base/number.h"
#include <glib.h>
#include <limits.h>
#include <string.h>

static const char block_word[] = "block:", cyclic_word[] = "cyclic:";

static int cyclic_nodes(int p, int k)
{
    return (p - 1) / k + 1;
}

// Returns K if the nodes are those of cyclic:K, otherwise 0.
static int cyclic(const CollNodes *nodes)
{
    const int p = nodes->first[nodes->n], k = (p - 1) / nodes->n + 1;
    for (int rank = 0; rank < p; rank++)
        if (nodes->of[rank] != rank % nodes->n)
            return 0;
    return cyclic_nodes(p, k) == nodes->n ? k : 0;
}

static char *text_of(const CollNodes *nodes)
{
    const int p = nodes->first[nodes->n], block = coll_nodes_block(nodes), k = block ? block : cyclic(nodes);
    if (k)
        return g_strdup_printf("%s%d", block ? block_word : cyclic_word, k);
    GString *s = g_string_new(NULL);
    for (int rank = 0, n = 1; rank < p; rank += n, n = 1) {
        while (rank + n < p && nodes->of[rank + n] == nodes->of[rank])
            n++;
        g_string_append_printf(s, "%s%d", rank ? "," : "", nodes->of[rank]);
        if (n > 1)
            g_string_append_printf(s, "*%d", n);
    }
    return g_string_free(s, FALSE);
}

char *job_map_text(const CollNodes *nodes)
{
    g_autofree char *first = text_of(nodes);
    GString *s = g_string_new(first);
    for (const CollNodes *x = nodes->inner; x; x = x->inner) {
        g_autofree char *text = text_of(x);
        g_string_append_printf(s, "<%s", text);
    }
    for (const CollNodes *x = nodes->outer; x; x = x->outer) {
        g_autofree char *text = text_of(x);
        g_string_append_printf(s, ">%s", text);
    }
    return g_string_free(s, FALSE);
}

// Adds the ranks of one word of a list, NODE or NODE*N, to the first *n ranks, whose nodes are `of`. Marks the node.
static gboolean add_ranks(char *word, int p, int *of, int *n, bool *has)
{
    char *times = strchr(word, '*');
    int node, more = 1;
    if (times)
        *times++ = '\0';
    if (!number_int(word, 0, p - 1, &node) || (times && !number_int(times, 1, p, &more)) || more > p - *n)
        return FALSE;
    has[node] = true;
    while (more-- > 0)
        of[(*n)++] = node;
    return TRUE;
}

static gboolean list_parse(const char *text, int p, int *of)
{
    g_auto(GStrv) word = g_strsplit(text, ",", -1);
    g_autofree bool *has = g_new0(bool, p);
    int n = 0, nodes = 0;
    for (guint i = 0; word[i]; i++)
        if (!add_ranks(word[i], p, of, &n, has))
            return FALSE;
    for (int rank = 0; rank < n; rank++)
        nodes = MAX(nodes, of[rank] + 1);
    while (nodes > 0 && has[nodes - 1])
        nodes--;
    return n == p && nodes == 0;
}

static CollNodes *parse_one(const char *text, int p)
{
    g_autofree int *of = g_new(int, p);
    const bool block = g_str_has_prefix(text, block_word), is_cyclic = g_str_has_prefix(text, cyclic_word);
    int k = 1;
    if (!block && !is_cyclic)
        return list_parse(text, p, of) ? coll_nodes_new(p, of) : NULL;
    if (!number_int(text + strlen(block ? block_word : cyclic_word), 1, INT_MAX, &k))
        return NULL;
    for (int rank = 0; rank < p; rank++)
        of[rank] = block ? rank / k : rank % cyclic_nodes(p, k);
    return coll_nodes_new(p, of);
}

static CollNodes *parse(const char *text, int p)
{
    g_auto(GStrv) part = g_strsplit_set(text, "<>", -1);
    CollNodes *const nodes = part[0] ? parse_one(part[0], p) : NULL, *inner = nodes, *outer = nodes;
    for (size_t i = 1, at = strlen(part[0] ? part[0] : ""); nodes && part[i]; at += 1 + strlen(part[i++])) {
        CollNodes *units = parse_one(part[i], p);
        if (!units) {
            coll_nodes_free(nodes);
            return NULL;
        }
        if (text[at] == '<')
            inner = inner->inner = units;
        else
            outer = outer->outer = units;
    }
    return nodes;
}

// ---- Nodes that callers share ---------------------------------------------------------------------------------------

typedef struct SharedMap {
    struct SharedMap *next;
    char *text;
    int p, users;
    CollNodes *nodes;
} SharedMap;

static GMutex shared_lock;
static SharedMap *shared_maps;

const CollNodes *job_map_parse(const char *text, int p)
{
    g_mutex_lock(&shared_lock);
    SharedMap *x = shared_maps;
    while (x && (x->p != p || strcmp(x->text, text) != 0))
        x = x->next;
    CollNodes *nodes = x ? x->nodes : parse(text, p);
    if (!x && nodes) {
        x = g_new(SharedMap, 1);
        *x = (SharedMap){shared_maps, g_strdup(text), p, 0, nodes};
        shared_maps = x;
    }
    if (x)
        x->users++;
    g_mutex_unlock(&shared_lock);
    return nodes;
}

void job_map_free(const CollNodes *nodes)
{
    if (!nodes)
        return;
    g_mutex_lock(&shared_lock);
    SharedMap **at = &shared_maps;
    while (*at && (*at)->nodes != nodes)
        at = &(*at)->next;
    SharedMap *x = *at;
    g_assert(x);
    if (--x->users == 0) {
        *at = x->next;
        coll_nodes_free(x->nodes);
        g_free(x->text);
        g_free(x);
    }
    g_mutex_unlock(&shared_lock);
}

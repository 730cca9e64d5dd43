// What the messages of a critical path form: a ring, a chain, a tree, a butterfly. Only what the messages themselves
// prove is said, whatever the algorithm is called.
#include "answer/report/report.h"
#include <string.h>

// A message of the path.
typedef struct PathEdge {
    int from, to;
} PathEdge;

char *report_grouped(int64_t n)
{
    GString *s = g_string_new(NULL);
    g_string_printf(s, "%" G_GINT64_FORMAT, n);
    for (gssize i = (gssize)s->len - 3; i > (n < 0); i -= 3)
        g_string_insert_c(s, i, ',');
    return g_string_free(s, FALSE);
}

static GArray *edges_of(const GArray *why)
{
    GArray *edges = g_array_new(FALSE, FALSE, sizeof(PathEdge));
    for (guint i = 0; i < why->len; i++) {
        const WhyStep *x = &g_array_index(why, WhyStep, i);
        const gboolean leaves = strcmp(x->what, "send") == 0 || strcmp(x->what, "flight") == 0,
                       comes = strcmp(x->what, "recv") == 0 || strcmp(x->what, "read") == 0;
        const PathEdge e = leaves ? (PathEdge){x->rank, x->peer} : (PathEdge){x->peer, x->rank};
        if (leaves || comes)
            g_array_append_val(edges, e);
    }
    return edges;
}

static const PathEdge *edge(const GArray *edges, guint i)
{
    return &g_array_index(edges, PathEdge, i);
}

static int moved(const PathEdge *e, int p)
{
    return ((e->to - e->from) % p + p) % p;
}

// Returns how many ranks the messages leave, or (`to`) arrive at.
static guint count_ranks(const GArray *edges, gboolean to)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < edges->len; i++)
        g_hash_table_add(seen, GINT_TO_POINTER(to ? edge(edges, i)->to : edge(edges, i)->from));
    return g_hash_table_size(seen);
}

static gboolean all_follow(const GArray *edges)
{
    for (guint i = 1; i < edges->len; i++)
        if (edge(edges, i)->from != edge(edges, i - 1)->to)
            return FALSE;
    return TRUE;
}

// All messages go equally far.
static char *equally_far(const GArray *edges, int p, const char *n)
{
    const int by = moved(edge(edges, 0), p), shown = 2 * by > p ? by - p : by;
    for (guint i = 1; i < edges->len; i++)
        if (moved(edge(edges, i), p) != by)
            return NULL;
    const guint ranks = count_ranks(edges, FALSE);
    if (ranks == 1)
        return g_strdup_printf("%s go from rank %d to rank %d", n, edge(edges, 0)->from, edge(edges, 0)->to);
    return g_strdup_printf("%s %s rank r to r%+d", n,
                           p > 2 && ranks == (guint)p ? "form one ring, each from"
                           : all_follow(edges)        ? "form one chain, each from"
                                                      : "go from",
                           shown);
}

// Returns ", all to rank 3" if all messages leave or arrive there, and "" otherwise. Free with g_free.
static char *place(const GArray *edges)
{
    return count_ranks(edges, FALSE) == 1  ? g_strdup_printf(", all from rank %d", edge(edges, 0)->from)
           : count_ranks(edges, TRUE) == 1 ? g_strdup_printf(", all to rank %d", edge(edges, 0)->to)
                                           : g_strdup("");
}

// All messages leave one rank, or arrive at one.
static char *star(const GArray *edges, const char *n)
{
    g_autofree char *at = place(edges);
    return *at ? g_strdup_printf("%s follow each other%s", n, at) : NULL;
}

// The distances double or halve, once or twice in turn, as in a butterfly. `p` is 0 for distances between numbers of
// ranks, which an XOR changes; otherwise they are modulo p.
static char *butterfly(const GArray *edges, int p, const char *n)
{
    g_autoptr(GArray) far = g_array_new(FALSE, FALSE, sizeof(int)); // without those that are as far as the one before
    for (guint i = 0; i < edges->len; i++) {
        const int by = p ? moved(edge(edges, i), p) : 0,
                  d = p ? MIN(by, p - by) : ABS(edge(edges, i)->to - edge(edges, i)->from);
        if (far->len == 0 || g_array_index(far, int, far->len - 1) != d)
            g_array_append_val(far, d);
    }
    if (far->len < 3)
        return NULL;
    g_autoptr(GString) s = g_string_new(NULL);
    guint runs = 0;
    for (guint i = 1, begin = 0; i < far->len; i++) {
        const int a = g_array_index(far, int, i - 1), b = g_array_index(far, int, i);
        const gboolean up = b == 2 * a, last = i + 1 == far->len;
        if (!up && a != 2 * b)
            return NULL;
        if (!last && up == (g_array_index(far, int, i + 1) > b))
            continue;
        g_string_append_printf(s, "%s%s from %d to %d", runs++ ? ", then " : "", up ? "double" : "halve",
                               g_array_index(far, int, begin), b);
        begin = i;
    }
    g_autofree char *at = place(edges);
    return runs <= 2 ? g_strdup_printf("The distances of %s %s ranks%s", n, s->str, at) : NULL;
}

// Each rank receives once, from one that is in the tree already, or (`up`) the same backwards.
static char *tree(const GArray *edges, gboolean up, const char *n)
{
    g_autoptr(GHashTable) depth = g_hash_table_new(NULL, NULL);
    int deepest = 0;
    for (guint k = 0; k < edges->len; k++) {
        const PathEdge *e = edge(edges, up ? edges->len - 1 - k : k);
        const int parent = up ? e->to : e->from, child = up ? e->from : e->to;
        if (k == 0)
            g_hash_table_insert(depth, GINT_TO_POINTER(parent), GINT_TO_POINTER(0));
        if (!g_hash_table_contains(depth, GINT_TO_POINTER(parent)) ||
            g_hash_table_contains(depth, GINT_TO_POINTER(child)))
            return NULL;
        const int at = GPOINTER_TO_INT(g_hash_table_lookup(depth, GINT_TO_POINTER(parent))) + 1;
        g_hash_table_insert(depth, GINT_TO_POINTER(child), GINT_TO_POINTER(at));
        deepest = MAX(deepest, at);
    }
    return g_strdup_printf("%s form a tree of depth %d, in which each rank %s once", n, deepest,
                           up ? "sends" : "receives");
}

char *report_path_form(const GArray *why, int p)
{
    g_autoptr(GArray) edges = edges_of(why);
    if (edges->len < 2)
        return NULL;
    gboolean shared = FALSE;
    for (guint i = 0; i < why->len; i++)
        shared |= strcmp(g_array_index(why, WhyStep, i).what, "read") == 0;
    g_autofree char *number = report_grouped(edges->len),
                    *n = g_strdup_printf("%s %s", number, shared ? "reads" : "messages");
    char *form = equally_far(edges, p, n);
    form = form ? form : butterfly(edges, 0, n);
    form = form ? form : butterfly(edges, p, n);
    form = form ? form : star(edges, n);
    form = form ? form : tree(edges, FALSE, n);
    return form ? form : tree(edges, TRUE, n);
}

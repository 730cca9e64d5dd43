#include "judge/prove/nodes.h"
#include "api/make.h"
#include "registry/composition.h"
#include <glib.h>

// Sets the node of every rank at random.
static void draw(NodesKind kind, int p, int k, int *of)
{
    const int most = (p - 1) / k + 1;
    GRand *random = g_rand_new_with_seed((guint32)(p * 64 + k));
    g_autofree int *number = g_new(int, most);
    for (int node = 0; node < most; node++)
        number[node] = -1;
    for (int rank = 0, n = 0, left = 0; rank < p; rank++)
        if (kind == NODES_RUNS) {
            n += left == 0;
            left = left == 0 ? g_rand_int_range(random, 0, 2 * k - 1) : left - 1;
            of[rank] = n - 1;
        } else { // nodes are numbered when they get their first rank, so that none is empty
            int *drawn = &number[g_rand_int_range(random, 0, most)];
            of[rank] = *drawn = *drawn < 0 ? n++ : *drawn;
        }
    g_rand_free(random);
}

static CollNodes *make(NodesKind kind, int p, int k)
{
    g_autofree int *of = g_new(int, p);
    if (kind == NODES_BLOCK)
        return coll_nodes_blocks(p, k);
    if (kind != NODES_CYCLIC)
        draw(kind, p, k, of);
    for (int rank = 0; kind == NODES_CYCLIC && rank < p; rank++)
        of[rank] = rank % ((p - 1) / k + 1);
    return coll_nodes_new(p, of);
}

const CollNodes *nodes_kept(NodesKind kind, int p, int k)
{
    static GMutex lock;
    static GHashTable *made; // by (4 k + kind) * 2^32 + p
    if (k == 0)
        return NULL;
    const gint64 key = ((gint64)(4 * k + (int)kind) << 32) + p;
    g_mutex_lock(&lock);
    if (!made)
        made = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    CollNodes *nodes = g_hash_table_lookup(made, &key);
    if (!nodes)
        g_hash_table_insert(made, g_memdup2(&key, sizeof key), nodes = make(kind, p, k));
    g_mutex_unlock(&lock);
    return nodes;
}

const CollNodes *nodes_of(int p, int k)
{
    return nodes_kept(NODES_BLOCK, p, k);
}

static bool runs_on(const CollAlgorithm *a, int p, const CollNodes *nodes)
{
    const Coll all = {.p = p, .elem = 1, .commutative = true, .nodes = nodes, .par = algorithm_defaults(a)};
    Coll c = coll_make(a->collective, &all, 0, (size_t)p, NULL);
    const char *why;
    return coll_resolve(a, &c, &why) == a;
}

const CollNodes *nodes_suited(const CollAlgorithm *a, int p)
{
    const CollNodes *three = nodes_of(p, 3), *four = nodes_of(p, 4);
    return !runs_on(a, p, three) && runs_on(a, p, four) ? four : three;
}

char *nodes_text(const CollNodes *nodes)
{
    if (!nodes)
        return g_strdup("none");
    GString *s = g_string_new(NULL);
    for (int rank = 0; rank < nodes->first[nodes->n]; rank++)
        g_string_append_printf(s, "%s%d", rank ? "," : "", nodes->of[rank]);
    return g_string_free(s, FALSE);
}

#include "nodes.h"
#include <glib.h>

const CollNodes *nodes_of(int p, int k)
{
    static GMutex lock;
    static GHashTable *made; // by k * 2^32 + p
    if (k == 0)
        return NULL;
    const gint64 key = ((gint64)k << 32) + p;
    g_mutex_lock(&lock);
    if (!made)
        made = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    CollNodes *nodes = g_hash_table_lookup(made, &key);
    if (!nodes)
        g_hash_table_insert(made, g_memdup2(&key, sizeof key), nodes = coll_nodes_blocks(p, k));
    g_mutex_unlock(&lock);
    return nodes;
}

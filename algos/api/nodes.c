#include "api/nodes.h"
#include <glib.h>

CollNodes *coll_nodes_new(int p, const int *of)
{
    CollNodes *x = g_new0(CollNodes, 1);
    for (int rank = 0; rank < p; rank++)
        x->n = MAX(x->n, of[rank] + 1);
    x->of = g_memdup2(of, (gsize)p * sizeof(int));
    x->local = g_new(int, p);
    x->first = g_new0(int, x->n + 1);
    x->member = g_new(int, p);
    for (int rank = 0; rank < p; rank++)
        x->local[rank] = x->first[of[rank] + 1]++;
    for (int node = 0; node < x->n; node++)
        x->first[node + 1] += x->first[node];
    for (int rank = 0; rank < p; rank++)
        x->member[x->first[of[rank]] + x->local[rank]] = rank;
    return x;
}

CollNodes *coll_nodes_blocks(int p, int k)
{
    g_autofree int *of = g_new(int, p);
    for (int rank = 0; rank < p; rank++)
        of[rank] = rank / k;
    return coll_nodes_new(p, of);
}

void coll_nodes_free(CollNodes *x)
{
    if (!x)
        return;
    g_free(x->of);
    g_free(x->local);
    g_free(x->first);
    g_free(x->member);
    g_free(x);
}

int coll_nodes_block(const CollNodes *x)
{
    const int p = x->first[x->n], k = x->first[1];
    for (int rank = 0; rank < p; rank++)
        if (x->of[rank] != rank / k)
            return 0;
    return k;
}

int coll_nodes_equal(const CollNodes *x)
{
    const int k = x->first[1];
    for (int node = 1; node < x->n; node++)
        if (coll_nodes_size(x, node) != k)
            return 0;
    return k;
}

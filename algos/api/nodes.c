#include "api/nodes.h"
#include <glib.h>

// Finds the different sizes, and the lowest node of each.
static void find_sizes(CollNodes *x, int largest)
{
    g_autofree bool *seen = g_new0(bool, largest + 1);
    int n = 0;
    for (int node = 0; node < x->n; node++) {
        bool *had = &seen[coll_nodes_size(x, node)];
        n += !*had;
        *had = true;
    }
    x->sized = g_new(int, n);
    for (int node = 0; x->n_sizes < n; node++) {
        bool *wanted = &seen[coll_nodes_size(x, node)];
        if (*wanted)
            x->sized[x->n_sizes++] = node;
        *wanted = false;
    }
    x->equal = n == 1 ? largest : 0;
}

static void find_lanes(CollNodes *x, int largest)
{
    const int p = x->first[x->n];
    x->lane_first = g_new0(int, largest + 1);
    x->lane = g_new(int, p);
    x->in_lane = g_new(int, p);
    for (int i = 0; i < p; i++) // in the order of the nodes
        x->in_lane[x->member[i]] = x->lane_first[x->local[x->member[i]] + 1]++;
    for (int lane = 0; lane < largest; lane++)
        x->lane_first[lane + 1] += x->lane_first[lane];
    for (int rank = 0; rank < p; rank++)
        x->lane[x->lane_first[x->local[rank]] + x->in_lane[rank]] = rank;
}

CollNodes *coll_nodes_new(int p, const int *of)
{
    CollNodes *x = g_new0(CollNodes, 1);
    for (int rank = 0; rank < p; rank++)
        x->n = MAX(x->n, of[rank] + 1);
    x->of = g_memdup2(of, (gsize)p * sizeof(int));
    x->local = g_new(int, p);
    x->first = g_new0(int, x->n + 1);
    x->member = g_new(int, p);
    int largest = 0;
    x->ordered = true;
    for (int rank = 0; rank < p; rank++) {
        x->local[rank] = x->first[of[rank] + 1]++;
        largest = MAX(largest, x->local[rank] + 1);
        x->ordered &= rank == 0 || of[rank] >= of[rank - 1];
    }
    for (int node = 0; node < x->n; node++)
        x->first[node + 1] += x->first[node];
    for (int rank = 0; rank < p; rank++)
        x->member[x->first[of[rank]] + x->local[rank]] = rank;
    find_sizes(x, largest);
    find_lanes(x, largest);
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
    coll_nodes_free(x->inner);
    coll_nodes_free(x->outer);
    g_free(x->of);
    g_free(x->local);
    g_free(x->first);
    g_free(x->member);
    g_free(x->sized);
    g_free(x->lane_first);
    g_free(x->lane);
    g_free(x->in_lane);
    g_free(x);
}

int coll_nodes_block(const CollNodes *x)
{
    const int k = x->first[1];
    bool block = x->ordered;
    for (int node = 0; block && node < x->n; node++)
        block = coll_nodes_size(x, node) == k || (node == x->n - 1 && coll_nodes_size(x, node) < k);
    return block ? k : 0;
}

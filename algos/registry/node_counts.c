#include "registry/node_counts.h"
#include "api/communicate.h"
#include "registry/composition.h"
#include <glib.h>

// Sets at[0 .. n] from the lengths and, if the blocks are not packed, from where they begin in the whole buffer.
static const NodeCounts *counts_of(const Coll *c, int n, const size_t *len, size_t *at, bool packed)
{
    size_t start = SIZE_MAX, end = 0;
    for (int i = 0; i < n; i++)
        start = len[i] > 0 ? MIN(start, at[i]) : start;
    start = packed || start == SIZE_MAX ? 0 : start;
    for (int i = 0; i < n; i++) {
        at[i] = packed || len[i] == 0 ? end : at[i] - start;
        end = MAX(end, at[i] + len[i]);
    }
    at[n] = end;
    NodeCounts *counts = (void *)coll_sizes(c, (sizeof *counts + sizeof(size_t) - 1) / sizeof(size_t));
    *counts = (NodeCounts){.counts = {.len = len, .at = at}, .packed = packed, .start = start};
    return counts;
}

const NodeCounts *node_counts_low(const Coll *c, const Blocks *b, bool packed)
{
    const int node = c->nodes->of[c->rank], k = coll_nodes_size(c->nodes, node);
    size_t *len = coll_sizes(c, (size_t)k), *at = coll_sizes(c, (size_t)k + 1);
    for (int i = 0; i < k; i++) {
        const Slice s = block(b, c->nodes->member[c->nodes->first[node] + i]);
        len[i] = s.len;
        at[i] = s.off - b->all.off;
    }
    return counts_of(c, k, len, at, packed);
}

// Sets *start and *len to where the blocks of a node begin, and to their bytes. Returns false if the blocks do not lie
// one after the other, in the order of the node's ranks.
static bool lie_together(const Coll *c, const Blocks *b, int node, size_t *start, size_t *len)
{
    bool together = true;
    *start = 0;
    *len = 0;
    for (int i = c->nodes->first[node]; i < c->nodes->first[node + 1]; i++) {
        const Slice s = block(b, c->nodes->member[i]);
        const size_t at = s.off - b->all.off;
        *start = *len == 0 ? at : *start;
        together = together && (s.len == 0 || at == *start + *len);
        *len += s.len;
    }
    return together;
}

// Returns true if a rank's block, of another node than `home`, begins before that of the rank before it. Blocks of
// different nodes could be received straight into place even so, but Open MPI's HAN does not look at nodes here.
static bool out_of_order(const Coll *c, const Blocks *b, int home)
{
    bool any = false;
    for (int i = 1; i < c->p; i++) {
        const Slice s = block(b, i);
        any = any || (c->nodes->of[i] != home && s.len > 0 && s.off < block(b, i - 1).off);
    }
    return any;
}

const NodeCounts *node_counts_up(const Coll *c, const Blocks *b)
{
    const int n = c->nodes->n, home = c->nodes->of[c->root];
    size_t *len = coll_sizes(c, (size_t)n), *at = coll_sizes(c, (size_t)n + 1);
    bool packed = out_of_order(c, b, home);
    for (int node = 0; node < n; node++) {
        const bool together = lie_together(c, b, node, &at[node], &len[node]);
        packed = packed || (node != home && !together);
        len[node] = node == home ? 0 : len[node];
    }
    return counts_of(c, n, len, at, packed);
}

Slice node_counts_slice(const NodeCounts *counts, int p, Slice all)
{
    return slice_at(all, counts->start, counts->counts.at[p]);
}

const int *node_counts_others(const Coll *c, int *n)
{
    const int home = c->nodes->of[c->root];
    int *others = coll_ints(c, (size_t)c->p);
    *n = 0;
    for (int i = 0; i < c->p; i++)
        if (c->nodes->of[c->nodes->member[i]] != home)
            others[(*n)++] = c->nodes->member[i];
    return others;
}

void node_counts_tell(const Coll *group, const CollAlgorithm *gather)
{
    Coll lengths = *group;
    lengths.counts = NULL;
    lengths.elem = NODE_COUNTS_BYTES;
    lengths.in = coll_scratch(group, NODE_COUNTS_BYTES);
    lengths.out = lengths.in; // of the root alone it is significant
    lengths.out.len = NODE_COUNTS_BYTES * (size_t)group->p;
    if (group->rank == group->root)
        lengths.out = coll_scratch(group, lengths.out.len);
    coll_call(&lengths, gather);
}

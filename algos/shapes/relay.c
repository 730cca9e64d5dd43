// Relays: blocks that the ranks of the root's node pass on.
#include "shapes/relay.h"
#include "api/communicate.h"
#include "shapes/fan.h"
#include "shapes/runs.h"

Relay relay_of(const CollNodes *nodes, int root, const CollParams *par)
{
    const int k = coll_nodes_equal(nodes), size = par->leaders < k ? par->leaders : k;
    const int runs = (nodes->n - 1) * ((k + size - 1) / size);
    return (Relay){
        .nodes = nodes,
        .home = nodes->of[root],
        .local = nodes->local[root],
        .mates = k - 1,
        .size = size,
        .runs = runs,
        .direct = par->halvings < runs ? par->halvings : runs,
    };
}

int relay_mate(const Relay *x, int rank)
{
    const int local = x->nodes->local[rank];
    return x->nodes->of[rank] != x->home || local == x->local ? -1 : local - (local > x->local);
}

int relay_rank(const Relay *x, int mate)
{
    return x->nodes->member[x->nodes->first[x->home] + mate + (mate >= x->local)];
}

// Returns the number of runs of a node.
static int of_node(const Relay *x)
{
    return (x->mates + x->size) / x->size;
}

int relay_run(const Relay *x, int rank)
{
    const int behind = (x->nodes->of[rank] - x->home + x->nodes->n) % x->nodes->n - 1;
    return behind * of_node(x) + x->nodes->local[rank] / x->size;
}

const int *relay_ranks(const Relay *x, int run, int *n)
{
    const int node = (x->home + 1 + run / of_node(x)) % x->nodes->n, local = run % of_node(x) * x->size;
    const int left = x->mates + 1 - local;
    *n = x->size < left ? x->size : left;
    return coll_nodes_members(x->nodes, node) + local;
}

int relay_via(const Coll *c, const Relay *x, int run)
{
    return run < x->direct ? c->root : relay_rank(x, (run - x->direct) % x->mates);
}

Slice relay_slice(const Coll *c, const Blocks *b, const int *ranks, int n, bool *packed)
{
    int i = 0;
    while (i + 1 < n && ranks[i + 1] == ranks[i] + 1 && blocks_touch(b, ranks[i], ranks[i + 1]))
        i++;
    *packed = i + 1 < n;
    return *packed ? coll_scratch(c, blocks_total(b, n, ranks)) : blocks(b, ranks[0], ranks[0] + n);
}

void relay_pass(const Coll *c, const Relay *x, const Blocks *b, bool down)
{
    const int first = x->direct + relay_mate(x, c->rank), most = relay_buffers(x);
    size_t longest = 0;
    int n, of = 0;
    for (int run = first; run < x->runs; run += x->mates, of++) {
        const int *ranks = relay_ranks(x, run, &n);
        const size_t len = blocks_total(b, n, ranks);
        longest = len > longest ? len : longest;
    }
    const int kept = of < most ? of : most;
    const Slice buffer = coll_scratch(c, (size_t)kept * longest);
    int *sent = coll_ints(c, (size_t)kept);
    for (int i = 0, run = first; i < of; i++, run += x->mates) {
        const int *ranks = relay_ranks(x, run, &n);
        const Slice held = slice_at(buffer, (size_t)(i % kept) * longest, blocks_total(b, n, ranks));
        if (i >= kept)
            coll_wait(c, sent[i % kept]);
        coll_recv(c, down ? c->root : ranks[0], held);
        sent[i % kept] = coll_isend(c, down ? ranks[0] : c->root, held);
    }
}

Relay relay_singly(const Coll *c)
{
    CollParams single = c->par;
    single.leaders = 1;
    single.halvings = 0;
    return relay_of(c->nodes, c->root, &single);
}

int relay_single(const Relay *x, int run)
{
    int n;
    return relay_ranks(x, run, &n)[0];
}

int relay_helper(const Relay *x, int mate)
{
    return relay_single(x, x->runs - x->mates + mate);
}

int relay_helped(const Relay *x, int rank)
{
    const int mate = relay_run(x, rank) - (x->runs - x->mates);
    return mate < 0 ? -1 : relay_rank(x, mate);
}

void relay_tell(const Coll *c)
{
    Coll over = *c;
    over.par.halvings = 2;
    runs_bcast_counts_over(c, tree_fan(&over, c->root));
}

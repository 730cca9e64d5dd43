// Scatter and gather over trees in which the blocks of every subtree are consecutive.
#include "shapes/runs.h"
#include "api/blocks.h"
#include "api/communicate.h"
#include "api/integers.h"
#include "shapes/tree_engines.h"

// ---- The trees -----------------------------------------------------------------------------------------------------

// Makes the Runs of a tree whose places are v, so that a child's run begins with the child.
static Runs runs_of_v(const Coll *c, Tree tree, int n)
{
    int *first = coll_ints(c, (size_t)tree.n);
    for (int i = 0; i < tree.n; i++) {
        const int child = tree.child[i] - c->root;
        first[i] = (child < 0 ? child + c->p : child) - coll_v(c);
    }
    return (Runs){.tree = tree, .n = n, .first = first};
}

Runs runs_binomial(const Coll *c)
{
    return runs_of_v(c, tree_knomial(c, c->root, 2), tree_binomial_span(coll_v(c), c->p));
}

Runs runs_knomial(const Coll *c)
{
    const int k = c->par.radix;
    return runs_of_v(c, tree_knomial_descending(c, c->root, k), tree_knomial_span(coll_v(c), c->p, k));
}

Runs runs_chain(const Coll *c, int chains)
{
    return runs_of_v(c, tree_chain(c, c->root, chains), tree_chain_span(coll_v(c), c->p, chains));
}

// Returns the v at a place, walking down from the root. A subtree has its root first, then the left subtree, then the
// right one.
static int binary_at(const Coll *c, int place)
{
    int v = 0;
    while (place > 0) {
        const int level = pow2_floor(v + 1), left = tree_binary_span(v + level, c->p);
        place -= 1;
        v += place < left ? level : 2 * level;
        place -= place < left ? 0 : left;
    }
    return v;
}

Runs runs_binary(const Coll *c)
{
    const int v = coll_v(c), level = pow2_floor(v + 1);
    int *first = coll_ints(c, 2);
    first[0] = 1;
    first[1] = v + (int64_t)level < c->p ? 1 + tree_binary_span(v + level, c->p) : 1;
    return (Runs){.tree = tree_binary(c, c->root), .n = tree_binary_span(v, c->p), .first = first, .at = binary_at};
}

// ---- Runs of blocks ------------------------------------------------------------------------------------------------

// Returns where child i's run ends: where the next run begins, or n for the last run. Children are listed by ascending
// or by descending place, so the next run belongs to the child after or before child i.
static int run_end(const Runs *r, int i)
{
    const int first = r->first[i];
    if (i + 1 < r->tree.n && r->first[i + 1] > first)
        return r->first[i + 1];
    return i > 0 && r->first[i - 1] > first ? r->first[i - 1] : r->n;
}

// Returns how many bytes the blocks of v, v+1 .. v+n-1 (mod p) have together, n <= p.
static size_t run_bytes(const Coll *c, const Blocks *b, int v, int n)
{
    size_t bytes = 0;
    const int first = n ? coll_rank(c, v % c->p) : 0, to = first + n;
    if (!b->counts) // ranks first .. p-1, then from 0 on: two slices instead of a loop over n blocks
        return blocks(b, first, to < c->p ? to : c->p).len + blocks(b, 0, to > c->p ? to - c->p : 0).len;
    for (int i = 0; i < n; i++)
        bytes += block(b, coll_rank(c, (v + i) % c->p)).len;
    return bytes;
}

// Returns the part of `held`, the run of this rank, that is child i's run.
static Slice part(const Coll *c, const Blocks *b, const Runs *r, Slice held, int i)
{
    const int v = coll_v(c), first = r->first[i];
    return slice_at(held, run_bytes(c, b, v, first), run_bytes(c, b, v + first, run_end(r, i) - first));
}

// Returns the rank at a place; the root is at place 0.
static int rank_at(const Coll *c, const Runs *r, int place)
{
    return coll_rank(c, r->at ? r->at(c, place) : place);
}

// Returns the slice for one message with the blocks of places i .. j-1, at the root. If `stay` is true and the blocks
// touch each other in this order, the slice is the blocks themselves, and *which becomes NULL. Otherwise it is scratch,
// and *which becomes the blocks' numbers, for packing or unpacking.
static Slice root_run(const Coll *c, const Blocks *b, const Runs *r, int i, int j, bool stay, int **which)
{
    const Slice head = block(b, rank_at(c, r, i));
    size_t bytes = 0;
    *which = coll_ints(c, (size_t)(j - i));
    for (int k = i; k < j; k++) {
        const int number = (*which)[k - i] = rank_at(c, r, k);
        stay = stay && (k == i || blocks_touch(b, (*which)[k - i - 1], number));
        bytes += block(b, number).len;
    }
    if (!stay)
        return coll_scratch(c, bytes);
    *which = NULL;
    return slice_at(b->all, head.off - b->all.off, bytes);
}

// ---- Engines -------------------------------------------------------------------------------------------------------

void runs_scatter(const Coll *c, const Runs *r)
{
    const Blocks b = coll_in(c);
    const Tree *t = &r->tree;
    if (t->parent < 0) {
        for (int i = 0; i < t->n; i++) {
            int *which;
            const int first = r->first[i], end = run_end(r, i);
            const Slice run = root_run(c, &b, r, first, end, true, &which);
            if (which)
                coll_pack(c, run, &b, end - first, which);
            coll_send(c, t->child[i], run);
        }
        coll_copy(c, c->out, block(&b, c->root));
        return;
    }
    const Slice held = r->n == 1 ? c->out : coll_scratch(c, run_bytes(c, &b, coll_v(c), r->n));
    coll_recv(c, t->parent, held);
    for (int i = 0; i < t->n; i++)
        coll_send(c, t->child[i], part(c, &b, r, held, i));
    coll_copy(c, c->out, slice_at(held, 0, c->out.len));
}

MessageChain runs_whole(const Coll *c, const Blocks *b, int i, int j)
{
    (void)c;
    (void)b;
    (void)i;
    return (MessageChain){.end = j, .stays = true};
}

// Receives child i's run at the root, in the messages that the rule defines.
static void gather_at_root(const Coll *c, const Blocks *b, const Runs *r, int i, MessageChainRule chain)
{
    for (int from = r->first[i], end = run_end(r, i); from < end;) {
        int *which;
        const MessageChain k = chain(c, b, from, end);
        const Slice run = root_run(c, b, r, from, k.end, k.stays, &which);
        coll_recv(c, r->tree.child[i], run);
        if (which)
            coll_unpack(c, b, k.end - from, which, run);
        from = k.end;
    }
}

void runs_gather(const Coll *c, const Runs *r, MessageChainRule chain)
{
    const int v = coll_v(c);
    const Blocks b = coll_out(c);
    const Tree *t = &r->tree;
    if (t->parent < 0) {
        coll_copy(c, block(&b, c->root), c->in);
        for (int i = t->n - 1; i >= 0; i--)
            gather_at_root(c, &b, r, i, chain);
        return;
    }
    const Slice held = r->n == 1 ? c->in : coll_scratch(c, run_bytes(c, &b, v, r->n));
    coll_copy(c, slice_at(held, 0, c->in.len), c->in);
    for (int i = t->n - 1; i >= 0; i--)
        coll_recv(c, t->child[i], part(c, &b, r, held, i));
    if (t->parent != c->root) {
        coll_send(c, t->parent, held);
        return;
    }
    size_t sent = 0;
    for (int from = v; from < v + r->n;) {
        const int end = chain(c, &b, from, v + r->n).end;
        const size_t bytes = run_bytes(c, &b, from, end - from);
        coll_send(c, c->root, slice_at(held, sent, bytes));
        sent += bytes;
        from = end;
    }
}

// ---- What only the root knows --------------------------------------------------------------------------------------

static void bcast_over(const Coll *c, Tree tree, size_t bytes)
{
    const Slice counts = coll_scratch(c, bytes);
    const Blocks whole = blocks_size(c, counts, 0);
    coll_phase(c, "lengths");
    tree_bcast(c, tree, &whole);
    coll_phase(c, NULL);
}

void runs_bcast_counts_over(const Coll *c, Tree tree)
{
    if (c->par.choice == LEVEL_CONSERVATIVE)
        bcast_over(c, tree, 2 * sizeof(int32_t) * (size_t)c->p);
}

void runs_bcast_counts(const Coll *c)
{
    const bool near = c->par.lengths == LENGTHS_NEAR;
    if (c->par.choice == LEVEL_CONSERVATIVE)
        bcast_over(c, near ? tree_binomial(c, c->root) : tree_knomial(c, c->root, 2), runs_counts_bytes(c->p));
}

void runs_gather_at_once(const Coll *c, const Runs *r)
{
    const Blocks b = coll_out(c);
    const bool root = r->tree.parent < 0, in_order = root && c->root == 0;
    const Slice held = in_order             ? b.all
                       : r->n == 1 && !root ? c->in
                                            : coll_scratch(c, run_bytes(c, &b, coll_v(c), r->n));
    coll_copy(c, slice_at(held, 0, c->in.len), c->in);
    const CollReq first = coll_mark(c);
    for (int i = r->tree.n - 1; i >= 0; i--)
        coll_irecv(c, r->tree.child[i], part(c, &b, r, held, i));
    coll_waitall(c, first);
    if (!root)
        coll_send(c, r->tree.parent, held);
    else if (!in_order)
        coll_unpack(c, &b, c->p, blocks_numbers(c, c->root, 1, c->p, c->p), held);
}

// Broadcast and reduction through queues in shared memory. A rank copies a fragment into a slot of its queue, and other
// ranks copy it out. After each copy the rank raises a flag, which other ranks poll.
#include "shapes/shm.h"
#include "api/blocks.h"
#include "api/communicate.h"
#include <stdlib.h>
#include <string.h>

int shm_fragments(const Coll *c)
{
    return blocks_size(c, c->in, c->par.fragment).n;
}

// Copies fragment k into a free slot of the caller's queue, and raises the caller's counter, which all n readers poll.
static void put_counted(const Coll *c, Slice data, int k, int n)
{
    coll_copy(c, coll_slot(c, c->rank, k, n, data.len), data);
    coll_raise(c, c->rank, k + 1);
}

void shm_put(const Coll *c, Slice data, int k, bool reused, int n, const int *reader, ShmNotice notice)
{
    for (int i = 0; reused && i < n; i++)
        coll_await(c, reader[i], c->rank, k + 1 - c->par.slots);
    if (notice == SHM_COUNTER) {
        put_counted(c, data, k, n);
        return;
    }
    coll_copy(c, coll_slot(c, c->rank, k, n, data.len), data);
    for (int i = 0; i < n; i++)
        coll_raise(c, reader[i], k + 1);
}

void shm_get(const Coll *c, Slice into, int k, int from, int readers, ShmNotice notice)
{
    coll_await(c, from, notice == SHM_CELLS ? c->rank : from, k + 1);
    coll_copy(c, into, coll_slot(c, from, k, readers, into.len));
    coll_raise(c, from, k + 1);
}

void shm_bcast(const Coll *c, Tree t, int readers, int first, ShmNotice notice)
{
    const Blocks fragments = blocks_size(c, c->out, c->par.fragment);
    for (int i = 0; i < fragments.n; i++) {
        const Slice here = block(&fragments, i);
        if (t.parent >= 0)
            shm_get(c, here, first + i, t.parent, readers, notice);
        if (t.n > 0)
            shm_put(c, here, first + i, i >= c->par.slots, t.n, t.child, notice);
    }
}

static int descending(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

// Returns fragment i of a child: a slot, or the buffer that it lends in a text without slots.
static Slice operand_of(const Coll *c, int child, int i, size_t len)
{
    return c->par.slots > 0 ? coll_slot(c, child, i, 1, len) : coll_lent(c, child, 1, len);
}

// Adds up fragment i of the caller (`own`) and of its n children, whose fragments are in their queues. `child` has them
// by descending rank, so that the sum keeps the order of the ranks. Partial sums go to `acc`, and the last one to
// `sum`. Returns where it is, or `own` if there are no children. If `inbox` is not NULL, fragments are copied there
// first, the caller's as well, and the sum stays in `acc`; otherwise they are reduced in their slots. If `raises` is
// true, the function reports to each child that its slot is free as soon as it no longer needs it.
static Slice add_up(const Coll *c, int n, const int *child, Slice own, Slice acc, Slice sum, const Slice *inbox, int i,
                    bool raises)
{
    int at = 0; // the caller's place among the children
    while (at < n && child[at] > c->rank)
        at++;
    Slice so_far = own;
    for (int j = 0; n > 0 && j <= n; j++) {
        const int who = j == at ? c->rank : child[j < at ? j : j - 1];
        Slice next = own;
        if (j != at) {
            coll_await(c, who, who, i + 1);
            next = operand_of(c, who, i, own.len);
        }
        if (inbox) {
            const Slice copy = slice_like(*inbox, own);
            coll_copy(c, copy, next);
            next = copy;
            if (j != at && raises)
                coll_raise(c, who, i + 1);
        }
        const Slice into = inbox || j < n ? acc : sum;
        if (j > 0) {
            coll_reduce(c, into, next, so_far);
            so_far = into;
        } else if (inbox || j != at) {
            coll_copy(c, acc, next);
            so_far = acc;
        }
        if (j != at && raises && !inbox)
            coll_raise(c, who, i + 1);
    }
    return so_far;
}

void shm_reduce(const Coll *c, Tree t, int from, ShmOperand operand)
{
    const Blocks in = blocks_size(c, c->in, c->par.fragment), out = blocks_size(c, c->out, c->par.fragment);
    const size_t len = t.n ? block(&in, 0).len : 0;
    const Slice room = coll_scratch(c, len), inbox = coll_scratch(c, operand == SHM_COPIED ? len : 0);
    int *child = coll_ints(c, (size_t)t.n);
    if (t.n > 0)
        memcpy(child, t.child, (size_t)t.n * sizeof *child);
    qsort(child, (size_t)t.n, sizeof *child, descending);
    // The caller takes the result of fragment i right before it puts the fragment that is `late` fragments further on.
    // If it took the result later, the queue of `from` would fill up and no rank could go on; if earlier, every
    // fragment would wait until the one before it has come back.
    const int late = from < 0 ? 0 : c->par.slots < in.n ? c->par.slots : in.n;
    for (int i = 0; i < in.n + late; i++) {
        if (from >= 0 && i >= late)
            shm_get(c, block(&out, i - late), i - late, from, 1, SHM_COUNTER);
        if (i >= in.n)
            continue;
        const Slice own = block(&in, i), acc = slice_like(room, t.n ? own : (Slice){0});
        const Slice sum = add_up(c, t.n, child, own, acc, t.parent < 0 ? block(&out, i) : acc,
                                 operand == SHM_COPIED ? &inbox : NULL, i, true);
        if (t.parent < 0)
            coll_copy(c, block(&out, i), sum);
        else
            shm_put(c, sum, i, i >= c->par.slots, 1, &t.parent, SHM_COUNTER);
    }
}

void shm_release_bcast(const Coll *c, Tree t, int first)
{
    const Blocks fragments = blocks_size(c, c->out, c->par.fragment);
    for (int i = 0; c->p > 1 && i < fragments.n; i++) {
        const Slice here = block(&fragments, i), slot = coll_slot(c, c->root, first + i, c->p - 1, here.len);
        const int gathered = t.parent >= 0 ? i : i - c->par.slots; // the last fragment that the subtree must have read
        if (t.parent < 0) {
            for (int j = 0; gathered >= 0 && j < t.n; j++)
                coll_await(c, t.child[j], c->root, first + gathered + 1);
            coll_copy(c, slot, here);
        } else {
            coll_await(c, t.parent, c->rank, first + i + 1);
        }
        for (int j = 0; j < t.n; j++)
            coll_raise(c, t.child[j], first + i + 1);
        if (t.parent < 0)
            continue;
        coll_copy(c, here, slot);
        for (int j = 0; j < t.n; j++)
            coll_await(c, t.child[j], c->root, first + gathered + 1);
        coll_raise(c, c->root, first + i + 1);
    }
}

// ---- Single copies -------------------------------------------------------------------------------------------------

void shm_lend(const Coll *c, Slice data, int n, const int *reader)
{
    coll_copy(c, coll_lent(c, c->rank, n, data.len), data);
    coll_raise(c, c->rank, 1);
    for (int i = 0; i < n; i++)
        coll_await(c, reader[i], c->rank, 1);
}

void shm_borrow(const Coll *c, Slice into, int from, int readers)
{
    coll_await(c, from, from, 1);
    coll_copy(c, into, coll_lent(c, from, readers, into.len));
    coll_raise(c, from, 1);
}

void shm_single_bcast(const Coll *c, Tree t, int readers)
{
    if (t.parent >= 0)
        shm_borrow(c, c->out, t.parent, readers);
    if (t.n > 0)
        shm_lend(c, c->out, t.n, t.child);
}

void shm_single_reduce(const Coll *c)
{
    if (c->rank != c->root) {
        shm_lend(c, c->in, 1, &c->root);
        return;
    }
    const Tree t = tree_flat(c, c->root);
    const Slice room = coll_scratch(c, t.n ? c->in.len : 0), acc = slice_like(room, t.n ? c->in : (Slice){0});
    coll_copy(c, c->out, add_up(c, t.n, t.child, c->in, acc, c->out, NULL, 0, true));
}

// ---- Queues that begin anew after a barrier ------------------------------------------------------------------------

// A barrier, the n-th of an operation: the flags for the root's queue gather at the root, whose flag for the next
// rank's queue releases the others.
static void meet(const Coll *c, int n)
{
    const int next = (c->root + 1) % c->p;
    if (c->rank != c->root) {
        coll_raise(c, c->root, n);
        coll_await(c, c->root, next, n);
        return;
    }
    for (int v = 1; v < c->p; v++)
        coll_await(c, coll_rank(c, v), c->root, n);
    coll_raise(c, next, n);
}

void shm_queue_bcast(const Coll *c)
{
    const Blocks fragments = blocks_size(c, c->out, c->par.fragment);
    for (int i = 0; c->p > 1 && i < fragments.n; i++) {
        const Slice here = block(&fragments, i);
        if (i > 0 && i % c->par.slots == 0)
            meet(c, i / c->par.slots);
        if (c->rank == c->root)
            put_counted(c, here, i, c->p - 1);
        else {
            coll_await(c, c->root, c->root, i + 1);
            coll_copy(c, here, coll_slot(c, c->root, i, c->p - 1, here.len));
        }
    }
}

void shm_queue_reduce(const Coll *c)
{
    const Blocks in = blocks_size(c, c->in, c->par.fragment), out = blocks_size(c, c->out, c->par.fragment);
    const Tree t = tree_flat(c, c->root);
    const size_t len = t.n ? block(&in, 0).len : 0;
    const Slice room = coll_scratch(c, len), inbox = coll_scratch(c, len);
    for (int i = 0; i < in.n; i++) {
        const Slice own = block(&in, i);
        if (c->p > 1 && i > 0 && i % c->par.slots == 0)
            meet(c, i / c->par.slots);
        if (c->rank != c->root) {
            put_counted(c, own, i, 1);
            continue;
        }
        const Slice acc = slice_like(room, t.n ? own : (Slice){0});
        coll_copy(c, block(&out, i), add_up(c, t.n, t.child, own, acc, block(&out, i), &inbox, i, false));
    }
}

// ---- Sets of slots -------------------------------------------------------------------------------------------------

ShmSets shm_sets(const CollParams *par)
{
    const int n = par->slots > 1 ? 2 : 1;
    return (ShmSets){n, par->slots / n};
}

// Returns a view whose queues have only the slots that belong to a set. An odd number of slots leaves one over.
static Coll in_sets(const Coll *c)
{
    const ShmSets sets = shm_sets(&c->par);
    Coll view = *c;
    view.par.slots = sets.n * sets.slots;
    return view;
}

// Adds 1 to the atomic counter of a set of slots. The add needs the counter's cache line, which comes from the rank
// that added before: the add ends `flag` after that rank's, or at once if the line is there before this rank is. Ranks
// add in the order of v, because a text must not depend on timing. In both texts below this is the order in which they
// arrive, if all begin at once: they do the same between two adds, and the one that added later arrives later. The rank
// with the largest v adds last; its flag is the full counter, which the root awaits.
static void add_one(const Coll *c, int n)
{
    const int v = coll_v(c);
    if (v > 1)
        coll_await(c, coll_rank(c, v - 1), c->root, n);
    coll_raise(c, c->root, n);
}

// Waits until all other ranks have added to the counter.
static void await_all(const Coll *c, int n)
{
    coll_await(c, coll_rank(c, c->p - 1), c->root, n);
}

void shm_sets_bcast(const Coll *whole, int first)
{
    const Coll view = in_sets(whole), *c = &view;
    const Blocks fragments = blocks_size(c, c->out, c->par.fragment);
    const ShmSets sets = shm_sets(&c->par);
    const int v = coll_v(c);
    for (int i = 0; c->p > 1 && i < fragments.n; i++) {
        const Slice here = block(&fragments, i);
        const int set = i / sets.slots;
        const Slice slot = coll_slot(c, c->root, i, c->p - 1, here.len);
        if (v > 0) {
            coll_await(c, c->root, c->root, first + i + 1);
            coll_copy(c, here, slot);
            if ((i + 1) % sets.slots == 0)
                add_one(c, first + set + 1);
        } else {
            if (i % sets.slots == 0 && set >= sets.n)
                await_all(c, first + set - sets.n + 1);
            coll_copy(c, slot, here);
            coll_raise(c, c->root, first + i + 1);
        }
    }
}

void shm_sets_reduce(const Coll *whole)
{
    const Coll view = in_sets(whole), *c = &view;
    const Blocks in = blocks_size(c, c->in, c->par.fragment), out = blocks_size(c, c->out, c->par.fragment);
    const ShmSets sets = shm_sets(&c->par);
    const Tree t = tree_flat(c, c->root);
    const Slice room = coll_scratch(c, t.n ? block(&in, 0).len : 0);
    for (int i = 0; i < in.n; i++) {
        const Slice own = block(&in, i);
        const int set = i / sets.slots, free = set - sets.n + 1; // how often the set must have been freed
        const bool reuses = i % sets.slots == 0 && free >= 1 && t.n + (t.parent >= 0) > 0;
        if (c->rank != c->root) {
            if (reuses)
                coll_await(c, c->root, c->root, free);
            coll_copy(c, coll_slot(c, c->rank, i, 1, own.len), own);
            coll_raise(c, c->rank, i + 1);
            if ((i + 1) % sets.slots == 0)
                add_one(c, set + 1);
            continue;
        }
        if (reuses) {
            await_all(c, free);
            coll_raise(c, c->root, free);
        }
        const Slice acc = slice_like(room, t.n ? own : (Slice){0});
        coll_copy(c, block(&out, i), add_up(c, t.n, t.child, own, acc, block(&out, i), NULL, i, false));
    }
}

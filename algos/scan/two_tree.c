// What:   Each half of the vector is scanned over its own binary tree, in segments. The trees are in order: what comes
//         before a rank in its subtree is its left child's. Sums go up: a rank adds its own vector to its left child's
//         sum, and its right child's sum to that. Prefixes go down: a rank passes on to its left child what comes
//         before its subtree, adds its own, and passes that on to its right child. The leaves of the first tree are the
//         ranks of even number, those of the second the others, so that a rank sends two vectors in all. A rank does
//         its work in steps: a segment goes up and down one level in each.
// Cost:   about (S + 2 log2 p) (2 to 4) (alpha + m/(2S) beta), S segments of a half.
// Source: Sanders, Speck, Träff, Two-tree algorithms for full bandwidth broadcast, reduction and scan, 2009. Theirs
//         colour the trees' edges, so that a step has one message; here a step has up to four.
// Needs:  nothing.
//
//   p = 8      first        7             second   0
//                          3                            4
//                       1     5                      2     6
//                      0 2   4 6                    1 3   5 7
#include "coll.h"
#include "times/times.h"

enum { NONE = -1 };

// The caller's place in one of the trees.
typedef struct ScanTree {
    int parent, left, right; // ranks, or NONE
    bool gives, takes;       // some rank comes after the subtree, or before it
    int depth;
} ScanTree;

// Returns the root of n consecutive ranks in the first tree, counted from the first of them.
static int root_of(int n)
{
    return pow2_floor(n) - 1;
}

// Walks down the tree of the ranks first .. first + n - 1.
static ScanTree place(const Coll *c, int first, int n, int parent, int depth)
{
    int begin = first, end = first + n;
    for (;;) {
        const int root = begin + root_of(end - begin), r = c->rank;
        if (r == root) {
            ScanTree t = {
                .parent = parent, .left = NONE, .right = NONE, .gives = end<c->p, .takes = begin> 0, .depth = depth};
            if (begin < r)
                t.left = begin + root_of(r - begin);
            if (r + 1 < end)
                t.right = r + 1 + root_of(end - r - 1);
            return t;
        }
        parent = root;
        depth++;
        if (r < root)
            end = root;
        else
            begin = root + 1;
    }
}

static ScanTree tree_of(const Coll *c, int which)
{
    if (which == 0)
        return place(c, 0, c->p, NONE, 0);
    if (c->rank > 0)
        return place(c, 1, c->p - 1, 0, 1);
    return (ScanTree){.parent = NONE, .left = NONE, .right = c->p > 1 ? 1 + root_of(c->p - 1) : NONE};
}

// What a rank does for one half of the vector.
typedef struct ScanHalf {
    const Coll *c;
    ScanTree t;
    bool exclusive;
    Blocks own, out;
    Blocks left, right, before; // what comes from the children and from the parent
    Blocks low, sum;            // the sum over the left subtree and the rank; that over the subtree
    Blocks through;             // an exscan: what comes before the right subtree
    CollReq *left_req, *right_req, *before_req;
    int rise, fall; // a segment goes up in step s + rise, and down in step s + fall
} ScanHalf;

static Blocks room(const Coll *c, const Blocks *like, bool needed)
{
    return blocks_of(coll_scratch_if(c, needed, like->all.len), like);
}

static ScanHalf begin(const Coll *c, int which, bool exclusive, Slice own, Slice out)
{
    ScanHalf h = {.c = c, .t = tree_of(c, which), .exclusive = exclusive};
    h.own = blocks_size(c, own, c->par.segment);
    h.out = blocks_of(out, &h.own);
    h.left = room(c, &h.own, h.t.left != NONE);
    h.right = room(c, &h.own, h.t.right != NONE && h.t.gives);
    h.before = room(c, &h.own, h.t.takes);
    h.low = h.t.left == NONE ? h.own : room(c, &h.own, true);
    h.sum = h.t.right == NONE || !h.t.gives ? h.low : room(c, &h.own, true);
    h.through = exclusive && h.t.takes && h.t.right != NONE ? room(c, &h.own, true) : h.low;
    h.left_req = coll_ints(c, (size_t)h.own.n);
    h.right_req = coll_ints(c, (size_t)h.own.n);
    h.before_req = coll_ints(c, (size_t)h.own.n);
    h.rise = log2_ceil(c->p) + 1 - h.t.depth;
    h.fall = log2_ceil(c->p) + 2 + h.t.depth;
    return h;
}

static bool has(const ScanHalf *h, int s)
{
    return s >= 0 && s < h->own.n;
}

// Post the receives for what children, or the parent, send in this step.
static void post_up(const ScanHalf *h, int step)
{
    const int s = step - (h->rise - 1);
    if (has(h, s) && h->t.left != NONE)
        h->left_req[s] = coll_irecv(h->c, h->t.left, block(&h->left, s));
    if (has(h, s) && h->t.right != NONE && h->t.gives)
        h->right_req[s] = coll_irecv(h->c, h->t.right, block(&h->right, s));
}

static void post_down(const ScanHalf *h, int step)
{
    const int s = step - (h->fall - 1);
    if (has(h, s) && h->t.takes)
        h->before_req[s] = coll_irecv(h->c, h->t.parent, block(&h->before, s));
}

static void up(const ScanHalf *h, int s)
{
    const Coll *c = h->c;
    if (h->t.left != NONE) {
        coll_wait(c, h->left_req[s]);
        if (h->t.gives || h->t.right != NONE || !h->exclusive)
            coll_reduce(c, block(&h->low, s), block(&h->left, s), block(&h->own, s));
    }
    if (h->t.right != NONE && h->t.gives) {
        coll_wait(c, h->right_req[s]);
        coll_reduce(c, block(&h->sum, s), block(&h->low, s), block(&h->right, s));
    }
    if (h->t.gives && h->t.parent != NONE)
        coll_isend(c, h->t.parent, block(&h->sum, s));
}

static void down(const ScanHalf *h, int s)
{
    const Coll *c = h->c;
    if (h->t.takes) {
        coll_wait(c, h->before_req[s]);
        if (h->t.left != NONE)
            coll_isend(c, h->t.left, block(&h->before, s));
    }
    if (!h->exclusive) {
        if (h->t.takes)
            coll_reduce(c, block(&h->out, s), block(&h->before, s), block(&h->low, s));
        else
            coll_copy(c, block(&h->out, s), block(&h->low, s));
        if (h->t.right != NONE)
            coll_isend(c, h->t.right, block(&h->out, s));
        return;
    }
    if (h->t.takes && h->t.right != NONE)
        coll_reduce(c, block(&h->through, s), block(&h->before, s), block(&h->low, s));
    if (h->t.right != NONE)
        coll_isend(c, h->t.right, block(&h->through, s));
    if (h->t.takes && h->t.left != NONE)
        coll_reduce(c, block(&h->out, s), block(&h->before, s), block(&h->left, s));
    else if (h->t.takes || h->t.left != NONE)
        coll_copy(c, block(&h->out, s), block(h->t.takes ? &h->before : &h->left, s));
}

static void run(const Coll *c, bool exclusive)
{
    const Slice in = coll_scratch(c, c->in.len);
    coll_copy(c, in, c->in);
    const Blocks own = blocks_even(c, in, 2), out = blocks_of(c->out, &own);
    ScanHalf half[2];
    for (int i = 0; i < 2; i++)
        half[i] = begin(c, i, exclusive, block(&own, i), block(&out, i));
    const int steps = half[0].own.n + 2 * log2_ceil(c->p) + 4;
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < 2; i++)
            post_up(&half[i], t);
        for (int i = 0; i < 2; i++)
            post_down(&half[i], t);
    }
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < 2; i++)
            if (has(&half[i], t - half[i].rise))
                up(&half[i], t - half[i].rise);
        for (int i = 0; i < 2; i++)
            if (has(&half[i], t - half[i].fall))
                down(&half[i], t - half[i].fall);
    }
    coll_waitall(c, 0);
}

static void scan_two_tree(const Coll *c)
{
    run(c, false);
}

static void exscan_two_tree(const Coll *c)
{
    run(c, true);
}

// Writes the distances to the caller's peers, and what it does with them.
static int pattern(const Coll *c, int *x)
{
    int n = 0;
    for (int i = 0; i < 2; i++) {
        const ScanTree t = tree_of(c, i);
        const int peer[] = {t.parent, t.left, t.right};
        for (int j = 0; j < 3; j++)
            x[n++] = peer[j] == NONE ? c->p : peer[j] - c->rank;
        x[n++] = t.gives + 2 * t.takes;
        x[n++] = t.depth;
    }
    return n;
}

#define COMMON                                                                                                         \
    .name = "two_tree", .summary = "each half is scanned over its own in-order binary tree, up and down, in segments", \
    .params = {SEGMENT}, .ordered = true, .peers = PEERS_SHIFT, .pattern = pattern,                                    \
    .cost = "about (S + 2 log2 p) (2 to 4) (alpha + m/(2S) beta), S segments of a half",                               \
    .unknown = "ranks have two to four messages in a step, and are not in step",                                       \
    .source = "Sanders, Speck, Träff, Two-tree algorithms for full bandwidth broadcast, reduction and scan, 2009"

const CollAlgorithm exscan_two_tree_algorithm = {COMMON, .collective = COLL_EXSCAN, .run = exscan_two_tree};
const CollAlgorithm scan_two_tree_algorithm = {COMMON, .collective = COLL_SCAN, .run = scan_two_tree};

// Two binary trees over all ranks except the root. Each rank is an inner node of at most one of the trees. The root
// sends one half of the message to the top of the first tree, and the other half to the top of the second.
//
// Both trees have the shape of a heap: the children of place i are at places 2i and 2i+1. With n = p-1 = 2N or 2N+1
// ranks, the ranks v = 1 .. N are the inner nodes of the first tree, at places 1 .. N, and v = N+1 .. 2N are leaves. In
// the second tree these two groups swap roles. A rank's two places are both even or both odd. Even and odd places can
// therefore receive in turns, in opposite turns in the two trees, and every rank sends at most one segment and receives
// at most one in every step. Sanders, Speck and Träff (2009) use in-order trees, for operations that are not
// commutative, and colour the edges to the same end.
//
//      p = 8      first        1               second       4
//                            /   \                        /   \        (places 1; 2 3; 4 5 6 7)
//                           2     3                      5     6
//                          / \   / \                    / \   / \.
//                         7   4 5   6                  7   1 2   3
#include "shapes/two_tree.h"
#include "api/blocks.h"
#include "api/communicate.h"
#include "api/integers.h"

// Returns the first step in which a segment reaches this place of tree 0 or 1; further segments follow in every second
// step. A segment takes one step from an even place to an odd one, or back, and two steps between two even or two odd
// places.
static int first_step(int tree, int place)
{
    return 2 - tree + 2 * log2_floor(place) - __builtin_popcount((unsigned)(place ^ place >> 1));
}

// Returns the v that has, in one tree, the role of v in the other.
static int swap_halves(int v, int N)
{
    return v <= N ? v + N : v <= 2 * N ? v - N : v;
}

// Returns v's place. If N is odd, place N+1 is that of v = 2N+1, or empty if n = 2N. Each other leaf then has a place
// that is even if its place as an inner node is even.
static int place_of(int tree, int v, int n)
{
    const int N = n / 2, w = tree == 0 ? v : swap_halves(v, N);
    if (N % 2 == 0 || w <= N)
        return w;
    return w <= 2 * N ? w + 1 : N + 1;
}

// Returns the v at a place, or 0 if the place is empty.
static int v_at(int tree, int place, int n)
{
    const int N = n / 2;
    int w = place;
    if (N % 2 == 1 && place > N)
        w = place > N + 1 ? place - 1 : 2 * N + 1;
    return w > n ? 0 : tree == 0 ? w : swap_halves(w, N);
}

// ---- What a rank does ----------------------------------------------------------------------------------------------

static void add_child(const Coll *c, TwoTreeLinks *l, int tree, int place)
{
    const int v = v_at(tree, place, c->p - 1), first = first_step(tree, place);
    if (v > 0)
        l->down[first % 2] = (TwoTreeLink){coll_rank(c, v), first, tree};
}

TwoTreeLinks two_tree_links(const Coll *c)
{
    const int v = coll_v(c), n = c->p - 1;
    TwoTreeLinks l = {{{.peer = -1}, {.peer = -1}}, {{.peer = -1}, {.peer = -1}}};
    for (int tree = 0; tree < 2 && c->p > 1; tree++) {
        if (v == 0) {
            add_child(c, &l, tree, 1);
            continue;
        }
        const int place = place_of(tree, v, n), first = first_step(tree, place);
        l.up[first % 2] = (TwoTreeLink){coll_rank(c, place == 1 ? 0 : v_at(tree, place / 2, n)), first, tree};
        if (place <= n / 2) {
            add_child(c, &l, tree, 2 * place);
            add_child(c, &l, tree, 2 * place + 1);
        }
    }
    return l;
}

const TwoTreeLink *two_tree_link_at(const TwoTreeLink links[2], int step, const int n[2])
{
    const TwoTreeLink *l = &links[step % 2];
    return l->peer >= 0 && step >= l->first && step < l->first + 2 * n[l->half] ? l : NULL;
}

int two_tree_steps(int p, int64_t segments_of_half)
{
    const int c = log2_ceil(p), deepest = is_pow2(p) || is_pow2(p + 1);
    return p == 1 ? 0 : 2 * c - 1 + deepest + 2 * ((int)segments_of_half - 1);
}

// The state of one rank during the steps.
typedef struct TwoTreeWalk {
    TwoTreeLinks links;
    Blocks segments[2]; // the segments of each half
    int n[2];           // their numbers
} TwoTreeWalk;

static TwoTreeWalk start(const Coll *c, Slice message)
{
    const Blocks half = blocks_even(c, message, 2);
    TwoTreeWalk w = {.links = two_tree_links(c)};
    for (int i = 0; i < 2; i++) {
        w.segments[i] = blocks_size(c, block(&half, i), c->par.segment);
        w.n[i] = w.segments[i].n;
    }
    return w;
}

static Slice segment(const TwoTreeWalk *w, const TwoTreeLink *l, int step)
{
    return l ? block(&w->segments[l->half], (step - l->first) / 2) : (Slice){0};
}

void two_tree_bcast(const Coll *c, Slice message)
{
    const TwoTreeWalk w = start(c, message);
    for (int step = 0; step < two_tree_steps(c->p, w.n[0]); step++) {
        const TwoTreeLink *up = two_tree_link_at(w.links.up, step, w.n),
                          *down = two_tree_link_at(w.links.down, step, w.n);
        coll_exchange(c, down ? down->peer : -1, segment(&w, down, step), up ? up->peer : -1, segment(&w, up, step));
    }
}

void two_tree_reduce(const Coll *c, Slice acc)
{
    const TwoTreeWalk w = start(c, acc);
    const Slice inbox = coll_scratch(c, block(&w.segments[0], 0).len);
    for (int step = two_tree_steps(c->p, w.n[0]) - 1; step >= 0; step--) {
        const TwoTreeLink *up = two_tree_link_at(w.links.up, step, w.n),
                          *down = two_tree_link_at(w.links.down, step, w.n);
        const Slice part = segment(&w, down, step), got = slice_like(inbox, part);
        coll_exchange(c, up ? up->peer : -1, segment(&w, up, step), down ? down->peer : -1, got);
        if (down)
            coll_reduce(c, part, part, got);
    }
}

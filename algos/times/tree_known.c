// A time over a tree depends on few numbers. Several algorithms ask for the same time, and so does one algorithm with
// several parameters; on many ranks each takes milliseconds. So those that were computed last are kept, for all threads.
#include "times/tree_known.h"
#include <glib.h>
#include <string.h>

// Costs that have no common divisor stand for all of their multiples.
typedef struct TreeTime {
    CollTree tree;
    CollParams par;
    int64_t S, u, g;
    int p, root;
    bool eager, reduces, nodes;
} TreeTime;

// At most KNOWN_TIMES times are kept, more than a search over all algorithms of a collective asks for, of trees on which
// ranks send LONG_TIME segments or more.
enum { KNOWN_TIMES = 1 << 12, LONG_TIME = 1 << 14 };

typedef struct TreeKnown {
    TreeTime of;
    int64_t time; // with the costs of `of`
} TreeKnown;

static GMutex lock; // of known[], in which each key has one place
static TreeKnown known[KNOWN_TIMES];

// Returns true if no nodes are known, or if every rank has one of its own, so that p says what they are.
static bool is_plain(const CollPoint *x)
{
    const CollNodes *n = x->nodes;
    return !n || (n->n == x->p && n->ordered && !n->inner && !n->outer);
}

CollParams tree_known_params(const CollPoint *x)
{
    CollParams par = x->par;
    if (is_plain(x))
        par.segment = 0, par.max_requests = 0;
    return par;
}

static int64_t gcd(int64_t a, int64_t b)
{
    return b ? gcd(b, a % b) : a;
}

// Compares the fields of two keys. Between some of those of `par` may be bytes without a value.
static bool is_same(const TreeTime *a, const TreeTime *b)
{
    const size_t numbers = offsetof(CollParams, choice) + sizeof a->par.choice;
    return a->tree == b->tree && a->S == b->S && a->u == b->u && a->g == b->g && a->p == b->p && a->root == b->root &&
           a->eager == b->eager && a->reduces == b->reduces && a->nodes == b->nodes && a->par.of == b->par.of &&
           memcmp(&a->par, &b->par, numbers) == 0 && memcmp(a->par.part, b->par.part, sizeof a->par.part) == 0;
}

// Returns the place of a key. Which of two keys with one place is kept does not change a time.
static TreeKnown *place_of(const TreeTime *x)
{
    const uint64_t words[] = {(uintptr_t)x->tree,
                              (uint64_t)x->S,
                              (uint64_t)x->u,
                              (uint64_t)x->g,
                              (uint64_t)x->p << 1 | x->reduces,
                              (uint64_t)x->par.radix << 32 | (uint64_t)x->par.choice};
    uint64_t hash = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
        hash = (hash ^ words[i] ^ hash >> 29) * 0x9e3779b97f4a7c15u;
    return &known[hash >> 32 & (KNOWN_TIMES - 1)];
}

int64_t tree_known_time(const CollPoint *x, CollTree tree, int root, bool reduces,
                        int64_t (*find)(const CollPoint *x, CollTree tree, int root))
{
    const int64_t S = segments(x, x->m), um = u(x, x->m / S), gm = reduces ? g(x, x->m / S) : 0, unit = gcd(um, gm);
    if (!is_plain(x) || x->levels || unit == 0 || x->p * S < LONG_TIME)
        return find(x, tree, root);
    const TreeTime of = {tree,    tree_known_params(x), S, um / unit, gm / unit, x->p, root, x->eager,
                         reduces, x->nodes != NULL};
    TreeKnown *const place = place_of(&of);
    g_mutex_lock(&lock);
    const bool found = is_same(&place->of, &of);
    int64_t time = place->time;
    g_mutex_unlock(&lock);
    if (found)
        return time * unit;
    time = find(x, tree, root);
    g_mutex_lock(&lock);
    *place = (TreeKnown){of, time / unit};
    g_mutex_unlock(&lock);
    return time;
}

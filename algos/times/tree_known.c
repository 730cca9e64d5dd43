// A time over a tree depends on few numbers. Several algorithms ask for the same time, and so does one algorithm with
// several parameters; on many ranks each takes milliseconds. So those that were computed last are kept, for all threads:
// under the ranks' places in the tree, because one tree has several names. The binary tree of `generic` is that of
// `binary`.
#include "times/tree_known.h"
#include "times/tree_places.h"
#include <glib.h>
#include <string.h>

// All ranks' places in a tree, in two words. No two trees are expected to have the same ones.
typedef struct TreeOutline {
    uint64_t word[2];
} TreeOutline;

// A tree by its name.
typedef struct TreeName {
    CollTree tree;
    CollParams par;
    int p, root;
    bool nodes;
} TreeName;

// Costs that have no common divisor stand for all of their multiples.
typedef struct TreeTime {
    TreeOutline outline;
    int64_t S, u, g;
    int p, root;
    bool eager, reduces;
} TreeTime;

// At most KNOWN_TIMES times are kept, more than a search over all algorithms of a collective asks for, of trees on which
// ranks send LONG_TIME segments or more; and the outlines of KNOWN_NAMES trees.
enum { KNOWN_TIMES = 1 << 12, KNOWN_NAMES = 1 << 9, LONG_TIME = 1 << 14 };

typedef struct TreeKnown {
    TreeTime of;
    int64_t time; // with the costs of `of`
} TreeKnown;

typedef struct TreeNamed {
    TreeName of;
    TreeOutline outline;
} TreeNamed;

static GMutex lock; // of the two tables, in which each key has one place
static TreeKnown known[KNOWN_TIMES];
static TreeNamed named[KNOWN_NAMES];

static int64_t gcd(int64_t a, int64_t b)
{
    return b ? gcd(b, a % b) : a;
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
    return (hash ^ word ^ hash >> 29) * 0x9e3779b97f4a7c15u;
}

// Returns where in a table of n places, a power of two, a key of these words is. Which of two keys with one place is kept
// does not change a time.
static size_t place_of(const uint64_t *words, size_t length, size_t n)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < length; i++)
        hash = mix(hash, words[i]);
    return hash >> 32 & (n - 1);
}

// ---- Outlines --------------------------------------------------------------------------------------------------------

// Compares the fields of two keys. Between some of those of `par` may be bytes without a value.
static bool is_same_name(const TreeName *a, const TreeName *b)
{
    const size_t numbers = offsetof(CollParams, choice) + sizeof a->par.choice;
    return a->tree == b->tree && a->p == b->p && a->root == b->root && a->nodes == b->nodes && a->par.of == b->par.of &&
           memcmp(&a->par, &b->par, numbers) == 0 && memcmp(a->par.part, b->par.part, sizeof a->par.part) == 0;
}

static TreeOutline find_outline(const CollPoint *x, CollTree tree, int root)
{
    TreePlaces *t = tree_places_find(x, tree, root);
    TreeOutline outline = {{1, 2}};
    for (int v = 0, n = 0; v < t->p; n += t->of[v++].n) {
        outline.word[0] = mix(outline.word[0], (uint64_t)t->of[v].n);
        for (int i = 0; i < t->of[v].n; i++)
            for (int k = 0; k < 2; k++)
                outline.word[k] = mix(outline.word[k], (uint64_t)t->child[n + i] << 32 | (uint64_t)v);
    }
    tree_places_free(t);
    return outline;
}

static TreeOutline outline_of(const CollPoint *x, CollTree tree, int root)
{
    const TreeName of = {tree, tree_places_params(x), x->p, root, x->nodes != NULL};
    const uint64_t words[] = {(uintptr_t)tree, (uint64_t)x->p, (uint64_t)of.par.radix << 32 | (uint64_t)of.par.choice,
                              (uint64_t)of.par.leaders};
    TreeNamed *const place = &named[place_of(words, G_N_ELEMENTS(words), KNOWN_NAMES)];
    g_mutex_lock(&lock);
    const bool found = is_same_name(&place->of, &of);
    TreeOutline outline = place->outline;
    g_mutex_unlock(&lock);
    if (found)
        return outline;
    outline = find_outline(x, tree, root);
    g_mutex_lock(&lock);
    *place = (TreeNamed){of, outline};
    g_mutex_unlock(&lock);
    return outline;
}

// ---- Times ---------------------------------------------------------------------------------------------------------

static bool is_same_time(const TreeTime *a, const TreeTime *b)
{
    return memcmp(&a->outline, &b->outline, sizeof a->outline) == 0 && a->S == b->S && a->u == b->u && a->g == b->g &&
           a->p == b->p && a->root == b->root && a->eager == b->eager && a->reduces == b->reduces;
}

int64_t tree_known_time(const CollPoint *x, CollTree tree, int root, bool reduces,
                        int64_t (*find)(const CollPoint *x, CollTree tree, int root))
{
    const int64_t S = segments(x, x->m), um = u(x, x->m / S), gm = reduces ? g(x, x->m / S) : 0, unit = gcd(um, gm);
    if (!tree_places_plain(x) || x->levels || unit == 0 || x->p * S < LONG_TIME)
        return find(x, tree, root);
    const TreeTime of = {outline_of(x, tree, root), S, um / unit, gm / unit, x->p, root, x->eager, reduces};
    const uint64_t words[] = {of.outline.word[0], (uint64_t)S, (uint64_t)of.u, (uint64_t)of.g, reduces};
    TreeKnown *const place = &known[place_of(words, G_N_ELEMENTS(words), KNOWN_TIMES)];
    g_mutex_lock(&lock);
    const bool found = is_same_time(&place->of, &of);
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

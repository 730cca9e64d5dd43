// A time over a tree depends on few numbers. Several algorithms ask for the same time, and so does one algorithm with
// several parameters; on many ranks each takes milliseconds. So each thread keeps those that it has computed last.
#include "times/tree_known.h"
#include <string.h>

// Costs that have no common divisor stand for all of their multiples.
typedef struct TreeTime {
    CollTree tree;
    CollParams par;
    int64_t S, u, g;
    int p, root;
    bool eager, reduces, nodes;
} TreeTime;

// A thread keeps KNOWN_TIMES times, as many as a search for the form of one algorithm asks for, of trees on which ranks
// send LONG_TIME segments or more.
enum { KNOWN_TIMES = 128, LONG_TIME = 1 << 14 };

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

int64_t tree_known_time(const CollPoint *x, CollTree tree, int root, bool reduces,
                        int64_t (*find)(const CollPoint *x, CollTree tree, int root))
{
    static __thread struct {
        TreeTime of;
        int64_t time;     // with the costs of `of`
    } known[KNOWN_TIMES]; // small, since it takes room of each thread's stack
    static __thread unsigned next;
    const int64_t S = segments(x, x->m), um = u(x, x->m / S), gm = reduces ? g(x, x->m / S) : 0, unit = gcd(um, gm);
    if (!is_plain(x) || x->levels || unit == 0 || x->p * S < LONG_TIME)
        return find(x, tree, root);
    const TreeTime of = {tree,    tree_known_params(x), S, um / unit, gm / unit, x->p, root, x->eager,
                         reduces, x->nodes != NULL};
    for (unsigned i = 0; i < KNOWN_TIMES; i++)
        if (is_same(&known[i].of, &of))
            return known[i].time * unit;
    const int64_t time = find(x, tree, root);
    known[next].of = of;
    known[next].time = time / unit;
    next = (next + 1) % KNOWN_TIMES;
    return time;
}

// The exact times of the two engines over trees (shapes/tree_engines.c), under rendezvous and eager. The functions
// compute when each rank has each segment, from the ranks' places in the tree. There are S segments; sending one costs
// u(m/S), and reducing one costs g(m/S).
#include "times/times.h"
#include "api/integers.h"
#include "times/tree_known.h"
#include "times/tree_places.h"
#include <glib.h>

int times_knomial_rounds(int p, int k)
{
    return tree_knomial_children(0, p, k);
}

int64_t times_digits(int p, int k)
{
    int64_t digits = 0;
    for (int64_t d = 1; d < p; d *= k) {
        const int64_t rest = p % (k * d), zeros = p / (k * d) * d + MIN(rest, d);
        digits += p - zeros;
    }
    return digits;
}

int times_binary_rounds(int p)
{
    const int f = log2_floor(p);
    return p == 2 ? 1 : MAX(2 * f - 2, f + log2_floor(p + 1 - (1 << f)));
}

// Returns every rank's place in the tree: those that are kept, if they are of this tree, or else new ones. The first
// tree of a formula is kept. End it with done().
static TreePlaces *places(const CollPoint *x, CollTree tree, int root)
{
    TreePlaces *kept = x->kept ? x->kept->data : NULL;
    if (kept && kept->tree == tree && kept->p == x->p && kept->root == root)
        return kept;
    TreePlaces *t = tree_places_find(x, tree, root);
    if (x->kept && !kept)
        *x->kept = (CollKept){t, tree_places_free};
    return t;
}

static void done(const CollPoint *x, TreePlaces *t)
{
    if (!x->kept || x->kept->data != t)
        tree_places_free(t);
}

// Returns the ranks of the tree, parents before their children.
static int *parents_first(const TreePlaces *t)
{
    int *order = g_new(int, t->p);
    order[0] = t->root;
    for (int i = 0, n = 1; i < n; i++)
        for (int j = 0; j < t->of[order[i]].n; j++)
            order[n++] = t->child[t->of[order[i]].first + j];
    return order;
}

// The cost of a segment between nodes, or on one level, and within a node.
typedef struct EdgeCosts {
    const CollNodes *nodes; // NULL on one level
    int64_t far, near;
} EdgeCosts;

static EdgeCosts edge_of(const CollPoint *x, int64_t bytes)
{
    const CollPoint near = point_near(x);
    return (EdgeCosts){x->levels ? x->nodes : NULL, u(x, bytes), u(&near, bytes)};
}

static int64_t edge_cost(const EdgeCosts *e, int a, int b)
{
    return e->nodes && e->nodes->of[a] == e->nodes->of[b] ? e->near : e->far;
}

// ---- Broadcast: a rank sends a segment to one child after the other, while it may receive the next one -------------

void tree_bcast_times(const CollPoint *x, CollTree tree, int root, int64_t *last)
{
    const int64_t S = segments(x, x->m);
    const EdgeCosts edge = edge_of(x, x->m / S);
    TreePlaces *t = places(x, tree, root);
    g_autofree int *order = parents_first(t);
    // For each rank: when the segment has come, when the rank was done with the last segment, and when it was done with
    // the segment before that; at that time the rank posted the receive of this one.
    g_autofree int64_t *come = g_new0(int64_t, x->p), *before = g_memdup2(last, (gsize)x->p * sizeof *last);
    for (int s = 0; s < S; s++)
        for (int i = 0; i < x->p; i++) {
            const int r = order[i];
            int64_t now = MAX(come[r], last[r]);
            for (int j = 0; j < t->of[r].n; j++) {
                const int child = t->child[t->of[r].first + j];
                now = (x->eager ? now : MAX(now, before[child])) + edge_cost(&edge, r, child);
                come[child] = now;
            }
            before[r] = last[r];
            last[r] = now;
        }
    done(x, t);
}

static int64_t find_bcast_time(const CollPoint *x, CollTree tree, int root)
{
    g_autofree int64_t *t = g_new0(int64_t, x->p);
    tree_bcast_times(x, tree, root, t);
    return times_latest(t, x->p);
}

int64_t tree_bcast_time(const CollPoint *x, CollTree tree, int root)
{
    return tree_known_time(x, tree, root, false, find_bcast_time);
}

// ---- Reduction: a rank has two receives open, those of this message and of the next one ----------------------------

typedef struct TreeNode {
    const int *child;
    int n;         // children
    int next;      // the message i that the rank waits for: segment i / n of child i mod n
    int sender;    // i mod n
    int64_t now;   // the rank's clock
    int64_t post;  // when the receive of `next` was posted
    int64_t early; // when `next` arrived, if it arrived before the message before it; otherwise -1
    int64_t port;  // when the last transfer to the rank ended
    int64_t offer; // when the rank has reduced its next segment; -1 if that is not known yet
    int left;      // messages to receive until then
    int up;        // the rank's parent; -1 for the root
    int leaf;      // the end of the line below, if each rank there has one child; otherwise -1
    int64_t u;     // the cost of a message to the parent
} TreeNode;

typedef struct Reduction {
    TreeNode *node;
    bool eager;
    int S;
    int64_t g;
} Reduction;

// Ends the blocking send of a child, whose parent has received the message at time `end`.
static void taken(Reduction *r, int child, int64_t end)
{
    r->node[child].now = end;
    r->node[child].offer = -1;
}

// Receives the next message of node n, and reduces it. If it must know first when one of the node's children is ready,
// does nothing, and returns this child; otherwise returns -1.
static int receive(Reduction *r, TreeNode *n)
{
    const int child = n->child[n->sender], sender = n->sender + 1 < n->n ? n->sender + 1 : 0, other = n->child[sender];
    const bool waits = r->eager || n->early < 0;
    const bool races = waits && !r->eager && other != child && n->next + 1 < r->S * n->n;
    if (waits && r->node[child].offer < 0)
        return child;
    if (races && r->node[other].offer < 0)
        return other;
    const int64_t post = n->post;
    int64_t end = n->early;
    n->sender = sender;
    n->next++;
    n->early = -1;
    n->post = n->now;
    if (r->eager) {
        end = r->node[child].offer + r->node[child].u;
        taken(r, child, end);
    } else if (waits) {
        int64_t start = MAX(MAX(post, n->port), r->node[child].offer);
        // The next message goes first if the port is free and this one's sender is not ready.
        if (races && MAX(n->now, r->node[other].offer) < start) {
            n->early = MAX(n->now, r->node[other].offer) + r->node[other].u;
            taken(r, other, n->early);
            start = MAX(start, n->early);
        }
        end = n->port = start + r->node[child].u;
        taken(r, child, end);
    }
    n->now = MAX(n->now, end) + r->g;
    return -1;
}

// Does the same as offer() where each rank has one child: all ranks of the line pass on a segment, from the leaf up.
static void offer_line(Reduction *r, TreeNode *head)
{
    TreeNode *from = &r->node[head->leaf];
    int64_t ready = from->now;
    while (from != head) {
        TreeNode *n = &r->node[from->up];
        const int64_t start = r->eager ? ready : MAX(MAX(n->post, n->port), ready), end = start + from->u;
        from->now = n->port = end;
        n->post = n->now;
        n->next++;
        n->now = ready = MAX(n->now, end) + r->g;
        from = n;
    }
}

// Finds out when `root` is ready to send its next segment. The function runs a subtree only as far as this segment
// needs, and a parent asks for a segment only after it has received the one before. It keeps the way back to the root
// in the nodes, because a tree may be as deep as there are ranks.
static void offer(Reduction *r, int root)
{
    for (int at = root; at >= 0;) {
        TreeNode *n = &r->node[at];
        if (n->leaf >= 0 || n->left == 0) {
            if (n->leaf >= 0)
                offer_line(r, n);
            n->left = n->n;
            n->offer = n->now;
            at = at == root ? -1 : n->up;
            continue;
        }
        const int child = receive(r, n);
        if (child < 0)
            n->left--;
        else
            at = child;
    }
}

// A reduction after some segment, with which later ones are compared.
typedef struct Snapshot {
    TreeNode *node;
    int s;     // the segments that the root had sent; 0 if there is nothing to compare with
    int other; // a node that differed from it in the last comparison
} Snapshot;

// Returns whether two times differ by `later`, or are both unknown.
static bool shifted(int64_t then, int64_t now, int64_t later)
{
    return then < 0 || now < 0 ? then == now : now - then == later;
}

// Returns whether a node does the same as `rounds` segments before, so much later.
static bool node_repeats(const TreeNode *then, const TreeNode *now, int rounds, int64_t later)
{
    const bool clocks = shifted(then->now, now->now, later) && shifted(then->offer, now->offer, later);
    if (now->n == 0)
        return clocks;
    return clocks && now->left == then->left && now->sender == then->sender &&
           now->next - then->next == rounds * now->n && shifted(then->early, now->early, later) &&
           shifted(then->post, now->post, later) && shifted(then->port, now->port, later);
}

// Returns whether all nodes do the same, so much later.
static bool repeats(const Reduction *r, Snapshot *then, int p, int rounds, int64_t later)
{
    bool same = node_repeats(&then->node[then->other], &r->node[then->other], rounds, later);
    for (int v = 0; v < p && same; v++)
        if (!node_repeats(&then->node[v], &r->node[v], rounds, later)) {
            then->other = v;
            same = false;
        }
    return same;
}

static void shift(int64_t *t, int64_t by)
{
    *t += *t < 0 ? 0 : by;
}

// All nodes stand as they stood `rounds` segments ago, only later. So they repeat what they did since, until one of them
// has its last message, which races with no next one. Passes over the segments until then, and returns how many they
// are; s is the number of segments that the root has sent so far.
static int pass_over(Reduction *r, int p, int s, int rounds, int64_t later)
{
    int periods = (r->S - s) / rounds;
    for (int v = 0; v < p; v++) {
        const TreeNode *n = &r->node[v];
        if (n->n > 0)
            periods = MIN(periods, (r->S * n->n - 1 - n->next) / (rounds * n->n));
    }
    periods = MAX(periods, 0);
    for (int v = 0; v < p; v++) {
        TreeNode *n = &r->node[v];
        int64_t *const times[] = {&n->now, &n->post, &n->early, &n->port, &n->offer};
        for (size_t i = 0; i < G_N_ELEMENTS(times); i++)
            shift(times[i], periods * later);
        n->next += periods * rounds * n->n;
    }
    return periods * rounds;
}

// Runs all segments. After each one, compares the nodes with what they were after the last 1, 2, 4 .. segments.
static void run_segments(Reduction *r, int p, int root)
{
    Snapshot then = {.s = 0};
    for (int s = 1; s <= r->S; s++) {
        offer(r, root);
        r->node[root].offer = -1;
        const int64_t later = then.s > 0 ? r->node[root].now - then.node[root].now : 0;
        if (then.s > 0 && repeats(r, &then, p, s - then.s, later)) {
            s += pass_over(r, p, s, s - then.s, later);
            then.s = 0;
        } else if (!r->eager && is_pow2(s) && 2 * s < r->S) {
            g_free(then.node);
            then = (Snapshot){.node = g_memdup2(r->node, (gsize)p * sizeof *r->node), .s = s};
        }
    }
    g_free(then.node);
}

static void find_lines(Reduction *r, const TreePlaces *t)
{
    g_autofree int *order = parents_first(t);
    for (int i = t->p - 1; i >= 0; i--) {
        TreeNode *n = &r->node[order[i]];
        n->leaf = n->n == 0 ? order[i] : n->n == 1 ? r->node[n->child[0]].leaf : -1;
    }
}

void tree_reduce_times(const CollPoint *x, CollTree tree, int root, int64_t *times)
{
    const int64_t S = segments(x, x->m);
    const EdgeCosts edge = edge_of(x, x->m / S);
    Reduction r = {g_new(TreeNode, x->p), x->eager, (int)S, g(x, x->m / S)};
    TreePlaces *t = places(x, tree, root);
    for (int v = 0; v < x->p; v++)
        r.node[v] = (TreeNode){.child = t->child + t->of[v].first,
                               .n = t->of[v].n,
                               .left = t->of[v].n,
                               .up = -1,
                               .now = times[v],
                               .post = times[v],
                               .early = -1,
                               .offer = -1};
    for (int v = 0; v < x->p; v++)
        for (int i = 0; i < t->of[v].n; i++) {
            const int child = t->child[t->of[v].first + i];
            r.node[child].u = edge_cost(&edge, v, child);
            r.node[child].up = v;
        }
    find_lines(&r, t);
    run_segments(&r, x->p, root);
    for (int v = 0; v < x->p; v++)
        times[v] = r.node[v].now;
    done(x, t);
    g_free(r.node);
}

static int64_t find_reduce_time(const CollPoint *x, CollTree tree, int root)
{
    g_autofree int64_t *t = g_new0(int64_t, x->p);
    tree_reduce_times(x, tree, root, t);
    return t[root];
}

int64_t tree_reduce_time(const CollPoint *x, CollTree tree, int root)
{
    return tree_known_time(x, tree, root, true, find_reduce_time);
}

// ---- Gather and scatter: a message has the blocks of a subtree -----------------------------------------------------

int64_t tree_gather_time(const CollPoint *x, CollTree tree, int root)
{
    const CollPoint near = point_near(x);
    TreePlaces *t = places(x, tree, root);
    g_autofree int *order = parents_first(t);
    g_autofree int64_t *now = g_new0(int64_t, x->p), *size = g_new(int64_t, x->p);
    for (int i = x->p - 1; i >= 0; i--) {
        const int r = order[i];
        size[r] = 1;
        for (int j = 0; j < t->of[r].n; j++) {
            const int child = t->child[t->of[r].first + j];
            const int64_t bytes = size[child] * x->m;
            const bool inside = x->levels && x->nodes->of[r] == x->nodes->of[child];
            times_pass(inside ? &near : x, &now[child], &now[r], bytes);
            size[r] += size[child];
        }
    }
    done(x, t);
    return times_latest(now, x->p);
}

int64_t tree_scatter_time(const CollPoint *x, CollTree tree, int root)
{
    const CollPoint near = point_near(x);
    TreePlaces *t = places(x, tree, root);
    g_autofree int *order = parents_first(t);
    g_autofree int64_t *now = g_new0(int64_t, x->p), *size = g_new(int64_t, x->p);
    for (int i = x->p - 1; i >= 0; i--) {
        size[order[i]] = 1;
        for (int j = 0; j < t->of[order[i]].n; j++)
            size[order[i]] += size[t->child[t->of[order[i]].first + j]];
    }
    for (int i = 0; i < x->p; i++)
        for (int j = 0; j < t->of[order[i]].n; j++) {
            const int r = order[i], child = t->child[t->of[r].first + j];
            const bool inside = x->levels && x->nodes->of[r] == x->nodes->of[child];
            times_pass(inside ? &near : x, &now[r], &now[child], size[child] * x->m);
        }
    done(x, t);
    return times_latest(now, x->p);
}

int64_t tree_reduce_binomial_time(const CollPoint *x)
{
    const int64_t S = segments(x, x->m), um = u(x, x->m / S), gm = g(x, x->m / S);
    if (is_pow2(x->p) && !x->eager)
        return log2_floor(x->p) * (um > gm ? S * um + gm : S * gm + um);
    if (S == 1 && gm <= um && !x->eager)
        return log2_ceil(x->p) * um + log2_floor(x->p) * gm;
    return tree_reduce_time(x, tree_binomial_in_order, 0);
}

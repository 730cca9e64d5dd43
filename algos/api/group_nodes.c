// The nodes of groups: those of the whole, as far as a group has their ranks.
#include "api/backend.h"
#include "api/communicate.h"
#include <glib.h>
#include <string.h>

// Returns the nodes of a group that are those of its parent, without the nodes inside and outside of these.
static CollNodes *restrict_to(const Coll *c, const CollNodes *up)
{
    g_autofree int *of = g_new(int, c->p), *number = g_new(int, up->n);
    memset(number, 0xff, (size_t)up->n * sizeof *number);
    int n = 0;
    for (int rank = 0; rank < c->p; rank++) {
        int *node = &number[up->of[c->map(c->up, rank)]];
        of[rank] = *node = *node < 0 ? n++ : *node;
    }
    return coll_nodes_new(c->p, of);
}

// Returns the group's nodes at the next level in one direction, with those beyond it. It passes over a level whose nodes
// have one rank each, a level with a single node, and one whose nodes are those of `beside`. Returns NULL if no level is
// left.
static CollNodes *next_nodes(const Coll *c, const CollNodes *up, bool inwards, const CollNodes *beside)
{
    for (; up; up = inwards ? up->inner : up->outer) {
        CollNodes *x = restrict_to(c, up);
        if (x->n > 1 && x->n < c->p && !(beside && memcmp(x->of, beside->of, (size_t)c->p * sizeof *x->of) == 0)) {
            *(inwards ? &x->inner : &x->outer) = next_nodes(c, inwards ? up->inner : up->outer, inwards, x);
            return x;
        }
        coll_nodes_free(x);
    }
    return NULL;
}

// Returns the group's nodes; `up` are those of its parent.
static CollNodes *find_nodes(const Coll *c, const CollNodes *up)
{
    CollNodes *x;
    if (c->level == COLL_SAME_LEVEL) {
        x = restrict_to(c, up);
        x->inner = next_nodes(c, up->inner, true, x);
        x->outer = next_nodes(c, up->outer, false, x);
    } else
        x = next_nodes(c, up, c->level == COLL_INNER_LEVEL, NULL);
    return x ? x : g_new0(CollNodes, 1);
}

// Returns what the run keeps about the group, after it has moved it to the front; NULL if it keeps nothing.
static struct CollGroupNodes *kept_nodes(CollRun *run, const struct CollGroupNodes *like)
{
    struct CollGroupNodes **at = &run->groups, *found;
    while ((found = *at) && !(found->up == like->up && found->map == like->map && found->p == like->p &&
                              found->first == like->first && found->last == like->last))
        at = &found->next;
    if (!found)
        return NULL;
    *at = found->next;
    found->next = run->groups;
    return run->groups = found;
}

const CollNodes *coll_nodes(const Coll *c)
{
    static const CollNodes none;
    if (c->nodes || !c->up)
        return c->nodes;
    const CollNodes *up = coll_nodes(c->up);
    if (!up || up->n == 0)
        return up;
    if (c->level != COLL_SAME_LEVEL)
        up = c->level == COLL_INNER_LEVEL ? up->inner : up->outer;
    if (!up)
        return &none;
    struct CollGroupNodes group = {c->run->groups, up, c->map, c->p, c->map(c->up, 0), c->map(c->up, c->p - 1), NULL};
    const struct CollGroupNodes *kept = kept_nodes(c->run, &group);
    if (kept)
        return kept->nodes;
    group.nodes = find_nodes(c, up);
    c->run->groups = g_memdup2(&group, sizeof group);
    return group.nodes;
}

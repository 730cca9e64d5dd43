#include "times/tree_places.h"
#include "api/backend.h"
#include <glib.h>

bool tree_places_plain(const CollPoint *x)
{
    const CollNodes *n = x->nodes;
    return !n || (n->n == x->p && n->ordered && !n->inner && !n->outer);
}

CollParams tree_places_params(const CollPoint *x)
{
    CollParams par = x->par;
    if (tree_places_plain(x))
        par.segment = 0, par.max_requests = 0;
    return par;
}

// The arrays are as short as they can be, because a formula is evaluated many times.
TreePlaces *tree_places_find(const CollPoint *x, CollTree tree, int root)
{
    const TreePlaces found = {g_new(TreePlace, x->p), g_new(int, x->p), tree, x->p, root};
    CollRun run;
    coll_run_init(&run, NULL);
    Coll c = {.p = x->p,
              .root = root,
              .elem = 1,
              .commutative = true,
              .nodes = x->nodes,
              .par = tree_places_params(x),
              .run = &run};
    int n = 0;
    for (c.rank = 0; c.rank < c.p; c.rank++) {
        coll_run_reset(&run);
        const Tree rank = tree(&c, root);
        found.of[c.rank] = (TreePlace){n, rank.n};
        for (int i = 0; i < rank.n; i++)
            found.child[n++] = rank.child[i];
    }
    coll_run_clear(&run);
    return g_memdup2(&found, sizeof found);
}

void tree_places_free(void *places)
{
    TreePlaces *t = places;
    g_free(t->of);
    g_free(t->child);
    g_free(t);
}

// Times of two trees at once (shapes/two_tree.c).
#include "times/times.h"
#include "api/communicate.h"
#include "api/integers.h"
#include "shapes/two_tree.h"
#include <glib.h>

bool two_tree_idles(int p)
{
    return p > 2 && is_pow2(p - 1);
}

int64_t two_tree_eager_time(const CollPoint *x, bool all)
{
    const int64_t S = segments(x, x->m / 2), bytes = x->m / 2 / S;
    const int n[2] = {(int)S, (int)S}, steps = two_tree_steps(x->p, S);
    TwoTreeLinks *of = g_new0(TwoTreeLinks, x->p);
    Clocks k = clocks_new(x->p);
    clocks_bytes(&k, bytes);
    for (int v = 0; v < x->p; v++)
        of[v] = two_tree_links(&(Coll){.p = x->p, .rank = v});
    for (int i = 0; i < (all ? 2 : 1) * steps; i++) {
        const int step = i < steps ? steps - 1 - i : i - steps;
        for (int v = 0; v < x->p; v++) {
            const TwoTreeLink *up = two_tree_link_at(of[v].up, step, n), *down = two_tree_link_at(of[v].down, step, n);
            (i < steps ? k.to : k.from)[v] = up ? up->peer : -1;
            (i < steps ? k.from : k.to)[v] = down ? down->peer : -1;
        }
        clocks_round(&k, x, i < steps);
    }
    g_free(of);
    return clocks_free(&k);
}

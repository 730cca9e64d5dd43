// Where parts and their holders are on the ring of ranks.
#include "shapes/holders.h"
#include "api/communicate.h"
#include "api/integers.h"

Holders holders_of(int p, int halvings)
{
    Holders x = {.p = p, .graph = circulant_graph(p)};
    x.halvings = halvings < x.graph.q ? halvings : x.graph.q;
    x.parts = x.halvings < x.graph.q ? 1 << x.halvings : p;
    x.n = x.graph.skip[x.graph.q - x.halvings];
    return x;
}

static int64_t ceil_ratio(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

int holders_owner(const Holders *x, int i)
{
    return (int)((int64_t)i * x->p / x->parts);
}

// Returns how many of the parts, which go around, belong to owners before rank v >= 0.
static int parts_before(const Holders *x, int64_t v)
{
    return (int)ceil_ratio(v * x->parts, x->p);
}

int holders_count(const Holders *x, int v, int first, int end)
{
    return parts_before(x, (int64_t)v + end) - parts_before(x, (int64_t)v + first);
}

static size_t part_size(const Holders *x, const Coll *c, Slice vector)
{
    const size_t elements = vector.len / c->elem;
    blocks_note_uneven(c, elements % (size_t)x->parts != 0);
    return (size_t)ceil_ratio((int64_t)elements, x->parts) * c->elem;
}

Blocks holders_parts(const Holders *x, const Coll *c, Slice vector)
{
    return (Blocks){.all = vector, .n = x->parts, .size = part_size(x, c, vector), .elem = c->elem};
}

Blocks holders_blocks(const Holders *x, const Coll *c, Slice vector)
{
    return (Blocks){.all = vector, .n = x->p, .longer = x->parts, .elem = part_size(x, c, vector), .spread = true};
}

static int owner_at(const Coll *up, int i)
{
    const Holders x = holders_of(up->p, up->par.halvings);
    return holders_owner(&x, i);
}

Coll holders_group(const Holders *x, const Coll *c)
{
    return coll_sub(c, x->parts, parts_before(x, c->rank), owner_at);
}

HoldersSeat holders_seat(const Holders *x, int v)
{
    const int part = parts_before(x, v), near = holders_owner(x, part) - v, next = holders_owner(x, part + 1) - v;
    return (HoldersSeat){part, near, next < x->n ? next : near};
}

Tree holders_tree(const Holders *x, const Coll *c, int ahead)
{
    const HoldersSeat s = {.near = ahead, .far = ahead};
    int *child = coll_ints(c, (size_t)log2_ceil(x->n));
    Tree t = {.parent = -1, .child = child};
    for (int d = 1; d < x->n; d *= 2) {
        if (holders_has_parent(&s, d))
            t.parent = (c->rank + d) % c->p;
        if (holders_has_child(x, &s, d))
            child[t.n++] = (c->rank + c->p - d) % c->p;
    }
    return t;
}

int holders_pattern(const Coll *c, int *pattern)
{
    const Holders x = holders_of(c->p, c->par.halvings);
    const int v = coll_v(c), q = x.graph.q;
    const HoldersSeat s = holders_seat(&x, v);
    const size_t len = c->in.len > 0 ? c->in.len : c->out.len;
    if (len / c->elem % (size_t)x.parts != 0)
        return 0;
    int n = 3, parents = 0, children = 0;
    for (int d = 0; 1 << d < x.n; d++) {
        parents |= holders_has_parent(&s, 1 << d) << d;
        children |= holders_has_child(&x, &s, 1 << d) << d;
    }
    pattern[0] = parents;
    pattern[1] = children;
    // Owners with the same place in their own tree are alike if it is regular.
    const bool regular = c->p % x.parts == 0 && is_pow2(x.parts);
    pattern[2] = s.near > 0 ? -1 : regular && s.part > 0 ? __builtin_ctz((unsigned)s.part) : x.parts + s.part;
    for (int k = q - 1; k >= q - x.halvings; k--) {
        const int first = x.graph.skip[k], end = x.graph.skip[k + 1];
        pattern[n++] = holders_count(&x, v, first, end);
        pattern[n++] = holders_count(&x, v, 0, end - first);
    }
    return n;
}

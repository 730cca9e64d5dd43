#include "engine/schedule/sampled.h"
#include "engine/schedule/words.h"
#include <glib.h>
#include <string.h>

struct Sampled {
    GMutex lock;
    GHashTable *shapes; // a set of Shape
};

// Shapes are compared byte by byte, so the unused bytes are 0.
typedef struct Shape {
    const CollAlgorithm *algorithm;
    const CollNodes *nodes;
    CollParams par; // without lengths
    size_t elem;
    int p, root;
    bool few, even, segments; // few: fewer elements than ranks
} Shape;

static guint hash(gconstpointer data)
{
    _Static_assert(sizeof(Shape) % sizeof(uint64_t) == 0, "hash reads whole words");
    return (guint)words_hash(0, data, sizeof(Shape));
}

static gboolean equal(gconstpointer a, gconstpointer b)
{
    return memcmp(a, b, sizeof(Shape)) == 0;
}

Sampled *sampled_new(void)
{
    Sampled *sampled = g_new0(Sampled, 1);
    g_mutex_init(&sampled->lock);
    sampled->shapes = g_hash_table_new_full(hash, equal, g_free, NULL);
    return sampled;
}

void sampled_free(Sampled *sampled)
{
    if (!sampled)
        return;
    g_hash_table_unref(sampled->shapes);
    g_mutex_clear(&sampled->lock);
    g_free(sampled);
}

bool sampled_add(Sampled *sampled, const Operation *op)
{
    const Coll *const c = &op->c;
    const size_t count = op->m / c->elem, p = (size_t)c->p;
    Shape x;
    memset(&x, 0, sizeof x); // the bytes between its fields too
    x.algorithm = op->algorithm;
    x.nodes = c->nodes;
    memcpy(&x.par, &c->par, sizeof x.par);
    x.par.segment = x.par.fragment = 0;
    x.elem = c->elem;
    x.p = c->p;
    x.root = c->root;
    x.few = count < p;
    x.even = count % p == 0;
    x.segments = c->par.segment > 0 && c->par.segment < op->m;
    g_mutex_lock(&sampled->lock);
    const bool new = g_hash_table_add(sampled->shapes, g_memdup2(&x, sizeof x));
    g_mutex_unlock(&sampled->lock);
    return new;
}

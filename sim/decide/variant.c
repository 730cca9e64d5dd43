#include "decide/variant.h"

typedef struct Variant {
    CollAlgorithm algorithm; // first, so that a pointer to it is one to the variant
    CollParams par;
} Variant;

// Returns TRUE if two sets of parameters of an entry are equal, also in the variants that are its parts.
static gboolean equal(const CollAlgorithm *entry, const CollParams *x, const CollParams *y)
{
    gboolean same = params_compare(entry, x, y) == 0;
    for (int i = 0; i < COLL_MAX_PARTS; i++)
        same &= x->part[i] == y->part[i];
    return same;
}

const CollAlgorithm *variant_find(Tables *tables, const CollAlgorithm *entry, const CollParams *par)
{
    const CollParams defaults = algorithm_defaults(entry);
    const CollAlgorithm *found = equal(entry, &defaults, par) ? entry : NULL;
    g_mutex_lock(&tables->lock);
    for (guint i = 0; !found && i < tables->variants->len; i++) {
        const Variant *v = tables->variants->pdata[i];
        if (v->algorithm.variant_of == entry && equal(entry, &v->par, par))
            found = &v->algorithm;
    }
    if (!found) {
        Variant *v = g_new(Variant, 1);
        *v = (Variant){*entry, *par};
        v->algorithm.variant_of = entry;
        v->algorithm.defaults = &v->par;
        g_ptr_array_add(tables->variants, v);
        found = &v->algorithm;
    }
    g_mutex_unlock(&tables->lock);
    return found;
}

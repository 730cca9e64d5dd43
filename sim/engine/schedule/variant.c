#include "engine/schedule/variant.h"
#include <glib.h>

typedef struct Variant {
    CollAlgorithm algorithm; // first, so that a pointer to it is one to the variant
    CollParams par;
} Variant;

// Returns the variant of an entry with these parameters from a list (Variant), which grows if it is new.
static const CollAlgorithm *find(GPtrArray *of_entry, const CollAlgorithm *entry, const CollParams *par)
{
    for (guint i = 0; i < of_entry->len; i++) {
        const Variant *v = of_entry->pdata[i];
        if (params_same(entry, &v->par, par))
            return &v->algorithm;
    }
    Variant *v = g_new(Variant, 1);
    *v = (Variant){*entry, *par};
    v->algorithm.variant_of = entry;
    v->algorithm.defaults = &v->par;
    g_ptr_array_add(of_entry, v);
    return &v->algorithm;
}

const CollAlgorithm *variant_find(const CollAlgorithm *entry, const CollParams *par)
{
    static GMutex lock;
    static GHashTable *variants; // entry -> GPtrArray of Variant
    entry = algorithm_entry(entry);
    const CollParams defaults = algorithm_defaults(entry);
    if (params_same(entry, &defaults, par))
        return entry;
    g_mutex_lock(&lock);
    if (!variants)
        variants = g_hash_table_new(NULL, NULL);
    GPtrArray *of_entry = g_hash_table_lookup(variants, entry);
    if (!of_entry) {
        of_entry = g_ptr_array_new();
        g_hash_table_insert(variants, (gpointer)(uintptr_t)entry, of_entry);
    }
    const CollAlgorithm *found = find(of_entry, entry, par);
    g_mutex_unlock(&lock);
    return found;
}

// By how much all ranks of a site can be moved so that nothing changes: then a few stand for all.
#include "engine/replay/site.h"
#include "api/integers.h"
#include <string.h>

// Returns the unit of level k of each v, numbered from 0. Free with g_free.
static int *units_of(const Site *x, int p, int k)
{
    int bits = 0; // of the fields of inner levels
    while (bits < 64 && x->map->level_of_bits[bits + 1] <= k)
        bits++;
    g_autoptr(GHashTable) number = g_hash_table_new(g_int64_hash, g_int64_equal);
    g_autofree gint64 *unit = g_new(gint64, p);
    int *units = g_new(int, p), n = 0;
    for (int v = 0; v < p; v++) {
        unit[v] = (gint64)(bits < 64 ? x->code[v] >> bits : 0);
        gpointer known = g_hash_table_lookup(number, &unit[v]);
        if (!known)
            g_hash_table_insert(number, &unit[v], known = GINT_TO_POINTER(++n));
        units[v] = GPOINTER_TO_INT(known) - 1;
    }
    return units;
}

static int moved_by(const Schedule *s, int v, int n)
{
    return s->peers == PEERS_XOR ? v ^ n : v + n < s->p ? v + n : v + n - s->p;
}

// Returns true if ranks of one unit are in one unit as well after each v has moved on by n, or has changed by XOR.
static bool keeps_units(const Schedule *s, const int *unit, int n)
{
    g_autofree int *image = g_new(int, s->p);
    memset(image, -1, (size_t)s->p * sizeof(int));
    for (int v = 0; v < s->p; v++) {
        const int to = unit[moved_by(s, v, n)];
        if (image[unit[v]] >= 0 && image[unit[v]] != to)
            return false;
        image[unit[v]] = to;
    }
    return true;
}

static bool keeps_local(const Site *x, const Schedule *s, int n)
{
    for (int v = 0; v < s->p; v++)
        if (x->local[v] != x->local[moved_by(s, v, n)])
            return false;
    return true;
}

// Returns the masks of a schedule whose peers are an XOR, one bit for each; no mask of one bit, if each rank is a node,
// because then its two ends have the same distance at all ranks. Free with g_array_unref.
static GArray *masks_of(const Site *x, const Schedule *s)
{
    GArray *masks = g_array_new(FALSE, FALSE, sizeof(int));
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    for (uint32_t i = 0; i < s->n_classes; i++)
        for (const Op *op = s->classes[i].ops; op->kind != OP_END; op++)
            if ((op->kind == OP_SEND || op->kind == OP_ISEND || op->kind == OP_SENDRECV) &&
                !(is_pow2(op->to) && site_each_is_node(x)) && g_hash_table_add(seen, GINT_TO_POINTER(op->to)))
                g_array_append_val(masks, op->to);
    return masks;
}

bool site_is_far_alike(const Site *x, const Schedule *s)
{
    if (x->measured->far == 0)
        return true;
    if (!site_each_is_node(x))
        return false;
    g_autoptr(GArray) masks = s->peers == PEERS_XOR ? masks_of(x, s) : NULL;
    return !masks || masks->len == 0;
}

// Returns true if nodes that do not follow each other still do not after each v has moved on by n, or has changed by
// XOR; `masks` are then those of the schedule.
static bool keeps_far(const Site *x, const Schedule *s, const GArray *masks, int n)
{
    bool keeps = true;
    for (int v = 0; keeps && masks && v < s->p; v++)
        for (guint i = 0; keeps && i < masks->len; i++) {
            const int mask = g_array_index(masks, int, i);
            keeps = site_is_far(x, v, v ^ mask) == site_is_far(x, v ^ n, v ^ n ^ mask);
        }
    if (masks || site_each_is_node(x))
        return keeps;
    const int first = (x->node[n] - x->node[0] + x->n_nodes) % x->n_nodes;
    for (int v = 0; keeps && v < s->p; v++)
        keeps = (x->node[moved_by(s, v, n)] - x->node[v] + x->n_nodes) % x->n_nodes == first;
    return keeps;
}

// What moving all v must keep: the units of each level, up to NULL; and which nodes follow each other, if `far`.
typedef struct Kept {
    int **unit;
    bool far;
    GArray *masks; // with far, if peers are an XOR: those of the schedule
} Kept;

// Returns true if all v behave alike that are equal mod n.
static bool is_period(const Site *x, const Schedule *s, const Kept *kept, int n)
{
    int *const *unit = kept->unit;
    for (int by = n; by < s->p; by *= 2) {
        if ((site_shares(x) && !keeps_local(x, s, by)) || (kept->far && !keeps_far(x, s, kept->masks, by)))
            return false;
        for (int k = 0; unit[k]; k++)
            if (!keeps_units(s, unit[k], by))
                return false;
        if (s->peers != PEERS_XOR)
            break;
    }
    return true;
}

int site_period(const Site *x, const Schedule *s, int n)
{
    int **unit = g_new0(int *, x->n_levels + 1), period = n;
    Kept kept = {.unit = unit, .far = x->measured && x->measured->far > 0};
    if (s->peers == PEERS_XOR && !is_pow2(n))
        period = s->p;
    if (!x->code)
        unit[0] = site_shares(x) ? g_memdup2(x->node, (gsize)s->p * sizeof(int)) : NULL;
    for (int k = 0; x->code && period < s->p && k + 1 < x->n_levels; k++)
        unit[k] = units_of(x, s->p, k);
    if (kept.far && s->peers == PEERS_XOR)
        kept.masks = masks_of(x, s);
    while (period < s->p && (s->p % period != 0 || !is_period(x, s, &kept, period)))
        period += n;
    if (kept.masks)
        g_array_unref(kept.masks);
    for (int k = 0; unit[k]; k++)
        g_free(unit[k]);
    g_free(unit);
    return MIN(period, s->p);
}

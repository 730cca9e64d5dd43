#include "engine/schedule/kept.h"
#include "engine/schedule/words.h"
#include <string.h>

// What a text depends on, and what is kept about it. Keys are compared byte by byte, so the unused bytes are 0.
typedef struct KeptKey {
    const CollAlgorithm *algorithm;
    CollParams par;
    size_t m, elem;
    int p, root;
    int node; // ranks of each node, which are consecutive; 0 if ranks are not on nodes
    KeptKind kind;
    bool commutative, mixes, few; // the latter two: RecordOptions
} KeptKey;

typedef struct KeptEntry {
    KeptKey key;
    Schedule *schedule; // NULL for a fact
    uint64_t bytes;
    union {
        Totals totals; // of the schedule
        char fact[KEPT_FACT];
    };
} KeptEntry;

static GMutex lock; // of what follows
static uint64_t limit, bytes_kept;
static GHashTable *links; // KeptKey -> GList in `last_used`
static GQueue last_used;  // of KeptEntry, the last one first

static guint hash(gconstpointer data)
{
    _Static_assert(sizeof(KeptKey) % sizeof(uint64_t) == 0, "hash reads whole words");
    return (guint)words_hash(0, data, sizeof(KeptKey));
}

static gboolean equal(gconstpointer a, gconstpointer b)
{
    return memcmp(a, b, sizeof(KeptKey)) == 0;
}

// Sets *key to that of an operation. Returns false if nothing is kept, or if its text depends on more than a key has.
static bool key_of(const Operation *op, KeptKind kind, KeptKey *key)
{
    const CollNodes *const nodes = op->c.nodes;
    const bool alike = !nodes || (nodes->equal > 0 && nodes->ordered && !nodes->inner && !nodes->outer);
    if (limit == 0 || !alike || op->c.counts || algorithm_any_added())
        return false;
    memset(key, 0, sizeof *key); // the bytes between its fields too
    key->algorithm = op->algorithm;
    memcpy(&key->par, &op->c.par, sizeof key->par);
    key->m = op->m;
    key->elem = op->c.elem;
    key->p = op->c.p;
    key->root = op->c.root;
    key->node = nodes ? nodes->equal : 0;
    key->kind = kind;
    key->commutative = op->c.commutative;
    return true;
}

static void drop(GList *link)
{
    KeptEntry *const kept = link->data;
    bytes_kept -= kept->bytes;
    g_hash_table_remove(links, &kept->key);
    g_queue_delete_link(&last_used, link);
    schedule_free(kept->schedule);
    g_free(kept);
}

void kept_limit(uint64_t bytes)
{
    if (!links)
        links = g_hash_table_new(hash, equal);
    limit = bytes;
    while (bytes_kept > limit)
        drop(last_used.tail);
}

bool kept_takes(const Operation *op)
{
    KeptKey key;
    return key_of(op, KEPT_SCHEDULE, &key);
}

// Returns what is kept with a key, or NULL. The caller has the lock.
static const KeptEntry *find(const KeptKey *key)
{
    GList *const link = g_hash_table_lookup(links, key);
    if (!link)
        return NULL;
    g_queue_unlink(&last_used, link);
    g_queue_push_head_link(&last_used, link);
    return link->data;
}

// Keeps a fact, or a schedule with its totals, in place of what was kept with this key.
static void keep(const KeptKey *key, Schedule *s, const void *fact, size_t size)
{
    KeptEntry *const kept = g_new0(KeptEntry, 1);
    memcpy(&kept->key, key, sizeof *key);
    kept->schedule = s ? schedule_ref(s) : NULL;
    memcpy(kept->fact, fact, size);
    kept->bytes = sizeof *kept + (s ? schedule_bytes(s) : 0);
    g_mutex_lock(&lock);
    GList *const before = g_hash_table_lookup(links, key);
    if (before)
        drop(before);
    bytes_kept += kept->bytes;
    g_queue_push_head(&last_used, kept);
    g_hash_table_insert(links, &kept->key, last_used.head);
    while (bytes_kept > limit)
        drop(last_used.tail);
    g_mutex_unlock(&lock);
}

Schedule *kept_admit(const Operation *op, const RecordOptions *o, uint64_t most, Totals *totals, GError **error)
{
    _Static_assert(sizeof(Totals) <= KEPT_FACT, "totals are kept as a fact is");
    const bool plain = !o->every_rank && !o->trust && o->cut_off == 0 && !o->copies && !o->fresh && !o->isends &&
                       !o->messages && !o->local && !o->phases && !o->unordered && most == 0;
    KeptKey key;
    if (!plain || !key_of(op, KEPT_SCHEDULE, &key))
        return schedule_admit(op, o, most, totals, error);
    key.mixes = o->mixes;
    key.few = o->few;
    g_mutex_lock(&lock);
    const KeptEntry *const kept = find(&key);
    Schedule *s = kept ? schedule_ref(kept->schedule) : NULL;
    if (kept)
        *totals = kept->totals;
    g_mutex_unlock(&lock);
    if (!s && (s = schedule_admit(op, o, most, totals, error)))
        keep(&key, s, totals, sizeof *totals);
    return s;
}

bool kept_find(const Operation *op, KeptKind kind, void *fact, size_t size)
{
    KeptKey key;
    if (!key_of(op, kind, &key))
        return false;
    g_mutex_lock(&lock);
    const KeptEntry *const kept = find(&key);
    if (kept)
        memcpy(fact, kept->fact, size);
    g_mutex_unlock(&lock);
    return kept != NULL;
}

void kept_note(const Operation *op, KeptKind kind, const void *fact, size_t size)
{
    KeptKey key;
    g_assert(size <= KEPT_FACT);
    if (key_of(op, kind, &key))
        keep(&key, NULL, fact, size);
}

#include "engine/network/channels.h"
#include <glib.h>

// A slot of the table: 1 + a number made of the pair, or 0 if it is empty.
typedef struct Channel {
    uint64_t key;
    int32_t first, last;
} Channel;

struct Channels {
    Channel *slot;
    uint64_t mask; // slots - 1
    uint64_t used;
    GArray *next; // of int32_t, by number: the one behind it in its queue; -1 for none
};

Channels *channels_new(void)
{
    enum { SLOTS = 1 << 10 };
    Channels *x = g_new0(Channels, 1);
    x->slot = g_new0(Channel, SLOTS);
    x->mask = SLOTS - 1;
    x->next = g_array_new(FALSE, FALSE, sizeof(int32_t));
    return x;
}

void channels_free(Channels *x)
{
    g_free(x->slot);
    g_array_unref(x->next);
    g_free(x);
}

static uint64_t key_of(int rank, int other)
{
    return 1 + ((uint64_t)(uint32_t)rank << 32 | (uint32_t)other);
}

static uint64_t home_of(const Channels *x, uint64_t key)
{
    return (key * 0x9E3779B97F4A7C15u >> 20) & x->mask;
}

// Returns the slot of a key, or the empty one where it would be.
static uint64_t find(const Channels *x, uint64_t key)
{
    uint64_t i = home_of(x, key);
    while (x->slot[i].key && x->slot[i].key != key)
        i = (i + 1) & x->mask;
    return i;
}

static void grow(Channels *x)
{
    Channel *const old = x->slot;
    const uint64_t slots = x->mask + 1;
    x->mask = 2 * slots - 1;
    x->slot = g_new0(Channel, 2 * slots);
    for (uint64_t i = 0; i < slots; i++)
        if (old[i].key)
            x->slot[find(x, old[i].key)] = old[i];
    g_free(old);
}

void channels_add(Channels *x, int rank, int other, int32_t i)
{
    if (2 * x->used > x->mask)
        grow(x);
    const uint64_t key = key_of(rank, other);
    Channel *const at = &x->slot[find(x, key)];
    if (x->next->len <= (guint)i)
        g_array_set_size(x->next, (guint)i + 1);
    g_array_index(x->next, int32_t, i) = -1;
    if (at->key) {
        g_array_index(x->next, int32_t, at->last) = i;
        at->last = i;
        return;
    }
    x->used++;
    *at = (Channel){key, i, i};
}

int32_t channels_first(const Channels *x, int rank, int other)
{
    const Channel *at = &x->slot[find(x, key_of(rank, other))];
    return at->key ? at->first : -1;
}

// Empties a slot, and moves those behind it that would not be found any more.
static void empty(Channels *x, uint64_t hole)
{
    x->used--;
    for (uint64_t i = (hole + 1) & x->mask; x->slot[i].key; i = (i + 1) & x->mask) {
        const uint64_t home = home_of(x, x->slot[i].key);
        if (((i - home) & x->mask) < ((i - hole) & x->mask))
            continue;
        x->slot[hole] = x->slot[i];
        hole = i;
    }
    x->slot[hole].key = 0;
}

int32_t channels_take(Channels *x, int rank, int other)
{
    const uint64_t i = find(x, key_of(rank, other));
    const int32_t first = x->slot[i].first;
    x->slot[i].first = g_array_index(x->next, int32_t, first);
    if (x->slot[i].first < 0)
        empty(x, i);
    return first;
}

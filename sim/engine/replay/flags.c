#include "engine/replay/flags.h"
#include <glib.h>
#include <string.h>

// The flag that rank `who` has for one queue.
typedef struct Flag {
    uint64_t key;    // 1 + a number made of `who` and the queue; 0 if the slot of the table is empty
    uint64_t *value; // the values of the flag, which grow
    Stamp *stamp;    // the time of each
    uint32_t n, max;
    int waiting; // the first of the ranks that await a larger value, which Flags.next links; -1 for none
} Flag;

struct Flags {
    Flag *table; // a hash table, whose size is a power of two
    uint64_t size, used;
    uint64_t *awaits; // by rank: the value that it waits for; 0 if it does not wait
    int *next;        // by rank: the next one that waits for the same flag; -1 for none
};

Flags *flags_new(int p)
{
    Flags *x = g_new0(Flags, 1);
    x->awaits = g_new0(uint64_t, p);
    x->next = g_new(int, p);
    return x;
}

void flags_free(Flags *x)
{
    if (!x)
        return;
    for (uint64_t i = 0; i < x->size; i++) {
        g_free(x->table[i].value);
        g_free(x->table[i].stamp);
    }
    g_free(x->table);
    g_free(x->awaits);
    g_free(x->next);
    g_free(x);
}

// Returns the slot of a key, or the empty slot for it.
static Flag *place(Flag *table, uint64_t size, uint64_t key)
{
    uint64_t i = key * 0x9e3779b97f4a7c15u;
    for (i = (i ^ i >> 29) & (size - 1); table[i].key && table[i].key != key;)
        i = (i + 1) & (size - 1);
    return &table[i];
}

// Returns the flag that `who` has for a queue, a new one if it was not used before. Valid until the next call.
static Flag *flag_of(Flags *x, int who, int queue)
{
    if (2 * x->used >= x->size) {
        const uint64_t size = MAX(1024, 2 * x->size);
        Flag *table = g_new0(Flag, size);
        for (uint64_t i = 0; i < x->size; i++)
            if (x->table[i].key)
                *place(table, size, x->table[i].key) = x->table[i];
        g_free(x->table);
        x->table = table;
        x->size = size;
    }
    const uint64_t key = 1 + ((uint64_t)(uint32_t)who << 32 | (uint32_t)queue);
    Flag *f = place(x->table, x->size, key);
    if (!f->key) {
        *f = (Flag){.key = key, .waiting = -1};
        x->used++;
    }
    return f;
}

void flags_raise(Flags *x, int who, int queue, uint64_t n, const Stamp *stamp, int *runnable, int *n_runnable)
{
    Flag *f = flag_of(x, who, queue);
    g_assert(n > (f->n ? f->value[f->n - 1] : 0));
    if (f->n == f->max) {
        f->max = MAX(4, f->max + f->max / 2);
        f->value = g_renew(uint64_t, f->value, f->max);
        f->stamp = g_renew(Stamp, f->stamp, f->max);
    }
    f->value[f->n] = n;
    f->stamp[f->n++] = *stamp;
    for (int *link = &f->waiting; *link >= 0;) {
        const int v = *link;
        if (x->awaits[v] > n) {
            link = &x->next[v];
            continue;
        }
        runnable[(*n_runnable)++] = v;
        x->awaits[v] = 0;
        *link = x->next[v];
    }
}

const Stamp *flags_await(Flags *x, int v, int who, int queue, uint64_t n)
{
    Flag *f = flag_of(x, who, queue);
    if (f->n == 0 || f->value[f->n - 1] < n) {
        x->awaits[v] = n;
        x->next[v] = f->waiting;
        f->waiting = v;
        return NULL;
    }
    const uint64_t from = f->value[0]; // it grows by 1 or more each time, so entry n - from is at least n
    uint64_t i = n > from ? MIN(n - from, f->n - 1) : 0;
    while (i > 0 && f->value[i - 1] >= n)
        i--;
    return &f->stamp[i];
}

uint64_t flags_awaited(const Flags *x, int v)
{
    return x->awaits[v];
}

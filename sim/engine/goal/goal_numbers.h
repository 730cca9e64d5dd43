// Numbers keys 0, 1, 2, .. in the order in which they are first seen. It is a hash table with open addressing, at most
// half full. The hash has a random seed, so that no file can be written whose keys collide. Private to this room.
#pragma once
#include <glib.h>
#include <stdint.h>
#include <string.h>

#define GOAL_NO_NUMBER UINT32_MAX

typedef struct GoalKey {
    uint64_t a, b;
} GoalKey;

typedef struct GoalNumbers {
    GoalKey *key;   // by number; room for `size` / 2 of them
    uint32_t *slot; // the number of a key that hashes to here, or GOAL_NO_NUMBER
    size_t size;    // slots, a power of two, or 0
    uint64_t seed;
    uint32_t n;
} GoalNumbers;

// Returns the key's slot, or the empty one that it would get. There must be an empty slot.
static inline uint32_t *numbers_slot(const GoalNumbers *x, GoalKey key)
{
    uint64_t hash = (key.a * 0xbf58476d1ce4e5b9u ^ key.b ^ x->seed) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ hash >> 32) * 0x94d049bb133111ebu;
    size_t i = (hash ^ hash >> 29) & (x->size - 1);
    for (; x->slot[i] != GOAL_NO_NUMBER; i = (i + 1) & (x->size - 1)) {
        const GoalKey *other = &x->key[x->slot[i]];
        if (other->a == key.a && other->b == key.b)
            break;
    }
    return &x->slot[i];
}

// Returns the key's number, or GOAL_NO_NUMBER if it has none.
static inline uint32_t numbers_find(const GoalNumbers *x, GoalKey key)
{
    return x->n > 0 ? *numbers_slot(x, key) : GOAL_NO_NUMBER;
}

// Returns the key's number; a key that has none gets the next one, x->n.
static inline uint32_t numbers_add(GoalNumbers *x, GoalKey key)
{
    if (x->n == x->size / 2) {
        if (x->size == 0)
            x->seed = (uint64_t)g_random_int() << 32 | g_random_int();
        x->size = MAX(1024, 2 * x->size);
        x->key = g_renew(GoalKey, x->key, x->size / 2);
        x->slot = g_renew(uint32_t, x->slot, x->size);
        memset(x->slot, 0xff, x->size * sizeof *x->slot); // GOAL_NO_NUMBER
        for (uint32_t i = 0; i < x->n; i++)
            *numbers_slot(x, x->key[i]) = i;
    }
    uint32_t *slot = numbers_slot(x, key);
    if (*slot == GOAL_NO_NUMBER) {
        x->key[x->n] = key;
        *slot = x->n++;
    }
    return *slot;
}

static inline void numbers_clear(GoalNumbers *x)
{
    g_free(x->key);
    g_free(x->slot);
}

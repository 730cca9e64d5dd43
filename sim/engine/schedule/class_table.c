#include "engine/schedule/class_table.h"
#include "engine/schedule/words.h"
#include <string.h>

// An entry of the table.
struct FoundClass {
    uint32_t hash;
    uint32_t class; // 1 + its number; 0 if the entry is free
};

void class_table_init(ClassTable *x)
{
    *x = (ClassTable){0};
    memset(x->recent, 0xff, sizeof x->recent);
}

void class_table_clear(ClassTable *x)
{
    g_free(x->found);
}

bool class_table_equals(const Class *c, const Builder *b)
{
    return c->n_ops == b->n && memcmp(c->ops, b->ops, b->n * sizeof(Op)) == 0 &&
           (!c->loops || memcmp(c->strides, b->strides, b->n * sizeof(Stride)) == 0);
}

static uint32_t hash(const Builder *b)
{
    return (uint32_t)words_hash(0x9e3779b97f4a7c15u ^ b->n, b->ops, b->n * sizeof(Op));
}

// Gives the table twice as many entries.
static void grow(ClassTable *x)
{
    const uint32_t size = x->found ? x->mask + 1 : 0, mask = MAX(2 * size, 64) - 1;
    struct FoundClass *found = g_new0(struct FoundClass, (gsize)mask + 1);
    for (uint32_t i = 0; i < size; i++)
        if (x->found[i].class) {
            uint32_t at = x->found[i].hash & mask;
            while (found[at].class)
                at = (at + 1) & mask;
            found[at] = x->found[i];
        }
    g_free(x->found);
    x->found = found;
    x->mask = mask;
}

static uint32_t new_class(ClassTable *x, Schedule *s, const Builder *b)
{
    if (s->n_classes == x->room) {
        x->room = MAX(16, 2 * x->room);
        s->classes = g_renew(Class, s->classes, x->room);
    }
    Class *c = &s->classes[s->n_classes];
    *c = (Class){.n_ops = b->n, .ops = g_memdup2(b->ops, b->n * sizeof(Op)), .one_source = true};
    for (uint32_t i = 0; i < c->n_ops; i++) {
        c->loops |= c->ops[i].kind == OP_LOOP;
        c->cut |= c->ops[i].out_cut || c->ops[i].in_cut;
        c->groups |= c->ops[i].group != 0;
        s->kinds |= 1u << c->ops[i].kind;
    }
    if (c->loops)
        c->strides = c->n_ops <= MAX_STILL && !memcmp(b->strides, schedule_still, c->n_ops * sizeof(Stride))
                         ? schedule_still
                         : g_memdup2(b->strides, b->n * sizeof(Stride));
    x->bytes += sizeof *c + c->n_ops * (sizeof(Op) + (c->loops && c->strides != schedule_still ? sizeof(Stride) : 0));
    return s->n_classes++;
}

// Tries the classes found last, then those with the same hash, and then makes a new class.
uint32_t class_table_find(ClassTable *x, Schedule *s, const Builder *b)
{
    for (int i = 0; i < CLASS_TABLE_RECENT; i++) {
        const uint32_t k = x->recent[i];
        if (k < s->n_classes && class_table_equals(&s->classes[k], b)) {
            memmove(x->recent + 1, x->recent, (size_t)i * sizeof k);
            return x->recent[0] = k;
        }
    }
    if (!x->found || s->n_classes > x->mask / 2)
        grow(x);
    const uint32_t key = hash(b);
    uint32_t i = key & x->mask;
    while (x->found[i].class && (x->found[i].hash != key || !class_table_equals(&s->classes[x->found[i].class - 1], b)))
        i = (i + 1) & x->mask;
    if (!x->found[i].class)
        x->found[i] = (struct FoundClass){key, new_class(x, s, b) + 1};
    const uint32_t k = x->found[i].class;
    memmove(x->recent + 1, x->recent, (CLASS_TABLE_RECENT - 1) * sizeof *x->recent);
    return x->recent[0] = k - 1;
}

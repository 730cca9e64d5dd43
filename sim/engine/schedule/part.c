#include "engine/schedule/part.h"
#include <string.h>

Schedule *schedule_part(const Schedule *s, uint32_t skip, uint32_t leave)
{
    Schedule *part = g_memdup2(s, sizeof *s);
    part->others = 0; // s may be kept for the next request, and the part is the caller's alone
    part->class_of = s->class_of ? g_memdup2(s->class_of, (size_t)s->p * sizeof *s->class_of) : NULL;
    part->classes = g_memdup2(s->classes, s->n_classes * sizeof *s->classes);
    part->kinds = 0;
    part->phases = phases_copy(&s->phases);
    g_assert(!s->graph); // a graph runs as a whole
    for (int i = 1; i < part->n_groups; i++)
        g_rc_box_acquire(part->groups[i]);
    for (uint32_t i = 0; i < s->n_classes; i++) {
        Class *k = &part->classes[i];
        k->n_ops -= skip + leave;
        k->ops = g_new0(Op, k->n_ops + 1);
        memcpy(k->ops, s->classes[i].ops + skip, k->n_ops * sizeof(Op));
        if (k->loops && k->strides != schedule_still) {
            Stride *strides = g_new0(Stride, k->n_ops + 1);
            memcpy(strides, s->classes[i].strides + skip, k->n_ops * sizeof(Stride));
            k->strides = strides;
        }
        k->ops[k->n_ops++].kind = OP_END;
        for (uint32_t j = 0; j < k->n_ops; j++)
            part->kinds |= 1u << k->ops[j].kind;
    }
    return part;
}

int64_t class_steps(const Class *k, uint32_t first, uint32_t end)
{
    int64_t n = 0;
    for (uint32_t i = first; i < end; i++)
        n += k->ops[i].kind == OP_LOOP ? k->ops[i].to * ((int64_t)k->ops[i].out.bytes - 1) : 1;
    return n;
}

// Returns true if operation i of a and operation j of b are equal, with their strides.
static bool same_at(const Class *a, uint32_t i, const Class *b, uint32_t j)
{
    static const Stride none;
    return memcmp(&a->ops[i], &b->ops[j], sizeof(Op)) == 0 &&
           memcmp(a->loops ? &a->strides[i] : &none, b->loops ? &b->strides[j] : &none, sizeof none) == 0;
}

static uint32_t common(const Schedule *s, bool from_end)
{
    const Class *a = &s->classes[0];
    uint32_t n = a->n_ops;
    for (uint32_t k = 1; k < s->n_classes; k++) {
        const Class *b = &s->classes[k];
        uint32_t i = 0;
        while (i < MIN(n, b->n_ops) && same_at(a, from_end ? a->n_ops - 1 - i : i, b, from_end ? b->n_ops - 1 - i : i))
            i++;
        n = i;
    }
    return n;
}

uint32_t schedule_common_head(const Schedule *s)
{
    return common(s, false);
}

uint32_t schedule_common_tail(const Schedule *s)
{
    return common(s, true);
}

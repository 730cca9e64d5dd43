#include "prove/contents_shared.h"
#include "registry/registry.h"
#include <glib.h>

// One raise of a flag.
typedef struct ContentsRaised {
    int n;      // the value
    int *clock; // the rank's clock at that time, p numbers; NULL if clocks are not kept
} ContentsRaised;

// The last accesses to a slot. Each rank numbers its own accesses from 1; 0 means that there was none.
typedef struct ContentsSlot {
    int written; // by the owner
    int *read;   // by each of the p ranks
} ContentsSlot;

struct Shared {
    int p;
    GArray **flags;      // rank r's flag for queue q is at r p + q: all its raises (ContentsRaised), or NULL if none
    int *clock;          // p numbers for each rank
    ContentsSlot *slots; // of all ranks
    int *first;          // of each rank, its first slot in `slots`
    int n_slots;
    size_t room; // bytes of a slot
    bool clocks; // whether clocks are kept, see shared_new
};

Shared *shared_new(const Contents *c, bool clocks)
{
    const size_t p = (size_t)c->of.p;
    if (!c->flags)
        return NULL;
    Shared *x = g_new0(Shared, 1);
    x->p = c->of.p;
    x->clocks = clocks;
    x->room = c->slot_len;
    x->flags = g_new0(GArray *, p * p);
    x->clock = g_new0(int, p *p);
    x->first = g_new(int, p);
    for (size_t r = 0; r < p; r++) {
        x->first[r] = x->n_slots;
        x->n_slots += (int)((c->rank[r].queue_len + x->room - 1) / x->room) + 1;
    }
    x->slots = g_new(ContentsSlot, x->n_slots);
    for (int i = 0; i < x->n_slots; i++)
        x->slots[i] = (ContentsSlot){.read = g_new0(int, p)};
    return x;
}

static void raised_clear(gpointer data)
{
    g_free(((ContentsRaised *)data)->clock);
}

void shared_free(Shared *x)
{
    if (!x)
        return;
    for (int i = 0; i < x->p * x->p; i++)
        if (x->flags[i])
            g_array_unref(x->flags[i]);
    for (int i = 0; i < x->n_slots; i++)
        g_free(x->slots[i].read);
    g_free(x->flags);
    g_free(x->clock);
    g_free(x->first);
    g_free(x->slots);
    g_free(x);
}

void shared_raise(Shared *x, int r, const CollOp *op)
{
    const int *clock = x->clock + (size_t)r * (size_t)x->p;
    const ContentsRaised raised = {op->n, x->clocks ? g_memdup2(clock, (size_t)x->p * sizeof *clock) : NULL};
    GArray **flag = &x->flags[r * x->p + op->to];
    if (!*flag) {
        *flag = g_array_new(FALSE, FALSE, sizeof(ContentsRaised));
        g_array_set_clear_func(*flag, raised_clear);
    }
    g_array_append_val(*flag, raised);
}

bool shared_is_raised(const Shared *x, const CollOp *op)
{
    const GArray *flag = x->flags[op->from * x->p + op->to];
    return flag && g_array_index(flag, ContentsRaised, flag->len - 1).n >= op->n;
}

void shared_learn(Shared *x, int r, const CollOp *op)
{
    const GArray *flag = x->flags[op->from * x->p + op->to];
    guint i = 0;
    while (g_array_index(flag, ContentsRaised, i).n < op->n)
        i++;
    for (int q = 0; x->clocks && q < x->p; q++) {
        int *known = &x->clock[r * x->p + q];
        *known = MAX(*known, g_array_index(flag, ContentsRaised, i).clock[q]);
    }
}

char *shared_touch(Shared *x, const Contents *c, int r, int i)
{
    const int *clock = x->clock + (size_t)r * (size_t)x->p;
    ContentsAccess a;
    for (int j = 0; x->clocks && contents_access(&c->rank[r].op[i], j, &a); j++) {
        if (!is_slot(a.slice))
            continue;
        const int owner = slot_owner(a.slice), me = ++x->clock[r * x->p + r];
        ContentsSlot *slot = &x->slots[x->first[owner] + (int)(a.slice.off / x->room)];
        int late = clock[owner] < slot->written ? owner : -1;
        for (int q = 0; a.write && late < 0 && q < x->p; q++)
            late = clock[q] < slot->read[q] ? q : -1;
        if (late >= 0) {
            g_autofree char *name = contents_op(c, r, i);
            return g_strdup_printf("%s: rank %d may still be %s the slot", name, late,
                                   clock[owner] < slot->written ? "writing" : "reading");
        }
        *(a.write ? &slot->written : &slot->read[r]) = me;
    }
    return NULL;
}

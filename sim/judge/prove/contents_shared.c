#include "judge/prove/contents_shared.h"
#include "registry/registry.h"
#include <glib.h>

// One raise of a flag.
typedef struct ContentsRaised {
    int n;       // the value
    guint clock; // where `kept` has the rank's clock at that time, if clocks are kept
    guint heard; // where `heard` has what the rank had heard by then
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
    GArray *kept;        // the clocks of all raises, p numbers for each
    GArray *heard;       // in a barrier: of whom the ranks had heard at all raises (uint64_t)
    ContentsSlot *slots; // of all ranks
    int *reads;          // the `read` of all slots
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
    x->kept = g_array_new(FALSE, FALSE, sizeof(int));
    x->heard = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    x->first = g_new(int, p);
    for (size_t r = 0; r < p; r++) {
        x->first[r] = x->n_slots;
        x->n_slots += (int)((c->rank[r].queue_len + x->room - 1) / x->room) + 1;
    }
    x->slots = g_new(ContentsSlot, x->n_slots);
    x->reads = g_new0(int, (size_t)x->n_slots *p);
    for (int i = 0; i < x->n_slots; i++)
        x->slots[i] = (ContentsSlot){.read = x->reads + (size_t)i * p};
    return x;
}

void shared_free(Shared *x)
{
    if (!x)
        return;
    for (int i = 0; i < x->p * x->p; i++)
        if (x->flags[i])
            g_array_unref(x->flags[i]);
    g_array_unref(x->kept);
    g_array_unref(x->heard);
    g_free(x->reads);
    g_free(x->flags);
    g_free(x->clock);
    g_free(x->first);
    g_free(x->slots);
    g_free(x);
}

void shared_raise(Shared *x, int r, const CollOp *op, int words, const uint64_t *knows)
{
    const int *clock = x->clock + (size_t)r * (size_t)x->p;
    const ContentsRaised raised = {op->n, x->kept->len, x->heard->len};
    GArray **flag = &x->flags[r * x->p + op->to];
    if (x->clocks)
        g_array_append_vals(x->kept, clock, (guint)x->p);
    if (words)
        g_array_append_vals(x->heard, knows, (guint)words);
    if (!*flag)
        *flag = g_array_new(FALSE, FALSE, sizeof(ContentsRaised));
    g_array_append_val(*flag, raised);
}

bool shared_is_raised(const Shared *x, const CollOp *op)
{
    const GArray *flag = x->flags[op->from * x->p + op->to];
    return flag && g_array_index(flag, ContentsRaised, flag->len - 1).n >= op->n;
}

void shared_learn(Shared *x, int r, const CollOp *op, int words, uint64_t *knows)
{
    const GArray *flag = x->flags[op->from * x->p + op->to];
    guint i = flag->len - 1; // a flag only grows, so the first raise that is enough follows the last that is not
    while (i > 0 && g_array_index(flag, ContentsRaised, i - 1).n >= op->n)
        i--;
    for (int w = 0; w < words; w++)
        knows[w] |= g_array_index(x->heard, uint64_t, g_array_index(flag, ContentsRaised, i).heard + (guint)w);
    if (!x->clocks)
        return;
    const int *raised = &g_array_index(x->kept, int, g_array_index(flag, ContentsRaised, i).clock);
    int *known = x->clock + (size_t)r * (size_t)x->p;
    for (int q = 0; q < x->p; q++)
        known[q] = MAX(known[q], raised[q]);
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

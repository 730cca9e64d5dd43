// A rank's queues of posted receives and of mail. A list is the fastest for the usual short search. Once a search goes
// far into a list, its requests move to a hash table of (owner, peer) -> queue, because long searches would make the
// replay quadratic; the list's head is then HASHED.
#include "engine/replay/machine.h"

enum { HASHED = -2, LONG_SEARCH = 32 };

typedef struct MailboxSlot {
    uint64_t key; // 0 if the slot is empty
    ReqQueue queue;
} MailboxSlot;

typedef struct Mailbox {
    MailboxSlot *slot;
    uint64_t size, used; // slots; size is a power of two
} Mailbox;

static uint64_t key_of(int owner, int peer, bool posted)
{
    return 1 + ((uint64_t)(uint32_t)owner << 33 | (uint64_t)posted << 32 | (uint64_t)(uint32_t)peer);
}

// Keys of this many consecutive peers have neighbouring slots, because they are mostly searched for one after the
// other.
enum { SIDE_BY_SIDE = 16 };

// Returns the queue of this key, a new one if there is none. The table must have an empty slot.
static ReqQueue *slot(Mailbox *b, uint64_t key)
{
    uint64_t i = key / SIDE_BY_SIDE * 0x9e3779b97f4a7c15u;
    for (i = ((i ^ i >> 29) * SIDE_BY_SIDE + key % SIDE_BY_SIDE) & (b->size - 1);
         b->slot[i].key && b->slot[i].key != key;)
        i = (i + 1) & (b->size - 1);
    if (!b->slot[i].key) {
        b->slot[i] = (MailboxSlot){key, {-1, -1}};
        b->used++;
    }
    return &b->slot[i].queue;
}

// Returns the table's queue for this owner and peer, and enlarges the table if needed.
static ReqQueue *hashed(Machine *m, int owner, int peer, bool posted)
{
    Mailbox *b = m->mailbox;
    if (!b)
        b = m->mailbox = g_new0(Mailbox, 1);
    if (2 * b->used >= b->size) {
        Mailbox old = *b;
        b->size = MAX(1024, 2 * old.size);
        b->used = 0;
        b->slot = g_new0(MailboxSlot, b->size);
        for (uint64_t i = 0; i < old.size; i++)
            if (old.slot[i].key)
                *slot(b, old.slot[i].key) = old.slot[i].queue;
        g_free(old.slot);
    }
    return slot(b, key_of(owner, peer, posted));
}

static int peer_in(const Machine *m, Index i, bool posted)
{
    return posted ? m->pool[i].peer : m->pool[i].name;
}

void mailbox_put(Machine *m, int owner, ReqQueue *q, Index i, bool posted)
{
    append(m, q->head == HASHED ? hashed(m, owner, peer_in(m, i, posted), posted) : q, i);
}

static Index pop(Machine *m, ReqQueue *q)
{
    const Index i = q->head;
    if (i >= 0)
        q->head = m->pool[i].queue;
    return i;
}

Index mailbox_take(Machine *m, int owner, ReqQueue *q, int peer, bool posted)
{
    if (q->head == HASHED)
        return pop(m, hashed(m, owner, peer, posted));
    Index before = -1, i = q->head;
    for (int far = 0; i >= 0 && peer_in(m, i, posted) != peer; far++) {
        if (far == LONG_SEARCH) {
            while ((i = pop(m, q)) >= 0)
                append(m, hashed(m, owner, peer_in(m, i, posted), posted), i);
            q->head = HASHED;
            return pop(m, hashed(m, owner, peer, posted));
        }
        before = i;
        i = m->pool[i].queue;
    }
    if (i < 0)
        return -1;
    if (before < 0) {
        q->head = m->pool[i].queue;
    } else {
        m->pool[before].queue = m->pool[i].queue;
        if (q->tail == i)
            q->tail = before;
    }
    return i;
}

int mailbox_count(Machine *m, int owner, const ReqQueue *q, int name)
{
    int n = 0;
    for (Index i = (q->head == HASHED ? hashed(m, owner, name, false) : q)->head; i >= 0; i = m->pool[i].queue)
        n += m->pool[i].name == name;
    return n;
}

void mailbox_free(Mailbox *mailbox)
{
    if (mailbox)
        g_free(mailbox->slot);
    g_free(mailbox);
}

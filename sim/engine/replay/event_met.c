#include "engine/replay/event_gear.h"

// Compares two receives of one rank by their turns, which may wrap.
static bool earlier(const Machine *m, Index a, Index b)
{
    return (int32_t)(m->pool[a].turn - m->pool[b].turn) < 0;
}

// A pairing heap of receives, the earliest at the root. A receive's first child is the `queue` of its message, and its
// next sibling is its own `queue`. Melds two heaps, each of which may be empty (-1), and returns the root.
static Index meld(Machine *m, Index a, Index b)
{
    if (a < 0 || b < 0)
        return a < 0 ? b : a;
    if (earlier(m, b, a)) {
        const Index t = a;
        a = b;
        b = t;
    }
    Req *top = &m->pool[m->pool[a].match];
    m->pool[b].queue = top->queue;
    top->queue = b;
    return a;
}

// Melds a list of siblings, pair by pair and then from the last pair to the first, into one heap.
static Index meld_pairs(Machine *m, Index child)
{
    Index pairs = -1, heap = -1;
    while (child >= 0) {
        const Index a = child, b = m->pool[a].queue;
        child = b < 0 ? -1 : m->pool[b].queue;
        const Index top = meld(m, a, b);
        m->pool[top].queue = pairs;
        pairs = top;
    }
    while (pairs >= 0) {
        const Index next = m->pool[pairs].queue;
        heap = meld(m, heap, pairs);
        pairs = next;
    }
    return heap;
}

void met_add(Machine *m, Met *met, Index recv)
{
    if (met->row.head < 0 || earlier(m, met->row.tail, recv)) {
        append(m, &met->row, recv);
    } else {
        m->pool[recv].queue = -1;
        met->heap = meld(m, met->heap, recv);
    }
}

// Takes out the receive that was posted first, and returns it, or -1 if there is none.
Index met_take(Machine *m, Met *met)
{
    const Index row = met->row.head, heap = met->heap;
    if (heap < 0 || (row >= 0 && earlier(m, row, heap))) {
        if (row >= 0)
            met->row.head = m->pool[row].queue;
        return row;
    }
    met->heap = meld_pairs(m, m->pool[m->pool[heap].match].queue);
    return heap;
}

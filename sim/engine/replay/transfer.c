#include "engine/replay/transfer.h"

Stamp transfer_on_links(Machine *m, Stamp begin, Stamp ready, uint32_t node, const TransferMessage *x)
{
    Stamp end = links_message(&m->model, begin, x->level, x->bytes, x->price, false);
    bool waits = false;
    if (x->price->link >= 0) {
        const Stamp loaded = links_message(&m->model, ready, x->level, x->bytes, x->price, true);
        waits = loaded.t > end.t;
        end = waits ? loaded : end;
    }
    if (G_LIKELY(!node))
        return end;
    g_array_index(m->priced, const LinkPrice *, node) = x->price;
    g_array_index(m->trace, TraceStep, node).price = waits;
    return links_message(&m->model, traced(m, waits ? ready : begin, node), x->level, x->bytes, x->price, waits);
}

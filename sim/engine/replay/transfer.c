#include "engine/replay/transfer.h"

static Stamp on_links(Machine *m, Stamp begin, Stamp ready, uint32_t node, const TransferMessage *x)
{
    bool waits;
    const Stamp end = links_end(&m->model, begin, ready, x->level, x->bytes, x->price, &waits);
    links_note(m->model.site->links, x->price, begin.t, end.t);
    if (G_LIKELY(!node))
        return end;
    g_array_index(m->priced, const LinkPrice *, node) = x->price;
    g_array_index(m->trace, TraceStep, node).price = waits;
    return links_message(&m->model, traced(m, waits ? ready : begin, node), x->level, x->bytes, x->price, waits);
}

Stamp transfer_on_links_measured(Machine *m, Stamp begin, Stamp ready, uint32_t node, Prices *prices, PriceKind kind,
                                 const LinkPrice *price)
{
    const LinkPrices *links = m->model.site->links;
    const double wait_s = links_wait(links, price);
    const bool hops = kind != PRICE_GAP, waits = wait_s > 0 && ready.t + wait_s > begin.t;
    const Stamp from = transfer_step(m, waits ? ready : begin, node, prices, kind);
    if (G_UNLIKELY(node)) {
        const double more_s = (hops ? price->hops * links->hop_s : 0) + (waits ? wait_s : 0);
        trace_price(m, node, kind, prices_value(m->model.site, prices, kind) + more_s);
        g_array_index(m->priced, const LinkPrice *, node) = waits ? price : NULL;
    }
    const Stamp end = links_extra(&m->model, from, price, hops, waits);
    if (hops)
        links_note(m->model.site->links, price, begin.t, end.t);
    return end;
}

Stamp transfer_priced(Machine *m, Stamp begin, Stamp ready, uint32_t node, const TransferMessage *x)
{
    const Stamp end = x->price ? on_links(m, begin, ready, node, x)
                               : stamp_message(&m->model, traced(m, begin, node), x->level, x->bytes);
    trace_noise(m, node, x->noise);
    return x->noise ? stamp_noise(m->model.site, end, x->noise) : end;
}

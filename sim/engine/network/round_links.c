#include "engine/network/round_links.h"
#include <string.h>

enum { MOST_KEPT = 1 << 22 }; // hops

void round_links_init(RoundLinks *x, const Network *n, int messages)
{
    *x = (RoundLinks){.n = n, .from = -1};
    memcpy(x->load_s, n->topology.links->per_byte_s, sizeof x->load_s);
    x->ways = (int64_t)messages * n->most_hops <= MOST_KEPT ? messages : 0;
    x->way = g_new(NetworkHop, MAX(x->ways, 1) * n->most_hops);
    x->hops_of_way = g_new(int, MAX(x->ways, 1));
    x->hops = x->way;
    x->link = g_new0(RoundLink, n->n_links);
    x->touched = g_new(int32_t, n->n_links);
}

void round_links_clear(RoundLinks *x)
{
    g_free(x->way);
    g_free(x->hops_of_way);
    g_free(x->link);
    g_free(x->touched);
}

uint64_t round_links_bytes(const Network *n)
{
    return (uint64_t)n->n_links * (sizeof(RoundLink) + sizeof(int32_t));
}

static void touch(RoundLinks *x, const NetworkHop *hop, uint64_t bytes, uint32_t messages)
{
    const uint64_t share = bytes * hop->weight;
    for (int32_t k = 0, at = hop->first; k < hop->n; k++, at += hop->stride) {
        RoundLink *link = &x->link[at];
        if (link->sharers == 0)
            x->touched[x->n_touched++] = at;
        link->sharers += messages;
        link->load += share;
    }
}

// Returns whether a message has the way of the last one, but for its hosts' links.
static bool goes_the_same_way(const RoundLinks *x, const RoundMessageAt *m)
{
    const int hosts = x->n->per_switch;
    return hosts > 0 && m->from / hosts == x->from && m->to / hosts == x->to && m->from != m->to;
}

// Writes the links of a message to x->hops.
static void find_hops(RoundLinks *x, const RoundMessageAt *m)
{
    const int hosts = x->n->per_switch, way = x->ways ? x->n_ways++ : 0;
    x->hops = x->way + (ptrdiff_t)way * x->n->most_hops;
    const bool known = x->ways && x->priced;
    x->count = known ? x->hops_of_way[way] : network_route(x->n, m->from, m->to, x->hops);
    x->hops_of_way[way] = x->count;
    x->work += (uint64_t)x->count;
    x->from = hosts > 0 && x->count > 0 ? m->from / hosts : -1;
    x->to = hosts > 0 ? m->to / hosts : -1;
    for (int i = 0; !known && x->few && i < x->count; i++)
        network_fold_hop(x->n, &x->hops[i]);
}

// Returns the hop of a host's own link: `from` the host, or to it.
static NetworkHop hop_of_host(const RoundLinks *x, int host, bool from)
{
    NetworkHop hop = x->hops[from ? 0 : x->count - 1];
    hop.first = x->n->class[0].first + (from ? host : x->n->hosts + host);
    if (x->few)
        network_fold_hop(x->n, &hop);
    return hop;
}

static void flush_pending(RoundLinks *x)
{
    for (int i = 1; x->pending_sharers && i + 1 < x->count; i++)
        touch(x, &x->hops[i], x->pending_load, x->pending_sharers);
    x->pending_load = x->pending_sharers = 0;
}

void round_links_add(RoundLinks *x, const RoundMessageAt *m)
{
    if (!goes_the_same_way(x, m)) {
        flush_pending(x);
        find_hops(x, m);
    }
    if (x->from < 0) {
        for (int i = 0; i < x->count; i++)
            touch(x, &x->hops[i], m->bytes, 1);
        return;
    }
    const NetworkHop up = hop_of_host(x, m->from, true), down = hop_of_host(x, m->to, false);
    touch(x, &up, m->bytes, 1);
    touch(x, &down, m->bytes, 1);
    x->pending_load += m->bytes;
    x->pending_sharers++;
}

void round_links_add_alike(RoundLinks *x, uint64_t bytes, uint32_t n)
{
    g_assert(x->from >= 0);
    x->pending_load += n * bytes;
    x->pending_sharers += n;
}

// Returns the first of a hop's links that has the largest load.
static int32_t busiest_of(const RoundLinks *x, const NetworkHop *hop)
{
    int32_t best = hop->first;
    for (int32_t k = 1, at = hop->first + hop->stride; k < hop->n; k++, at += hop->stride)
        best = x->link[at].load > x->link[best].load ? at : best;
    return best;
}

// Sets the price of a message of so many bytes to that of a hop's link, and *most_s to what it takes, if that is more.
static void raise_price(const RoundLinks *x, const NetworkHop *hop, uint64_t bytes, LinkPrice *price, double *most_s)
{
    const int32_t at = busiest_of(x, hop);
    const uint64_t own = x->measured ? bytes * x->n->whole : 0, all = x->link[at].load,
                   load = all > own ? all - own : 0;
    // A load of whole bytes takes exactly as long as the same bytes at the port.
    const double load_s = (double)load / x->n->whole * x->load_s[hop->class];
    if (load_s <= *most_s)
        return;
    *most_s = load_s;
    price->load = load;
    price->link = at;
    price->sharers = x->link[at].sharers;
    price->class = (uint16_t)hop->class;
}

uint16_t round_links_hops(const Network *n, uint64_t weight)
{
    const uint64_t links = weight / n->whole;
    return links > 1 && n->topology.links->hop_s > 0 ? (uint16_t)(links - 1) : 0;
}

// Finds what the links between the two switches cost, or all links where there is no switch.
static void price_between(RoundLinks *x, uint64_t bytes)
{
    const int ends = x->from < 0 ? 0 : 1;
    uint64_t weight = 0;
    x->between = (LinkPrice){.link = -1};
    x->between_s = 0;
    x->between_bytes = bytes;
    for (int i = 0; i < x->count; i++) {
        weight += (uint64_t)x->hops[i].n * x->hops[i].weight;
        if (i >= ends && i + ends < x->count)
            raise_price(x, &x->hops[i], bytes, &x->between, &x->between_s);
    }
    x->between.hops = round_links_hops(x->n, weight);
}

LinkPrice round_links_price(RoundLinks *x, const RoundMessageAt *m)
{
    if (!x->priced) { // the first one
        flush_pending(x);
        x->priced = true;
        x->n_ways = 0;
        x->from = -1;
    }
    const bool same = goes_the_same_way(x, m);
    if (!same)
        find_hops(x, m);
    if (!same || (x->measured && m->bytes != x->between_bytes))
        price_between(x, m->bytes);
    LinkPrice price = {.link = -1, .hops = x->between.hops};
    double most_s = (double)m->bytes * m->byte_s; // bytes first, then the first link of the way
    NetworkHop hop;
    if (x->from >= 0) {
        hop = hop_of_host(x, m->from, true);
        raise_price(x, &hop, m->bytes, &price, &most_s);
    }
    if (x->between_s > most_s) {
        most_s = x->between_s;
        price = x->between;
    }
    if (x->from >= 0) {
        hop = hop_of_host(x, m->to, false);
        raise_price(x, &hop, m->bytes, &price, &most_s);
    }
    return price;
}

void round_links_end(RoundLinks *x)
{
    for (int32_t i = 0; i < x->n_touched; i++)
        x->link[x->touched[i]] = (RoundLink){0};
    x->n_touched = 0;
    x->from = -1;
    x->priced = false;
    x->n_ways = 0;
}

uint64_t round_links_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

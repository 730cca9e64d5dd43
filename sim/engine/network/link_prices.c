#include "engine/network/link_prices.h"
#include "base/budget.h"
#include "base/error.h"
#include <string.h>

enum { MOST_MESSAGES = 1 << 26 }; // whose prices are kept

typedef struct PriceRun {
    const Site *site;
    const Schedule *s;
    const Network *n;
    int *host; // by v
    NetworkHop *hops;
    uint64_t *load;    // by link, in this round
    uint32_t *sharers; // likewise: how many messages it has
    int32_t *touched;  // links with messages in this round
    int32_t n_touched;
    GArray *message;                 // of WalkMessage: all of this round
    GArray *from;                    // of int32_t: the v of all messages
    GArray *price;                   // of LinkPrice: likewise
    double load_s[TOPOLOGY_CLASSES]; // of 1 / whole of a byte
    uint64_t common;                 // divisor of all loads that are paid, and of the network's `whole`
    double sum;                      // of the loads that are paid
} PriceRun;

static uint64_t divisor(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

// ---- The messages of a round ----------------------------------------------------------------------------------------

static void add_message(PriceRun *x, int from, int to, uint64_t bytes)
{
    const WalkMessage message = {from, to, bytes};
    g_array_append_val(x->message, message);
}

// Lists the messages of all ranks.
static void list_messages(PriceRun *x, const WalkRound *round)
{
    const Schedule *s = x->s;
    g_array_set_size(x->message, 0);
    for (int v = 0; round->step && v < s->p; v++) {
        const LockstepStep *step = &round->step[v % round->turn];
        const int peer = s->peers == PEERS_XOR ? v ^ step->to : (int)(((int64_t)v + step->to) % s->p);
        add_message(x, v, peer, length_of(s, v, step->out_cut, step->out, 0, 0));
    }
    for (uint32_t i = 0; !round->step && i < round->n; i++) {
        const WalkMessage *m = &round->message[i];
        for (int by = 0; by < s->p; by += round->period) {
            const bool xor = s->peers == PEERS_XOR;
            add_message(x, xor? m->from ^ by : (m->from + by) % s->p, xor? m->to ^ by : (m->to + by) % s->p, m->bytes);
        }
    }
}

static void load_links(PriceRun *x, const WalkMessage *m)
{
    const int count = network_route(x->n, x->host[m->from], x->host[m->to], x->hops);
    for (int i = 0; i < count; i++) {
        const NetworkHop *hop = &x->hops[i];
        for (int32_t k = 0, link = hop->first; k < hop->n; k++, link += hop->stride) {
            if (x->sharers[link]++ == 0)
                x->touched[x->n_touched++] = link;
            x->load[link] += m->bytes * hop->weight;
        }
    }
}

// Returns how many links a route has. In groups, the bundles `pair`, `out` and `in` count as three links. If the ways of
// a route have different lengths, it is their mean, rounded down.
static int links_of(const PriceRun *x, int count)
{
    uint64_t weight = 0;
    for (int i = 0; i < count; i++)
        weight += (uint64_t)x->hops[i].n * x->hops[i].weight;
    return (int)(weight / x->n->whole);
}

// Returns the price of a message, with a load in 1 / whole of a byte.
static LinkPrice price_of(const PriceRun *x, const WalkMessage *m)
{
    const Network *n = x->n;
    const int count = network_route(n, x->host[m->from], x->host[m->to], x->hops), links = links_of(x, count),
              level = site_level(x->site, m->from, m->to);
    LinkPrice price = {.link = -1, .hops = (uint16_t)MAX(links - 1, 0)};
    // Under measured, T has the message's own bytes, and only what others have on a link counts.
    const bool measured = x->site->measured != NULL;
    const uint64_t own = measured ? m->bytes * n->whole : 0;
    double most_s = measured ? 0 : (double)m->bytes * x->site->link[level].message.byte;
    for (int i = 0; i < count; i++) {
        const NetworkHop *hop = &x->hops[i];
        for (int32_t k = 0, link = hop->first; k < hop->n; k++, link += hop->stride) {
            // Bytes first: a load of whole bytes takes exactly as long as the same bytes at the port.
            const uint64_t load = x->load[link] > own ? x->load[link] - own : 0;
            const double load_s = (double)load / n->whole * x->load_s[hop->class];
            if (load_s <= most_s)
                continue;
            most_s = load_s;
            price.load = load;
            price.link = link;
            price.sharers = x->sharers[link];
            price.class = (uint16_t)hop->class;
        }
    }
    return price;
}

static void price_round(const WalkRound *round, gpointer user)
{
    PriceRun *x = user;
    list_messages(x, round);
    const WalkMessage *m = &g_array_index(x->message, WalkMessage, 0);
    for (guint i = 0; i < x->message->len; i++)
        load_links(x, &m[i]);
    for (guint i = 0; i < x->message->len; i++) {
        const LinkPrice price = price_of(x, &m[i]);
        g_array_append_val(x->from, m[i].from);
        g_array_append_val(x->price, price);
        if (price.link < 0)
            continue;
        x->common = divisor(x->common, price.load);
        x->sum += (double)price.load;
    }
    for (int32_t i = 0; i < x->n_touched; i++) {
        x->load[x->touched[i]] = 0;
        x->sharers[x->touched[i]] = 0;
    }
    x->n_touched = 0;
}

// ---- The whole run --------------------------------------------------------------------------------------------------

static void run_init(PriceRun *x, const Site *site, const Schedule *s, const Network *n, const int *host)
{
    *x = (PriceRun){.site = site, .s = s, .n = n, .common = n->whole};
    x->host = g_new(int, s->p);
    for (int v = 0; v < s->p; v++) {
        const int rank = rank_of(s, v);
        x->host[v] = host[site->map ? site->map->nodes->of[rank] : rank];
    }
    memcpy(x->load_s, n->topology.links->per_byte_s, sizeof x->load_s);
    x->hops = g_new(NetworkHop, n->most_hops);
    x->load = g_new0(uint64_t, n->n_links);
    x->sharers = g_new0(uint32_t, n->n_links);
    x->touched = g_new(int32_t, n->n_links);
    x->message = g_array_new(FALSE, FALSE, sizeof(WalkMessage));
    x->from = g_array_new(FALSE, FALSE, sizeof(int32_t));
    x->price = g_array_new(FALSE, FALSE, sizeof(LinkPrice));
}

static void run_clear(PriceRun *x)
{
    g_free(x->host);
    g_free(x->hops);
    g_free(x->load);
    g_free(x->sharers);
    g_free(x->touched);
    g_array_unref(x->message);
    g_array_unref(x->from);
    g_array_unref(x->price);
}

// Returns the prices by v, each v's in the order of rounds.
static LinkPrices *sort_prices(const PriceRun *x)
{
    const int p = x->s->p, n = x->n->n_classes;
    LinkPrices *y = g_new0(LinkPrices, 1);
    y->p = p;
    y->n_classes = n;
    y->hop_s = x->n->topology.links->hop_s;
    y->load_s = g_new(double, n);
    y->of_class = g_new0(TallyField, n);
    y->most = g_new0(uint64_t, n);
    y->first = g_new0(uint64_t, p + 1);
    y->next = g_new(uint64_t, p);
    y->price = g_new(LinkPrice, MAX(x->price->len, 1));
    for (int i = 0; i < n; i++)
        y->load_s[i] = x->load_s[i] / (double)(x->n->whole / x->common);
    for (guint i = 0; i < x->from->len; i++)
        y->first[g_array_index(x->from, int32_t, i) + 1]++;
    for (int v = 0; v < p; v++)
        y->first[v + 1] += y->first[v];
    links_begin(y);
    for (guint i = 0; i < x->from->len; i++) {
        LinkPrice *price = &y->price[y->next[g_array_index(x->from, int32_t, i)]++];
        *price = g_array_index(x->price, LinkPrice, i);
        price->load /= x->common;
        y->most_hops += price->hops;
        y->most[price->class] += price->load;
    }
    return y;
}

gboolean link_prices_add(Site *site, const Schedule *s, Transfer transfer, const Network *n, const int *host,
                         GError **error)
{
    const Totals totals = schedule_totals(s);
    if (totals.messages > MOST_MESSAGES)
        return error_too_much(error,
                              "%s on %d ranks has %" G_GUINT64_FORMAT
                              " messages on a network; allowed: at most 2^26, with a smaller -p or longer segments",
                              s->name, s->p, totals.messages);
    if ((double)totals.bytes_sent * n->whole * (double)s->p >= (double)SCHEDULE_MOST)
        return error_too_large(error, "%s on %d ranks sends so many bytes that loads do not fit into 64 bits", s->name,
                               s->p);
    const uint64_t bytes = totals.messages * 2 * (sizeof(LinkPrice) + sizeof(int32_t)) + (uint64_t)n->n_links * 16;
    if (!budget_take(bytes, s->name, s->p, error))
        return FALSE;
    PriceRun x;
    LinkPrices *links = NULL;
    site_begin(site, s->p, s->root);
    run_init(&x, site, s, n, host);
    // Measured has eager and other messages in one run; its rounds are those of rendezvous.
    const gboolean walked =
        walk_rounds(s, transfer == TRANSFER_MEASURED ? TRANSFER_RENDEZVOUS : transfer, price_round, &x, error);
    const gboolean fits = walked && x.sum < (double)SCHEDULE_MOST;
    if (fits)
        links = sort_prices(&x);
    run_clear(&x);
    budget_give_back(bytes);
    if (!fits)
        return !walked ? FALSE
                       : error_too_large(error, "%s on %d ranks pays for 2^62 bytes of links or more", s->name, s->p);
    const char *class[TOPOLOGY_CLASSES];
    for (int i = 0; i < n->n_classes; i++)
        class[i] = topology_class(&n->topology, i);
    links_add(site, links, class);
    return TRUE;
}

#include "engine/network/link_prices.h"
#include "base/budget.h"
#include "base/error.h"
#include "engine/network/step_prices.h"
#include <string.h>

enum { MOST_MESSAGES = 1 << 26 }; // whose prices are kept, where ranks are not in step

typedef struct PriceRun {
    const Site *site;
    const Schedule *s;
    const Network *n;
    const int *host;   // by v
    Transfer transfer; // the discipline of rounds
    uint32_t rounds;
    RoundLinks links;
    GArray *message;  // of WalkMessage: all of this round
    GArray *from;     // of int32_t: the v of all messages
    GArray *price;    // of LinkPrice: likewise
    GArray *round;    // of uint32_t: likewise its round, or LINKS_INSIDE
    uint64_t common;  // divisor of all loads that are paid, and of the network's `whole`
    StepPrices *step; // where ranks are in step
} PriceRun;

// ---- Rounds that are lists of messages ------------------------------------------------------------------------------

static void add_message(PriceRun *x, int from, int to, uint64_t bytes)
{
    const WalkMessage message = {from, to, bytes};
    g_array_append_val(x->message, message);
}

// Lists the messages of all ranks.
static void list_messages(PriceRun *x, const WalkRound *round)
{
    const Schedule *s = x->s;
    const bool xor = s->peers == PEERS_XOR;
    g_array_set_size(x->message, 0);
    for (uint32_t i = 0; i < round->n; i++) {
        const WalkMessage *m = &round->message[i];
        for (int by = 0; by < s->p; by += round->period)
            add_message(x, xor? m->from ^ by : (m->from + by) % s->p, xor? m->to ^ by : (m->to + by) % s->p, m->bytes);
    }
}

static RoundMessageAt message_at(const PriceRun *x, guint i)
{
    const WalkMessage *m = &g_array_index(x->message, WalkMessage, i);
    return (RoundMessageAt){x->host[m->from], x->host[m->to], m->bytes, round_links_byte(x->site, m->from, m->to)};
}

static void price_list(PriceRun *x, const WalkRound *round)
{
    list_messages(x, round);
    for (guint i = 0; i < x->message->len; i++) {
        const RoundMessageAt m = message_at(x, i);
        round_links_add(&x->links, &m);
    }
    for (guint i = 0; i < x->message->len; i++) {
        const RoundMessageAt m = message_at(x, i);
        const LinkPrice price = round_links_price(&x->links, &m);
        g_array_append_val(x->from, g_array_index(x->message, WalkMessage, i).from);
        g_array_append_val(x->price, price);
        const uint32_t of = m.from == m.to ? LINKS_INSIDE : (uint32_t)round->round;
        g_array_append_val(x->round, of);
        x->rounds = (uint32_t)round->round + 1;
        if (price.link >= 0)
            x->common = round_links_divisor(x->common, price.load);
    }
    round_links_end(&x->links);
}

static void price_round(const WalkRound *round, gpointer user)
{
    PriceRun *x = user;
    if (round->step)
        step_prices_add(x->step, round);
    else
        price_list(x, round);
}

// ---- The whole run --------------------------------------------------------------------------------------------------

// Adds the dearest messages of a round to what a chain pays that has one message of each, and forgets them.
static void end_round(LinkPrices *y, uint64_t *hops, uint64_t *load)
{
    y->likely_hops += *hops;
    *hops = 0;
    for (int c = 0; c < y->n_classes; c++) {
        y->likely[c] += load[c];
        load[c] = 0;
    }
}

// Finds what a chain pays that has the dearest message of every round. The messages of a round follow each other.
static void find_likely(const PriceRun *x, LinkPrices *y)
{
    g_autofree uint64_t *load = g_new0(uint64_t, y->n_classes);
    uint64_t hops = 0;
    uint32_t last = 0;
    y->likely = g_new0(uint64_t, y->n_classes);
    for (guint i = 0; i < x->price->len; i++) {
        const LinkPrice *price = &g_array_index(x->price, LinkPrice, i);
        const uint32_t round = g_array_index(x->round, uint32_t, i);
        if (round == LINKS_INSIDE)
            continue;
        if (round != last)
            end_round(y, &hops, load);
        last = round;
        hops = MAX(hops, price->hops);
        load[price->class] = MAX(load[price->class], price->load / x->common);
    }
    end_round(y, &hops, load);
}

// Returns the prices by v, each v's in the order of rounds.
static LinkPrices *sort_prices(const PriceRun *x)
{
    const int p = x->s->p, n = x->n->n_classes;
    LinkPrices *y = g_new0(LinkPrices, 1);
    y->n_classes = n;
    y->most = g_new0(uint64_t, n);
    y->first = g_new0(uint64_t, p + 1);
    y->prices = x->price->len;
    y->rounds = x->rounds;
    y->price = g_new(LinkPrice, MAX(y->prices, 1));
    y->round = g_new(uint32_t, MAX(y->prices, 1));
    y->began = g_new(double, MAX(y->prices, 1));
    y->took = g_new0(double, MAX(y->rounds, 1));
    for (guint i = 0; i < x->from->len; i++)
        y->first[g_array_index(x->from, int32_t, i) + 1]++;
    for (int v = 0; v < p; v++)
        y->first[v + 1] += y->first[v];
    g_autofree uint64_t *next = g_memdup2(y->first, (gsize)p * sizeof *next);
    for (guint i = 0; i < x->from->len; i++) {
        const uint64_t at = next[g_array_index(x->from, int32_t, i)]++;
        LinkPrice *price = &y->price[at];
        y->round[at] = g_array_index(x->round, uint32_t, i);
        *price = g_array_index(x->price, LinkPrice, i);
        price->load /= x->common;
        y->most_hops += price->hops;
        y->most[price->class] += price->load;
    }
    find_likely(x, y);
    return y;
}

// Finds the prices of messages of ranks that are not in step. Returns NULL and an error if they are not known.
static LinkPrices *price_messages(PriceRun *x, uint64_t messages, GError **error)
{
    const uint64_t bytes = messages * (2 * (sizeof(LinkPrice) + 2 * sizeof(int32_t)) + sizeof(double));
    if (messages > MOST_MESSAGES) {
        error_too_much(error,
                       "%s on %d ranks has %" G_GUINT64_FORMAT
                       " messages on a network; allowed: at most 2^26, with a smaller -p or longer segments",
                       x->s->name, x->s->p, messages);
        return NULL;
    }
    if (!budget_take(bytes, x->s->name, x->s->p, error))
        return NULL;
    round_links_init(&x->links, x->n, x->s->p);
    x->links.measured = x->site->measured;
    x->message = g_array_new(FALSE, FALSE, sizeof(WalkMessage));
    x->from = g_array_new(FALSE, FALSE, sizeof(int32_t));
    x->price = g_array_new(FALSE, FALSE, sizeof(LinkPrice));
    x->round = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    const gboolean walked = walk_rounds(x->s, x->transfer, price_round, x, error);
    LinkPrices *links = walked ? sort_prices(x) : NULL;
    round_links_clear(&x->links);
    g_array_unref(x->message);
    g_array_unref(x->from);
    g_array_unref(x->price);
    g_array_unref(x->round);
    budget_give_back(bytes);
    return links;
}

// The same for ranks that are in step.
static LinkPrices *price_steps(PriceRun *x, const LinkPricesOptions *o, int turn, GError **error)
{
    const StepPricesOptions options = {.site = x->site,
                                       .s = x->s,
                                       .network = x->n,
                                       .host = x->host,
                                       .transfer = o->transfer,
                                       .turn = turn,
                                       .slowest = !o->each && !o->links,
                                       .links = o->links};
    x->step = step_prices_new(&options);
    do
        walk_rounds(x->s, x->transfer, price_round, x, NULL);
    while (!step_prices_done(x->step));
    LinkPrices *links = step_prices_admit(x->step, error) ? step_prices_take(x->step, &x->common) : NULL;
    step_prices_free(x->step);
    return links;
}

// Completes the prices. Returns FALSE and an error if their sums do not fit into 64 bits.
static gboolean complete_prices(const PriceRun *x, LinkPrices *y, GError **error)
{
    double sum = 0; // of the loads that are paid, in 1 / whole
    for (int i = 0; i < y->n_classes; i++)
        sum += (double)y->most[i] * (double)x->common;
    if (sum >= (double)SCHEDULE_MOST)
        return error_too_large(error, "%s on %d ranks pays for 2^62 bytes of links or more", x->s->name, x->s->p);
    y->p = x->s->p;
    y->hop_s = x->n->topology.links->hop_s;
    y->load_s = g_new(double, y->n_classes);
    y->of_class = g_new0(TallyField, y->n_classes);
    y->next = g_new(uint64_t, y->p);
    const uint64_t units = x->n->whole / x->common;
    for (int i = 0; i < y->n_classes; i++)
        y->load_s[i] = x->n->topology.links->per_byte_s[i] / (double)units;
    links_begin(y);
    return TRUE;
}

gboolean link_prices_add(Site *site, const Schedule *s, const LinkPricesOptions *o, const Network *n, const int *host,
                         GError **error)
{
    const Totals totals = schedule_totals(s);
    if ((double)totals.bytes_sent * n->whole >= (double)SCHEDULE_MOST)
        return error_too_large(error, "%s on %d ranks sends so many bytes that loads do not fit into 64 bits", s->name,
                               s->p);
    const uint64_t bytes = round_links_bytes(n);
    if (!budget_take(bytes, s->name, s->p, error))
        return FALSE;
    site_begin(site, s->p, s->root);
    g_autofree int *of_v = g_new(int, s->p);
    for (int v = 0; v < s->p; v++) {
        const int rank = rank_of(s, v);
        of_v[v] = host[site->map ? site->map->nodes->of[rank] : rank];
    }
    PriceRun x = {.site = site, .s = s, .n = n, .host = of_v, .common = n->whole};
    // Measured has eager and other messages in one run; its rounds are those of rendezvous.
    x.transfer = o->transfer == TRANSFER_MEASURED ? TRANSFER_RENDEZVOUS : o->transfer;
    const int turn = walk_turn(s, x.transfer);
    LinkPrices *links = turn ? price_steps(&x, o, turn, error) : price_messages(&x, totals.messages, error);
    budget_give_back(bytes);
    if (!links)
        return FALSE;
    const gboolean fits = complete_prices(&x, links, error);
    const char *class[TOPOLOGY_CLASSES];
    for (int i = 0; i < n->n_classes; i++)
        class[i] = topology_class(&n->topology, i);
    if (fits)
        links_add(site, links, class);
    else
        links_free(links);
    return fits;
}

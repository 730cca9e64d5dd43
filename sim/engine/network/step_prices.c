#include "engine/network/step_prices.h"
#include "base/error.h"
#include "engine/network/step_chain.h"
#include <string.h>

#define MOST_WORK ((uint64_t)1 << 33) // hops that may be looked at; a run at this limit takes a minute or two

enum {
    MOST_PRICES = 1 << 26,  // that are kept
    FIRST_PRICES = 1 << 21, // that are kept while the slowest messages may be enough
    MOST_ROUNDS = 1 << 26,
};

// Rounds in which ranks do the same.
typedef struct StepPattern {
    uint64_t first;    // its prices in StepPrices.price, of all ranks that are priced; one if all pay the same
    bool kept;         // they are there
    bool same;         // all pay the same
    bool alike;        // .. and so do all of the slowest messages
    LinkPrice slowest; // what a slowest message pays
    double slowest_s;  // .. and takes
    uint16_t hops;     // the most that a message pays; likewise by class in StepPrices.most
} StepPattern;

struct StepPrices {
    StepPricesOptions o;
    RoundLinks links;
    int ranks;    // ranks that are priced: all, or those of one part of the network
    bool few;     // a few ranks may stand for all
    bool slowest; // .. and the slowest messages may be enough
    bool all;     // .. and every rank is in `latest`
    int *at;      // the switch of each v; NULL unless all send as much, hosts are at switches, and each has one rank
    uint8_t *latest, *next;
    int64_t applied;    // the pattern that left `latest` as it is; -1 before
    GHashTable *known;  // the number of a pattern, plus 1, by what its ranks do (GBytes)
    GArray *pattern;    // of StepPattern
    GArray *most;       // of uint64_t: the largest load of each pattern, by class
    GArray *price;      // of LinkPrice
    LinkPrice *scratch; // of a pattern: the price of v and of the run[v] - 1 after it, if v is the first of such a run
    int *run;
    int64_t in_scratch; // this pattern; -1 for none
    GArray *step;       // of uint32_t: the pattern of each round
    uint64_t common;
    bool too_many, too_long;
    bool again; // this pass is of no use any more
    // If all v are on hosts in order and send as much: what knows a round without a look at each v. NULL elsewhere. Then,
    // if the slowest messages are not enough, the chain that is the latest is found.
    ShiftPrices *shifts;
    bool chained;
    ChainPrices chain;
    GError *error;
};

// ---- Setting up -----------------------------------------------------------------------------------------------------

static bool one_part_is_enough(const StepPrices *x)
{
    const Network *n = x->o.network;
    bool turns = x->few && n->unit > 0 && x->o.s->p == n->hosts && x->o.s->peers == PEERS_SHIFT;
    for (int v = 0; turns && v < x->o.s->p; v++)
        turns = x->o.host[v] == rank_of(x->o.s, v);
    return turns;
}

static void begin_pass(StepPrices *x)
{
    x->links.few = one_part_is_enough(x);
    x->ranks = x->links.few ? x->o.network->unit : x->o.s->p;
    x->again = false;
    x->all = true;
    x->applied = x->in_scratch = -1;
    x->common = x->o.network->whole;
    memset(x->latest, 1, (size_t)x->o.s->p);
    g_hash_table_remove_all(x->known);
    g_array_set_size(x->pattern, 0);
    g_array_set_size(x->most, 0);
    g_array_set_size(x->price, 0);
    g_array_set_size(x->step, 0);
}

// Returns the switch of each v in a run in which all send as much; NULL if a message's price does not follow from its
// two switches, because hosts are at none, or have several ranks.
static int *switches_of(const StepPrices *x)
{
    const Network *n = x->o.network;
    const int p = x->o.s->p;
    if (n->per_switch == 0)
        return NULL;
    g_autofree bool *taken = g_new0(bool, n->hosts);
    int *at = g_new(int, p);
    for (int v = 0; v < p; v++) {
        if (taken[x->o.host[v]]) {
            g_free(at);
            return NULL;
        }
        taken[x->o.host[v]] = true;
        at[v] = x->o.host[v] / n->per_switch;
    }
    return at;
}

// Returns whether all ranks do the same, and all would pay the same if no link differed from another.
static bool ranks_alike(const StepPrices *x)
{
    return schedule_period(x->o.s) == 1 && site_has_one_level(x->o.site) && !site_shares(x->o.site);
}

// Returns what every message is charged if all ranks are equally far from each other.
static const Charge *flat_charge(const StepPrices *x)
{
    return &x->o.site->link[x->o.site->n_levels - 1].message;
}

StepPrices *step_prices_new(const StepPricesOptions *o)
{
    StepPrices *x = g_new0(StepPrices, 1);
    const size_t p = (size_t)o->s->p;
    x->o = *o;
    // Ranks that wait for the port of their receiver may be served in another order if some are slower.
    const bool alike = o->transfer < TRANSFER_EAGER_PORT && ranks_alike(x);
    x->slowest = x->few = alike && o->slowest;
    x->at = alike && !o->links ? switches_of(x) : NULL;
    if (x->few && x->at && o->s->peers == PEERS_SHIFT && !o->site->measured)
        x->shifts = shift_prices_new(o->network, o->host, o->s->p, one_part_is_enough(x), flat_charge(x)->byte);
    round_links_init(&x->links, o->network, o->s->p);
    x->links.measured = o->site->measured;
    x->latest = g_new(uint8_t, p);
    x->next = g_new(uint8_t, p);
    x->known = g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
    x->pattern = g_array_new(FALSE, FALSE, sizeof(StepPattern));
    x->most = g_array_new(FALSE, TRUE, sizeof(uint64_t));
    x->price = g_array_new(FALSE, FALSE, sizeof(LinkPrice));
    x->scratch = g_new(LinkPrice, p);
    x->run = g_new(int, p);
    x->step = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    begin_pass(x);
    return x;
}

void step_prices_free(StepPrices *x)
{
    if (!x)
        return;
    round_links_clear(&x->links);
    g_free(x->latest);
    g_free(x->next);
    g_hash_table_unref(x->known);
    g_array_unref(x->pattern);
    g_array_unref(x->most);
    g_array_unref(x->price);
    g_free(x->scratch);
    g_free(x->run);
    g_free(x->at);
    g_array_unref(x->step);
    shift_prices_free(x->shifts);
    step_chain_clear(&x->chain);
    g_clear_error(&x->error);
    g_free(x);
}

// ---- The messages of a round ----------------------------------------------------------------------------------------

// Returns the peer of v, of all ranks.
static inline int peer_in_step(const StepPrices *x, int v, const LockstepStep *step)
{
    if (x->o.s->peers == PEERS_XOR)
        return v ^ step->to;
    const int64_t peer = (int64_t)v + step->to;
    return (int)(peer < x->o.s->p ? peer : peer - x->o.s->p);
}

static inline RoundMessageAt message_of(const StepPrices *x, const WalkRound *round, int v)
{
    const LockstepStep *step = &round->step[round->turn == 1 ? 0 : v % round->turn];
    const int peer = peer_in_step(x, v, step);
    return (RoundMessageAt){x->o.host[v], x->o.host[peer], length_of(x->o.s, v, step->out_cut, step->out, 0, 0),
                            round_links_byte(x->o.site, v, peer)};
}

// Returns how many messages, from v's on, go from its switch to its peer's switch.
static int run_at(const StepPrices *x, const LockstepStep *step, int v)
{
    int n = 1;
    if (!x->at)
        return n;
    const int to = x->at[peer_in_step(x, v, step)];
    while (v + n < x->ranks && x->at[v + n] == x->at[v] && x->at[peer_in_step(x, v + n, step)] == to)
        n++;
    return n;
}

static void price_shift(StepPrices *x, const WalkRound *round, uint64_t bytes)
{
    const ShiftRound *r = shift_prices_round(x->shifts, round->step->to, bytes);
    for (int s = 0, v = 0; s < r->switches; s++)
        for (int i = 0; i < (r->more ? 2 : 1); i++, v += x->run[v]) {
            x->run[v] = i ? r->more : r->hosts - r->more;
            x->scratch[v] = r->price[r->of[i][s]];
        }
}

// Sets x->scratch and x->run to the prices of a round.
static void price_messages(StepPrices *x, const WalkRound *round)
{
    if (x->shifts) {
        price_shift(x, round, message_of(x, round, 0).bytes);
        return;
    }
    for (int v = 0; v < x->ranks; v += x->run[v]) {
        const RoundMessageAt m = message_of(x, round, v);
        const int n = x->run[v] = run_at(x, round->step, v);
        round_links_add(&x->links, &m);
        if (n > 1)
            round_links_add_alike(&x->links, m.bytes, (uint32_t)n - 1);
    }
    for (int v = 0; v < x->ranks; v += x->run[v]) {
        const RoundMessageAt m = message_of(x, round, v);
        x->scratch[v] = round_links_price(&x->links, &m);
    }
    round_links_end(&x->links);
}

// Returns how long v's message takes; in a schedule in which all send the same number of bytes at one level.
static double seconds_of(const StepPrices *x, const LinkPrice *price, uint64_t bytes)
{
    const Charge *charge = flat_charge(x);
    const double once = charge->once + price->hops * x->o.network->topology.links->hop_s;
    return once + (price->link < 0 ? (double)bytes * charge->byte
                                   : (double)price->load / x->o.network->whole * x->links.load_s[price->class]);
}

static bool pays_the_same(const LinkPrice *a, const LinkPrice *b)
{
    return a->hops == b->hops && a->load == b->load && a->class == b->class && (a->link < 0) == (b->link < 0);
}

// ---- Patterns -------------------------------------------------------------------------------------------------------

// What the ranks of one turn do in a round, for a key without gaps.
typedef struct StepKey {
    int64_t to, cut;
    Length out;
} StepKey;

static GBytes *key_of(const WalkRound *round)
{
    StepKey *key = g_new0(StepKey, round->turn);
    for (int c = 0; c < round->turn; c++)
        key[c] = (StepKey){round->step[c].to, round->step[c].out_cut, round->step[c].out};
    return g_bytes_new_take(key, (gsize)round->turn * sizeof *key);
}

// Finds what the prices in x->scratch have in common, and the largest.
static void sum_up(StepPrices *x, StepPattern *y, uint64_t bytes, uint64_t *most)
{
    y->same = y->alike = true;
    y->slowest = x->scratch[0];
    y->slowest_s = x->slowest ? seconds_of(x, &y->slowest, bytes) : 0;
    for (int v = 0; v < x->ranks; v += x->run[v]) {
        const LinkPrice *price = &x->scratch[v];
        y->hops = MAX(y->hops, price->hops);
        if (price->link >= 0) {
            x->common = x->common > 1 ? round_links_divisor(x->common, price->load) : 1;
            most[price->class] = MAX(most[price->class], price->load);
        }
        if (pays_the_same(price, &y->slowest))
            continue;
        y->same = false;
        if (!x->slowest)
            continue;
        const double t = seconds_of(x, price, bytes), close = 1e-12 * y->slowest_s;
        if (t > y->slowest_s + close)
            y->alike = true;
        else if (t >= y->slowest_s - close)
            y->alike = false; // messages that take as long pay for something else
        if (t > y->slowest_s) {
            y->slowest = *price;
            y->slowest_s = t;
        }
    }
}

static void keep_prices(StepPrices *x, StepPattern *y)
{
    const uint64_t n = y->same && !x->o.links ? 1 : (uint64_t)x->ranks, room = x->slowest ? FIRST_PRICES : MOST_PRICES;
    y->first = x->price->len;
    y->kept = y->first + n <= room;
    if (y->kept && n == 1)
        g_array_append_vals(x->price, x->scratch, 1);
    else if (y->kept)
        for (int v = 0; v < x->ranks; v += x->run[v])
            for (int i = 0; i < x->run[v]; i++)
                g_array_append_val(x->price, x->scratch[v]);
    else if (!x->slowest)
        x->too_many = true;
}

// Returns the number of a round's pattern.
static uint32_t find_pattern(StepPrices *x, const WalkRound *round)
{
    g_autoptr(GBytes) key = key_of(round);
    const guint known = GPOINTER_TO_UINT(g_hash_table_lookup(x->known, key));
    if (known)
        return known - 1;
    StepPattern y = {0};
    const guint n = x->pattern->len, classes = (guint)x->o.network->n_classes;
    price_messages(x, round);
    x->in_scratch = n;
    g_array_set_size(x->most, (n + 1) * classes);
    sum_up(x, &y, message_of(x, round, 0).bytes, &g_array_index(x->most, uint64_t, n * classes));
    keep_prices(x, &y);
    g_array_append_val(x->pattern, y);
    g_hash_table_insert(x->known, g_bytes_ref(key), GUINT_TO_POINTER(n + 1));
    return n;
}

// ---- The slowest messages -------------------------------------------------------------------------------------------

// Adds the two ends of v's message, one of the slowest, to the next set, if it can begin when the run is the latest.
static void reach(StepPrices *x, int v, int peer)
{
    if (!x->latest[v] && !(x->o.transfer == TRANSFER_RENDEZVOUS && x->latest[peer]))
        return;
    x->next[v] = x->next[peer] = 1;
}

// Finds the set after a round of this pattern.
static void find_latest(StepPrices *x, const WalkRound *round, int64_t number)
{
    const StepPattern *y = &g_array_index(x->pattern, StepPattern, number);
    const LinkPrice *kept = y->kept ? &g_array_index(x->price, LinkPrice, y->first) : NULL;
    if (!y->same && !kept && x->in_scratch != number) {
        price_messages(x, round);
        x->in_scratch = number;
    }
    memset(x->next, 0, (size_t)x->ranks);
    for (int v = 0, n = 1; v < x->ranks; v += n) {
        n = y->same || kept ? 1 : x->run[v];
        if (y->same || pays_the_same(kept ? &kept[v] : &x->scratch[v], &y->slowest))
            for (int i = v; i < v + n; i++)
                reach(x, i, peer_in_step(x, i, round->step) % x->ranks);
    }
    uint8_t *const old = x->latest;
    x->latest = x->next;
    x->next = old;
}

// Takes a round into account. The same pattern again would leave the set as it is, or, if all pay the same, larger; a
// smaller set is as good.
static void follow_slowest(StepPrices *x, const WalkRound *round, int64_t number)
{
    const StepPattern *y = &g_array_index(x->pattern, StepPattern, number);
    if (!x->slowest || number == x->applied)
        return;
    x->applied = number;
    if (!y->same || !x->all)
        find_latest(x, round, number);
    x->all = memchr(x->latest, 0, (size_t)x->ranks) == NULL;
    x->slowest = y->alike && (x->all || memchr(x->latest, 1, (size_t)x->ranks));
    for (guint i = 0; i < x->pattern->len && !x->slowest; i++)
        x->again |= x->shifts || !g_array_index(x->pattern, StepPattern, i).kept;
}

void step_prices_add(StepPrices *x, const WalkRound *round)
{
    const uint64_t work = x->links.work + (x->shifts ? shift_prices_work(x->shifts) : 0);
    x->too_long |= work > MOST_WORK || x->step->len >= MOST_ROUNDS;
    if (x->too_long || x->too_many || x->again)
        return;
    const uint32_t number = find_pattern(x, round);
    g_array_append_val(x->step, number);
    follow_slowest(x, round, number);
}

// ---- The end --------------------------------------------------------------------------------------------------------

static void find_chain(StepPrices *x)
{
    const StepChainOptions o = {.site = x->o.site,
                                .s = x->o.s,
                                .prices = x->shifts,
                                .network = x->o.network,
                                .ranks = x->ranks,
                                .transfer = x->o.transfer,
                                .most_work = MOST_WORK};
    x->chained = step_chain_find(&o, &x->chain, &x->error);
    x->too_long = x->chain.too_long;
    x->common = x->chain.common;
}

bool step_prices_done(StepPrices *x)
{
    if (!x->again || x->too_long || x->too_many)
        return true;
    if (x->shifts) {
        find_chain(x);
        return true;
    }
    begin_pass(x);
    return false;
}

gboolean step_prices_admit(StepPrices *x, GError **error)
{
    const Schedule *s = x->o.s;
    if (x->error) {
        g_propagate_error(error, g_steal_pointer(&x->error));
        return FALSE;
    }
    if (x->too_long)
        return error_too_much(
            error, "%s on %d ranks has too many messages on a network; allowed: fewer ranks or rounds", s->name, s->p);
    return !x->too_many ||
           error_too_much(error,
                          "%s on %d ranks has more than 2^26 messages with prices of their own; allowed: fewer ranks "
                          "or rounds",
                          s->name, s->p);
}

// Sets the largest counts of a chain to sums of doubles, which may be a little too small.
static void set_most(LinkPrices *y, double hops, const double *most)
{
    y->most_hops = (uint64_t)MIN(1.001 * hops + 1, (double)SCHEDULE_MOST);
    for (int c = 0; c < y->n_classes; c++)
        y->most[c] = most[c] > 0 ? (uint64_t)MIN(1.001 * most[c] + 1, (double)SCHEDULE_MOST) : 0;
}

// Finds the largest counts of a chain. It has at most one message of each round, unless messages wait for ports or for what
// ranks share: then it may go from one to another of the same round.
static void find_most(const StepPrices *x, LinkPrices *y)
{
    const guint classes = (guint)y->n_classes;
    const bool waits = x->o.transfer >= TRANSFER_EAGER_PORT || site_shares(x->o.site);
    const double times = waits ? x->o.s->p : 1;
    g_autofree double *most = g_new0(double, classes);
    double hops = 0;
    for (guint i = 0; i < x->step->len; i++) {
        const uint32_t number = g_array_index(x->step, uint32_t, i);
        hops += times * g_array_index(x->pattern, StepPattern, number).hops;
        for (guint c = 0; c < classes; c++)
            most[c] += times * (double)g_array_index(x->most, uint64_t, number * classes + c) / (double)x->common;
    }
    set_most(y, hops, most);
}

// Returns prices of no message yet, which all pay alike.
static LinkPrices *prices_new(const StepPrices *x)
{
    LinkPrices *y = g_new0(LinkPrices, 1);
    y->n_classes = x->o.network->n_classes;
    y->most = g_new0(uint64_t, y->n_classes);
    y->turn = x->o.turn;
    y->ranks = x->ranks;
    y->alike = true;
    return y;
}

// Returns the prices of the chain that is the latest, as if all paid them.
static LinkPrices *take_chain(StepPrices *x)
{
    LinkPrices *y = prices_new(x);
    y->price = g_steal_pointer(&x->chain.price);
    y->step = g_new(LinkStep, MAX(x->chain.rounds, 1));
    for (uint32_t i = 0; i < x->chain.rounds; i++)
        y->step[i] = (LinkStep){i, true};
    set_most(y, x->chain.hops, x->chain.most);
    return y;
}

LinkPrices *step_prices_take(StepPrices *x, uint64_t *common)
{
    const guint n = x->pattern->len, prices = x->slowest ? n : x->price->len;
    *common = x->common;
    if (x->chained)
        return take_chain(x);
    LinkPrices *y = prices_new(x);
    y->price = g_new(LinkPrice, MAX(prices, 1));
    y->step = g_new(LinkStep, MAX(x->step->len, 1));
    for (guint i = 0; x->slowest && i < n; i++)
        y->price[i] = g_array_index(x->pattern, StepPattern, i).slowest;
    if (!x->slowest && prices > 0)
        memcpy(y->price, x->price->data, prices * sizeof *y->price);
    for (guint i = 0; i < prices; i++)
        y->price[i].load /= x->common;
    for (guint i = 0; i < x->step->len; i++) {
        const uint32_t number = g_array_index(x->step, uint32_t, i);
        const StepPattern *pattern = &g_array_index(x->pattern, StepPattern, number);
        y->step[i] = x->slowest ? (LinkStep){number, true} : (LinkStep){pattern->first, pattern->same && !x->o.links};
        y->alike &= x->slowest || (pattern->same && !x->o.links);
    }
    y->alike &= ranks_alike(x) && (!x->o.site->measured || site_is_far_alike(x->o.site, x->o.s));
    find_most(x, y);
    return y;
}

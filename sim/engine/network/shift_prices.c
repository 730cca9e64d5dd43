#include "engine/network/shift_prices.h"
#include <string.h>

#define CLEARLY (1 + 1e-9) // so many times as long is longer, however sums are rounded

// The ways of messages from each switch to the one that is so many switches further, and their loads.
typedef struct SwitchShift {
    int by;                          // -1 for none
    NetworkHop *hops;                // by switch, Network.most_hops each
    int *count;                      // by switch
    uint16_t *paid;                  // by switch: hops
    uint32_t most[TOPOLOGY_CLASSES]; // by class: of `load`
    uint32_t *load;                  // by link between switches, of a message with one byte from each switch
    int32_t *touched;                // links with a load
    int32_t n_touched;
} SwitchShift;

// A link of a way, by its loads; links of a way that never take longer than an earlier one of their class are left out.
typedef struct KindLink {
    uint32_t load[2];
    int32_t link;
    uint32_t class;
} KindLink;

// Messages with the same links: those of x->link from `first` on.
typedef struct ShiftKind {
    uint32_t first, count, hash;
    uint16_t hops; // that they pay
} ShiftKind;

// The kinds of the shifts by q N to q N + N - 1.
typedef struct ShiftKinds {
    int q; // -1 for none
    KindLink *link;
    ShiftKind *kind;
    uint32_t links, kinds, room_links, room_kinds;
    uint32_t *of[2]; // as ShiftRound.of
} ShiftKinds;

struct ShiftPrices {
    const Network *n;
    int hosts, switches, all; // of a switch; looked at; of all hosts with a rank
    bool few;
    double byte_s;
    SwitchShift *shift[2]; // by q and by q + 1
    ShiftKinds *known;     // by q modulo n_known
    int n_known;
    uint64_t bytes, most_bytes; // of these
    int trunk;                  // the class of links that messages wait for most often, if any
    double most_s[2];           // by shift: the most that a link of another class takes for a byte from each switch
    GArray *price;              // of LinkPrice, by kind
    uint32_t *slot;             // a hash table of kinds: their numbers plus 1; empty when kinds are not looked for
    uint32_t mask;
    ShiftRound round;
    uint64_t work;
};

// ---- Setting up -----------------------------------------------------------------------------------------------------

static SwitchShift *switch_shift_new(const ShiftPrices *x)
{
    SwitchShift *y = g_new0(SwitchShift, 1);
    y->by = -1;
    y->hops = g_new(NetworkHop, (size_t)x->switches * (size_t)x->n->most_hops);
    y->count = g_new(int, x->switches);
    y->paid = g_new(uint16_t, x->switches);
    y->load = g_new0(uint32_t, x->n->n_links);
    y->touched = g_new(int32_t, x->n->n_links);
    return y;
}

static void switch_shift_free(SwitchShift *x)
{
    g_free(x->hops);
    g_free(x->count);
    g_free(x->paid);
    g_free(x->load);
    g_free(x->touched);
    g_free(x);
}

// Forgets all kinds, and makes room for those of n values of q.
static void forget_kinds(ShiftPrices *x, int n)
{
    for (int i = 0; i < x->n_known; i++) {
        g_free(x->known[i].link);
        g_free(x->known[i].kind);
        g_free(x->known[i].of[0]);
        g_free(x->known[i].of[1]);
    }
    x->n_known = n;
    x->known = g_renew(ShiftKinds, x->known, n);
    for (int i = 0; i < n; i++)
        x->known[i] = (ShiftKinds){.q = -1};
    x->bytes = 0;
}

void shift_prices_keep(ShiftPrices *x, int rounds, uint64_t bytes)
{
    x->most_bytes = bytes;
    forget_kinds(x, MAX(rounds / x->hosts + 2, x->n_known));
}

uint64_t shift_prices_bytes(const ShiftPrices *x, int rounds)
{
    return ((uint64_t)rounds / (uint64_t)x->hosts + 2) * 2 * (uint64_t)x->switches *
           (sizeof(uint32_t) + sizeof(ShiftKind) + 4 * sizeof(KindLink));
}

ShiftPrices *shift_prices_new(const Network *n, const int *host, int p, bool few, double byte_s)
{
    const int hosts = n->per_switch;
    bool fits = hosts > 0 && p % hosts == 0 && (uint64_t)p * n->whole <= UINT32_MAX;
    for (int v = 0; fits && v < p; v++)
        fits = host[v] == v;
    if (!fits)
        return NULL;
    ShiftPrices *x = g_new0(ShiftPrices, 1);
    x->n = n;
    x->hosts = hosts;
    x->all = p / hosts;
    x->switches = few ? n->unit / hosts : x->all;
    x->few = few;
    x->byte_s = byte_s;
    for (int i = 0; i < 2; i++)
        x->shift[i] = switch_shift_new(x);
    forget_kinds(x, 1);
    x->most_bytes = UINT64_MAX;
    x->price = g_array_new(FALSE, FALSE, sizeof(LinkPrice));
    while (x->mask < 4 * (uint32_t)x->switches) // at most two kinds for each switch
        x->mask = 2 * x->mask + 1;
    x->slot = g_new0(uint32_t, (size_t)x->mask + 1);
    return x;
}

void shift_prices_free(ShiftPrices *x)
{
    if (!x)
        return;
    for (int i = 0; i < 2; i++)
        switch_shift_free(x->shift[i]);
    forget_kinds(x, 0);
    g_array_unref(x->price);
    g_free(x->slot);
    g_free(x);
}

uint64_t shift_prices_work(const ShiftPrices *x)
{
    return x->work;
}

// ---- Loads ----------------------------------------------------------------------------------------------------------

static void add_hop(SwitchShift *y, const NetworkHop *hop)
{
    for (int32_t k = 0, at = hop->first; k < hop->n; k++, at += hop->stride) {
        if (y->load[at] == 0)
            y->touched[y->n_touched++] = at;
        y->load[at] += hop->weight;
        y->most[hop->class] = MAX(y->most[hop->class], y->load[at]);
    }
}

// Sets a shift to the one by so many switches. The first and the last hop of a way are the links of hosts.
static void find_loads(ShiftPrices *x, SwitchShift *y, int by)
{
    for (int32_t i = 0; i < y->n_touched; i++)
        y->load[y->touched[i]] = 0;
    y->n_touched = 0;
    memset(y->most, 0, sizeof y->most);
    y->by = by;
    for (int s = 0; s < x->switches; s++) {
        NetworkHop *hops = y->hops + (ptrdiff_t)s * x->n->most_hops;
        const int to = (s + by) % x->all, host = to * x->hosts + (to == s && x->hosts > 1);
        y->count[s] = network_route(x->n, s * x->hosts, host, hops);
        x->work += (uint64_t)y->count[s];
        uint64_t weight = 0;
        for (int i = 0; i < y->count[s]; i++)
            weight += (uint64_t)hops[i].n * hops[i].weight;
        y->paid[s] = round_links_hops(x->n, weight);
        for (int i = 1; i + 1 < y->count[s]; i++) {
            if (x->few)
                network_fold_hop(x->n, &hops[i]);
            add_hop(y, &hops[i]);
        }
    }
}

static void set_shifts(ShiftPrices *x, int q)
{
    if (x->shift[1]->by == q || x->shift[0]->by == q + 1) {
        SwitchShift *const old = x->shift[0];
        x->shift[0] = x->shift[1];
        x->shift[1] = old;
    }
    for (int i = 0; i < (x->hosts > 1 ? 2 : 1); i++)
        if (x->shift[i]->by != q + i)
            find_loads(x, x->shift[i], q + i);
}

// ---- Kinds ----------------------------------------------------------------------------------------------------------

static void *make_room(void *array, uint32_t n, uint32_t *room, size_t size)
{
    if (n < *room)
        return array;
    *room = MAX(64, 2 * *room);
    return g_realloc_n(array, *room, size);
}

// Returns whether messages never wait for a link of two loads because of another one: that has as many bytes, at a rate that is
// no higher. If it comes later on their way, it must take longer, because of two that take as long the first one counts.
static bool is_hidden(const ShiftPrices *x, const KindLink *link, const KindLink *by, bool later)
{
    const double *load_s = x->n->topology.links->per_byte_s, own_s = load_s[link->class], by_s = load_s[by->class];
    for (int i = 0; i < 2; i++) {
        const bool same_rate = own_s == by_s && (later ? by->load[i] > link->load[i] : by->load[i] >= link->load[i]);
        if (link->load[i] > 0 && !same_rate && by->load[i] * by_s <= link->load[i] * own_s * CLEARLY)
            return false;
    }
    return true;
}

// Returns whether messages never wait for this link because of their ports, or their hosts' links.
static bool is_idle(const ShiftPrices *x, const KindLink *link)
{
    const double *load_s = x->n->topology.links->per_byte_s, own_s = load_s[link->class],
                 base_s = MAX(x->byte_s, load_s[0]);
    const uint64_t most = (uint64_t)x->hosts * MAX(link->load[0], link->load[1]);
    return own_s == base_s ? most <= x->n->whole : (double)most * own_s * CLEARLY < x->n->whole * base_s;
}

static void add_link(const ShiftPrices *x, ShiftKinds *y, uint32_t first, uint32_t class, int32_t at)
{
    const KindLink link = {.load = {x->shift[0]->load[at], x->hosts > 1 ? x->shift[1]->load[at] : 0}, at, class};
    if (is_idle(x, &link))
        return;
    for (uint32_t i = first; i < y->links; i++)
        if (is_hidden(x, &link, &y->link[i], false))
            return;
    uint32_t kept = first;
    for (uint32_t i = first; i < y->links; i++)
        if (!is_hidden(x, &y->link[i], &link, true))
            y->link[kept++] = y->link[i];
    y->links = kept;
    y->link = make_room(y->link, y->links, &y->room_links, sizeof *y->link);
    y->link[y->links++] = link;
}

static uint32_t hash_of(const KindLink *link, uint32_t n, uint16_t hops)
{
    uint64_t hash = hops;
    for (uint32_t i = 0; i < n; i++)
        hash = (hash ^ link[i].load[0] ^ (uint64_t)link[i].load[1] << 32 ^ (uint64_t)link[i].class << 24) *
               UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(hash >> 32);
}

static bool same_links(const KindLink *a, const KindLink *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (a[i].load[0] != b[i].load[0] || a[i].load[1] != b[i].load[1] || a[i].class != b[i].class)
            return false;
    return true;
}

static void add_links(const ShiftPrices *x, ShiftKinds *y, uint32_t first, const NetworkHop *hop)
{
    for (int32_t k = 0; k < hop->n; k++)
        add_link(x, y, first, hop->class, hop->first + k * hop->stride);
}

// Adds the links of a way that messages may wait for.
static void add_way(const ShiftPrices *x, ShiftKinds *y, uint32_t first, const NetworkHop *hops, int count)
{
    for (int i = 1; i + 1 < count; i++)
        if (hops[i].class == (uint32_t)x->trunk)
            add_links(x, y, first, &hops[i]);
    const KindLink *link = y->link + first;
    const double load_s = x->n->topology.links->per_byte_s[x->trunk];
    if (y->links == first + 1 && link->load[0] * load_s > x->most_s[0] && link->load[1] * load_s >= x->most_s[1])
        return; // links of other classes never take as long
    y->links = first;
    for (int i = 1; i + 1 < count; i++)
        add_links(x, y, first, &hops[i]);
}

static bool is_kind(const ShiftKinds *y, const ShiftKind *kind, uint32_t first, uint16_t paid)
{
    const uint32_t n = y->links - first;
    return kind->hops == paid && kind->count == n && (n == 0 || same_links(y->link + kind->first, y->link + first, n));
}

// Returns the number of the kind of the messages with this way; it may be that of the last ones.
static uint32_t kind_of(ShiftPrices *x, ShiftKinds *y, const NetworkHop *hops, int count, uint16_t paid, uint32_t last)
{
    const uint32_t first = y->links;
    add_way(x, y, first, hops, count);
    const uint32_t n = y->links - first;
    if (y->kinds && is_kind(y, &y->kind[last], first, paid)) {
        y->links = first;
        return last;
    }
    const uint32_t hash = n ? hash_of(y->link + first, n, paid) : paid;
    uint32_t at = hash & x->mask;
    for (; x->slot[at]; at = (at + 1) & x->mask) {
        const ShiftKind *kind = &y->kind[x->slot[at] - 1];
        if (kind->hash != hash || !is_kind(y, kind, first, paid))
            continue;
        y->links = first;
        return x->slot[at] - 1;
    }
    y->kind = make_room(y->kind, y->kinds, &y->room_kinds, sizeof *y->kind);
    y->kind[y->kinds++] = (ShiftKind){first, n, hash, paid};
    x->slot[at] = y->kinds;
    return y->kinds - 1;
}

static void empty_slots(ShiftPrices *x, const ShiftKinds *y)
{
    for (uint32_t i = 0; i < y->kinds; i++)
        for (uint32_t at = y->kind[i].hash & x->mask; x->slot[at]; at = (at + 1) & x->mask)
            x->slot[at] = 0;
}

// Finds the class whose links have the largest loads, and what bounds those of all others.
static void find_trunk(ShiftPrices *x)
{
    double most_s[2][TOPOLOGY_CLASSES] = {{0}};
    const double *load_s = x->n->topology.links->per_byte_s;
    for (int i = 0; i < (x->hosts > 1 ? 2 : 1); i++)
        for (int c = 0; c < x->n->n_classes; c++)
            most_s[i][c] = x->shift[i]->most[c] * load_s[c];
    x->trunk = 0;
    for (int c = 1; c < x->n->n_classes; c++)
        if (most_s[0][c] + most_s[1][c] > most_s[0][x->trunk] + most_s[1][x->trunk])
            x->trunk = c;
    for (int i = 0; i < 2; i++) {
        x->most_s[i] = 0;
        for (int c = 0; c < x->n->n_classes; c++)
            x->most_s[i] = c == x->trunk ? x->most_s[i] : MAX(x->most_s[i], most_s[i][c]);
        x->most_s[i] *= CLEARLY;
    }
}

static const ShiftKinds *find_kinds(ShiftPrices *x, int q)
{
    ShiftKinds *y = &x->known[q % x->n_known];
    if (y->q == q)
        return y;
    if (x->bytes > x->most_bytes)
        forget_kinds(x, x->n_known);
    y = &x->known[q % x->n_known];
    set_shifts(x, q);
    find_trunk(x);
    y->q = q;
    y->links = y->kinds = 0;
    for (int i = 0; i < (x->hosts > 1 ? 2 : 1); i++) {
        const SwitchShift *shift = x->shift[i];
        if (!y->of[i])
            y->of[i] = g_new(uint32_t, x->switches);
        for (int s = 0; s < x->switches; s++)
            y->of[i][s] = kind_of(x, y, shift->hops + (ptrdiff_t)s * x->n->most_hops, shift->count[s], shift->paid[s],
                                  s ? y->of[i][s - 1] : 0);
    }
    empty_slots(x, y);
    x->bytes += y->room_links * sizeof(KindLink) + y->room_kinds * sizeof(ShiftKind) +
                2 * (uint64_t)x->switches * sizeof(uint32_t);
    return y;
}

// ---- Prices ---------------------------------------------------------------------------------------------------------

// Returns the price of a kind, as round_links_price() does: bytes first, then the first link of the way. The link of the
// sender's host is the first one, and that of the receiver's never takes longer.
static LinkPrice price_of(const ShiftPrices *x, const KindLink *link, const ShiftKind *kind, uint64_t bytes,
                          uint64_t more)
{
    const double *load_s = x->n->topology.links->per_byte_s, whole = x->n->whole;
    LinkPrice price = {.link = -1, .hops = kind->hops};
    double most_s = (double)bytes * x->byte_s;
    if ((double)bytes * load_s[0] > most_s) {
        most_s = (double)bytes * load_s[0];
        price.load = bytes * x->n->whole;
        price.link = x->n->class[0].first;
    }
    link += kind->first;
    for (uint32_t i = 0; i < kind->count; i++) {
        const uint64_t load = bytes * (((uint64_t)x->hosts - more) * link[i].load[0] + more * link[i].load[1]);
        const double t = (double)load / whole * load_s[link[i].class];
        if (t <= most_s)
            continue;
        most_s = t;
        price.load = load;
        price.link = link[i].link;
        price.class = (uint16_t)link[i].class;
    }
    return price;
}

const ShiftRound *shift_prices_round(ShiftPrices *x, int k, uint64_t bytes)
{
    const int more = k % x->hosts;
    const ShiftKinds *y = find_kinds(x, k / x->hosts);
    g_array_set_size(x->price, y->kinds);
    LinkPrice *price = (LinkPrice *)(void *)x->price->data;
    for (uint32_t i = 0; i < y->kinds; i++)
        price[i] = price_of(x, y->link, &y->kind[i], bytes, (uint64_t)more);
    x->round = (ShiftRound){.hosts = x->hosts,
                            .more = more,
                            .switches = x->switches,
                            .kinds = y->kinds,
                            .price = price,
                            .of = {y->of[0], y->of[1]}};
    return &x->round;
}

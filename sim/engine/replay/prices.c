#include "engine/replay/prices.h"
#include <math.h>

static const TermKind price_kinds[N_PRICES] = {
    [PRICE_ONE] = TERM_ONE,
    [PRICE_STEP] = TERM_STEP,
    [PRICE_SWAP] = TERM_SWAP,
    [PRICE_GAP] = TERM_GAP,
    [PRICE_TAKE] = TERM_TAKE,
    [PRICE_SHARE] = TERM_SHARE,
    [PRICE_MEMORY] = TERM_MEMORY,
    [PRICE_MEMORY_STEP] = TERM_MEMORY_STEP,
    [PRICE_MEMORY_SWAP] = TERM_MEMORY_SWAP,
};
static const TermKind work_terms[N_WORK_KINDS] = {
    [WORK_REDUCE] = TERM_REDUCE,   [WORK_COPY] = TERM_COPY,   [WORK_FRESH] = TERM_FRESH,
    [WORK_CONNECT] = TERM_CONNECT, [WORK_MATCH] = TERM_MATCH, [WORK_BOUNCE] = TERM_BOUNCE};

// ---- Making and freeing ---------------------------------------------------------------------------------------------

// Calls `visit` for each price of work that has a term of its own.
static void each_sized(struct SitePrices *x, void (*visit)(Site *site, Price *price), Site *site)
{
    for (int i = 0; i < N_WORK_KINDS; i++) {
        GHashTableIter iter;
        gpointer work;
        if (!x->sized[i])
            continue;
        g_hash_table_iter_init(&iter, x->sized[i]);
        while (g_hash_table_iter_next(&iter, NULL, &work))
            visit(site, &((WorkPrice *)work)->price);
    }
}

static void copy_field(Site *x, Price *price)
{
    if (price->term >= 0)
        price->field = x->field[price->term];
}

static void copy_fields(Site *x)
{
    struct SitePrices *prices = x->prices;
    for (uint32_t i = 0; i <= prices->mask; i++)
        for (int k = 0; prices->slot[i] && k < N_PRICES; k++)
            copy_field(x, &prices->slot[i]->of[k]);
    each_sized(prices, copy_field, x);
    for (int i = 0; i < N_WORK_KINDS; i++)
        if (prices->work[i] >= 0)
            prices->work_field[i] = x->field[prices->work[i]];
    if (prices->far_term >= 0)
        prices->far_field = x->field[prices->far_term];
    if (prices->nic >= 0) {
        x->nic_bytes = x->field[prices->nic];
        x->nic_messages = x->field[prices->nic + 1];
    }
}

static void free_prices(Site *x)
{
    struct SitePrices *prices = x->prices;
    for (uint32_t i = 0; i <= prices->mask; i++)
        g_free(prices->slot[i]);
    for (int i = 0; i < N_WORK_KINDS; i++)
        if (prices->sized[i])
            g_hash_table_destroy(prices->sized[i]);
    g_free(prices->slot);
    g_free(prices->level_name);
    g_free(prices);
}

Site *site_new_measured(const Mapping *map, const char *const *names, const Measured *figures,
                        const SiteFigures *shared)
{
    enum { BITS = 6 };
    Site *x = g_new0(Site, 1);
    struct SitePrices *prices = x->prices = g_new0(struct SitePrices, 1);
    x->map = map;
    x->n_levels = figures->n_levels;
    x->measured = figures;
    x->copy_fields = copy_fields;
    x->free_prices = free_prices;
    x->nics = shared->nic_byte > 0 || shared->nic_message > 0 ? shared->nics : 0;
    x->nic_byte = shared->nic_byte;
    x->nic_message = shared->nic_message;
    x->memory = shared->memory;
    prices->slot = g_new0(Prices *, 1u << BITS);
    prices->mask = (1u << BITS) - 1;
    prices->shift = 64 - BITS;
    prices->level_name = x->n_levels > 1 ? g_memdup2(names, (gsize)x->n_levels * sizeof *names) : NULL;
    for (int i = 0; i < N_WORK_KINDS; i++) {
        const MeasuredWork *work = &figures->work[i];
        const bool rate = !work->table && (i <= WORK_FRESH || work->per_byte > 0);
        prices->work[i] = rate ? site_add_term(x, term_of(work_terms[i], NULL, work->per_byte)) : -1;
        prices->sized[i] = work->table ? g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free) : NULL;
    }
    prices->far = figures->far;
    prices->far_term = figures->far > 0 ? site_add_term(x, term_of(TERM_FAR, NULL, figures->far)) : -1;
    prices->nic = x->nics ? site_add_term(x, term_of(TERM_NIC_RATE, NULL, x->nic_byte)) : -1;
    if (x->nics)
        site_add_term(x, term_of(TERM_NIC_MESSAGES, NULL, x->nic_message));
    return x;
}

Site *site_of_measured(const Platform *platform, const Mapping *map)
{
    g_autofree const char **name = levels_names(&platform->levels);
    const SiteFigures shared = {.nics = (int)platform->value[KEY_NICS],
                                .nic_byte = map ? platform->value[KEY_NIC_RATE] : 0,
                                .nic_message = map ? platform->value[KEY_NIC_MESSAGES] : 0,
                                .memory = map && map->nodes->n < map->p ? platform->memory : NULL};
    return site_new_measured(map, name, platform->measured, &shared);
}

// ---- Terms ----------------------------------------------------------------------------------------------------------

// Returns the largest count of a price of messages.
static uint64_t most_of(const struct SitePrices *x, PriceKind kind)
{
    static const double per_message[N_PRICES] = {
        [PRICE_ONE] = 1,  [PRICE_STEP] = 1,   [PRICE_SWAP] = 1,        [PRICE_GAP] = 2,
        [PRICE_TAKE] = 2, [PRICE_MEMORY] = 1, [PRICE_MEMORY_STEP] = 1, [PRICE_MEMORY_SWAP] = 1};
    const double messages = (double)x->messages;
    return (uint64_t)MIN((kind == PRICE_SHARE ? messages : per_message[kind]) * messages, (double)SCHEDULE_MOST);
}

// Makes a term whose count is at most `most`, and a field for it if there is room.
static void new_term(Site *x, Price *price, CostTerm term, uint64_t most)
{
    price->term = site_add_term(x, term);
    x->most[price->term] = most;
    price->field = site_allot(x, price->term);
}

// Returns how much of a price a message of no bytes would pay as well.
static double latency_of(const MeasuredLevel *m, PriceKind kind, double value)
{
    const Table *const step = m->step ? m->step : m->one;
    const Table *const tables[N_PRICES] = {
        [PRICE_ONE] = m->one, [PRICE_STEP] = step, [PRICE_SWAP] = step, [PRICE_GAP] = m->gap, [PRICE_SHARE] = m->gap};
    const double none = kind == PRICE_TAKE ? measured_take(m, 0) : tables[kind] ? table_time_at(tables[kind], 0) : 0;
    return MIN(kind == PRICE_SHARE ? m->lambda * none : none, value);
}

void prices_new_term(Site *x, Prices *prices, PriceKind kind)
{
    const char **const names = x->prices->level_name;
    Price *const price = &prices->of[kind];
    CostTerm term = term_of(price_kinds[kind], names ? names[prices->level] : NULL, price->value);
    term.bytes = (int64_t)prices->bytes;
    term.latency = latency_of(&x->measured->level[prices->level], kind, price->value);
    new_term(x, price, term, most_of(x->prices, kind));
}

static void begin_work(Site *x, Price *price)
{
    x->most[price->term] = x->prices->works;
}

bool prices_may_share(const Site *site, const Schedule *s)
{
    bool any = false;
    for (int k = 0; k < site->measured->n_levels; k++)
        any |= site->measured->level[k].lambda > 0;
    return any && !s->graph && s->kinds & 1u << OP_ISEND; // a graph has no waitall
}

void prices_begin(Site *x, const Totals *totals)
{
    struct SitePrices *prices = x->prices;
    const uint64_t most[N_WORK_KINDS] = {totals->bytes_reduced, totals->bytes_copied, totals->bytes_fresh,
                                         totals->connects,      totals->matches,      totals->bytes_bounced};
    prices->messages = totals->messages;
    prices->works = totals->works;
    if (prices->far_term >= 0)
        x->most[prices->far_term] = totals->messages;
    for (int i = 0; i < N_WORK_KINDS; i++)
        if (prices->work[i] >= 0)
            x->most[prices->work[i]] = x->term[prices->work[i]].value > 0 ? most[i] : 0;
    if (prices->nic >= 0) {
        x->most[prices->nic] = x->nic_byte > 0 ? totals->bytes_sent : 0;
        x->most[prices->nic + 1] = x->nic_message > 0 ? totals->messages : 0;
    }
    for (uint32_t i = 0; i <= prices->mask; i++)
        for (int k = 0; prices->slot[i] && k < N_PRICES; k++)
            if (prices->slot[i]->of[k].term >= 0)
                x->most[prices->slot[i]->of[k].term] = most_of(prices, k);
    each_sized(prices, begin_work, x);
}

// ---- Lengths --------------------------------------------------------------------------------------------------------

static void put(struct SitePrices *x, Prices *prices)
{
    uint32_t i = prices_slot(x, prices->level, prices->bytes);
    while (x->slot[i])
        i = (i + 1) & x->mask;
    x->slot[i] = prices;
}

static void grow(struct SitePrices *x)
{
    g_autofree Prices **old = x->slot;
    const uint32_t n = x->mask + 1;
    x->slot = g_new0(Prices *, 2 * n);
    x->mask = 2 * n - 1;
    x->shift--;
    for (uint32_t i = 0; i < n; i++)
        if (old[i])
            put(x, old[i]);
}

Prices *prices_add(Site *site, int level, uint64_t bytes)
{
    struct SitePrices *x = site->prices;
    const MeasuredLevel *m = &site->measured->level[level];
    const Table *const steps = m->step ? m->step : m->one;
    const double factor = site->memory ? table_at(site->memory, bytes) : 0, one = table_time_at(m->one, bytes),
                 step = table_time_at(steps, bytes), swap = step * site->measured->swap,
                 gap = table_time_at(m->gap, bytes), take = measured_take(m, bytes);
    Prices *prices = g_new0(Prices, 1);
    prices->bytes = bytes;
    prices->level = (uint8_t)level;
    prices->take = take == gap ? PRICE_GAP : PRICE_TAKE;
    prices->steps = m->step != NULL;
    prices->swaps = site->measured->swap > 1 && bytes >= site->measured->swap_from;
    prices->far = x->far > 0 && level == site->n_levels - 1 && prices_eager(site, level, bytes);
    const double value[N_PRICES] = {
        [PRICE_ONE] = one,
        [PRICE_STEP] = step,
        [PRICE_SWAP] = swap,
        [PRICE_GAP] = gap,
        [PRICE_TAKE] = take,
        [PRICE_SHARE] = m->lambda * gap,
        [PRICE_MEMORY] = factor * fmax(one - table_time_at(m->one, 1), 0),
        [PRICE_MEMORY_STEP] = m->step ? factor * fmax(step - table_time_at(m->step, 1), 0) : 0,
        [PRICE_MEMORY_SWAP] = factor * fmax(swap - table_time_at(steps, 1), 0),
    };
    for (int k = 0; k < N_PRICES; k++)
        prices->of[k] = (Price){.value = value[k], .field.word = TALLY_NEW, .term = -1};
    if (4 * ++x->n > x->mask)
        grow(x);
    put(x, prices);
    return prices;
}

// ---- Work -----------------------------------------------------------------------------------------------------------

int prices_work_term(const Site *x, WorkKind kind, uint64_t bytes, int64_t *n)
{
    const struct SitePrices *prices = x->prices;
    const bool sized = prices->sized[kind] != NULL;
    const WorkPrice *work = sized ? g_hash_table_lookup(prices->sized[kind], &bytes) : NULL;
    *n = sized ? 1 : (int64_t)bytes;
    return work ? work->price.term : !sized && prices_work_time(x, kind, bytes) > 0 ? prices->work[kind] : -1;
}

void prices_count_work(Site *x, ClockTally *tally, WorkKind kind, uint64_t bytes)
{
    struct SitePrices *prices = x->prices;
    if (!prices->sized[kind]) {
        if (prices_work_time(x, kind, bytes) > 0)
            tally_add(tally, prices->work_field[kind], bytes);
        return;
    }
    WorkPrice *work = g_hash_table_lookup(prices->sized[kind], &bytes);
    if (!work) {
        work = g_new(WorkPrice, 1);
        *work = (WorkPrice){.bytes = (gint64)bytes, .price.value = prices_work_time(x, kind, bytes)};
        CostTerm term = term_of(work_terms[kind], NULL, work->price.value);
        term.bytes = (int64_t)bytes;
        new_term(x, &work->price, term, prices->works);
        g_hash_table_insert(prices->sized[kind], &work->bytes, work);
    }
    tally_add(tally, work->price.field, 1);
}

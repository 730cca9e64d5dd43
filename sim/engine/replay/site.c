#include "engine/replay/site.h"
#include <math.h>
#include <string.h>

const TermKind shared_terms[SHARED_TERMS] = {
    [SHARED_WRITE] = TERM_WRITE,
    [SHARED_READ] = TERM_READ,
    [SHARED_CROWD] = TERM_CROWD,
    [SHARED_FLAG... SHARED_OUTER_FLAG] = TERM_FLAG,
    [SHARED_LINE... SHARED_OUTER_LINE] = TERM_LINE,
    [SHARED_QUEUE] = TERM_QUEUE,
    [SHARED_RAISE] = TERM_RAISE,
    [SHARED_REUSE] = TERM_REUSE,
    [SHARED_LOCAL] = TERM_LOCAL,
    [SHARED_REMOTE] = TERM_REMOTE,
    [SHARED_SINGLE] = TERM_SINGLE,
    [SHARED_TOUCH] = TERM_TOUCH,
    [SHARED_STREAMS] = TERM_STREAMS,
    [SHARED_CALL] = TERM_CALL,
    [SHARED_GAMMA] = TERM_GAMMA,
};

// ---- Making a site --------------------------------------------------------------------------------------------------

int site_add_term(Site *x, CostTerm term)
{
    if (x->n_terms == x->room) {
        x->room = MAX(16, 2 * x->room);
        x->term = g_renew(CostTerm, x->term, x->room);
        x->field = g_renew(TallyField, x->field, x->room);
        x->most = g_renew(uint64_t, x->most, x->room);
        x->done = g_renew(bool, x->done, x->room);
        x->zeros = g_renew(uint8_t, x->zeros, x->room);
    }
    g_assert(term.over == 1); // see site_time
    const int i = x->n_terms++;
    x->term[i] = term;
    x->field[i] = (TallyField){.word = TALLY_NOT};
    x->most[i] = 0;
    x->done[i] = false;
    x->zeros[i] = 0;
    return i;
}

static void add_term(Site *x, TermKind kind, const char *level, double value)
{
    site_add_term(x, term_of(kind, level, value));
}

void site_textbook(double *charges, double alpha, double beta, double gamma)
{
    for (int kind = 0; kind < N_TERM_KINDS; kind++)
        charges[kind] = NAN;
    charges[TERM_ALPHA] = alpha;
    charges[TERM_BETA] = beta;
    charges[TERM_GAMMA] = gamma;
}

// Adds the terms of what messages or reductions pay.
static Charge add_charge(Site *x, TermPayer payer, const char *level, const double *charges)
{
    Charge c = {.first = x->n_terms};
    for (TermKind kind = 0; kind < N_TERM_KINDS; kind++) {
        const TermInfo *info = &term_kinds[kind];
        if (info->payer != payer || isnan(charges[kind]))
            continue;
        add_term(x, kind, level, charges[kind]);
        *(info->per_byte ? &c.byte : &c.once) += charges[kind];
        c.n++;
    }
    return c;
}

static void copy_charge(const Site *x, Charge *c)
{
    c->count = c->bytes = (ClockTally){0};
    for (int i = c->first; i < c->first + c->n; i++)
        tally_add(term_kinds[x->term[i].kind].per_byte ? &c->bytes : &c->count, x->field[i], 1);
}

// Copies the fields of the terms to where messages find them.
static void copy_fields(Site *x)
{
    for (int k = 0; k < x->n_levels; k++)
        copy_charge(x, &x->link[k].message);
    copy_charge(x, &x->work);
    if (x->nics) {
        x->nic_bytes = x->field[x->nic_term];
        x->nic_messages = x->field[x->nic_term + 1];
    }
    for (int k = 0; x->memory && k < x->n_levels; k++)
        x->link[k].memory = x->field[x->memory_term + k];
    for (int i = 0; x->mixes && i < SHARED_OPERATION_TERMS; i++)
        x->shared_field[i] = x->field[x->shared_term + i];
}

// Returns the name of the level to which a term of shared memory belongs; NULL if it belongs to no level.
static const char *shared_level_name(const SharedCosts *k, int term, int n, const char *const *names)
{
    const int level = term >= SHARED_FLAG && term <= SHARED_OUTER_FLAG   ? term - SHARED_FLAG
                      : term >= SHARED_LINE && term <= SHARED_OUTER_LINE ? term - SHARED_LINE
                                                                         : n;
    return k->by_level && names && level < n ? names[level] : NULL;
}

Site *site_new(const Mapping *map, const char *const *names, const SiteFigures *f)
{
    Site *x = g_new0(Site, 1);
    const int n = map ? map->n_levels : 1;
    x->map = map;
    x->n_levels = n;
    x->copy_fields = copy_fields;
    x->nics = f->nic_byte > 0 || f->nic_message > 0 ? f->nics : 0;
    x->nic_byte = f->nic_byte;
    x->nic_message = f->nic_message;
    x->memory = f->memory;
    x->link = g_new0(Link, n);
    for (int k = 0; k < n; k++)
        x->link[k].message = add_charge(x, PAID_BY_MESSAGES, names ? names[k] : NULL, f->charges[k]);
    x->work = add_charge(x, PAID_BY_REDUCTIONS, NULL, f->charges[n - 1]);
    x->nic_term = x->n_terms;
    if (x->nics) {
        add_term(x, TERM_NIC_RATE, NULL, f->nic_byte);
        add_term(x, TERM_NIC_MESSAGES, NULL, f->nic_message);
    }
    x->memory_term = x->n_terms;
    for (int k = 0; f->memory && k < n; k++)
        add_term(x, TERM_MEMORY, names[k], x->link[k].message.byte);
    x->mixes = f->shared != NULL;
    x->shared_term = x->n_terms;
    if (f->shared)
        x->shared = *f->shared;
    for (int i = 0; f->shared && i < SHARED_OPERATION_TERMS; i++)
        add_term(x, shared_terms[i], shared_level_name(f->shared, i, n, names),
                 x->shared_value[i] = shared_value(f->shared, (SharedTerm)i));
    return x;
}

bool site_is_textbook(const Site *x)
{
    bool textbook = x->work.n == 1;
    for (int k = 0; k < x->n_levels; k++)
        textbook = textbook && x->link[k].message.n == 2;
    return textbook;
}

void site_count_charge(const Site *x, const Charge *c, uint64_t bytes, int64_t *count)
{
    for (int i = c->first; i < c->first + c->n; i++)
        count[i] += term_kinds[x->term[i].kind].per_byte ? (int64_t)bytes : 1;
}

// Returns true if the NICs change nothing: no two ranks share one, and it is free again before the ports of its
// message. Under eager no port protects the in-side. Under eager-port, a resource also changes the order of senders at
// a port, unless rank r is alone on node r.
static bool nics_change_nothing(const Platform *platform, const Mapping *map, Transfer transfer)
{
    const double *v = platform->value;
    bool nothing = transfer != TRANSFER_EAGER;
    for (int rank = 0; transfer == TRANSFER_EAGER_PORT && nothing && rank < map->p; rank++)
        nothing = map->nodes->of[rank] == rank;
    for (int node = 0; nothing && node < map->nodes->n; node++)
        nothing = coll_nodes_size(map->nodes, node) <= v[KEY_NICS];
    for (int k = levels_node(&platform->levels) + 1; k < platform->levels.n; k++) { // inner messages use no NIC
        const double alpha = platform_at(platform, KEY_ALPHA, k), beta = platform_at(platform, KEY_BETA, k);
        nothing = nothing && v[KEY_NIC_RATE] <= beta && v[KEY_NIC_MESSAGES] < alpha;
    }
    return nothing;
}

// Returns true if the platform has a figure of a term that hockney charges.
static bool has_term(const Platform *platform, TermKind kind)
{
    const PlatformKey key = term_kinds[kind].key;
    return term_kinds[kind].payer != PAID_OTHERWISE && (platform->has[key] || platform->by_level[key]);
}

// Returns true if messages or reductions pay more than alpha, beta and gamma.
static bool charges_more(const Platform *platform)
{
    bool more = false;
    for (TermKind kind = 0; kind < N_TERM_KINDS; kind++)
        more |= kind != TERM_ALPHA && kind != TERM_BETA && kind != TERM_GAMMA && has_term(platform, kind);
    return more;
}

// Sets what a level of the platform charges.
static void find_charges(const Platform *platform, int level, double *charges)
{
    site_textbook(charges, platform_at(platform, KEY_ALPHA, level), platform_at(platform, KEY_BETA, level),
                  platform->value[KEY_GAMMA]);
    for (TermKind kind = 0; kind < N_TERM_KINDS; kind++)
        if (isnan(charges[kind]) && has_term(platform, kind))
            charges[kind] = platform_at(platform, term_kinds[kind].key, level);
}

// Returns the site of a platform; NULL if there are no `costs` of shared memory, no network, and the platform is flat for
// these ranks.
static Site *make(const Platform *platform, const Mapping *map, Transfer transfer, const SharedCosts *costs,
                  bool on_network)
{
    const Levels *levels = &platform->levels;
    const int n = levels->n;
    const bool nics = platform->has[KEY_NIC_RATE] || platform->has[KEY_NIC_MESSAGES];
    const bool one_level = !map || n == 1 || (map->nodes->n == map->p && levels_node(levels) == n - 2);
    const bool shares = map && ((nics && !nics_change_nothing(platform, map, transfer)) ||
                                (platform->memory && map->nodes->n < map->p));
    const bool flat = one_level && !shares && !costs;
    if (flat && !on_network && !charges_more(platform))
        return NULL;
    g_autofree const char **name = levels_names(levels);
    g_autofree SiteCharges *charges = g_new(SiteCharges, n);
    for (int k = 0; k < n; k++)
        find_charges(platform, k, charges[k]);
    const bool far = flat && (!on_network || !map); // the network asks the map where the nodes are
    const SiteFigures f = {.charges = far ? charges + n - 1 : charges,
                           .nics = (int)platform->value[KEY_NICS],
                           .nic_byte = shares ? platform->value[KEY_NIC_RATE] : 0,
                           .nic_message = shares ? platform->value[KEY_NIC_MESSAGES] : 0,
                           .memory = shares ? platform->memory : NULL,
                           .shared = costs};
    return site_new(flat && !on_network ? NULL : map, flat ? NULL : name, &f);
}

Site *site_of_platform(const Platform *platform, const Mapping *map, Transfer transfer)
{
    return make(platform, map, transfer, NULL, false);
}

// Returns a figure that may be optional: 0 at a level without a value.
static double figure_at(const Platform *platform, PlatformKey key, int level)
{
    const double value = platform_at(platform, key, MIN(level, platform->levels.n - 1));
    return isnan(value) ? 0 : value;
}

SharedCosts site_shared_costs(const Platform *platform)
{
    const double *v = platform->value;
    SharedCosts k = {.write = v[KEY_WRITE],
                     .read = v[KEY_READ],
                     .lanes = v[KEY_LANES],
                     .flag = figure_at(platform, KEY_FLAG, 0),
                     .gamma = v[KEY_GAMMA],
                     .line = figure_at(platform, KEY_LINE, 0),
                     .queue = v[KEY_QUEUE],
                     .raise = v[KEY_RAISE],
                     .reuse = v[KEY_REUSE],
                     .local = v[KEY_LOCAL],
                     .call = v[KEY_CALL],
                     .remote = v[KEY_REMOTE],
                     .streams = platform->has[KEY_STREAMS] ? v[KEY_STREAMS] : 0,
                     .single = v[KEY_SINGLE],
                     .touch = v[KEY_TOUCH],
                     .by_level = platform->by_level[KEY_FLAG] || platform->by_level[KEY_LINE]};
    for (int level = 1; level < SHARED_LEVELS; level++) {
        k.outer_flag[level - 1] = figure_at(platform, KEY_FLAG, level);
        k.outer_line[level - 1] = figure_at(platform, KEY_LINE, level);
    }
    return k;
}

Site *site_with_shared(const Platform *platform, const Mapping *map, Transfer transfer)
{
    const SharedCosts costs = site_shared_costs(platform);
    return make(platform, map, transfer, &costs, false);
}

Site *site_on_network(const Platform *platform, const Mapping *map, Transfer transfer, bool with_shared)
{
    const SharedCosts costs = site_shared_costs(platform);
    return make(platform, map, transfer, with_shared ? &costs : NULL, true);
}

void site_free(Site *x)
{
    if (!x)
        return;
    g_free(x->link);
    g_free(x->term);
    g_free(x->field);
    g_free(x->most);
    g_free(x->done);
    g_free(x->zeros);
    if (x->free_prices)
        x->free_prices(x);
    if (x->noise)
        x->free_noise(x->noise);
    g_free(x->owned);
    g_free(x);
}

void site_begin(Site *x, int p, int root)
{
    const Mapping *map = x->map;
    x->n_nodes = map ? map->nodes->n : p;
    g_free(g_steal_pointer(&x->owned));
    if (!map)
        return;
    x->code = map->code;
    x->node = map->nodes->of;
    x->local = map->nodes->local;
    x->each_is_node = map->nodes->n == p;
    for (int rank = 0; x->each_is_node && rank < p; rank++)
        x->each_is_node = map->nodes->of[rank] == rank;
    if (root == 0)
        return;
    const size_t n = (size_t)p, n_codes = map->code ? n : 0;
    uint64_t *code = x->owned = g_malloc(n_codes * sizeof(uint64_t) + 2 * n * sizeof(int));
    int *node = (int *)(code + n_codes), *local = node + n;
    for (size_t v = 0; v < n; v++) {
        const size_t rank = (v + (size_t)root) % n;
        if (n_codes)
            code[v] = map->code[rank];
        node[v] = map->nodes->of[rank];
        local[v] = map->nodes->local[rank];
    }
    x->code = n_codes ? code : NULL;
    x->node = node;
    x->local = local;
}

// ---- Tallies --------------------------------------------------------------------------------------------------------

static const int word_bits[] = {64, 64, 32};

TallyField site_allot(Site *x, int i)
{
    const int bits = x->most[i] ? 64 - __builtin_clzll(x->most[i]) : 0;
    const int zeros = MAX(MIN(x->zeros[i], bits - 1), 0);
    int word = 2;
    while (word >= 0 && MAX(x->used[word] - zeros, 0) + bits > word_bits[word])
        word--;
    x->field[i] = (TallyField){.word = TALLY_NOT};
    if (bits == 0) // it is never paid
        x->done[i] = true;
    if (bits == 0 || word < 0)
        return x->field[i];
    // The bits that are counted begin where the field before ends. If its count overflows, the carry is therefore added
    // to this count, as terms_least_lost() expects.
    const int shared = MIN(zeros, x->used[word]), shift = x->used[word] - shared;
    x->field[i] = (TallyField){(uint8_t)word, (uint8_t)shift, (uint8_t)bits, (uint8_t)shared};
    x->used[word] = shift + bits;
    x->done[i] = true;
    return x->field[i];
}

bool site_divide(Site *x)
{
    bool any = false;
    memset(x->used, 0, sizeof x->used);
    for (int i = 0; i < x->n_terms; i++)
        if (x->done[i]) {
            x->field[i] = (TallyField){.word = TALLY_NOT};
        } else {
            site_allot(x, i);
            any = true;
        }
    x->copy_fields(x);
    return any;
}

void site_counts(const Site *x, const TallyField *field, ClockTally n, int64_t *count)
{
    const uint64_t word[] = {(uint64_t)n.beta, (uint64_t)n.gamma, (uint32_t)n.alpha, 0};
    for (int i = 0; i < x->n_terms; i++) {
        const TallyField *f = &field[i];
        if (f->word < TALLY_NOT)
            count[i] += (int64_t)((word[f->word] >> f->shift & (UINT64_MAX >> (64 - f->bits))) >> f->zeros << f->zeros);
    }
}

ClockTally site_tally(const Site *x, const int64_t *count)
{
    ClockTally n = {0};
    for (int i = 0; i < x->n_terms; i++)
        tally_add(&n, x->field[i], (uint64_t)count[i]);
    return n;
}

double site_time(const Site *x, const int64_t *count)
{
    double t = 0;
    for (int i = 0; i < x->n_terms; i++)
        t += (double)count[i] * x->term[i].value; // as term_worth: `over` is 1
    return t;
}

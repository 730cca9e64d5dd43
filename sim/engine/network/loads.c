#include "engine/network/loads.h"
#include "base/budget.h"
#include "base/error.h"
#include "engine/network/shifts.h"
#include "engine/network/uneven.h"
#include <string.h>

#define MOST_WORK ((uint64_t)1 << 33) // links that may be looked at; a run at this limit takes a minute or two

typedef struct LoadsRun {
    Loads *out;
    const LoadsOptions *o;
    const Network *n;
    const Schedule *s;
    int *host;                  // by v
    bool turns;                 // v is on host (v + root) mod p, and these are all hosts
    Shifts *shifts;             // then, on some networks: what knows rounds without looking at hosts; NULL elsewhere
    int lost[TOPOLOGY_CLASSES]; // by class: the shift of the round with the most, if that link is to be looked for
    uint64_t *load;             // by link, in this round
    uint64_t *total;            // by link, in the whole run
    uint64_t *copied; // the same, of rounds in which a link stands for all its copies; NULL until there is one
    int32_t *touched; // links with a load in this round
    int32_t n_touched;
    NetworkHop *hops;
    GHashTable *patterns; // LoadPattern of a round in step, by what the ranks of each turn send to (GBytes)
    GArray *list;         // of WalkMessage: the last round that was a list of messages
    int list_period;
    LoadPattern *of_list;
    Uneven *uneven; // rounds of blocks that are not all equal; NULL before the first
    uint64_t *away; // bytes between parts, by their distance, of rounds in which few hosts stand for all; or NULL
    int real_parts, part_width;
    uint64_t work;
} LoadsRun;

static size_t pattern_bytes(const Network *n)
{
    return sizeof(LoadPattern) + (size_t)n->n_classes * sizeof(RoundPart);
}

static LoadPattern *pattern_new(const Network *n)
{
    LoadPattern *x = g_malloc0(pattern_bytes(n));
    for (int i = 0; i < n->n_classes; i++)
        x->part[i].link = -1;
    return x;
}

// ---- The messages of a round ----------------------------------------------------------------------------------------

// Adds a share of a message to the n links of a hop.
static inline void load_links(LoadsRun *x, RoundPart *part, int32_t link, int32_t stride, int32_t n, uint64_t share)
{
    for (int32_t k = 0; k < n; k++, link += stride) {
        uint64_t *const load = &x->load[link];
        if (!*load && share)
            x->touched[x->n_touched++] = link;
        *load += share;
        if (*load > part->most) {
            part->most = *load;
            part->link = link;
        }
    }
}

// Adds the bytes between two hosts to those between their parts.
static void add_between(int from, int to, uint64_t bytes, gpointer user)
{
    LoadsRun *x = user;
    const int a = from / x->n->part, b = to / x->n->part;
    if (x->out->between && from != to)
        x->out->between[a / x->part_width * x->out->parts + b / x->part_width] += bytes;
}

// Adds a message between two hosts. If `few`, it stands for its copies in all parts of the network, and their links for
// theirs. `times` is for the sums over parts.
static inline void load_message(LoadsRun *x, LoadPattern *p, int from, int to, uint64_t bytes, uint64_t times, bool few)
{
    const Network *n = x->n;
    if (from == to) {
        p->inside++;
        p->bytes_inside += bytes;
        return;
    }
    p->messages++;
    p->bytes += bytes;
    const int count = network_route(n, from, to, x->hops);
    uint64_t used = 0;
    for (int i = 0; i < count; i++) {
        NetworkHop *h = &x->hops[i];
        const uint64_t share = bytes * h->weight;
        RoundPart *part = &p->part[h->class];
        part->sum += share * (uint64_t)h->n;
        used |= (uint64_t)1 << h->class;
        x->work += (uint64_t)h->n;
        if (few)
            network_fold_hop(n, h);
        load_links(x, part, h->first, h->stride, h->n, bytes * h->weight);
    }
    for (; used; used &= used - 1) {
        RoundPart *part = &p->part[__builtin_ctzll(used)];
        part->messages++;
        part->bytes += bytes;
    }
    if (x->out->between) {
        const int a = from / n->part, b = to / n->part;
        if (few)
            x->away[b >= a ? b - a : b - a + x->real_parts] += bytes * times;
        else
            add_between(from, to, bytes * times, x);
    }
}

// Ends a round: adds its loads, `times` over, to those of the run.
static void end_loads(LoadsRun *x, uint64_t times, bool few)
{
    uint64_t *const total = few ? x->copied : x->total;
    for (int32_t i = 0; i < x->n_touched; i++) {
        const int32_t link = x->touched[i];
        total[link] += x->load[link] * times;
        x->load[link] = 0;
    }
    x->n_touched = 0;
}

// Adds a round, whose messages are `bytes` times as long as the pattern says, to the answer.
static void count_round(LoadsRun *x, int64_t round, const LoadPattern *p, uint64_t bytes)
{
    Loads *out = x->out;
    LoadRow row = {round, round, p->messages, p->bytes * bytes, {0}};
    out->rounds = round + 1;
    out->messages += p->messages;
    out->bytes += p->bytes * bytes;
    out->inside += p->inside;
    out->bytes_inside += p->bytes_inside * bytes;
    for (int i = 0; i < x->n->n_classes; i++) {
        const RoundPart *part = &p->part[i];
        LoadClass *c = &out->class[i];
        const uint64_t most = row.most[i] = part->most * bytes;
        c->sum += part->sum * bytes;
        c->messages += part->messages;
        c->bytes += part->bytes * bytes;
        c->rounds += most;
        if (most > c->most) {
            c->most = most;
            c->most_round = round;
            c->most_link = part->link;
        }
    }
    LoadRow *last = out->rows && out->rows->len ? &g_array_index(out->rows, LoadRow, out->rows->len - 1) : NULL;
    if (last && last->last == round - 1 && last->messages == row.messages && last->bytes == row.bytes &&
        memcmp(last->most, row.most, sizeof row.most) == 0)
        last->last = round;
    else if (out->rows)
        g_array_append_val(out->rows, row);
}

// ---- Rounds in step -------------------------------------------------------------------------------------------------

static uint64_t step_bytes(const Schedule *s, const LockstepStep *step, int v)
{
    return length_of(s, v, step->out_cut, step->out, 0, 0);
}

// Returns whether all messages of a round in step have the same length.
static bool has_one_length(const WalkRound *r)
{
    for (int c = 0; c < r->turn; c++)
        if ((r->step[c].out_cut && r->s->cuts[r->step[c].out_cut].longer) ||
            step_bytes(r->s, &r->step[c], c) != step_bytes(r->s, r->step, 0))
            return false;
    return true;
}

static int peer_in_step(const Schedule *s, int v, int to)
{
    return s->peers == PEERS_XOR ? v ^ to : (int)(((int64_t)v + to) % s->p);
}

// Loads what each rank sends: a byte where `to` has what the ranks of each turn send to, or what the round says. If
// hosts turn alike, only those of the first part of the network are looked at.
static void load_step(LoadsRun *x, LoadPattern *p, const int *to, int turn, const WalkRound *r, uint64_t times)
{
    const Schedule *s = x->s;
    const bool few = x->turns && x->n->unit && s->peers == PEERS_SHIFT && !r && x->n->unit % turn == 0;
    const int n = few ? x->n->unit : s->p, copies = s->p / n;
    if (few && !x->copied)
        x->copied = g_new0(uint64_t, x->n->n_links);
    for (int v = 0; v < n && x->work < MOST_WORK; v++) {
        const int peer = peer_in_step(s, v, to[v % turn]);
        load_message(x, p, x->host[v], x->host[peer], r ? step_bytes(s, &r->step[v % turn], v) : 1, times, few);
    }
    end_loads(x, times, few);
    p->messages *= (uint64_t)copies;
    p->bytes *= (uint64_t)copies;
    p->inside *= (uint64_t)copies;
    p->bytes_inside *= (uint64_t)copies;
    for (int i = 0; copies > 1 && i < x->n->n_classes; i++) {
        p->part[i].sum *= (uint64_t)copies;
        p->part[i].messages *= (uint64_t)copies;
        p->part[i].bytes *= (uint64_t)copies;
    }
}

// Sets a pattern to that of a shift, if the network knows it. Returns false if not.
static bool know_shift(LoadsRun *x, LoadPattern *p, int to, int turn)
{
    if (!x->shifts || turn != 1 || to == 0 || x->s->peers != PEERS_SHIFT)
        return false;
    shifts_round(x->shifts, to, p->part);
    p->messages = p->bytes = (uint64_t)x->s->p;
    x->work += (uint64_t)(x->n->hosts / x->n->per_switch);
    return true;
}

// Notes the bytes of a shift that the network knows: on its links, and between parts.
static void note_shift(LoadsRun *x, int to, uint64_t bytes)
{
    shifts_note(x->shifts, to, bytes);
    if (!x->away)
        return;
    const int parts = x->real_parts, size = x->n->part;
    x->away[to / size % parts] += (uint64_t)(size - to % size) * bytes;
    x->away[(to / size + 1) % parts] += (uint64_t)(to % size) * bytes;
}

// Adds a round in which all messages have so many bytes.
static void add_shift(LoadsRun *x, int64_t round, const int *to, int turn, uint64_t bytes)
{
    g_autoptr(GBytes) key = g_bytes_new(to, (size_t)turn * sizeof *to);
    LoadPattern *p = g_hash_table_lookup(x->patterns, key);
    if (p) {
        p->again += bytes;
    } else {
        p = pattern_new(x->n);
        p->known = know_shift(x, p, *to, turn);
        if (!p->known)
            load_step(x, p, to, turn, NULL, bytes);
        g_hash_table_insert(x->patterns, g_bytes_ref(key), p);
    }
    if (p->known)
        note_shift(x, *to, bytes);
    count_round(x, round, p, bytes);
    for (int i = 0; p->known && i < x->n->n_classes; i++)
        if (x->out->class[i].most_round == round && x->out->class[i].most_link == LINK_UNKNOWN)
            x->lost[i] = *to;
}

static void add_step(LoadsRun *x, const WalkRound *r)
{
    g_autofree int *to = g_new(int, r->turn);
    for (int c = 0; c < r->turn; c++)
        to[c] = r->step[c].to;
    if (has_one_length(r)) {
        add_shift(x, r->round, to, r->turn, step_bytes(r->s, r->step, 0));
        return;
    }
    if (uneven_knows(r)) {
        if (!x->uneven)
            x->uneven = uneven_new(x->n, x->host, x->total, add_between, x);
        count_round(x, r->round, uneven_round(x->uneven, r, &x->work), 1);
        return;
    }
    g_autofree LoadPattern *p = pattern_new(x->n);
    load_step(x, p, to, r->turn, r, 1);
    count_round(x, r->round, p, 1);
}

// ---- Rounds that are lists of messages ------------------------------------------------------------------------------

// Loads the last list of messages.
static void load_list(LoadsRun *x, LoadPattern *p, uint64_t times)
{
    const Schedule *s = x->s;
    for (guint i = 0; i < x->list->len; i++) {
        const WalkMessage *m = &g_array_index(x->list, WalkMessage, i);
        for (int v = 0; v < s->p && x->work < MOST_WORK; v += x->list_period) {
            const bool xor = s->peers == PEERS_XOR;
            const int from = xor? m->from ^ v : m->from + v, to = xor? m->to ^ v : (int)(((int64_t)m->to + v) % s->p);
            load_message(x, p, x->host[from], x->host[to], m->bytes, times, false);
        }
    }
    end_loads(x, times, false);
}

// Adds what the last list does again to the loads of the run.
static void flush_list(LoadsRun *x)
{
    if (x->of_list && x->of_list->again) {
        g_autofree LoadPattern *p = pattern_new(x->n);
        load_list(x, p, x->of_list->again);
    }
    g_clear_pointer(&x->of_list, g_free);
}

static void add_list(LoadsRun *x, const WalkRound *r)
{
    const size_t bytes = r->n * sizeof *r->message;
    const WalkMessage *first = r->message;
    if (r->period == 1 && r->n == 1 && x->s->peers != PEERS_ABSOLUTE) {
        add_shift(x, r->round, &first->to, 1, first->bytes); // as `from` is 0
        return;
    }
    if (x->of_list && x->list->len == r->n && x->list_period == r->period && memcmp(x->list->data, first, bytes) == 0) {
        x->of_list->again++;
    } else {
        flush_list(x);
        g_array_set_size(x->list, 0);
        g_array_append_vals(x->list, first, r->n);
        x->list_period = r->period;
        x->of_list = pattern_new(x->n);
        load_list(x, x->of_list, 1);
    }
    count_round(x, r->round, x->of_list, 1);
}

static void each_round(const WalkRound *r, gpointer user)
{
    LoadsRun *x = user;
    if (x->work >= MOST_WORK)
        return;
    if (r->step)
        add_step(x, r);
    else
        add_list(x, r);
}

// ---- The run --------------------------------------------------------------------------------------------------------

// Adds what patterns do again to the loads of the run.
static void flush_shifts(LoadsRun *x)
{
    GHashTableIter iter;
    gpointer key, value;
    g_hash_table_iter_init(&iter, x->patterns);
    while (g_hash_table_iter_next(&iter, &key, &value)) {
        size_t bytes;
        const int *to = g_bytes_get_data(key, &bytes);
        const LoadPattern *of = value;
        g_autofree LoadPattern *p = pattern_new(x->n);
        if (of->again && !of->known)
            load_step(x, p, to, (int)(bytes / sizeof *to), NULL, of->again);
    }
}

// Looks for the links with the most in rounds that the network knew.
static void find_lost(LoadsRun *x)
{
    for (int i = 0; i < x->n->n_classes; i++) {
        if (x->out->class[i].most_link != LINK_UNKNOWN)
            continue;
        g_autofree LoadPattern *p = pattern_new(x->n);
        load_step(x, p, &x->lost[i], 1, NULL, 0);
        x->out->class[i].most_link = p->part[i].link;
    }
}

// Finds the busiest link of each class.
static void find_busiest(LoadsRun *x)
{
    for (int i = 0; i < x->n->n_classes; i++) {
        const NetworkClass *c = &x->n->class[i];
        LoadClass *out = &x->out->class[i];
        out->busiest_link = -1;
        for (int32_t at = 0; at < c->numbers; at++) {
            const uint64_t copied = x->copied ? x->copied[c->first + network_first_copy(c, at)] : 0,
                           load = x->total[c->first + at] + copied;
            if (load > out->busiest) {
                out->busiest = load;
                out->busiest_link = c->first + at;
            }
        }
    }
}

static void spread_away(LoadsRun *x)
{
    for (int d = 0; x->away && d < x->real_parts; d++)
        for (int a = 0; x->away[d] && a < x->real_parts; a++)
            x->out->between[a / x->part_width * x->out->parts + (a + d) % x->real_parts / x->part_width] += x->away[d];
}

// Sets whether v is on host (v + root) mod p for all v, and these are all hosts.
static void find_turns(LoadsRun *x)
{
    const int p = x->s->p;
    x->host = g_new(int, p);
    x->turns = p == x->n->hosts;
    for (int v = 0; v < p; v++) {
        const int rank = rank_of(x->s, v);
        x->host[v] = x->o->host[rank];
        x->turns &= x->host[v] == rank;
    }
}

static void run_init(LoadsRun *x)
{
    enum { MOST_PARTS = 64 };
    const Network *n = x->n;
    find_turns(x);
    x->shifts = x->turns ? shifts_new(n) : NULL;
    x->load = g_new0(uint64_t, n->n_links);
    x->total = g_new0(uint64_t, n->n_links);
    x->touched = g_new(int32_t, n->n_links);
    x->hops = g_new(NetworkHop, n->most_hops);
    x->patterns = g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, g_free);
    x->list = g_array_new(FALSE, FALSE, sizeof(WalkMessage));
    x->real_parts = n->hosts / n->part;
    x->part_width = (x->real_parts + MOST_PARTS - 1) / MOST_PARTS;
    x->out->parts = (x->real_parts + x->part_width - 1) / x->part_width;
    if (x->o->between) {
        x->out->between = g_new0(uint64_t, x->out->parts * x->out->parts);
        x->away = g_new0(uint64_t, x->real_parts);
    }
    if (x->o->rows)
        x->out->rows = g_array_new(FALSE, FALSE, sizeof(LoadRow));
}

static void run_clear(LoadsRun *x)
{
    g_free(x->host);
    g_free(x->load);
    g_free(x->total);
    g_free(x->copied);
    g_free(x->touched);
    g_free(x->hops);
    g_hash_table_unref(x->patterns);
    shifts_free(x->shifts);
    g_array_unref(x->list);
    g_free(x->of_list);
    g_free(x->away);
    uneven_free(x->uneven);
}

// Returns FALSE and an error if the loads of all links might not fit into 64 bits.
static gboolean check_sums(const Schedule *s, const Network *n, GError **error)
{
    double links = 2 * TOPOLOGY_CLASSES;
    for (int i = 0; n->topology.kind == TOPOLOGY_TORUS && i < n->n_sizes; i++)
        links += n->sizes[i];
    const Totals totals = schedule_totals(s);
    return (double)totals.bytes_sent * links * n->whole < 0x1p63 ||
           error_too_large(error, "the bytes of %s on all links do not fit into 64 bits; allowed: fewer bytes",
                           s->name);
}

Loads *loads_new(const Schedule *s, const Network *n, const LoadsOptions *o, GError **error)
{
    const uint64_t bytes = (uint64_t)n->n_links * (3 * sizeof(uint64_t) + sizeof(int32_t));
    if (!check_sums(s, n, error) || !budget_take(bytes, "the loads of links", s->p, error))
        return NULL;
    g_autoptr(Loads) out = g_new0(Loads, 1);
    out->network = n;
    LoadsRun x = {.out = out, .o = o, .n = n, .s = s};
    run_init(&x);
    gboolean good = walk_rounds(s, o->transfer, each_round, &x, error);
    flush_list(&x);
    flush_shifts(&x);
    if (x.uneven)
        uneven_end(x.uneven);
    if (x.shifts)
        shifts_loads(x.shifts, x.total);
    find_lost(&x);
    find_busiest(&x);
    spread_away(&x);
    if (good && x.work >= MOST_WORK)
        good = error_too_much(error, "%s on %d ranks loads links more than 2^33 times; allowed: fewer ranks or rounds",
                              s->name, s->p);
    run_clear(&x);
    budget_give_back(bytes);
    return good ? g_steal_pointer(&out) : NULL;
}

void loads_free(Loads *x)
{
    if (!x)
        return;
    if (x->rows)
        g_array_unref(x->rows);
    g_free(x->between);
    g_free(x);
}

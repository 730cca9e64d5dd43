// Networks between nodes: rounds and loads of links are those that the definition gives, computed once more in a slow and
// simple way; and nodes are placed where --nodes says.
//
// The definition: the messages of a round are those that begin together if each takes one unit (rounds_play of `show`,
// which runs the texts themselves). A link is named by a text here, and all ways between two hosts are listed one by one.
#include "base/error.h"
#include "engine/network/loads.h"
#include "engine/replay/replay.h"
#include "engine/rounds/rounds.h"
#include "engine/schedule/record.h"
#include "machine/network/placement.h"
#include "machine/network/survey.h"
#include "sample.h"
#include "search/search/points.h"
#include "tap.h"
#include <string.h>

// ---- Routes by the definition ---------------------------------------------------------------------------------------

// A way: the names of its links, "CLASS NAME".
typedef GPtrArray Way;

static void add(Way *way, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void add(Way *way, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *link = g_strdup_vprintf(format, args);
    va_end(args);
    g_ptr_array_add(way, (gpointer)g_intern_string(link)); // so that tables find links by their address
}

static Way *way_new(void)
{
    return g_ptr_array_new();
}

// Adds every order of the numbers order[k .. n-1] to `ways`, as a way that walk() makes of it.
typedef struct RouteWalk {
    const Topology *t;
    int from, to;
    GPtrArray *ways; // of Way
    void (*walk)(const struct RouteWalk *w, const int *order, int n, unsigned round);
} RouteWalk;

static void each_order(const RouteWalk *w, int *order, int k, int n)
{
    if (k == n) { // one of both ways round, where a ring has two
        for (unsigned round = 0; round < 1u << n; round++)
            w->walk(w, order, n, round);
        return;
    }
    for (int i = k; i < n; i++) {
        int x = order[k];
        order[k] = order[i];
        order[i] = x;
        each_order(w, order, k + 1, n);
        x = order[k];
        order[k] = order[i];
        order[i] = x;
    }
}

static int digit(const int *sizes, int host, int d)
{
    for (int i = 0; i < d; i++)
        host /= sizes[i];
    return host % sizes[d];
}

static int step_of(const int *sizes, int d)
{
    int step = 1;
    for (int i = 0; i < d; i++)
        step *= sizes[i];
    return step;
}

// One way through a torus or a hyperx. In a torus, bit d of `round` asks for the way down where both are equal.
static void walk_grid(const RouteWalk *w, const int *order, int n, unsigned round)
{
    const TopologyNumbers *x = &w->t->numbers;
    const int *sizes = x->at[0], hosts = w->t->kind == TOPOLOGY_HYPERX && x->sections == 2 ? x->at[1][0] : 1;
    const bool hyperx = w->t->kind == TOPOLOGY_HYPERX;
    int at = w->from / hosts;
    Way *way = way_new();
    if (hyperx)
        add(way, "host up %d", w->from);
    for (int i = 0; i < n; i++) {
        const int d = order[i], y = digit(sizes, w->to / hosts, d), step = step_of(sizes, d);
        const int up = (y - digit(sizes, at, d) + sizes[d]) % sizes[d];
        const bool down = 2 * up > sizes[d] || (2 * up == sizes[d] && sizes[d] > 2 && (round >> d & 1));
        if (hyperx && up) {
            add(way, "dim%d %d to %d", d + 1, at, y);
            at += (y - digit(sizes, at, d)) * step;
        }
        while (!hyperx && digit(sizes, at, d) != y) {
            const int now = digit(sizes, at, d), next = (now + (down ? sizes[d] - 1 : 1)) % sizes[d];
            add(way, "dim%d %d to %d %s", d + 1, at, next, down ? "down" : "up");
            at += (next - now) * step;
        }
    }
    if (hyperx)
        add(way, "host down %d", w->to);
    g_ptr_array_add(w->ways, way);
}

static void ways_of_grid(const RouteWalk *w)
{
    int order[TOPOLOGY_NUMBERS];
    const int n = w->t->numbers.count[0];
    for (int i = 0; i < n; i++)
        order[i] = i;
    if (w->t->routing == ROUTING_MINIMAL)
        walk_grid(w, order, n, 0);
    else
        each_order(w, order, 0, n);
}

// All ways of a fat tree up to the lowest common switch; `digits` are the parents taken so far.
static void climb(const RouteWalk *w, Way *so_far, int level, int s, int d, const char *digits, int quotient)
{
    const TopologyNumbers *x = &w->t->numbers;
    if (s == d) {
        g_ptr_array_add(w->ways, so_far);
        return;
    }
    const int up = x->at[2][level], fixed = quotient % up;
    for (int parent = 0; parent < up; parent++) {
        if (w->t->routing == ROUTING_MINIMAL && parent != fixed)
            continue;
        Way *way = way_new();
        for (guint i = 0; i < so_far->len; i++)
            add(way, "%s", (char *)so_far->pdata[i]);
        add(way, "level%d up %s %d to %d", level + 1, digits, s, parent);
        add(way, "level%d down %s %d to %d", level + 1, digits, d, parent);
        g_autofree char *more = g_strdup_printf("%s.%d", digits, parent);
        climb(w, way, level + 1, s / x->at[1][level], d / x->at[1][level], more, quotient / up);
    }
    g_ptr_array_unref(so_far);
}

// Adds the ways of a list, each in all orders of the two steps within a group, from a router to another.
static GPtrArray *within(const RouteWalk *w, GPtrArray *ways, int group, int from, int to)
{
    const int R = w->t->numbers.at[2][0], c = from / R, r = from % R, c2 = to / R, r2 = to % R;
    GPtrArray *out = g_ptr_array_new();
    for (guint i = 0; i < ways->len; i++)
        for (int first = 0; first < (w->t->routing == ROUTING_SPREAD ? 2 : 1); first++) {
            Way *way = way_new(), *old = ways->pdata[i];
            for (guint k = 0; k < old->len; k++)
                add(way, "%s", (char *)old->pdata[k]);
            if (first && c != c2)
                add(way, "group %d.%d.%d to %d", group, c, r, c2);
            if (r != r2)
                add(way, "chassis %d.%d.%d to %d", group, first ? c2 : c, r, r2);
            if (!first && c != c2)
                add(way, "group %d.%d.%d to %d", group, c, r2, c2);
            g_ptr_array_add(out, way);
        }
    g_ptr_array_set_free_func(ways, (GDestroyNotify)g_ptr_array_unref);
    g_ptr_array_unref(ways);
    return out;
}

static void ways_of_dragonfly(const RouteWalk *w)
{
    const TopologyNumbers *x = &w->t->numbers;
    const int in_group = x->at[1][0] * x->at[2][0], hosts = x->at[3][0], a = w->from / hosts, b = w->to / hosts;
    const int g = a / in_group, g2 = b / in_group;
    GPtrArray *ways = g_ptr_array_new();
    g_ptr_array_add(ways, way_new());
    add(ways->pdata[0], "host up %d", w->from);
    if (g == g2) {
        ways = within(w, ways, g, a % in_group, b % in_group);
    } else {
        ways = within(w, ways, g, a % in_group, g2);
        for (guint i = 0; i < ways->len; i++)
            add(ways->pdata[i], "global %d to %d", g, g2);
        ways = within(w, ways, g2, g, b % in_group);
    }
    for (guint i = 0; i < ways->len; i++) {
        add(ways->pdata[i], "host down %d", w->to);
        g_ptr_array_add(w->ways, ways->pdata[i]);
    }
    g_ptr_array_unref(ways);
}

// Our dragonfly, whose routing is spread: a way for each cable.
static void ways_of_switches(const RouteWalk *w)
{
    const TopologyNumbers *x = &w->t->numbers;
    const int G = x->at[0][0], cables = x->at[0][1], R = x->at[1][0], hosts = x->at[2][0];
    const int a = w->from / hosts, b = w->to / hosts, g = a / R, g2 = b / R;
    for (int j = 0; j < (g == g2 ? 1 : cables); j++) {
        Way *way = way_new();
        int at = a % R;
        add(way, "host up %d", w->from);
        if (g != g2) {
            const int away = (g2 - g + G) % G, out = ((away - 1) * cables + j) % R,
                      in = ((G - away - 1) * cables + j) % R;
            if (at != out)
                add(way, "group %d.%d to %d", g, at, out);
            add(way, "global %d to %d by %d", g, g2, j);
            at = in;
        }
        if (at != b % R)
            add(way, "group %d.%d to %d", g2, at, b % R);
        add(way, "host down %d", w->to);
        g_ptr_array_add(w->ways, way);
    }
}

// Returns all ways between two hosts (of Way).
static GPtrArray *ways_of(const Topology *t, int from, int to)
{
    RouteWalk w = {t, from, to, g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref), walk_grid};
    if (t->kind == TOPOLOGY_TORUS || t->kind == TOPOLOGY_HYPERX) {
        ways_of_grid(&w);
    } else if (t->kind == TOPOLOGY_FAT_TREE) {
        climb(&w, way_new(), 0, from, to, "", to);
    } else if (t->kind == TOPOLOGY_DRAGONFLY) {
        if (t->ours)
            ways_of_switches(&w);
        else
            ways_of_dragonfly(&w);
    } else {
        Way *way = way_new();
        const int g = from / t->numbers.at[0][0], g2 = to / t->numbers.at[0][0];
        add(way, "host up %d", from);
        if (g != g2) {
            add(way, "pair %d to %d", g, g2);
            add(way, "out %d", g);
            add(way, "in %d", g2);
        }
        add(way, "host down %d", to);
        g_ptr_array_add(w.ways, way);
    }
    return w.ways;
}

// ---- Loads by the definition ----------------------------------------------------------------------------------------

// Loads by name of a link, in bytes times `unit`.
typedef struct Reference {
    const Topology *t;
    int hosts;
    uint64_t unit;
    GHashTable *round, *run; // of uint64_t *
    GHashTable *ways;        // those of pairs of hosts that sent a message, which ways_of() returned
} Reference;

static void add_load(GHashTable *loads, gpointer link, uint64_t load)
{
    uint64_t *x = g_hash_table_lookup(loads, link);
    if (!x)
        g_hash_table_insert(loads, link, x = g_new0(uint64_t, 1));
    *x += load;
}

// Returns the largest load of a class of links.
static uint64_t most_of(GHashTable *loads, const char *class)
{
    GHashTableIter iter;
    gpointer link, load;
    uint64_t most = 0;
    g_autofree char *prefix = g_strconcat(class, " ", NULL);
    g_hash_table_iter_init(&iter, loads);
    while (g_hash_table_iter_next(&iter, &link, &load))
        if (g_str_has_prefix(link, prefix))
            most = MAX(most, *(uint64_t *)load);
    return most;
}

// Returns the sum of the loads of a class of links.
static uint64_t sum_of(GHashTable *loads, const char *class)
{
    GHashTableIter iter;
    gpointer link, load;
    uint64_t sum = 0;
    g_autofree char *prefix = g_strconcat(class, " ", NULL);
    g_hash_table_iter_init(&iter, loads);
    while (g_hash_table_iter_next(&iter, &link, &load))
        sum += g_str_has_prefix(link, prefix) ? *(uint64_t *)load : 0;
    return sum;
}

static void add_message(Reference *ref, int from, int to, uint64_t bytes)
{
    const gpointer pair = GINT_TO_POINTER(from * ref->hosts + to);
    GPtrArray *ways = from == to ? NULL : g_hash_table_lookup(ref->ways, pair);
    if (from != to && !ways)
        g_hash_table_insert(ref->ways, pair, ways = ways_of(ref->t, from, to));
    for (guint i = 0; ways && i < ways->len; i++) {
        const Way *way = ways->pdata[i];
        g_assert_cmpuint(ref->unit % ways->len, ==, 0);
        for (guint k = 0; k < way->len; k++) {
            add_load(ref->round, way->pdata[k], bytes * (ref->unit / ways->len));
            add_load(ref->run, way->pdata[k], bytes * (ref->unit / ways->len));
        }
    }
}

static const char *const networks[] = {"torus 4,4,4",
                                       "torus 8,3,3",
                                       "torus 2,6,6",
                                       "torus 64",
                                       "fat_tree 2;8,8;1,3;1,1",
                                       "fat_tree 3;4,4,4;1,2,2;1,1,1",
                                       "fat_tree 2;16,4;2,3;1,1",
                                       "dragonfly 4,1;2,1;4,1;2",
                                       "dragonfly 3,1;3,1;4,1;2",
                                       "dragonfly 9,1;4,1;2",
                                       "dragonfly 2,1;3,1;3,1;5",
                                       "dragonfly 1,1;2,1;3,1;4",
                                       "dragonfly 5,1;2,1;6,1;1",
                                       "dragonfly 5,3;4,2;4",
                                       "hyperx 4,4;4",
                                       "hyperx 3,4,3;2",
                                       "groups 4",
                                       "groups 6;12"};

static Topology topology_of(const char *text, TopologyRouting routing)
{
    GError *error = NULL;
    g_autofree char *name = g_strndup(text, strcspn(text, " "));
    int kind = 0;
    Topology t;
    while (strcmp(topology_names[kind], name) != 0)
        kind++;
    topology_make((TopologyKind)kind, text + strlen(name) + 1, &t, &error);
    g_assert_no_error(error);
    t.routing = t.kind == TOPOLOGY_DRAGONFLY && t.ours ? ROUTING_SPREAD : routing;
    return t;
}

// Returns the operation of an algorithm on p ranks, with blocks that differ where the algorithm lets them; its algorithm is
// NULL if it cannot run there, or sends no messages. *point is to be freed with point_free.
static Operation operation_of(const CollAlgorithm *a, int p, size_t m, Request *r, Point **point)
{
    g_autoptr(GError) error = NULL;
    *r = (Request){.question.collective = a->collective, .question.elem = 1};
    *point = point_new(r, a, p, p % 4 ? 0 : p / 4, a->collective == COLL_BARRIER ? 0 : m, &error);
    if (!*point || (*point)->ran != a || a->shared)
        return (Operation){0};
    return point_operation(r, *point);
}

// Holds the loads of one operation against the definition.
static void hold_loads(const Operation *op, const char *network, TopologyRouting routing, bool spread_hosts)
{
    Topology t = topology_of(network, routing);
    GError *error = NULL;
    const int p = op->c.p;
    g_autoptr(Network) n = network_new(&t, t.hosts ? t.hosts : p, &error);
    g_assert_no_error(error);
    g_autofree int *host = g_new(int, p);
    for (int i = 0; i < p; i++)
        host[i] = spread_hosts ? (5 * i + 3) % n->hosts : i % n->hosts;
    Schedule *s = schedule_record(op, NULL);
    g_autoptr(Loads) l = loads_new(s, n, &(LoadsOptions){.host = host, .rows = true, .between = true}, &error);
    g_assert_no_error(error);
    Reference ref = {&n->topology, n->hosts, (uint64_t)n->whole};
    ref.unit *= 720; // whole numbers for every number of ways
    ref.ways = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_ptr_array_unref);
    ref.run = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    g_autoptr(GArray) messages = rounds_play(op);
    uint64_t most[TOPOLOGY_CLASSES] = {0};
    guint row = 0;
    for (guint i = 0, end; i < messages->len; i = end) {
        const RoundMessage *first = &g_array_index(messages, RoundMessage, i);
        ref.round = g_hash_table_new_full(NULL, NULL, NULL, g_free);
        for (end = i; end < messages->len && g_array_index(messages, RoundMessage, end).round == first->round; end++) {
            const RoundMessage *x = &g_array_index(messages, RoundMessage, end);
            add_message(&ref, host[x->from], host[x->to], x->bytes);
        }
        const LoadRow *at = &g_array_index(l->rows, LoadRow, row);
        row += at->last + 1 == first->round;
        for (int c = 0; c < n->n_classes; c++) {
            const uint64_t load = most_of(ref.round, n->class[c].name);
            most[c] = MAX(most[c], load);
            g_assert_cmpuint(at->most[c] * 720, ==, load);
        }
        g_hash_table_unref(ref.round);
    }
    g_assert_cmpint(l->rounds, ==, messages->len ? g_array_index(messages, RoundMessage, messages->len - 1).round : 0);
    for (int c = 0; c < n->n_classes; c++) {
        g_assert_cmpuint(l->class[c].most * 720, ==, most[c]);
        g_assert_cmpuint(l->class[c].busiest * 720, ==, most_of(ref.run, n->class[c].name));
        g_assert_cmpuint(l->class[c].sum * 720, ==, sum_of(ref.run, n->class[c].name));
    }
    uint64_t between = 0;
    for (int i = 0; i < l->parts * l->parts; i++)
        between += l->between[i];
    g_assert_cmpuint(between, ==, l->bytes);
    g_hash_table_unref(ref.run);
    g_hash_table_unref(ref.ways);
    schedule_free(s);
    topology_clear(&t);
}

static void test_definition(void)
{
    guint point = 0, held = 0;
    for (const CollAlgorithm *const *a = algorithms; a < algorithms + n_algorithms; a++)
        for (size_t k = 0; k < G_N_ELEMENTS(networks); k++, point++) {
            static const int ranks[] = {16, 13, 64, 8, 24};
            static const size_t bytes[] = {8192, 1000, 7};
            if (!sample_takes(point, 8))
                continue;
            Request r;
            Point *x;
            const Operation op = operation_of(*a, ranks[point % 5], bytes[point / 5 % 3], &r, &x);
            if (op.algorithm) {
                g_test_message("%s %s p=%d m=%d %s", collectives[(*a)->collective].name, (*a)->name, op.c.p, (int)op.m,
                               networks[k]);
                hold_loads(&op, networks[k], point / 3 % 2 ? ROUTING_SPREAD : ROUTING_MINIMAL, point / 2 % 2);
                held++;
            }
            point_free(x);
            request_clear(&r);
        }
    g_test_message("%u operations", held);
    g_assert_cmpuint(held, >, 50);
}

// Rings of blocks that differ by an element, where two ranks send another length in each round than before.
static void test_uneven(void)
{
    static const char *const names[] = {"ring", "k_ring"};
    for (size_t k = 0; k < G_N_ELEMENTS(networks); k++)
        for (size_t m = 130; m < 1500; m = 3 * m + 11)
            for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
                Request r;
                Point *x;
                const int p = k % 3 ? 24 : 64;
                const Operation op = operation_of(algorithm_find(COLL_ALLREDUCE, names[i]), p, m, &r, &x);
                g_assert_nonnull(op.algorithm);
                g_test_message("%s p=%d m=%zu %s", names[i], op.c.p, m, networks[k]);
                hold_loads(&op, networks[k], (TopologyRouting)(k % 2), m % 2);
                point_free(x);
                request_clear(&r);
            }
}

// The last round is that of a run in which only alpha costs something, under every discipline.
static void test_rounds(void)
{
    Topology t = topology_of("torus 4,4,4", ROUTING_MINIMAL);
    g_autoptr(Network) n = network_new(&t, 64, NULL);
    guint point = 0;
    for (const CollAlgorithm *const *a = algorithms; a < algorithms + n_algorithms; a++)
        for (int p = 5; p <= 64; p = p * 2 + 3) {
            if (!sample_takes(point++, 3))
                continue;
            Request r;
            Point *x;
            const Operation op = operation_of(*a, p, 960, &r, &x);
            g_autofree int *host = g_new(int, p);
            for (int i = 0; i < p; i++)
                host[i] = i;
            for (int transfer = 0; op.algorithm && transfer < 3; transfer++) {
                Schedule *s = schedule_record(&op, NULL);
                const Hockney unit = {.alpha = 1, .transfer = (Transfer)transfer};
                g_autoptr(Replay) ran = replay(s, &unit, &(ReplayOptions){.full = true}, NULL);
                g_autoptr(Loads) l =
                    loads_new(s, n, &(LoadsOptions){.transfer = (Transfer)transfer, .host = host}, NULL);
                g_test_message("%s %s p=%d, discipline %d", collectives[(*a)->collective].name, (*a)->name, p,
                               transfer);
                if (transfer < 2)
                    g_assert_cmpfloat((double)l->rounds, ==, ran->time_s);
                else // the last message may wait at its receiver's port
                    g_assert_cmpfloat((double)l->rounds, <=, ran->time_s);
                g_assert_cmpuint(l->messages, ==, schedule_totals(s).messages - l->inside);
                g_assert_cmpuint(l->bytes, ==, schedule_totals(s).bytes_sent - l->bytes_inside);
                schedule_free(s);
            }
            point_free(x);
            request_clear(&r);
        }
    topology_clear(&t);
}

// Where hosts turn alike, one part of the network stands for all, with the same loads as if all were looked at.
static void test_turns(void)
{
    for (size_t k = 0; k < G_N_ELEMENTS(networks); k++)
        for (int routing = 0; routing < N_ROUTINGS; routing++) {
            Topology t = topology_of(networks[k], (TopologyRouting)routing);
            const int p = t.hosts ? t.hosts : 16;
            g_autoptr(Network) n = network_new(&t, p, NULL);
            Network every = *n;
            every.unit = 0;
            if (t.kind == TOPOLOGY_DRAGONFLY) // only its routes count
                every.topology.kind = TOPOLOGY_GROUPS;
            static const char *const names[] = {"pairwise", "bruck", "linear"};
            g_autofree int *host = g_new(int, p);
            for (int i = 0; i < p; i++)
                host[i] = i;
            for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
                Request r;
                Point *x;
                const Operation op = operation_of(algorithm_find(COLL_ALLTOALL, names[i]), p, 24, &r, &x);
                Schedule *s = schedule_record(&op, NULL);
                const LoadsOptions o = {.host = host, .rows = true, .between = true};
                g_autoptr(Loads) few = loads_new(s, n, &o, NULL), all = loads_new(s, &every, &o, NULL);
                for (int c = 0; c < n->n_classes; c++) {
                    const LoadClass *a = &few->class[c], *b = &all->class[c];
                    g_assert_cmpuint(a->sum, ==, b->sum);
                    g_assert_cmpuint(a->messages, ==, b->messages);
                    g_assert_cmpuint(a->bytes, ==, b->bytes);
                    g_assert_cmpuint(a->busiest, ==, b->busiest);
                    g_assert_cmpuint(a->most, ==, b->most);
                    g_assert_cmpuint(a->rounds, ==, b->rounds);
                }
                g_assert_cmpuint(few->rows->len, ==, all->rows->len);
                g_assert_cmpmem(few->between, (gsize)few->parts * few->parts * 8, all->between,
                                (gsize)all->parts * all->parts * 8);
                schedule_free(s);
                point_free(x);
                request_clear(&r);
            }
            topology_clear(&t);
        }
}

// ---- Nodes ----------------------------------------------------------------------------------------------------------

static void assert_refused(GError *error, const char *message)
{
    g_assert_error(error, COLLSIM_ERROR, COLLSIM_ERROR_INPUT);
    g_assert_cmpstr(error->message, ==, message);
    g_error_free(error);
}

// Returns the host of each node as text, "3 0 1", or the error.
static char *place(const char *network, const char *table, const char *nodes, const char *file, int n)
{
    Topology t = topology_of(network, ROUTING_MINIMAL);
    g_autoptr(GError) error = NULL;
    g_autoptr(Hosts) hosts = table ? hosts_parse(&t, "hosts", table, strlen(table), &error) : NULL;
    g_auto(Placement) spec = {0};
    g_autofree int *host = NULL;
    GString *text = g_string_new(NULL);
    const gboolean good = !error && (file ? placement_parse_text("nodes", file, strlen(file), &spec, &error)
                                          : placement_parse(nodes, &spec, &error));
    g_autoptr(Network) network_of = good ? placement_make(&spec, spec.seed, &t, hosts, n, &host, &error) : NULL;
    for (int i = 0; network_of && i < n; i++)
        g_string_append_printf(text, "%s%d", i ? " " : "", host[i]);
    if (!network_of)
        g_string_append(text, error->message);
    topology_clear(&t);
    return g_string_free(text, FALSE);
}

static void test_nodes(void)
{
#define NO_SEEDS                                                                                                       \
    " has no valid numbers; allowed: random:SEED or fragment:C:SEED with C from 1 on, and a number from 0 to "         \
    "4294967295 "                                                                                                      \
    "or a range of at most 1000, such as 1..20, for SEED"
#define LEONARDO "# cells\nlrdn[0001-0004] 0\nlrdn[0005,0007] 1\nlogin1,login2 2\n"
    static const struct {
        const char *network, *table, *nodes, *file;
        int n;
        const char *want;
    } cases[] = {
        {"torus 4", NULL, "order", NULL, 3, "0 1 2"},
        {"torus 4", NULL, "order", NULL, 5,
         "topology torus 4 has 4 hosts, 5 are needed; allowed: a larger shape, or fewer nodes"},
        {"groups 4", LEONARDO, NULL, "lrdn0005\nlogin2 lrdn[0001-0002]\n", 4, "4 9 0 1"},
        {"groups 4", LEONARDO, NULL, "MPI_Rank,allocation,xname\n0,lrdn0007,a\n1,lrdn0007,a\n2,lrdn0003,b\n", 2, "5 2"},
        {"groups 4", LEONARDO, NULL, "MPI_Rank,allocation\r\n0,lrdn0007 \r\n1, lrdn0003\r\n", 2, "5 2"},
        {"groups 4", LEONARDO, NULL, "MPI_Rank,allocation\n0,lrdn0007\n2,lrdn0003\n", 2,
         "nodes:3: '2,lrdn0003' is not a row; allowed: the rank, here 1, and its host"},
        {"groups 4", LEONARDO, NULL, "lrdn0005\n\nlrdn0006\n", 2,
         "nodes:3: 'lrdn0006' is not a host of hosts; allowed: the names in that file"},
        {"groups 4", LEONARDO, NULL, "lrdn0005\n\nlrdn[0001-0005]\n", 6,
         "nodes:3: 'lrdn0005' is there twice, first in line 1; allowed: each host once"},
        {"groups 4", LEONARDO, NULL, "lrdn0005\n", 2,
         "nodes: the file names 1 host, 2 are needed; allowed: a host for each node"},
        {"groups 4", LEONARDO, NULL, "# nobody\n", 2, "nodes: the file has no host; allowed: names of hosts"},
        {"torus 4,4", "a[8-11] 8\nb 0\n", NULL, "a9 b", 2, "9 0"},
        {"torus 4,4", NULL, NULL, "[3-5],1", 4, "3 4 5 1"},
        {"torus 4,4", NULL, NULL, "n1", 1,
         "nodes:1: 'n1' is not a host; allowed: numbers from 0 to 15, or names with hosts = FILE in [topology]"},
        {"torus 4,4", "a[8-16] 8\n", NULL, "a9", 1, "hosts:1: host 16 is beyond the topology; allowed: hosts 0 to 15"},
        {"torus 4,4", "a[8-15] 8\n", NULL, "a15", 1, "15"},
        {"torus 4,4", "a 16\n", NULL, "a", 1, "hosts:1: host 16 is beyond the topology; allowed: hosts 0 to 15"},
        {"groups 2;3", "a 3\n", NULL, "a", 1, "hosts:1: group 3 is beyond the topology; allowed: groups 0 to 2"},
        {"torus 4,4", "a 1\nb 1\n", NULL, "a\nb", 2,
         "nodes:2: 'b' is the same host as 'a' in line 1; allowed: each host once"},
        {"torus 4,4", "a 1\na 2\n", NULL, "a", 1, "hosts:2: a is there twice; allowed: each host once"},
        {"torus 4,4", "a\n", NULL, "a", 1,
         "hosts:1: 'a' is not a host; allowed: names and the number of the first host, such as n[001-064] 0"},
        {"groups 2", "a[1-3] 0\n", NULL, "a1", 1,
         "hosts:1: a3 is one host too many for its group; allowed: 2 hosts in a group"},
        {"torus 4,4", NULL, NULL, "n[1-", 1,
         "nodes:1: 'n[1-' has [ without ]; allowed: names such as n1, or n[001-064,100] for several"},
        {"torus 4,4", NULL, NULL, "n[2-1]", 1,
         "nodes:1: 'n[2-1]' has a range that goes down; allowed: names such as n1, or n[001-064,100] for several"},
        {"torus 4,4", NULL, NULL, "n[0-9][0-9][0-9][0-9][0-9][0-9][0-9]", 1,
         "nodes:1: 'n[0-9][0-9][0-9][0-9][0-9][0-9][0-9]' makes too many names, more than 2^20; allowed: names such as "
         "n1, or n[001-064,100] for several"},
        {"torus 1", NULL, "random:1..1000", NULL, 1, "0"},
        {"torus 1", NULL, "random:4294967295", NULL, 1, "0"},
        {"torus 1", NULL, "random:1..1001", NULL, 1, "--nodes 'random:1..1001'" NO_SEEDS},
        {"torus 1", NULL, "random:2..1", NULL, 1, "--nodes 'random:2..1'" NO_SEEDS},
        {"torus 1", NULL, "random:4294967296", NULL, 1, "--nodes 'random:4294967296'" NO_SEEDS},
        {"torus 4,4", NULL, "random:", NULL, 1, "--nodes 'random:'" NO_SEEDS},
        {"torus 4,4", NULL, "rando", NULL, 1,
         "--nodes 'rando' is neither a placement nor a readable file, did you mean random? allowed: order, "
         "random:SEED, "
         "fragment:C:SEED, or a file"},
        {"groups 4", NULL, "fragment:2:1", NULL, 3,
         "--nodes fragment needs to know how many groups there are; allowed: shape = 4;GROUPS"},
        {"groups 4;3", NULL, "fragment:2:1", NULL, 9,
         "--nodes fragment: 9 nodes do not fit into 2 of 3 groups of 4 hosts with a node in each; allowed: 3 to 3 "
         "groups"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *got = place(cases[i].network, cases[i].table, cases[i].nodes, cases[i].file, cases[i].n);
        g_assert_cmpstr(got, ==, cases[i].want);
    }
}

static void test_random_nodes(void)
{
    enum { NODES = 40 };
    g_autofree char *a = place("groups 16;8", NULL, "random:7", NULL, NODES),
                    *b = place("groups 16;8", NULL, "random:7", NULL, NODES),
                    *c = place("groups 16;8", NULL, "random:8", NULL, NODES);
    g_assert_cmpstr(a, ==, b);
    g_assert_cmpstr(a, !=, c);
    int begins = 0, ends = 0; // fragments smaller than a group that have its first host, and its last one
    for (int parts = 3; parts <= 8; parts++)
        for (int seed = 0; seed < 20; seed++) {
            g_autofree char *spec = g_strdup_printf("fragment:%d:%d", parts, seed),
                            *got = place("groups 16;8", NULL, spec, NULL, NODES);
            g_auto(GStrv) words = g_strsplit(got, " ", -1);
            int in = 0, last = -1;
            int8_t used[128] = {0};
            g_assert_cmpuint(g_strv_length(words), ==, NODES);
            for (int i = 0; i < NODES; i++) {
                const int host = atoi(words[i]);
                g_assert_cmpint(host, >, last);
                in += last < 0 || host / 16 != last / 16;
                g_assert_true(last < 0 || host / 16 != last / 16 || host == last + 1);
                last = host;
                used[host] = 1;
            }
            g_assert_cmpint(in, ==, parts);
            for (int group = 0; group < 8; group++)
                if (memchr(&used[16 * group], 0, 16)) { // it had room to choose where the fragment begins
                    begins += used[16 * group];
                    ends += used[16 * group + 15];
                }
        }
    // Fragments begin with the first host of a group and end with the last one as often.
    g_assert_cmpint(begins, >, 20);
    g_assert_cmpint(ends, >, 20);
}

// ---- Topologies in platforms, and surveys ---------------------------------------------------------------------------

static void test_sections(void)
{
#define TORUS "kind = torus\nshape = 4,4\nshape.source = x\n"
    static const struct {
        const char *text, *message;
    } bad[] = {
        {TORUS "rate = 6GB/s\n", "f.ini:5: rate has no source; allowed: with rate.source = where it comes from"},
        {TORUS "rate.dim3 = 6GB/s\nrate.dim3.source = x\n",
         "f.ini:5: unknown class of links of torus 4,4 'dim3', did you mean dim1? allowed: dim1, dim2"},
        {TORUS "rate.dim1.source = x\n", "f.ini:5: rate.dim1.source has no figure; allowed: with rate.dim1 = value"},
        {TORUS "hop = 3\nhop.source = x\n", NULL},
        {TORUS "rate = 6GB/s\nrate.source = x\nbackground.dim1 = 1\n",
         "f.ini:7: background.dim1 '1' is not a share of a rate; allowed: from 0 to below 1, such as 0.3"},
        {TORUS "background.dim1 = 0.3\n",
         "f.ini:5: background.dim1 has no rate to take from; allowed: with rate or rate.dim1"},
        {TORUS "background.dim3 = 0.3\n",
         "f.ini:5: unknown class of links of torus 4,4 'dim3', did you mean dim1? allowed: dim1, dim2"},
        {TORUS "background.CLASS = 0.3\n", NULL},
        {TORUS "routing = adaptive\n", "f.ini:5: unknown routing 'adaptive'; allowed: minimal, spread"},
        {TORUS "hosts =\n",
         "f.ini:5: hosts is empty; allowed: a file with a line for each host, its name and its number"},
        {"kind = flat\nrate = 6GB/s\nrate.source = x\n", "f.ini:3: a flat topology has no rate; allowed: another kind"},
        {"rate = 6GB/s\nrate.source = x\n",
         "f.ini:2: [topology] has no kind; allowed: kind = flat, fat_tree, torus, dragonfly, hyperx or groups"},
        {"kind = groups\nshape = 4,4\nshape.source = x\n",
         "f.ini:3: shape '4,4' is not a number of groups; allowed: the hosts in a group, or these and the number of "
         "groups, such as 256;6"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        GError *error = NULL;
        g_autofree char *text = g_strconcat("[topology]\n", bad[i].text, NULL);
        g_assert_null(platform_parse("f.ini", text, strlen(text), &error));
        if (bad[i].message)
            assert_refused(error, bad[i].message);
        else
            g_error_free(error);
    }
    static const char good[] =
        "[topology]\n" TORUS
        "routing = spread\nrate = 6GB/s\nrate.source = y\nrate.dim2 = 3GB/s\nrate.dim2.source = z\n"
        "hop = 0.1us\nhop.source = w\nhosts = h.txt\nbackground = 0.5\nbackground.dim2 = 0.25\n";
    g_autoptr(Platform) x = platform_parse("folder/f.ini", good, strlen(good), NULL), y = platform_copy(x);
    const TopologyLinks *links = y->topology.links;
    g_assert_cmpint(y->topology.routing, ==, ROUTING_SPREAD);
    g_assert_cmpfloat_with_epsilon(links->per_byte_s[0], 1 / 3e9, 1e-18);
    g_assert_cmpfloat_with_epsilon(links->per_byte_s[1], 1 / 2.25e9, 1e-18);
    g_assert_cmpstr(links->source[1], ==, "z");
    g_assert_cmpfloat(links->hop_s, ==, 1e-7);
    g_assert_cmpstr(links->hosts, ==, "folder/h.txt");
}

static void test_survey(void)
{
    for (size_t k = 0; k < G_N_ELEMENTS(networks); k++) {
        Topology t = topology_of(networks[k], ROUTING_MINIMAL);
        g_autoptr(Network) n = network_new(&t, 24, NULL);
        g_autoptr(GArray) distances = network_distances(n, n->hosts);
        uint64_t pairs = 0;
        for (guint i = 0; i < distances->len; i++)
            pairs += g_array_index(distances, uint64_t, i);
        g_assert_cmpuint(pairs, ==, (uint64_t)n->hosts * (uint64_t)(n->hosts - 1));
        const double share = network_pairing(n, 1);
        g_assert_true(t.kind == TOPOLOGY_GROUPS ? share != share : share > 0 && share <= 1);
        topology_clear(&t);
    }
    Topology t = topology_of("torus 4,4,8", ROUTING_MINIMAL);
    g_autoptr(Network) n = network_new(&t, 1, NULL);
    g_assert_cmpint(network_cut(n, 2), ==, 32);
    g_assert_cmpint(network_cut(n, 1), ==, 0);
    g_assert_cmpint(n->class[2].links, ==, 256);
    topology_clear(&t);
}

// ---- Copies that threads share --------------------------------------------------------------------------------------

enum { COPYING = 4, COPIES = 50000, SHARED = 20 };

static gpointer copy_often(gpointer data)
{
    const Topology *t = data;
    for (int i = 0; i < COPIES; i++) {
        Topology copy = topology_copy(t);
        topology_clear(&copy);
    }
    return NULL;
}

// The runs of many points copy one topology at the same time. If two of them count its owners at once and one is lost, a
// copy is freed while it is in use, or never, which a second free or a sanitizer shows.
static void test_copies(void)
{
    for (int k = 0; k < SHARED; k++) {
        Topology t = topology_of("torus 4,4", ROUTING_MINIMAL);
        GThread *thread[COPYING];
        for (int i = 0; i < COPYING; i++)
            thread[i] = g_thread_new("copy", copy_often, &t);
        for (int i = 0; i < COPYING; i++)
            g_thread_join(thread[i]);
        topology_clear(&t);
    }
}

static void add_tests(void)
{
    g_test_add_func("/network/definition", test_definition);
    g_test_add_func("/network/uneven", test_uneven);
    g_test_add_func("/network/rounds", test_rounds);
    g_test_add_func("/network/turns", test_turns);
    g_test_add_func("/network/nodes", test_nodes);
    g_test_add_func("/network/random-nodes", test_random_nodes);
    g_test_add_func("/network/sections", test_sections);
    g_test_add_func("/network/survey", test_survey);
    g_test_add_func("/network/copies", test_copies);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}

#include "engine/network/shifts.h"
#include <string.h>

enum { HOST, CHASSIS, GROUP, GLOBAL };

// What the routers of a group exchange with one other group: the messages of each router.
typedef struct Exchange {
    const uint64_t *of; // by router of the group
    uint64_t all;       // their sum
    uint64_t *column;   // by number of a router in its chassis: the sum over chassis
    uint64_t *first;    // .. and the load of its link in chassis 0 to the gateway, or from it
    uint64_t *row;      // by chassis: the sum over its routers
    int top[2];         // the two columns whose links within chassis have the largest loads, and these
    uint64_t top_load[2];
    int gate; // the gateway's number
} Exchange;

struct Shifts {
    const Network *n;
    int G, C, R, N; // groups, chassis, routers of a chassis, hosts of a router
    uint64_t W;     // Network.whole
    bool spread;
    uint64_t *space; // of the four exchanges
    Exchange out[2],
        in[2];         // to the group kg further and to the next one; from the group kg back and from the one before
    uint64_t *local;   // loads within a group, of its links of both classes
    uint64_t *scratch; // the same, with what leaves and enters a group
    uint64_t *noted;   // by shift: bytes
};

Shifts *shifts_new(const Network *n)
{
    if (n->topology.kind != TOPOLOGY_DRAGONFLY || n->topology.ours)
        return NULL;
    Shifts *x = g_new0(Shifts, 1);
    *x = (Shifts){.n = n, .G = n->sizes[0], .C = n->sizes[1], .R = n->sizes[2], .N = n->per_switch, .W = n->whole};
    x->spread = n->whole == 2;
    const int routers = x->C * x->R, each = routers + 2 * x->R + x->C, links = routers * (x->R + x->C);
    x->space = g_new0(uint64_t, 4 * each);
    for (int i = 0; i < 4; i++) {
        uint64_t *at = x->space + (ptrdiff_t)i * each;
        *(i < 2 ? &x->out[i] : &x->in[i - 2]) =
            (Exchange){.of = at, .column = at + routers, .first = at + routers + x->R, .row = at + routers + 2 * x->R};
    }
    x->local = g_new0(uint64_t, links);
    x->scratch = g_new0(uint64_t, links);
    x->noted = g_new0(uint64_t, n->hosts);
    return x;
}

void shifts_free(Shifts *x)
{
    if (!x)
        return;
    g_free(x->space);
    g_free(x->local);
    g_free(x->scratch);
    g_free(x->noted);
    g_free(x);
}

// ---- Links of a group: those from a router within its chassis, then those to other chassis --------------------------

static uint64_t *chassis_link(const Shifts *x, uint64_t *links, int router, int to)
{
    return &links[router * x->R + to];
}

static uint64_t *group_link(const Shifts *x, uint64_t *links, int router, int to)
{
    return &links[(x->C * x->R) * x->R + router * x->C + to];
}

// Adds messages within a group from one router to another, as within_group() of the routes does.
static void add_within(const Shifts *x, uint64_t *links, int from, int to, uint64_t messages)
{
    const int R = x->R, c = from / R, r = from % R, c2 = to / R, r2 = to % R;
    const bool both = x->spread && c != c2 && r != r2;
    const uint64_t load = both ? messages : messages * x->W;
    if (r != r2)
        *chassis_link(x, links, from, r2) += load;
    if (c != c2)
        *group_link(x, links, c * R + r2, c2) += load;
    if (both) {
        *group_link(x, links, from, c2) += load;
        *chassis_link(x, links, c2 * R + r, r2) += load;
    }
}

// ---- A round --------------------------------------------------------------------------------------------------------

// Completes an exchange from the messages of its routers. `enters` says that the group receives them.
static void complete_exchange(const Shifts *x, Exchange *e, bool enters)
{
    e->all = 0;
    memset(e->column, 0, (size_t)x->R * sizeof *e->column);
    for (int c = 0; c < x->C; c++) {
        e->row[c] = 0;
        for (int r = 0; r < x->R; r++) {
            e->row[c] += e->of[c * x->R + r];
            e->column[r] += e->of[c * x->R + r];
        }
        e->all += e->row[c];
    }
    for (int r = 0; r < x->R;
         r++) // what changes its chassis reaches chassis 0 first if it enters, or if half of it does
        e->first[r] = x->W * e->of[r] + (enters || x->spread ? e->column[r] - e->of[r] : 0);
    e->top[0] = e->top[1] = -1;
    e->top_load[0] = e->top_load[1] = 0;
    for (int r = 0; r < x->R; r++) {
        uint64_t load = e->first[r];
        for (int c = 1; (!enters || x->spread) && c < x->C; c++)
            load = MAX(load, e->of[c * x->R + r]);
        const int at = load > e->top_load[0] ? 0 : 1;
        if (load <= e->top_load[at])
            continue;
        if (at == 0) {
            e->top[1] = e->top[0];
            e->top_load[1] = e->top_load[0];
        }
        e->top[at] = r;
        e->top_load[at] = load;
    }
}

// Sets the exchanges of a shift by `rest` hosts more than whole groups.
static void set_exchanges(Shifts *x, int rest)
{
    const int routers = x->C * x->R, N = x->N, S = routers * N;
    uint64_t *a = (uint64_t *)x->out[0].of, *b = (uint64_t *)x->out[1].of, *ia = (uint64_t *)x->in[0].of,
             *ib = (uint64_t *)x->in[1].of;
    for (int i = 0; i < routers; i++) {
        a[i] = (uint64_t)CLAMP(S - rest - i * N, 0, N);
        b[i] = (uint64_t)N - a[i];
        ib[i] = (uint64_t)CLAMP(rest - i * N, 0, N);
        ia[i] = (uint64_t)N - ib[i];
    }
    for (int i = 0; i < 2; i++) {
        complete_exchange(x, &x->out[i], false);
        complete_exchange(x, &x->in[i], true);
    }
}

// Returns the largest load of links within chassis: of one exchange, and where what leaves meets what enters.
static uint64_t most_within(const Exchange *e)
{
    return e->top[0] == e->gate ? e->top_load[1] : e->top_load[0];
}

static uint64_t most_meeting(const Shifts *x, const Exchange *out, const Exchange *in)
{
    const int r = in->gate, gate = out->gate;
    if (r == gate)
        return 0;
    uint64_t most = out->first[r] + in->first[gate];
    for (int c = 1; x->spread && c < x->C; c++)
        most = MAX(most, out->of[c * x->R + r] + in->of[c * x->R + gate]);
    return most;
}

// Returns the largest load of links between chassis 0 and the others, by all that leaves or enters. A router that is no
// gateway has all messages of its hosts there, or none.
static uint64_t most_between(const Shifts *x, const Exchange *const *e, int n, bool enters)
{
    const bool others = enters || x->spread;
    uint64_t most = others && x->R > n && x->C > 1 ? (uint64_t)x->N : 0;
    for (int i = 0; i < n; i++)
        for (int c = 1; c < x->C; c++) {
            uint64_t load = 0;
            for (int k = 0; k < n; k++) {
                const uint64_t own = e[k]->of[c * x->R + e[i]->gate];
                if (k == i)
                    load += x->W * own + (!enters || x->spread ? e[k]->row[c] - own : 0);
                else
                    load += others ? own : 0;
            }
            most = MAX(most, load);
        }
    return most;
}

// The same with what stays in the group, whose loads are x->local.
static void most_with_local(Shifts *x, const Exchange *const *out, const Exchange *const *in, int n, uint64_t *chassis,
                            uint64_t *group)
{
    const int routers = x->C * x->R, cut = routers * x->R, links = cut + routers * x->C;
    memcpy(x->scratch, x->local, (size_t)links * sizeof *x->scratch);
    for (int i = 0; i < n; i++)
        for (int router = 0; router < routers; router++) {
            add_within(x, x->scratch, router, out[i]->gate, out[i]->of[router]);
            add_within(x, x->scratch, in[i]->gate, router, in[i]->of[router]);
        }
    for (int i = 0; i < cut; i++)
        *chassis = MAX(*chassis, x->scratch[i]);
    for (int i = cut; i < links; i++)
        *group = MAX(*group, x->scratch[i]);
}

// Counts the messages of a shift by `rest` that stay in router columns, or in chassis: of one group, those to the group
// kg further if which is 0, or to the next one. Calls with the router, and the router that it sends to.
typedef struct RouterPair {
    int router, to;    // numbers within their groups
    uint64_t messages; // from one to the other
    int which;         // the exchange that they are in
} RouterPair;

static RouterPair pair_at(const Shifts *x, int rest, int router, int second)
{
    const int routers = x->C * x->R, more = rest % x->N, to = router + rest / x->N + second;
    return (RouterPair){router, to < routers ? to : to - routers, (uint64_t)(second ? more : x->N - more),
                        to >= routers};
}

// Counts what does not use links within chassis (*no_chassis) and between chassis (*no_group), of all groups, and what
// stays in its group.
static void count_unused(const Shifts *x, int kg, int rest, uint64_t *no_chassis, uint64_t *no_group, uint64_t *stay)
{
    const int R = x->R, G = x->G;
    for (int router = 0; router < x->C * R; router++)
        for (int second = 0; second < 2; second++) {
            const RouterPair m = pair_at(x, rest, router, second);
            const int away = (kg + m.which) % G, r = router % R, r2 = m.to % R;
            const bool local = away == 0;
            if (!m.messages)
                continue;
            // Of all groups g, the one whose gateway to g + away is r, if its number is that of the gateway back.
            const int g = (r - away + G) % G;
            if (local ? r == r2 : r < G && r2 == g)
                *no_chassis += local ? m.messages * (uint64_t)G : m.messages;
            if (local ? router / R == m.to / R : router / R == 0 && m.to / R == 0)
                *no_group += m.messages * (uint64_t)G;
            if (local)
                *stay += m.messages * (uint64_t)G;
        }
}

// Finds the loads of what stays in a group.
static void find_local(Shifts *x, int kg, int rest)
{
    memset(x->local, 0, (size_t)(x->C * x->R) * (size_t)(x->R + x->C) * sizeof *x->local);
    for (int router = 0; router < x->C * x->R; router++)
        for (int second = 0; second < 2; second++) {
            const RouterPair m = pair_at(x, rest, router, second);
            if (m.messages && (kg + m.which) % x->G == 0)
                add_within(x, x->local, router, m.to, m.messages);
        }
}

// Adds what leaves a group by an exchange, or enters it, to the sums over links.
static void add_sums(const Shifts *x, const Exchange *e, RoundPart *part)
{
    part[CHASSIS].sum += x->W * (e->all - e->column[e->gate]);
    part[GROUP].sum += x->W * (e->all - e->row[0]);
}

void shifts_round(Shifts *x, int k, RoundPart *part)
{
    const int G = x->G, S = x->C * x->R * x->N, kg = k / S, rest = k % S;
    const uint64_t hosts = (uint64_t)x->n->hosts;
    uint64_t unused[2] = {0}, stay = 0;
    memset(part, 0, (GLOBAL + 1) * sizeof *part);
    set_exchanges(x, rest);
    count_unused(x, kg, rest, &unused[0], &unused[1], &stay);
    if (stay) {
        find_local(x, kg, rest);
        for (int i = 0; i < x->C * x->R * x->R; i++)
            part[CHASSIS].sum += x->local[i] * (uint64_t)G;
        for (int i = 0; i < x->C * x->R * x->C; i++)
            part[GROUP].sum += x->local[x->C * x->R * x->R + i] * (uint64_t)G;
    }
    for (int g = 0; g < G; g++) {
        const Exchange *out[2], *in[2];
        int n = 0;
        for (int i = 0; i < 2; i++) {
            const int away = (kg + i) % G;
            if (away == 0 || x->out[i].all == 0)
                continue;
            x->out[i].gate = (g + away) % G;
            x->in[i].gate = (g - away + G) % G;
            out[n] = &x->out[i];
            in[n++] = &x->in[i];
            add_sums(x, &x->out[i], part);
            add_sums(x, &x->in[i], part);
            part[GLOBAL].sum += x->W * x->out[i].all;
            part[GLOBAL].most = MAX(part[GLOBAL].most, x->W * x->out[i].all);
        }
        if (stay) {
            most_with_local(x, out, in, n, &part[CHASSIS].most, &part[GROUP].most);
            continue;
        }
        for (int i = 0; i < n; i++) {
            part[CHASSIS].most = MAX(part[CHASSIS].most, MAX(most_within(out[i]), most_within(in[i])));
            for (int j = 0; j < n; j++)
                part[CHASSIS].most = MAX(part[CHASSIS].most, most_meeting(x, out[i], in[j]));
        }
        const uint64_t leaves = most_between(x, out, n, false), enters = most_between(x, in, n, true);
        part[GROUP].most = MAX(part[GROUP].most, MAX(leaves, enters));
    }
    part[HOST] = (RoundPart){.sum = 2 * x->W * hosts, .messages = hosts, .most = x->W};
    part[CHASSIS].messages = hosts - unused[0];
    part[GROUP].messages = hosts - unused[1];
    part[GLOBAL].messages = hosts - stay;
    for (int i = HOST; i <= GLOBAL; i++) {
        part[i].bytes = part[i].messages;
        part[i].link = part[i].most ? LINK_UNKNOWN : -1;
    }
}

// ---- The whole run --------------------------------------------------------------------------------------------------

void shifts_note(Shifts *x, int k, uint64_t bytes)
{
    x->noted[k] += bytes;
}

// Returns, by how many routers further, what a router sends to that router.
static uint64_t *router_bytes(const Shifts *x)
{
    const int N = x->N, routers = x->n->hosts / N;
    uint64_t *bytes = g_new0(uint64_t, routers);
    for (int k = 1; k < x->n->hosts; k++) {
        const uint64_t more = (uint64_t)(k % N);
        bytes[k / N] += x->noted[k] * ((uint64_t)N - more);
        bytes[(k / N + 1) % routers] += x->noted[k] * more;
    }
    return bytes;
}

// Adds the loads of one group's links.
static void add_group_loads(const Shifts *x, int g, const uint64_t *bytes, uint64_t *links, uint64_t *total)
{
    const int in_group = x->C * x->R, routers = x->G * in_group;
    memset(links, 0, (size_t)in_group * (size_t)(x->R + x->C) * sizeof *links);
    for (int a = 0; a < in_group; a++)
        for (int g2 = 0; g2 < x->G; g2++) {
            uint64_t leaves = 0, enters = 0; // between router a of group g and all routers of group g2
            for (int b = 0; b < in_group; b++) {
                const int away = (g2 * in_group + b - g * in_group - a + routers) % routers;
                if (g2 == g)
                    add_within(x, links, a, b, bytes[away]);
                leaves += bytes[away];
                enters += bytes[away ? routers - away : 0];
            }
            if (g2 == g)
                continue;
            add_within(x, links, a, g2, leaves);
            add_within(x, links, g2, a, enters);
            total[x->n->class[GLOBAL].first + g * x->G + g2] += x->W * leaves;
        }
    const int cut = in_group * x->R;
    for (int i = 0; i < cut; i++)
        total[x->n->class[CHASSIS].first + g * cut + i] += links[i];
    for (int i = 0; i < in_group * x->C; i++)
        total[x->n->class[GROUP].first + g * in_group * x->C + i] += links[cut + i];
}

void shifts_loads(const Shifts *x, uint64_t *total)
{
    g_autofree uint64_t *bytes = router_bytes(x), *links = g_new(uint64_t, x->C * x->R * (x->R + x->C));
    uint64_t all = 0;
    for (int k = 1; k < x->n->hosts; k++)
        all += x->noted[k];
    for (int g = 0; all && g < x->G; g++)
        add_group_loads(x, g, bytes, links, total);
    for (int32_t i = 0; i < x->n->class[HOST].numbers; i++)
        total[x->n->class[HOST].first + i] += x->W * all;
}

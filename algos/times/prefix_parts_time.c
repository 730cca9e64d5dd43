// The time of a scan in groups of K ranks (shapes/prefix_parts.c). On the way up, a rank's clock depends on its digits
// alone: the ranks of a run begin together, so the times of the levels add up. That holds on the way down, too. The
// ranks of a run begin it at times that differ as they did when they ended the same level on the way up, because what
// has happened in between took them equally long. So one run for each level stands for all of them.
#include "times/times.h"
#include <glib.h>
#include <string.h>

PrefixGroups prefix_groups(int p, int K, int most)
{
    PrefixGroups g = {.K = K, .groups = p / K, .rest = p % K != 0};
    for (int stride = 1; stride < K; stride *= g.r[g.levels++])
        g.r[g.levels] = prefix_parts_radix(K / stride, most);
    return g;
}

enum { MOST_RUN = 128 }; // ranks of a run whose messages are followed one by one

// A run on its way down. Its ranks post all receives when they begin, and issue their messages one after the other.
typedef struct PrefixRun {
    const CollPoint *x;
    int r;
    bool alone; // its ranks send to those behind them first
    int64_t u, g;
    int n[MOST_RUN];                      // messages that a rank sends
    int to[MOST_RUN][MOST_RUN];           // where they go: a rank of the run, or r for the rank behind the last group
    int64_t issued[MOST_RUN][MOST_RUN];   // and when
    int64_t post[MOST_RUN + 1];           // when a rank begins
    int64_t come[MOST_RUN + 1][MOST_RUN]; // when what it receives from each rank is there; 0 if it receives nothing
    int64_t end[MOST_RUN + 1];            // when a rank is done
} PrefixRun;

// What the run's ranks do.
typedef struct PrefixTask {
    int64_t bytes;  // of a part
    bool exclusive; // what a rank gets does not include its own vector
    bool some;      // something comes before the run
    bool rest;      // the run serves the rank behind the last group, too
    bool alone;     // as in PrefixLevel
} PrefixTask;

// Returns how early rank `from` stands among those that the rank `to` receives from.
static int turn_of(const PrefixRun *k, int from, int to)
{
    const int distance = k->alone ? to - from : from - to;
    return to == k->r ? from : (distance + k->r) % k->r;
}

// Sends all messages under rendezvous. A port that is free takes the offered message whose receive was posted first.
static void meet(PrefixRun *k)
{
    int sent[MOST_RUN] = {0};
    int64_t out[MOST_RUN] = {0}, in[MOST_RUN + 1] = {0};
    for (;;) {
        int next = -1;
        int64_t begin = 0;
        for (int d = 0; d < k->r; d++) {
            if (sent[d] == k->n[d])
                continue;
            const int to = k->to[d][sent[d]];
            const int64_t ready = later(later(k->issued[d][sent[d]], out[d]), k->post[to]),
                          start = k->u > 0 ? later(ready, in[to]) : ready; // an empty message passes at once
            if (next < 0 || start < begin ||
                (start == begin && turn_of(k, d, to) < turn_of(k, next, k->to[next][sent[next]]))) {
                next = d;
                begin = start;
            }
        }
        if (next < 0)
            return;
        const int to = k->to[next][sent[next]++];
        k->come[to][next] = out[next] = in[to] = begin + k->u;
        k->end[next] = later(k->end[next], out[next]);
    }
}

static void send_eagerly(PrefixRun *k)
{
    for (int d = 0; d < k->r; d++) {
        int64_t out = 0;
        for (int i = 0; i < k->n[d]; i++)
            k->come[k->to[d][i]][d] = out = later(k->issued[d][i], out) + k->u;
        k->end[d] = later(k->end[d], out);
    }
}

// What a rank has added up on its way down.
typedef struct PrefixSums {
    int known;     // as in PrefixLevel
    bool has_base; // the sum of what comes before the run and of the parts before the rank's own
} PrefixSums;

// Returns how many reductions rank d makes before it has what comes before the run and the first `count` parts of it.
static int reductions(const PrefixRun *k, int d, const PrefixTask *task, int count, PrefixSums *y)
{
    const int i = count - 1, more = count > y->known ? count - y->known : 0;
    const bool apart = prefix_parts_apart(k->r, d, k->alone) > 0, is_base = apart && i == d - 1,
               on_base = apart && i >= d && i < k->r - 1, uses_base = is_base || on_base;
    const int base = uses_base && task->some && !y->has_base, last = i >= 0 && !is_base && (on_base || task->some);
    y->known += more;
    y->has_base = y->has_base || uses_base;
    return more + base + last;
}

// Lets a rank issue its messages, each after the reductions that make it.
static void issue(PrefixRun *k, int d, const PrefixTask *task)
{
    const int step = k->alone ? 1 : k->r - 1;
    PrefixSums sums = {.known = k->alone ? d + 1 : k->r};
    int64_t now = k->post[d];
    k->n[d] = 0;
    for (int j = 1; j <= k->r; j++) {
        const int to = (d + j * step) % k->r, count = to + !task->exclusive;
        now += reductions(k, d, task, count, &sums) * k->g;
        if (to == d || (!task->some && count == 0))
            continue;
        k->to[d][k->n[d]] = to;
        k->issued[d][k->n[d]++] = now;
    }
    if (task->rest) {
        sums.has_base = false; // it is made anew
        now += reductions(k, d, task, k->r, &sums) * k->g;
        k->to[d][k->n[d]] = k->r;
        k->issued[d][k->n[d]++] = now;
    }
    k->end[d] = now;
}

// Sets k->end[] to when the ranks of a run are done that begin it at the times k->post[].
static void run_down(PrefixRun *k, const PrefixTask *task)
{
    k->alone = task->alone;
    k->u = u(k->x, task->bytes);
    k->g = g(k->x, task->bytes);
    memset(k->come, 0, sizeof k->come);
    for (int d = 0; d < k->r; d++)
        issue(k, d, task);
    k->post[k->r] = k->end[k->r] = 0;
    if (k->x->eager)
        send_eagerly(k);
    else
        meet(k);
    for (int d = 0; d < k->r; d++)
        for (int i = 0; i < k->r; i++)
            k->end[d] = later(k->end[d], k->come[d][i]);
    for (int i = 0; i < k->r && task->rest; i++)
        k->end[k->r] = later(k->end[k->r], k->come[k->r][i]) + (task->exclusive ? 0 : k->g);
}

// Sets t[] to when the ranks of a run have added up what they get on the way up. In step j each rank sends to the j-th
// one before it. Ranks of a run that is alone add up what comes from those before them, and get the rest meanwhile.
static void run_up(const CollPoint *x, int r, const PrefixTask *task, int64_t *t)
{
    const int64_t um = u(x, task->bytes), gm = g(x, task->bytes);
    for (int d = 0; d < r; d++) {
        const int behind = prefix_parts_apart(r, d, task->alone), first = r - behind, end = task->alone ? d + 1 : first;
        t[d] = 0;
        for (int i = first; i < r; i++)
            t[d] = later(t[d], (i - d) * um) + (i > first ? gm : 0);
        for (int i = 0; i < end; i++)
            t[d] = later(t[d], (i - d + r) % r * um) + (i > 0 ? gm : 0);
        t[d] = later(t[d] + (behind > 0 ? gm : 0), (r - 1) * um);
    }
}

// When runs of one level are done on the way down, by whether something comes before them.
typedef struct PrefixDown {
    int64_t some, some_last;           // all ranks of a run with something before it, and its last rank
    int64_t first, others, first_last; // the first rank of a run with nothing before it, the other ranks, the last one
} PrefixDown;

static int64_t latest_from(const PrefixRun *k, int d)
{
    return times_latest(k->end + d, k->r - d);
}

static PrefixDown level_down(PrefixRun *k, const int64_t *t, PrefixTask task)
{
    memcpy(k->post, t, (size_t)k->r * sizeof *t);
    task.some = true;
    run_down(k, &task);
    PrefixDown down = {.some = latest_from(k, 0), .some_last = k->end[k->r - 1]};
    task.some = false;
    run_down(k, &task);
    down.first = k->end[0];
    down.others = latest_from(k, 1);
    down.first_last = k->end[k->r - 1];
    return down;
}

// Returns when the first group is done, in which only ranks with a digit above 0 have something before them.
static int64_t first_group(const PrefixGroups *g, const PrefixDown *down, int64_t begin)
{
    int64_t end = 0, below = 0;
    for (int l = 0; l < g->levels; l++)
        below += down[l].some;
    for (int l = g->levels - 1; l >= 0; l--) {
        below -= down[l].some;
        end = later(end, begin + down[l].others + below);
        begin += down[l].first;
    }
    return later(end, begin);
}

// Returns when the last run of the last group, and the rank behind it, are done. t[] is what the first level took the
// ranks of the run on the way up.
static int64_t last_run(PrefixRun *k, const PrefixGroups *g, const PrefixDown *down, const int64_t *t, int64_t begin,
                        PrefixTask task)
{
    task.some = g->groups > 1;
    for (int l = g->levels - 1; l > 0; l--) {
        begin += task.some ? down[l].some_last : down[l].first_last;
        task.some = true;
    }
    k->r = g->r[0];
    for (int d = 0; d < k->r; d++)
        k->post[d] = begin + t[d];
    task.rest = true;
    run_down(k, &task);
    return later(latest_from(k, 0), k->end[k->r]);
}

int64_t prefix_parts_time(const CollPoint *x, const PrefixGroups *g, const PrefixEnds *exscan, bool exclusive)
{
    const int64_t elem = x->elem > 0 ? x->elem : 1;
    PrefixDown down[PREFIX_PARTS_LEVELS];
    int64_t up[PREFIX_PARTS_LEVELS][MOST_RUN], bytes = x->m, sum = exscan->others;
    g_autofree PrefixRun *k = g_new(PrefixRun, 1);
    PrefixTask first = {0};
    if (sum < 0 || x->m / elem % g->K != 0)
        return -1;
    k->x = x;
    for (int l = 0; l < g->levels; l++) {
        k->r = g->r[l];
        if (k->r > MOST_RUN)
            return -1;
        bytes /= k->r;
        const PrefixTask task = {
            .bytes = bytes, .exclusive = exclusive || l > 0, .alone = g->groups == 1 && l == g->levels - 1};
        first = l == 0 ? task : first;
        run_up(x, k->r, &task, up[l]);
        down[l] = level_down(k, up[l], task);
        sum += down[l].some;
    }
    int64_t end = first_group(g, down, exscan->first);
    if (g->groups > 1 && !exscan->exact && end > sum)
        return -1;
    if (g->groups > 1)
        end = later(end, sum);
    return g->rest ? later(end, last_run(k, g, down, up[0], exscan->last, first)) : end;
}

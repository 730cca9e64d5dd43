// The time of scan and exscan halving (scan/halving.c). On the way up the ranks of a group are in step, and on the way
// down those are that share their later fate.
#include "times/halving_time.h"
#include <string.h>

// The clock of a rank, when its ports are free, and when what it receives from its last partner is there.
typedef struct HalvingClock {
    int64_t now, out, in, come;
} HalvingClock;

enum { MOST_CLOCKS = 64 };

HalvingLevel halving_level(const CollPoint *x, int h, int level)
{
    const int64_t m = x->m >> (level + 1);
    const int n = level + 1 < h && level < x->par.choice ? 2 : 1;
    return (HalvingLevel){n, u(x, m / n), g(x, m / n)};
}

static int64_t up_time(const CollPoint *x, int h)
{
    int64_t now = 0, issue = 0, port = 0;
    for (int l = 0; l < h; l++) {
        const HalvingLevel of = halving_level(x, h, l);
        const int64_t first = later(issue, port) + of.u;
        port = first + (of.n - 1) * of.u;
        issue = now = later(now, first) + of.g;
        if (of.n == 2)
            now = later(now, port) + of.g;
    }
    return now;
}

// Sends a piece, which its sender has issued and its receiver has posted a receive for.
static int64_t pass(const CollPoint *x, HalvingClock *from, HalvingClock *to, int64_t post, int64_t u)
{
    const int64_t ready = later(from->now, from->out), start = x->eager ? ready : later(ready, later(post, to->in));
    from->out = to->in = start + u;
    return start + u;
}

// Adds a level to the clocks of two partners, which are equal before. `ends` if results are exchanged.
static void down_level(const CollPoint *x, HalvingLevel of, bool ends, HalvingClock *lower, HalvingClock *upper)
{
    int64_t come[2] = {0}, post = lower->now;
    for (int i = 0; i < of.n; i++) {
        if (i == of.n - 1) {
            lower->now = later(lower->now, lower->come);
            upper->now = later(upper->now, upper->come);
        }
        post = i == 0 ? lower->now : post;
        const int64_t begin = upper->now;
        upper->now += ends ? of.g : 0;
        come[0] = pass(x, upper, lower, post, of.u);
        if (!ends)
            upper->now = later(begin + of.g, come[0]);
        lower->now += of.g;
        come[1] = pass(x, lower, upper, post, of.u);
    }
    lower->now += ends ? of.n * of.g : 0;
    upper->now += ends ? of.n * of.g : 0;
    lower->come = come[0];
    upper->come = come[1];
}

static bool is_behind(const HalvingClock *a, const HalvingClock *b)
{
    return a->now <= b->now && a->out <= b->out && a->in <= b->in && a->come <= b->come;
}

// Adds a clock, unless another one is as late in everything. Returns the number of clocks.
static int add_clock(HalvingClock *clock, int n, HalvingClock new)
{
    for (int i = 0; i < n; i++)
        if (is_behind(&new, &clock[i]))
            return n;
    int left = 0;
    for (int i = 0; i < n; i++)
        if (!is_behind(&clock[i], &new))
            clock[left++] = clock[i];
    clock[left] = new;
    return left + 1;
}

// Returns the time on the way down in a group that has something before it; -1 if too many clocks matter.
static int64_t down_time(const CollPoint *x, int h, bool exclusive)
{
    HalvingClock clock[2 * MOST_CLOCKS] = {{0}}, next[2 * MOST_CLOCKS];
    int n = 1;
    for (int l = h - 1; l >= 0; l--) {
        int more = 0;
        for (int i = 0; i < n; i++) {
            HalvingClock lower = clock[i], upper = clock[i];
            down_level(x, halving_level(x, h, l), l == 0 && !exclusive, &lower, &upper);
            more = add_clock(next, add_clock(next, more, lower), upper);
        }
        if (more > MOST_CLOCKS)
            return -1;
        n = more;
        memcpy(clock, next, (size_t)n * sizeof *next);
    }
    int64_t end = 0;
    for (int i = 0; i < n; i++)
        end = later(end, later(later(clock[i].now, clock[i].out), clock[i].come));
    return end;
}

int64_t halving_time(const CollPoint *x, int h, bool exclusive)
{
    CollPoint lane = *x;
    lane.p = x->p >> h;
    if (x->p == 1)
        return 0;
    if (lane.p << h != x->p)
        return halving_groups_time(x, h, exclusive);
    const int64_t t = then(up_time(x, h), prefix_two_phase_time(&lane, x->m >> h)),
                  end = then(t, h > 0       ? down_time(x, h, exclusive)
                                : exclusive ? 0
                                            : g(x, x->m));
    return end < 0 ? halving_groups_time(x, h, exclusive) : end;
}

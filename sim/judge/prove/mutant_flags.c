#include "judge/prove/mutant_flags.h"
#include <glib.h>
#include <string.h>

// The parts of an operation that matter here. The operations of all ranks fit into the cache in this form.
typedef struct StoryOp {
    CollOpKind kind;
    int to, from, n;
    int buf; // the buffer and the byte where it writes
    size_t off;
} StoryOp;

struct Story {
    int p,
        *first;  // first: of each rank, the place of its first operation among all operations; the p-th is their number
    StoryOp *op; // of all ranks
    int *clock;  // p numbers for each operation: how many of each rank's operations are over when this one is over
    int *saw;    // of an operation that reads a slot: the owner's operation that wrote what it reads; -1 if none did
    bool ends;   // no rank waits for ever
    bool safe;   // no slot is written again while it may still be read
};

// Returns the first operation of the awaited rank that raises the awaited flag far enough, or -1 if none of its first
// `done` operations does. A flag only grows, so the search goes back to the last raise that is not far enough.
static int raise_for(const Story *s, const StoryOp *await, int done)
{
    const StoryOp *op = s->op + s->first[await->from];
    int first = -1;
    for (int i = done - 1; i >= 0; i--) {
        if (op[i].kind != COLL_RAISE || op[i].to != await->to)
            continue;
        if (op[i].n < await->n)
            break;
        first = i;
    }
    return first;
}

// Takes the rank as far as it gets and sets the clocks of its operations. done[r] is the number of rank r's operations
// that are over. Returns true if the rank got further.
static bool go_on(Story *s, int rank, int *done)
{
    const int before = done[rank], n = s->first[rank + 1] - s->first[rank];
    for (; done[rank] < n; done[rank]++) {
        const StoryOp *op = &s->op[s->first[rank] + done[rank]];
        int *clock = s->clock + (size_t)(s->first[rank] + done[rank]) * (size_t)s->p;
        const int raise = op->kind == COLL_AWAIT ? raise_for(s, op, done[op->from]) : -1;
        if (op->kind == COLL_AWAIT && raise < 0)
            break;
        if (done[rank] > 0)
            memcpy(clock, clock - s->p, (size_t)s->p * sizeof *clock);
        clock[rank] = done[rank] + 1;
        for (int q = 0; raise >= 0 && q < s->p; q++)
            clock[q] = MAX(clock[q], s->clock[(size_t)(s->first[op->from] + raise) * (size_t)s->p + (size_t)q]);
    }
    return done[rank] > before;
}

static bool writes_slot(const StoryOp *op, Slice slot)
{
    return op->buf == slot.buf && op->off == slot.off;
}

// Finds, for each slot that the operation reads, the write that it sees, and whether later writes to the slot wait for
// the read; they do if the next write does. Sets s->saw and s->safe.
static void look(Story *s, const Contents *c, int rank, int i)
{
    const CollOp *op = &c->rank[rank].op[i];
    const Slice read[] = {op->out, op->right};
    for (int k = 0; k < 2; k++) {
        if (!is_slot(read[k]))
            continue;
        const int owner = slot_owner(read[k]), at = s->first[rank] + i;
        const int known = s->clock[(size_t)at * (size_t)s->p + (size_t)owner];
        const StoryOp *written = s->op + s->first[owner];
        int before = known - 1, after = known;
        while (before >= 0 && !writes_slot(&written[before], read[k]))
            before--;
        while (after < c->rank[owner].n && !writes_slot(&written[after], read[k]))
            after++;
        if (before >= 0)
            s->saw[at] = before;
        if (after < c->rank[owner].n)
            s->safe &= s->clock[(size_t)(s->first[owner] + after) * (size_t)s->p + (size_t)rank] > i;
    }
}

Story *story_new(const Contents *c)
{
    Story *s = g_new(Story, 1);
    int n = 0;
    *s = (Story){.p = c->of.p, .ends = true, .safe = true};
    s->first = g_new(int, s->p + 1);
    for (int r = 0; r < s->p; r++) {
        s->first[r] = n;
        n += c->rank[r].n;
    }
    s->first[s->p] = n;
    s->op = g_new(StoryOp, n + 1);
    for (int r = 0; r < s->p; r++)
        for (int i = 0; i < c->rank[r].n; i++) {
            const CollOp *op = &c->rank[r].op[i];
            s->op[s->first[r] + i] = (StoryOp){op->kind, op->to, op->from, op->n, op->in.buf, op->in.off};
        }
    s->clock = g_new0(int, (size_t)(n + 1) * (size_t)s->p);
    s->saw = g_new(int, n + 1);
    memset(s->saw, 0xff, (size_t)(n + 1) * sizeof *s->saw);
    g_autofree int *done = g_new0(int, s->p);
    for (bool moved = true; moved;) {
        moved = false;
        for (int r = 0; r < s->p; r++)
            moved |= go_on(s, r, done);
    }
    for (int r = 0; r < s->p; r++)
        s->ends &= done[r] == c->rank[r].n;
    for (int r = 0; s->ends && r < s->p; r++)
        for (int i = 0; i < c->rank[r].n; i++)
            look(s, c, r, i);
    return s;
}

void story_free(Story *s)
{
    if (!s)
        return;
    g_free(s->first);
    g_free(s->op);
    g_free(s->clock);
    g_free(s->saw);
    g_free(s);
}

// Returns true if every read of a slot in the mutant c sees the write that it saw before.
static bool sees_the_same(const Contents *c, const Story *now, const Story *before, int rank, const int *was)
{
    for (int r = 0; r < c->of.p; r++)
        for (int i = 0; i < c->rank[r].n; i++) {
            const CollOp *op = &c->rank[r].op[i];
            const int owner = is_slot(op->out) ? slot_owner(op->out) : is_slot(op->right) ? slot_owner(op->right) : -1;
            if (owner < 0)
                continue;
            const int saw = now->saw[now->first[r] + i];
            if ((saw < 0 || owner != rank ? saw : was[saw]) != before->saw[before->first[r] + (r == rank ? was[i] : i)])
                return false;
        }
    return true;
}

// Returns true if the end of every rank's text is after the beginning of all others'.
static bool all_meet(const Contents *c, const Story *s)
{
    for (int r = 0; r < s->p; r++)
        for (int q = 0; q < s->p && s->first[r + 1] > s->first[r]; q++)
            if (c->rank[q].n > 0 && s->clock[(size_t)(s->first[r + 1] - 1) * (size_t)s->p + (size_t)q] == 0)
                return false;
    return true;
}

bool story_holds(const Contents *c, const Story *before, int rank, const int *was)
{
    g_autofree char *broken = contents_rules(c, rank);
    if (broken)
        return false;
    Story *now = story_new(c);
    const bool holds = now->ends && now->safe && sees_the_same(c, now, before, rank, was) &&
                       (c->of.algorithm->collective != COLL_BARRIER || all_meet(c, now));
    story_free(now);
    return holds;
}

// Equivalent mutants of algorithms in shared memory. What a rank may read from a slot follows from the flags alone.
#include "prove/mutant_rules.h"
#include <glib.h>
#include <string.h>

// What of an operation matters here. The operations of all ranks fit into the cache in this form.
typedef struct StoryOp {
    CollOpKind kind;
    int to, from, n;
    int buf; // the buffer and the byte where it writes
    size_t off;
} StoryOp;

// What the flags guarantee, however fast the ranks are. It is found without executing contents: an await comes after
// the first raise of its flag to the awaited value or more.
typedef struct Story {
    int p,
        *first;  // first: of each rank, the place of its first operation among all operations; the p-th is their number
    StoryOp *op; // of all ranks
    int *clock;  // p numbers for each operation: how many of each rank's operations are over when this one is over
    int *saw;    // of an operation that reads a slot: the owner's operation that wrote what it reads; -1 if none did
    bool ends;   // no rank waits for ever
    bool safe;   // no slot is written again while it may still be read
} Story;

// Returns the first operation of the awaited rank that raises the awaited flag far enough, or -1 if none does.
static int raise_for(const Story *s, const StoryOp *await)
{
    const StoryOp *op = s->op + s->first[await->from];
    for (int i = 0; i < s->first[await->from + 1] - s->first[await->from]; i++)
        if (op[i].kind == COLL_RAISE && op[i].to == await->to && op[i].n >= await->n)
            return i;
    return -1;
}

// Takes the rank as far as it gets and sets the clocks of its operations. done[r] is the number of rank r's operations
// that are over. Returns true if the rank got further.
static bool go_on(Story *s, int rank, int *done)
{
    const int before = done[rank], n = s->first[rank + 1] - s->first[rank];
    for (; done[rank] < n; done[rank]++) {
        const StoryOp *op = &s->op[s->first[rank] + done[rank]];
        int *clock = s->clock + (size_t)(s->first[rank] + done[rank]) * (size_t)s->p;
        const int raise = op->kind == COLL_AWAIT ? raise_for(s, op) : -1;
        if (op->kind == COLL_AWAIT && (raise < 0 || raise >= done[op->from]))
            break;
        if (done[rank] > 0)
            memcpy(clock, clock - s->p, (size_t)s->p * sizeof *clock);
        clock[rank] = done[rank] + 1;
        for (int q = 0; raise >= 0 && q < s->p; q++)
            clock[q] = MAX(clock[q], s->clock[(size_t)(s->first[op->from] + raise) * (size_t)s->p + (size_t)q]);
    }
    return done[rank] > before;
}

// Finds, for each slot that the operation reads, the write that it sees, and whether later writes to the slot wait for
// the read. Sets s->saw and s->safe.
static void look(Story *s, const Contents *c, int rank, int i)
{
    const CollOp *op = &c->rank[rank].op[i];
    const Slice read[] = {op->out, op->right};
    for (int k = 0; k < 2; k++) {
        if (!is_slot(read[k]))
            continue;
        const int owner = slot_owner(read[k]), at = s->first[rank] + i;
        const int known = s->clock[(size_t)at * (size_t)s->p + (size_t)owner];
        for (int j = 0; j < c->rank[owner].n; j++) {
            const StoryOp *other = &s->op[s->first[owner] + j];
            if (other->buf != read[k].buf || other->off != read[k].off)
                continue;
            if (j < known)
                s->saw[at] = j;
            else
                s->safe &= s->clock[(size_t)(s->first[owner] + j) * (size_t)s->p + (size_t)rank] > i;
        }
    }
}

// Free the result with story_clear.
static Story story_of(const Contents *c)
{
    Story s = {.p = c->of.p, .ends = true, .safe = true};
    int n = 0;
    s.first = g_new(int, s.p + 1);
    for (int r = 0; r < s.p; r++) {
        s.first[r] = n;
        n += c->rank[r].n;
    }
    s.first[s.p] = n;
    s.op = g_new(StoryOp, n + 1);
    for (int r = 0; r < s.p; r++)
        for (int i = 0; i < c->rank[r].n; i++) {
            const CollOp *op = &c->rank[r].op[i];
            s.op[s.first[r] + i] = (StoryOp){op->kind, op->to, op->from, op->n, op->in.buf, op->in.off};
        }
    s.clock = g_new0(int, (size_t)(n + 1) * (size_t)s.p);
    s.saw = g_new(int, n + 1);
    memset(s.saw, 0xff, (size_t)(n + 1) * sizeof *s.saw);
    g_autofree int *done = g_new0(int, s.p);
    for (bool moved = true; moved;) {
        moved = false;
        for (int r = 0; r < s.p; r++)
            moved |= go_on(&s, r, done);
    }
    for (int r = 0; r < s.p; r++)
        s.ends &= done[r] == c->rank[r].n;
    for (int r = 0; s.ends && r < s.p; r++)
        for (int i = 0; i < c->rank[r].n; i++)
            look(&s, c, r, i);
    return s;
}

static void story_clear(Story *s)
{
    g_free(s->first);
    g_free(s->op);
    g_free(s->clock);
    g_free(s->saw);
}

Rule rule_of_order(Contents *c, int rank, const ContentsRank *original, const int *was)
{
    g_autofree char *broken = contents_rules(c, rank);
    if (broken)
        return DIFFERENT;
    Story now = story_of(c);
    if (!now.ends || !now.safe) {
        story_clear(&now);
        return DIFFERENT;
    }
    const ContentsRank mutated = c->rank[rank];
    c->rank[rank] = *original;
    Story before = story_of(c);
    c->rank[rank] = mutated;
    bool same = true;
    for (int r = 0; same && r < c->of.p; r++)
        for (int i = 0; same && i < c->rank[r].n; i++) {
            const CollOp *op = &c->rank[r].op[i];
            const int owner = is_slot(op->out) ? slot_owner(op->out) : is_slot(op->right) ? slot_owner(op->right) : -1;
            if (owner < 0)
                continue;
            const int saw = now.saw[now.first[r] + i];
            same =
                (saw < 0 || owner != rank ? saw : was[saw]) == before.saw[before.first[r] + (r == rank ? was[i] : i)];
        }
    story_clear(&now);
    story_clear(&before);
    return same ? ORDERED : DIFFERENT;
}

// Plays the rounds of an algorithm of shared memory: every access to a slot takes one unit of time, and nothing else
// takes any. The text of a barrier has flags alone; there an await takes one unit.
#include "engine/rounds/rounds.h"
#include "engine/rounds/texts.h"

typedef struct SharedPlayer {
    const GArray *ops; // of CollOp: what the rank's text does
    guint at;
} SharedPlayer;

typedef struct SharedStage {
    int p;
    SharedPlayer *players;
    int *flags;       // at r p + q: the flag that rank r has for queue q
    bool flags_only;  // the operation is a barrier
    GArray *messages; // of RoundMessage, by rounds
} SharedStage;

// To lend a buffer is not an access.
static bool touches_slot(const CollOp *op)
{
    return is_slot(op->out) || is_slot(op->right) || (is_slot(op->in) && !is_lent(op->in));
}

// Runs the rank to its next access to a slot, which it returns; NULL if the rank waits or has ended. Sets *moved if it
// has passed an operation.
static const CollOp *next_access(SharedStage *g, int rank, bool *moved)
{
    SharedPlayer *x = &g->players[rank];
    for (; x->at < x->ops->len; x->at++, *moved = true) {
        const CollOp *op = &g_array_index(x->ops, CollOp, x->at);
        if (touches_slot(op))
            return op;
        if (op->kind == COLL_AWAIT && (g->flags_only || g->flags[op->from * g->p + op->to] < op->n))
            return g->flags[op->from * g->p + op->to] < op->n ? NULL : op;
        if (op->kind == COLL_RAISE)
            g->flags[rank * g->p + op->to] = op->n;
    }
    return NULL;
}

// Adds the accesses of an operation: a read goes from the slot's owner to its reader, a write from a rank to itself.
static void add_accesses(SharedStage *g, int round, int rank, const CollOp *op)
{
    const Slice read[] = {op->out, op->right};
    RoundMessage x = {.round = round, .from = rank, .to = rank, .bytes = op->in.len};
    if (is_slot(op->in))
        g_array_append_val(g->messages, x);
    if (op->kind == COLL_AWAIT) {
        x.from = op->from;
        g_array_append_val(g->messages, x);
    }
    x.reduced = op->kind == COLL_REDUCE_OP;
    for (int i = 0; i < 2; i++)
        if (is_slot(read[i])) {
            x.from = slot_owner(read[i]);
            g_array_append_val(g->messages, x);
        }
}

static bool play_round(SharedStage *g, int round)
{
    const guint before = g->messages->len;
    for (bool moved = true; moved;) {
        moved = false;
        for (int rank = 0; rank < g->p; rank++)
            next_access(g, rank, &moved);
    }
    for (int rank = 0; rank < g->p; rank++) {
        bool moved = false;
        const CollOp *op = next_access(g, rank, &moved);
        if (!op)
            continue;
        add_accesses(g, round, rank, op);
        g->players[rank].at++;
    }
    return g->messages->len > before;
}

GArray *shared_rounds_play(const Operation *op)
{
    g_autoptr(GPtrArray) texts = texts_of(op);
    SharedStage g = {.p = op->c.p, .messages = g_array_new(FALSE, FALSE, sizeof(RoundMessage))};
    g.players = g_new0(SharedPlayer, g.p);
    g.flags = g_new0(int, (size_t)g.p *(size_t)g.p);
    g.flags_only = op->algorithm->collective == COLL_BARRIER;
    for (int rank = 0; rank < g.p; rank++)
        g.players[rank].ops = g_ptr_array_index(texts, rank);
    for (int round = 1; play_round(&g, round);)
        round++;
    g_free(g.players);
    g_free(g.flags);
    return g.messages;
}

#include "goal_bytes.h"

static void put(GByteArray *to, uint64_t value, int n)
{
    for (int i = 0; i < n; i++) {
        const guint8 byte = (guint8)(value >> 8 * i);
        g_byte_array_append(to, &byte, 1);
    }
}

static uint32_t n_of(const GoalDependents *x, uint32_t op)
{
    return x->first ? x->first[op + 1] - x->first[op] : 0;
}

static void put_indices(GByteArray *to, const GoalDependents *x, uint32_t op, uint32_t first)
{
    for (uint32_t i = 0; i < n_of(x, op); i++)
        put(to, x->op[x->first[op] + i] - first, 4);
}

// Puts the block of the rank whose operations are first .. end - 1.
static void put_block(GByteArray *to, const Goal *goal, uint32_t first, uint32_t end, const uint32_t *open,
                      const GoalDependents *done, const GoalDependents *started)
{
    uint32_t n_free = 0, n_dependents = 0;
    for (uint32_t op = first; op < end; op++)
        n_free += open[op] == 0;
    put(to, end - first, 4);
    put(to, n_free, 4);
    for (uint32_t op = first; op < end; op++)
        if (open[op] == 0)
            put(to, op - first, 4);
    for (uint32_t op = first; op < end; op++) {
        const GoalOp *o = goal_op(goal, op);
        put(to, open[op], 4);
        put(to, o->kind == GOAL_SEND ? 1 : o->kind == GOAL_RECV ? 2 : 3, 1);
        put(to, o->peer, 4);
        put(to, o->size, 8);
        put(to, o->tag, 4);
        put(to, o->cpu, 1);
        put(to, o->nic, 1);
        put(to, n_of(done, op), 4);
        put(to, n_dependents, 4);
        n_dependents += n_of(done, op);
        put(to, n_of(started, op), 4);
        put(to, n_dependents, 4);
        n_dependents += n_of(started, op);
    }
    for (uint32_t op = first; op < end; op++) {
        put_indices(to, done, op, first);
        put_indices(to, started, op, first);
    }
}

GByteArray *goal_bytes(const Goal *goal)
{
    const uint32_t n_ops = goal_n_ops(goal), n_ranks = goal_n_hosts(goal);
    g_autofree uint32_t *open = g_new0(uint32_t, n_ops);
    const GoalDependents done = goal_required(goal, open), started = goal_irequired(goal, open);
    uint8_t cpu = 0, nic = 0;
    for (uint32_t op = 0; op < n_ops; op++) {
        cpu = MAX(cpu, goal_op(goal, op)->cpu);
        nic = MAX(nic, goal_op(goal, op)->nic);
    }
    g_autoptr(GByteArray) blocks = g_byte_array_new();
    GByteArray *bytes = g_byte_array_new();
    put(bytes, 4223, 8);
    put(bytes, n_ranks, 4);
    put(bytes, cpu, 1);
    put(bytes, nic, 1);
    const uint64_t table = 6 + 16 * (uint64_t)n_ranks; // without the first 8 bytes, from which offsets count
    uint32_t op = 0;
    for (uint32_t rank = 0; rank < n_ranks; rank++) {
        const uint32_t first = op;
        while (op < n_ops && goal_op(goal, op)->host == rank)
            op++;
        put(bytes, table + blocks->len, 8);
        put_block(blocks, goal, first, op, open, &done, &started);
        put(bytes, table + blocks->len, 8);
    }
    g_byte_array_append(bytes, blocks->data, blocks->len);
    goal_dependents_clear(&done);
    goal_dependents_clear(&started);
    return bytes;
}

#include "engine/goal/goal_text.h"

// Returns a peer or tag as the text has it: the number, or -1 for any.
static gint64 or_any(uint32_t x)
{
    return x == GOAL_ANY ? -1 : (gint64)x;
}

static void print_op(const GoalOp *op, FILE *to)
{
    if (op->kind == GOAL_CALC)
        fprintf(to, "calc %" G_GUINT64_FORMAT, op->size);
    else
        fprintf(to, "%s %" G_GUINT64_FORMAT "b %s %" G_GINT64_FORMAT, op->kind == GOAL_SEND ? "send" : "recv", op->size,
                op->kind == GOAL_SEND ? "to" : "from", or_any(op->peer));
    if (op->tag != 0)
        fprintf(to, " tag %" G_GINT64_FORMAT, or_any(op->tag));
    if (op->cpu != 0)
        fprintf(to, " cpu %d", op->cpu);
    if (op->nic != 0)
        fprintf(to, " nic %d", op->nic);
}

// Prints the dependencies on operations first .. end - 1, which are all of one host.
static void print_dependents(const GoalDependents *waiting, uint32_t first, uint32_t end, const char *how, FILE *to)
{
    if (waiting->first)
        for (uint32_t op = first; op < end; op++)
            for (uint32_t i = waiting->first[op]; i < waiting->first[op + 1]; i++)
                fprintf(to, "l%u %s l%u\n", waiting->op[i] - first + 1, how, op - first + 1);
}

void goal_write(const Goal *goal, FILE *to)
{
    const uint32_t n_ops = goal_n_ops(goal);
    g_autofree uint32_t *open = g_new0(uint32_t, n_ops);
    const GoalDependents required = goal_required(goal, open), irequired = goal_irequired(goal, open);
    fprintf(to, "num_ranks %u\n", goal_n_hosts(goal));
    uint32_t op = 0;
    for (uint32_t rank = 0; rank < goal_n_hosts(goal); rank++) {
        fprintf(to, "\nrank %u {\n", rank);
        const uint32_t first = op;
        for (; op < n_ops && goal_op(goal, op)->host == rank; op++) {
            fprintf(to, "l%u: ", op - first + 1);
            print_op(goal_op(goal, op), to);
            putc('\n', to);
        }
        print_dependents(&required, first, op, "requires", to);
        print_dependents(&irequired, first, op, "irequires", to);
        fputs("}\n", to);
    }
    goal_dependents_clear(&required);
    goal_dependents_clear(&irequired);
}

char *goal_op_text(const GoalOp *op)
{
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    print_op(op, to);
    fclose(to);
    char *copy = g_strdup(text);
    free(text);
    return copy;
}

// `collsim export dot`: writes a schedule as a graph for Graphviz. Each rank is a frame with its operations; edges are
// the order of operations within a rank and the messages between ranks.
#include "base/error.h"
#include "base/escape.h"
#include "base/output.h"
#include "base/units.h"
#include "export/export.h"
#include "engine/loggops/goal_record.h"

enum { MAX_OPERATIONS = 5000 };

static const char help_text[] = "Writes the schedule of one algorithm as a graph that Graphviz draws.\n"
                                "\n"
                                "  collsim export dot bcast binomial -p 8 -m 8K | dot -Tsvg -o bcast.svg\n"
                                "\n"
                                "A frame is a rank, with its operations in the order of its text. A grey arrow\n"
                                "means that an operation waits until another is done; a blue one is a message\n"
                                "with its bytes.";

static void print_node(const GoalOp *op, uint32_t i, FILE *to)
{
    g_autofree char *size = units_format_size(op->size);
    if (op->kind == GOAL_CALC)
        fprintf(to, "        o%u [label=\"reduce %s\", style=\"rounded,filled\", fillcolor=\"#eeeeee\"];\n", i, size);
    else
        fprintf(to, "        o%u [label=\"%s %u\"];\n", i, op->kind == GOAL_SEND ? "send to" : "recv from", op->peer);
}

static void print_messages(const Goal *goal, FILE *to)
{
    const uint32_t n = goal_n_ops(goal), n_hosts = goal_n_hosts(goal);
    g_autofree uint32_t *first = g_new0(uint32_t, n_hosts + 1);
    g_autofree gboolean *taken = g_new0(gboolean, n);
    for (uint32_t i = 0; i < n; i++)
        first[goal_op(goal, i)->host + 1] = i + 1;
    for (uint32_t host = 1; host <= n_hosts; host++)
        first[host] = MAX(first[host], first[host - 1]);
    for (uint32_t i = 0; i < n; i++) {
        const GoalOp *send = goal_op(goal, i);
        if (send->kind != GOAL_SEND)
            continue;
        // Messages between two ranks do not overtake: the first send matches the first receive.
        uint32_t k = first[send->peer];
        while (k < first[send->peer + 1] &&
               (taken[k] || goal_op(goal, k)->kind != GOAL_RECV || goal_op(goal, k)->peer != send->host))
            k++;
        if (k == first[send->peer + 1])
            continue; // no rank receives it
        taken[k] = TRUE;
        g_autofree char *size = units_format_size(send->size);
        fprintf(to, "    o%u -> o%u [label=\"%s\", color=\"#0072b2\", fontcolor=\"#0072b2\"];\n", i, k, size);
    }
}

static void print_order(const Goal *goal, FILE *to)
{
    const uint32_t n = goal_n_ops(goal);
    g_autofree uint32_t *open = g_new0(uint32_t, n);
    const GoalDependents waiting = goal_required(goal, open);
    for (uint32_t op = 0; waiting.first && op < n; op++)
        for (uint32_t i = waiting.first[op]; i < waiting.first[op + 1]; i++)
            fprintf(to, "    o%u -> o%u [color=\"#999999\", weight=8];\n", op, waiting.op[i]);
    goal_dependents_clear(&waiting);
}

int export_dot(int argc, char **argv, GError **error)
{
    g_auto(Export) x = {0};
    g_auto(Output) output = {0};
    if (!export_begin(argc, argv, help_text, NULL, &x, error) || !output_open(&output, x.output, error))
        return 2;
    g_autoptr(Goal) goal = goal_record(&x.op, error);
    if (!goal)
        return 2;
    const uint32_t n = goal_n_ops(goal);
    if (n > MAX_OPERATIONS) {
        bad_input(error, "the graph has %u operations, too many to read; allowed: at most %d; use a smaller -p", n,
                  MAX_OPERATIONS);
        return 2;
    }
    g_autofree char *raw = export_title(&x), *title = escape_dot(raw);
    FILE *to = output.to;
    fprintf(to, "// written by collsim: %s\ndigraph schedule {\n    label=\"%s\";\n", title, title);
    fputs("    labelloc=t;\n    rankdir=LR;\n    fontname=\"sans-serif\";\n    node [shape=box, style=rounded, "
          "fontname=\"sans-serif\"];\n    edge [fontname=\"sans-serif\"];\n",
          to);
    uint32_t op = 0;
    for (uint32_t rank = 0; rank < goal_n_hosts(goal); rank++) {
        fprintf(to, "    subgraph cluster_%u {\n        label=\"rank %u\";\n        color=\"#cccccc\";\n", rank, rank);
        for (; op < n && goal_op(goal, op)->host == rank; op++)
            print_node(goal_op(goal, op), op, to);
        fputs("    }\n", to);
    }
    print_order(goal, to);
    print_messages(goal, to);
    fputs("}\n", to);
    return output_close(&output, error) ? 0 : 2;
}

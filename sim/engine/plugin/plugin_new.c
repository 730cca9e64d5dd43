#include "engine/plugin/plugin_new.h"
#include "base/error.h"
#include "registry/fault.h"
#include <string.h>

// What differs between collectives: the text that a rank executes, its time, and what the entry says of them.
typedef struct First {
    const char *summary;
    const char *buffers; // what `in` and `out` are, for a comment
    const char *text;    // the body of the text
    const char *formula; // the body of the formula
    const char *cost;    // the same for people
    const char *order;   // what the entry of a reduction says of the ranks' order; NULL for others
} First;

// Which ranks a linear text of a root serves, one after the other.
#define OTHERS(who) "    for (int r = 0; r < c->p; r++) {\n        if (r == " who ")\n            continue;\n"
#define END         "    }\n"

#define GATHER                                                                                                         \
    .summary = "the root receives the block of one rank after the other",                                              \
    .buffers = "in is the rank's block; at the root, out has the blocks of all ranks",                                 \
    .text = "    if (c->rank != c->root) {\n"                                                                          \
            "        coll_send(c, c->root, c->in);\n"                                                                  \
            "        return;\n"                                                                                        \
            "    }\n"                                                                                                  \
            "    const Blocks all = coll_out(c); // block(&all, r) is the place of rank r's block\n"                   \
            "    coll_copy(c, block(&all, c->root), c->in);\n" OTHERS(                                                 \
                "c->root") "        coll_recv(c, r, block(&all, r));\n" END,                                           \
    .formula = "    if (x->eager && x->p > 1)\n"                                                                       \
               "        return u(x, x->m); // nobody waits for the root, so all blocks travel at once\n"               \
               "    return (x->p - 1) * u(x, x->m);\n",                                                                \
    .cost = "(p-1) (alpha + m beta); eager: alpha + m beta"

#define SCATTER                                                                                                        \
    .summary = "the root sends its block to one rank after the other",                                                 \
    .buffers = "at the root, in has the blocks of all ranks; out is the rank's block",                                 \
    .text = "    if (c->rank != c->root) {\n"                                                                          \
            "        coll_recv(c, c->root, c->out);\n"                                                                 \
            "        return;\n"                                                                                        \
            "    }\n"                                                                                                  \
            "    const Blocks all = coll_in(c); // block(&all, r) is what rank r gets\n" OTHERS(                       \
                "c->root") "        coll_send(c, r, block(&all, r));\n" END                                            \
                           "    coll_copy(c, c->out, block(&all, c->root));\n",                                        \
    .formula = "    return (x->p - 1) * u(x, x->m);\n", .cost = "(p-1) (alpha + m beta)"

#define ALLGATHER                                                                                                      \
    .summary = "blocks travel around a ring", .buffers = "in is the rank's block; out has the blocks of all ranks",    \
    .text = "    const int next = (c->rank + 1) % c->p, last = (c->rank - 1 + c->p) % c->p;\n"                         \
            "    const Blocks all = coll_out(c); // block(&all, r) is the place of rank r's block\n"                   \
            "    coll_copy(c, block(&all, c->rank), c->in);\n"                                                         \
            "    for (int i = 0; i < c->p - 1; i++) {\n"                                                               \
            "        const int has = (c->rank - i + c->p) % c->p, gets = (has - 1 + c->p) % c->p;\n"                   \
            "        coll_sendrecv(c, next, block(&all, has), last, block(&all, gets));\n" END,                        \
    .formula = "    return (x->p - 1) * u(x, x->m);\n", .cost = "(p-1) (alpha + m beta)"

#define ALLTOALL                                                                                                       \
    .summary = "in step i, every rank sends to the rank i after it",                                                   \
    .buffers = "in has a block for each rank, out one from each rank",                                                 \
    .text = "    const Blocks in = coll_in(c), out = coll_out(c);\n"                                                   \
            "    coll_copy(c, block(&out, c->rank), block(&in, c->rank));\n"                                           \
            "    for (int i = 1; i < c->p; i++) {\n"                                                                   \
            "        const int to = (c->rank + i) % c->p, from = (c->rank - i + c->p) % c->p;\n"                       \
            "        coll_sendrecv(c, to, block(&in, to), from, block(&out, from));\n" END,                            \
    .formula = "    return (x->p - 1) * u(x, x->m);\n", .cost = "(p-1) (alpha + m beta)"

#define REDUCE_SCATTER                                                                                                 \
    .summary = "in step i, every rank sends the rank i after it what is that rank's",                                  \
    .buffers = "in is the rank's vector, a block for each rank; out is the rank's block of the result",                \
    .text = "    const Blocks in = coll_in(c);\n"                                                                      \
            "    const Slice inbox = coll_scratch(c, c->out.len);\n"                                                   \
            "    coll_copy(c, c->out, block(&in, c->rank));\n"                                                         \
            "    for (int i = 1; i < c->p; i++) {\n"                                                                   \
            "        const int to = (c->rank + i) % c->p, from = (c->rank - i + c->p) % c->p;\n"                       \
            "        coll_sendrecv(c, to, block(&in, to), from, inbox);\n"                                             \
            "        coll_reduce(c, c->out, c->out, inbox); // into, left, right\n" END,                               \
    .formula = "    const int64_t block = x->m / x->p;\n"                                                              \
               "    return (x->p - 1) * (u(x, block) + g(x, block));\n",                                               \
    .cost = "(p-1) alpha + (p-1)/p m (beta + gamma)", .order = COMMUTES

#define COMMUTES                                                                                                       \
    "    .needs = {&need_commutative}, // vectors are combined in any order; if yours keeps the ranks' order, and\n"   \
    "                                  // brackets alone differ, say `.ordered = true` in place of this line\n"
#define ORDERED                                                                                                        \
    "    .ordered = true, // vectors are combined in the order of the ranks; if yours are not, say\n"                  \
    "                     // `.needs = {&need_commutative}` in place of this line\n"

static const First firsts[N_COLLECTIVES] = {
    [COLL_ALLGATHER] = {ALLGATHER},
    [COLL_ALLGATHERV] = {ALLGATHER},
    [COLL_ALLREDUCE] =
        {
            .summary = "rank 0 reduces the vectors of all ranks and sends the result to each",
            .buffers = "in is the rank's vector, out the result",
            .text = "    if (c->rank != 0) {\n"
                    "        coll_send(c, 0, c->in);\n"
                    "        coll_recv(c, 0, c->out);\n"
                    "        return;\n"
                    "    }\n"
                    "    const Slice inbox = coll_scratch(c, c->in.len);\n"
                    "    coll_copy(c, c->out, c->in);\n"
                    "    for (int r = 1; r < c->p; r++) {\n"
                    "        coll_recv(c, r, inbox);\n"
                    "        coll_reduce(c, c->out, c->out, inbox); // into, left, right\n" END
                    "    for (int r = 1; r < c->p; r++)\n"
                    "        coll_send(c, r, c->out);\n",
            .formula = "    if (x->eager && x->p > 1)\n"
                       "        return x->p * u(x, x->m) + (x->p - 1) * g(x, x->m); // all vectors travel at once\n"
                       "    return (x->p - 1) * (2 * u(x, x->m) + g(x, x->m));\n",
            .cost = "(p-1) (2 (alpha + m beta) + m gamma); eager: p (alpha + m beta) + (p-1) m gamma",
            .order = COMMUTES,
        },
    [COLL_ALLTOALL] = {ALLTOALL},
    [COLL_ALLTOALLV] = {ALLTOALL},
    [COLL_BARRIER] =
        {
            .summary = "in each round, every rank signals a rank that is twice as far away",
            .buffers = "out is empty, and so are all messages",
            .text = "    for (int64_t d = 1; d < c->p; d *= 2)\n"
                    "        coll_sendrecv(c, (int)((c->rank + d) % c->p), c->out, (int)((c->rank - d + c->p) % c->p), "
                    "c->out);\n",
            .formula = "    return log2_ceil(x->p) * x->alpha;\n",
            .cost = "ceil(log2 p) alpha",
        },
    [COLL_BCAST] =
        {
            .summary = "the root sends to one rank after the other",
            .buffers = "out is the message, at the root as well",
            .text = "    if (c->rank != c->root) {\n"
                    "        coll_recv(c, c->root, c->out);\n"
                    "        return;\n"
                    "    }\n" OTHERS("c->root") "        coll_send(c, r, c->out);\n" END,
            .formula = "    return (x->p - 1) * u(x, x->m);\n",
            .cost = "(p-1) (alpha + m beta)",
        },
    [COLL_EXSCAN] =
        {
            .summary = "prefixes travel from rank to rank",
            .buffers = "in is the rank's vector, out the result of all ranks before it; rank 0 has none",
            .text = "    const Slice before = coll_scratch(c, c->in.len), with = coll_scratch(c, c->in.len);\n"
                    "    if (c->rank == 0) {\n"
                    "        if (c->p > 1)\n"
                    "            coll_send(c, 1, c->in);\n"
                    "        return;\n"
                    "    }\n"
                    "    coll_recv(c, c->rank - 1, before);\n"
                    "    if (c->rank + 1 < c->p) {\n"
                    "        coll_reduce(c, with, before, c->in); // into, left, right\n"
                    "        coll_send(c, c->rank + 1, with);\n" END
                    "    coll_copy(c, c->out, before); // last, because out may be the same memory as in\n",
            .formula = "    return x->p < 2 ? 0 : (x->p - 1) * u(x, x->m) + (x->p - 2) * g(x, x->m);\n",
            .cost = "(p-1) (alpha + m beta) + (p-2) m gamma",
            .order = ORDERED,
        },
    [COLL_GATHER] = {GATHER},
    [COLL_GATHERV] = {GATHER},
    [COLL_REDUCE] =
        {
            .summary = "the root receives and reduces one vector after the other",
            .buffers = "in is the rank's vector; at the root, out is the result",
            .text = "    if (c->rank != c->root) {\n"
                    "        coll_send(c, c->root, c->in);\n"
                    "        return;\n"
                    "    }\n"
                    "    const Slice inbox = coll_scratch(c, c->in.len);\n"
                    "    coll_copy(c, c->out, c->in);\n" OTHERS("c->root") //
            "        coll_recv(c, r, inbox);\n"
            "        coll_reduce(c, c->out, c->out, inbox); // into, left, right\n" END,
            .formula = "    if (x->eager && x->p > 1)\n"
                       "        return u(x, x->m) + (x->p - 1) * g(x, x->m); // all vectors travel at once\n"
                       "    return (x->p - 1) * (u(x, x->m) + g(x, x->m));\n",
            .cost = "(p-1) (alpha + m beta + m gamma); eager: alpha + m beta + (p-1) m gamma",
            .order = COMMUTES,
        },
    [COLL_REDUCE_SCATTER] = {REDUCE_SCATTER},
    [COLL_REDUCE_SCATTER_BLOCK] = {REDUCE_SCATTER},
    [COLL_SCAN] =
        {
            .summary = "prefixes travel from rank to rank",
            .buffers = "in is the rank's vector, out the result of all ranks up to it",
            .text = "    const Slice before = coll_scratch(c, c->in.len);\n"
                    "    if (c->rank == 0) {\n"
                    "        coll_copy(c, c->out, c->in);\n"
                    "    } else {\n"
                    "        coll_recv(c, c->rank - 1, before);\n"
                    "        coll_reduce(c, c->out, before, c->in); // into, left, right\n" END
                    "    if (c->rank + 1 < c->p)\n"
                    "        coll_send(c, c->rank + 1, c->out);\n",
            .formula = "    return (x->p - 1) * (u(x, x->m) + g(x, x->m));\n",
            .cost = "(p-1) (alpha + m beta + m gamma)",
            .order = ORDERED,
        },
    [COLL_SCATTER] = {SCATTER},
    [COLL_SCATTERV] = {SCATTER},
};

// Puts the comment at the beginning of the file: what to type, and what to change.
static void put_head(GString *file, const char *collective, const char *name)
{
    g_autofree char *check = g_strdup_printf("collsim check ./%s.c", name);
    g_autofree char *show = g_strdup_printf("collsim show %s ./%s.c -p 8", collective, name);
    g_autofree char *run = g_strdup_printf("collsim run %s all,./%s.c -p 64 -m 64K", collective, name);
    const int width = (int)strlen(run);
    g_string_append_printf(
        file,
        "// %s: an algorithm of %s, in a file of its own. It is right as it stands:\n//\n"
        "//     %-*s  proves it\n"
        "//     %-*s  draws it\n"
        "//     %s  ranks it among all others\n//\n"
        "// To make it yours, change what is marked 1 to 3, and run `collsim check` after each step: it stops at the\n"
        "// first fault and says where that is.\n"
        "#include \"coll.h\"        // what a text may call: send, receive, reduce, blocks, trees, rings\n"
        "#include \"times/times.h\" // what a formula may call\n\n",
        name, collective, width, check, width, show, run);
}

// Puts the text and the formula.
static void put_functions(GString *file, Collective collective, const char *name)
{
    const First *first = &firsts[collective];
    const gboolean reduces = collectives[collective].reduces;
    g_string_append_printf(file, "// 1. The text: what ONE rank executes, in blocking style. Here,\n// %s.\n// %s%s.\n",
                           first->summary, collectives[collective].rooted ? "Any rank can be c->root. " : "",
                           first->buffers);
    if (reduces)
        g_string_append(file, "// coll_reduce(c, into, left, right) computes into = left op right. Unless the entry "
                              "says that the operation\n"
                              "// commutes, `left` must be of lower ranks than `right`.\n");
    g_string_append_printf(file, "static void %s_text(const Coll *c)\n{\n%s}\n\n", name, first->text);
    g_string_append_printf(file,
                           "// 2. The formula: the time on x->p ranks, as an integer. x->m is the size of %s.\n"
                           "// u(x, n) is alpha + n beta, the time of a message of n bytes%s.\n"
                           "// If you do not know the formula yet, delete the function; the entry then says why.\n"
                           "static int64_t formula(const CollPoint *x)\n{\n%s}\n\n",
                           collective == COLL_REDUCE_SCATTER_BLOCK ? "the whole vector"
                                                                   : collectives[collective].message,
                           reduces ? "; g(x, n) is n gamma, the time to reduce n bytes" : "", first->formula);
}

static void put_entry(GString *file, Collective collective, const char *name)
{
    const First *first = &firsts[collective];
    g_autofree char *constant = g_ascii_strup(collectives[collective].name, -1);
    g_string_append_printf(
        file,
        "// 3. The entry: what collsim shows of it.\n"
        "static const CollAlgorithm %s_entry = {\n"
        "    .collective = COLL_%s,\n"
        "    .name = \"%s\",\n"
        "    .summary = \"%s\",\n"
        "    .run = %s_text,\n"
        "%s"
        "    .peers = PEERS_SHIFT, // or PEERS_XOR if peers are rank ^ d; the answers stay, and may take longer\n"
        "    .cost = \"%s\",\n"
        "    .formula = formula, // or, without one: .unknown = \"no formula is known yet\",\n"
        "    .source = \"a first text, to be changed\", // author, title, year\n"
        "};\n\n"
        "// The entries of this file; there may be more than one.\n"
        "COLL_PLUGIN(&%s_entry)\n",
        name, constant, name, first->summary, name, first->order ? first->order : "", first->cost, name);
}

char *plugin_new_text(Collective collective, const char *name, GError **error)
{
    const CollectiveInfo *info = &collectives[collective];
    g_autofree char *shown = error_quote(name);
    if (!fault_is_name(name)) {
        bad_input(
            error,
            "%s cannot be an algorithm's name; allowed: a-z, 0-9 and _, a letter first, other than all and library",
            shown);
        return NULL;
    }
    if (algorithm_find(collective, name)) {
        bad_input(error, "there is another algorithm %s %s; allowed: a name that `collsim list %s` does not have",
                  info->name, name, info->name);
        return NULL;
    }
    GString *file = g_string_new(NULL);
    put_head(file, info->name, name);
    put_functions(file, collective, name);
    put_entry(file, collective, name);
    return g_string_free(file, FALSE);
}

#include "memory.h"
#include <string.h>

typedef struct Pass {
    CollRun run;
    int rank;
    int *met; // by rank: the last one that exchanged a message with it
    MemoryUse use;
} Pass;

static void meet(Pass *pass, int other)
{
    pass->use.connections += pass->met[other] != pass->rank;
    pass->met[other] = pass->rank;
}

static void look_at(CollRun *run, const CollOp *op)
{
    Pass *pass = (Pass *)run;
    const CollOpKind k = op->kind;
    if (k == COLL_SEND || k == COLL_ISEND || k == COLL_SENDRECV)
        meet(pass, op->to);
    if (k == COLL_RECV || k == COLL_IRECV || k == COLL_SENDRECV)
        meet(pass, op->from);
    if (k == COLL_COPY || k == COLL_PACK)
        pass->use.copied += op->in.len;
    if (k == COLL_UNPACK)
        pass->use.copied += op->out.len;
}

static MemoryUse use_of(Pass *pass, const Operation *op, int rank)
{
    const Coll view = coll_make(op->algorithm->collective, &op->c, rank, op->m, &pass->run);
    coll_run_reset(&pass->run);
    pass->rank = rank;
    pass->use = (MemoryUse){0};
    op->algorithm->run(&view);
    pass->use.scratch = pass->run.scratch;
    return pass->use;
}

// The rank whose figures this one has.
static int like(Pass *pass, const Operation *op, int rank)
{
    if (!op->algorithm->same_as || op->c.counts || !collectives[op->algorithm->collective].rooted)
        return rank;
    coll_run_reset(&pass->run);
    const Coll view = coll_make(op->algorithm->collective, &op->c, rank, op->m, &pass->run);
    return coll_rank(&view, op->algorithm->same_as(&view));
}

Memory memory_of(const Operation *op)
{
    const int p = op->c.p;
    g_autofree MemoryUse *use = g_new(MemoryUse, p);
    Pass pass = {.met = g_new(int, p)};
    Memory memory = {0};
    memset(pass.met, 0xff, (size_t)p * sizeof *pass.met);
    coll_run_init(&pass.run, look_at);
    for (int v = 0; v < p; v++) {
        const int rank = coll_rank(&op->c, v), other = like(&pass, op, rank);
        use[rank] = other == rank ? use_of(&pass, op, rank) : use[other];
        memory.most.connections = MAX(memory.most.connections, use[rank].connections);
        memory.most.scratch = MAX(memory.most.scratch, use[rank].scratch);
        memory.most.copied = MAX(memory.most.copied, use[rank].copied);
        memory.all.connections += use[rank].connections;
        memory.all.scratch += use[rank].scratch;
        memory.all.copied += use[rank].copied;
    }
    memory.root = use[op->c.root];
    coll_run_clear(&pass.run);
    g_free(pass.met);
    return memory;
}

#include "schedule/memory.h"
#include "api/backend.h"
#include "api/make.h"
#include <glib.h>
#include <string.h>

typedef struct MemoryPass {
    CollRun run;
    int rank;
    int *met; // met[i]: the last rank whose text exchanged a message with rank i; -1: none yet
    MemoryUse use;
} MemoryPass;

static void meet(MemoryPass *pass, int other)
{
    pass->use.connections += pass->met[other] != pass->rank;
    pass->met[other] = pass->rank;
}

static void look_at(CollRun *run, const CollIssue *op)
{
    MemoryPass *pass = (MemoryPass *)run;
    const CollOpKind k = op->kind;
    if (k == COLL_SEND || k == COLL_ISEND || k == COLL_SENDRECV)
        meet(pass, op->to);
    if (k == COLL_RECV || k == COLL_IRECV || k == COLL_SENDRECV)
        meet(pass, op->from);
    if (k == COLL_COPY || k == COLL_PACK)
        pass->use.copied += op->in->len;
    if (k == COLL_UNPACK)
        pass->use.copied += op->out->len;
}

static MemoryUse use_of(MemoryPass *pass, const Operation *op, int rank)
{
    const Coll view = coll_make(op->algorithm->collective, &op->c, rank, op->m, &pass->run);
    coll_run_reset(&pass->run);
    pass->rank = rank;
    pass->use = (MemoryUse){0};
    op->algorithm->run(&view);
    pass->use.scratch = pass->run.scratch;
    return pass->use;
}

static void keep_most(MemoryUse *most, const MemoryUse *use)
{
    most->connections = MAX(most->connections, use->connections);
    most->scratch = MAX(most->scratch, use->scratch);
    most->copied = MAX(most->copied, use->copied);
}

static void add(Memory *memory, const MemoryUse *use)
{
    keep_most(&memory->most, use);
    memory->all.connections += use->connections;
    memory->all.scratch += use->scratch;
    memory->all.copied += use->copied;
}

Memory memory_of(const Operation *op)
{
    MemoryPass pass = {.met = g_new(int, op->c.p)};
    Memory memory = {0};
    memset(pass.met, 0xff, (size_t)op->c.p * sizeof *pass.met);
    coll_run_init(&pass.run, look_at);
    for (int rank = 0; rank < op->c.p; rank++) {
        const MemoryUse use = use_of(&pass, op, rank);
        add(&memory, &use);
        if (rank == op->c.root)
            memory.root = use;
        else
            keep_most(&memory.others, &use);
    }
    coll_run_clear(&pass.run);
    g_free(pass.met);
    return memory;
}

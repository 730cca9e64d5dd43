#include "engine/schedule/memory.h"
#include "api/backend.h"
#include "api/make.h"
#include "base/error.h"
#include "engine/schedule/effort.h"
#include <glib.h>
#include <string.h>

typedef struct MemoryPass {
    CollRun run;
    int rank;
    int *met; // met[i]: the last rank whose text exchanged a message with rank i; -1 if none did yet
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
    if (coll_kind_sends(k))
        meet(pass, op->to);
    if (coll_kind_receives(k))
        meet(pass, op->from);
    if (k == COLL_COPY || k == COLL_PACK)
        pass->use.copied += op->in->len;
    if (k == COLL_UNPACK)
        pass->use.copied += op->out->len;
}

// Runs one rank's text.
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

// Adds to a sum that stops at UINT64_MAX instead of wrapping.
static void add_to(uint64_t *sum, uint64_t more)
{
    if (__builtin_add_overflow(*sum, more, sum))
        *sum = UINT64_MAX;
}

static void add(Memory *memory, const MemoryUse *use)
{
    keep_most(&memory->most, use);
    add_to(&memory->all.connections, use->connections);
    add_to(&memory->all.scratch, use->scratch);
    add_to(&memory->all.copied, use->copied);
}

Memory memory_of(const Operation *op)
{
    MemoryPass pass = {.met = g_new(int, op->c.p)};
    Memory memory = {0};
    memset(pass.met, 0xff, (size_t)op->c.p * sizeof *pass.met);
    coll_run_init(&pass.run, look_at);
    pass.run.most_segments = COLL_MOST_SEGMENTS;
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

gboolean memory_admit(const Operation *op, const Totals *t, GError **error)
{
    static const uint64_t most = (uint64_t)1 << 32;
    const uint64_t n = t->messages + t->writes + t->reads; // none reaches 2^62
    if (n <= most)
        return effort_admit(op, error);
    return error_too_much(error,
                          "%s on %d ranks has %" G_GUINT64_FORMAT
                          " messages, and --memory looks at each; allowed: at most %" G_GUINT64_FORMAT
                          ", with a smaller -p or without --memory",
                          op->algorithm->name, op->c.p, n, most);
}

gboolean memory_check(const Memory *memory, const char *name, int p, GError **error)
{
    const uint64_t most = MAX(memory->all.scratch, memory->all.copied);
    return most < SCHEDULE_MOST || bad_input(error,
                                             "%s on %d ranks %s 2^62 bytes or more, all ranks together; allowed: less, "
                                             "with a smaller -p, -m or --counts",
                                             name, p, memory->all.copied == most ? "copies" : "has buffers of");
}

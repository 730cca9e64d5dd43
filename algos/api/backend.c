// A rank's run: it owns the scratch numbers, requests and integers that a text takes.
#include "api/backend.h"
#include <glib.h>

CollOp coll_keep(const CollIssue *op)
{
    return (CollOp){.kind = op->kind,
                    .to = op->to,
                    .from = op->from,
                    .out = *op->out,
                    .in = *op->in,
                    .right = *op->right,
                    .n = op->n,
                    .blocks = op->blocks,
                    .which = op->which};
}

static void free_chunks(struct CollChunk *chunk)
{
    while (chunk) {
        struct CollChunk *next = chunk->next;
        g_free(chunk);
        chunk = next;
    }
}

void coll_run_init(CollRun *run, void (*emit_op)(CollRun *run, const CollIssue *op))
{
    *run = (CollRun){.emit = emit_op, .next_scratch = COLL_FIRST_SCRATCH};
}

void coll_run_reset(CollRun *run)
{
    run->next_request = run->n_pending = run->n_around = run->first_pending = 0;
    run->overlap = NULL;
    coll_run_place(run, NULL, NULL);
    run->next_scratch = COLL_FIRST_SCRATCH;
    run->scratch = 0;
    run->flags_taken = 0;
    run->slots_taken = 0;
    run->segments = 0;
    if (run->chunks) { // one chunk stays, so that the next rank need not allocate
        free_chunks(run->chunks->next);
        run->chunks->next = NULL;
        run->chunks->used = 0;
    }
}

void coll_run_place(CollRun *run, const struct CollPart *part, const char *phase)
{
    run->part = part;
    run->phase = phase;
    if (run->phase_begins)
        run->phase_begins(run);
}

// Frees the tables of nodes, and those that depend on p alone if `all` are to go.
static void free_tables(CollRun *run, bool all)
{
    for (struct CollTable **at = &run->tables; *at;) {
        struct CollTable *table = *at;
        if (all || table->nodes) {
            *at = table->next;
            g_free(table);
        } else
            at = &table->next;
    }
}

void coll_run_forget(CollRun *run)
{
    free_tables(run, false);
    while (run->groups) {
        struct CollGroupNodes *next = run->groups->next;
        coll_nodes_free(run->groups->nodes);
        g_free(run->groups);
        run->groups = next;
    }
}

size_t coll_run_ints(const CollRun *run)
{
    size_t n = 0;
    for (const struct CollChunk *chunk = run->chunks; chunk; chunk = chunk->next)
        n += chunk->used;
    return n;
}

void coll_run_clear(CollRun *run)
{
    coll_run_forget(run);
    while (run->tables) {
        struct CollTable *next = run->tables->next;
        g_free(run->tables);
        run->tables = next;
    }
    free_chunks(run->chunks);
    g_free(run->pending);
    run->chunks = NULL;
    run->pending = NULL;
}

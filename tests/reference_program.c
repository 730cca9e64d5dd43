#include "reference_program.h"
#include "api/make.h"

typedef struct Listener {
    CollRun run;
    const RecordOptions *options;
    GArray *lines;
    int64_t kept; // operations of the rank so far that count for the cut-off
} Listener;

static void keep(Listener *l, const ReferenceLine *line)
{
    const bool counts = line->kind != COLL_COPY && line->kind != REFERENCE_FRESH;
    if (l->options->cut_off && l->kept == l->options->cut_off)
        return;
    g_array_append_vals(l->lines, line, 1);
    l->kept += counts;
}

static void listen(CollRun *run, const CollIssue *op)
{
    Listener *l = (Listener *)run;
    ReferenceLine line = {(int)op->kind, op->to, op->from, op->n, (int64_t)op->out->len, (int64_t)op->in->len};
    if (op->kind == COLL_UNPACK)
        line.in = line.out;
    if (op->kind == COLL_COPY || op->kind == COLL_PACK || op->kind == COLL_UNPACK)
        line.kind = COLL_COPY;
    if (line.kind != COLL_COPY || l->options->copies)
        keep(l, &line);
}

static void listen_to_room(CollRun *run, size_t len)
{
    Listener *l = (Listener *)run;
    if (l->options->fresh && len > 0)
        keep(l, &(ReferenceLine){.kind = REFERENCE_FRESH, .in = (int64_t)len});
}

ReferenceProgram *reference_program_with(const CollAlgorithm *a, Collective collective, const Coll *c, size_t m,
                                         const RecordOptions *options)
{
    ReferenceProgram *x = g_new0(ReferenceProgram, 1);
    x->p = c->p;
    x->lines = g_new(GArray *, c->p);
    Listener l = {.options = options};
    coll_run_init(&l.run, listen);
    l.run.room = listen_to_room;
    for (int rank = 0; rank < c->p; rank++) {
        l.lines = x->lines[rank] = g_array_new(FALSE, FALSE, sizeof(ReferenceLine));
        l.kept = 0;
        coll_run_reset(&l.run);
        const Coll view = coll_make(collective, c, rank, m, &l.run);
        a->run(&view);
    }
    coll_run_clear(&l.run);
    return x;
}

ReferenceProgram *reference_program(const CollAlgorithm *a, Collective collective, const Coll *c, size_t m,
                                    int64_t cut_off)
{
    return reference_program_with(a, collective, c, m, &(RecordOptions){.cut_off = cut_off});
}

void reference_program_free(ReferenceProgram *x)
{
    for (int rank = 0; rank < x->p; rank++)
        g_array_free(x->lines[rank], TRUE);
    g_free(x->lines);
    g_free(x);
}

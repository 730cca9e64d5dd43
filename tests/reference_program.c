#include "reference_program.h"
#include "api/make.h"

typedef struct Listener {
    CollRun run;
    GArray *lines;
} Listener;

static void listen(CollRun *run, const CollIssue *op)
{
    if (op->kind == COLL_COPY || op->kind == COLL_PACK || op->kind == COLL_UNPACK)
        return;
    const ReferenceLine line = {op->kind, op->to, op->from, op->n, (int64_t)op->out->len, (int64_t)op->in->len};
    g_array_append_val(((Listener *)run)->lines, line);
}

ReferenceProgram *reference_program(const CollAlgorithm *a, Collective collective, const Coll *c, size_t m,
                                    int64_t cut_off)
{
    ReferenceProgram *x = g_new0(ReferenceProgram, 1);
    x->p = c->p;
    x->lines = g_new(GArray *, c->p);
    Listener l;
    coll_run_init(&l.run, listen);
    for (int rank = 0; rank < c->p; rank++) {
        l.lines = x->lines[rank] = g_array_new(FALSE, FALSE, sizeof(ReferenceLine));
        coll_run_reset(&l.run);
        const Coll view = coll_make(collective, c, rank, m, &l.run);
        a->run(&view);
        if (cut_off && l.lines->len > cut_off)
            g_array_set_size(l.lines, (guint)cut_off);
    }
    coll_run_clear(&l.run);
    return x;
}

void reference_program_free(ReferenceProgram *x)
{
    for (int rank = 0; rank < x->p; rank++)
        g_array_free(x->lines[rank], TRUE);
    g_free(x->lines);
    g_free(x);
}

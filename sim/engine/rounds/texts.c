#include "engine/rounds/texts.h"
#include "api/make.h"

typedef struct TextOps {
    CollRun run;
    GArray *ops; // of the rank whose text runs
} TextOps;

static void keep_op(CollRun *run, const CollIssue *issue)
{
    const CollOp op = coll_keep(issue);
    g_array_append_val(((TextOps *)run)->ops, op);
}

GPtrArray *texts_of(const Operation *op)
{
    GPtrArray *texts = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    TextOps x;
    coll_run_init(&x.run, keep_op);
    for (int rank = 0; rank < op->c.p; rank++) {
        x.ops = g_array_new(FALSE, FALSE, sizeof(CollOp));
        g_ptr_array_add(texts, x.ops);
        coll_run_reset(&x.run);
        const Coll c = coll_make(op->algorithm->collective, &op->c, rank, op->m, &x.run);
        op->algorithm->run(&c);
    }
    coll_run_clear(&x.run);
    return texts;
}

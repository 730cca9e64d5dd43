#include "search/form/text_run.h"
#include "api/make.h"
#include "registry/registry.h"

void text_run_init(TextRun *x, void (*emit)(CollRun *run, const CollIssue *op))
{
    coll_run_init(&x->run, emit);
    x->run.most_segments = COLL_MOST_SEGMENTS;
    x->run.no_copies = true;
}

void text_run(TextRun *x, const Operation *op, int rank)
{
    coll_run_reset(&x->run);
    const Coll view = coll_make(op->algorithm->collective, &op->c, rank, op->m, &x->run);
    if (setjmp(x->end) == 0)
        op->algorithm->run(&view);
}

void text_leave(TextRun *x)
{
    if (!algorithm_any_added())
        longjmp(x->end, 1);
}

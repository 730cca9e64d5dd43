#include "engine/schedule/effort.h"
#include "api/backend.h"
#include "api/make.h"
#include "base/error.h"
#include <math.h>

enum { FEW_RANKS = 1 << 14, STEPS_OF_COPY = 8, STEPS_OF_OTHERS = 2 };
static const double most_steps = 0x1p34;

typedef struct EffortPass {
    CollRun run;
    double steps; // of the rank whose text runs
} EffortPass;

static void count(CollRun *run, const CollIssue *op)
{
    const bool copies = op->kind == COLL_COPY || op->kind == COLL_PACK || op->kind == COLL_UNPACK;
    ((EffortPass *)run)->steps += copies ? STEPS_OF_COPY : STEPS_OF_OTHERS;
}

gboolean effort_admit(const Operation *op, GError **error)
{
    const int p = op->c.p, ranks[] = {p / 3, p / 2, p - 1};
    double least = INFINITY;
    if (p <= FEW_RANKS) // a text has few steps for each rank
        return TRUE;
    EffortPass pass = {.steps = 0};
    coll_run_init(&pass.run, count);
    pass.run.most_segments = COLL_MOST_SEGMENTS;
    for (size_t i = 0; i < G_N_ELEMENTS(ranks); i++) {
        const Coll view = coll_make(op->algorithm->collective, &op->c, ranks[i], op->m, &pass.run);
        coll_run_reset(&pass.run);
        pass.steps = 0;
        op->algorithm->run(&view);
        least = MIN(least, pass.steps + (double)coll_run_ints(&pass.run));
    }
    coll_run_clear(&pass.run);
    return least * p <= most_steps ||
           error_too_much(
               error,
               "%s on %d ranks: to write down what each rank does, one by one, takes about %.0f steps; allowed: "
               "at most %.0f, with a smaller -p",
               op->algorithm->name, p, least * p, most_steps);
}

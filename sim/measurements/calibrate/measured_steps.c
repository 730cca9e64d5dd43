#include "measurements/calibrate/measured_steps.h"
#include <string.h>

const char *const measured_part_names[N_MEASURED_PARTS] = {"one", "step", "gap"};

static gboolean is_power_of_two(int p)
{
    return (p & (p - 1)) == 0;
}

static int log2_up(int p)
{
    return p > 1 ? 32 - __builtin_clz((unsigned)(p - 1)) : 0;
}

static gboolean steps_of_bcast(const Operation *op, MeasuredSteps *steps)
{
    const char *name = op->algorithm->name;
    const int p = op->c.p;
    const size_t segment = op->c.par.segment;
    if (segment && segment < op->m)
        return FALSE;
    const gboolean line = strcmp(name, "pipeline") == 0 || (strcmp(name, "chain") == 0 && op->c.par.chains == 1);
    const gboolean tree = line || strcmp(name, "binomial") == 0 || strcmp(name, "bintree") == 0 ||
                          strcmp(name, "knomial") == 0 || strcmp(name, "chain") == 0 || strcmp(name, "linear") == 0;
    if (line || (p == 2 && tree)) {
        *steps = (MeasuredSteps){PART_ONE, p - 1, op->m, 0, RANK_BEST};
        return TRUE;
    }
    *steps = (MeasuredSteps){PART_GAP, p - 2, op->m, 0, RANK_BEST};
    return p > 2 && strcmp(name, "linear") == 0;
}

static gboolean steps_of_allreduce(const Operation *op, MeasuredSteps *steps)
{
    const char *name = op->algorithm->name;
    const int64_t p = op->c.p;
    if (strcmp(name, "ring") == 0 && op->m >= (size_t)p * op->c.elem) {
        const uint64_t block = (op->m + (size_t)p - 1) / (size_t)p;
        *steps = (MeasuredSteps){PART_STEP, 2 * (p - 1), block, (uint64_t)(p - 1) * block, RANK_REDUCES};
        return TRUE;
    }
    const int k = log2_up(op->c.p);
    *steps = (MeasuredSteps){PART_STEP, k, op->m, (uint64_t)k * op->m, RANK_FAR_REDUCES};
    return strcmp(name, "recursive_doubling") == 0 && is_power_of_two(op->c.p);
}

// In recursive doubling, step i moves 2^i blocks, so all steps together take k steps of the mean size as long as time
// is straight between the sizes.
static gboolean steps_of_allgather(const Operation *op, MeasuredSteps *steps)
{
    const char *name = op->algorithm->name;
    const int p = op->c.p, k = log2_up(p);
    const gboolean ring = strcmp(name, "ring") == 0;
    *steps = ring ? (MeasuredSteps){PART_STEP, p - 1, op->m, 0, RANK_BEST}
                  : (MeasuredSteps){PART_STEP, k, op->m * (uint64_t)(p - 1) / (uint64_t)k, 0, RANK_FAR};
    return ring || (strcmp(name, "recursive_doubling") == 0 && is_power_of_two(p));
}

gboolean measured_steps(const Operation *op, MeasuredSteps *steps)
{
    const char *name = op->algorithm->name;
    const int p = op->c.p;
    if (p < 2 || op->c.counts)
        return FALSE;
    switch (op->algorithm->collective) {
    case COLL_BCAST:
        return steps_of_bcast(op, steps);
    case COLL_ALLREDUCE:
        return steps_of_allreduce(op, steps);
    case COLL_ALLGATHER:
        return steps_of_allgather(op, steps);
    case COLL_SCATTER:
        *steps = (MeasuredSteps){PART_GAP, p - 2, op->m, 0, RANK_BEST};
        return p > 2 && (strcmp(name, "linear") == 0 || strcmp(name, "linear_nb") == 0);
    case COLL_BARRIER:
        *steps = (MeasuredSteps){PART_STEP, log2_up(p), 0, 0, RANK_FAR};
        return strcmp(name, "dissemination") == 0 || (strcmp(name, "recursive_doubling") == 0 && is_power_of_two(p));
    default:
        return FALSE;
    }
}

int measured_steps_level(const CalibrateRow *row, const Levels *levels)
{
    MeasuredSteps steps;
    const int p = row->op.c.p;
    if (!measured_steps(&row->op, &steps))
        return -1;
    if (!row->map || !row->map->code || row->map->nodes->n == p)
        return levels->n - 1;
    // Rings and lines connect neighbours only; in the others, many pairs of ranks meet, and all pairs count.
    const gboolean line = steps.rank < RANK_FAR && steps.part != PART_GAP, ring = steps.part == PART_STEP;
    const int level = mapping_level(row->map, 0, 1);
    for (int a = 0; a < p; a++)
        for (int b = a + 1; b < (line ? MIN(a + 2, p) : p); b++)
            if (mapping_level(row->map, a, b) != level)
                return -1;
    return ring && mapping_level(row->map, 0, p - 1) != level ? -1 : level;
}

#include "loggops_check.h"
#include "api/make.h"
#include "registry/composition.h"

static void assert_path(const LoggopsResult *result, const Goal *goal, uint32_t host)
{
    g_autoptr(GArray) path = loggops_path(result, host);
    double t = 0;
    for (guint i = 0; i < path->len; i++) {
        const LoggopsStep *step = &g_array_index(path, LoggopsStep, i);
        const GoalOp *op = goal_op(goal, step->op);
        g_assert_cmpuint(op->host, ==, step->host);
        g_assert_cmpint(op->kind == GOAL_CALC, ==, step->kind == LOGGOPS_CALC);
        g_assert_cmpint(op->kind == GOAL_RECV, ==, step->kind >= LOGGOPS_TAKE);
        g_assert_cmpfloat(step->start, ==, t);
        g_assert_cmpfloat(step->end, >=, step->start);
        t = step->end;
    }
    g_assert_cmpfloat(t, ==, result->finish[host]);
}

void loggops_assert_certificates(const LoggopsResult *result, const Goal *goal, const LoggopsParams *params)
{
    uint32_t last = 0;
    for (uint32_t host = 0; host < result->n_hosts; host++) {
        const LoggopsStamp stamp = loggops_stamp(result, host);
        g_assert_cmpfloat(stamp.t, ==, result->finish[host]);
        g_assert_cmpfloat(loggops_time(&stamp, params), ==, stamp.t);
        g_free(stamp.level);
        assert_path(result, goal, host);
        last = result->finish[host] > result->finish[last] ? host : last;
    }
    g_assert_cmpuint(result->last_host, ==, last);
    g_assert_cmpfloat(result->last.t, ==, result->finish[last]);
    g_assert_cmpfloat(loggops_time(&result->last, params), ==, result->last.t);
}

LoggopsTicks loggops_ticks_of(const LoggopsParams *params)
{
    return (LoggopsTicks){.L = (uint64_t)params->L,
                          .o = (uint64_t)params->o,
                          .g = (uint64_t)params->g,
                          .G = (uint64_t)params->G,
                          .O = (uint64_t)params->O,
                          .S = params->S < 0x1p63 ? (uint64_t)params->S : UINT64_MAX,
                          .gamma = (uint64_t)params->gamma};
}

Operation loggops_operation(const CollAlgorithm *a, int p, int root, size_t m, const CollNodes *nodes)
{
    const Coll all = {
        .p = p, .root = root, .elem = 1, .commutative = true, .nodes = nodes, .par = algorithm_defaults(a)};
    Operation op = {.c = coll_make(a->collective, &all, all.root, m, NULL), .m = m};
    const char *why;
    op.algorithm = coll_resolve(a, &op.c, &why);
    return op;
}

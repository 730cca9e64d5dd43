// Private to the LogGOPS run and its path: the one place that knows what costs what.
#pragma once
#include "loggops.h"

#define LOGGOPS_NOTHING UINT32_MAX // a clock still at 0: nothing has set it

// The end of a step that begins at t. The run and the path add in this same order, so their times are equal to the bit.
static inline double loggops_charge(const LogParams *q, LogStepKind kind, uint64_t size, double t)
{
    const double further = size > 1 ? (double)(size - 1) : 0; // bytes
    switch (kind) {
    case LOG_CALC:
        return t + (double)size * q->gamma;
    case LOG_SEND:
        return t + q->o + further * q->O;
    case LOG_FLIGHT:
        return t + q->o + q->L;
    case LOG_TAKE:
        return t + q->o + further * MAX(q->O, q->G);
    case LOG_SEND_GAP:
    case LOG_TAKE_GAP:
        return t + q->g + further * q->G;
    case LOG_ANSWER:
    case LOG_LATE_ANSWER:
        break;
    }
    return t;
}

// The same as counts. On a tie of O and G the CPU's own O is counted.
static inline void loggops_count(const LogParams *q, LogStepKind kind, uint64_t size, int64_t n[LOG_TERMS])
{
    const int64_t further = size > 1 ? (int64_t)(size - 1) : 0;
    const gboolean gap = kind == LOG_SEND_GAP || kind == LOG_TAKE_GAP;
    const gboolean cpu = kind == LOG_SEND || kind == LOG_TAKE;
    const gboolean by_G = gap || (kind == LOG_TAKE && q->G > q->O);
    n[LOG_L] += kind == LOG_FLIGHT;
    n[LOG_o] += kind == LOG_FLIGHT || cpu;
    n[LOG_g] += gap;
    n[LOG_G] += by_G ? further : 0;
    n[LOG_O] += cpu && !by_G ? further : 0;
    n[LOG_GAMMA] += kind == LOG_CALC ? (int64_t)size : 0;
}

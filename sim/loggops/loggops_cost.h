// Private to the LogGOPS runs and the path: the one place that knows what costs what.
#pragma once
#include "loggops/loggops.h"

#define LOGGOPS_NOTHING UINT32_MAX // a clock still at 0: nothing has set it

#ifdef LOGGOPS_TICKS // integer clocks, modulo 2^64: a message of 0 bytes has 2^64 - 1 further ones
typedef uint64_t LogTime;
typedef LogTicks LogCosts;

static inline LogTime loggops_further(uint64_t size)
{
    return size - 1;
}
#else
typedef double LogTime;
typedef LogParams LogCosts;

static inline LogTime loggops_further(uint64_t size)
{
    return size > 1 ? (LogTime)(size - 1) : 0;
}
#endif

// The end of a step that begins at t. The run and the path add in this same order, so their times are equal to the bit.
static inline LogTime loggops_charge(const LogCosts *q, LogStepKind kind, uint64_t size, LogTime t)
{
    const LogTime further = loggops_further(size); // bytes
    switch (kind) {
    case LOG_CALC:
        return t + (LogTime)size * q->gamma;
    case LOG_SEND:
        return t + q->o + further * q->O;
    case LOG_FLIGHT:
        return t + q->o + q->L;
    case LOG_TAKE: // not further * MAX(O, G): products that wrap compare otherwise
        return t + q->o + MAX(further * q->O, further * q->G);
    case LOG_SEND_GAP:
    case LOG_TAKE_GAP:
        return t + q->g + further * q->G;
    case LOG_ANSWER:
    case LOG_LATE_ANSWER:
        break;
    }
    return t;
}

// The same as counts, of a run with clocks of seconds. On a tie of O and G the CPU's own O is counted.
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

// The costs of LogGOPS: the only place that knows them. Private to the runs and to the critical path.
#pragma once
#include "loggops/loggops.h"

#define LOGGOPS_NOTHING UINT32_MAX // no operation, and no step: nothing has set a clock that is still at 0

// loggops_further() returns how many bytes a message has after its first one.
#ifdef LOGGOPS_TICKS // clocks are integers modulo 2^64, so a message of 0 bytes has 2^64 - 1 further bytes
typedef uint64_t LoggopsTime;
typedef LoggopsTicks LoggopsCosts;

static inline LoggopsTime loggops_further(uint64_t size)
{
    return size - 1;
}
#else
typedef double LoggopsTime;
typedef LoggopsParams LoggopsCosts;

static inline LoggopsTime loggops_further(uint64_t size)
{
    return size > 1 ? (LoggopsTime)(size - 1) : 0;
}
#endif

// Returns the end of a step that begins at t. The run and the critical path both use it, so that they add in the same
// order and their times are equal to the bit.
static inline LoggopsTime loggops_charge(const LoggopsCosts *q, LoggopsStepKind kind, uint64_t size, LoggopsTime t)
{
    const LoggopsTime further = loggops_further(size);
    switch (kind) {
    case LOGGOPS_CALC:
        return t + (LoggopsTime)size * q->gamma;
    case LOGGOPS_SEND:
        return t + q->o + further * q->O;
    case LOGGOPS_FLIGHT:
        return t + q->o + q->L;
    case LOGGOPS_TAKE: // not further * MAX(O, G), which is another maximum if a product wraps
        return t + q->o + MAX(further * q->O, further * q->G);
    case LOGGOPS_SEND_GAP:
    case LOGGOPS_TAKE_GAP:
        return t + q->g + further * q->G;
    case LOGGOPS_ANSWER:
    case LOGGOPS_LATE_ANSWER:
        break;
    }
    return t;
}

// Adds what the same step costs to the counts n; for runs on clocks of doubles. If O and G are equal, a take counts O,
// the CPU's own.
static inline void loggops_count(const LoggopsParams *q, LoggopsStepKind kind, uint64_t size, int64_t n[LOGGOPS_TERMS])
{
    const int64_t further = size > 1 ? (int64_t)(size - 1) : 0;
    const gboolean gap = kind == LOGGOPS_SEND_GAP || kind == LOGGOPS_TAKE_GAP;
    const gboolean cpu = kind == LOGGOPS_SEND || kind == LOGGOPS_TAKE;
    const gboolean by_G = gap || (kind == LOGGOPS_TAKE && q->G > q->O);
    n[LOGGOPS_L] += kind == LOGGOPS_FLIGHT;
    n[LOGGOPS_o] += kind == LOGGOPS_FLIGHT || cpu;
    n[LOGGOPS_g] += gap;
    n[LOGGOPS_G] += by_G ? further : 0;
    n[LOGGOPS_O] += cpu && !by_G ? further : 0;
    n[LOGGOPS_GAMMA] += kind == LOGGOPS_CALC ? (int64_t)size : 0;
}

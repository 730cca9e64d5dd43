// The costs of LogGOPS: the only place that knows them. Private to the runs and to the critical path.
#pragma once
#include "engine/goal/goal_line.h"
#include "engine/loggops/loggops.h"

// loggops_further() returns how many bytes a message has after its first one, and loggops_L() and loggops_G() what L
// and G are for a message of a level. With clocks of doubles, LoggopsParams.level must be set.
#ifdef LOGGOPS_TICKS // clocks are integers modulo 2^64, so a message of 0 bytes has 2^64 - 1 further bytes
typedef uint64_t LoggopsTime;
typedef LoggopsTicks LoggopsCosts;

static inline LoggopsTime loggops_further(uint64_t size)
{
    return size - 1;
}

static inline LoggopsTime loggops_L(const LoggopsCosts *q, int level)
{
    (void)level;
    return q->L;
}

static inline LoggopsTime loggops_G(const LoggopsCosts *q, int level)
{
    (void)level;
    return q->G;
}
#else
typedef double LoggopsTime;
typedef LoggopsParams LoggopsCosts;

static inline LoggopsTime loggops_further(uint64_t size)
{
    return size > 1 ? (LoggopsTime)(size - 1) : 0;
}

static inline LoggopsTime loggops_L(const LoggopsCosts *q, int level)
{
    return q->level[level].L;
}

static inline LoggopsTime loggops_G(const LoggopsCosts *q, int level)
{
    return q->level[level].G;
}
#endif

// Returns the end of a step that begins at t and belongs to the send or calc `o`. The run and the critical path both
// use it, so that they add in the same order and their times are equal to the bit.
static inline LoggopsTime loggops_charge(const LoggopsCosts *q, LoggopsStepKind kind, const GoalOp *o, LoggopsTime t)
{
    const LoggopsTime further = loggops_further(o->size);
    switch (kind) {
    case LOGGOPS_CALC:
        return t + (LoggopsTime)o->size * q->gamma;
    case LOGGOPS_SEND:
        return t + q->o + further * q->O;
    case LOGGOPS_FLIGHT:
        return t + q->o + loggops_L(q, o->level);
    case LOGGOPS_TAKE: // not further * MAX(O, G), which is another maximum if a product wraps
        return t + q->o + MAX(further * q->O, further * loggops_G(q, o->level));
    case LOGGOPS_SEND_GAP:
    case LOGGOPS_TAKE_GAP:
        return t + q->g + further * loggops_G(q, o->level);
    case LOGGOPS_ANSWER:
    case LOGGOPS_LATE_ANSWER:
        break;
    }
    return t;
}

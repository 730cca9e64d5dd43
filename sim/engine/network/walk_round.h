// A round of a walk, and what it is handed to.
#pragma once
#include "engine/replay/lockstep.h"
#include "engine/replay/prices.h"

// A message of v `from`.
typedef struct WalkMessage {
    int32_t from, to;
    uint64_t bytes;
} WalkMessage;

typedef struct WalkRound {
    int64_t round;
    const Schedule *s;
    // In step: v does what `step` says for v mod turn, which is an exchange. NULL for other rounds.
    const LockstepStep *step;
    int turn;
    // Otherwise the messages, each of which stands for p / period: from v + i period to the peer + i period, or, with
    // peers that are an XOR, from v ^ i period. If period is p, each stands for itself.
    const WalkMessage *message;
    uint32_t n;
    int period;
} WalkRound;

typedef void WalkEach(const WalkRound *round, gpointer user);

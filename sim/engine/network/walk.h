// The rounds of a schedule: which messages begin at the same time if every message takes one unit of time and nothing
// else takes any, under the same discipline and with the same ties as in a replay. Rounds count from 0, and `show` draws
// the same ones from 1 on.
//
// Where all ranks exchange in step, a round is handed on as what each rank does relative to itself, and no message is
// looked at. Elsewhere the ranks are run; if few ranks can stand for all (schedule_period), only these.
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

// Calls `each` for every round with messages, in order. The transfer is rendezvous, eager or eager-port. Returns FALSE
// and an error if ranks wait forever, or if there are too many messages to run them one by one.
typedef void WalkEach(const WalkRound *round, gpointer user);
gboolean walk_rounds(const Schedule *s, Transfer transfer, WalkEach *each, gpointer user, GError **error);

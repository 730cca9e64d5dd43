// The rounds of an algorithm, and a drawing of them.
//
// The rounds come from a run under rendezvous in which every message takes one unit of time and nothing else takes any.
// Their number is therefore the coefficient of alpha in the exact formula.
#pragma once
#include "api/nodes.h"
#include "engine/schedule/operation.h"
#include <glib.h>

enum { MAX_DRAWN_RANKS = 64, MAX_DRAWN_MESSAGES = 20000 };

// A message that is transferred in `round`, 1 or more. In shared memory it is a read from the queue of `from`, or, if
// both ranks are the same, a write into the rank's own queue.
typedef struct RoundMessage {
    int round, from, to;
    size_t bytes;
    Slice into;   // where the receiver puts it; unused in shared memory
    bool reduced; // the receiver reduces it on arrival
} RoundMessage;

// Return the messages of an operation (of RoundMessage), by rounds; rounds_play is for algorithms that send messages,
// shared_rounds_play for algorithms in shared memory. If no rank can go on, the messages end there. Time and memory
// grow with ranks and messages, so use at most MAX_DRAWN_RANKS and about MAX_DRAWN_MESSAGES. Free with g_array_unref.
GArray *rounds_play(const Operation *op);
GArray *shared_rounds_play(const Operation *op);
// Returns a drawing of at most 24 lines, after an empty one; rounds that are alike are drawn once. It sorts the
// messages within their rounds. `exchanges` says that ranks exchange messages in pairs whose distance is an XOR. If
// `nodes` is not NULL, messages between nodes are marked. Free with g_free.
char *rounds_draw(GArray *messages, int p, bool exchanges, const CollNodes *nodes);
// Returns true if the message goes from one node to another; `nodes` may be NULL, and then none does.
bool rounds_between(const RoundMessage *message, const CollNodes *nodes);

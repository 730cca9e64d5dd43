// A rank's in-port under measured, in gears that serve messages in the order of receives, as if they began in that
// order. The port notes when its last message began; if the next one began before that, the order was another one, and
// the run is given up. Private to the replay.
#pragma once
#include "engine/replay/cost.h"

// All zero before the port's first message.
typedef struct InPort {
    Stamp free;      // when it is free again
    double begun;    // when its last message began
    int32_t name;    // that message's sender, as the receiver names it
    bool used;       // it has had a message
    bool rendezvous; // the last one was by rendezvous
} InPort;

// Returns true if, by the rules, an eager message that began at `begun` comes to the port after the last message there.
// If messages begin at one instant, the one from the lowest rank comes first, unless `unsure` says that more happens at
// that instant than each sender's one message, or that names are not ranks or keys are not.
static inline bool in_port_follows(const InPort *port, const Schedule *s, double begun, int name, bool unsure)
{
    if (G_LIKELY(begun > port->begun) || !port->used)
        return true;
    if (begun < port->begun)
        return false;
    return name == port->name || (!port->rendezvous && !unsure && rank_of(s, name) > rank_of(s, port->name));
}

// Returns true if an eager message that would arrive at `came` has to wait for the port, which is then free after
// `take`.
static inline bool in_port_delays(const InPort *port, double take, double came)
{
    return port->used && port->free.t + take >= came;
}

// Returns true if the gap of some message may be 0, so that a rank may send several messages at one instant.
bool in_port_may_be_free_at_once(const Measured *figures);

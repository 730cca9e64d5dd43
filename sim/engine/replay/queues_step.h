// The steps of lockstep with lines at NICs (queues.h). Private to that gear.
#pragma once
#include "engine/replay/event_share.h"
#include "engine/replay/lockstep.h"

// What a message waited for last, for one of its ends: that end itself, the last user of the out-side or of the
// in-side, or the other end.
enum { OWN, LINE_OUT, LINE_IN, OTHER };

// The message that v sends in a step; the step is -1 if nothing was sent.
typedef struct Sent {
    int32_t step, v;
} Sent;

// What is noted of a message that v sends in a step, and of v: what the two ends waited for, in the bits from 0 and
// from RECEIVER on, and whether v's clock is that of the message that it receives. For a message in a line, the
// messages that used its sides before it are noted too.
enum { RECEIVER = 2, RECEIVED = 1 << 4 };

typedef struct Before {
    Sent out, in;
} Before;

// A side of a NIC.
typedef struct NicSide {
    double free;   // when it is free
    double latest; // when the last message of an earlier exchange came to its line
    Sent last;     // its last user
    int other;     // in this exchange, the side at the other end; -1 for none
} NicSide;

// What a class's messages or its own work take, by whether the block is a longer one. Lengths of several blocks are
// looked up.
typedef struct QueuesTimes {
    int first, longer; // of the block that v + first is, modulo p; how many are longer
    bool several;
    double time[2][LOCKSTEP_LEVELS], busy[2]; // by level; of own work, the time is time[..][0]
} QueuesTimes;

typedef struct Queues {
    const Schedule *s;
    Hockney model;
    int n, turn;     // simulated ranks; v does what v mod turn does
    bool mirror;     // these stand for all p
    const Class **k; // of v = 0 .. turn-1
    Machine m;       // for the places of NICs
    EventGear e;
    int64_t steps;
    Cursor *at;                  // by class: where it is
    LockstepStep *now_in, *then; // by class: this exchange and the last one
    bool any;                    // there was a last one
    QueuesTimes *times;          // by class
    double *now, *end;           // by v: clocks, and the ends of the messages that they send
    // By v, of the messages in this exchange: the place of the receiver, the place of the rank from which v receives,
    // the level of v's message, how long it takes, and how long it occupies a NIC if it leaves the node, or else -1.
    int *d, *source;
    uint8_t *level;
    double *time, *busy;
    int *line, n_line; // messages that leave their nodes, in the order of the last exchange
    double *ready;     // by v: when its message is
    NicSide *out, *in; // by NIC
    // By step of the stretch, and v or class; NULL if nothing is noted.
    uint8_t *note;
    Before *before;
    Cursor *cursor;
    int64_t first; // the first step that is noted
} Queues;

static inline int place_of_peer(const Queues *x, int v, int relative)
{
    if (!x->mirror)
        return peer_of(x->s, v, relative, 0, 0);
    if (x->s->peers == PEERS_XOR)
        return (v ^ relative) & (x->n - 1);
    return (int)(((uint32_t)v + (uint32_t)relative) % (uint32_t)x->n);
}

static inline size_t note_at(const Queues *x, int64_t step, int v)
{
    return (size_t)((step - x->first) * x->n + v);
}

// Does step `number` of all ranks, and goes on to the next one. Notes it if x->note is not NULL. Returns false if
// lockstep does not hold.
bool queues_step(Queues *x, int64_t number);

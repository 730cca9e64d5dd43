// The state of a run that finds rounds: ranks and their requests. Private to the walk.
#pragma once
#include "engine/network/channels.h"
#include "engine/network/walk_round.h"
#include "engine/replay/flags.h"

enum { WALK_THROTTLED = INT32_MIN }; // WalkRank.wait of a rank in a throttle

// A send or a receive that was issued, or a message that came before its receive was posted.
typedef struct WalkReq {
    int64_t bytes;
    int32_t owner, peer; // the rank whose request it is, and the other one, as the owner names it
    int32_t older;       // the rank's next older request that is not waited for; in a free entry, the next free one
    int32_t next;        // the next send of the rank
    int32_t queue;       // of an offer: the next one of the same heap, or at the same port
    int32_t child;       // of an offer: the first of those in the heap below it
    int32_t turn;        // of a receive: its place in the order of posting; of an offer: that of its receive
    int32_t match;       // of an offer: its receive
    uint8_t receives, done, awaited, offered;
} WalkReq;

// As the Rank of a replay (machine.h).
typedef struct WalkRank {
    uint32_t pc, round;
    int32_t newest, wait, missing, pending;
    int32_t first_send, last_send; // sends that have not begun, and in the unit in which it moves, the one before them
    int32_t offers;                // the heap of messages offered to it; eager-port: the first of those at its port
    int32_t last_offer;            // eager-port: the last of these
    uint8_t listed;                // it is in RoundWalker.busy
} WalkRank;

typedef struct RoundWalker {
    const Schedule *s;
    Transfer transfer;
    int n; // ranks that are run
    bool mirror;
    WalkRank *ranks;
    GArray *pool; // of WalkReq
    int32_t free_req, posted;
    int *runnable, n_runnable;
    int *busy, n_busy;  // ranks that may begin: receivers with offers, or eager senders
    int *port, n_port;  // eager-port: receivers with messages at their port
    GArray *moving;     // of int32_t: the sends that are on their way in this unit
    GArray *message;    // of WalkMessage: of this round
    Channels *channels; // receives that were posted, or messages that have come
    Flags *flags;
    bool *in_port; // by rank: it is in `port`
} RoundWalker;

static inline WalkReq *req(RoundWalker *w, int32_t i)
{
    return &g_array_index(w->pool, WalkReq, i);
}

// If few ranks stand for all, a peer is named by its distance, and the rank at that distance modulo n stands for it
// (machine.h).

static inline int walk_place_of(const RoundWalker *w, int v, int peer)
{
    if (!w->mirror)
        return peer;
    return w->s->peers == PEERS_XOR ? (v ^ peer) & (w->n - 1) : (int)(((int64_t)v + peer) % w->n);
}

// Returns what v's peer calls v.
static inline int walk_name_of(const RoundWalker *w, int v, int peer)
{
    if (!w->mirror)
        return v;
    return w->s->peers == PEERS_XOR ? peer : (w->s->p - peer) % w->s->p;
}

// Returns a new request, and gives one back.
int32_t walk_new_req(RoundWalker *w, WalkReq x);
void walk_drop_req(RoundWalker *w, int32_t i);
// Ends a request, and makes its rank runnable if the rank waited for nothing else.
void walk_complete(RoundWalker *w, int32_t i);
// Issue a receive and a send of v.
void walk_post(RoundWalker *w, int v, int peer, uint64_t bytes);
void walk_send(RoundWalker *w, int v, int peer, uint64_t bytes);
// Under rendezvous: offers v's first send to its receiver, if that has posted the receive; and takes the first offer out of
// a heap, and returns the heap that is left.
void walk_offer(RoundWalker *w, int v);
int32_t walk_without_first(RoundWalker *w, int32_t first);

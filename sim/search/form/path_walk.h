// One rank of an operation whose peers are always ready, and the message that it waits for last. For path_bound.
#pragma once
#include "search/form/text_run.h"

// What messages and reductions cost.
typedef struct PathCosts {
    Transfer transfer;
    const Measured *measured; // NULL under hockney
    Hockney hockney;
    Site *site; // under hockney; NULL on a flat machine
    const Mapping *map;
    int ports, n_levels;
    int nics;                     // of each node that its ranks share; 0 if none delays them
    double nic_byte, nic_message; // a message between nodes occupies one for nic_byte a byte, at least nic_message
} PathCosts;
void path_costs_begin(PathCosts *x, const Platform *platform, Transfer transfer, const Mapping *map);
void path_costs_end(PathCosts *x);
// Return how long a message occupies its sender's port, and the least time from its beginning to its end at the
// receiver; it may be half of a sendrecv.
double path_gap(const PathCosts *x, int level, size_t len);
double path_way(const PathCosts *x, int level, size_t len);
// Returns how long a message to another node occupies a NIC.
double path_nic(const PathCosts *x, size_t len);

// A message that a rank receives.
typedef struct Received {
    int from;
    size_t len;
} Received;

// A few ranks; n is above PEERS if they are more.
enum { PEERS = 8 };
typedef struct Peers {
    int n, rank[PEERS];
} Peers;
void peers_add(Peers *x, int rank);
bool peers_have(const Peers *x, int rank); // not if they are more

enum { ANY_LEVEL = -1 }; // of messages whose levels differ

// What a rank sends to other nodes, or receives from them.
typedef struct FarSide {
    int messages;
    double begins_s; // the first one begins at least then; INFINITY if there is none
    double nics_s;   // how long all of these occupy a NIC, and the one that does longest
    double nic_most_s;
    // The least time from the end of a message's turn at the NIC to its end at its receiver, and to that of its send;
    // below 0 if a NIC takes longer. INFINITY if there is none.
    double way_rest_s, gap_rest_s;
} FarSide;

// A step of a walk: from a message's receiver to its sender, or the other way.
typedef struct Hop {
    int level;
    size_t len; // of the message
} Hop;

// The messages at whose end a walker's clocks with `after` begin again from 0.
typedef enum WalkAfter {
    AFTER_RECEIVES, // each one that it receives
    AFTER_FAR,      // each one to another node or from one
    AFTER_ONE       // the after_nth that it receives from rank after_from, from 1
} WalkAfter;

// A message that a rank sends.
typedef struct WalkerSend {
    int to;
    Hop hop;
    double after_s; // when it begins at least, by the clock with `after`
    int ended;      // Walker.ended when it was issued
} WalkerSend;

// A rank whose peers are always ready. It runs up to one of its sends, its goal, or to its end.
typedef struct Walker {
    TextRun text;
    const PathCosts *costs;
    int rank, goal, nth;  // the goal is the nth message to rank `goal`, from 1; that is -1 if the rank runs to its end
    bool there;           // it has come to the goal; nothing changes then
    double enough_s;      // nor does anything once its clock has come so far,
    double nics_enough_s; // .. or far_out.nics_s, without the longest message once for each NIC; set by the caller
    // The rank's clock, and when its out-port is free, if it has only one. The fields with `after` become 0 when one of
    // the messages of WalkAfter ends: they show what must follow it.
    double now_s, out_s, after_s, out_after_s;
    WalkAfter after; // set by the caller, like the next two
    int after_from, after_nth;
    int after_came;                // messages from after_from whose receive has been issued
    double in_s, in_posted_s;      // when the in-port is free after rendezvous; the last posting that this knows
    double out_sum_s, in_sum_s;    // the gaps of what it has sent, and those, or takes, of what it has waited for
    double in_most_s;              // the largest of in_sum_s
    double way_least_s;            // and the least time of one of these messages
    int sent, sent_level;          // messages, with the goal, and their level, or ANY_LEVEL
    size_t shortest, longest_sent; // of these
    FarSide far_out, far_in;
    Peers to;           // where they go
    size_t longest;     // message that it has sent, or whose receive it has posted
    GArray *open;       // of Open, with a hole of hole_n unused elements at index `hole`
    Received *received; // in the order of posting
    int n_received, max_received;
    guint hole, hole_n;
    int ended;           // messages of WalkAfter that have ended
    bool notes_sends;    // for walker_forth(); set by the caller
    GArray *sends;       // of WalkerSend, in the order of issue; empty unless notes_sends
    int last;            // the receive that ended last (Open.receive); 0 for none
    uint64_t operations; // of the text
    int level;           // .. and length of the last message, whose gap is kept because the next one is often like it
    size_t len;
    double gap_s, way_s, in_gap_s; // the last one: how long it occupies its receiver's port
} Walker;

void walker_begin(Walker *x, const PathCosts *costs);
void walker_end(Walker *x);
// Runs a rank up to its nth message to rank `to`, or to its end if that is -1, or until its clock has come to enough_s.
// Returns true if it has come to its goal.
bool walker_run(Walker *x, const Operation *op, int rank, int to, int nth, double enough_s);

// Goes from where the rank came, after walker_run(), to the rank whose message it waited for last. Returns false if
// there is none.
bool walker_back(const Walker *x, int *rank, int *nth, Hop *hop);
// Goes from where the rank came to the receiver of the last message that it has sent, which is the nth from it. Returns
// false if there is none, or a message of WalkAfter has ended since. The walker must have noted what it has sent.
bool walker_forth(const Walker *x, int *rank, int *nth, WalkerSend *sent);

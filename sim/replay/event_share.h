// What the ranks of a node share, in the event gear: NICs and memory as resources with lines. Private to that gear.
#pragma once
#include "replay/event.h"

// A resource: one side of a NIC, or a node's memory.
typedef struct Resource {
    Stamp free;     // when it is free: the chain of its last user; t is -1 before the first
    int local;      // the last user's number within the node
    int head, tail; // the v of the messages in its line; -1 for none
    Served last;    // the last message that came to an in-side, by the sender's number in its node and its name
} Resource;

struct Sharing {
    const Site *site;
    Resource *out, *in; // by node and NIC; NULL if there are no NICs
    Resource *memory;   // by node; NULL if there is none
    int nodes;          // that are simulated
    int *node;          // by v: the index of its node among these
    int *next;          // by v: the v behind it in its line
    bool *waits;        // by v: its message is in a line
    int *order, *v_at;  // by v: its place in the order of keys; and the v at each place
    // rendezvous: a heap of places in the order of keys, of the messages that join a line or may take its resource now
    int *ready, n_ready;
};

struct Sharing *sharing_new(const Machine *m);
void sharing_free(struct Sharing *x); // NULL is allowed

// Returns the first resource of a message from v, or NULL if it uses none.
Resource *sharing_first(const Machine *m, int v, int peer);
// Returns true if the resource is v's now: nobody is before it in line, and it is free. Otherwise v waits in line;
// the event `kind` will tell when v is the first and the resource is free.
bool sharing_take(Machine *m, Resource *r, int v, int kind);
// Returns the v that is first in line now that v has begun and set r->free; -1 if the line is empty.
int sharing_next(const Resource *r);

// Returns latest(own, r->free), where `own` is a chain of v and r a resource of v's node.
Stamp sharing_latest(Machine *m, Stamp own, const Resource *r, int v);
// Lets v's message of so many bytes, which begins at `begin` on v's chain, occupy the resource; `node` is the message's
// entry in the trace.
void sharing_occupy(Machine *m, Resource *r, int v, Stamp begin, uint32_t node, int level, uint64_t bytes);
// Returns the in-side that a message to place d uses after its first resource; NULL if that is a memory.
Resource *sharing_in_side(const Machine *m, const Resource *first, int d);
// Sets m->tie if two messages come to the in-side at the same time, and which is the first depends on the node.
void sharing_check_tie(Machine *m, Resource *in, int v, int name, double t);

void sharing_ready(struct Sharing *x, int v);       // adds v to the heap
bool sharing_take_ready(struct Sharing *x, int *v); // takes the v with the smallest key; false if there is none

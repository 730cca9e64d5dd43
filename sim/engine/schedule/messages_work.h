// What the library does for a text's messages, as work of the rank that does it:
//
//   connect  Before the first message that the rank's text sends to a peer or receives from it, the rank sets up its end
//            of a connection. A sendrecv has two peers; it sets up that of its receive first.
//   match    A message is early if its sender's text sends it before it has ended a receive. The early messages for a
//            rank wait in a line, and the rank is taken to receive them before all others. Before it posts the receive
//            of one, it passes the messages that are in line behind it: of n early messages n-1, n-2 .. 0, so that each
//            pair of them counts once.
//   bounce   After the wait that ends the receive of an eager message, the rank copies it; empty ones too.
//
// All of it depends on the texts alone, so it is recorded, and every gear replays it as any other work of a rank.
#pragma once
#include "api/backend.h"
#include "machine/platform/mapping.h"
#include "engine/schedule/operation.h"
#include <stdbool.h>
#include <stddef.h>

typedef struct MessagesWork {
    bool connects, matches;
    const int64_t *eager; // by level: the longest message that is copied, below 0 for none; NULL if none is copied
    int far;              // the number of the outermost level
    const Mapping *map;   // NULL if all ranks are far from each other
} MessagesWork;

typedef struct MessagesRank MessagesRank;

// Returns what records this work; it runs all texts once if lines matter. *work must outlive it.
MessagesRank *messages_new(const Operation *op, const MessagesWork *work);
// Begins the text of a rank.
void messages_begin(MessagesRank *x, int rank);
// Returns true if the rank connects before this operation: for its receive (half 0) or its send (half 1).
bool messages_connects(MessagesRank *x, const CollIssue *op, int half);
// Returns how many messages are in line behind that of this operation's receive; 0 if it has none.
uint64_t messages_in_line(MessagesRank *x, const CollIssue *op);
// Notes that the operation is issued, and returns how many receives end with it.
size_t messages_end(MessagesRank *x, const CollIssue *op);
// Returns true if the receive with this number, of those that have ended, was of an eager message of *bytes. The last
// number is that of the receive that was issued first.
bool messages_bounces(const MessagesRank *x, size_t i, size_t *bytes);
void messages_free(MessagesRank *x); // NULL is allowed

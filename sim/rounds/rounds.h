// The rounds of an algorithm, drawn: those of a run in which every message takes one unit of time and nothing else takes
// any (rendezvous), so that there are as many as the exact formula has alpha.
#pragma once
#include "model/model.h"

enum { MAX_DRAWN_RANKS = 64, MAX_DRAWN_MESSAGES = 20000 };

// A message that took place in `round`, from 1 on. In shared memory: a read from its owner's queue, or, from a rank to
// itself, a write into its own.
typedef struct Message {
    int round, from, to;
    size_t bytes;
    Slice into;
    bool reduced; // on arrival
} Message;

// The messages of an operation (Message, by rounds), to free with g_array_unref; at most MAX_DRAWN_RANKS ranks and about
// MAX_DRAWN_MESSAGES messages, for time and memory grow with them. It ends where no rank can go on.
GArray *rounds_play(const Operation *op);
GArray *shared_rounds_play(const Operation *op);
// Prints them, alike rounds once, up to 24 lines; `exchanges`: the algorithm is one of pairs at a distance by XOR.
void rounds_draw(GArray *messages, int p, bool exchanges);

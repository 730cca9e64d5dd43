// Small programs for tests. Each rank has a text of words, separated by blanks:
//
//     s1:8       sends 8 bytes to rank 1
//     r1:8       receives 8 bytes from rank 1
//     S1:8 R1:8  the same as isend and irecv; a rank's requests are numbered 0, 1, 2 .. in the order of issue
//     x1:8,2:4   sends 8 bytes to rank 1 and receives 4 from rank 2, as one sendrecv
//     g5         reduces 5 bytes
//     w3         waits for request 3
//     W, W3      waits for all requests, for all from request 3 on
//     t2         throttles: waits until fewer than 2 requests are pending
#pragma once
#include "engine/schedule/record.h"

enum { MAX_RANKS = 16 };

typedef struct Planted {
    int p;
    char *text[MAX_RANKS];
    int root; // root and peers change how the schedule is recorded, but must not change any time
    CollPeers peers;
} Planted;

// Returns a registry entry that runs the program. Only the entry that was made last can be run, and x must outlive it.
CollAlgorithm planted_entry(const Planted *x);
// Records the program, with `cut_off` as in RecordOptions. Free with schedule_free.
Schedule *planted_record(const Planted *x, int64_t cut_off);
// Returns all texts as one line, for messages; free with g_free.
char *planted_text(const Planted *x);

// Return random programs that do not deadlock. Free each text with g_free.
//
// 2 to 6 ranks, with all kinds of operations; half of the programs repeat their text, which makes loops.
Planted planted_random(GRand *random);
// Exchanges and reductions that are the same at all ranks. In some programs a few messages between pairs come first.
Planted planted_symmetric(GRand *random);
// Ranks reduce, some send a message to others, and then all do the same exchange 70 times.
Planted planted_tail(GRand *random);
// All kinds of operations; the program is the same for ranks that are equal modulo some n.
Planted planted_mirrored(GRand *random);

// Programs for tests, each rank's text as words: s1:8 sends 8 bytes to rank 1, r1:8 receives, S and R without waiting,
// x1:8,2:4 sends 8 to 1 and receives 4 from 2, g5 reduces 5 bytes, w3 waits for request 3 (counted from 0), W for all
// (W3: all from 3 on), t2 throttles.
#pragma once
#include "schedule/record.h"

enum { MAX_RANKS = 16 };

typedef struct Planted {
    int p;
    char *text[MAX_RANKS];
    int root; // this and the next change how it is recorded, and no time
    CollPeers peers;
} Planted;

// An entry that runs it; one at a time.
CollAlgorithm planted_entry(const Planted *x);
// cut_off as in record.h.
Schedule *planted_record(const Planted *x, int64_t cut_off);
char *planted_text(const Planted *x);

// Random programs of which none is stuck; free each text.
// Any, of 2 to 6 ranks.
Planted planted_random(GRand *random);
// Exchanges and reductions that all ranks do alike, after a few messages perhaps that only two ranks know of.
Planted planted_symmetric(GRand *random);
// All kinds of operations, alike for ranks that are equal mod some n.
Planted planted_mirrored(GRand *random);

// The phases of texts (coll_phase): their names, numbered from 1. Number 0 is an operation outside of all phases.
#pragma once
#include "api/backend.h"
#include <stdint.h>

typedef struct Phases {
    const char **name; // interned, so that they live as long as the program; name[0] is NULL
    int n;             // including name[0]; 0 while there are none
} Phases;

// Returns the number of the phase in which the run is, which it adds if it is new. Its name has the parts of the
// compositions around it: "allreduce rabenseifner across nodes, reduce-scatter". A part alone is a phase too.
uint16_t phases_number(Phases *phases, const CollRun *run);
// Returns the name of a phase; NULL for 0.
const char *phases_name(const Phases *phases, uint16_t number);
// Returns a copy. Free with phases_clear.
Phases phases_copy(const Phases *phases);
void phases_clear(Phases *phases);

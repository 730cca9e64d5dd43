// Nodes for tests, which nobody has to free.
#pragma once
#include "api/nodes.h"

// Returns nodes of k consecutive ranks each, or NULL if k is 0. They live until the program ends.
const CollNodes *nodes_of(int p, int k);

// Messages of several blocks.
#pragma once
#include "api/blocks.h"

// Sends the n blocks out, out + step, out + 2 step .. (mod b->n) to rank `to` as one message, and receives the n blocks
// in, in + step .. from rank `from` as one message. Blocks that do not touch each other are packed.
void exchange_blocks(const Coll *c, const Blocks *b, int n, int step, int to, int out, int from, int in);

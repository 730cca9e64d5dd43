// Messages of several blocks.
#pragma once
#include "api/blocks.h"

// Sends the n blocks out, out + step, out + 2 step .. (mod b->n) to rank `to` as one message, and receives the n blocks
// in, in + step .. from rank `from` as one message. Blocks that do not touch each other are packed.
void exchange_blocks(const Coll *c, const Blocks *b, int n, int step, int to, int out, int from, int in);
// Do the same for n blocks with any numbers, out[0], out[1] .. and in[0], in[1] .. The second function reduces the
// blocks that it receives into those that are there. The operation must be commutative.
void exchange_listed(const Coll *c, const Blocks *b, int n, int to, const int *out, int from, const int *in);
void exchange_reduced(const Coll *c, const Blocks *acc, int n, int to, const int *out, int from, const int *in);

// Messages of several blocks.
#pragma once
#include "api/blocks.h"

// Send the n blocks out, out + step, out + 2 step .. (mod b->n) to rank `to` as one message, and receive the n blocks
// in, in + step .. from rank `from` as one message. Blocks that do not touch each other are packed. The second function
// reduces the blocks that it receives into those that are there. The operation must be commutative.
void exchange_blocks(const Coll *c, const Blocks *b, int n, int step, int to, int out, int from, int in);
void exchange_reduced(const Coll *c, const Blocks *acc, int n, int step, int to, int out, int from, int in);
// Do the same for n blocks with any numbers, out[0], out[1] .. and in[0], in[1] ..
void exchange_listed(const Coll *c, const Blocks *b, int n, int to, const int *out, int from, const int *in);
void exchange_reduced_listed(const Coll *c, const Blocks *acc, int n, int to, const int *out, int from, const int *in);
// Packs all blocks of b into one slice: blocks first, first + step .. (mod b->n). The second function does the reverse.
void exchange_pack(const Coll *c, Slice into, const Blocks *b, int first, int step);
void exchange_unpack(const Coll *c, const Blocks *b, int first, int step, Slice from);
// Do the same with blocks that are padded to `size` bytes each in the slice.
void exchange_pad(const Coll *c, Slice into, const Blocks *b, int first, int step, size_t size);
void exchange_unpad(const Coll *c, const Blocks *b, int first, int step, Slice from, size_t size);

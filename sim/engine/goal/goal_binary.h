// The binary form of a dependency graph, which LogGOPSim's txt2bin makes from a GOAL text. Numbers are little-endian;
// u32 has 4 bytes. Offsets count from byte 8 of the file.
//
//     u64 4223                       says that this is the binary form; 2342 if a run of LogGOPSim has used the file up
//     u32 ranks, u8 cpu, u8 nic      the number of ranks, the highest CPU and the highest NIC
//     u64 begin, u64 end             per rank, the offsets at which its block begins and ends
//     block                          per rank
//
// The blocks follow each other without a gap, and a block is
//
//     u32 operations, u32 free       the number of operations, and of those that require nothing
//     u32 index                      per free operation; operations are counted from 0 in each rank
//     operation                      per operation, 39 bytes
//     u32 index                      per operation, those that require it to be done, then those that irequire it
//
// where an operation is
//
//     u32 required                   how many dependencies it has, of both kinds
//     u8 kind                        1 send, 2 recv, 3 calc
//     u32 peer                       2^32 - 1 is any; no meaning for a calc
//     u64 size                       in bytes; for a calc, nanoseconds
//     u32 tag                        2^32 - 1 is any; no meaning for a calc
//     u8 cpu, u8 nic
//     u32 dependents, u32 first      how many operations require it to be done, and where their indices are among those
//                                    at the end of the block; first has no meaning if there are none
//     u32 dependents, u32 first      the same for those that irequire it
//
// The reader also checks what LogGOPSim relies on: that all counts agree, and that nothing is shared or left over. So
// memory follows the length of the file.
#pragma once
#include "base/lines.h"
#include "engine/goal/goal.h"

enum { GOAL_BINARY_MARK = 8 }; // bytes by which the form is recognised

// Returns TRUE if a file that begins with these `n` bytes has the binary form, even one that cannot be read.
gboolean goal_binary_is(const char *bytes, size_t n);

// Reads a graph from the beginning of a file. Returns NULL and a bad-input error "FILE: byte N: WHAT; allowed: ..." on
// failure. Free with goal_free.
Goal *goal_binary_read(Lines *file, GError **error);

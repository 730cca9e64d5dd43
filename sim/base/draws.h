// Draws of a seeded generator that counts: draw i of a stream depends on the seed, the stream and i alone. So it does not
// matter in which order, or on how many threads, draws are made. All of this is in integers, which are the same on any
// machine.
#pragma once
#include <stdint.h>

// Returns the key of a stream, such as the messages of rank `number`, of this kind of draws.
uint64_t draws_stream(uint64_t seed, uint64_t kind, uint64_t number);

// Returns draw i of a stream: 64 random bits. It is the generator splitmix64 of Steele, Lea and Flood (2014), begun at
// the key.
static inline uint64_t draws_bits(uint64_t key, uint64_t i)
{
    uint64_t x = key + (i + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

enum { DRAW_MOST_BITS = 56 }; // of a mean or a largest value, so that no draw needs more than 62

// Returns a number from 0 to `most`, each equally likely but for 1 / 2^64; `most` is below 2^DRAW_MOST_BITS.
uint64_t draws_uniform(uint64_t bits, uint64_t most);
// Returns a number, 0 or above, of the exponential distribution with this mean, rounded: mean * -ln((bits + 1/2) / 2^64)
// within 4e-5 of the mean. The mean is below 2^DRAW_MOST_BITS; the largest result is 45 times the mean.
uint64_t draws_exponential(uint64_t bits, uint64_t mean);
enum { DRAW_EXPONENTIAL_MOST = 45 };

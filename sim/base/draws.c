#include "base/draws.h"

typedef unsigned __int128 DrawsWide;

uint64_t draws_stream(uint64_t seed, uint64_t kind, uint64_t number)
{
    return draws_bits(draws_bits(draws_bits(seed, 0), kind), number);
}

uint64_t draws_uniform(uint64_t bits, uint64_t most)
{
    return (uint64_t)((DrawsWide)bits * (most + 1) >> 64);
}

// 2^32 ln(1 + i / 64), rounded, and 2^32 ln 2.
static const uint32_t logs[65] = {
    0,          66589974,   132163268,  196750459,  260380768,  323082134,  384881291,  445803834,  505874286,
    565116154,  623551984,  681203418,  738091233,  794235396,  849655098,  904368797,  958394255,  1011748572,
    1064448219, 1116509066, 1167946415, 1218775023, 1269009132, 1318662486, 1367748360, 1416279581, 1464268541,
    1511727226, 1558667227, 1605099758, 1651035675, 1696485489, 1741459379, 1785967210, 1830018543, 1873622647,
    1916788510, 1959524856, 2001840147, 2043742599, 2085240191, 2126340670, 2167051565, 2207380193, 2247333665,
    2286918897, 2326142616, 2365011363, 2403531508, 2441709246, 2479550612, 2517061482, 2554247578, 2591114477,
    2627667611, 2663912276, 2699853634, 2735496721, 2770846446, 2805907598, 2840684851, 2875182766, 2909405794,
    2943358281, 2977044472};
#define LOG_2 2977044472u

// The bits stand for u = bits / 2^64 = (1 + f) / 2^(zeros + 1), and -ln u is (zeros + 1) ln 2 - ln(1 + f). Between two
// entries of the table, ln is taken as linear.
uint64_t draws_exponential(uint64_t bits, uint64_t mean)
{
    bits |= bits == 0;
    const int zeros = __builtin_clzll(bits);
    const uint64_t f = zeros < 63 ? bits << (zeros + 1) : 0, part = f >> 32 & 0x3ffffff; // f in 1 / 2^64
    const uint32_t low = logs[f >> 58], high = logs[(f >> 58) + 1];
    const uint64_t log = low + (part * (high - low) >> 26);
    const uint64_t minus_ln = (uint64_t)(zeros + 1) * LOG_2 - log; // in 1 / 2^32
    return (uint64_t)(((DrawsWide)minus_ln * mean + (1u << 31)) >> 32);
}

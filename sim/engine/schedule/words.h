// Hashes of what is compared byte by byte.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Returns the hash of `bytes` bytes, which are whole 8-byte words. `h` is the hash of what comes before them, or
// any number, such as 0, if nothing does.
static inline uint64_t words_hash(uint64_t h, const void *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += sizeof(uint64_t)) {
        uint64_t x;
        memcpy(&x, (const char *)data + i, sizeof x);
        h = (h ^ x) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    return h;
}

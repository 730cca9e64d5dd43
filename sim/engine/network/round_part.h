// The loads of one round in one class of links. Private to the loads.
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct RoundPart {
    uint64_t sum, messages, bytes, most;
    int32_t link; // that has the most; -1 if none has any, LINK_UNKNOWN if nobody has looked
} RoundPart;

enum { LINK_UNKNOWN = -2 };

// A round whose messages may come again. Those that all have the same length are kept as if they had one byte each.
typedef struct LoadPattern {
    uint64_t messages, bytes, inside, bytes_inside;
    uint64_t again; // how often, or with how many bytes a message, it came after the first time
    bool known;     // the network knows it, so its loads are not in the run's totals
    RoundPart part[];
} LoadPattern;

// The loads of one round in one class of links. Private to the loads.
#pragma once
#include <stdint.h>

typedef struct RoundPart {
    uint64_t sum, messages, bytes, most;
    int32_t link; // that has the most; -1 if none has any, LINK_UNKNOWN if nobody has looked
} RoundPart;

enum { LINK_UNKNOWN = -2 };

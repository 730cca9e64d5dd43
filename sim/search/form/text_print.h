// A fingerprint of one rank's text, which shows that two operations do the same.
#pragma once
#include "engine/model/model.h"

typedef struct TextPrint {
    uint64_t word[2];
} TextPrint;
// Runs the text of a rank. Two texts with the same fingerprint have the same operations, with the same peers and the
// same slices, up to an accident of 2^-128.
TextPrint text_print(const Operation *op, int rank);

// A fingerprint of the texts of some ranks, which shows that two operations do the same.
#pragma once
#include "engine/model/model.h"

typedef struct TextPrint {
    uint64_t word[2];
} TextPrint;
// Runs the texts of n ranks. Two operations with the same fingerprint have the same texts there: the same operations, with
// the same peers and the same slices, up to an accident of 2^-128.
TextPrint text_print(const Operation *op, int n, const int *ranks);

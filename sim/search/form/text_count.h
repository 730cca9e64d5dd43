// What passes through the ports of one rank, counted in its text without a simulation.
#pragma once
#include "engine/model/model.h"

enum { TEXT_OUT, TEXT_IN, TEXT_WAYS };
typedef struct TextCount {
    double messages[TEXT_WAYS], bytes[TEXT_WAYS]; // that the rank sends, and that it receives
} TextCount;
// Runs the text of a rank. Returns false if a need of the algorithm is not met, so that the text does not run.
bool text_count(const Operation *op, int rank, TextCount *count);
// Returns half of the messages that the text of a rank sends and receives; 0 if a need of the algorithm is not met. It
// counts up to `most`, and returns that if there are more.
double text_messages(const Operation *op, int rank, double most);
// Returns true if the text of a rank has more than `most` operations. It runs no farther.
bool text_is_longer(const Operation *op, int rank, uint64_t most);

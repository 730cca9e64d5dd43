// A few ranks whose texts stand for those of all: the root, its two neighbours and the rank half way round.
#pragma once
#include "engine/model/model.h"

enum { TEXT_SAMPLES = 4 };
// Returns the rank of sample i. Among few ranks, samples in a row may have the same one.
int text_sample_rank(const Operation *op, int i);
// Returns how many ranks' texts have to be run to know those of n ranks: 1 if each rank does, relative to itself, what all
// others do, and with as many bytes. On several levels such ranks may still take different times.
int text_samples(const Operation *op, int n);

// Returns true if these ranks send and receive as many messages in both operations.
bool text_samples_alike(const Operation *a, const Operation *b);
// Returns true if one of these ranks sends bytes. Where vectors are empty (m = 0), a text of the registry sends bytes
// on one of these ranks if it does on any rank: in an alltoallv, for example, all ranks exchange lengths.
bool text_samples_send(const Operation *op);

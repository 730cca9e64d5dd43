// Equivalent mutants of algorithms in shared memory. What a rank may read from a slot follows from the flags alone.
#pragma once
#include "judge/prove/contents.h"

// What the flags of an algorithm in shared memory guarantee, however fast the ranks are. It is found without executing
// contents: an await comes after the first raise of its flag to the awaited value or more. The operations must keep
// contents_rules(). Free with story_free, which takes NULL.
typedef struct Story Story;
Story *story_new(const Contents *c);
void story_free(Story *s);
// Returns true if a mutant in which one rank has other operations reads what the original reads (ORDERED in
// mutant_rules.h). c is the mutant, `before` is the story of the original, and was[i] is the rank's operation of the
// original that is, or was replaced by, its operation i.
bool story_holds(const Contents *c, const Story *before, int rank, const int *was);

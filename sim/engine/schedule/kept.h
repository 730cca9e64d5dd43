// What is known of operations, kept from one question to the next: their schedules, and facts about their texts. What a text
// does depends on no figure of a machine, so a program that asks the same of one machine after the other finds it out once.
#pragma once
#include "engine/schedule/record.h"

// From now on keeps what was last asked for, of at most so many bytes; 0, as when the program starts, keeps nothing. Call it
// while no other thread asks.
void kept_limit(uint64_t bytes);
// Returns true if something may be kept of this operation.
bool kept_takes(const Operation *op);

// As schedule_admit(), but neither options nor totals may be NULL, and the schedule may be one that is kept: do not change
// it. Threads may call this and the functions below at the same time.
Schedule *kept_admit(const Operation *op, const RecordOptions *options, uint64_t most, Totals *totals, GError **error);

typedef enum {
    KEPT_SCHEDULE,
    // Facts, each with the file that keeps it:
    KEPT_PROPORTION, // size_form.c
    KEPT_TEXT,       // text_bound.c
    KEPT_LEAST,      // segment_bound.c
    KEPT_PRINT,      // tries.c
    KEPT_PATH        // same_path.c
} KeptKind;
enum { KEPT_FACT = 192 }; // the most bytes of a fact
// Copies a fact of `size` bytes about an operation to `fact`. Returns false if none is kept.
bool kept_find(const Operation *op, KeptKind kind, void *fact, size_t size);
// Keeps a fact of `size` bytes in place of the one before.
void kept_note(const Operation *op, KeptKind kind, const void *fact, size_t size);

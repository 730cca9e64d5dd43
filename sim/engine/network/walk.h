// The rounds of a schedule: which messages begin at the same time if every message takes one unit of time and nothing
// else takes any, under the same discipline and with the same ties as in a replay. Rounds count from 0, and `show` draws
// the same ones from 1 on.
//
// A replay with unit costs would find the same rounds, but it hands on nothing while it runs: its ledger keeps each
// operation until the end and has room for 400,000, where a walk of up to 2^30 messages keeps those of one round; and it
// sorts events by their times, and here there is only one at a time.
//
// Where all ranks exchange in step, a round is handed on as what each rank does relative to itself, and no message is
// looked at. Elsewhere the ranks are run; if few ranks can stand for all (schedule_period), only these.
#pragma once
#include "engine/network/walk_round.h"

// Returns how many ranks take turns (lockstep.h) if all ranks exchange in step; 0 otherwise.
int walk_turn(const Schedule *s, Transfer transfer);

// Calls `each` for every round with messages, in order. The transfer is rendezvous, eager or eager-port. Returns FALSE
// and an error if ranks wait forever, or if there are too many messages to run them one by one.
gboolean walk_rounds(const Schedule *s, Transfer transfer, WalkEach *each, gpointer user, GError **error);

// The gears, and what two of them share. Private to the replay.
#pragma once
#include "replay/machine.h"

bool dataflow_applies(const Schedule *s, const Hockney *model);
Replay *dataflow_replay(const Schedule *s, const Hockney *model, const ReplayOptions *o);
// Of dataflow: every rank, no path, no request that stays. NULL: ranks are stuck.
bool blocking_applies(const Schedule *s, const Hockney *model, const ReplayOptions *o);
Replay *blocking_replay(const Schedule *s, const Hockney *model, const ReplayOptions *o);
// NULL: too many messages for `full`.
Replay *event_replay(const Schedule *s, const Hockney *model, const ReplayOptions *o);
bool lockstep_applies(const Schedule *s, const Hockney *model, const ReplayOptions *o);
Replay *lockstep_replay(const Schedule *s, const Hockney *model, const ReplayOptions *o);
// Dataflow from where all ranks part that have begun in lockstep. NULL: they did not for long, or something else is asked for.
Replay *lockstep_beginning(const Schedule *s, const Hockney *model, const ReplayOptions *o);

// Eager: a message that arrives from v's peer, and a receive that is posted, meet or wait for each other.
void deliver(Machine *m, int v, int peer, int64_t bytes, Stamp arrival);
void eager_recv(Machine *m, Index recv);
// Rendezvous: both requests get the time at which this transfer, which nothing holds back any more, ends.
void transfer(Machine *m, Index send, Index recv);
// v's clock after reducing so many bytes.
void charge_reduction(Machine *m, int v, size_t bytes);
// The same where v goes on at once, its clock ahead of the others; true.
bool reduce_at_once(Machine *m, int v, size_t bytes);
// A path that was collected backwards: in order of time, each step with its end.
void path_in_order(GArray *path);

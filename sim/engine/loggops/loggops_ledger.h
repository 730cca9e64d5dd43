// The times of a LogGOPS run, operation by operation, and the ledger (engine/replay/ledger.h) that is made of them. A
// CPU is busy for o + (s-1)O of each message, and for its calcs; a direction of a NIC for g + (s-1)G; between the two
// directions a message is in flight.
#pragma once
#include "engine/loggops/loggops.h"
#include "engine/replay/ledger.h"

// Returns a ledger of what `times` has. `calc` is the kind of a calc, OP_REDUCE or PATH_CALC; s_per_unit is how long
// the unit of the run's clocks is. The ledger has no critical path if clocks were set back on it, as messages of 0
// bytes do in loggops_run_ticks.
Ledger *loggops_ledger(const LoggopsTimes *times, int calc, double s_per_unit, const LedgerWish *wish);

// What rows show beyond the tables of messages, by simulation on the machine that the tables make: `take`, `far`, `swap`, and
// how many messages a NIC takes.
#pragma once
#include "measurements/calibrate/measured_found.h"

// Finds, unless --set gave them,
//
//   take          from gather linear up to `eager`: (time - one(n))/(p - 2)
//   far           from recursive doubling with one rank a node and messages of at most 4K: the median of what a row takes
//                 longer than its prediction, by reaction: its ranks react floor(log2 p) - 1 times if p is a power of two, or
//                 else floor(log2 p) times. Without such rows it is `usual_far`
//   swap          from recursive doubling of allgather with blocks that become 4M or longer: the median of
//                 the factors with which they take as long as measured
//   nic.messages  from alltoall linear of at most 64 bytes on several ranks of several nodes, as the rate at which its time
//                 is the measured one; or from windows of all ranks of a node
//
// in this order, and adds to the lines of the fit which rows they come from. Rows that it uses are set in uses_row. The rows
// are those of measured_fit. Returns FALSE and an error if a row cannot be simulated.
gboolean measured_terms_fit(MeasuredFit *fit, const GPtrArray *logs, const GArray *rows, const Platform *assumed,
                            double usual_far, GError **error);
// Returns TRUE if the row shows nic.messages or, provided that rows have `timed` messages between nodes, `far`, so that no
// other figure should be fitted to it.
gboolean measured_terms_wants(const CalibrateRow *row, gboolean timed);

// The least that messages and reductions cost by the tables of measured, whatever their lengths. `first` is the innermost
// level of the messages; times are in seconds.
#pragma once
#include "machine/platform/measured_tables.h"

// Returns the least time of a byte of a message at the levels from `first` on, where no message has more than `most` of
// the bytes that matter.
double table_least_byte(const Measured *figures, int first, double most);
// Returns the least time of a message at the levels from `first` to the one before `end`; INFINITY if there are none.
double table_least_way(const Measured *figures, int first, int end);

// How long messages keep a port busy, at least, at whichever end it is free again first.
typedef struct LeastPort {
    double message_s; // of any length
    double byte_s;    // each byte of a message
} LeastPort;

// Returns this for such levels. `most` is as for table_least_byte().
LeastPort table_least_port(const Measured *figures, int first, int end, double most);
// Returns the least time of some work on this many bytes, which may be cut.
double table_least_work(const MeasuredWork *work, double bytes);

// The figures of the model `measured` (docs/MODEL.md): times of messages as tables over bytes, for each level of
// the machine, and what a rank's own work costs.
#pragma once
#include "machine/platform/table.h"
#include <stdbool.h>
#include <stdint.h>

enum {
    MEASURED_ALL_RENDEZVOUS = -1, // the value of `eager` for `none`
    MEASURED_EAGER = 8192,        // its default
    MEASURED_SWAP_FROM = 4 << 20, // the shortest message that `swap` makes slower, in bytes
};

// The figures of one level. The tables hold times in s over bytes; table_time_at reads them.
typedef struct MeasuredLevel {
    Table *one;    // a message one way; all values above 0
    Table *step;   // a message that is half of a sendrecv at both ends; NULL if it takes as long as `one`
    Table *gap;    // after which a port is free again
    Table *take;   // after an eager message, the same of the receiver's port; NULL for its default, or the gap
    bool take_gap; // it is the gap
    int64_t eager; // the longest eager message in bytes, or MEASURED_ALL_RENDEZVOUS
    double lambda; // 0 .. 1: the share of its gap by which a rendezvous isend delays those issued before it
} MeasuredLevel;

// The kinds of work of a rank.
typedef enum WorkKind {
    WORK_REDUCE, // gamma
    WORK_COPY,   // copies, packs and unpacks
    WORK_FRESH,  // the first use of a scratch buffer
    // What the library does for messages. The length of the first is 1, and that of the second a number of messages.
    WORK_CONNECT, // a rank's end of a connection, where its text first has a message with a peer
    WORK_MATCH,   // a receive whose message is one of several in line
    WORK_BOUNCE,  // the copy of an eager message at its receiver
    N_WORK_KINDS
} WorkKind;

// What work on n bytes costs: by the table if there is one; otherwise n per_byte if n is above `above`, and nothing up
// to that. The default, with `above` 0, is a plain rate.
typedef struct MeasuredWork {
    double per_byte; // in s
    uint64_t above;
    Table *table; // in s over bytes; NULL if there is a rate
} MeasuredWork;

typedef struct Measured {
    int n_levels;         // of the machine
    MeasuredLevel *level; // by level, innermost first
    int ports;            // of a rank, in each direction; at least 1
    double far;           // what an eager message that reacts takes longer between nodes that do not follow each other
    double swap;          // the factor, from 1 on, of long messages between two ranks that exchange them,
    uint64_t swap_from;   // which have at least so many bytes
    MeasuredWork work[N_WORK_KINDS]; // of connections and matches: s each, as `per_byte`
} Measured;

// Returns figures of this many levels that have no tables yet; eager 8K, one port, far 0, swap 1 from 4M on, and work
// that costs nothing. Free with measured_free.
Measured *measured_new(int n_levels);
Measured *measured_copy(const Measured *measured); // NULL gives NULL
void measured_free(Measured *measured);            // NULL is allowed
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Measured, measured_free)

// Gives each level that has no gap the default one, which `one` and `eager` determine: 0.18 one(8) + n slope up to
// eager, and 0.1 one(8) + n slope beyond. Here slope is the last one of `one`. A gap is never above one(n), because a
// port is not busy for longer than its message. All levels must have `one`.
void measured_complete(Measured *measured);

// Returns the part of one(8) that the default gap of a message has, eager or not: the 0.18 or the 0.1 above.
static inline double measured_gap_part(bool eager)
{
    return eager ? 0.18 : 0.1;
}

// Returns a time from a table: linear between two points, the first value before the first point, and beyond the last
// one along the last slope, or constant if the last value is below the one before. A table of one point is constant.
double table_time_at(const Table *table, uint64_t bytes);

// Returns after how long a receiver's port is free again from an eager message, and how long such a receive takes at
// least. By default it is a gap less 0.13 one(8), because a rank takes short messages faster than another one sends
// them, but not below 0.
double measured_take(const MeasuredLevel *level, uint64_t bytes);

// Returns the time of some work on this many bytes.
static inline double measured_work_time(const MeasuredWork *work, uint64_t bytes)
{
    if (work->table)
        return table_time_at(work->table, bytes);
    return bytes > work->above || work->above == 0 ? (double)bytes * work->per_byte : 0;
}

// Returns whether this kind of work costs anything at all.
static inline bool measured_charges(const MeasuredWork *work)
{
    return work->table || work->per_byte > 0;
}

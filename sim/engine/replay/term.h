// The terms of certificates: everything that a message, a rank's own work or a NIC can cost under any model. One table
// has the kinds of terms. The models make their terms from it, and whoever shows, adds up or changes what a run pays
// asks it; only this file and term.c know how a term is written.
#pragma once
#include "machine/platform/platform.h"
#include <stdbool.h>

// What a term stands for: what limits a run that pays it.
typedef enum TermResource {
    RESOURCE_LATENCY,   // what a message costs whatever its length
    RESOURCE_BANDWIDTH, // the bytes of messages
    RESOURCE_REDUCTION, // gamma
    RESOURCE_NIC,       // a NIC serves other messages first
    RESOURCE_MEMORY,    // copies, and the memory that the ranks of a node share
    RESOURCE_CPU,       // o and O of the LogP family; connections and lines of messages
    RESOURCE_NETWORK,   // links between nodes, which several messages share
    RESOURCE_WAITING,   // until a flag in shared memory is seen
    RESOURCE_LATE,      // the rank with which the path begins arrives late
    RESOURCE_NOISE,     // draws that make messages longer
    N_RESOURCES
} TermResource;
extern const char *const resource_names[N_RESOURCES];

// The kinds, in the order in which what-if runs change their figures.
typedef enum TermKind {
    TERM_ALPHA,
    TERM_BETA,
    TERM_L,
    TERM_O_CPU,
    TERM_G_GAP,
    TERM_G_BYTE,
    TERM_O_BYTE,
    TERM_WRITE,
    TERM_READ,
    TERM_CROWD, // a byte's share if more ranks read a fragment than there are lanes
    TERM_FLAG,
    TERM_LINE,
    TERM_QUEUE,
    TERM_RAISE,
    TERM_REUSE,
    TERM_LOCAL,
    TERM_REMOTE,  // what a byte takes longer if it is read from the memory of another socket
    TERM_STREAMS, // a byte's share if the memory limits all copies together
    TERM_SINGLE,  // the start-up of a copy out of a buffer that another rank lends
    TERM_TOUCH,   // what a byte takes longer that is the first to be written where it is
    TERM_CALL,
    TERM_GAMMA,
    TERM_REDUCE, // gamma of measured
    TERM_COPY,
    TERM_FRESH,
    TERM_CONNECT,
    TERM_MATCH,
    TERM_BOUNCE,
    TERM_ONE,
    TERM_STEP,
    TERM_SWAP, // `step` of long messages that two ranks exchange
    TERM_FAR,
    TERM_GAP,
    TERM_TAKE,
    TERM_SHARE, // lambda gap
    TERM_NIC_RATE,
    TERM_NIC_MESSAGES,
    TERM_MEMORY,
    TERM_MEMORY_STEP, // under measured, of a message whose time is `step`
    TERM_MEMORY_SWAP, // likewise, `swap`
    TERM_HOP,         // a link of a route, beyond the first
    TERM_LINK,        // a byte on a link of a class, which stands for the level
    TERM_CALC,        // a calc of a GOAL schedule, in ns
    TERM_ARRIVAL,     // when the rank with which the path begins arrives, in ns
    TERM_NOISE,       // by how much noise makes messages longer, in ns
    N_TERM_KINDS
} TermKind;

// What pays a term under hockney.
typedef enum TermPayer {
    PAID_OTHERWISE, // the term is not one of messages or reductions under hockney
    PAID_BY_MESSAGES,
    PAID_BY_REDUCTIONS,
} TermPayer;

typedef struct TermInfo {
    const char *name; // before any level or length
    PlatformKey key;  // the figure that it pays; N_PLATFORM_KEYS if it is not a key
    TermResource resource;
    TermPayer payer;
    bool per_byte; // each byte of what pays it does, and not each message or reduction
} TermInfo;
extern const TermInfo term_kinds[N_TERM_KINDS];

// The terms of hockney in the order of their columns, and the figures that the model reads. The first three are the
// textbook's, which formulas know.
#define HOCKNEY_TERMS TERM_ALPHA, TERM_BETA, TERM_GAMMA
#define HOCKNEY_KEYS  KEY_ALPHA, KEY_BETA, KEY_GAMMA

// A term: a kind, perhaps of one level or one length, and what the machine of a run charges for it.
typedef struct CostTerm {
    TermKind kind;
    const char *level;  // the name of the level; NULL if the term is not of one; borrowed
    int64_t bytes;      // the length; -1 if the term is not of one
    double value, over; // it costs value / over seconds; `over` is 1 but for TERM_CROWD and TERM_STREAMS
    double latency;     // how much of that a message of no bytes would pay as well; 0 if the term is of one resource
} CostTerm;

// Returns a term of no length, with its cost in seconds.
static inline CostTerm term_of(TermKind kind, const char *level, double value)
{
    return (CostTerm){.kind = kind, .level = level, .bytes = -1, .value = value, .over = 1};
}

// Returns what a term costs once, and n times, in s. The second multiplies before it divides, as the models do, so that
// the terms of a run add up to its time exactly.
static inline double term_value(const CostTerm *x)
{
    return x->value / x->over;
}

static inline double term_worth(const CostTerm *x, int64_t n)
{
    return (double)n * x->value / x->over;
}

// Returns the term as a certificate has it: "alpha", "alpha.node", "one(far, 8K)", "gap(8K)". Free with g_free.
char *term_text(const CostTerm *term);
// Reads such a text, also without the space. Sets the kind, the level and the length; *level, which the term borrows,
// becomes the level's name or NULL, and the caller frees it. Returns FALSE, with *level NULL, for any other text.
gboolean term_read(const char *text, CostTerm *term, char **level);
// Return whether two terms are written alike, for tables of terms.
guint term_hash(gconstpointer term);
gboolean term_equal(gconstpointer a, gconstpointer b);
// Orders terms, or what begins with one, by kind, level and length.
gint term_compare(gconstpointer a, gconstpointer b);
// Returns the column of CSV that counts terms of a kind: "alpha_count", "read_per_lanes_count". Free with g_free.
char *term_column(TermKind kind);

// The figures of the model measured for the second simulator (reference_measured.h), and the terms of its certificates.
#pragma once
#include "machine/platform/measured_tables.h"
#include "reference_machine.h"

enum { REFERENCE_PORTS = 3, REFERENCE_TABLE = 5, REFERENCE_QUARTERS = 4 };

// A table over bytes, with rising bytes; n is 0 if there is none.
typedef struct ReferenceTable {
    int n;
    struct {
        int64_t bytes, time;
    } at[REFERENCE_TABLE];
} ReferenceTable;

typedef struct ReferenceWork {
    int64_t per_byte, above;
    ReferenceTable table; // counts if it has points
} ReferenceWork;

// The figures of measured. All times, also those between two points of a table, are integers.
typedef struct ReferenceFigures {
    ReferenceTable one[REFERENCE_LEVELS], step[REFERENCE_LEVELS], gap[REFERENCE_LEVELS]; // by level
    ReferenceTable take[REFERENCE_LEVELS]; // likewise; without points it is the gap
    int64_t far;
    int64_t swap, swap_from;          // in quarters, of messages of so many bytes; 0 stands for no factor
    int64_t eager[REFERENCE_LEVELS];  // below 0 if all messages use rendezvous
    int64_t lambda[REFERENCE_LEVELS]; // in quarters
    int ports;
    ReferenceWork work[N_WORK_KINDS];
} ReferenceFigures;

typedef enum ReferenceTermKind {
    REFERENCE_ONE,
    REFERENCE_STEP,
    REFERENCE_SWAP, // likewise T, of ranks that exchange long messages
    REFERENCE_FAR,
    REFERENCE_GAP,
    REFERENCE_TAKE,
    REFERENCE_SHARE,
    REFERENCE_MEMORY,
    REFERENCE_MEMORY_STEP,
    REFERENCE_MEMORY_SWAP,
    REFERENCE_WORK_RATE,  // counts bytes; `level` is a WorkKind
    REFERENCE_WORK_TABLE, // likewise, with a time from a table
    REFERENCE_NIC_RATE,   // counts bytes
    REFERENCE_NIC_MESSAGES,
    REFERENCE_LINK, // counts time, of hops and of loads
    N_REFERENCE_TERMS
} ReferenceTermKind;

// What a chain of operations has paid `count` times.
typedef struct ReferenceTerm {
    ReferenceTermKind kind;
    int level;            // -1 if the term has none
    int64_t bytes, count; // bytes: -1 if the term has none
} ReferenceTerm;

// Returns what the term costs once. The machine has the NICs and the factors of memories.
int64_t reference_term_value(const ReferenceFigures *figures, const ReferenceMachine *machine,
                             const ReferenceTerm *term);
// Returns which term an in-port, or a receive, pays for an eager message: where `take` is the gap, it is that.
ReferenceTermKind reference_take(const ReferenceFigures *figures, int level, int64_t bytes);
// Compares two ReferenceTerms without their counts, for sorting.
int reference_term_compare(gconstpointer a, gconstpointer b);
// Returns terms as text: "1 one.0(4) 2 gap.1(8) 5 gamma"; free with g_free.
char *reference_terms_text(const GArray *terms);

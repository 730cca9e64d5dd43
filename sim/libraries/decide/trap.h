// Traps: the places where a file does not do what it seems to say, and the library that reads it does not say so.
#pragma once
#include <glib.h>

typedef enum {
    TRAP_IGNORED, // the library ignores the whole file
    TRAP_MISREAD, // a number is not what it seems to be
    TRAP_SHIFTED, // numbers are taken for other fields, or keys for other ranges, than they were written for
    TRAP_UNREAD,  // a part of the file is not read, or has no effect
    TRAP_DEAD,    // no call reaches this rule
    TRAP_REACH,   // the rule also acts where it was hardly meant to
    TRAP_ERROR,   // calls that reach this rule return an error, which aborts most programs
    TRAP_ELSE,    // another algorithm than the one named runs
    TRAP_ORDER,   // results are wrong if the operation is not commutative
    TRAP_CRASH,   // the library can write beyond its memory while it reads the file
    TRAP_RANKS,   // ranks of one call can run different algorithms: it can fail or hang
    TRAP_START,   // MPI_Init ends the program
    TRAP_CALL,    // calls, or communicators, end the program
    TRAP_WRONG,   // results are wrong
    TRAP_NOTE,    // no trap: something about the line that is worth knowing
} TrapKind;
extern const char *const trap_names[]; // by TrapKind: "ignored" ..

typedef struct Trap {
    TrapKind kind;
    size_t line;
    char *text; // one sentence without the line
} Trap;

// Returns an empty list (Trap). Free with g_array_unref.
GArray *trap_list_new(void);
// Appends a trap; `format` makes one sentence without a full stop.
void trap_add(GArray *traps, TrapKind kind, size_t line, const char *format, va_list words) G_GNUC_PRINTF(4, 0);
// Brings the traps into the order of their lines; those of one line stay in theirs.
void trap_sort(GArray *traps);
// Returns the number of traps, without notes. Without `ordered`, operations of reductions all commute, and so
// TRAP_ORDER does not count.
guint trap_count(const GArray *traps, gboolean ordered);

// What a file may make the program allocate. The limits are far above what people measure or simulate, and low enough
// that a file from a stranger, or a device that never ends, is refused before it fills the memory.
#pragma once
#include <stddef.h>

enum {
    LIMIT_RANKS = 1 << 27,          // ranks of an operation, hosts of a topology, numbers in a file of counts or a map
    LIMIT_LINE_BYTES = 1 << 18,     // a line of a file that is read line by line, with its \n
    LIMIT_PLATFORM_BYTES = 1 << 16, // a platform's .ini file
    LIMIT_RULES_BYTES = 1 << 20,    // a rules file of an MPI library
    LIMIT_TABLE_BYTES = 1 << 26,    // a log, or a table of CSV
    LIMIT_TABLE_FIELDS = 1 << 24,   // fields of a table of CSV, in all rows together
    LIMIT_LOG_ROWS = 1 << 18,       // measurements in a log
    LIMIT_PLAN_BYTES = 1 << 30,     // the jobs that collsim writes for a backend
};
#define LIMIT_BYTES ((size_t)1 << 50) // a message, a block or a vector in bytes

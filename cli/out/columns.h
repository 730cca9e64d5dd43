// The columns that answers can have.
#pragma once
#include "machine/platform/platform.h"

typedef enum SheetKind {
    SHEET_TEXT,    // text as it is
    SHEET_DECIMAL, // a decimal number too exact for a double, given as text; "" is empty
    SHEET_COUNT,   // an integer
    SHEET_BYTES,   // an integer, bytes; tables show 64K
    SHEET_SECONDS, // a double, seconds; tables show 1.5 us
    SHEET_RATIO,   // a double; tables show 1.25
    SHEET_NUMBER,  // a double
    SHEET_FLAG,    // 0 or 1
    SHEET_SHOWN,   // text that tables show and CSV and JSON leave out
} SheetKind;
extern const char *const sheet_kind_names[]; // by SheetKind

typedef struct SheetColumn {
    const char *name; // in CSV and JSON; it ends in its unit: _s, _bytes, _s_per_byte; counts and ratios have none
    SheetKind kind;
    const char *head;    // in tables
    const char *meaning; // one sentence, for docs/FORMATS.md; NULL for a column that only tables show
} SheetColumn;
// Returns every column that an answer can have; the last one has the name NULL.
const SheetColumn *sheet_columns(void);

// ---- For the files of this room -------------------------------------------------------------------------------------

// The columns that are of some commands only; each ends with a column whose name is NULL.
extern const SheetColumn columns_advice[];
extern const SheetColumn columns_commands[];

// What the steps of a fit (measured_fit.c) share, from the rows to a platform:
//
//     logs, rows --> Evidence --> tables of each level --> gamma --> Platform
//          measured_evidence.c    measured_levels.c   measured_fit.c   measured_platform.c
#pragma once
#include "measurements/calibrate/measured_found.h"
#include "measurements/calibrate/measured_own.h"
#include "measurements/calibrate/measured_steps.h"

enum { FIT_FEW = 3 }; // this many sizes are too few for a table of their own if they can be added to another one

// What determines one table at one level.
typedef struct Evidence {
    GArray *points;    // of MeasuredPoint
    GString *from;     // the source: files and what was measured
    GHashTable *named; // what `from` names already
} Evidence;

typedef struct Fit {
    MeasuredFit *out;
    const GPtrArray *logs;
    const GArray *rows;
    const Platform *assumed;
    int n_levels;
    Evidence *evidence; // by level and part
    Evidence *both;     // by level: what windows in both directions show, whose slope adds to `step`
    Table **table;      // the same
    gboolean *kept;     // the same: the table is that of `assumed`
    double gamma;       // of a byte; NAN if it is not known
    char *gamma_from;   // its source, unless it was given
    MeasuredOwn *own;   // by row of equal steps; with reductions only if gamma is known
} Fit;

extern const PlatformKey fit_part_keys[N_MEASURED_PARTS]; // of the tables

static inline Evidence *fit_evidence_of(const Fit *f, int level, MeasuredPart part)
{
    return &f->evidence[level * N_MEASURED_PARTS + (int)part];
}

static inline Table **fit_table_of(const Fit *f, int level, MeasuredPart part)
{
    return &f->table[level * N_MEASURED_PARTS + (int)part];
}

static inline gboolean *fit_kept_of(const Fit *f, int level, MeasuredPart part)
{
    return &f->kept[level * N_MEASURED_PARTS + (int)part];
}

// Returns the table that `assumed` has at a level; NULL if it has none.
static inline const Table *fit_assumed_table(const Fit *f, int level, MeasuredPart part)
{
    const Platform *x = f->assumed;
    const PlatformKey key = fit_part_keys[part];
    return x->by_level[key] ? x->level_table[key][level] : x->table[key];
}

// Returns TRUE if --set gave a table, so that no row changes it.
static inline gboolean fit_is_fixed(const Fit *f, int level, MeasuredPart part)
{
    return calibration_is_set(f->assumed, fit_part_keys[part], level);
}

static inline const char *fit_level_name(const Fit *f, int level)
{
    return f->assumed->levels.at[level].name;
}

static inline const CalibrateRow *fit_row_of(const Fit *f, guint i)
{
    return &g_array_index(f->rows, CalibrateRow, i);
}

static inline void fit_say(GPtrArray *notes, char *text)
{
    g_ptr_array_add(notes, text);
}

// ---- Evidence (measured_evidence.c) --------------------------------------------------------------------------------

void evidence_init(Evidence *e);
void evidence_clear(Evidence *e);
gboolean fit_add_messages(Fit *f, GError **error);
// Returns the time of a row of equal steps without its ranks' own work.
double fit_steps_time(const Fit *f, guint i);
// Adds a row of equal steps to the evidence of its table: each of its steps takes time_s.
void fit_add_row(Fit *f, guint i, int level, const MeasuredSteps *steps, double time_s);
// Sets *level and *steps to what row i determines. Returns FALSE unless its time is that of equal steps at one level.
gboolean fit_is_simple(const Fit *f, guint i, int *level, MeasuredSteps *steps);
// Checks that the rows whose labels name a table can determine it.
gboolean fit_check_labels(const Fit *f, GError **error);
char *fit_table_name(const Fit *f, int level, MeasuredPart part);
// Returns the least number of ranks of the rows that give points of a table at a level. Inside a node, further ranks
// compete for its memory, so that only the rows of the fewest ranks show what one message takes.
int fit_fewest_ranks(const Fit *f, int level, MeasuredPart part);
// Adds the rows for one table at one level, from the best kind of rows to the last; a worse kind only if the better
// ones have few sizes.
void fit_add_rows(Fit *f, int level, MeasuredPart part);

// ---- Tables (measured_levels.c) ------------------------------------------------------------------------------------

// Collects into `rows` (of guint) rows of equal steps inside a node. They ran on more ranks than the rows that made the
// tables. If there are several numbers of such ranks, it takes the rows of the largest number.
void fit_busy_rows(const Fit *f, int level, GArray *rows);
// Makes the tables of one level. Without `one`, the rows of `step` stand for both.
void fit_tables(Fit *f, int level);

// ---- The platform (measured_platform.c) ----------------------------------------------------------------------------

gboolean fit_platform(Fit *f, GError **error);

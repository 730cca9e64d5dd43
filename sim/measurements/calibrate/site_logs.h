// A site: a folder of logs as a batch system leaves them, and the machine that they are of. No log names a level; the line
// that started a benchmark says where its ranks were, or the file's name.
//
//     site_logs_read    each file becomes a Log, or is named as one that is not read
//     site_logs_place   each table of a log gets a use and a level
//     site_logs_fit     tables of one use and level are one estimate: figures with intervals, and a platform
//
// The rows of a sweep that are off its curve (fit_curves.h) reach no figure and no table.
#pragma once
#include "measurements/calibrate/measured_fit.h"

typedef enum SiteUse {
    SITE_NOTHING,
    SITE_ONE,    // times one way: alpha, beta, eager and the table `one` of a level
    SITE_STEP,   // sendrecv: the table `step`
    SITE_GAP,    // windows of one pair: the gap of a rank, and the table `gap`
    SITE_BOTH,   // windows of one pair in both directions: what `step` takes more than `one`
    SITE_NIC,    // windows of several pairs between nodes: what a node's NICs take
    SITE_MEMORY, // windows of several pairs in a node: what its memory takes
    SITE_GAMMA,  // reductions of one rank
    SITE_CHECK,  // it is held against a prediction
    N_SITE_USES
} SiteUse;
extern const char *const site_logs_use_names[N_SITE_USES]; // "one", "nic", "check"
// Returns TRUE if what a table is used for is of one level.
gboolean site_logs_has_level(SiteUse use);

// One table of a log: the rows of one sweep.
typedef struct SiteTable {
    const Log *log;
    const LogBenchmark *benchmark; // NULL if the format has no titles
    const LogSample *first;        // n rows of it from here on
    guint n;
    LogLaunch launch;
    int pairs;   // that send at a time
    int window;  // messages of a window
    int senders; // nodes that send, for SITE_NIC
    SiteUse use;
    int level;       // of the machine
    gboolean sure;   // the launch line or --names says it; otherwise it is a guess
    gboolean inside; // the ranks were on one node
    gboolean placed; // by its times, or for want of others at the level beyond nodes
    char *why;       // what says it
} SiteTable;

typedef struct SiteFile {
    char *name;  // below the folder
    Log *log;    // NULL if it is not read
    char *fault; // why it is not read
} SiteFile;

// A figure in SI units: seconds, seconds per byte, bytes, bytes per second, messages per second.
typedef struct SiteFigure {
    char *name;       // "alpha.far", "nic.rate"
    PlatformKey key;  // that it is, or that has its unit
    double value;     // NAN if it is missing
    double low, high; // NAN if it was not measured
    char *source;     // what it comes from
    char *missing;    // what would measure it; NULL if it was measured
} SiteFigure;

typedef struct SiteLogs {
    GArray *files;    // of SiteFile, by name
    GArray *tables;   // of SiteTable, in the order of files and lines
    GArray *figures;  // of SiteFigure
    GPtrArray *notes; // of char *
    GPtrArray *made;  // of Log *: what the tables of the machine come from, without spikes
    char *mpi;        // "Open MPI 5.0.6", as the logs say it; NULL if none does
} SiteLogs;

// What a user says of files whose names and launch lines do not: a CSV with the columns `theirs`, a name below the folder in
// which * and ? stand for any text, and `ours`: one@LEVEL, step@LEVEL, gap@LEVEL, nic, memory, check or nothing.
typedef struct SiteLogsNames SiteLogsNames;
SiteLogsNames *site_logs_names_read(const char *path, GError **error);
void site_logs_names_free(SiteLogsNames *names); // NULL is allowed
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SiteLogsNames, site_logs_names_free)
// Returns TRUE and what the first line that fits a name says; *level is NULL if it says none.
gboolean site_logs_names_find(const SiteLogsNames *names, const char *name, SiteUse *use, const char **level);
// Returns FALSE and an error unless the levels have each one that the names say.
gboolean site_logs_names_check(const SiteLogsNames *names, const Levels *levels, GError **error);

// Reads what lies in a folder and in the folders below it, but not what their names hide with a dot. Returns NULL and an error
// if the folder cannot be read, or has nothing that can be. Free with site_logs_free.
SiteLogs *site_logs_read(const char *folder, GError **error);
void site_logs_free(SiteLogs *site); // NULL is allowed
G_DEFINE_AUTOPTR_CLEANUP_FUNC(SiteLogs, site_logs_free)

// Decides what each table is used for. `names` may be NULL.
void site_logs_place(SiteLogs *site, const Levels *levels, const SiteLogsNames *names);

// Returns the median of a's times divided by b's over the sizes from `least` on that both have; NAN if they have none.
double site_logs_ratio(const SiteTable *a, const SiteTable *b, size_t least);

// Finds the figures, and sets those of a machine in `assumed`, which has the levels and what is known already. Then fits the
// tables of the model measured. Returns NULL and an error if no machine can be made; site->figures has what was found also
// then. The site must outlive the result.
MeasuredFit *site_logs_fit(SiteLogs *site, Platform *assumed, GError **error);

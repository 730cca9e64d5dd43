// What a calibration finds, and what the files calibrate*.c share. calibrate.h says how each figure is found.
#pragma once
#include "measurements/calibrate/fit.h"
#include "measurements/logs/logs.h"
#include "engine/model/model.h"

// A sample of a collective, and the operation that the simulator runs for it.
typedef struct CalibrateRow {
    const LogSample *sample;
    Operation op;
    const Mapping *map; // where the ranks are; NULL if all are far from each other
    char *series;       // "allreduce ring, 8 ranks"
    gboolean scored;    // it is held against its prediction unless it calibrates, so it does only if it is needed
} CalibrateRow;

// A figure of the platform, indexed by PlatformKey in a Calibration.
typedef struct CalibratedFigure {
    gboolean found;
    gboolean known;   // it was assumed, so that the measurements did not determine it
    gboolean given;   // .. by --set
    double value;     // rounded as platform_figure_text writes it
    char *source;     // if found: where it comes from, one line for the .ini file
    char *missing;    // if not found although the model needs it: the measurements that would determine it
    guint rows;       // that were used; 0 if the figure is not a fit
    guint left_out;   // rows that were not used
    FitErrors errors; // of the rows that were used
} CalibratedFigure;

// A measured time, and what the figures predict for it.
typedef struct CalibratedPoint {
    LogSampleKind kind; // for LOG_PRTT the times are what a further message of a train adds
    const LogSample *sample;
    guint series; // index into Calibration.series
    double measured_s, predicted_s;
    double pieces_s; // predicted by the piece that the size belongs to; 0 if its series has no pieces
    gboolean left_out;
} CalibratedPoint;

typedef struct Calibration {
    const Model *model;
    const char *level; // of the messages; NULL for far
    CalibratedFigure figure[N_PLATFORM_KEYS];
    GPtrArray *inner; // of Calibration *: alpha and beta, or flag, of the levels inside far that labels name; points
                      // and notes of them are below
    GArray *pieces;   // of FitPiece: of g + (s - 1) G if there are loggp rows, else of the one-way times; may be NULL
    char *pieces_source;
    double single_byte;       // the time that a byte of a single copy takes, if `single` comes from such copies
    double call_s;            // what calling a reduction takes whatever it reduces, if gamma comes from reduce_local
    GPtrArray *series;        // of char *
    GHashTable *series_index; // by these names: the index in `series`
    GArray *points;           // of CalibratedPoint, by series, then size
    GPtrArray *notes;         // of char *: what else the user should know, a line each
} Calibration;

void calibration_free(Calibration *c);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Calibration, calibration_free)

// Returns a calibration without figures and points. Free with calibration_free.
Calibration *calibration_new(const Model *model);
// Sets a figure. Its source becomes `source`, which this function frees, followed by the errors of the fit.
void calibration_found(Calibration *c, PlatformKey key, double value, guint rows, guint left_out, FitErrors errors,
                       char *source);
// Returns the value that will be read back from the figure's text.
double calibration_rounded(PlatformKey key, double value);
// Notes what would determine a figure, unless the figure is found or something has been noted before.
void calibration_missing(Calibration *c, PlatformKey key, const char *what);
// Returns the index of the series of this name, which is added if it is new.
guint calibration_series(Calibration *c, const char *name);
// Appends a log to the list with which a source begins: its name without the folder (which means nothing on another
// machine), its format and, if `time` is set, which of its times was taken. A long list gets ".." instead.
void calibration_add_source(GString *from, const Log *log, gboolean time);
// Sets *level to the one that a sample's label names; without a label, messages are between nodes. Returns FALSE and an
// error that lists the levels if no level has this name.
gboolean calibration_level_of(const Levels *levels, const LogSample *s, int *level, GError **error);
// Returns TRUE if a sample belongs to a level, which is the one of its label, or far without a label. NULL is far.
gboolean calibration_is_at(const LogSample *s, const char *level);
// Returns TRUE if --set gave the figure of a platform, at a level or, if it is -1, without one.
gboolean calibration_is_set(const Platform *platform, PlatformKey key, int level);
// Replaces the sources of --set, so that calibration_is_set is FALSE and a file says that these figures are assumed.
void calibration_settle_sets(Platform *platform);
// Returns TRUE if a sample of a log is the first of its sweep and was measured while the benchmark was still warming
// up.
gboolean calibration_warms_up(const LogSample *sample);
// Returns TRUE if a fit can use the sample: it takes time, and was not measured while the benchmark was warming up.
gboolean calibration_can_use(const LogSample *sample);
// Returns how many different x the points (FitPoint, sorted by x) have.
guint calibration_different(const GArray *points);
// Returns for each of these points whether it is an outlier. Returns NULL if they have fewer than 3 different x, which
// do not show whether they lie on a line. Free with g_free.
gboolean *calibration_outliers(const GArray *points);
// Returns the eager limit in bytes: the size at which the times jump up most, by at least 5 %. The limit lies between
// two measured sizes; it is the first power of two from the smaller one on, or the smaller one itself if that power is
// not below the larger one. Returns INFINITY without a jump. The x of the pieces are sizes less `shift`.
double calibration_eager(const GArray *pieces, double shift);
// Sorts points (of CalibratedPoint) by series, then size.
void calibration_sort(GArray *points);

// Finds alpha, beta and the pieces; in the LogP family G and S instead, unless loggp rows have already determined them.
void calibrate_one_way(Calibration *c, const GPtrArray *logs);
// Finds gamma from the reductions of one rank. It is the slope of their times, because a call takes some time of its
// own whatever it reduces.
void calibrate_reduce(Calibration *c, const GPtrArray *logs);
// Finds single, the start-up time of a copy out of another rank's buffer, from such copies.
void calibrate_single(Calibration *c, const GPtrArray *logs);
// Finds L, o, g, G, O and S from netgauge's rows.
void calibrate_loggp(Calibration *c, const GPtrArray *logs);
// Finds figures that are still missing from collectives. Returns FALSE and an error if a row cannot be simulated.
gboolean calibrate_rows(Calibration *c, const GArray *rows, GError **error);

// Calibration: from measurements to the figures of a platform, each with a note of where it comes from.
//
//   hockney  The line alpha + n beta is fitted to all one-way times, which are half of a ping-pong or of netgauge's
//            PRTT(1,0,s). If the times bend, up to three pieces are reported in addition to the line. Without one-way times,
//            alpha and beta come from collectives.
//   loggops  The figures come from netgauge's loggp rows, by the method of its authors (Hoefler, Lichei, Rehm:
//            Low-Overhead LogGP Parameter Assessment for Modern Interconnection Networks, 2007):
//              o_s(s) = (PRTT(n,PRTT(1,0,s),s) - PRTT(1,0,s)) / (n - 1) - PRTT(1,0,s);
//              o_r(s) is as the receiver measured it;
//              g + (s - 1) G is a line through (PRTT(n,0,s) - PRTT(1,0,s)) / (n - 1), up to the size S at which the
//              protocol changes.
//            In the model a sender's CPU is busy for o + (s - 1) O, and a receiver's CPU for o at one byte. So o is the
//            mean of o_s and o_r at one byte, and O is the slope of o_s. A byte takes L + 2 o one way, so L is
//            PRTT(1,0,1)/2 - 2 o; netgauge calls PRTT(1,0,1)/2 itself L.
//   all      gamma is the slope of the line through the times of one rank's reductions (reduce_local), if they were
//            measured. Figures that are then still missing (gamma; alpha and beta; write, read, flag, lanes) come from
//            collectives: they are fitted so that the certificates of simulated runs explain the measured times.
//
// A fit minimises the sum of |ln(predicted/measured)| (fit.h); only the lines of o_s and o_r, which may be near 0,
// minimise absolute errors. Three kinds of rows are left out: rows of time 0, the first row of a benchmark's sweep if
// it takes over 10 % longer than the second, larger one (the benchmark was still warming up), and outliers
// (fit_outlier_from).
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
    GPtrArray *inner; // of Calibration *: alpha and beta of the levels inside far that labels name; points and notes
                      // of them are below
    GArray *pieces;   // of FitPiece: of g + (s - 1) G if there are loggp rows, else of the one-way times; may be NULL
    char *pieces_source;
    double call_s;            // what calling a reduction takes whatever it reduces, if gamma comes from reduce_local
    GPtrArray *series;        // of char *
    GHashTable *series_index; // by these names: the index in `series`
    GArray *points;           // of CalibratedPoint, by series, then size
    GPtrArray *notes;         // of char *: what else the user should know, a line each
} Calibration;

// Calibrates a model other than measured (measured_fit.h) from `logs` (of Log *) and `rows` (of CalibrateRow, the
// collectives in these logs); both must outlive the result, and so must `assumed`, which may be NULL. It has the levels
// that labels may name, and figures that are known: those of --set are taken as they are, and others where only
// collectives would determine them. Returns NULL and an error if no figure can be determined (it says what is missing),
// if the model cannot do what a label says, or if a row cannot be simulated. Free with calibration_free.
Calibration *calibrate(const Model *model, const GPtrArray *logs, const GArray *rows, const Platform *assumed,
                       GError **error);
void calibration_free(Calibration *c);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Calibration, calibration_free)

// Returns a platform with the figures that were found and, under hockney, the pieces if there are two or more. `base`,
// which may be NULL, has the levels, and what the figures are at levels where they were not found. Its runs have the
// model that was calibrated, if they would otherwise have one of other figures. Returns NULL and an error if a figure
// is known at some levels only. Free with platform_free.
Platform *calibration_platform(const Calibration *c, const char *name, const char *title, const Platform *base,
                               GError **error);

// ---- Shared by the files calibrate*.c -------------------------------------------------------------------------------

// Returns a calibration without figures and points. Free with calibration_free.
Calibration *calibration_new(const Model *model);
// Sets a figure. Its source becomes `source`, which this function frees, followed by the errors of the fit.
void calibration_found(Calibration *c, PlatformKey key, double value, guint rows, guint left_out, FitErrors errors,
                       char *source);
// Returns the value that will be read back from the figure's text.
double calibration_rounded(PlatformKey key, double value);
// Returns TRUE if measurements determined the figure at some level.
gboolean calibration_finds(const Calibration *c, PlatformKey key);
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
// Returns TRUE if the sample is one of messages at the calibration's level.
gboolean calibration_wants(const Calibration *c, const LogSample *s);
// Returns TRUE if --set gave the figure of a platform, at a level or, if it is -1, without one.
gboolean calibration_is_set(const Platform *platform, PlatformKey key, int level);
// Replaces the sources of --set, so that calibration_is_set is FALSE and a file says that these figures are assumed.
void calibration_settle_sets(Platform *platform);
// Returns TRUE if a sample of a log is the first of its sweep and was measured while the benchmark was still warming
// up.
gboolean calibration_warms_up(const LogSample *sample);
// Returns how many different x the points (FitPoint, sorted by x) have.
guint calibration_different(const GArray *points);
// Returns for each of these points whether it is an outlier. Returns NULL if they have fewer than 3 different x, which
// do not show whether they lie on a line. Free with g_free.
gboolean *calibration_outliers(const GArray *points);
// Returns the eager limit in bytes: the size at which the times jump up most, by at least 5 %. The limit lies between
// two measured sizes; it is the first power of two from the smaller one on, or the smaller one itself if that power is
// not below the larger one. Returns INFINITY if there is no jump. The x of the pieces are sizes less `shift`.
double calibration_eager(const GArray *pieces, double shift);
// Sorts points (of CalibratedPoint) by series, then size.
void calibration_sort(GArray *points);

// Returns FALSE and an error if a label says what the model does not have.
gboolean calibrate_check_labels(const Model *model, const GPtrArray *logs, const Levels *levels, GError **error);
// Finds alpha, beta and the pieces; in the LogP family G and S instead, unless loggp rows have already determined them.
void calibrate_one_way(Calibration *c, const GPtrArray *logs);
// Finds gamma from the reductions of one rank. It is the slope of their times, because a call takes some time of its
// own whatever it reduces.
void calibrate_reduce(Calibration *c, const GPtrArray *logs);
// Finds alpha and beta of the levels inside far that labels name, and takes what --set gives there. Returns FALSE and
// an error if rows of a level do not determine them.
gboolean calibrate_levels(Calibration *c, const GPtrArray *logs, const Platform *assumed, GError **error);
// Finds L, o, g, G, O and S from netgauge's rows.
void calibrate_loggp(Calibration *c, const GPtrArray *logs);
// Finds figures that are still missing from collectives. Returns FALSE and an error if a row cannot be simulated.
gboolean calibrate_rows(Calibration *c, const GArray *rows, GError **error);

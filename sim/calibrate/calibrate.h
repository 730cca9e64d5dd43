// From measurements to the figures of a platform, each with what it was taken from.
//
//   hockney  alpha + n beta: one line through all one-way times (ping-pong, or half of netgauge's PRTT(1,0,s)); where they
//            bend, up to three pieces, told beside it. Without one-way times alpha and beta come from collectives.
//   loggops  netgauge's loggp rows, as its authors take them (Hoefler, Lichei, Rehm: Low-Overhead LogGP Parameter Assessment
//            for Modern Interconnection Networks, 2007):
//              o_s(s) = (PRTT(n,PRTT(1,0,s),s) - PRTT(1,0,s)) / (n - 1) - PRTT(1,0,s), o_r(s) as the receiver measured it
//              g + (s - 1) G through (PRTT(n,0,s) - PRTT(1,0,s)) / (n - 1), up to the size where the protocol changes
//            and S is that size. The model's send and receive take o + (s - 1) O and o, so o is the mean of both at one
//            byte and O the slope of o_s; its one-way time of a byte is L + 2 o, so L is PRTT(1,0,1)/2 - 2 o, where
//            netgauge calls PRTT(1,0,1)/2 itself L.
//   all      gamma, where one rank's reductions were measured (reduce_local): the slope of the line through their times.
//            what is then missing (gamma; alpha and beta; write, read, flag, lanes): the terms of the certificates of
//            simulated runs, against the measured times of the same collectives.
//
// All fits are fit.h's: the least sum of |ln(predicted/measured)|. Left out are rows of time 0, the first row of a
// benchmark's sweep where it takes over 10 % longer than the second (it warms up), and outliers (fit_outlier_from).
#pragma once
#include "calibrate/fit.h"
#include "logs/logs.h"
#include "model/model.h"

// A collective's sample, and what it is to the simulator.
typedef struct CalibrateRow {
    const Log *log;
    const LogSample *sample;
    Operation op;
    char *series; // "allreduce ring, 8 ranks"
} CalibrateRow;

typedef struct CalibratedFigure {
    gboolean found;
    double value;  // of four significant digits
    char *source;  // found: one line for the .ini
    char *missing; // not found, and the model needs it: what would tell it
    guint rows, left_out;
    FitErrors errors; // of its rows, those left out not counted
} CalibratedFigure;

// A measured time and what the figures make of it.
typedef struct CalibratedPoint {
    LogSampleKind kind; // LOG_ONE_WAY, _COLLECTIVE or _REDUCE
    const Log *log;
    guint line, series; // series: index
    size_t bytes;
    double measured_s, predicted_s;
    double pieces_s; // by the piece it belongs to; 0: its series has no pieces
    gboolean left_out;
} CalibratedPoint;

typedef struct Calibration {
    const Model *model;
    CalibratedFigure figure[N_PLATFORM_KEYS];
    GArray *pieces; // FitPiece of the one-way times (hockney), or of g + (s - 1) G; NULL: none
    char *pieces_source;
    double call_s;     // of a reduction of no bytes, where gamma was measured alone
    GPtrArray *series; // char *
    GArray *points;    // CalibratedPoint, by series, then size
    GPtrArray *notes;  // char *: what else there is to say, a line each
} Calibration;

// Calibrates the model from `logs` (Log *) and `rows` (CalibrateRow, of their collectives); both must outlive the
// result. `assumed` (may be NULL) has figures that are taken as they are. NULL and bad input where not one figure can
// be told (what is missing), or a row cannot be simulated. Free with calibration_free.
Calibration *calibrate(const Model *model, const GPtrArray *logs, const GArray *rows, const Platform *assumed,
                       GError **error);
void calibration_free(Calibration *c);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Calibration, calibration_free)

// A platform with the figures found; free with platform_free.
Platform *calibration_platform(const Calibration *c, const char *name, const char *title);

// ---- Between the files calibrate*.c --------------------------------------------------------------------------------------

// Sets a figure; the source is followed by how well it fits. `source` is taken.
void calibration_found(Calibration *c, PlatformKey key, double value, guint rows, guint left_out, FitErrors errors,
                       char *source);
void calibration_missing(Calibration *c, PlatformKey key, const char *what);
guint calibration_series(Calibration *c, const char *name); // index, the series is added where it is new
// Adds a log to the list that a source begins with: its name without the folder, which elsewhere says nothing, its
// format, and (time) which time was taken.
void calibration_add_source(GString *from, const Log *log, gboolean time);
// Is a sample the first of a sweep, and warming up?
gboolean calibration_warms_up(const Log *log, guint i);
// The largest size before the largest jump upwards of at least 5 %, taken as the power of two between two measured
// sizes where there is one; INFINITY: no such jump. `shift` is what the x of the pieces are below the sizes.
double calibration_eager(const GArray *pieces, double shift);

void calibration_sort(GArray *points); // by series, then size

// Alpha, beta and the pieces; in the log family G and S, where no loggp rows told them.
void calibrate_one_way(Calibration *c, const GPtrArray *logs);
// Gamma, of rows of one rank's reductions: a call takes the same whatever it reduces, so it is the slope.
void calibrate_reduce(Calibration *c, const GPtrArray *logs);
void calibrate_loggp(Calibration *c, const GPtrArray *logs);
gboolean calibrate_rows(Calibration *c, const GArray *rows, GError **error);

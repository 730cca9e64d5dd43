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
#include "measurements/calibrate/calibration.h"

// Calibrates a model other than measured (measured_fit.h) from `logs` (of Log *) and `rows` (of CalibrateRow, the
// collectives in these logs); both must outlive the result, and so must `assumed`, which may be NULL. It has the levels
// that labels may name, and figures that are known: those of --set are taken as they are, and others where only
// collectives would determine them. Returns NULL and an error if no figure can be determined (it says what is missing),
// if the model cannot do what a label says, or if a row cannot be simulated. Free with calibration_free.
Calibration *calibrate(const Model *model, const GPtrArray *logs, const GArray *rows, const Platform *assumed,
                       GError **error);

// Returns a platform with the figures that were found and, under hockney, the pieces if there are two or more. `base`,
// which may be NULL, has the levels, and what the figures are at levels where they were not found. Its runs have the
// model that was calibrated, if they would otherwise have one of other figures. Returns NULL and an error if a figure
// is known at some levels only. Free with platform_free.
Platform *calibration_platform(const Calibration *c, const char *name, const char *title, const Platform *base,
                               GError **error);

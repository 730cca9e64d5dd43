// The answer of `measure`.
#pragma once
#include "run/launch/measure.h"
#include "out/answer.h"

// The report of a measurement: what is measured already, while other launches follow. Rows whose data were wrong are
// left out.
typedef struct MeasureReport {
    const Answer *answer;
    const Measure *measure;
    guint next;          // the first row that is not reported yet
    GPtrArray *rankings; // of Ranking, those that are reported
    Sheet *rows;         // the rows that are reported
} MeasureReport;

enum { MEASURE_SKEWED = 10 }; // a mean of more medians than this is noted

// Notes on stderr at how many points the mean is so far from the median, and the figures of the worst.
void measure_note_means(const Measure *measure);
// Begins a report. Nothing is printed before the first rows are ready.
void measure_begin(MeasureReport *report, const Answer *answer, const Measure *measure);
// Reports the rows whose p, m and root are complete if the first n are measured. `report` is a MeasureReport.
void measure_ready(guint n, gpointer report);
// Reports what is left, after everything is measured.
void measure_end(MeasureReport *report);
void measure_report_clear(MeasureReport *report);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(MeasureReport, measure_report_clear)

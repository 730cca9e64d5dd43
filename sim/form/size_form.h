// How a time under hockney grows with the message and with its segments: linear forms, taken from the exact formulas of the
// registry, and where there is none from simulated certificates.
#pragma once
#include "model/model.h"

enum { COSTS = 3 }; // alpha, beta, gamma, in this order
// Their figures of a platform, s.
void size_form_figures(const Platform *platform, double figure[COSTS]);

// In the size: T = sum over the costs of (fixed + m per_byte) figure, m as -m.
typedef struct SizeForm {
    double fixed[COSTS], per_byte[COSTS];
    bool simulated; // no formula gave it
} SizeForm;
// That of an operation for sizes about its own, which come no larger than `most`; its size need not be one that formulas
// hold at. False where T is not linear there, or the formula has a kink.
bool size_form(const Operation *op, const Platform *platform, Transfer transfer, size_t most, SizeForm *form);
// Where two forms give the same time, bytes: from there on the second one is the faster. NAN where their times per byte
// are equal or none of positive size is such.
double size_forms_meet(const SizeForm *first, const SizeForm *second, const Platform *platform);

// In the number S of segments that each of `parts` equal parts of the message is cut into:
// T = (fixed + varying S) alpha + (fixed + varying / S) m beta + (fixed + varying / S) m gamma.
typedef struct SegmentForm {
    int parts;
    double fixed[COSTS], varying[COSTS]; // of beta and gamma in bytes per byte of m
    // It is exact from one segment to the best number of them, and beyond no more than T; else it is of many segments
    // alone, and about right.
    bool linear;
    bool simulated;
} SegmentForm;
// That of an operation for messages of its size, whatever divides it, with its parameters but for the segment; NULL: it
// has none, and nothing varies; then it is by a formula or not at all. False where nothing is known.
bool segment_form(const Operation *op, const CollParam *segment, const Platform *platform, Transfer transfer,
                  SegmentForm *form);
// The same for S segments alone, exact where T is no such form: s, NAN where nothing is known.
double segment_form_at(const Operation *op, const CollParam *segment, const Platform *platform, Transfer transfer,
                       int parts, size_t S);
double segment_form_time(const SegmentForm *form, const Platform *platform, size_t m, double S);
// The S >= 1, no integer, at which that is least: sqrt((b m beta + c m gamma) / (a alpha)), of what varies. At most `most`
// >= 1; 1 where segments cannot help.
double segment_form_best(const SegmentForm *form, const Platform *platform, size_t m, double most);
// The bytes of a segment where each part of m bytes is cut into S.
size_t segment_form_bytes(const SegmentForm *form, size_t m, size_t elem, size_t S);

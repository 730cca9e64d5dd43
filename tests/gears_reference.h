// Holds the gears against the second simulator.
//
// A function here that finds an error ends the program, by gears_fail.
#pragma once
#include "judge/prove/gears_proof.h"
#include "reference_measured.h"
#include "reference_sim.h"

// Fails unless the event gear and the second simulator agree on which ranks are stuck, when the others end, and, unless
// messages passed that take no time, what their certificates are. The case's costs and starts are integers.
void gears_reference(const GearsCase *k, const ReferenceProgram *program, const ReferenceMachine *machine,
                     GearsCounts *n);

// The same under measured, with the starts of ranks as integers. Certificates always count. Adds to paid[], by
// ReferenceTermKind, the ranks whose certificates have such a term.
void gears_reference_measured(const GearsCase *k, const ReferenceProgram *program, const ReferenceMachine *machine,
                              const ReferenceFigures *figures, GearsCounts *n, int64_t *paid);

// Writes the counts as a message of the test.
void gears_report(const GearsCounts *n);

// What the models hockney and measured have in common: they record a schedule and replay it.
#pragma once
#include "engine/model/model.h"
#include "engine/schedule/record.h"

// Predicts one run of the operation under these costs, as Model.predict does; `record` says what the schedule must
// have.
Prediction *replayed_predict(const Model *model, const Operation *op, const Platform *platform, const Hockney *costs,
                             const RecordOptions *record, const PredictOptions *options, GError **error);

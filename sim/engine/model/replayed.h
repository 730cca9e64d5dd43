// What the models hockney and measured have in common: they record a schedule and replay it.
#pragma once
#include "engine/model/seeds.h"
#include "engine/schedule/record.h"

// Predicts one run of the operation under these costs, as Model.predict does; `record` says what the schedule must
// have, and `site` makes sites such as the one that the costs have, for runs with other seeds (NULL: there are none).
Prediction *replayed_predict(const Model *model, const Operation *op, const Platform *platform, const Hockney *costs,
                             SiteMaker *site, const RecordOptions *record, const PredictOptions *options,
                             GError **error);

// What the models of the LogP family charge on a machine.
#pragma once
#include "engine/loggops/loggops.h"
#include "engine/model/model.h"

// Returns the figures of loggops, loggp or logp. Its levels are new; free them with g_free. It has none if all messages
// are far, as without nodes (`map` is PredictOptions.map).
LoggopsParams logp_figures(const Model *model, const Platform *platform, const Mapping *map);

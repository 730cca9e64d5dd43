#include "engine/model/model.h"
#include "base/nearest.h"

const Model *const models[] = {
    &hockney_model, &measured_model, &loggops_model, &loggp_model, &logp_model, &shared_model, NULL};

const Model *model_find(const char *name, GError **error)
{
    const char *names[G_N_ELEMENTS(models)] = {NULL};
    int index = 0;
    for (int i = 0; models[i]; i++)
        names[i] = models[i]->name;
    return nearest_find("model", name, names, &index, error) ? models[index] : NULL;
}

bool model_replays(const Model *model)
{
    return model == &hockney_model || model == &measured_model;
}

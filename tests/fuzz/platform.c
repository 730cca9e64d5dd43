// Platforms: a file that is read can be written, and reads back as the same platform; its figures and topology serve
// every model, and SimGrid. Two ranks share a node.
#include "api/make.h"
#include "fuzz.h"
#include "run/launch/simgrid.h"
#include "engine/model/model.h"
#include <string.h>

static void predict(const Platform *platform)
{
    g_autoptr(Mapping) map = mapping_new(&(MapSpec){.kind = MAP_BLOCK, .k = 2}, &platform->levels, 5, NULL);
    for (int i = 0; models[i]; i++) {
        const CollAlgorithm *a = algorithm_find(COLL_BCAST, models[i]->shared ? "shm_flat" : "binomial");
        const Coll all = {.p = 5, .elem = 1, .commutative = true, .par = algorithm_defaults(a)};
        const Operation op = {.algorithm = a, .c = coll_make(COLL_BCAST, &all, 0, 100, NULL), .m = 100};
        g_autoptr(GError) error = NULL;
        if (!fuzz_outcome(platform_need(platform, models[i]->keys, models[i]->n_keys, models[i]->name, &error), &error))
            continue;
        g_autoptr(Prediction) x =
            models[i]->predict(models[i], &op, platform, &(PredictOptions){.why = true, .map = map}, &error);
        if (fuzz_outcome(x != NULL, &error))
            g_assert_true(x->time_s >= 0 && x->time_s < 1e30);
    }
}

static void write_xml(const Platform *platform)
{
    enum { MOST_HOSTS = 4096 };
    for (int transfer = 0; transfer < N_SIMGRID_TRANSFERS && platform->topology.hosts <= MOST_HOSTS; transfer++) {
        const MapSpec spec = {.kind = MAP_BLOCK, .k = 2};
        g_autoptr(Mapping) map = mapping_new(&spec, &platform->levels, 3, NULL);
        const SimgridMachine machine = {platform, (SimgridTransfer)transfer, 3, map};
        g_autoptr(GError) error = NULL;
        g_autofree char *xml = simgrid_xml(&machine, &error);
        if (fuzz_outcome(xml != NULL, &error))
            g_free(simgrid_hostfile(&machine));
    }
}

FUZZ_HARNESS(platform)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Platform) platform = platform_parse("f.ini", (const char *)data, size, &error);
    if (!fuzz_outcome(platform != NULL, &error))
        return 0;
    g_autofree char *text = platform_text(platform, NULL, &error);
    g_assert_no_error(error);
    g_autoptr(Platform) read = platform_parse("f.ini", text, strlen(text), &error);
    g_assert_no_error(error);
    g_autofree char *again = platform_text(read, NULL, NULL);
    g_assert_cmpstr(again, ==, text);
    predict(platform);
    write_xml(platform);
    return 0;
}

// The model shared: ranks copy data through slots in shared memory. It runs as hockney does, at a site without messages
// (engine/replay/shared.h).
#include "base/error.h"
#include "engine/model/replayed.h"
#include "engine/replay/shared.h"

// Ranks that share memory are on one node. Without a map they are placed there; a map that uses several is refused.
static gboolean check_map(const Mapping *map, GError **error)
{
    return !map || map->kind == MAP_NONE || map->nodes->n == 1 ||
           bad_input(
               error,
               "the map puts %d ranks on %d nodes, and model shared has one; allowed: no map, or one that puts all "
               "ranks on a node",
               map->p, map->nodes->n);
}

static Prediction *predict(const Model *model, const Operation *op, const Platform *platform, const PredictOptions *o,
                           GError **error)
{
    const SharedCosts costs = site_shared_costs(platform);
    const Levels *levels = &platform->levels;
    const Mapping *sockets = (costs.remote > 1 || costs.by_level) && levels_node(levels) > 0 ? o->map : NULL;
    g_autofree const char **names = sockets ? levels_names(levels) : NULL;
    if (!check_map(o->map, error))
        return NULL;
    g_autoptr(Site) site = shared_site(&costs, sockets, names);
    const Hockney h = {.transfer = TRANSFER_RENDEZVOUS, .site = site};
    const RecordOptions record = {.mixes = true, .local = shared_needs_local(&costs)};
    return replayed_predict(model, op, platform, &h, NULL, &record, o, error);
}

static const PlatformKey keys[] = {KEY_WRITE, KEY_READ,   KEY_LANES,   KEY_FLAG,   KEY_GAMMA,
                                   KEY_LINE,  KEY_QUEUE,  KEY_RAISE,   KEY_REUSE,  KEY_LOCAL,
                                   KEY_CALL,  KEY_REMOTE, KEY_STREAMS, KEY_SINGLE, KEY_TOUCH};

static const TermKind terms[] = {TERM_WRITE,  TERM_READ,    TERM_CROWD, TERM_FLAG,  TERM_LINE,
                                 TERM_QUEUE,  TERM_RAISE,   TERM_REUSE, TERM_LOCAL, TERM_REMOTE,
                                 TERM_SINGLE, TERM_STREAMS, TERM_TOUCH, TERM_CALL,  TERM_GAMMA};

const Model shared_model = {
    .name = "shared",
    .summary = "shared memory: writing n bytes takes n write, reading them n read (in proportion more if "
               "more than `lanes` ranks read one fragment), a flag is seen after `flag`",
    .shared = true,
    .keys = keys,
    .n_keys = G_N_ELEMENTS(keys),
    .terms = terms,
    .n_terms = G_N_ELEMENTS(terms),
    .predict = predict,
};

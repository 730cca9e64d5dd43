// The machine of a request: the platform with its figures, where the ranks are on it, and the model that times them.
#pragma once
#include "engine/model/model.h"
#include "machine/network/network_options.h"
#include <glib.h>

// The map, the platform and what request_mapping keeps are owned (request_machine_clear).
typedef struct RequestMachine {
    Platform *platform; // with each --set applied; NULL for measurements
    char **sets;        // --set as given, not owned; NULL for none
    MapSpec map;        // what --map or --per-node asks for
    const Model *model;
    NetworkSpec *network;        // what options.network points to, if it is owned; NULL for none
    PredictOptions options;      // of each run: the transfer, and what the answer needs
    Skew skew;                   // what options.skew points to
    const char *arrival, *noise; // --arrival and --noise as given, not owned; NULL for none
    GHashTable *placed;          // Mapping by p and ranks per node; made by request_mapping
} RequestMachine;

void request_machine_clear(RequestMachine *machine);

// Returns TRUE if the links of the platform's [topology] have rates that messages of the model pay for.
gboolean request_has_rates(const RequestMachine *machine);
// Lets messages pay for these links, if there are any; nodes are in the order of hosts.
void request_price_links(RequestMachine *machine);
// Does the same on the network that the options ask for; without options it is the platform's. Returns FALSE and an error
// on bad input: if the options ask for a network without rates, or the model knows none, or for several seeds without `seeds`.
gboolean request_network(RequestMachine *machine, const NetworkOptions *options, gboolean seeds, GError **error);

// Returns TRUE if a map says on which nodes ranks are.
gboolean request_is_mapped(const RequestMachine *machine, int per_node);
// Returns TRUE if it matters to some model on which nodes ranks are; the platform may be NULL.
gboolean request_has_nodes(const Platform *platform);
// Makes the mapping of p ranks. NxK alone means block:K. Returns NULL and an error on bad input. Free with mapping_free.
Mapping *request_place(const RequestMachine *machine, int p, int per_node, GError **error);
// Returns where p ranks are on the machine; NULL if ranks are not grouped and the machine has one level, whose nodes
// share nothing. `per_node` is what request_per_node returns for this p. The request keeps the mapping. Threads may call this
// at the same time.
const Mapping *request_mapping(const RequestMachine *machine, int p, int per_node);
// Returns how many nodes p ranks are on; 0 if there is no map.
int request_nodes(const RequestMachine *machine, int p, int per_node);
// Returns how many ranks the largest node has; 0 if there is no map.
int request_node_ranks(const RequestMachine *machine, int p, int per_node);
// Returns the map as --map takes it, "block:48" or a file; NULL if there is none. Free with g_free.
char *request_map(const RequestMachine *machine, int per_node);
// Returns "block", "cyclic" or "map FILE". Free with g_free.
char *request_map_text(const RequestMachine *machine);
// Returns the nodes of p ranks as "96 nodes of 48 ranks, block", "4 nodes of at most 4 ranks, cyclic" or "2 nodes of 3
// ranks, map hosts.txt"; NULL if there is no map. Free with g_free.
char *request_nodes_text(const RequestMachine *machine, int p, int per_node);
// Returns the model of messages that a platform's runs have by default: what its file says, or else measured if it has
// [measured], and otherwise hockney, also without a platform.
const Model *request_default_model(const Platform *platform);
// Returns FALSE and an error unless the command knows the model: hockney, or also measured if `measured` is set.
gboolean request_knows(const char *command, const Model *model, gboolean measured, GError **error);
// Returns the discipline of messages under hockney or measured.
Transfer request_discipline(const RequestMachine *machine);
// Sets how two ranks meet; NULL means rendezvous. The model must be set.
gboolean request_transfer(RequestMachine *machine, const char *name, GError **error);
// How a run is disturbed, as texts; NULL for what is not given. --arrival and --noise must outlive the request.
typedef struct RequestSkew {
    const char *arrival, *noise, *seeds, *by;
} RequestSkew;
// Sets how runs are disturbed, and how many there are, also if that is because of several seeds of --nodes. Returns FALSE and
// an error on bad input. The model and the network must be set.
gboolean request_skew(RequestMachine *machine, const RequestSkew *asked, GError **error);
// Returns FALSE and an error if the platform lacks a figure that the model needs. Only reductions need gamma.
gboolean request_need_figures(const RequestMachine *machine, gboolean reduces, GError **error);
// Returns TRUE if a figure that the model reads differs between levels.
gboolean request_has_level_figures(const RequestMachine *machine);
// Returns which figures of [node] the platform gives and the model ignores: "nics, nic.rate"; NULL if there is none.
// Free with g_free.
char *request_ignored_figures(const RequestMachine *machine);

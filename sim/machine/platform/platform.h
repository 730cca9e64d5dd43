// A platform: a machine's figures for the cost models, each with its source, read from an .ini file:
//
//   [machine]                       free text: title, network, mpi, note; and the model of runs that name none: model
//   [levels]                        nested units of ranks, innermost first (levels.h), and their source if need be
//   socket = 24 ranks
//   node = 2 sockets
//   [hockney]                       alpha, beta, gamma (gamma serves every model)
//   alpha = 1.6us
//   alpha.source = ping-pong of ...  required for every figure
//   alpha.node = 0.4us              alpha between ranks of one node; alpha without a level holds for all other levels
//   alpha.node.source = ...
//   [measured]                      one, step, gap, take, far, swap, eager, lambda, ports, gamma, copy, fresh, connect,
//                                   match, bounce (measured_tables.h)
//   one = 8:1.31us 64:1.33us 4K:2.9us
//   [loggops]                       L, o, g, G, O, S
//   [shared]                        write, read, flag, lanes, line, queue, raise, reuse, local, call, remote, streams, single
//   [node]                          what the ranks of a node share: nics, nic.rate, nic.messages, memory
//   [pieces]                        lists from, alpha, beta, and source: the time of a ping-pong message, piece by
//                                   piece (pieces.h); for people and plots, no model uses it
//   [spread]                        how far measured times lie from predicted ones, by family (registry/spread.h):
//   ring = 0.12                     the standard deviation of ln(measured / predicted), and their source
//   [topology]                      kind, shape, routing, rate, hop, hosts (topology.h)
//
// Sections and keys may be left out; a model that needs a missing figure reports it (platform_need). Keys are case
// sensitive: o and O, g and G are different figures. alpha, beta, L, G and one may be given per level; then each level
// needs a value of its own or one without a level. step, gap, take, eager and lambda may be given per level too, and
// have defaults at the other levels. Anything else in the file is an error, on one line: "FILE:LINE: WHAT; allowed: ...".
//
// Our own models have ports, but no network between them, so the topology does not change their predictions. Only
// SimGrid uses it (run/launch/simgrid.h), with alpha as the start-up time of a message between two of the nearest
// hosts.
#pragma once
#include "machine/platform/figure_units.h"
#include "machine/platform/levels.h"
#include "machine/platform/measured_tables.h"
#include "machine/platform/pieces.h"
#include "machine/platform/table.h"
#include "machine/platform/topology.h"
#include "registry/spread.h"

// The figures, in the order of platform_keys.
typedef enum {
    KEY_ALPHA,
    KEY_BETA,
    KEY_GAMMA,
    KEY_L,
    KEY_O_CPU,
    KEY_G_GAP,
    KEY_G_BYTE,
    KEY_O_BYTE,
    KEY_S,
    KEY_WRITE,
    KEY_READ,
    KEY_FLAG,
    KEY_LANES,
    KEY_NICS,
    KEY_NIC_RATE,     // in seconds per byte
    KEY_NIC_MESSAGES, // in seconds per message
    KEY_MEMORY,       // its value is Platform.memory
    KEY_ONE,          // a table, like the three that follow
    KEY_STEP,
    KEY_GAP,
    KEY_TAKE, // a table, or the gap
    KEY_FAR,
    KEY_SWAP,
    KEY_EAGER,
    KEY_LAMBDA,
    KEY_PORTS,
    KEY_REDUCE, // gamma of [measured]; if a platform has none, KEY_GAMMA serves
    KEY_COPY,
    KEY_FRESH,
    KEY_CONNECT,
    KEY_MATCH,
    KEY_BOUNCE, // a table or a rate, as copies
    KEY_LINE,   // of [shared], like those that follow
    KEY_QUEUE,
    KEY_RAISE,
    KEY_REUSE,
    KEY_LOCAL,
    KEY_CALL,
    KEY_REMOTE,
    KEY_STREAMS,
    KEY_SINGLE,
    KEY_TOUCH,
    N_PLATFORM_KEYS
} PlatformKey;

typedef struct {
    const char *name; // as written in files and after --set
    PlatformUnit unit;
    const char *meaning;
    const char *section; // the section of the file that has it
    gboolean by_level;   // the figure may be given per level
    gboolean optional;   // if a platform does not give the figure, a model uses `otherwise`
    double otherwise;
} PlatformKeyInfo;
extern const PlatformKeyInfo platform_keys[N_PLATFORM_KEYS];

// A platform. The arrays are indexed by PlatformKey. If has[k] is false, value[k] is platform_keys[k].otherwise (0
// unless the figure is optional), and source[k] is NULL.
typedef struct Platform {
    char *name;  // NAME as found in platforms/, or the file's name without its .ini; printable, like the title
    char *title; // for people; the name if the file has no title
    char *mpi;   // the MPI library; NULL if the file does not give it
    char *model; // that of runs that name none, hockney or measured; NULL: measured if the platform has `one`
    gboolean has[N_PLATFORM_KEYS];
    // In seconds, seconds per byte, bytes or a plain number, in the range of figure_check. Only S and eager may be
    // INFINITY, and eager is -1 for none. A figure that is given per level has the value of `far` here, and all its
    // values in by_level, innermost first; by_level[k] is NULL for the others. An optional figure is NAN there at
    // levels that have no value.
    double value[N_PLATFORM_KEYS];
    double *by_level[N_PLATFORM_KEYS];
    // For figures of [measured] that are tables, in the same order; their number is 0. NULL for others.
    Table *table[N_PLATFORM_KEYS];
    Table **level_table[N_PLATFORM_KEYS];
    uint64_t above[N_PLATFORM_KEYS]; // copies and the like cost something in buffers longer than this, in bytes
    char *source[N_PLATFORM_KEYS];   // where the figure comes from, in one line that is not blank
    // Where each value in by_level comes from; NULL for the levels that have the value of the figure without a level,
    // whose source is in source[k].
    char **level_source[N_PLATFORM_KEYS];
    Table *memory;            // factors over bytes; NULL if the platform has no KEY_MEMORY
    Measured *measured;       // complete (measured_complete), from the figures above; NULL if the platform has no `one`
    GArray *pieces;           // of PlatformPiece, with `from` rising from 0; NULL if there are none
    char *pieces_source;      // NULL if there are no pieces
    double spread[N_SPREADS]; // of spread_families; 0 where the file gives none
    char *spread_source;      // NULL if the file gives none
    Topology topology;        // flat if the file has none
    Levels levels;            // only far if the file has none
    char *levels_source;      // NULL if the file does not give it
} Platform;

// Returns a figure at a level of the platform.
static inline double platform_at(const Platform *platform, PlatformKey key, int level)
{
    return platform->by_level[key] ? platform->by_level[key][level] : platform->value[key];
}

// The platform of runs that name none.
#define PLATFORM_DEFAULT "generic-100g"

// Loads a platform. The text is a path if it contains '/' or ends in .ini, otherwise a name in the directory of
// platforms (SHARE_PLATFORMS of base/share.h). A file has at most
// LIMIT_PLATFORM_BYTES of UTF-8. Returns NULL and a bad-input error on failure; for an unknown name it lists all names
// and proposes the nearest. Free with platform_free.
Platform *platform_load(const char *name_or_file, GError **error);
// Returns the path of the file that platform_load reads; NULL and an error for an unknown name. Free with g_free.
char *platform_path(const char *name_or_file, GError **error);

// Reads a platform from `length` bytes of text. Errors call the text `path`, which also gives the platform's name.
// Returns NULL and a bad-input error on failure. Free with platform_free.
Platform *platform_parse(const char *path, const char *text, size_t length, GError **error);

// Returns a platform of this name without any figure. Free with platform_free.
Platform *platform_new(const char *name);

// Returns a copy. Free with platform_free.
Platform *platform_copy(const Platform *platform);

// Returns a platform of this name with the levels of another one and their source, without any figure. Free with
// platform_free.
Platform *platform_new_like(const char *name, const Platform *of);

// Sets one figure from "KEY=VALUE" ("alpha=1us", "S=unlimited", "memory=4K:0.3 1M:1"), whether or not the platform has
// it already, and at all levels; "alpha.node=1us" sets it at one level and leaves the others. "nic.rate=none" takes a
// figure away that is optional, except that "eager=none" is a value. gamma is that of [hockney]. The source becomes
// "--set KEY=VALUE". On error the platform remains as it was.
gboolean platform_set(Platform *platform, const char *assignment, GError **error);

// Sets a figure, or with the value "none" takes it away as platform_set does; at all levels if `level` is NULL. The
// value "x0.5" makes a time or a rate that the platform has half of what it is, at each of these levels. Copies the
// source. On error the platform remains as it was.
gboolean platform_set_figure(Platform *platform, PlatformKey key, const char *level, const char *value,
                             const char *source, GError **error);

// Gives the platform all that `from`, which has the same levels, has of a figure: its values at each level, its tables
// and its sources.
void platform_take_figure(Platform *platform, const Platform *from, PlatformKey key);

// Sets a figure as a line `KEY = VALUE` of the platform's file does: at the levels that have no value of their own. If
// far has one of its own, it sets this one alone. Copies the source. Returns FALSE and an error if the value is wrong.
gboolean platform_set_rest(Platform *platform, PlatformKey key, const char *value, const char *source, GError **error);

// Takes the tables one, step, gap and take away at all levels.
void platform_forget_tables(Platform *platform);

// Leaves the platform only one level, far, with its figures there, and nothing that a node's ranks share. Returns TRUE
// if this took something away.
gboolean platform_flatten(Platform *platform);

// Returns TRUE if the platform has all n keys, except optional ones. Otherwise returns FALSE and one bad-input error
// that names every missing key, with the level if the others have it. `model` is the name of what needs them. gamma of
// [measured] is missing only if that of [hockney] is, too; only reductions need it.
gboolean platform_need(const Platform *platform, const PlatformKey *keys, size_t n, const char *model, GError **error);

// Returns a figure as a file has it, with four significant digits (sizes are whole): "1.6us", "0.0848ns/B", "64K",
// "unlimited". Free with g_free.
char *platform_figure_text(PlatformKey key, double value);

// Returns a figure of the platform in the same form, also a table ("8:1.31us 64:1.33us"), at a level, or without one if
// `level` is -1. The platform must have it there. Free with g_free.
char *platform_value_text(const Platform *platform, PlatformKey key, int level);

// Returns the platform as the text of an .ini file, which platform_parse can read. The text has the title, the MPI
// library and the model (those that are not NULL), the levels, the figures that the platform has (as
// platform_figure_text writes them) with their sources, the pieces and the spreads, but not the topology. If `base`, the path of an
// .ini file, is not NULL, the text is that file with these entries replaced. A platform without levels keeps those of
// the base, and its figures replace the base's figures for `far`, or without a level if the base has none for far. The
// base's pieces remain only if the platform has no alpha. Returns NULL and an error if the base cannot be read, or if
// the text would be larger than a platform may be. Free with g_free.
char *platform_text(const Platform *platform, const char *base, GError **error);

// Returns the names that platform_load knows, sorted and NULL-terminated. The list is empty if the directory cannot be
// read. Free with g_strfreev.
char **platform_names(void);

// Frees the platform and its texts; NULL is allowed.
void platform_free(Platform *platform);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Platform, platform_free)

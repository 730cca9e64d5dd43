// A machine's parameters for the cost models, each with where it comes from, read from an .ini file:
//
//   [machine]                       free text: title, network, mpi, note
//   [hockney]                       alpha, beta, gamma (gamma serves every model)
//   alpha = 1.6us
//   alpha.source = ping-pong of ...  required beside every figure
//   [loggops]                       L, o, g, G, O, S
//   [shared]                        write, read, flag, lanes
//   [pieces]                        lists from, alpha, beta, and source: what a ping-pong takes from each size on,
//                                   piece by piece; for people and plots, no model uses it
//   [topology]                      kind, shape, shape.source (topology.h)
//
// Sections and keys may be left out; a model that needs a missing one says so (platform_need). Keys are case sensitive:
// o and O, g and G are different figures. All else is refused: "FILE:LINE: WHAT; allowed: ...", one line.
//
// The models here know of ports, not of a network between them: what is simulated in-house is the same whatever the topology.
// It is for SimGrid (simgrid.h), where alpha is what a message between two of the nearest hosts takes.
#pragma once
#include "platform/figure.h"
#include "platform/pieces.h"
#include "platform/topology.h"

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
    N_PLATFORM_KEYS
} PlatformKey;

typedef struct {
    const char *name; // as written in files and after --set
    PlatformUnit unit;
    const char *meaning;
    const char *section; // of the file
    gboolean optional;   // a model takes `otherwise` if a platform does not give the figure
    double otherwise;    // in the range of figure_check
} PlatformKeyInfo;
extern const PlatformKeyInfo platform_keys[N_PLATFORM_KEYS];

// Indexed by PlatformKey. Where has[k] is false, value[k] is what the figure is otherwise (0 unless it is optional), and
// source[k] is NULL.
typedef struct Platform {
    char *name;  // NAME as found in platforms/, or the file's name without its .ini
    char *title; // for people; the name where the file has none
    gboolean has[N_PLATFORM_KEYS];
    double value
        [N_PLATFORM_KEYS]; // seconds, seconds per byte, bytes or a number, in the range of figure_check; only S may be INFINITY
    char *source[N_PLATFORM_KEYS]; // where the figure comes from, one line
    GArray *pieces;                // PlatformPiece, from rising from 0; NULL: none
    char *pieces_source;           // NULL: none
    Topology topology;             // flat where the file does not say
} Platform;

// Loads a platform: a path when the text contains '/' or ends in .ini, else a name in the directory of platforms (the
// environment's COLLSIM_PLATFORMS, else the one compiled in). At most 64 KiB of UTF-8. An unknown name is answered with
// the nearest one and the list. Returns NULL on error; free with platform_free.
Platform *platform_load(const char *name_or_file, GError **error);

// Reads a platform from `length` bytes of text. `path` is what errors call the file and gives the name. As
// platform_load.
Platform *platform_parse(const char *path, const char *text, size_t length, GError **error);

// Sets one figure from "KEY=VALUE" ("alpha=1us", "S=unlimited"), given before or not; its source says --set. On error
// the platform is left as it was.
gboolean platform_set(Platform *platform, const char *assignment, GError **error);

// Returns TRUE if the platform has all n keys that are not optional, else one error that names every missing one. `model`
// names who needs them.
gboolean platform_need(const Platform *platform, const PlatformKey *keys, size_t n, const char *model, GError **error);

// A figure as it is written, of four significant digits (sizes whole): "1.6us", "0.0848ns/B", "64K", "unlimited". The
// caller frees it.
char *platform_figure_text(PlatformKey key, double value);

// The platform as the text of an .ini file, which platform_parse reads back: the title (NULL: none), the figures that
// it has (each as platform_figure_text writes it) with their sources, and the pieces; the topology is not written. With
// a `base`, the path of an .ini file, it is that file with these in their place, and all else as it stands there; NULL
// and an error where the base cannot be read. The caller frees the text.
char *platform_text(const Platform *platform, const char *base, GError **error);

// The names that platform_load knows, sorted, NULL-terminated (empty when the directory cannot be read). Free with
// g_strfreev.
char **platform_names(void);

// Frees the platform and its texts; NULL is allowed.
void platform_free(Platform *platform);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Platform, platform_free)

// What the page of `collsim explore` asks about, and the command lines that answer. Everything that a request says is checked
// here: no text of it becomes a word of a command line unless it is a name or a number that is allowed.
#pragma once
#include "explore/explore_machines.h"
#include "registry/registry.h"

enum {
    EXPLORE_MOST_RANKS = 1 << 16,
    EXPLORE_MOST_BYTES = 1 << 30,
    EXPLORE_MOST_WITH = 12, // algorithms in a picture of times
    EXPLORE_DETAILS = 3
};

// The views, in the order in which the page shows them.
typedef enum {
    EXPLORE_MAP,
    EXPLORE_TIMES,
    EXPLORE_SHARES,
    EXPLORE_TRACE,
    EXPLORE_ROUNDS,
    EXPLORE_SHOW,
    EXPLORE_WHY,
    N_EXPLORE_VIEWS
} ExploreView;
extern const char *const explore_views[]; // "map" ..

// The texts are copies of those of a request, or names of the registry.
typedef struct ExploreState {
    Collective collective;
    const ExploreMachine *machine;
    const CollAlgorithm *algorithm; // NULL if the request names none, as for a map
    GPtrArray *with;                // of const CollAlgorithm *: whose times are shown beside those of `algorithm`
    int p, per_node, most;          // per_node: 0 if the request names no nodes; most: the most ranks of a map
    size_t m;
    int detail;      // of a map and of times, from 1 (few places) to EXPLORE_DETAILS
    gboolean narrow; // pictures are for half a page, or a phone
    GPtrArray *sets; // of char *: "alpha=x0.5", in the order of the machine's figures
} ExploreState;

// What the page begins with.
typedef struct ExploreStart {
    Collective collective;
    int p, per_node;
    size_t m;
} ExploreStart;

// Returns TRUE if the page offers an algorithm for a collective: all that exchange messages, and none in shared memory.
gboolean explore_offers(const CollAlgorithm *a, Collective collective);

void explore_state_clear(ExploreState *state);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ExploreState, explore_state_clear)

// Reads the fields of a request (char * by char *). Returns FALSE and a bad-input error of one line if a field is unknown or
// its value is not allowed.
gboolean explore_state_read(ExploreState *state, const GPtrArray *machines, GHashTable *fields, GError **error);

// The command line of a view: a command, and for a picture of rows a second one that reads what the first prints.
typedef struct ExploreLine {
    char **first, **second; // second: NULL if there is none
    gboolean picture;       // the last word of the last command is the file of a picture
    char *text;             // as a shell takes it
} ExploreLine;
void explore_line_free(ExploreLine *line); // NULL is allowed
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ExploreLine, explore_line_free)

// Returns the command line of a view. Returns NULL and a bad-input error if the state lacks what the view shows. Free with
// explore_line_free.
ExploreLine *explore_line_new(const ExploreState *state, ExploreView view, GError **error);

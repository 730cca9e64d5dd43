// What `tune` writes and says for a family of libraries, one row each:
//
//     rules --> write         --> a file  \  load, run:      what a command or a shell says to run with it
//           --> write_first   --> .. of a  >  limits, ..:     what its comment says
//                                 pair    /  refuses:        options that do not go with it
//
// Reading back needs no entry: rules_parse() and rules_decision() know the family of a file.
#pragma once
#include "advice/tune/tune.h"
#include "search/search/request.h"

// The names of a pair's files, the one of what decides first and the one of algorithms, and what each is for.
typedef struct TunePairNames {
    const char *first, *algorithms, *for_first, *for_algorithms;
} TunePairNames;

typedef enum {
    TUNE_FAMILY_HEADER,
    TUNE_FAMILY_COMMUTATIVE,
    TUNE_FAMILY_VERIFY,
    N_TUNE_FAMILY_OPTIONS
} TuneFamilyOption;

// Writes the rules (Tune *) of r->library.only with the lines (char *) of a comment. Returns NULL and an error on bad
// input; free with g_free.
typedef char *TuneFamilyWrite(const Request *r, const GPtrArray *tunes, const GPtrArray *lines, GError **error);
// Gets a variable that loads a pair, and its value.
typedef void TuneFamilySet(gpointer user, const char *name, const char *value);

typedef struct TuneFamily {
    TuneFamilyWrite *write;
    // Returns the words that load a file; free with g_free. `run` is the command in which they stand, with %s for them.
    char *(*load)(const RequestLibrary *lib, const char *file);
    const char *run;
    void (*add_load)(GPtrArray *lines, const Request *r);     // adds how to load the file, and when that holds
    void (*header_holds)(GPtrArray *lines, const Request *r); // adds when a header's choices hold; NULL: it has none
    const char *limits[2];  // what the file cannot say, and what a pair cannot, in lines
    const char *operations; // for which operations it is right; NULL: as request->library.any_operation
    const char
        *refuses[N_TUNE_FAMILY_OPTIONS]; // why an option is not for it; NULL if it is, "" if others are to be named
    struct {
        const char *file;
        TunePairNames pair;
    } names[2]; // of files; [TRUE] are those of a version whose rules are JSON without comments

    // The rest is NULL or FALSE if nothing decides before the file of algorithms.
    gboolean (*decides_first)(const RequestLibrary *lib); // something decides some calls first, on several nodes
    const char *alone;           // how to ask for one file that acts without what decides first; NULL if there is none
    gboolean first_leaves_nodes; // what decides first calls collectives within a node, which the other file decides
    TuneFamilyWrite *write_first;
    void (*pair_variables)(const Request *r, const GPtrArray *tunes, const char *first, const char *second,
                           TuneFamilySet *set, gpointer user);
    const char *setting, *export; // a variable and its value in a command, and as a line of a shell
} TuneFamily;

const TuneFamily *tune_family(const Library *library);
// Returns the names of a pair of files; they are NULL if the family has none.
TunePairNames tune_family_pair(const Library *library);
// Returns what a file of rules is called in a command: "rules.conf".
const char *tune_family_file(const Library *library);
// Returns FALSE and an error if an option is not for the library.
gboolean tune_family_takes(const Library *library, TuneFamilyOption option, GError **error);
// Adds a line to a comment (char *).
void tune_line(GPtrArray *lines, const char *format, ...) G_GNUC_PRINTF(2, 3);

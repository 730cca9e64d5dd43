// The decisions of an MPI library as data: the tables of the folder `decisions` (its README says where they come from
// and what their columns mean), and how a row is found.
#pragma once
#include "libraries/decide/needs.h"
#include "registry/registry.h"
#include <stddef.h>

// ---- Algorithms -----------------------------------------------------------------------------------------------------

// What is to be said of an algorithm with `ordered`.
extern const char library_misorders[];

// The parameters of an algorithm that a rules file can set.
typedef enum { TAKES_SEGMENT = 1, TAKES_FANOUT = 2, TAKES_MAX_REQUESTS = 4, TAKES_RADIX = 8 } LibraryTakes;

// An algorithm that a version of the library has. All texts are static.
typedef struct LibraryAlgorithm {
    Collective collective; // N_COLLECTIVES for one that the program does not have
    int id;                // of Open MPI; of UCC, whose numbers begin at 0, its number and 1; 0 for MPICH
    gboolean by_name;      // users call it by its name
    const char *name; // as coll_tuned_COLLECTIVE_algorithm has it; "" for what only a tuning file of MPICH can name
    int needs;        // LibraryNeeds
    int else_runs;    // Open MPI: the id that runs if a need is not met; 0 for an error
    gboolean else_one_chain; // .. which then has one chain
    int takes;               // LibraryTakes
    gboolean own_fallback;   // where the entry's needs are not met, its fallback is the library's text too
    int one_fanout;          // the id that does the same with a fanout of 1; 0 if there is none
    // Open MPI
    const char *calls[2]; // collectives that it calls, for which rules and the fixed decision decide anew
    gboolean ordered;     // results are wrong, without an error, if the operation is not commutative
    gboolean deaf;        // it does not notice when a collective that it calls returns an error
    int older_fanout;     // with this fanout it is what older versions have under its id; 0 if it is that anyway
    // UCC
    int usual;            // the radix that it has by default; 0 for one that the library chooses
    const char *variable; // that sets the parameter that it takes, behind UCC_TL_UCP_; "" if there is none
    const char *nearest;  // the entry that it is, where that has not its name as an alias
    const char *differs;  // .. and what that does otherwise; "" if it sends the same messages
    // MPICH, whose tuning files can name it
    const char *of;       // the name of the collective
    const char *function; // "MPIR_Bcast_intra_binomial"
    const char *leaf;     // the parameters that it does not set itself, with RADIX and SEGMENT; "" for none
    int file_needs;       // what a call must meet in addition to `needs` if a file names it
    int ends_without;     // needs without which the call ends the program
    int wrong_without;    // needs without which it returns wrong data
} LibraryAlgorithm;

// What the rules files of Open MPI's component HAN can say of a collective. All texts are static, and lists of words.
typedef struct HanFile {
    const char *collective;
    const char *algorithms; // from 5.0 on, by their number from 1 on; without any, the library crashes at a name
    const char *by_levels;  // those that go by rules for the levels below the whole communicator; the others go by the
                            // variables coll_han_COLLECTIVE_up_module and .._low_module
    const char *usual;      // the default one; "" if it is not known
} HanFile;

// ---- All tables of a library ----------------------------------------------------------------------------------------

typedef struct Tables {
    gint references;
    const Library *library;
    GArray *tuned;                  // of LibraryRule: the decision of Open MPI's tuned, or of UCC's tl/ucp; exactly one
                                    // fits a call
    GArray *algorithms;             // of LibraryAlgorithm: those that a user can make the library run
    GArray *functions;              // of LibraryAlgorithm: those that a tuning file of MPICH can name
    const char *han[N_COLLECTIVES]; // HAN's algorithm, such as "intra"; NULL where HAN does not take the collective
    gboolean han_low;               // .. which it does only if its priority is raised above tuned's
    size_t han_segments[N_COLLECTIVES]; // the bytes of its segments by default; 0 where it has none
    GArray *han_files;                  // of HanFile
    // MPICH's tree (of LibraryRule), and that of compositions in its device ch4. There `params` can be "all ranks": the
    // tree then decides for all ranks. The first one that fits decides.
    GArray *compositions, *tree;
} Tables;

// Reads the tables of a library (SHARE_DECISIONS of base/share.h). Returns NULL and an error if a file is missing or
// malformed. Free with tables_free.
Tables *tables_load(const Library *library, GError **error);
// Does the same, but without decisions: what the algorithms are, and HAN.
Tables *tables_names(const Library *library, GError **error);
// Makes the tables of a library without rows, for tables_read_*. Free with tables_free.
Tables *tables_new(const Library *library);
Tables *tables_ref(const Tables *tables);
void tables_free(Tables *tables); // gives up one reference
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Tables, tables_free)

// Each adds the rows of one file. Rows of other versions and of collectives that the program does not have are left
// out. They return FALSE and an error of FILE:LINE if the file is malformed.
gboolean tables_read_tuned(Tables *tables, const char *path, GError **error);
gboolean tables_read_algorithms(Tables *tables, const char *path, GError **error);
gboolean tables_read_han(Tables *tables, const char *path, GError **error);
gboolean tables_read_tree(GArray *rows, const char *path, GError **error);
// Reads all rows of the tree of a version of MPICH, or of that of compositions, also those of collectives that the program
// does not have, and those for intercommunicators. Returns an array of LibraryRule, or NULL and an error. Free with
// g_array_unref.
GArray *tables_whole_tree(const Library *library, gboolean compositions, GError **error);

// Returns the algorithm with this id, or with this name; NULL if the version does not have it.
const LibraryAlgorithm *tables_algorithm(const Tables *tables, Collective collective, int id);
// Does the same for Open MPI and UCC; `number` is one of tuned.h.
const LibraryAlgorithm *tables_tuned(const Tables *tables, int number, int id);
const LibraryAlgorithm *tables_named(const Tables *tables, Collective collective, const char *name);
// Returns what a tuning file of MPICH can name, by its function; NULL if the version does not have it.
const LibraryAlgorithm *tables_function(const Tables *tables, const char *function);
// Returns the word that identifies a library's algorithm: its id, or its name. Free with g_free.
char *tables_id(const LibraryAlgorithm *algorithm);
// Returns the last part of MPICH's name for a function: "recursive_doubling", "alpha".
const char *tables_short_name(const char *function);

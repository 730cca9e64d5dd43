// The library of a request: whose algorithms and decisions count, with what is switched off and what rules hold.
#pragma once
#include "libraries/decide/decide.h"
#include "libraries/decide/rules.h"

// What a library runs by default, as an algorithm: "ompi-4.1:auto". The library decides at each point anew. Or one of
// its algorithms that calls others, "ompi-4.1:2", for which it decides anew. Or what it runs with a rules file.
typedef struct RequestAuto {
    CollAlgorithm algorithm; // first; it has a name and no text
    char *name;
    Tables *tables;
    const LibraryAlgorithm *told; // NULL for auto
    DecidePart *decide;           // NULL unless something else decides
    gconstpointer from;
} RequestAuto;

// The tables and the autos are owned (request_library_clear).
typedef struct RequestLibrary {
    GPtrArray *tables; // of Tables, of the libraries that were named; NULL if none was
    GPtrArray *autos;  // of RequestAuto, which are in the question's `named` as well; NULL if there is none
    Tables *only;      // of the library that can be told to run the algorithms of the request; NULL for any
    gboolean by_file;  // .. by its rules file, whatever the number of ranks: no algorithm that returns an error on some
    const RulesFile *rules;   // .. which decides the parts of these algorithms; not owned, NULL for none
    gboolean any_operation;   // .. and only those whose results are right for any operation
    double z;                 // .. and only those that are this much faster than the default (sure_limit)
    gboolean of_all;          // the best of all algorithms is of interest, too (regret.h)
    gboolean no_han;          // Open MPI's component HAN is switched off
    DecideHan han;            // what its variables are set to
    DecideHan han_usual;      // .. of the default, where a setting that is looked for changes others
    gboolean pair;            // .. by_file: HAN, or ch4, has a file too, which says what the rules decide
    gboolean apart;           // .. of Open MPI: a rule for all ranks names no id where some call has as many nodes
    gboolean no_compositions; // MPICH's device has no collectives
} RequestLibrary;

void request_library_clear(RequestLibrary *lib);

// Returns the tables of a library, which the request keeps; NULL and an error if they cannot be read.
Tables *request_tables(RequestLibrary *lib, const Library *library, GError **error);
// Returns what of a library an algorithm of the request is; NULL if it is an entry or a variant.
const RequestAuto *request_auto(const RequestLibrary *lib, const CollAlgorithm *algorithm);
// Sets HAN's variables by a text such as "segsize=512K,priority=40", or switches HAN off; `han` may be NULL. Errors call the
// options PREFIXhan and PREFIXno-han. Returns FALSE and an error if the text is malformed, or if both are given.
gboolean request_han(RequestLibrary *lib, const char *han, gboolean no_han, const char *prefix, GError **error);
// Returns TRUE if a library that was named decides by nodes.
gboolean request_asks_nodes(const RequestLibrary *lib);

// Random rules files of Open MPI, and calls that try them: what rules_ompi, which asks the library, and test_rules, which
// replays what the library did, share.
#pragma once
#include "libraries/decide/rules.h"
#include <stdio.h>

// Returns a random file. Most are well-formed; the others have one or several of the mistakes that people make. Free
// with g_free.
char *files_random(guint32 seed);

// Does the same for a file of HAN. It is often refused, since any mistake is one too many.
char *files_random_han(guint32 seed);

// A call of a collective.
typedef struct FilesPoint {
    int collective, ranks;
    int count; // of elements: of each block, of the vector where a rules file counts this
    int type;  // elements of 1, 4 or 8 bytes
} FilesPoint;

// Returns calls that try the file: sizes at and beside its numbers, on 2 to `most` ranks. Free with g_array_unref.
GArray *files_points(const char *text, guint32 seed, int most);
// Returns the size that the library takes for the call.
gint64 files_bytes(const FilesPoint *point);

// What a call runs.
typedef struct FilesRun {
    int id;
    gboolean error; // the call returns one: no algorithm has the id, or it or a part of it cannot run
    gboolean ruled; // a rule decided
} FilesRun;
// Predicts a call; `fixed` is the id of the fixed decision.
FilesRun files_predict(const RulesFile *file, int collective, int ranks, gint64 bytes, int fixed);

// Prints "file SEED" and the file, each line after "| ", with what is not printable as in C.
void files_print(FILE *to, const char *text, guint32 seed);

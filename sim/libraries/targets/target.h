// Settings of libraries whose decisions are not in the data: files that make a library choose, where nobody knows what
// it chooses by itself.
//
//     intel    I_MPI_ADJUST_ALLREDUCE="1:0-2047@16-31;2:2048-4194304@16-31" for Intel MPI, lines for a shell
//     nccl     allreduce,0,65535,tree,ll,-1,2,16,-1,-1: a file for NCCL's example of a tuner plug-in
//     pgmpi    a profile (.prf) of PGMPITuneLib, which replaces calls of any MPI by other calls that do the same
//
// A reader takes a file as the library takes it, and reports traps, as rules.h does for Open MPI and MPICH. Sources:
// Intel MPI Library Developer Reference, I_MPI_ADJUST family; NVIDIA/nccl, ext-tuner/example/plugin.c;
// hunsa/pgmpitunelib, src/tuning and src/collectives.
#pragma once
#include "api/collective.h"
#include "libraries/decide/rules.h"

typedef enum { TARGET_INTEL, TARGET_NCCL, TARGET_PGMPI, N_TARGETS } TargetId;

typedef struct Target {
    TargetId id;
    const char *name, *title; // "pgmpi", "PGMPITuneLib"
    const char *format;       // "profile"
    const char *bytes;        // what a rule's size is
} Target;
extern const Target targets[N_TARGETS];

// A rule: what runs at ranks and sizes in these ranges, which are inclusive. Of the rules that fit a call, the first
// decides.
typedef struct TargetRule {
    Collective collective;
    RuleRange ranks, bytes; // RULES_NO_LIMIT ends a range without a limit
    int nodes;              // number of nodes; 0 for any
    int id;                 // of Intel's algorithms, or of NccPair; -1 of PGMPITuneLib's
    const char *runs;       // "tree/ll128", "1 Recursive doubling", "allgather_as_gather_bcast"
    const char *condition;  // what else must hold, as "16 channels"; NULL for nothing
    size_t line;
} TargetRule;

typedef struct TargetFile {
    const Target *target;
    char *name;          // as errors call the file
    GArray *rules;       // of TargetRule, in the order of the file
    GArray *traps;       // of Trap, by line
    GStringChunk *texts; // owns the rules' texts
} TargetFile;

// Returns the target of this name; NULL if there is none.
const Target *target_find(const char *name);
// Reads a file, or standard input if `path` is "-". Returns NULL and a bad-input error only if it does not exist or is
// not text. Free with target_free.
TargetFile *target_read(const char *path, const Target *target, GError **error);
// Does the same with a text in memory, which a \0 follows.
TargetFile *target_parse(const char *text, size_t length, const char *name, const Target *target, GError **error);
void target_free(TargetFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TargetFile, target_free)
// Returns the first rule that fits a call; NULL if the library decides by itself.
const TargetRule *target_rule(const TargetFile *file, Collective collective, int nodes, int p, size_t bytes);
guint target_n_traps(const TargetFile *file); // without notes

// Return the text of a file with these rules (TargetRule) of one target, which its reader takes without a trap; the
// lines of `header` (char *) are a comment in it. A profile has rules of one collective and one number of ranks. Free
// with g_free.
char *target_text(const Target *target, const GArray *rules, const GPtrArray *header);

// ---- What the targets have ------------------------------------------------------------------------------------------

// Returns the name that Intel's reference gives an id of a collective; NULL if there is none.
const char *target_intel_name(Collective collective, int id);

// What PGMPITuneLib can run in place of a call.
typedef struct TargetMockUp {
    Collective collective;
    const char *name;      // "allgather_as_gather_bcast"
    const char *guideline; // of decisions/guidelines.csv: its right side is what runs; NULL if no guideline has this
} TargetMockUp;
extern const TargetMockUp target_mock_ups[];
extern const guint target_n_mock_ups;
// Returns the name of MPI's function, "MPI_Reduce_scatter_block". Free with g_free.
char *target_pgmpi_function(Collective collective);

// ---- For the readers ------------------------------------------------------------------------------------------------

// A text that is read line by line.
typedef struct TargetLines {
    TargetFile *file;
    char **lines; // without their ends
    size_t line;  // the current one, from 1
} TargetLines;

void target_trap(TargetFile *file, TrapKind kind, size_t line, const char *format, ...) G_GNUC_PRINTF(4, 5);
void target_add(TargetFile *file, const TargetRule *rule);
// Reads an integer from 0 to `most` of a word. What is not one is a trap, which says that the library reads `word` as
// another number.
gboolean target_number(TargetLines *at, const char *what, const char *word, size_t most, gint64 *value);
void target_intel_read(TargetLines *at);
void target_nccl_read(TargetLines *at);
void target_pgmpi_read(TargetLines *at);
void target_intel_write(GString *text, const GArray *rules);
void target_nccl_write(GString *text, const GArray *rules);
void target_pgmpi_write(GString *text, const GArray *rules);

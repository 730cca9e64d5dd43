// A rules file of an MPI library, as one version of that library reads it: which algorithm runs at each number of ranks
// and each message size, and the traps, which are the places where the file does not do what it seems to say. A library
// says nothing about any of them.
//
//     text or JSON  --rules_text, rules_json-->  rules, the first match wins  --rules_find-->  one algorithm
//
// Whatever order or keys a
// format has, its reader turns them into such ranges, so that the first rule that fits is the one that the library
// takes. A point that no rule fits runs what the library would run without the file, its fixed decision.
#pragma once
#include "libraries/decide/selection_keys.h"
#include "libraries/decide/tables.h"
#include "libraries/decide/trap.h"
#include "libraries/decide/tuned.h"

typedef struct RulesFile {
    const Library *library;
    Tables *names;        // the algorithms of the version
    char *name;           // as errors call the file
    const char *format;   // "text, version 1" ..
    const char *variable; // that names such a file, if it is not the usual one: such files are read and judged only
    gboolean ignored;     // the library ignores the file, ends or crashes; there are no rules then, and a trap says why
    GArray *rules;        // of LibraryRule, the first match wins; empty for MPICH
    Selection *selection; // of MPICH: what is in effect in place of rules (selection.h); NULL for Open MPI
    GArray *han;          // of LibraryRule: a file for HAN (rules_han.h); NULL for others
    GArray *traps;        // of Trap, by line
} RulesFile;

// Reads a file, or standard input if `path` is "-", as the library reads it. Returns NULL and a bad-input error only if
// the file does not exist or is not text; a malformed file is one with traps.
// Free with rules_free.
RulesFile *rules_read(const char *path, const Library *library, GError **error);
// Does the same with a text in memory, which a \0 follows. Traps and the error call it `name`.
RulesFile *rules_parse(const char *text, size_t length, const char *name, const Library *library, GError **error);
// Makes a file without rules, for a caller that adds them; `format` stays NULL. Free with rules_free.
RulesFile *rules_new(const char *name, const Tables *tables);
void rules_free(RulesFile *file);
// Returns FALSE and an error if the file is one that cannot be compared, or converted as tuned's files are.
gboolean rules_usual(const RulesFile *file, GError **error);
// Returns the number of the file's traps, without notes. Without `ordered`, operations of reductions all commute, and
// so TRAP_ORDER does not count.
guint rules_n_traps(const RulesFile *file, gboolean ordered);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(RulesFile, rules_free)

// Returns the rule that decides for a communicator of `ranks`, with several nodes and several ranks on one of them, and
// a size in bytes. Returns NULL if no rule decides: then the fixed decision runs, as it does for a rule with id 0.
const LibraryRule *rules_find(const RulesFile *file, int collective, int ranks, gint64 bytes);
// Returns TRUE if a rule is for ranks wherever they are.
gboolean rules_any_nodes(const LibraryRule *rule);
// Returns where they must be, as files say it: "any", "one-per-node" or "single-node".
const char *rules_nodes(const LibraryRule *rule);
// Sets where they must be. Returns FALSE if a file cannot say it.
gboolean rules_set_nodes(LibraryRule *rule, const char *nodes);

// ---- For the readers -----------------------------------------------------------------------------------------------

// Appends a trap; `format` makes one sentence without a full stop.
void rules_trap(RulesFile *file, TrapKind kind, size_t line, const char *format, ...) G_GNUC_PRINTF(4, 5);
// Brings the traps into the order of their lines.
void rules_sort_traps(RulesFile *file);
// Reads the text format of Open MPI as file->library does: appends rules and traps, and sets file->format and
// file->ignored. The text must end in a \0, which `length` does not count.
void rules_text(RulesFile *file, const char *text, size_t length);
// Does the same with JSON. Returns FALSE if the text is not JSON, so that the library reads it as text.
gboolean rules_json(RulesFile *file, const char *text, size_t length);
// Appends the traps that the rules of an Open MPI file have by what they say: dead ones, ids that do not exist, needs
// that are not met, operations that do not commute.
void rules_judge(RulesFile *file);

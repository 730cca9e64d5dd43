// The rules files of Open MPI's component HAN, which the variable coll_han_dynamic_rules_filename names. They say which
// component serves a call on a communicator, and on the parts of it that HAN makes: by collective, level, size of the
// level's communicator, and bytes. docs/FORMATS.md has the format.
#pragma once
#include "libraries/decide/rules.h"

// What a level's communicator is: the ranks of a node, one rank of each node, or all ranks.
typedef enum { HAN_INTRA_NODE, HAN_INTER_NODE, HAN_GLOBAL, HAN_LEVELS } HanLevel;
extern const char *const han_level_names[HAN_LEVELS];

// Returns TRUE if a text is such a file, and not one of coll_tuned_dynamic_rules_filename: it has words where that has
// numbers.
gboolean rules_han_is(const char *text);
// Reads it as file->library does: sets file->han, file->format and file->ignored, and appends traps.
void rules_han(RulesFile *file, const char *text, size_t length);
// Returns the rule that serves a call on a communicator of a level; NULL if the variables say who does.
const LibraryRule *rules_han_find(const RulesFile *file, int collective, HanLevel level, gint64 ranks, gint64 bytes);
// Returns TRUE if HAN runs this algorithm for some call of a collective: a rule for whole communicators names it or
// leaves it as the default one, or it is the default one, and the file has no such rules of the collective.
gboolean rules_han_runs(const RulesFile *file, int collective, const char *algorithm);
// Returns what rules can say of a collective, or NULL if the version takes no rules of it.
const HanFile *rules_han_served(const Tables *names, int collective);
// Does the same for a collective here.
const HanFile *rules_han_of(const Tables *names, Collective collective);
// Returns TRUE if the words of a list (HanFile) have this one.
gboolean rules_han_lists(const char *list, const char *word);
// Returns the algorithm that HAN runs by default; "" if it is not known.
const char *rules_han_usual(const Library *library, const HanFile *served);
// Returns the algorithm of a collective that a word behind @ means, a name or a number; "" for the default one, NULL if
// there is none. The text is static.
const char *rules_han_algorithm(const HanFile *served, const char *word);
// Returns the component that a version of HAN knows by this name; NULL if there is none. The text is static.
const char *rules_han_component(const Library *library, const char *name);
// Returns the level with this name, or -1.
int rules_han_level(const char *name);

// Returns rules (LibraryRule) as a file that all versions read. No two of them may serve the same call. Free with
// g_free.
char *rules_han_text(const GArray *rules);
// Returns a file for another version with which it does the same, or NULL and an error of FILE:LINE if it cannot. Free
// with g_free.
char *rules_han_convert(const RulesFile *file, const Library *target, GError **error);

// Appends the traps that the rules of a file for tuned have with a file for HAN: those that never act on all ranks of
// several nodes. Some of these act in what HAN calls within nodes, or between them.
void rules_pair_judge(RulesFile *file, const RulesFile *han);
// Notes that HAN decides first, if the file has rules of what it serves.
void rules_pair_note(RulesFile *file);

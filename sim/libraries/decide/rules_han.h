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

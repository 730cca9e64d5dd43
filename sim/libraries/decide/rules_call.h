// What a call runs when a rules file is loaded: what a rule names, its fallback, or the fixed decision.
#pragma once
#include "libraries/decide/decide.h"
#include "libraries/decide/rules.h"

// Decides a call for which a rule names no algorithm: it hands the call to tuned's own decision, to HAN with an
// algorithm, or to a composition of MPICH. Free with decision_free.
Decision *rules_serve(Tables *tables, const DecideCall *call, const LibraryRule *rule);
// Decides a call as a library does that has loaded the file, a RulesFile *; `tables` are those of the version. A call
// without nodes is taken for one on several nodes with several ranks on one of them. A call that returns an error, or
// ends the program, is a decision without an entry. It is a DecidePart. Free with decision_free.
Decision *rules_decision(Tables *tables, const DecideCall *call, gconstpointer file);
// Decides a call by the library's own tables, and what its algorithm calls by the file, as rules_decision does. NULL
// stands for a file without rules. It is a DecidePart. Free with decision_free.
Decision *rules_parts_decision(Tables *tables, const DecideCall *call, gconstpointer file);
// Two files that are loaded together, one for what decides first, HAN or the compositions of MPICH's ch4, and one for
// the algorithms that serve what this leaves to them. Neither is owned.
typedef struct RulesPair {
    const RulesFile *algorithms, *first;
} RulesPair;
// Decides a call by a RulesPair *. It is a DecidePart.
Decision *rules_pair_decision(Tables *tables, const DecideCall *call, gconstpointer pair);
// Returns what the call runs, in the words of any library: "2 bruck", "MPIR_Bcast_intra_binomial", "an error", "the
// program ends: ..". Sets *line to the line that decides; 0 if none does. Free with g_free.
char *rules_runs(const RulesFile *file, Tables *tables, const DecideCall *call, size_t *line);
// Returns the size that Open MPI or UCC takes for the call when it searches the file.
gint64 rules_size(const Library *library, const DecideCall *call);
// Does the same for a tree of MPICH too.
gint64 rules_counted(const RulesFile *file, const DecideCall *call);

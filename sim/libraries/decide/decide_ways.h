// What the files of decide.h share: how entries are found and parts decided; and the ways of the libraries, which are
// in decide_tuned.c and decide_tree.c. decide_call.c chooses among these, and rules_call.c asks a rules file in their
// place.
#pragma once
#include "libraries/decide/decide.h"

// Returns an empty decision on a call. Free with decision_free.
Decision *decide_new(const Tables *tables, const DecideCall *call);
// Adds a remark about what is not known, unless the decision has it.
void decide_missing(Decision *d, const char *format, ...) G_GNUC_PRINTF(2, 3);
// Returns the bytes of all blocks together, or of the vector.
size_t decide_total(const DecideCall *call);
// Returns TRUE if all blocks have one length, as far as a library asks.
gboolean decide_regular(const DecideCall *call);
// Returns the need of an algorithm that is not met, or NULL.
const char *decide_unmet(const LibraryAlgorithm *algorithm, const DecideCall *call, size_t segment);

// Returns a call with this many bytes as Open MPI's rules see it. A call whose nodes are unknown counts as one on
// several nodes with several ranks on one of them.
RuleCall decide_tuned_call(const DecideCall *call, gint64 bytes);

// ---- Entries --------------------------------------------------------------------------------------------------------

// Returns the entry with the alias PREFIX:NAME, and sets *par to the parameters that go with this name.
const CollAlgorithm *decide_alias(Collective collective, const char *prefix, const char *name, CollParams *par);
// Returns TRUE if the entry itself runs, and not its fallback; *why then is NULL.
gboolean decide_runs(const CollAlgorithm *entry, const CollParams *par, const DecideCall *call, const char **why);
// Sets a parameter of the entry. Returns FALSE if the entry lacks it or does not allow the value.
gboolean decide_set(Decision *d, const char *name, int64_t value);
// Keeps the entry of a decision if it can run on this call, and says why if it cannot.
void decide_check(Decision *d, const DecideCall *call);

// ---- Parts ----------------------------------------------------------------------------------------------------------

// Returns the call of a part: the same data, as another collective means its size.
DecideCall decide_part_call(const DecideCall *call, Collective of, int p, DecideGroup group);
// Takes the decision on a part into the entry's parameters and into d->parts. `decided` may be NULL.
void decide_take_part(Decision *d, const CollParam *param, Decision *decided);
// Decides a part that runs within each node; nodes of different sizes must agree. A node of one rank does nothing.
void decide_within(Tables *tables, Decision *d, const CollParam *param, const DecideCall *call);
// Returns parameter i of the entry if it is a part, otherwise NULL.
const CollParam *decide_part_param(const CollAlgorithm *entry, int i);

// ---- The ways of the libraries --------------------------------------------------------------------------------------

// Runs an id, or the fallback that is left where needs are not met, with the parameters that d has.
void decide_run_tuned(Tables *tables, const DecideCall *call, Decision *d, int id);
// Decides by the table of the component tuned.
void decide_tuned(Tables *tables, const DecideCall *call, Decision *d);
// Decides by HAN. Returns FALSE if HAN leaves the call to tuned.
gboolean decide_han(Tables *tables, const DecideCall *call, Decision *d);

// Runs an algorithm of MPICH, or another one that the library calls d->name if `algorithm` is NULL. `params` is what a
// leaf of a tree passes to it.
void decide_run_tree(Tables *tables, const DecideCall *call, Decision *d, const LibraryAlgorithm *algorithm,
                     const char *params);
// Decides by MPICH's tree, or by the one in its place.
void decide_tree(Tables *tables, const DecideCall *call, Decision *d);
// Decides by the compositions of ch4. Returns FALSE if the tree decides for all ranks.
gboolean decide_composition(Tables *tables, const DecideCall *call, Decision *d);

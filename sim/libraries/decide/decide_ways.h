// What decides first on several nodes, Open MPI's HAN or the device ch4 of MPICH, can serve a call in several ways:
// with each of HAN's algorithms, or by each of ch4's compositions. A user can tell the library which one, and which of
// its algorithms run as some of the parts.
#pragma once
#include "libraries/decide/decide.h"

// A way, as a LibraryRule has it: ("han", "simple"), ("MPIDI_Bcast_intra_composition_beta", ""). The texts are
// interned.
typedef struct DecideWay {
    const char *runs, *params;
} DecideWay;

// Returns the ways (DecideWay) that a user can choose from for a collective: HAN's default one, with "" for its name,
// and then its others; or ch4's compositions, among them one that leaves calls to the tree of algorithms. Empty if
// nothing decides first. Free with g_array_unref.
GArray *decide_ways(const Tables *tables, Collective collective, const DecideHan *han);
// Returns what a call runs in a way. Returns NULL if it runs in no way: HAN does not serve it, or ch4 leaves it to the
// tree of algorithms, on all ranks or within its one node; or if no entry is known. Free with decision_free.
Decision *decide_way(Tables *tables, const DecideCall *call, const DecideWay *way);
// Returns the name of the way in which an entry runs with these parameters: "intra" or "simple" of HAN, "alpha" of ch4.
// Returns NULL if it is none of these. The text is static.
const char *decide_way_name(const Tables *tables, const CollAlgorithm *entry, const CollParams *par);
// Does the same as decide_setting for any entry that a user can make the library run, with its parts, at a call of m
// bytes (-m). Returns NULL if no setting does it: where two parts of one collective differ, of a composition of ch4,
// and of parts of MPICH.
char *decide_whole_setting(const Tables *tables, const CollAlgorithm *entry, const CollParams *par, size_t m,
                           gboolean before);
// Returns why decide_whole_setting() returns NULL, or NULL if it does not. Free with g_free.
char *decide_no_setting(const Tables *tables, const CollAlgorithm *entry, const CollParams *par, size_t m);

// Returns what a part of an entry is called for at a call: with the most ranks that run it. The result has no nodes.
DecideCall decide_call_of_part(const DecideCall *call, const CollAlgorithm *entry, const CollParam *param);
// Returns the algorithms (const CollAlgorithm *, variants too) that a user can tell the library to run as the part
// `param` of an entry, which has these parameters, at a call that meets their needs. `any_operation` leaves out those
// whose results are wrong, without an error, for operations that do not commute. An algorithm with parts of its own, as
// Open MPI's allreduce 2, has parts that can be told too. Between the nodes, HAN's algorithms with segments run what
// variables of libnbc say; but the broadcast's part there can only be told if the message is one segment, and otherwise
// the result is empty. Free with g_array_unref.
GArray *decide_parts_told(const Tables *tables, const DecideCall *call, const CollAlgorithm *entry,
                          const CollParams *par, const CollParam *param, gboolean any_operation);
// Returns the parts of one of HAN's algorithms that are neither in the data nor can be told at a call of m bytes (-m),
// as they are here: "up=binomial". Returns NULL if there are none. Free with g_free.
char *decide_unknown_parts(const Tables *tables, const CollAlgorithm *entry, const CollParams *par, size_t m);
// HAN leaves to libnbc what it runs between the nodes by nonblocking calls, at a call of m bytes (-m). Sets each such
// part to the algorithm of the same name that libnbc can be told, if there is one. The part of the broadcast stays,
// because libnbc runs only some of its segments.
void decide_tell_between(const Tables *tables, const CollAlgorithm *entry, CollParams *par, size_t m);
// Returns TRUE if the entry with these parameters is one of HAN's algorithms that cuts messages into segments, of a
// length that a variable sets.
gboolean decide_tells_segment(const Tables *tables, const CollAlgorithm *entry, const CollParams *par);
// Returns TRUE if a user can tell the library to run an entry with these parameters, at a call of m bytes (-m), in
// place of others, with which the library can run it: what differs is a part that can be told, with parameters that
// can, or the length of HAN's segments.
gboolean decide_tells(const Tables *tables, const CollAlgorithm *entry, const CollParams *par, size_t m,
                      const CollParams *others);

// What a schedule of reads, writes, reductions and flags in shared memory takes. A run in shared memory has neither
// ports nor messages. A rank's operations follow each other, and an await ends at the rank's own clock or `flag` after
// the flag was raised, whichever is later. For n bytes, writing a slot takes n write, reducing n gamma, and reading n
// read, or n read readers / lanes if more than `lanes` ranks read the slot.
//
// A certificate counts these terms along the chain that determined the end, as integers; a crowded read counts as n
// readers bytes of read / lanes. If times are equal, apart from rounding, a rank's own program order counts: an await
// is part of the chain only if it ends strictly later than the rank's clock.
#pragma once
#include "engine/replay/result.h"
#include "engine/replay/shared_costs.h"

// The counts of a chain, by SharedTerm: bytes written; bytes read; bytes of crowded reads, each times its readers;
// flags awaited; cache lines fetched; readers that delay a reader; flags raised; bytes written where a slot is used
// again; bytes copied within a rank's memory; bytes read from another socket's memory; single
// copies; bytes written where a slot is used for the first time; reductions; bytes of all copies, if the memory limits
// them; bytes reduced.
typedef struct SharedCertificate {
    int64_t n[SHARED_TERMS];
} SharedCertificate;

// Returns a site without messages. `map`, which must outlive it, says which ranks share a socket, its innermost level;
// NULL if all do. `names` are those of its levels. Free with site_free.
Site *shared_site(const SharedCosts *costs, const Mapping *map, const char *const *names);
// Returns the bytes that the memory of a node reads and writes for all its ranks, of the node where these are the most.
// Without messages all ranks are on one node.
uint64_t shared_most_bytes(const Schedule *s, const Site *site);
// Returns how long a memory needs for so many bytes, in s; 0 if any number of ranks copy at full speed.
double shared_streams_time(uint64_t bytes, const SharedCosts *costs);
// If the memory needs longer for so many bytes than the chain takes, sets the certificate to that: the bytes, as
// SHARED_STREAMS. Returns whether it does.
bool shared_limit(SharedCertificate *c, uint64_t bytes, const SharedCosts *costs);
// Returns what is in the certificate of a replay at such a site.
SharedCertificate shared_certificate(const Replay *r, const Site *site);
// Returns the certificate's value in s.
double shared_time(const SharedCertificate *c, const SharedCosts *costs);
// Replays a schedule that has no messages (engine/replay/replay.h), and sets *c to its certificate.
Replay *shared_replay(const Schedule *s, const SharedCosts *costs, const ReplayOptions *options, SharedCertificate *c,
                      GError **error);

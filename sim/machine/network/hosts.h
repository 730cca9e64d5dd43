// The file of a topology's hosts: which number, or which group, each name has.
//
//     # names, and the number of the first one; of a topology with kind groups, the group of all of them
//     lrdn[0001-0180]  0
//     lrdn[0181-0360]  1
#pragma once
#include "machine/network/network.h"

typedef struct Hosts Hosts;

// Reads the file of a topology that names one. Returns NULL and a bad-input error if it cannot be read. Free with
// hosts_free.
Hosts *hosts_read(const Topology *topology, GError **error);
// Does the same from `length` bytes of text, which errors call `name`.
Hosts *hosts_parse(const Topology *topology, const char *name, const char *text, size_t length, GError **error);
void hosts_free(Hosts *hosts); // NULL is allowed
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Hosts, hosts_free)

// Returns the number of the host with this name, or -1 if there is none.
int hosts_find(const Hosts *hosts, const char *name);
// Returns the file's name, for errors.
const char *hosts_name(const Hosts *hosts);

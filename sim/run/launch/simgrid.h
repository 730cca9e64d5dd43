// Makes SimGrid's SMPI charge what the model hockney charges: writes the platform's XML, the hostfile and the options
// of smpirun that switch off SMPI's own models of networks. Measured against SimGrid 3.32.
//
// A message of n bytes takes alpha + n beta between two nearest hosts, to the last digits of a double. On a longer path
// each further link adds its latency, (alpha - 16 beta) / (links between two nearest hosts). Two messages that a rank
// sends, or receives, at the same time share its port, whereas in collsim's simulation they queue; nothing else differs
// on a flat network. Reductions are free unless the program charges them (smpi_execute_benched).
//
// Where messages share links with rates, SMPI has the same links and routes, one way each. A message pays for them at the
// same time as for its ports, which are links of their own, and all that is under way on a link share it evenly,
// whatever their rounds.
//
// With a map, a node is a host. Its ranks send to each other through the loopback, and to others through the host's
// link, which is their NIC. The link has the bandwidth `nic.rate`, or that of all their ports without NICs, and each
// message on it is limited to the bandwidth of a port, 1 / beta. So messages of one rank at the same time do not share
// a port, unless there is a topology. Ranks that wait for a NIC take turns in collsim and share it in SMPI. If K equal
// messages of n bytes start together, the last one ends at alpha + n beta + (K - 1) n / rate in collsim, and at alpha +
// n max(beta, K / rate) in SMPI. If the NIC is as fast as a port, these are the same, and SMPI's 16 bytes make the last
// end later by 16 (K - 1) beta.
#pragma once
#include "run/launch/simgrid_machine.h"

// Returns the platform's XML; free with g_free. Returns NULL and an error if the platform lacks alpha or beta, if its
// topology has too few hosts, if SMPI cannot express its levels or what the ranks of a node share, or if alpha is less
// than 16 beta, because SMPI adds 16 bytes to every message. Under eager, alpha may be less, but the topology must be
// flat, and messages inside a node must cost what all others cost.
char *simgrid_xml(const SimgridMachine *m, GError **error);
// Returns a line about how the machine that simgrid_xml writes differs from the model; NULL if there is nothing to say.
// Free with g_free.
char *simgrid_note(const SimgridMachine *m);
// Returns the hostfile, which has the host of rank i in line i; free with g_free.
char *simgrid_hostfile(const SimgridMachine *m);
// Returns the words of the smpirun command, NULL-terminated; free with g_strfreev. The two files must hold the texts
// above. `program` is the program and its arguments, NULL-terminated, which may begin with further options of smpirun.
char **simgrid_command(const SimgridMachine *m, const char *xml_file, const char *hostfile, const char *const *program);

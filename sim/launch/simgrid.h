// Makes SimGrid's SMPI charge what the model hockney charges: writes the platform's XML, the hostfile and the options
// of smpirun that switch off SMPI's own models of networks. Measured against SimGrid 3.32.
//
// A message of n bytes takes alpha + n beta between two nearest hosts, to the last digits of a double. On a longer path
// each further link adds its latency, (alpha - 16 beta) / (links between two nearest hosts). Two messages that a rank
// sends, or receives, at the same time share its port, whereas in collsim's simulation they queue; nothing else differs
// on a flat network. Reductions are free unless the program charges them (smpi_execute_benched).
#pragma once
#include "api/nodes.h"
#include "platform/platform.h"

// When a message leaves, by the values of --transfer. The first two reproduce the model's disciplines exactly.
//   rendezvous    when both sides are ready; the sender is busy until the message has arrived
//   eager         at once; the sender is busy for alpha + n beta, and the receiver takes the message when it is ready.
//                 Ports are not shared: alpha + n beta is overhead of the sender, and the network takes no time
//   eager-shared  at once, as SMPI does by default; the sender is free at once, and the messages that it sends
//                 meanwhile share its port
typedef enum { SIMGRID_RENDEZVOUS, SIMGRID_EAGER, SIMGRID_EAGER_SHARED, N_SIMGRID_TRANSFERS } SimgridTransfer;
extern const char *const simgrid_transfers[N_SIMGRID_TRANSFERS + 1]; // NULL-terminated

typedef struct SimgridMachine {
    const Platform *platform; // alpha, beta, topology
    SimgridTransfer transfer;
    int p; // ranks, >= 1
    // How many consecutive ranks share a host and its ports; 0 counts as 1. Messages between them cost the same as
    // others.
    int per_node;
    const CollNodes *nodes; // the hosts of the ranks, if they are not consecutive; NULL if per_node says it
} SimgridMachine;

// Returns the platform's XML; free with g_free. Returns NULL and an error if the platform lacks alpha or beta, if its
// topology has too few hosts, or if alpha is less than 16 beta, because SMPI adds 16 bytes to every message. Under
// eager, alpha may be less, but the topology must be flat.
char *simgrid_xml(const SimgridMachine *m, GError **error);
// Returns the hostfile, which has the host of rank i in line i; free with g_free.
char *simgrid_hostfile(const SimgridMachine *m);
// Returns the words of the smpirun command, NULL-terminated; free with g_strfreev. The two files must hold the texts
// above. `program` is the program and its arguments, NULL-terminated, which may begin with further options of smpirun.
char **simgrid_command(const SimgridMachine *m, const char *xml_file, const char *hostfile, const char *const *program);

// SimGrid's SMPI as a machine that charges what the model hockney does: the platform's XML, the hostfile, and the
// options of smpirun, without which its own models of networks take part. Measured against SimGrid 3.32.
//
// A message of n bytes takes alpha + n beta between two hosts that are nearest to each other, to the last digits of a
// double; each further link takes its latency again, (alpha - 16 beta) / (links between the nearest). Two messages of a
// rank on their way in one direction share its port, where the engine here lets them queue: nothing else differs on a
// flat network. Reductions are free unless the program charges them (smpi_execute_benched).
#pragma once
#include "platform/platform.h"

// When a message leaves, in the words of --transfer; both are exact.
//   rendezvous    when both sides are ready; the sender is busy until it has arrived
//   eager         at once; the sender is busy for alpha + n beta, the receiver takes it when it is ready. Ports are not
//                 shared here: all of alpha and beta is time of the sender, the network none
//   eager-shared  at once; the sender is free at once, and what it sends meanwhile shares its port: SMPI's own
typedef enum { SIMGRID_RENDEZVOUS, SIMGRID_EAGER, SIMGRID_EAGER_SHARED, N_SIMGRID_TRANSFERS } SimgridTransfer;
extern const char *const simgrid_transfers[N_SIMGRID_TRANSFERS + 1]; // their names, ends with NULL

typedef struct SimgridMachine {
    const Platform *platform; // alpha, beta, topology
    SimgridTransfer transfer;
    int p;        // ranks, >= 1
    int per_node; // ranks of a host, consecutive ones; 0 as 1. They share its ports; a message among them costs the same
} SimgridMachine;

// The XML; free with g_free. NULL and an error where the platform lacks alpha or beta, its topology has fewer hosts than
// are needed, or alpha is less than 16 beta: SMPI adds 16 bytes to every message. eager is without that limit, and needs
// a flat topology.
char *simgrid_xml(const SimgridMachine *m, GError **error);
// The hostfile, the host of rank i in line i; free with g_free.
char *simgrid_hostfile(const SimgridMachine *m);
// smpirun and all that it is to be called with, up to the program and its arguments, which ends with NULL; free with
// g_strfreev. Files that hold the two texts above.
char **simgrid_command(const SimgridMachine *m, const char *xml_file, const char *hostfile, const char *const *program);

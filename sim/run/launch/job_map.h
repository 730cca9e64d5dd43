// Nodes as a word of a job's line:
//
//     block:4      runs of 4 consecutive ranks; the last one may be shorter
//     cyclic:4     N = ceil(p / 4) nodes, rank r on node r mod N
//     0,1*2,0      the node of each rank in turn; 1*2 stands for two ranks on node 1
//
// Behind it come, in the same way, the units of the levels inside the nodes, each after `<`, and of those outside them,
// each after `>`: block:4<block:2>block:16 is nodes of two sockets, in groups of four nodes.
#pragma once
#include "api/nodes.h"

// Returns the shortest of these texts; free with g_free.
char *job_map_text(const CollNodes *nodes);
// Returns the nodes of p ranks. Returns NULL if the text has another form, or is a list that does not name p nodes or
// leaves a node empty. Callers in one process that ask for the same get the same nodes as long as one of them has them:
// under SMPI all ranks are one process, and with nodes for each, p ranks would need memory for p^2. Free with
// job_map_free.
const CollNodes *job_map_parse(const char *text, int p);
void job_map_free(const CollNodes *nodes); // NULL is allowed

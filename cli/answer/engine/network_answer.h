// The answer of `network`: the links of a network, its halves, distances and pairings, and a picture of the machine.
#pragma once
#include "ask/ask_network.h"
#include "figure/canvas.h"
#include "out/answer.h"

typedef struct NetworkAnswer {
    const Platform *platform; // NULL if --topology gives the network
    const NetworkSpec *asked;
    const Network *network;
    const int *host; // by node: the host on which it is placed; NULL if no job is asked about
    int nodes, pairings;
} NetworkAnswer;

void network_report(const Answer *answer, const NetworkAnswer *x);
// Returns the picture. Free with canvas_free.
Canvas *network_canvas(const NetworkAnswer *x, const PictureAsk *ask);

// ---- What the table and the picture share ---------------------------------------------------------------------------

// Returns "LUMI-G: groups 128;24, spread routing, 3072 hosts". Free with g_free.
char *network_title(const NetworkAnswer *x);
// Returns, by part of the network, how many nodes of the job it has. Free with g_free.
int *network_used(const NetworkAnswer *x);
// Returns "128 nodes in 7 of 24 groups, fragment:7:1", or NULL without a job. Free with g_free.
char *network_job(const NetworkAnswer *x);

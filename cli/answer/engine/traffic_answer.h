// The answer of `traffic`: what the links of a network carry while algorithms run, as tables, CSV, JSON and pictures.
#pragma once
#include "ask/ask_network.h"
#include "engine/network/loads.h"
#include "figure/canvas.h"
#include "out/answer.h"
#include "search/search/points.h"

// One algorithm with the placement of one seed.
typedef struct TrafficRun {
    const Point *point;
    uint32_t seed;
    const Network *network;
    Loads *loads; // NULL if it could not run, or was too large
} TrafficRun;

typedef struct TrafficAnswer {
    const Request *request;
    const NetworkSpec *asked;
    const GPtrArray *runs; // of TrafficRun, by algorithm and seed
    guint seeds;           // how many runs an algorithm has
    int by;                // the class by which algorithms are ranked
    bool rounds;           // show the loads round by round
} TrafficAnswer;

void traffic_report(const Answer *answer, const TrafficAnswer *x);
// Returns the picture of the first run: its loads by round if these are shown, and otherwise how much the parts of the
// network send to each other. Free with canvas_free.
Canvas *traffic_canvas(const TrafficAnswer *x, const PictureAsk *ask);

// ---- What tables and pictures share ---------------------------------------------------------------------------------

// Returns a load in bytes.
static inline double traffic_bytes(const TrafficRun *run, uint64_t load)
{
    return (double)load / run->network->whole;
}
// Returns it as people read it: "64K", "1.5M", "0.333". Free with g_free.
char *traffic_size_text(double bytes);
// Returns a share as people read it: "0 %", "0.0123 %" or "99.9 %". Only nothing is 0 %, and only all is 100 %. Free
// with g_free.
char *traffic_share_text(double share);
// Returns "allreduce ring, 64K bytes on 64 ranks". Free with g_free.
char *traffic_name(const TrafficAnswer *x, const TrafficRun *run);
// Returns "torus 4,4, minimal routing; nodes in order". Free with g_free.
char *traffic_place(const TrafficAnswer *x);
// Returns what the parts of a network are called: "group", "subtree", "plane".
const char *traffic_part(const Network *network);

// Every column that an answer can have: `collsim list --columns` prints the list, and docs/FORMATS.md has it as a
// table. Those of one or a few commands are in columns_advice.c and columns_commands.c. A meaning says when the column
// is empty, if that can happen within one answer.
#include "out/columns.h"
#include "engine/model/model_columns.h"
#include <stdbool.h>
#include <string.h>

static const SheetColumn run_columns[] = {
    // What ran.
    {"collective", SHEET_TEXT, "collective",
     "the collective, as `collsim list` names it, or the probe of measure; empty for a claim about none"},
    {"algorithm", SHEET_TEXT, "algorithm",
     "the algorithm, as `collsim list` names it, or the library's name that was asked for if it sets parameters; in "
     "bound, the fastest one; empty if there is none"},
    {"params", SHEET_TEXT, "parameters",
     "the algorithm's parameters as NAME=VALUE, joined by ;; in crossover and audit, only those that were given"},
    {"ranks", SHEET_COUNT, "ranks", "number of ranks, p"},
    {"bytes", SHEET_BYTES, "bytes",
     "message size m as -m takes it: the whole vector in some collectives, the block of one rank in others"},
    {"root", SHEET_COUNT, "root", "the root's rank; 0 if the collective has no root"},
    {"element", SHEET_BYTES, "element", "size of an element, as --element gives it"},
    {"time_is", SHEET_TEXT, "time is", "whether time_s was measured or predicted"},
    {"commutative", SHEET_FLAG, "commutative", "0 with --non-commutative: the operation must not be reordered"},
    {"ran", SHEET_TEXT, "ran",
     "the fallback that ran in place of `algorithm`, with the need that was not met; empty if `algorithm` itself ran"},
    {"parts_ran", SHEET_TEXT, "parts ran",
     "the parts of a composition whose fallbacks ran, each with the need that was not met, as reduce: linear (count < "
     "p); empty if all parts ran themselves"},
    {"decided", SHEET_TEXT, "runs",
     "what the library runs for LIB:auto, or under a rules file, in its own words: the id chosen, the one that runs, "
     "and its parts"},
    {"entry", SHEET_TEXT, "entry",
     "the algorithm that was simulated for LIB:auto; `params` are its parameters. In validate, that of any row"},
    {"not_in_data", SHEET_TEXT, "not in the data",
     "what is not known about a library's decision, and what was simulated instead; empty if all is known"},
    {NULL},
};

static const SheetColumn machine_columns[] = {
    // Blocks and ranks.
    {"counts", SHEET_TEXT, "counts",
     "how block lengths vary, as --counts takes it; empty if the collective's blocks always have one length"},
    {"displs", SHEET_TEXT, "displs",
     "where the blocks lie, as --displs takes it; empty if the collective's blocks always have one length"},
    {"per_node", SHEET_COUNT, "per node",
     "ranks per node, as --per-node, --map or -p NxK gives it; empty if nothing does"},
    {"nodes", SHEET_COUNT, "nodes", "number of nodes that a map puts the ranks on; empty without a map"},
    {"map", SHEET_TEXT, "map",
     "where the ranks are, as --map takes it: block:K, cyclic:K or a file; empty without a map"},
    // The machine.
    {"platform", SHEET_TEXT, "platform", "name of the platform, or of the host on which the times were measured"},
    {"model", SHEET_TEXT, "model", "the cost model; in measure, measured"},
    {"transfer", SHEET_TEXT, "transfer",
     "the transfer discipline of hockney: rendezvous, eager or eager-port; empty for other models"},
    {"sets", SHEET_TEXT, "set", "every --set as KEY=VALUE, joined by ;; empty if none is given"},
    {NULL},
};

static const SheetColumn time_columns[] = {
    // Time and cost.
    {"time_s", SHEET_SECONDS, "time",
     "predicted time until the last rank ends, or median_s; empty if nothing ran or the run does not end"},
    {"ranking", SHEET_COUNT, "ranking",
     "place by time among the rows with the same ranks, bytes and root, 1 for the fastest; empty if not ranked, or if "
     "best was asked for an algorithm that is not among the fastest"},
    {"x_best", SHEET_RATIO, "x best",
     "time_s divided by that of the fastest row with the same ranks, bytes and root; empty if not ranked"},
    {"x_bound", SHEET_RATIO, "x bound",
     "time_s divided by the lower bound of the collective; empty if no bound is known or the bound is 0"},
    {"end_min_s", SHEET_SECONDS, "first ends",
     "when the first rank ends; empty if nothing ran, or on more than 2^18 ranks"},
    {"end_mean_s", SHEET_SECONDS, "mean end",
     "the mean of the times at which the ranks end, which is what OSU prints as Avg Latency; empty as end_min_s"},
    {"end_max_s", SHEET_SECONDS, "last ends", "when the last rank ends, which is time_s; empty as end_min_s"},
    {"arrival", SHEET_TEXT, "arrival", "when ranks arrive, as --arrival has it; empty if all arrive at 0"},
    {"noise", SHEET_TEXT, "noise", "what makes messages longer, as --noise has it; empty without"},
    {"seed_runs", SHEET_COUNT, "runs", "number of runs with different seeds (--seeds, or those of --nodes)"},
    {"judged_by", SHEET_TEXT, "by", "which of these runs the row shows: median or p99; empty for one run"},
    {"shown_run", SHEET_COUNT, "run",
     "number of the run that the row shows, from 0: its seeds are those given, plus this number"},
    {"last_arrival_s", SHEET_SECONDS, "last arrival", "when the last rank arrives"},
    {"after_s", SHEET_SECONDS, "after arrival", "time_s less last_arrival_s: from the last arrival to the last end"},
    {"mean_after_s", SHEET_SECONDS, "mean after",
     "end_mean_s less last_arrival_s; below 0 if most ranks end before the last one arrives"},
    {"seeds_min_s", SHEET_SECONDS, "shortest", "the shortest time of all runs; empty for one run"},
    {"seeds_median_s", SHEET_SECONDS, "median",
     "the median time of all runs, the lower one in the middle of an even number; empty for one run"},
    {"seeds_p99_s", SHEET_SECONDS, "p99", "the shortest time that 99 % of all runs do not exceed; empty for one run"},
    {"seeds_max_s", SHEET_SECONDS, "longest", "the longest time of all runs; empty for one run"},
    {"certificate", SHEET_TEXT, "certificate",
     "what the critical path pays, as in 3 alpha + 192 beta; empty if nothing was simulated"},
    {"costs", SHEET_TEXT, "costs",
     "the seconds that each term of the certificate takes, as in alpha=3e-06;beta=2e-06; their sum is time_s"},
    {NULL},
};

static const SheetColumn path_columns[] = {
    // Messages.
    {"messages", SHEET_COUNT, "messages", "messages that all ranks send"},
    {"bytes_sent", SHEET_BYTES, "bytes sent", "bytes that all ranks send"},
    {"max_messages_sent", SHEET_COUNT, "most sent", "the most messages that one rank sends"},
    {"max_messages_received", SHEET_COUNT, "most received", "the most messages that one rank receives"},
    {"max_bytes_sent", SHEET_BYTES, "most bytes sent", "the most bytes that one rank sends"},
    {"max_bytes_received", SHEET_BYTES, "most bytes received", "the most bytes that one rank receives"},
    {"max_bytes_reduced", SHEET_BYTES, "most bytes reduced", "the most bytes that one rank reduces"},
    {"bytes_written", SHEET_BYTES, "bytes written", "bytes that all ranks write to shared memory"},
    {"bytes_read", SHEET_BYTES, "bytes read", "bytes that all ranks read from shared memory"},
    {"max_bytes_written", SHEET_BYTES, "most bytes written", "the most bytes that one rank writes to shared memory"},
    {"max_bytes_read", SHEET_BYTES, "most bytes read", "the most bytes that one rank reads from shared memory"},
    {"segment_bytes", SHEET_BYTES, "segment", "slots and flags in shared memory that the run touches"},
    // Memory.
    {"root_connections", SHEET_COUNT, "connections",
     "ranks that the root exchanges messages with; those of rank 0 if the collective has no root"},
    {"max_connections", SHEET_COUNT, "connections", "the most ranks that one rank exchanges messages with"},
    {"all_connections", SHEET_COUNT, "connections",
     "connections of all ranks together; each one counts at both of its ends"},
    {"root_scratch_bytes", SHEET_BYTES, "scratch",
     "temporary buffers of the root; those of rank 0 if the collective has no root"},
    {"max_scratch_bytes", SHEET_BYTES, "scratch", "the largest temporary buffers that one rank has"},
    {"all_scratch_bytes", SHEET_BYTES, "scratch", "temporary buffers of all ranks together"},
    {"root_copied_bytes", SHEET_BYTES, "copied",
     "bytes that the root copies, packs or unpacks; those of rank 0 if the collective has no root"},
    {"max_copied_bytes", SHEET_BYTES, "copied", "the most bytes that one rank copies, packs or unpacks"},
    {"all_copied_bytes", SHEET_BYTES, "copied", "bytes that all ranks together copy, pack or unpack"},
    // The simulation itself.
    {"wall_s", SHEET_SECONDS, "wall time",
     "how long the simulation took on this machine; with --goal also the time to read the file"},
    {"gear", SHEET_TEXT, "gear",
     "the part of the simulator that replayed the schedule: lockstep, chain, flow or event"},
    {"ranks_simulated", SHEET_COUNT, "ranks simulated",
     "number of ranks that were replayed; the other ranks do the same as one of these"},
    {"peak_rss_bytes", SHEET_BYTES, "memory",
     "the most memory that the program has held up to the time when it wrote the row"},
    {"gear_why", SHEET_TEXT, "why this gear", "why this gear was chosen; empty if the model has only one gear"},
    // The critical path.
    {"rank", SHEET_COUNT, "rank", "the rank that the row is about"},
    {"operation", SHEET_TEXT, "operation", "what the rank does in this step of the critical path: send, reduce .."},
    {"peer", SHEET_COUNT, "peer",
     "the other rank of the operation; empty if there is none, -1 if a receive accepts any rank"},
    {"level", SHEET_TEXT, "level",
     "level of the machine at which rank and peer communicate, such as node; empty without levels, and if peer is"},
    {"message_bytes", SHEET_BYTES, "message",
     "bytes of the message, or of what is reduced; with --goal, the duration of a calc in ns"},
    {"start_s", SHEET_SECONDS, "from", "when the step begins; the run begins at 0"},
    {"end_s", SHEET_SECONDS, "to", "when the step ends"},
    {"phase", SHEET_TEXT, "phase",
     "the phase of the algorithm that the step belongs to, such as reduce-scatter; empty if it names none"},
    {"link", SHEET_TEXT, "link",
     "the link whose load the message of this step waits for; the column is there if a step waits for one"},
    {"sharers", SHEET_COUNT, "sharers", "how many messages of its round this link has, with this one"},
    {"term", SHEET_TEXT, "term", "a term of the certificate, such as alpha.far"},
    {"resource", SHEET_TEXT, "resource",
     "what the term stands for: latency, bandwidth, reduction, memory, NIC, network, CPU or waiting"},
    {"term_count", SHEET_COUNT, "count", "how often the critical path pays the term"},
    {"term_s", SHEET_SECONDS, "takes", "what the term takes in all; the terms of a run add up to its time"},
    {"term_latency_s", SHEET_SECONDS, "latency",
     "the part of term_s that messages of no bytes would take as well; empty if the term is of one resource"},
    {"change", SHEET_TEXT, "change", "what is changed, as --set has it, or how many ranks a node has then"},
    {"saves_s", SHEET_SECONDS, "saves", "how much less time the changed run takes; below 0 if it takes more"},
    {"limit", SHEET_TEXT, "then limits", "the resource that takes most of the changed run's time"},
    {"limit_share", SHEET_NUMBER, "share", "which part of that time it takes"},
    {"tag", SHEET_COUNT, "tag", "the message's tag; -1 if a receive accepts any tag, empty for a calc"},
    {"round", SHEET_COUNT, "round", "the round in which the message is transferred, from 1 on"},
    {"from_rank", SHEET_COUNT, "from", "the rank that sends; in shared memory, the one whose queue is read or written"},
    {"to_rank", SHEET_COUNT, "to",
     "the rank that receives; in shared memory, the one that reads, or from_rank for a write"},
    {"from_last_rank", SHEET_COUNT, "to rank", "the last of the ranks, from from_rank on, whose sends a cell sums up"},
    {"to_last_rank", SHEET_COUNT, "to rank", "the last of the ranks, from to_rank on, whose receives a cell sums up"},
    {"cell_ranks", SHEET_COUNT, "ranks of a cell",
     "consecutive ranks on each side of a cell; the last cells may have fewer"},
    {"between_nodes", SHEET_FLAG, "between nodes",
     "1 if the two ranks are on different nodes, 0 if they share one; empty without a map"},
    // The network between nodes.
    {"topology", SHEET_TEXT, "topology", "the network between nodes: its kind and shape, as in torus 4,4"},
    {"routing", SHEET_TEXT, "routing",
     "minimal: a message takes one shortest way; spread: it takes all of them evenly"},
    {"placement", SHEET_TEXT, "placement", "on which hosts the nodes are, as --nodes takes it"},
    {"hop_count", SHEET_COUNT, "hop",
     "links that messages of the critical path pass, beyond the first of each; empty if nothing was simulated"},
    {"path_link_bytes", SHEET_NUMBER, "link bytes",
     "bytes on links, of all classes, that the critical path waits for; with spread routing perhaps no whole number"},
    {"rounds_drift", SHEET_NUMBER, "drift",
     "share of messages that begin more than half a round apart from their round; empty if ranks exchange in step"},
    {"rounds", SHEET_COUNT, "rounds",
     "rounds of the run: times at which messages begin if each takes one unit and nothing else takes any"},
    {"network_messages", SHEET_COUNT, "between nodes",
     "messages between nodes; in a row about rounds, of each of them"},
    {"network_bytes", SHEET_BYTES, "between nodes", "bytes of these messages"},
    {"last_round", SHEET_COUNT, "to round",
     "the last of consecutive rounds, from `round` on, in which loads are alike"},
    {"link_class", SHEET_TEXT, "class", "a class of links, such as host, level2, dim3, global or pair"},
    {"links", SHEET_COUNT, "links", "links of the class; each direction is a link"},
    {"link_bytes", SHEET_NUMBER, "bytes",
     "bytes on the links of the class; a message over several of them counts for each"},
    {"link_messages", SHEET_COUNT, "messages", "messages that pass a link of the class"},
    {"link_share", SHEET_NUMBER, "share",
     "bytes of these messages divided by the bytes of all messages, also those within nodes"},
    {"busiest_link", SHEET_TEXT, "busiest link",
     "the link of the class that carries most in the run; empty if none does"},
    {"busiest_link_bytes", SHEET_NUMBER, "its bytes", "bytes on that link"},
    {"busiest_x_mean", SHEET_RATIO, "x mean", "`busiest_link_bytes` divided by the mean over all links of the class"},
    {"round_link_bytes", SHEET_NUMBER, "in a round", "the most bytes on one link of the class in one round"},
    {"round_link", SHEET_TEXT, "link", "a link that carries these bytes, in the round that `round` names"},
    {"rounds_link_bytes", SHEET_NUMBER, "over rounds",
     "the sum over all rounds of the most bytes on one link of the class"},
    {"from_part", SHEET_COUNT, "from",
     "number of the part of the network that sends: a group, a subtree of the highest switches, or a plane"},
    {"to_part", SHEET_COUNT, "to", "number of the part that receives"},
    {"part_bytes", SHEET_BYTES, "bytes", "bytes from one part to the other"},
    {"part_hosts", SHEET_COUNT, "hosts", "hosts of each part of the network"},
    {"hosts", SHEET_COUNT, "hosts", "hosts of the network"},
    {"rate_s_per_byte", SHEET_NUMBER, "rate", "time of a byte on a link of the class; empty if it has no rate"},
    {"cut_links", SHEET_COUNT, "cut",
     "links in one direction between two halves of the network, cut between its parts; empty for other classes"},
    {"distance", SHEET_COUNT, "links", "links of the shortest way between two hosts"},
    {"distance_share", SHEET_NUMBER, "pairs", "share of the pairs of hosts that are so far from each other"},
    {"pairing_low", SHEET_NUMBER, "least", "least share over the pairings"},
    {"pairing_share", SHEET_NUMBER, "share",
     "effective bisection: the rate of a host's link, or of the first class that has a rate, divided by the most that "
     "some link on the way carries, mean over hosts that are paired at random; median over the pairings"},
    {"pairing_high", SHEET_NUMBER, "most", "largest share over the pairings"},
    {"pairings", SHEET_COUNT, "pairings", "number of random pairings"},
    {NULL},
};

// ---- The columns of figures and terms -------------------------------------------------------------------------------

// Returns what the column of a figure means.
static char *figure_meaning(PlatformKey key)
{
    static const char *const meanings[N_PLATFORM_KEYS] = {
        [KEY_ALPHA] =
            "start-up time of a message on the platform; in the sheet pieces, the time at 0 bytes on the piece's line",
        [KEY_BETA] =
            "transfer time of a byte on the platform, in s/B; in the sheet pieces, the slope of the piece's line",
        [KEY_L] = "latency of the platform's network",
        [KEY_G_GAP] = "gap between two messages of a NIC on the platform",
        [KEY_S] = "largest eager message on the platform; empty if every message is eager",
        [KEY_LANES] = "number of ranks that can read one fragment at full speed on the platform",
    };
    const PlatformKeyInfo *info = &platform_keys[key];
    return meanings[key] ? g_strdup(meanings[key])
                         : g_strdup_printf("%s on the platform%s", info->meaning,
                                           info->unit == PLATFORM_PER_BYTE ? ", in s/B" : "");
}

static void add_figures(GArray *all)
{
    static const SheetKind kinds[] = {[PLATFORM_TIME] = SHEET_SECONDS,
                                      [PLATFORM_PER_BYTE] = SHEET_NUMBER,
                                      [PLATFORM_SIZE] = SHEET_BYTES,
                                      [PLATFORM_NUMBER] = SHEET_NUMBER};
    for (PlatformKey key = 0; key < N_PLATFORM_KEYS; key++) {
        const SheetColumn column = {.name = model_figure_column(key), .head = platform_keys[key].name};
        if (!column.name)
            continue;
        g_array_append_val(all, column);
        SheetColumn *added = &g_array_index(all, SheetColumn, all->len - 1);
        added->kind = kinds[platform_keys[key].unit];
        added->meaning = figure_meaning(key);
    }
}

// Adds a column for each kind of term that a model counts.
static void add_counts(GArray *all)
{
    bool done[N_TERM_KINDS] = {false};
    for (int i = 0; models[i]; i++)
        for (int k = 0; k < models[i]->n_terms; k++) {
            const TermKind kind = models[i]->terms[k];
            const char *name = term_kinds[kind].name;
            if (done[kind])
                continue;
            const SheetColumn column = {
                term_column(kind), SHEET_COUNT, name,
                g_strdup_printf("how often the critical path pays %s; empty if nothing was simulated", name)};
            g_array_append_val(all, column);
            done[kind] = true;
        }
}

// Adds the columns of a list, up to the one whose name is NULL.
static void add_part(GArray *all, const SheetColumn *part)
{
    for (; part->name; part++)
        g_array_append_vals(all, part, 1);
}

const SheetColumn *sheet_columns(void)
{
    static gsize columns; // made once, and never freed
    if (g_once_init_enter(&columns)) {
        GArray *all = g_array_new(TRUE, TRUE, sizeof(SheetColumn));
        add_part(all, run_columns);
        add_part(all, columns_advice);
        add_part(all, machine_columns);
        add_figures(all);
        add_part(all, time_columns);
        add_counts(all);
        add_part(all, path_columns);
        add_part(all, columns_commands);
        g_once_init_leave(&columns, (gsize)g_array_free(all, FALSE));
    }
    return (const SheetColumn *)columns;
}

// Every column that an answer can have: `collsim list --columns` prints the list, and docs/FORMATS.md has it as a
// table. A meaning says when the column is empty, if that can happen within one answer.
#include "out/columns.h"
#include "engine/model/model.h"
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
     "and "
     "its parts"},
    {"entry", SHEET_TEXT, "entry",
     "the algorithm that was simulated for LIB:auto; `params` are its parameters. In validate, that of any row"},
    {"not_in_data", SHEET_TEXT, "not in the data",
     "what is not known about a library's decision, and what was simulated instead; empty if all is known"},
    // What a library's defaults cost.
    {"library", SHEET_TEXT, "library", "the library and its version, as LIB names it"},
    {"compared", SHEET_COUNT, "points", "number of points of the grid at which a library's default was compared"},
    {"unknown", SHEET_COUNT, "unknown",
     "number of points of the grid at which the default is not known, or too large to simulate"},
    {"x", SHEET_RATIO, "x",
     "time of a library's default divided by that of the best that the same version can be told to run"},
    {"x_mean", SHEET_RATIO, "mean x", "geometric mean of `x` over the grid"},
    {"above_1_1", SHEET_NUMBER, "x > 1.1", "share of the grid's points whose `x` is above 1.1"},
    {"above_2", SHEET_NUMBER, "x > 2", "share of the grid's points whose `x` is above 2"},
    {"cliffs", SHEET_COUNT, "cliffs", "number of pairs of neighbours whose `x` differ by a factor of 1.5 or more"},
    {"grid", SHEET_FLAG, "grid", "1 if the point belongs to the grid, 0 if only to a pair of neighbours"},
    {"default_s", SHEET_SECONDS, "default", "time of what the library runs by default"},
    {"best_s", SHEET_SECONDS, "best", "time of the best that the library can be told to run"},
    {"saves_low", SHEET_RATIO, "saves, low",
     "the measured ratio of the times, default / algorithm, is above this in 90 of 100 cases; empty unless the "
     "algorithm "
     "is predicted to be faster than the library's default"},
    {"saves_high", SHEET_RATIO, "saves, high", "the same ratio is below this in 90 of 100 cases"},
    {"sure", SHEET_NUMBER, "sure",
     "probability that the algorithm is faster than the default when both are measured; `tune` names it from 0.9 on"},
    {"all_s", SHEET_SECONDS, "best of all", "time of the best of all algorithms, whether the library has it or not"},
    {"all", SHEET_TEXT, "of all algorithms", "the best of all algorithms, with its parameters"},
    {"all_x_mean", SHEET_RATIO, "all / best", "geometric mean of `all_s` divided by `best_s` over the grid"},
    {"best", SHEET_TEXT, "best algorithm", "the best that the library can be told to run, with its parameters"},
    // What an application's calls cost.
    {"calls", SHEET_COUNT, "calls",
     "how often a rank calls this; where a profiler counts all ranks, their mean, rounded up"},
    {"total_s", SHEET_SECONDS, "all calls",
     "predicted time of these calls, with the library's defaults; without a library, with the best algorithms"},
    {"share", SHEET_NUMBER, "share", "`total_s` divided by that of all calls of the profile"},
    {"saved_s", SHEET_SECONDS, "saves",
     "the part of `total_s` that the best saves which the library can be told to run; 0 without a library"},
    {"saved_share", SHEET_NUMBER, "saves", "`saved_s` divided by `total_s`"},
    {"measured_total_s", SHEET_SECONDS, "measured",
     "time that a rank spent in these calls, as the profile has it; empty if it has none for some of them"},
    {"mpi_s", SHEET_SECONDS, "in MPI", "time that a rank spent in MPI, as the profile has it; empty if it does not"},
    {"profile", SHEET_TEXT, "profile", "the profile's format: CSV, mpiP or IPM"},
    {"command", SHEET_TEXT, "command",
     "the command that writes the rules file for these calls; empty if no rules file saves anything"},
    {"call", SHEET_TEXT, "call", "a function of MPI, as the profile names it"},
    {"measured_share", SHEET_NUMBER, "of MPI", "`measured_total_s` divided by `mpi_s`; empty if one is not known"},
    // What a tree learnt.
    {"label", SHEET_COUNT, "id", "the id of an algorithm, in the library or in the list of --choices"},
    {"label_name", SHEET_TEXT, "name", "the name of this id, in the words of the library or of the list"},
    {"given", SHEET_TEXT, "given",
     "the parameters as the list of --choices has them, also those that change nothing; NAME=VALUE joined by ;"},
    {"is_best", SHEET_FLAG, "best", "1 for the best choice of the point, whose id is the point's label"},
    {"best_at", SHEET_COUNT, "best at", "number of points at which this id is the best"},
    {"grid_points", SHEET_COUNT, "of", "number of points of the collective in the data set"},
    {"test", SHEET_TEXT, "left out",
     "what a tree was tested on: the points that were left out; `interpolated` and `extrapolated`, those of all values "
     "between the smallest and the largest, and of these two; or `nothing`, the points that it was grown from"},
    {"extrapolated", SHEET_FLAG, "beyond", "1 if the value that was left out is the smallest or the largest"},
    {"tested", SHEET_COUNT, "points", "number of points that the tree was asked about"},
    {"hits", SHEET_COUNT, "hits", "number of these points at which the tree names the best id"},
    {"tree_best", SHEET_COUNT, "as fast",
     "number of points at which what the tree chooses is as fast as the best choice"},
    {"tree_x_mean", SHEET_RATIO, "tree x",
     "geometric mean of the time of what the tree chooses divided by that of the best choice; where it cannot run, the "
     "slowest choice counts"},
    {"tree_x_worst", SHEET_RATIO, "worst", "the largest of these ratios"},
    {"single_best", SHEET_COUNT, "as fast", "`tree_best` of the best one choice for each collective"},
    {"single_x_mean", SHEET_RATIO, "single x", "`tree_x_mean` of the best one choice for each collective"},
    {"single_x_worst", SHEET_RATIO, "worst", "the largest of these ratios"},
    {"default_best", SHEET_COUNT, "as fast",
     "number of points at which the library's default is as fast as the best choice"},
    {"default_x_mean", SHEET_RATIO, "default x",
     "geometric mean of the default's time divided by that of the best choice, which may be slower; empty if "
     "no default is known"},
    {"default_x_worst", SHEET_RATIO, "worst", "the largest of these ratios"},
    {"node", SHEET_COUNT, "node", "number of a node of the tree; 0 is the root"},
    {"parent", SHEET_COUNT, "parent", "the node above; empty at the root"},
    {"branch", SHEET_TEXT, "branch",
     "the answer that leads from the parent to this node: yes or no; empty at the root"},
    {"question", SHEET_TEXT, "question", "what the node asks; empty at a leaf"},
    {"grown_from", SHEET_COUNT, "points", "number of points that arrive at the node while the tree is grown"},
    {"misfits", SHEET_COUNT, "misfits", "number of these points whose label is not the most frequent one"},
    {"other_ranks", SHEET_COUNT, "other ranks",
     "number of ranks of the neighbour: the same, one more, or on nodes one node or one rank on each node more"},
    {"other_per_node", SHEET_COUNT, "per node", "ranks per node of the neighbour; empty without nodes"},
    {"other_bytes", SHEET_BYTES, "other bytes", "message size of the neighbour: the same, or one element more"},
    {"other_x", SHEET_RATIO, "other x", "`x` of the neighbour"},
    {"other_decided", SHEET_TEXT, "other runs", "what the library runs at the neighbour"},
    {"x_ratio", SHEET_RATIO, "ratio", "the larger `x` of two neighbours divided by the smaller one"},
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
};

static const SheetColumn time_columns[] = {
    // Time and cost.
    {"time_s", SHEET_SECONDS, "time",
     "predicted time until the last rank ends, or median_s; empty if nothing ran or the run does not end"},
    {"ranking", SHEET_COUNT, "ranking",
     "place by time among the rows with the same ranks, bytes and root, 1 for the fastest; empty if not ranked, or "
     "if best was asked for an algorithm that is not among the fastest"},
    {"x_best", SHEET_RATIO, "x best",
     "time_s divided by that of the fastest row with the same ranks, bytes and root; empty if not ranked"},
    {"x_bound", SHEET_RATIO, "x bound",
     "time_s divided by the lower bound of the collective; empty if no bound is known or the bound is 0"},
    {"end_min_s", SHEET_SECONDS, "first ends",
     "when the first rank ends, if all begin at 0; empty if nothing ran, or on more than 2^18 ranks"},
    {"end_mean_s", SHEET_SECONDS, "mean end",
     "the mean of the times at which the ranks end, which is what OSU prints as Avg Latency; empty as end_min_s"},
    {"end_max_s", SHEET_SECONDS, "last ends", "when the last rank ends, which is time_s; empty as end_min_s"},
    {"certificate", SHEET_TEXT, "certificate",
     "what the critical path pays, as in 3 alpha + 192 beta; empty if nothing was simulated"},
    {"costs", SHEET_TEXT, "costs",
     "the seconds that each term of the certificate takes, as in alpha=3e-06;beta=2e-06; their sum is time_s"},
};

static const SheetColumn other_columns[] = {
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
    {"term", SHEET_TEXT, "term", "a term of the certificate, such as alpha.far"},
    {"resource", SHEET_TEXT, "resource",
     "what the term stands for: latency, bandwidth, reduction, memory, NIC, CPU or waiting"},
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
    // best
    {"segments", SHEET_COUNT, "S",
     "number of segments that each part of the message is cut into; empty if the algorithm cuts none"},
    {"best_segments", SHEET_NUMBER, "S*",
     "the number of segments that is best by the closed form, not rounded; empty if no closed form applies"},
    {"best_segment_bytes", SHEET_NUMBER, "segment*",
     "bytes of a segment if there are best_segments; empty if no closed form applies"},
    {"best_time_s", SHEET_SECONDS, "T*",
     "the time with best_segments by the closed form; empty if no closed form applies"},
    // bound
    {"ports", SHEET_COUNT, "ports", "ports of a rank in each direction, as --ports gives them"},
    {"bound_rounds", SHEET_NUMBER, "rounds", "lower bound on the number of messages that must follow each other"},
    {"bound_port_bytes", SHEET_NUMBER, "port bytes",
     "lower bound on the bytes that must pass through one port of some rank"},
    {"bound_work_bytes", SHEET_NUMBER, "work bytes", "lower bound on the bytes that some rank must reduce"},
    {"latency_s", SHEET_SECONDS, "latency", "lower bound of the time because of latency: bound_rounds times alpha"},
    {"bandwidth_s", SHEET_SECONDS, "bandwidth",
     "lower bound of the time because of bandwidth: bound_port_bytes times beta"},
    {"computation_s", SHEET_SECONDS, "computation",
     "lower bound of the time because of reductions: bound_work_bytes times gamma"},
    {"bound_s", SHEET_SECONDS, "bound",
     "the lower bound of the time: the largest of latency_s, bandwidth_s and computation_s"},
    {"equal_blocks_s", SHEET_SECONDS, "equal blocks",
     "lower bound for a bcast that sends blocks of one length one by one; empty if it does not apply"},
    {"x_alpha", SHEET_RATIO, "alpha",
     "alpha_count divided by bound_rounds; empty if either is missing or the bound is 0"},
    {"x_beta", SHEET_RATIO, "beta",
     "beta_count divided by bound_port_bytes; empty if either is missing or the bound is 0"},
    {"x_gamma", SHEET_RATIO, "gamma",
     "gamma_count divided by bound_work_bytes; empty if either is missing or the bound is 0"},
    // crossover
    {"first", SHEET_TEXT, "first", "the first of the two algorithms"},
    {"second", SHEET_TEXT, "second", "the second of the two algorithms"},
    {"runs_from_bytes", SHEET_BYTES, "from",
     "the smallest size tried at which both algorithms run as themselves; empty if there is none"},
    {"tried_to_bytes", SHEET_BYTES, "to", "the largest size tried"},
    {"before", SHEET_TEXT, "before",
     "the winner below the crossover; the only winner if there is no crossover; empty if neither wins"},
    {"last_bytes", SHEET_COUNT, "bytes",
     "the last size at which `before` still wins: it does not at the next larger one; empty if there is no crossover"},
    {"last_first_s", SHEET_SECONDS, "first", "time of `first` at last_bytes; empty if there is no crossover"},
    {"last_second_s", SHEET_SECONDS, "second", "time of `second` at last_bytes; empty if there is no crossover"},
    {"after", SHEET_TEXT, "after",
     "the winner above the crossover; the only winner if there is no crossover; empty if neither wins"},
    {"next_bytes", SHEET_COUNT, "bytes",
     "the first size from which `after` wins: it does not at the next smaller one; empty if there is no crossover"},
    {"next_first_s", SHEET_SECONDS, "first", "time of `first` at next_bytes; empty if there is no crossover"},
    {"next_second_s", SHEET_SECONDS, "second", "time of `second` at next_bytes; empty if there is no crossover"},
    {"changes", SHEET_COUNT, "changes",
     "how often the winner changes around the crossover, at the sizes tried; there may be more changes between them"},
    {"only_before_to_bytes", SHEET_BYTES, "only before",
     "the last size before the winner first changes; last_bytes if it changes only once"},
    {"before_tried", SHEET_COUNT, "sizes tried",
     "number of sizes tried from the crossover before (or runs_from_bytes) to only_before_to_bytes; `before` wins at "
     "all of "
     "them, or they tie"},
    {"after_to_bytes", SHEET_BYTES, "to",
     "the largest size up to which `after` wins, or they tie, at all sizes tried from next_bytes on (without a "
     "crossover, "
     "from runs_from_bytes)"},
    {"after_tried", SHEET_COUNT, "sizes tried", "number of these sizes"},
    {"faster", SHEET_TEXT, "faster",
     "the algorithm that wins at all sizes tried of the range, but for ties; empty if all are ties, or if changes says "
     "that the winner changes in the range"},
    {"range_from_bytes", SHEET_BYTES, "from", "the smallest size tried of the range"},
    {"range_to_bytes", SHEET_BYTES, "to", "the largest size tried of the range"},
    {"sizes_tried", SHEET_COUNT, "sizes tried", "number of sizes of the range at which both were run"},
    {"size_ties", SHEET_COUNT, "ties", "at how many of the sizes tried both take equally long"},
    {"proven_from_bytes", SHEET_BYTES, "proven from",
     "smallest size of the range from which on the winner is known at every size, tried or not; of the range after a "
     "crossover, in `rows`; empty if it is known of the sizes tried only"},
    {"proven_to_bytes", SHEET_BYTES, "to", "the largest such size"},
    {"m_star", SHEET_NUMBER, "m*",
     "the size in bytes at which the closed forms are equal, not rounded; empty if there is none"},
    {"equation", SHEET_TEXT, "closed forms are equal where",
     "the equation that m_star solves; empty if a time is not linear in m there"},
    {"first_form", SHEET_TEXT, "first", "the closed form of `first` near m_star; empty if it is not linear in m there"},
    {"second_form", SHEET_TEXT, "second",
     "the closed form of `second` near m_star; empty if it is not linear in m there"},
    {"from", SHEET_TEXT, "from",
     "where the closed forms come from: formulas, or certificates if a formula is missing; empty if there are none"},
    {"needs", SHEET_TEXT, "needs",
     "what the algorithm needs; in crossover, the need not met below runs_from_bytes, empty if all are met"},
    // check
    {"equal", SHEET_COUNT, "equal", "number of times by the formula that equal the simulated ones as integers"},
    {"different", SHEET_COUNT, "different",
     "number of times, and counts of certificates, that differ between formula and simulation"},
    {"without_formula", SHEET_COUNT, "no formula", "number of points at which the algorithm has no formula"},
    {"fallback", SHEET_COUNT, "fallback", "number of points at which a fallback runs"},
    {"not_simulated", SHEET_COUNT, "not simulated",
     "number of times that could not be simulated, for example because the schedule is too large"},
    {"without_formula_ranks", SHEET_TEXT, "without a formula",
     "the numbers of ranks at which a formula is missing, joined by commas; empty if there are none"},
    {"differences", SHEET_TEXT, "differences",
     "each difference, and each time that was not simulated, joined by ;; empty if there are none"},
    {"smpi_time_s", SHEET_SECONDS, "smpi",
     "time of the same algorithm on SMPI; empty if it was not run there or its data were wrong"},
    {"mpi_time_s", SHEET_SECONDS, "mpi",
     "median time of the same algorithm on a real MPI; empty if it was not run there or its data were wrong"},
    {"simgrid_time_s", SHEET_SECONDS, "simgrid",
     "time of SimGrid's own version of the algorithm; empty if there is none or it did not run"},
    {"closed_form_time_s", SHEET_SECONDS, "closed form",
     "time by the model's closed form; empty if there is none at this point"},
    {"smpi_form_time_s", SHEET_SECONDS, "smpi form",
     "time by the closed form of messages that share ports, as on SMPI; empty if it does not apply"},
    {"difference", SHEET_NUMBER, "sim - smpi", "time_s / smpi_time_s - 1; empty if one of the two is missing"},
    {"class", SHEET_TEXT, "class",
     "how time_s and smpi_time_s compare: equal, port sharing, unmodelled or different; empty if one is missing"},
    {"why", SHEET_TEXT, "why", "why time_s and smpi_time_s differ; empty if they are equal or one is missing"},
    {"simgrid_name", SHEET_TEXT, "SimGrid's name",
     "SimGrid's name of the algorithm; empty if SimGrid does not have it"},
    {"simgrid_options", SHEET_TEXT, "options",
     "what smpirun is told to choose: SimGrid's algorithm, and those of the collectives that it calls and that must "
     "not "
     "be SimGrid's defaults"},
    {"simgrid_difference", SHEET_NUMBER, "sim - simgrid",
     "time_s / simgrid_time_s - 1; empty if one of the two is missing"},
    {"simgrid_why", SHEET_TEXT, "why",
     "why time_s and simgrid_time_s may differ, or why simgrid_time_s is missing; empty if they are equal or must be"},
    {"step", SHEET_TEXT, "step", "a part of the proof of an algorithm: contents, mutants, symmetry, gears, or formula"},
    {"proved", SHEET_FLAG, "proved", "1 if this step of the proof found no fault"},
    {"cases", SHEET_COUNT, "cases",
     "number of points, mutants, schedules, replays or times that this step of the proof looked at"},
    {"fault", SHEET_TEXT, "fault", "the first fault that this step of the proof found; empty if there is none"},
    {"wrong", SHEET_TEXT, "wrong", "which data were wrong, and on which backend; empty if all data were right"},
    // measure
    {"repetitions", SHEET_COUNT, "times", "number of repetitions that count"},
    {"min_s", SHEET_SECONDS, "min", "minimum over the repetitions of the slowest rank's time"},
    {"median_s", SHEET_SECONDS, "median", "median over the repetitions of the slowest rank's time"},
    {"mean_s", SHEET_SECONDS, "mean", "mean over the repetitions of the slowest rank's time"},
    {"p95_s", SHEET_SECONDS, "p95", "95th percentile over the repetitions of the slowest rank's time"},
    {"max_s", SHEET_SECONDS, "max", "maximum over the repetitions of the slowest rank's time"},
    {"ranks_min_s", SHEET_SECONDS, "ranks min", "minimum over all repetitions and ranks"},
    {"ranks_mean_s", SHEET_SECONDS, "ranks mean", "mean over all repetitions and ranks"},
    {"sync", SHEET_TEXT, "sync", "how the ranks begin a repetition together: barrier or window (an agreed time)"},
    {"mpi", SHEET_TEXT, "MPI", "the MPI library, with its version"},
    {"cores", SHEET_COUNT, "cores", "cores that the program may use; empty if a launcher chooses where the ranks run"},
    {"oversubscribed", SHEET_FLAG, "shared cores",
     "1 if there were more ranks than cores, so that ranks shared cores; empty if `cores` is empty"},
    {"library_id", SHEET_TEXT, "id",
     "what the MPI library was forced to run, or runs by default (LIB:auto), by its id or name there; empty for "
     "neither"},
    {"library_id_verified", SHEET_FLAG, "verified",
     "1 if the library's messages are those of the forced algorithm, 0 if not; empty if unknown"},
    // audit
    {"id", SHEET_TEXT, "id", "name of the claim"},
    {"source", SHEET_TEXT, "source",
     "where a claim or a figure comes from, or the paper or library of an algorithm; all for the sum of all claims"},
    {"place", SHEET_TEXT, "place", "where in `source` the claim stands; empty for --claim"},
    {"quantity", SHEET_TEXT, "quantity",
     "what the claim is about, such as time or messages; experiments/claims/README.md lists the quantities"},
    {"against", SHEET_TEXT, "against",
     "the other algorithm of a crossover or a speed-up, with those of its parameters that the claim gives; else empty"},
    {"kind", SHEET_TEXT, "kind",
     "how a claim is meant: equality, upper, lower or order; for an operation of a GOAL schedule send, recv or calc"},
    {"claim", SHEET_TEXT, "claim", "the claimed formula; empty if the source gives none"},
    {"let", SHEET_TEXT, "let",
     "what the letters of the claim mean, as NAME=EXPRESSION joined by ;; empty if nothing needs a definition"},
    {"where", SHEET_TEXT, "where", "the points that the claim is about, as a condition; empty for all points"},
    {"without", SHEET_TEXT, "without",
     "costs that the claim leaves out on purpose, joined by ;; empty if there are none"},
    {"order", SHEET_TEXT, "O()", "the verdict on the claim as an order of growth; empty if `kind` is not order"},
    {"verdict", SHEET_TEXT, "verdict",
     "the verdict on the claim as an equality, or as a bound if `kind` is upper or lower"},
    {"at", SHEET_TEXT, "at",
     "the smallest counterexample, such as p=3 m=12; empty if there is none, as for a bound that holds. Of an "
     "`order`, "
     "which a single point seldom refutes, it may only be one to the equality; of `suited` it is the worst point, of "
     "`measured` the point measured"},
    {"claimed", SHEET_TEXT, "claimed",
     "the claimed value at the counterexample, or the claimed fact; empty if there is neither"},
    {"true", SHEET_TEXT, "true", "the true value at the counterexample, or the true fact; empty if there is neither"},
    {"trend", SHEET_TEXT, "trend",
     "how claimed/true changes as p grows, if this makes the claim wrong; empty otherwise"},
    {"right", SHEET_TEXT, "right",
     "the formula or the fact that holds instead; empty if the claim is exact or none was found"},
    {"points", SHEET_COUNT, "points", "number of points at which the claim was judged"},
    {"note", SHEET_TEXT, "note", "a remark for readers; empty if there is none"},
    {"claims", SHEET_COUNT, "claims", "number of claims"},
    {"exact_claims", SHEET_COUNT, "exact", "number of claims that are exact"},
    {"class_claims", SHEET_COUNT, "for a class",
     "number of claims that are exact for a class of points, such as the powers of two"},
    {"loose_claims", SHEET_COUNT, "loose", "number of claims that are nowhere below the true value, and not exact"},
    {"order_claims", SHEET_COUNT, "right order",
     "number of claims that are within a constant factor of the true value, or wrong only as an equality where the "
     "source writes O()"},
    {"wrong_claims", SHEET_COUNT, "wrong", "number of claims that are wrong"},
    {"measured_claims", SHEET_COUNT, "measured", "number of measurements that the model can give"},
    {"unexplained_claims", SHEET_COUNT, "not by model",
     "number of measurements that no cost of a message and a byte can give in the model"},
    {"part_claims", SHEET_COUNT, "in part",
     "number of recommendations that are good at some of their points, but not at all of them"},
    {"no_claims", SHEET_COUNT, "no claim",
     "number of claims that cannot be judged, because there is no formula or no point to judge it at"},
    {"orders", SHEET_COUNT, "orders", "number of claims that were also judged as an order of growth"},
    {"orders_right", SHEET_COUNT, "O() right", "number of these orders of growth that are right"},
    // calibrate
    {"figure", SHEET_TEXT, "figure", "name of a figure of the platform, as --set takes it"},
    {"value", SHEET_NUMBER, "value",
     "value of the figure in seconds, seconds per byte, bytes or a number; with --site, rates of the NICs and the "
     "memory of a "
     "node in bytes or messages per second; empty if unlimited or not found"},
    {"text", SHEET_TEXT, "value", "value of the figure as an .ini file has it; empty if it was not found"},
    {"low", SHEET_NUMBER, "low",
     "with --site, the least value that the logs bear, in the unit of `value`; empty if no log measures the figure"},
    {"high", SHEET_NUMBER, "high",
     "with --site, the largest value that the logs bear, in the unit of `value`; empty if no log measures the figure"},
    {"taken_for", SHEET_TEXT, "taken for",
     "what a log's table determines, as one@far, gap@node, nic or memory; check: it is held against a prediction; "
     "nothing; or not read"},
    {"because", SHEET_TEXT, "because", "why the table was taken for that, or the file not read"},
    {"benchmark", SHEET_TEXT, "benchmark", "title of the table, with the version of the benchmarks"},
    {"datatype", SHEET_TEXT, "datatype", "the datatype that the log names; empty if it does not"},
    {"launch", SHEET_TEXT, "launch", "the line that started the benchmark; empty if the log does not have it"},
    {"median_off", SHEET_NUMBER, "median",
     "median of predicted / measured - 1, 0.1 for 10 % too long; empty if nothing was predicted"},
    {"worst_off", SHEET_NUMBER, "worst", "predicted / measured - 1 of the size that is farthest off"},
    {"worst_off_bytes", SHEET_BYTES, "at", "that size"},
    {"rows", SHEET_COUNT, "rows",
     "number of rows that the figure was fitted to, or that are scored; empty if a figure is not the result of a fit"},
    {"rows_left_out", SHEET_COUNT, "left out",
     "number of rows that the fit left out; empty if the figure is not the result of a fit"},
    {"median_error", SHEET_NUMBER, "median",
     "median of the rows' relative errors, 0.1 for 10 %; empty if the figure is not the result of a fit, or without "
     "rows"},
    {"p90_error", SHEET_NUMBER, "p90",
     "90th percentile of the rows' relative errors; empty if the figure is not the result of a fit, or without rows"},
    {"worst_error", SHEET_NUMBER, "worst error",
     "the largest of the rows' relative errors; empty if the figure is not the result of a fit"},
    {"missing", SHEET_TEXT, "missing", "the measurements that would determine the figure; empty if it was found"},
    {"from_bytes", SHEET_BYTES, "from",
     "the smallest measured size on the piece, 0 for the first piece; pieces of netgauge's gaps count size - 1"},
    {"to_bytes", SHEET_NUMBER, "to",
     "the largest measured size on the piece; pieces of netgauge's gaps count size - 1"},
    {"jump", SHEET_NUMBER, "jump",
     "factor by which the time jumps where the piece begins, 1 for no jump; empty for the first piece"},
    {"series", SHEET_TEXT, "what", "what was measured, such as one way or bcast binomial, 4 ranks"},
    {"file", SHEET_TEXT, "file", "the file that the row stands in; empty if a rows file does not say it"},
    {"line", SHEET_COUNT, "line", "the line of the row in `file`, from 1 on; 0 if no file has it, as with --run"},
    {"measured_s", SHEET_SECONDS, "measured", "the measured time"},
    {"predicted_s", SHEET_SECONDS, "predicted", "the time that the figures predict; empty if nothing predicts the row"},
    {"pieces_s", SHEET_SECONDS, "by pieces",
     "the time that the piece of this size predicts; empty if the series has no pieces"},
    {"left_out", SHEET_FLAG, "left out", "1 if the row was left out of the fit, 0 if not"},
    // validate
    {"set", SHEET_TEXT, "set", "name of a set of measured rows"},
    {"by", SHEET_TEXT, "by", "what gathers the rows: set, collective, p, bytes, algorithm or group"},
    {"part", SHEET_TEXT, "part", "the rows of `set` that are scored: a value of `by`; empty for all of the set"},
    {"bias", SHEET_NUMBER, "bias", "median of predicted_s / measured_s - 1; empty without rows"},
    {"unpredicted", SHEET_COUNT, "no prediction", "number of rows to be scored that have no prediction"},
    {"choices", SHEET_COUNT, "choices", "number of points at which at least three algorithms were measured"},
    {"mean_loss", SHEET_NUMBER, "mean loss",
     "mean over the choices of the measured time of the algorithm predicted to be the fastest, divided by that of the "
     "fastest one, less 1; empty without choices"},
    {"median_loss", SHEET_NUMBER, "median loss", "median of the same; empty without choices"},
    {"p90_loss", SHEET_NUMBER, "p90 loss", "90th percentile of the same; empty without choices"},
    {"use", SHEET_TEXT, "use", "what the row is for: score, calibrate, twin, winner or default"},
    {"variant", SHEET_TEXT, "algorithm", "the algorithm with its parameters; empty if collsim has none"},
    {"group", SHEET_TEXT, "group", "the run or the placement that the row belongs to; empty if the set has one"},
    {"rule", SHEET_TEXT, "rule", "how what runs is chosen: argmin, gain 3%, sure 90% or perfect, as --help says"},
    {"default_points", SHEET_COUNT, "points",
     "number of points at which the library's default and at least two algorithms that do not calibrate were measured"},
    {"default_ratio", SHEET_RATIO, "of the default",
     "measured time of what the rule chooses divided by that of the default: the geometric mean"},
    {"slower", SHEET_NUMBER, "slower", "share of the points that take over 5 % more time than with the default"},
    {"worst_ratio", SHEET_RATIO, "worst", "the largest of these ratios"},
    {"rules", SHEET_COUNT, "rules", "number of rules that say what runs, without those of the default"},
    {"family", SHEET_TEXT, "family", "a family of algorithms, as [spread] of a machine names it"},
    {"log_deviation", SHEET_NUMBER, "deviation",
     "abs(ln(measured_s / predicted_s)) that 68.3 % of the rows are within, from the median of all rows on"},
    {"spread", SHEET_NUMBER, "spread",
     "the same without the noise of a measurement, 0.24, as [spread] has it: from 0.01 to 2"},
    {"assumed_spread", SHEET_NUMBER, "assumed", "the spread that tune assumes: the machine's, or the default"},
    // compare
    {"curve", SHEET_COUNT, "curve", "number of the curve in the answer, from 1 on"},
    {"sizes", SHEET_COUNT, "sizes", "number of sizes of the curve"},
    {"candidates", SHEET_COUNT, "candidates", "number of candidates that differ at some size of the curve"},
    {"candidate", SHEET_TEXT, "candidate", "a candidate: what the library calls it, or `collsim list`"},
    {"same_as", SHEET_TEXT, "same as",
     "other candidates that count as one with it, because they take the same times with the same messages at all "
     "sizes; "
     "empty if there are none"},
    {"nearest", SHEET_TEXT, "nearest", "the candidate that deviates least over all sizes"},
    {"deviation", SHEET_NUMBER, "deviation",
     "mean over the sizes of abs(ln(measured_s / predicted_s)): of a candidate, or of what fits the curve"},
    {"times_worse", SHEET_RATIO, "times worse",
     "deviation of the second candidate divided by that of what fits, the least of all pieces; of a candidate, its "
     "deviation divided by the least one; empty if there is no other, or if the least is 0"},
    {"recognised", SHEET_FLAG, "recognised",
     "1 if the algorithm that the log says ran is nearest, and not tied with another, 0 if not; empty if the log names "
     "none of the candidates"},
    {"fits", SHEET_TEXT, "fits",
     "the candidates that fit, with the sizes at which they do if there are several; empty if it cannot be told which "
     "one fits"},
    // GOAL
    {"goal", SHEET_TEXT, "schedule", "the file of the GOAL schedule"},
    {"operations", SHEET_COUNT, "operations", "number of operations in the schedule"},
    {"max_finish_ns", SHEET_DECIMAL, "ns",
     "when the last rank ends, in nanoseconds and exactly; empty if the schedule does not end"},
    {"slowest_rank", SHEET_COUNT, "slowest rank", "the rank that ends last; empty if the schedule does not end"},
    {"finish_ns", SHEET_DECIMAL, "ends at, ns", "when the rank ends, in nanoseconds and exactly"},
    // list
    {"aliases", SHEET_TEXT, "also known as", "other names that the algorithm is known by; empty if there are none"},
    {"cost", SHEET_TEXT, "cost", "the cost formula, as text"},
    {"summary", SHEET_TEXT, "summary", "what the algorithm does, in one line"},
    {"parameter", SHEET_TEXT, "parameter", "name of a parameter of the algorithm"},
    {"default", SHEET_TEXT, "default", "default value of the parameter"},
    {"ompi_41", SHEET_TEXT, "4.1",
     "the algorithm's ids in Open MPI 4.1.4; empty if it is not there, as in the columns "
     "of other libraries"},
    {"ompi_5", SHEET_TEXT, "5", "its ids in Open MPI 5.0.9"},
    {"ompi_main", SHEET_TEXT, "main", "its ids in Open MPI's main branch"},
    {"han", SHEET_TEXT, "HAN", "its names in HAN, the component of Open MPI for several nodes"},
    {"mpich", SHEET_TEXT, "MPICH", "its names in MPICH; ch4:NAME is one of the compositions over nodes of MPICH's ch4"},
    {"simgrid", SHEET_TEXT, "SimGrid", "its names in SimGrid"},
    {"ucc", SHEET_TEXT, "UCC", "its names in UCC"},
    {"libnbc", SHEET_TEXT, "libnbc", "its names in libnbc, Open MPI's component for nonblocking collectives"},
    {"intel", SHEET_TEXT, "Intel", "its ids in Intel's MPI library"},
    {"of", SHEET_TEXT, "of", "where the algorithm comes from: Open MPI, MPICH, UCC, libnbc, Intel or documents"},
    {"name", SHEET_TEXT, "name", "the algorithm's name or id there"},
    {"documents", SHEET_TEXT, "documents", "the documents that have it, by number"},
    {"reason", SHEET_TEXT, "if none, why", "why no algorithm of collsim implements it; empty if one does"},
    {"column", SHEET_TEXT, "column", "name of a column in CSV and JSON"},
    {"type", SHEET_TEXT, "type", "type of the column's values"},
    {"meaning", SHEET_TEXT, "meaning", "what a column or a parameter means"},
    // Columns without a meaning are shown in tables only.
    {"connections", SHEET_COUNT, "connections"},
    {"scratch_bytes", SHEET_BYTES, "scratch"},
    {"copied_bytes", SHEET_BYTES, "copied"},
    // Rules files of MPI libraries.
    {"rank_distribution", SHEET_TEXT, "nodes",
     "where the ranks must be for the rule to decide: any, one-per-node or single-node"},
    {"min_ranks", SHEET_COUNT, "from ranks", "the fewest ranks of a communicator for which the rule decides"},
    {"max_ranks", SHEET_COUNT, "to ranks",
     "the most ranks of a communicator for which the rule decides; empty if there is no limit"},
    {"min_bytes", SHEET_BYTES, "from bytes",
     "the least size for which the rule decides, in bytes as `counted_as` says"},
    {"max_bytes", SHEET_BYTES, "to bytes", "the largest size for which the rule decides; empty if there is no limit"},
    {"condition", SHEET_TEXT, "if",
     "what else a rule asks about the call, or the level of a rule of HAN; empty if it asks nothing"},
    {"counted_as", SHEET_TEXT, "bytes are", "what the library takes as the size of a call"},
    {"rule_id", SHEET_COUNT, "runs", "the library's id of the algorithm that runs; 0 is its fixed decision"},
    {"rule_algorithm", SHEET_TEXT, "runs",
     "the library's name of this algorithm; empty if the id does not exist; of HAN's rules the component"},
    {"fanout", SHEET_COUNT, "fanout", "the fanout that the rule passes to the algorithm"},
    {"rule_segment_bytes", SHEET_BYTES, "segment", "the segment size that the rule passes; 0 if messages are not cut"},
    {"max_requests", SHEET_COUNT, "requests",
     "the number of open requests that the rule allows; 0 if it sets no limit"},
    {"counted_bytes", SHEET_BYTES, "counted",
     "the size that the library takes for the call when it searches its rules"},
    {"rule_line", SHEET_COUNT, "rule in line",
     "the line of the rule that decides; empty if none does, and the fixed decision runs"},
    {"first_runs", SHEET_TEXT, "first file",
     "what the library runs with the first file: an id, its name and what is passed to it"},
    {"second_runs", SHEET_TEXT, "second file", "what the library runs with the second file"},
    {"timed", SHEET_COUNT, "points", "number of points at which both files have a time, and run something else"},
    {"first_s", SHEET_SECONDS, "first", "predicted time of what runs with the first file; empty if it is not known"},
    {"second_s", SHEET_SECONDS, "second", "predicted time of what runs with the second file; empty if it is not known"},
    {"time_ratio", SHEET_RATIO, "ratio",
     "`first_s` divided by `second_s`; in the rows of rules diff, at the point where they differ most"},
    {"trap", SHEET_TEXT, "trap",
     "what kind of trap a line of a rules file is, as `collsim rules check --help` lists them"},
    {"choice", SHEET_SHOWN, "algorithm"},
    {"gain", SHEET_SHOWN, "against the default"},
    {"notes", SHEET_SHOWN, "notes"},
    {"memory", SHEET_SHOWN, "memory"},
    {"connection_memory", SHEET_SHOWN, "connection memory"},
    {"error", SHEET_SHOWN, "error"},
    {"wins", SHEET_SHOWN, "wins"},
};

// ---- The columns of figures and terms -------------------------------------------------------------------------------

char *sheet_figure_column(PlatformKey key)
{
    static const char *const units[] = {[PLATFORM_TIME] = "_s",
                                        [PLATFORM_PER_BYTE] = "_s_per_byte",
                                        [PLATFORM_SIZE] = "_bytes",
                                        [PLATFORM_NUMBER] = ""};
    const PlatformKeyInfo *info = &platform_keys[key];
    if (strcmp(info->section, "measured") == 0 || strcmp(info->section, "node") == 0)
        return NULL;
    return g_strconcat(info->name, units[info->unit], NULL);
}

// Returns what the column of a figure means.
static char *figure_meaning(PlatformKey key)
{
    static const char *const meanings[N_PLATFORM_KEYS] = {
        [KEY_ALPHA] = "start-up time of a message on the platform; in the sheet pieces, the time at 0 bytes on the "
                      "piece's line",
        [KEY_BETA] = "transfer time of a byte on the platform, in s/B; in the sheet pieces, the slope of the piece's "
                     "line",
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
        const SheetColumn column = {.name = sheet_figure_column(key), .head = platform_keys[key].name};
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

const SheetColumn *sheet_columns(void)
{
    static gsize columns; // made once, and never freed
    if (g_once_init_enter(&columns)) {
        GArray *all = g_array_new(TRUE, TRUE, sizeof(SheetColumn));
        g_array_append_vals(all, run_columns, G_N_ELEMENTS(run_columns));
        add_figures(all);
        g_array_append_vals(all, time_columns, G_N_ELEMENTS(time_columns));
        add_counts(all);
        g_array_append_vals(all, other_columns, G_N_ELEMENTS(other_columns));
        g_once_init_leave(&columns, (gsize)g_array_free(all, FALSE));
    }
    return (const SheetColumn *)columns;
}

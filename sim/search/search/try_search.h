// What the searches for groups, segments and parts share: a try, a group of tries, the place, and bounds on times.
#pragma once
#include "search/form/path_bound.h"
#include "search/form/size_form.h"
#include "search/form/text_print.h"
#include "search/search/points.h"

// An algorithm with values of its parameters. Its needs are met, so that no fallback runs in its place.
typedef struct Try {
    int algorithm; // its place in the registry
    CollParams par;
    double least_s; // the least time to expect, in seconds: from its form, or from its text if it has no form
    double node_s;  // what a node's NICs say of it: no time is less than either of the two; 0 if that is not known
    gboolean rough; // TRUE if the text has not been run yet, so that least_s is less than what try_refine() makes of it
    gboolean counted; // TRUE if `work` is all of the work; a rough try may have more
    gboolean bounded; // TRUE if the texts of single ranks gave least_s; a rough try then lacks its node's bound alone
    double messages;  // about how many a simulation has, under a model without forms; otherwise 0
    gboolean by_form; // TRUE if least_s is from a form, and exact if all blocks and segments are of equal length
    gboolean parts;   // TRUE if other parts than the usual ones are tried (TryGroup.parts)
    gboolean put_off; // TRUE if it waited until parts were replaced (standing_puts_off), and is of use only if it wins
    // About how many messages a simulation has of its own, if the text is long or has given least_s; otherwise 0.
    // Symmetric ranks count once.
    double work;
    int alike;          // tries of other lengths that are left out, because their texts are this one's
    int turn;           // as TryGroup.turn
    gboolean long_text; // TRUE if the text is so long that the try waits for the others before it is run for its bound
    // For uneven segments, the range of lengths to try, in elements. Both are 0 for a try of `par` alone.
    size_t shortest, longest;
    SegmentForm form;   // of the algorithm with its other parameters
    int oddity, number; // break ties: the try with the smaller oddity comes first, then the one with the lower number
} Try;
// A simulation with so many messages of its own takes a second or more, or several seconds.
enum { TRY_COSTLY = 1 << 20, TRY_DEAREST = 1 << 22 };
// Returns 0 for a try whose turn comes by least_s; otherwise it waits until these have run: 1 for a long text or a
// costly run, for which the runs of others set a limit; 2 for uneven segments.
int try_waits(const Try *x);

// The tries of an algorithm that differ in segments alone. To find them takes the algorithm's form, which can take
// longer than a simulation, so the contest asks only for the tries of groups that may win.
typedef struct TryGroup {
    int algorithm;
    CollParams par;   // the other parameters
    double bound_s;   // none of the tries takes less time, in seconds; 0 where tries cost little: on few ranks, and of
                      // segments under a model without forms
    double from_s;    // below bound_s, and where the tries' estimates are expected to begin
    int number;       // its place among all groups
    gboolean alone;   // the segment of `par` is the only one, because the library cannot be set to another
    gboolean parts;   // parts, or their parameters, were replaced by others (try_parts.h)
    gboolean cut;     // texts have given bound_s and were left before their ends, so that it may be more (tries_deepen)
    gboolean dropped; // it was given up because others before it gained nothing, and may come again
    int turn;         // orders groups of other numbers, whose bounds are too far from times to do so; otherwise 0
    // Where a parameter is a limit (segment_is_length): the bounds of tries whose blocks reach it, and of those whose
    // blocks are below it, in seconds; 0 if they are not known.
    double limit_s[2];
    double text_s;   // of a group with `parts`: what try_search_least() says of its only try; otherwise 0
    TextPrint print; // of what some ranks do; 0 if it is not known
} TryGroup;

// On more ranks, no segments are uneven, groups have bounds, and estimates are taken as they are.
enum { TRY_FEW_RANKS = 1 << 8 };
// A form that is not exact may overestimate the time, so the least time to expect is this share of the form's.
static const double try_estimate_share = 0.9;
// Forms add up the same terms as bounds, but in another order.
static const double try_rounding = 1 - 1e-9;
// Runs that take equally long are ordered by more than their times, so a bound must not be the time itself.
static const double try_path_share = 1 - 1e-6;

// The groups or tries on p ranks with m bytes that have been found so far, and the algorithm that is being tried.
typedef struct TrySearch {
    const Request *r;
    int p, per_node;
    int node_ranks; // request_node_ranks()
    size_t m;
    gboolean flat;  // closed forms hold (request_flat)
    gboolean blind; // the model has no forms, so tries can hardly be compared without simulation
    Platform plain; // where closed forms do not hold, those of this machine say which segments to try
    gboolean parts; // TryGroup.parts of the group that is being tried, and its text_s
    double text_s;
    int algorithm; // the place of `a` in the registry
    const CollAlgorithm *a;
    const CollParams *base; // while parts are searched: the parameters from which the search starts; NULL otherwise
    gboolean deep;    // .. TRUE if the new algorithm of a part has parameters of its own, and all numbers are tried
    gboolean deepest; // .. and TRUE if that holds for the parts of parts, too
    struct KnownTimes *known;     // .. and where the bounds of compositions are kept
    double least_s;               // the least bound of the groups so far; 0 before the first one
    const LibraryAlgorithm *told; // what the library calls `a`; NULL if the request is not about one library
    GArray *groups;               // of TryGroup, for all algorithms up to `a`
    GArray *estimated; // of CollParams: what may become groups of an algorithm with estimates; NULL for others
    GArray *tries;     // of Try; those of other groups come first
    int number;        // of the next try
    double enough_s;   // a try with a bound as large is of no use, nor are the uneven tries made from it
    // What count_bound() was asked last: the algorithm, NULL before; its parameters, but with the default limit of
    // requests; and the bounds that it found, in seconds, the second one of blocks below a limit (TryGroup.limit_s).
    const CollAlgorithm *counted;
    CollParams counted_par;
    double counted_s[2];
    const double *limit_s; // of the group that is being tried; NULL if it has none
    SegmentForm form;      // of the group that is being tried
    const PathForm *path;  // .. where closed forms do not hold; NULL if it is not known
} TrySearch;

// Begins a search for groups or tries.
TrySearch try_search_begin(const Request *request, int p, int per_node, size_t m);
// Returns the point that is searched, with these parameters (point_tried).
Point try_search_point(const TrySearch *s, const CollParams *par);
// Returns the operation with these parameters. Its algorithm is s->a even if a fallback would run, because another
// segment length may meet the needs.
Operation try_search_operation(const TrySearch *s, const CollParams *par);
// Returns a time that no length of segments takes less than with these parameters, in seconds; if `alone`, that the
// length in `par` does not. Times from limit_s on are all alike to the caller.
double try_search_bound(TrySearch *s, const CollParams *par, gboolean alone, double limit_s);
// Returns a time that the operation cannot beat, in seconds, where all blocks reach its limit, or none does
// (TryGroup.limit_s); 0 if it has no limit, or if that is not known.
double try_search_limit_bound(const TrySearch *s, const Operation *op);
// Returns what path_form() says of the operation on the search's machine.
PathForm *try_search_path(const TrySearch *s, const Operation *op, const CollParam *segment);
// Returns TRUE if a model of the LogP family times messages: their bounds are those of logp_bound(), and not of ports.
gboolean try_search_logp(const RequestMachine *machine);
// Rounds to 40 bits, so that two sums of the same terms are equal even if they were added in different orders.
double try_search_round(double x);
// Returns a time that an operation cannot beat, in seconds, from the texts of a few ranks. Times from limit_s on are
// all alike to the caller.
double try_search_least(const Request *request, const Operation *op, int p, int per_node, double limit_s);
// Returns about how many messages a simulation of the operation has of its own (Try.work), or `most` if they are more.
double try_work_of(const Operation *op, int per_node, double most);
// Refines the least_s of a try of these tries that is rough, by its text. Only whether it is below limit_s matters: it
// may then be limit_s, or longer, instead of the text's bound. With INFINITY, a try whose text is long only becomes one
// that waits (long_text), and is refined the next time. On many ranks the bound of a node is found the next time, too:
// the try stays rough until then, but is `bounded`. Other tries stay as they are.
void try_refine(const Request *request, int p, int per_node, size_t m, double limit_s, Try *try);
// Returns TRUE if the texts of a few ranks show that a try takes limit_s or longer, in seconds, although its least_s is
// less. Closed forms give least_s where they hold, as if no block were longer than the shortest; the texts have the true
// lengths. Where nodes have NICs, node_late_bound() takes too long to order all tries by it, but not before a run. The
// texts cost little where a run takes long: on many ranks. On few this is always FALSE.
gboolean try_excluded(const Request *request, int p, int per_node, size_t m, double limit_s, const Try *try);
// Returns the platform with only one level, far, and nothing that a node's ranks share. It borrows what it points to
// from `platform`.
Platform try_plain(const Platform *platform);
// Returns the parameter that cuts messages into segments; NULL if the algorithm has none.
const CollParam *try_segment_param(const CollAlgorithm *a);

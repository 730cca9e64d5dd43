// What a contest knows about an algorithm, and which of its tries are of use.
#pragma once
#include "search/search/contest.h"

// A try must promise a time below this share of the best one, because a smaller gain may be rounding.
static const double standing_no_better = 1 - 1e-9;

enum { STANDING_EARLIER = 4 }; // earlier choices of parts that are kept

// What the search knows about an algorithm.
typedef struct Standing {
    Contender *best; // its entry in the ranking; NULL if none of its tries has run
    int gains;       // how often a try became this entry, and was faster than the one before
    double messages, uneven_messages;
    Try last; // the last try that was simulated, valid if `ran`
    gboolean ran;
    gboolean seen;   // a try has met its needs
    gboolean beyond; // a try was given up, because it takes too long to change the ranking
    // While parts are replaced by others: the parameters whose part was replaced last (valid if base.of), the place of
    // the next part, the number of parts replaced since the last that was of use, and of tries since then.
    CollParams base;
    int round, next_part, unchanged, idle;
    double idle_messages; // of these tries
    int idle_from;        // .. and how many had been counted before them
    // Each of the tries differs in one parameter from `from` (valid if from.of). What parts take nearly adds up, so a part
    // that made the composition slower is expected to do so beside other parts, too.
    CollParams from;
    GArray *losses; // of StandingLoss: these parts; NULL before the first
    // The fastest ones before the present one that had other algorithms as parts, the last one last, and their times.
    // When nothing becomes faster, the search goes back to each of them once: to `start`, while `gains` is
    // `start_gains`.
    CollParams earlier[STANDING_EARLIER], start;
    double earlier_s[STANDING_EARLIER];
    int n_earlier, start_gains;
    gboolean goes_back;
    double last_bound_s; // of the try before
    double run_messages; // of the last run
    double nearness;     // the least of n_nearness times of costly runs, each divided by the run's bound
    int n_nearness;
    // Its two runs with the shortest segments, the shorter one last, with which parameters, and their times. 0 bytes
    // mean that there is none.
    CollParams cut;
    size_t segment[2];
    double time_s[2];
    GArray *runs;        // of StandingRun; NULL before the first
    GHashTable *choices; // of algorithms as parts that have run together, as numbers; NULL before the first
    GError *refused;     // why the first of its tries that was refused was; NULL if none was
} Standing;

// Returns the share of a time below which a try must promise. With the default parameters alone there are few tries, so
// those that tie may run too: the winner is then the one that `run all` names first.
double standing_promised_share(const Contest *x);
// Returns the time below which a run of the algorithm, whose standing is c, may change the ranking. It never grows. A
// run of just this time may, too, if it comes first among equals. If only the fastest one matters, those that take
// x->limit_s are of no use from the start. While parts are replaced, only tries that may be the fastest are of use.
double standing_entry_s(const Contest *x, int algorithm, const Standing *c);
// Returns the time from which on a try is of no use. While parts are replaced, a closed form finds the fastest of an
// algorithm's tries without a run, so that one runs even if another algorithm is faster.
double standing_limit_s(const Contest *x, const Standing *c, const Try *try);
// Returns the time above which a run of the try is of no use, also if its clocks are a little wrong by rounding; 0 if
// there is none. While parts are replaced, a run that costs little may take longer than the fastest algorithm: the way
// to a composition's best parts must not depend on which other algorithms there are.
double standing_enough_s(const Contest *x, const Standing *c, const Try *try);
// Returns the time below which a try of the algorithm may be of use.
double standing_useful_s(const Contest *x, int algorithm, const Standing *c);
// Returns true if the try may change the ranking, and is worth a simulation.
gboolean standing_promises(const Contest *x, const Standing *c, const Try *try);
// Returns true if a try that promises something is to wait until the parts of compositions were replaced, which may make
// one so fast that a run which costs much is of no use. On many ranks of nodes, an algorithm's first run does not wait,
// so that it has a place in the ranking, but others that cost much do. Nor does a composition, whose first tries are the
// start for its other parts.
gboolean standing_puts_off(const Contest *x, const Standing *c, const Try *try);
// Returns true if a run of a try that promises something costs much, and its texts (try_excluded) show that it can gain
// little. It is only asked where these do not exclude the try altogether.
gboolean standing_hardly_gains(const Contest *x, const Standing *c, const Try *try);
// Returns true if there are many ranks, and not even the least time that is possible is shorter than the fastest run by
// a thousandth, so that other parts are not worth their bounds and runs. Then it counts one setting more of each
// composition as not tried.
gboolean standing_leave_parts(Contest *x, const Standing *standings);
// Returns true if another part might make the algorithm the fastest: its best time is not far behind, or there are few
// ranks, where a run costs little. It is to be nearer where a run has very many messages.
gboolean standing_near(const Contest *x, const Standing *c);
// Returns true if other numbers might make the algorithm the fastest, once the search of parts has come to its end.
gboolean standing_refines(const Contest *x, const Standing *c);
// Has the tries that refine numbers begin. On many ranks, fewer of them run than of those with other parts.
void standing_begin_refining(const Contest *x, Standing *c);
// Has the tries begin that change one parameter of `from`, which are the parameters of the algorithm's fastest try, or if
// `again` those of an earlier one.
void standing_begin_changes(Standing *c, const CollParams *from, gboolean again);
// Notes that a run of the try took `time_s`, and the algorithm's fastest one before it `best_s`.
void standing_note_loss(const Contest *x, Standing *c, const Try *try, double time_s, double best_s);
// Notes what was the algorithm's fastest before something with the parameters `now` was faster: its parameters and
// time.
void standing_note_earlier(Standing *c, const CollParams *before, double before_s, const CollParams *now);
// Returns the parameters from which the search of parts goes on.
const CollParams *standing_start(const Standing *c);
// Returns TRUE if the search of an algorithm's parts, which has come to its end, begins once more with an earlier
// choice of parts that was not much slower, and goes back to it. Only the fastest algorithm of all does so. One change
// at a time cannot always lead from one choice of parts to another.
gboolean standing_go_back(const Contest *x, Standing *c);
// Has the search of an algorithm's parts go on from its fastest try, as if none of its parameters had been changed.
void standing_begin_again(Standing *c);
// Notes that the try's algorithms as parts have run together.
void standing_note_choice(Standing *c, const Try *try);
// Counts a run of the try, with this many messages, which has made the algorithm's best faster if `gained`.
void standing_count(Standing *c, const Try *try, double messages, gboolean gained);
// Returns TRUE if some ranks do the same in two tries (tries_print) whose bounds are equal. Only then are their texts
// looked at; on few ranks, and on a flat machine where runs cost little, that is never so.
gboolean standing_same(Contest *x, const Try *a, const Try *b);
// Returns TRUE if some ranks do the same in the try as in an earlier run of its algorithm, so that another run would
// say nothing new: it ended, or was stopped where this one would be. A try with more usual parameters is to run,
// because it takes the other one's place.
gboolean standing_is_alike(Contest *x, const Standing *c, const Try *try);
// Notes that the try is going to run.
void standing_note_run(const Contest *x, Standing *c, const Try *try);
// Notes the time of a run of the try, in seconds, to foresee those of tries with shorter segments.
void standing_note(Standing *c, const Try *try, double time_s);

#include "search/search/standing.h"
#include "search/search/tries.h"
#include "search/search/try_parts.h"
#include <math.h>
#include <string.h>

// After this many messages the search simulates no more tries of an algorithm, also under a model that has no forms.
enum { ENOUGH_MESSAGES = 1 << 23, BLIND_MESSAGES = 1 << 22 };
// Tries with other parts run in the order of their bounds. Those that gain nothing, one after the other, may have
// ENOUGH_IDLE messages. From then on, a try must have another bound than the one before it, and it must be one of
// ENOUGH_PARTS or have a new choice of algorithms as parts: a choice that seems fast and is not must not cost another
// one its only run. After ENOUGH_COSTLY messages that gained nothing, no more of them run.
enum { ENOUGH_PARTS = 8, ENOUGH_IDLE = 1 << 17, ENOUGH_COSTLY = 1 << 21 };
// On many ranks of nodes, once combinations have run, no more of those that change one parameter run after LATE_PARTS
// that gained nothing and had LATE_IDLE messages. In a sample of 42 points on nodes, each change that was of use came
// before.
enum { LATE_PARTS = 4, LATE_IDLE = 1 << 19 };
// There, a part with which a run has so many messages of its own does not run again once it has lost (Standing.losses).
// The part counts with all of its parameters: a radix that lost inside of it can win beside another one there.
enum { LOSS_WORK = 1 << 15 };
// Where only simulations know how the time depends on the segments, and on many ranks of nodes, where no form is exact,
// an algorithm's tries end once ENOUGH_LENGTHS in a row, those on both sides of the best, have gained nothing and have
// had LENGTHS_IDLE messages. For tries that differ from the fastest in several parameters, FAR_IDLE are enough: one
// parameter after the other leads to the best sooner than the order of bounds, which are far from the times. Under a
// model without forms, bounds say less of times, and both may have BLIND_IDLE times as many.
enum { ENOUGH_LENGTHS = 2, LENGTHS_IDLE = 1 << 19, FAR_IDLE = 1 << 17, BLIND_IDLE = 2 };
// On few ranks, where a run costs little, a composition may take this many times the time of the fastest while its
// parts are replaced, one after the other.
static const double promising = 1.15;
// An earlier choice of parts is searched again if it took at most so many times the time of the fastest: parts of its own
// parts make it faster, which the fastest one may not have.
static const double near_enough = 1.15;
// On few ranks, the numbers of an algorithm are refined if it takes at most so many times the time of the fastest.
static const double near_fastest = 1.1;

// On more ranks, an algorithm that takes this many times the time of the fastest once its parts were combined is
// changed no more. In a sample of 42 points on nodes, every winner but one, which was 0.8 % behind, was the fastest by
// then. Runs with many messages take much of the search, so an algorithm that has them must be nearer.
enum { MANY_MESSAGES = 1 << 16, NEAR_MESSAGES = 1 << 14 };
static const double hopeless = 1.25, hopeless_costly = 1.04;

// A costly run must promise less than a share of the fastest one's time: where bounds are as tight as those of busy
// NICs, many such runs could gain next to nothing. worth_s() puts these together.
//
// A try with other parts, unless it is its algorithm's first run, if it takes a second or more. Under a model without
// forms, fewer messages take as long. In a sample of runs that became the fastest on 64 nodes of archer2, each took at
// least 1 % longer than its bound, and most a tenth or more.
enum { BLIND_COSTLY = 1 << 18 }; // in place of TRY_COSTLY
static const double worth_costs = 0.99, worth_blind = 0.97;
// A try of so many messages must promise less than a share of the fastest one's time, on a flat machine, too. Under a
// model without forms, the share gets smaller as the messages get more.
enum { VERY_COSTLY = 1 << 24 };
static const double worth_much = 0.9;

// On many ranks, the numbers of an algorithm that takes more than this many times the time of the fastest are not
// refined: only those of few change that much.
static const double hardly_behind = 1.02;

// An algorithm's runs with so many messages, apart from the first, wait until parts were replaced (standing_puts_off).
enum { PUT_OFF = 1 << 18 };
// On nodes, the times of tries with shorter segments are foreseen if they have so many messages (foreseen_s).
enum { FORESEEN = 1 << 18 };

// Bounds do not know how messages of several nodes delay each other. Once ENOUGH_NEARNESS costly runs of an algorithm
// have shown by how many per cent they take longer than their bounds, its other costly tries with other parts are
// expected to do so by at least a share of the smallest of these. Under a model without forms, times exceed their bounds
// by more, and by shares that differ more. So the share is less there, and only compositions have expected times,
// because they have many runs.
enum { ENOUGH_NEARNESS = 3 };
static const double way_to_nearest = 0.75, way_blind = 0.375;

// On many ranks, no other parts are tried for less than a thousandth of the time.
static const double hardly_better = 0.999;

// Returns the time of the fastest run, or the contest's limit if that is less, because it stands for a run of others.
// Before the first run of a contest without a limit, this is INFINITY.
static double fastest_s(const Contest *x)
{
    const Contender *first = x->ranking->len > 0 ? g_ptr_array_index(x->ranking, 0) : NULL;
    return MIN(first ? first->point->time_s : INFINITY, x->limit_s);
}

gboolean standing_leave_parts(Contest *x, const Standing *standings)
{
    const double least_s = request_bound(x->request, x->p, x->per_node, x->m); // NAN where none is known
    if (x->p <= TRY_PARTS_FEW || x->request->question.kept || !(least_s >= fastest_s(x) * hardly_better))
        return FALSE;
    for (int i = 0; i < n_algorithms; i++)
        x->counts.given_up += standings[i].seen && try_has_parts(algorithms[i]);
    return TRUE;
}

// Returns the time below which a try of the algorithm with other parts is of use: they are only tried to find the
// fastest of all, unless the request asks for the algorithm's best.
static double winning_s(const Contest *x, int algorithm)
{
    return x->changing && !question_keeps(&x->request->question, algorithm_at(algorithm))
               ? fastest_s(x) * (x->p > TRY_PARTS_FEW ? 1 : promising)
               : INFINITY;
}

// Returns the time of the algorithm's best run, and at most the limit if only the fastest one matters. While parts are
// replaced, what takes longer than the limit may be on the way to what does not, as in a contest without one.
static double own_limit_s(const Contest *x, const Standing *c)
{
    const gboolean limits = x->top == 1 && !x->request->question.kept && !x->changing;
    return MIN(c->best ? c->best->point->time_s : INFINITY, limits ? x->limit_s : INFINITY);
}

double standing_promised_share(const Contest *x)
{
    return x->request->question.defaults ? 1 / standing_no_better : standing_no_better;
}

double standing_entry_s(const Contest *x, int algorithm, const Standing *c)
{
    const gboolean kept = x->changing || question_keeps(&x->request->question, algorithm_at(algorithm));
    const Contender *last = kept || x->ranking->len < (guint)x->top ? NULL : g_ptr_array_index(x->ranking, x->top - 1);
    const double ranked_s = kept ? INFINITY : last ? MIN(last->point->time_s, x->seeded_s) : x->seeded_s;
    return MIN(x->changing ? winning_s(x, algorithm) : ranked_s, own_limit_s(x, c));
}

double standing_limit_s(const Contest *x, const Standing *c, const Try *try)
{
    const gboolean orders = x->changing && x->flat && try->by_form && try->work < TRY_COSTLY;
    return (orders ? own_limit_s(x, c) : standing_entry_s(x, try->algorithm, c)) * standing_promised_share(x);
}

// Returns TRUE if a run of the try costs so much that it is of use only if it is the fastest: where no closed form holds,
// it does not fill a place behind that.
static gboolean only_wins(const Contest *x, const Standing *c, const Try *try)
{
    const Question *question = &x->request->question;
    // On a flat machine, the first run gives the algorithm a place. A form says what another one promises.
    const gboolean fills = x->flat && (try->by_form || (!c->best && !c->beyond));
    return !fills && try->work >= TRY_DEAREST && !question->defaults &&
           !question_keeps(question, algorithm_at(try->algorithm));
}

// Returns the time that such a run must take less than. On a flat machine, a composition that is a little slower than
// the fastest may be on the way to one that is faster.
static double enough_to_win_s(const Contest *x, const Try *try)
{
    return fastest_s(x) * (x->flat && try_has_parts(algorithms[try->algorithm]) ? promising : 1);
}

double standing_enough_s(const Contest *x, const Standing *c, const Try *try)
{
    // A composition that is slower than the fastest may be on the way to one that is faster.
    const gboolean own = x->changing && try->work < TRY_COSTLY && !try->put_off;
    const double least = own ? own_limit_s(x, c) : standing_entry_s(x, try->algorithm, c),
                 enough = only_wins(x, c, try) ? MIN(least, enough_to_win_s(x, try)) : least;
    return isfinite(enough) ? enough / standing_no_better : 0;
}

// Returns TRUE if the two parameters differ at most in the length of segments.
static gboolean differ_in_segment(const CollAlgorithm *a, const CollParams *x, const CollParams *y)
{
    CollParams same = *x;
    param_set(try_segment_param(a), &same, param_get(try_segment_param(a), y));
    return params_same(a, &same, y);
}

// Returns TRUE if the two parameters differ at most in the length of segments and in one other parameter.
static gboolean are_near(const CollAlgorithm *a, const CollParams *x, const CollParams *y)
{
    int n = 0;
    for (int i = 0; i < algorithm_n_params(a); i++) {
        const CollParam *param = &a->params[i];
        n += param->kind == PARAM_ALGORITHM ? param_part(param, x) != param_part(param, y)
                                            : param->kind != PARAM_SIZE && param_get(param, x) != param_get(param, y);
    }
    return n <= 1;
}

// Returns about the least time of a costly try with shorter segments than two that have run, in seconds; 0 if that
// cannot be said. The time is taken to be convex in the number of segments, as a sum of what grows with it and of what
// it divides: then it is nowhere below the line through two of its points, outside of them.
static double foreseen_s(const Contest *x, const Standing *c, const Try *try)
{
    const CollAlgorithm *a = algorithms[try->algorithm];
    const CollParam *param = try_segment_param(a);
    const size_t segment = param ? (size_t)param_get(param, &try->par) : 0;
    const double costly = x->flat ? TRY_COSTLY : FORESEEN;
    if (x->request->machine.model != &hockney_model || try->work < costly || c->segment[0] == 0 || segment == 0 ||
        segment >= c->segment[1] || !differ_in_segment(a, &c->cut, &try->par))
        return 0;
    const double n[] = {1.0 / (double)c->segment[0], 1.0 / (double)c->segment[1], 1.0 / (double)segment};
    return c->time_s[1] + (c->time_s[1] - c->time_s[0]) / (n[1] - n[0]) * (n[2] - n[1]);
}

// Returns a number for the algorithms that are the parts of an algorithm, whatever their own parameters are.
static guint choice_of(const CollAlgorithm *a, const CollParams *par)
{
    guint choice = 1;
    for (int i = 0; i < algorithm_n_params(a); i++)
        if (a->params[i].kind == PARAM_ALGORITHM)
            choice = choice * 1021 + (guint)algorithm_number(algorithm_entry(param_part(&a->params[i], par))) + 1;
    return choice;
}

// Returns TRUE if the try's parts have not run together.
static gboolean is_new_choice(const Standing *c, const Try *try)
{
    return !c->choices ||
           !g_hash_table_contains(c->choices, GUINT_TO_POINTER(choice_of(algorithms[try->algorithm], &try->par)));
}

// Returns TRUE if the request asks for the best of an algorithm that has run, even if others are faster.
static gboolean is_kept(const Contest *x, const Standing *c)
{
    return question_keeps(&x->request->question, algorithm_entry(c->best->point->algorithm));
}

gboolean standing_near(const Contest *x, const Standing *c)
{
    const double far = c->run_messages >= NEAR_MESSAGES ? hopeless_costly : hopeless;
    return x->p <= TRY_PARTS_FEW || !c->best || is_kept(x, c) || c->best->point->time_s <= far * fastest_s(x);
}

gboolean standing_refines(const Contest *x, const Standing *c)
{
    const double far = x->p > TRY_PARTS_FEW ? hardly_behind : near_fastest;
    // In shared memory, no texts bound what other numbers take.
    return c->best && !c->best->point->algorithm->shared &&
           (is_kept(x, c) || c->best->point->time_s <= far * fastest_s(x));
}

void standing_begin_refining(const Contest *x, Standing *c)
{
    standing_begin_changes(c, &c->best->point->par, FALSE);
    c->idle = c->idle_from = x->p > TRY_PARTS_FEW ? ENOUGH_PARTS / 2 : 0;
}

void standing_begin_changes(Standing *c, const CollParams *from, gboolean again)
{
    c->idle = c->idle_from = 0;
    c->idle_messages = 0;
    c->last_bound_s = -1;
    c->from = again ? (CollParams){0} : *from;
}

// Returns TRUE if combinations have run on many ranks of nodes, and parameters are changed one after the other.
static gboolean changes_late(const Contest *x)
{
    return x->changing && x->round > 2 && !x->flat && x->p > TRY_PARTS_FEW;
}

// An algorithm as a part, with its parameters, that was slower than another one in this parameter of the composition.
typedef struct StandingLoss {
    int param;
    const CollAlgorithm *part;
} StandingLoss;

// Returns TRUE if losses count for the try, which differs from what it was made from in one part alone. Sets *loss to
// this part.
static gboolean changes_part(const Contest *x, const Standing *c, const Try *try, StandingLoss *loss)
{
    const CollAlgorithm *a = algorithms[try->algorithm];
    int n = 0;
    if (!changes_late(x) || try->put_off || try->work < LOSS_WORK || !c->from.of)
        return FALSE;
    for (int i = 0; i < algorithm_n_params(a); i++) {
        const CollParam *param = &a->params[i];
        if (param->kind != PARAM_ALGORITHM) {
            n += 2 * (param_get(param, &c->from) != param_get(param, &try->par));
        } else if (param_part(param, &c->from) != param_part(param, &try->par)) {
            *loss = (StandingLoss){i, param_part(param, &try->par)};
            n++;
        }
    }
    return n == 1;
}

void standing_note_loss(const Contest *x, Standing *c, const Try *try, double time_s, double best_s)
{
    StandingLoss loss;
    if (time_s <= best_s / standing_no_better || !changes_part(x, c, try, &loss))
        return;
    c->losses = c->losses ? c->losses : g_array_new(FALSE, FALSE, sizeof loss);
    g_array_append_val(c->losses, loss);
}

// Returns TRUE if the try's part has lost.
static gboolean has_lost(const Contest *x, const Standing *c, const Try *try)
{
    StandingLoss loss;
    gboolean found = FALSE;
    if (!c->losses || !changes_part(x, c, try, &loss))
        return FALSE;
    for (guint i = 0; i < c->losses->len && !found; i++) {
        const StandingLoss *known = &g_array_index(c->losses, StandingLoss, i);
        found = known->param == loss.param && known->part == loss.part;
    }
    return found;
}

// Returns TRUE if the try limits open requests, and the try that differs in this alone has not been the fastest of its
// algorithm. That one comes first, because it has the same bound and is more usual. A limit only delays operations,
// which hardly ever makes the whole faster.
static gboolean only_limits(const Contest *x, const Standing *c, const Try *try)
{
    const CollAlgorithm *a = algorithms[try->algorithm];
    const CollParam *requests = algorithm_is_added(a) ? NULL : algorithm_param(a, "max_requests");
    if (!requests || !c->best || x->p <= TRY_FEW_RANKS || param_get(requests, &try->par) == requests->def)
        return FALSE;
    CollParams free = try->par;
    param_set(requests, &free, requests->def);
    const CollParams *best = &c->best->point->par;
    return param_get(requests, best) == requests->def && !params_same(a, &free, best);
}

// Returns TRUE if so many runs of the algorithm gained nothing that the try, which has another length of segments, or
// other parameters beside that, is expected to gain nothing either (ENOUGH_LENGTHS).
static gboolean is_idle(const Contest *x, const Standing *c, const Try *try)
{
    const CollAlgorithm *a = algorithms[try->algorithm];
    const gboolean near = !c->best || are_near(a, &c->best->point->par, &try->par),
                   blind = x->request->machine.model != &hockney_model && try_segment_param(a) && !a->shared;
    const gboolean unformed = x->p > TRY_FEW_RANKS && !request_flat(x->request, x->p, x->per_node);
    return (try->form.simulated || blind || unformed) && c->idle >= ENOUGH_LENGTHS &&
           c->idle_messages >= (near ? LENGTHS_IDLE : FAR_IDLE) * (blind ? BLIND_IDLE : 1);
}

void standing_note_choice(Standing *c, const Try *try)
{
    if (!c->choices)
        c->choices = g_hash_table_new(NULL, NULL);
    g_hash_table_add(c->choices, GUINT_TO_POINTER(choice_of(algorithms[try->algorithm], &try->par)));
}

// Returns the time that a run of the try must promise less than, in seconds, because of what it costs; INFINITY if it
// costs little.
static double worth_s(const Contest *x, const Standing *c, const Try *try)
{
    const Question *question = &x->request->question;
    const gboolean blind = x->request->machine.model != &hockney_model,
                   kept = question->defaults || question_keeps(question, algorithm_at(try->algorithm)),
                   first = !c->best && !c->beyond;
    double least_s = INFINITY;
    if (x->changing && !try->put_off && !first && try->work >= (blind ? BLIND_COSTLY : TRY_COSTLY))
        least_s = (blind ? worth_blind : worth_costs) * winning_s(x, try->algorithm);
    if (only_wins(x, c, try))
        least_s = MIN(least_s, enough_to_win_s(x, try));
    if (!kept && try->work >= VERY_COSTLY)
        least_s = MIN(least_s, (blind ? worth_much * VERY_COSTLY / try->work : worth_much) * fastest_s(x));
    return least_s;
}

// Returns TRUE if a run of the try costs so much that it must promise more than it does.
static gboolean costs_too_much(const Contest *x, const Standing *c, const Try *try)
{
    return MAX(try->least_s, try->node_s) >= worth_s(x, c, try);
}

gboolean standing_puts_off(const Contest *x, const Standing *c, const Try *try)
{
    const Question *question = &x->request->question;
    const gboolean changes = !x->changing && !question->defaults && !x->request->library.only;
    return changes && x->composes && !x->flat && x->p > TRY_PARTS_FEW && (c->best || c->beyond) && try->longest == 0 &&
           try->work >= PUT_OFF && !try_has_parts(algorithms[try->algorithm]) &&
           !question_keeps(question, algorithm_at(try->algorithm));
}

gboolean standing_hardly_gains(const Contest *x, const Standing *c, const Try *try)
{
    const double least_s = worth_s(x, c, try);
    return isfinite(least_s) && try_excluded(x->request, x->p, x->per_node, x->m, least_s, try);
}

// Returns the time that a costly try with other parts is expected to take at least, as the algorithm's other costly
// runs show (way_to_nearest); 0 before there are enough of them.
static double expected_s(const Contest *x, const Standing *c, const Try *try)
{
    const gboolean blind = x->request->machine.model != &hockney_model;
    if (x->p <= TRY_PARTS_FEW || try->work < MANY_MESSAGES || c->n_nearness < ENOUGH_NEARNESS ||
        (blind && !try_has_parts(algorithms[try->algorithm])))
        return 0;
    const double way = blind ? way_blind : way_to_nearest;
    return MAX(try->least_s, try->node_s) * (1 + way * (c->nearness - 1));
}

// Returns TRUE if a try with other parts is to run, after those before it that gained nothing.
static gboolean change_promises(const Contest *x, const Standing *c, const Try *try)
{
    if ((changes_late(x) && c->idle >= c->idle_from + LATE_PARTS && c->idle_messages >= LATE_IDLE) ||
        has_lost(x, c, try))
        return FALSE;
    // A bound that may be more is not equal to another one.
    const gboolean differs = (try->rough && !try->bounded) || try->least_s != c->last_bound_s;
    return c->idle_messages < ENOUGH_IDLE ||
           (c->idle_messages < ENOUGH_COSTLY && differs && (is_new_choice(c, try) || c->idle < ENOUGH_PARTS));
}

// Returns TRUE if the form gives this try the same time as the last one. They may differ in what the form does not
// contain, for example in the number of requests.
static gboolean is_last_again(const Standing *c, const Try *try)
{
    return c->ran && try->by_form && try->longest == 0 && try->least_s == c->last.least_s &&
           try->par.segment == c->last.par.segment;
}

gboolean standing_promises(const Contest *x, const Standing *c, const Try *try)
{
    if (try->least_s >= standing_limit_s(x, c, try))
        return FALSE;
    const double least_s = foreseen_s(x, c, try);
    if ((least_s > 0 && least_s >= fastest_s(x)) || costs_too_much(x, c, try)) // the fastest may take no time
        return FALSE;
    if (x->changing && !try->put_off)
        return expected_s(x, c, try) < winning_s(x, try->algorithm) && change_promises(x, c, try);
    const int enough = x->request->machine.model == &hockney_model ? ENOUGH_MESSAGES : BLIND_MESSAGES;
    return c->messages < enough && !is_last_again(c, try) && !only_limits(x, c, try) && !is_idle(x, c, try);
}

void standing_note_earlier(Standing *c, const CollParams *before, double before_s, const CollParams *now)
{
    const CollAlgorithm *a = algorithm_entry(c->best->point->algorithm);
    if (choice_of(a, before) == choice_of(a, now) || c->goes_back)
        return;
    const size_t kept = STANDING_EARLIER - 1;
    if (c->n_earlier == STANDING_EARLIER) {
        memmove(c->earlier, c->earlier + 1, kept * sizeof *c->earlier);
        memmove(c->earlier_s, c->earlier_s + 1, kept * sizeof *c->earlier_s);
        c->n_earlier--;
    }
    c->earlier[c->n_earlier] = *before;
    c->earlier_s[c->n_earlier++] = before_s;
}

const CollParams *standing_start(const Standing *c)
{
    return c->goes_back && c->gains == c->start_gains ? &c->start : &c->best->point->par;
}

gboolean standing_go_back(const Contest *x, Standing *c)
{
    const Contender *first = x->ranking->len > 0 ? g_ptr_array_index(x->ranking, 0) : NULL;
    if (!first || first != c->best || c->n_earlier == 0 ||
        c->earlier_s[c->n_earlier - 1] > near_enough * first->point->time_s)
        return FALSE;
    c->start = c->earlier[--c->n_earlier];
    c->start_gains = c->gains;
    c->goes_back = TRUE;
    return TRUE;
}

void standing_begin_again(Standing *c)
{
    c->unchanged = -1; // one more is counted when the search goes on with the same parameters
    c->start_gains = -1;
}

double standing_useful_s(const Contest *x, int algorithm, const Standing *c)
{
    const double entry_s = standing_entry_s(x, algorithm, c) * standing_promised_share(x);
    return x->changing ? entry_s : MIN(entry_s, x->limit_s);
}

void standing_count(Standing *c, const Try *try, double messages, gboolean gained)
{
    c->messages += messages;
    c->run_messages = messages;
    c->idle = gained ? 0 : c->idle + 1;
    c->idle_messages = gained ? 0 : c->idle_messages + messages;
    c->last_bound_s = try->least_s;
    c->last = *try;
    c->ran = TRUE;
}

void standing_note(Standing *c, const Try *try, double time_s)
{
    const CollAlgorithm *a = algorithms[try->algorithm];
    const CollParam *param = try_segment_param(a);
    const size_t segment = param ? (size_t)param_get(param, &try->par) : 0;
    if (!isinf(time_s) && try->work >= MANY_MESSAGES && try->least_s > 0) {
        const double nearness = time_s / MAX(try->least_s, try->node_s);
        c->nearness = c->n_nearness++ == 0 ? nearness : MIN(c->nearness, nearness);
    }
    if (segment == 0 || isinf(time_s))
        return;
    if (c->segment[1] > 0 && !differ_in_segment(a, &c->cut, &try->par))
        c->segment[0] = c->segment[1] = 0;
    c->cut = try->par;
    const gboolean shortest = c->segment[1] == 0 || segment < c->segment[1];
    if (shortest) {
        c->segment[0] = c->segment[1];
        c->time_s[0] = c->time_s[1];
    }
    if (shortest || (segment > c->segment[1] && (segment < c->segment[0] || c->segment[0] == 0))) {
        c->segment[shortest] = segment;
        c->time_s[shortest] = time_s;
    }
}

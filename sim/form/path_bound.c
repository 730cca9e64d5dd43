#include "form/path_bound.h"
#include "api/backend.h"
#include "api/make.h"
#include "registry/composition.h"
#include <math.h>
#include <string.h>

// Walks end when they have issued this many operations and, times WALK_TEXTS, those of the longest text.
enum { WALK_OPERATIONS = 1 << 12, WALK_TEXTS = 4 };

// ---- One rank -------------------------------------------------------------------------------------------------------

// A request that a rank has not waited for.
typedef struct Open {
    double end_s, after_s; // when it ends at least, by both clocks of Walker
    double posted_s;       // of a receive by rendezvous, which begins after that; otherwise below 0
    int receive;           // its place among all receives of the rank, from 1; 0 for a send
    int ended;             // of a send: how many receives had ended before it
} Open;

// A message that a rank receives.
typedef struct Received {
    int from;
    size_t len;
} Received;

enum { ANY_LEVEL = -1 }; // of messages whose levels differ

// A rank whose peers are always ready. It runs up to one of its sends, its goal, or to its end.
typedef struct Walker {
    CollRun run;
    const Measured *figures;
    const Mapping *map;
    int rank, to, nth; // the goal is the nth message to rank `to`, from 1; `to` is -1 if the rank runs to its end
    bool there;        // it has come to the goal; nothing changes then
    double enough_s;   // nor does anything once its clock has come so far
    // The rank's clock, and when its out-port is free, if it has only one. Those with `after` are 0 when a receive ends: they
    // show what must follow it.
    double now_s, out_s, after_s, out_after_s;
    double in_s, in_posted_s;   // when the in-port is free after rendezvous; the last posting that this knows
    double out_sum_s, in_sum_s; // the gaps of what it has sent, and of what it has waited for
    double in_most_s;           // the largest gap of in_sum_s
    double way_least_s;         // and the least time of one of these messages
    int sent, sent_level;       // messages, with the goal, and their level, or ANY_LEVEL
    size_t shortest;            // of these
    size_t longest;             // message that it has sent, or whose receive it has posted
    GArray *open;               // of Open
    Received *received;         // in the order of posting
    int n_received, max_received;
    int ended;           // receives
    int last;            // the receive that ended last (Open.receive); 0 for none
    uint64_t operations; // of the text
    int level;           // .. and length of the last message, whose gap is kept because the next one is often like it
    size_t len;
    double gap_s, way_s;
} Walker;

static int level_of(const Walker *x, int peer)
{
    return x->map ? mapping_level(x->map, x->rank, peer) : x->figures->n_levels - 1;
}

// Returns the least time from the beginning of a message to its end at the receiver; it may be half of a sendrecv.
static double way_at(const MeasuredLevel *at, size_t len)
{
    const double one_s = table_time_at(at->one, len);
    return at->step ? MIN(one_s, table_time_at(at->step, len)) : one_s;
}

// Sets the times of messages to those of one with this peer.
static void look_up(Walker *x, int peer, size_t len)
{
    const int level = level_of(x, peer);
    if (level == x->level && len == x->len)
        return;
    x->level = level;
    x->len = len;
    x->gap_s = table_time_at(x->figures->level[level].gap, len);
    x->way_s = way_at(&x->figures->level[level], len);
}

// Begins a send. A port takes the messages in the order of issue.
static Open send(Walker *x, int to, size_t len)
{
    const bool single = x->figures->ports == 1;
    look_up(x, to, len);
    const double gap_s = x->gap_s, begin_s = single ? MAX(x->now_s, x->out_s) : x->now_s,
                 begin_after_s = single ? MAX(x->after_s, x->out_after_s) : x->after_s;
    if (to == x->to && --x->nth == 0) {
        x->there = true;
        x->now_s = begin_s;
        x->after_s = begin_after_s;
    }
    x->out_s = begin_s + gap_s;
    x->out_after_s = begin_after_s + gap_s;
    x->out_sum_s += gap_s;
    x->longest = MAX(x->longest, len);
    x->shortest = x->sent == 0 ? len : MIN(x->shortest, len);
    x->sent_level = x->sent == 0 || x->level == x->sent_level ? x->level : ANY_LEVEL;
    x->sent++;
    return (Open){.end_s = x->out_s, .after_s = x->out_after_s, .ended = x->ended};
}

// Posts a receive. The transfer of a rendezvous message begins after that.
static Open receive(Walker *x, int from, size_t len)
{
    look_up(x, from, len);
    const bool eager = (int64_t)len <= x->figures->level[x->level].eager;
    if (G_UNLIKELY(x->n_received == x->max_received)) {
        x->max_received = MAX(64, 2 * x->max_received);
        x->received = g_renew(Received, x->received, x->max_received);
    }
    x->longest = MAX(x->longest, len);
    x->received[x->n_received++] = (Received){from, len};
    return (Open){
        .end_s = x->now_s + (eager ? x->gap_s : x->way_s), .posted_s = eager ? -1 : x->now_s, .receive = x->n_received};
}

// Counts what passes through the in-ports once a message has come. A port takes one message at a time, in an order that the
// text does not say. So if several are there, and one port has been busy for so long, the last of them began when it was
// free but for one gap.
static void count_in(Walker *x, const Open *open)
{
    x->in_sum_s += x->gap_s;
    x->in_most_s = MAX(x->in_most_s, x->gap_s);
    x->way_least_s = MIN(x->way_least_s, x->way_s);
    const double rest_s = x->way_least_s - x->in_most_s;
    x->now_s = MAX(x->now_s, x->in_sum_s / x->figures->ports + rest_s);
    if (open->posted_s < x->in_posted_s || x->figures->ports > 1)
        return;
    // The port is free first if it takes rendezvous messages in the order in which they were posted.
    x->in_posted_s = open->posted_s;
    x->in_s = MAX(x->in_s, open->posted_s) + x->gap_s;
    x->now_s = MAX(x->now_s, x->in_s + rest_s);
}

static void wait_for(Walker *x, const Open *open)
{
    x->now_s = MAX(x->now_s, open->end_s);
    if (open->receive == 0) {
        x->after_s = open->ended == x->ended ? MAX(x->after_s, open->after_s) : x->after_s;
        return;
    }
    const Received *message = &x->received[open->receive - 1];
    look_up(x, message->from, message->len);
    count_in(x, open);
    x->ended++;
    x->last = MAX(x->last, open->receive);
    x->after_s = x->out_after_s = 0;
}

// Waits for n of the open requests, from the one at index i on.
static void wait_all(Walker *x, guint i, guint n)
{
    // The sends first: what follows a receive need not wait for them.
    for (int receives = 0; receives < 2; receives++)
        for (guint k = i; k < i + n; k++)
            if ((g_array_index(x->open, Open, k).receive > 0) == receives)
                wait_for(x, &g_array_index(x->open, Open, k));
    g_array_remove_range(x->open, i, n);
}

static void go_on(CollRun *run, const CollIssue *op)
{
    Walker *x = (Walker *)run;
    const CollOpKind k = op->kind;
    const bool sends = k == COLL_SEND || k == COLL_SENDRECV || k == COLL_ISEND,
               receives = k == COLL_RECV || k == COLL_SENDRECV || k == COLL_IRECV;
    x->operations++;
    if (x->there || x->now_s >= x->enough_s)
        return;
    Open in, out;
    if (receives)
        in = receive(x, op->from, op->in->len);
    if (sends)
        out = send(x, op->to, op->out->len);
    if (x->there)
        return;
    if (k == COLL_SEND || k == COLL_SENDRECV)
        wait_for(x, &out);
    if (k == COLL_RECV || k == COLL_SENDRECV)
        wait_for(x, &in);
    if (k == COLL_ISEND || k == COLL_IRECV)
        g_array_append_vals(x->open, k == COLL_ISEND ? &out : &in, 1);
    if (k == COLL_WAIT)
        wait_all(x, x->open->len - 1 - (guint)op->n, 1);
    if (k == COLL_WAITALL)
        wait_all(x, x->open->len - (guint)op->n, (guint)op->n);
    if (k == COLL_REDUCE_OP) {
        const double work_s = measured_work_time(&x->figures->work[WORK_REDUCE], op->in->len);
        x->now_s += work_s;
        x->after_s += work_s;
    }
}

static void begin(Walker *x, const Platform *platform, const Mapping *map)
{
    *x = (Walker){
        .figures = platform->measured, .map = map, .open = g_array_new(FALSE, FALSE, sizeof(Open)), .level = -1};
    coll_run_init(&x->run, go_on);
    x->run.most_segments = COLL_MOST_SEGMENTS;
}

static void end(Walker *x)
{
    coll_run_clear(&x->run);
    g_array_unref(x->open);
    g_free(x->received);
}

// Runs a rank up to its nth message to rank `to`, or to its end if that is -1, or until its clock has come to enough_s.
// Returns true if it has come to its goal.
static bool run_to(Walker *x, const Operation *op, int rank, int to, int nth, double enough_s)
{
    coll_run_reset(&x->run);
    g_array_set_size(x->open, 0);
    *x = (Walker){.run = x->run,
                  .figures = x->figures,
                  .map = x->map,
                  .rank = rank,
                  .to = to,
                  .nth = nth,
                  .way_least_s = INFINITY,
                  .open = x->open,
                  .received = x->received,
                  .max_received = x->max_received,
                  .enough_s = enough_s,
                  .level = -1};
    const Coll view = coll_make(op->algorithm->collective, &op->c, rank, op->m, &x->run);
    op->algorithm->run(&view);
    if (x->now_s >= enough_s)
        return false;
    if (to < 0) { // a send ends when its port is free again
        x->now_s = MAX(x->now_s, MAX(x->out_s, x->out_sum_s / x->figures->ports));
        x->after_s = MAX(x->after_s, x->out_after_s);
    }
    return to < 0 || x->there;
}

// A step of a walk backwards: from a message's receiver to its sender.
typedef struct Hop {
    int level;
    size_t len; // of the message
} Hop;

// Goes from where the rank came, after run_to(), to the rank whose message it waited for last. Returns false if there is
// none.
static bool go_back(const Walker *x, int *rank, int *nth, Hop *hop)
{
    if (x->last == 0)
        return false;
    const Received *all = x->received, *last = &all[x->last - 1];
    *rank = last->from;
    *nth = 0;
    for (int i = 0; i < x->last; i++)
        *nth += all[i].from == last->from;
    *hop = (Hop){level_of(x, last->from), last->len};
    return true;
}

// ---- An operation ---------------------------------------------------------------------------------------------------

// A walk backwards, from the end of a rank. A rank on the way runs up to its nth message to rank `to`.
typedef struct Walk {
    int rank, to, nth;
    double follows_s, latest_s;
    Hop hop; // the last one
} Walk;

static Walk walk_from(int rank)
{
    return (Walk){.rank = rank, .to = -1};
}

// Runs the rank that the walk has come to, and goes on to the next one. Returns false if there is none.
static bool walk_on(Walker *x, const Operation *op, Walk *walk, double enough_s)
{
    const int rank = walk->rank;
    const bool comes = run_to(x, op, rank, walk->to, walk->nth, enough_s - walk->follows_s);
    walk->latest_s = MAX(walk->latest_s, x->now_s + walk->follows_s);
    if (!comes || !go_back(x, &walk->rank, &walk->nth, &walk->hop))
        return false;
    walk->to = rank;
    walk->follows_s += x->after_s + way_at(&x->figures->level[walk->hop.level], walk->hop.len);
    walk->latest_s = MAX(walk->latest_s, walk->follows_s);
    return true;
}

// A walk's latest time is a lower bound. Let E be the time at which a rank comes to its goal, and M the message whose
// receive it waits for last before it. Then E is at least what the rank's text takes alone, because a peer that is not
// ready only delays it; and E is at least the end of M, plus what the text has after M alone. M takes way_at() or longer,
// and begins when its sender comes to it. So the same holds of the sender, whose goal is M, and each rank adds what follows.
double path_bound(const Operation *op, const Platform *platform, const Mapping *map, double enough_s)
{
    const int p = op->c.p, from_root[] = {0, p - 1, p / 2, 1};
    double latest_s = 0;
    uint64_t operations = 0, most = 0;
    Walker x;
    begin(&x, platform, map);
    bool more = true;
    for (int i = 0; i < (int)G_N_ELEMENTS(from_root) && more; i++) {
        Walk walk = walk_from((op->c.root + from_root[i]) % p);
        for (bool back = true; back && more;) {
            back = walk_on(&x, op, &walk, enough_s);
            latest_s = MAX(latest_s, walk.latest_s);
            operations += x.operations;
            most = MAX(most, x.operations);
            more = latest_s < enough_s && operations < WALK_OPERATIONS + WALK_TEXTS * most;
        }
    }
    end(&x);
    return latest_s;
}

// ---- All lengths of segments ----------------------------------------------------------------------------------------

// Messages of the same length on a chain.
typedef struct PathLink {
    Hop hop;
    int n;
} PathLink;

struct PathForm {
    const Measured *figures;
    GArray *links; // of PathLink, from the end of the chain backwards
    int before;    // messages that leave the first rank of the chain before that of the chain, and are as long
    int sent;      // messages that leave the last rank of the chain; all are as long as this or longer
    Hop least;
};

// The most sources of a rank on the chain, the least elements of its messages, how many segments of full length these have
// at least, and any message has at most, in the text with segments, and the operations of all texts that are run, for each rank.
enum { SOURCES = 8, LEAST_ELEMENTS = 8, WHOLE_SEGMENTS = 3, MOST_SEGMENTS = 32, FORM_OPERATIONS = 32 };

// The ranks from which one rank receives.
typedef struct Sources {
    int n, from[SOURCES];
} Sources;

static bool is_source(const Sources *s, int rank)
{
    bool any = false;
    for (int i = 0; i < s->n; i++)
        any |= s->from[i] == rank;
    return any;
}

// Finds the ranks from which a rank has received up to its goal. Returns false if they are too many.
static bool find_sources(const Walker *x, Sources *s)
{
    s->n = 0;
    for (int i = 0; i < x->n_received; i++) {
        const int from = x->received[i].from;
        if (is_source(s, from))
            continue;
        if (s->n == SOURCES)
            return false;
        s->from[s->n++] = from;
    }
    return true;
}

// Returns true if the rank has received from these ranks alone, and the longest segment from rank `from` has `segment`
// bytes.
static bool received_segments(const Walker *x, const Sources *s, int from, size_t segment)
{
    size_t longest = 0;
    for (int i = 0; i < x->n_received; i++) {
        const Received *r = &x->received[i];
        if (!is_source(s, r->from))
            return false;
        longest = r->from == from ? MAX(longest, r->len) : longest;
    }
    return longest == segment;
}

static void add_link(PathForm *form, const Hop *hop)
{
    PathLink *last = form->links->len ? &g_array_index(form->links, PathLink, form->links->len - 1) : NULL;
    const PathLink link = {*hop, 1};
    if (last && last->hop.level == hop->level && last->hop.len == hop->len)
        last->n++;
    else
        g_array_append_val(form->links, link);
}

// Sets op's segments. Returns false if the algorithm cannot run with them.
static bool set_segment(Operation *op, const CollParam *segment, size_t bytes)
{
    const char *why;
    param_set(segment, &op->c.par, (int64_t)bytes);
    op->c = coll_make(op->algorithm->collective, &op->c, op->c.root, op->m, NULL);
    return coll_resolve(op->algorithm, &op->c, &why) == op->algorithm;
}

// Returns how many segments leave the first rank of the chain, through its only port, before the last one that is not
// shorter than the others.
static double segments_before(const PathForm *form, const Hop *first, size_t segment)
{
    return form->figures->ports > 1 ? 0 : (form->before + 1) * floor((double)first->len / (double)segment) - 1;
}

// Returns how many segments leave the last rank that are not shorter than the others.
static double sent_segments(const PathForm *form, size_t segment)
{
    return form->sent == 0 ? 0 : form->sent * floor((double)form->least.len / (double)MIN(segment, form->least.len));
}

// Returns how long they occupy its only port.
static double sent_time(const PathForm *form, size_t segment)
{
    const size_t len = MIN(segment, form->least.len);
    double gap_s = INFINITY;
    for (int i = 0; i < form->figures->n_levels && form->sent > 0; i++)
        if (form->least.level == ANY_LEVEL || form->least.level == i)
            gap_s = MIN(gap_s, table_time_at(form->figures->level[i].gap, len));
    return form->sent > 0 ? sent_segments(form, segment) * gap_s : 0;
}

// Notes what leaves the last rank, if its segments are no less.
static void find_sent(PathForm *form, const Walker x[2], size_t segment)
{
    if (x->figures->ports > 1 || x[0].sent == 0 || x[0].shortest < WHOLE_SEGMENTS * segment)
        return;
    form->sent = x[0].sent;
    form->least = (Hop){x[0].sent_level, x[0].shortest};
    const double sent = sent_segments(form, segment);
    if (x[1].sent < sent || x[1].out_sum_s < sent_time(form, segment) * (1 - 1e-9))
        form->sent = 0;
}

// Adds the links of a walk, as long as the same walk with segments goes the same way.
static void find_links(PathForm *form, Walker x[2], const Operation op[2], int rank, size_t segment)
{
    Walk whole = walk_from(rank), cut = whole;
    Sources sources;
    uint64_t operations = 0;
    while (operations < FORM_OPERATIONS * (uint64_t)op->c.p + WALK_OPERATIONS) {
        const bool more = walk_on(&x[0], &op[0], &whole, INFINITY);
        if (x[0].longest > MOST_SEGMENTS * segment) // the text with segments would be long
            return;
        const bool cut_more = walk_on(&x[1], &op[1], &cut, INFINITY);
        const PathLink *last = form->links->len ? &g_array_index(form->links, PathLink, form->links->len - 1) : NULL;
        operations += x[0].operations + x[1].operations;
        if (x[0].to < 0)
            find_sent(form, x, segment);
        if (last && x[0].there && x[1].there && x[0].shortest >= last->hop.len && x[0].sent_level == last->hop.level) {
            form->before = x[0].sent - 1;
            const size_t len = MIN(segment, last->hop.len);
            const double gap_s = table_time_at(x->figures->level[last->hop.level].gap, len),
                         n = segments_before(form, &last->hop, len);
            if (x[1].sent < n || x[1].out_sum_s < n * gap_s * (1 - 1e-9))
                form->before = 0;
        }
        if (!more || !cut_more || whole.rank != cut.rank || whole.hop.len < WHOLE_SEGMENTS * segment ||
            !find_sources(&x[0], &sources) || !received_segments(&x[1], &sources, whole.rank, segment))
            return;
        add_link(form, &whole.hop);
        form->before = 0;
    }
}

static PathForm *form_new(const Platform *platform)
{
    PathForm *form = g_new0(PathForm, 1);
    form->figures = platform->measured;
    form->links = g_array_new(FALSE, FALSE, sizeof(PathLink));
    return form;
}

// Returns how long the chain takes with segments of so many bytes.
static double chain_time(const PathForm *form, size_t segment)
{
    double s = 0;
    for (guint i = 0; i < form->links->len; i++) {
        const PathLink *link = &g_array_index(form->links, PathLink, i);
        const MeasuredLevel *at = &form->figures->level[link->hop.level];
        const size_t len = MIN(segment, link->hop.len);
        s += link->n * way_at(at, len);
        if (i + 1 == form->links->len)
            s += segments_before(form, &link->hop, len) * table_time_at(at->gap, len);
    }
    return s;
}

// Gives `best` what is longer in `other` with segments of so many bytes, and frees `other`.
static void take_longer(PathForm *best, PathForm *other, size_t segment)
{
    if (sent_time(other, segment) > sent_time(best, segment)) {
        best->sent = other->sent;
        best->least = other->least;
    }
    if (chain_time(other, segment) > chain_time(best, segment)) {
        GArray *links = best->links;
        best->before = other->before;
        best->links = other->links;
        other->links = links;
    }
    path_form_free(other);
}

PathForm *path_form(const Operation *op, const CollParam *segment, const Platform *platform, const Mapping *map)
{
    const int p = op->c.p, from_root[] = {p - 1, 0, p / 2};
    Operation of[2] = {*op, *op};
    Walker x[2];
    // Another parameter may cut off only the first part of a message.
    if (strcmp(segment->name, "segment") != 0 || !set_segment(&of[0], segment, 0))
        return NULL;
    PathForm *best = form_new(platform);
    begin(&x[0], platform, map);
    begin(&x[1], platform, map);
    for (size_t i = 0; i < G_N_ELEMENTS(from_root); i++) {
        const int rank = (op->c.root + from_root[i]) % p;
        Walk first = walk_from(rank);
        const size_t len = walk_on(&x[0], &of[0], &first, INFINITY) ? first.hop.len : x[0].shortest;
        if (len < LEAST_ELEMENTS * op->c.elem)
            continue;
        // Neither all segments have the same length, nor are they a whole number of this length.
        const size_t length = len * 2 / 7 / op->c.elem * op->c.elem;
        PathForm *form = form_new(platform);
        if (set_segment(&of[1], segment, length))
            find_links(form, x, of, rank, length);
        take_longer(best, form, length);
    }
    end(&x[0]);
    end(&x[1]);
    return best;
}

void path_form_free(PathForm *form)
{
    if (!form)
        return;
    g_array_unref(form->links);
    g_free(form);
}

double path_form_time(const PathForm *form, size_t segment)
{
    const size_t cut = segment == 0 ? SIZE_MAX : segment;
    return MAX(chain_time(form, cut), sent_time(form, cut));
}

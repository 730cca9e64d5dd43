#include "search/form/path_bound.h"
#include "search/form/segment_bound.h"
#include "api/make.h"
#include "search/form/path_walk.h"
#include "search/form/text_samples.h"
#include "registry/composition.h"
#include <math.h>
#include <string.h>

// Walks end when they have issued this many operations and, times WALK_TEXTS, those of the longest text. After MOST_WALKED
// they end with the text that is being run: where texts are so long, what one rank does is nearly all of the bound.
enum { WALK_OPERATIONS = 1 << 12, WALK_TEXTS = 4, MOST_WALKED = 1 << 19 };

// ---- An operation ---------------------------------------------------------------------------------------------------

// A walk backwards, from the end of a rank. A rank on the way runs up to its nth message to rank `to`.
typedef struct ChainWalk {
    int rank, to, nth;
    double follows_s, latest_s;
    Hop hop; // the last one
} ChainWalk;

static ChainWalk walk_from(int rank)
{
    return (ChainWalk){.rank = rank, .to = -1};
}

// Runs the rank that the walk has come to, and goes on to the next one. Returns false if there is none.
static bool walk_on(Walker *x, const Operation *op, ChainWalk *walk, double enough_s)
{
    const int rank = walk->rank;
    const bool comes = walker_run(x, op, rank, walk->to, walk->nth, enough_s - walk->follows_s);
    walk->latest_s = MAX(walk->latest_s, x->now_s + walk->follows_s);
    if (!comes || !walker_back(x, &walk->rank, &walk->nth, &walk->hop))
        return false;
    walk->to = rank;
    walk->follows_s += x->after_s + path_way(x->costs, walk->hop.level, walk->hop.len);
    walk->latest_s = MAX(walk->latest_s, walk->follows_s);
    return true;
}

// A walk's latest time is a lower bound. Let E be the time at which a rank comes to its goal, and M the message whose
// receive it waits for last before it. Then E is at least what the rank's text takes alone, because a peer that is not
// ready only delays it; and E is at least the end of M, plus what the text has after M alone. M takes path_way() or
// longer, and begins when its sender comes to it. So the same holds of the sender, whose goal is M, and each rank adds
// what follows.
double path_bound(const Operation *op, const Platform *platform, Transfer transfer, const Mapping *map, double enough_s)
{
    const int p = op->c.p, from_root[] = {0, p - 1, p / 2, 1};
    double latest_s = 0;
    uint64_t operations = 0, most = 0;
    PathCosts costs;
    Walker x;
    path_costs_begin(&costs, platform, transfer, map);
    walker_begin(&x, &costs);
    bool more = true;
    const int samples = costs.site ? (int)G_N_ELEMENTS(from_root) : text_samples(op, G_N_ELEMENTS(from_root));
    for (int i = 0; i < samples && more; i++) {
        ChainWalk walk = walk_from((op->c.root + from_root[i]) % p);
        for (bool back = true; back && more;) {
            back = walk_on(&x, op, &walk, enough_s);
            latest_s = MAX(latest_s, walk.latest_s);
            operations += x.operations;
            most = MAX(most, x.operations);
            more = latest_s < enough_s && operations < MIN(WALK_OPERATIONS + WALK_TEXTS * most, MOST_WALKED);
        }
    }
    walker_end(&x);
    path_costs_end(&costs);
    return latest_s;
}

// ---- All lengths of segments ----------------------------------------------------------------------------------------

// Messages of the same length on a chain.
typedef struct PathLink {
    Hop hop;
    int n;
} PathLink;

struct PathForm {
    PathCosts own; // unless another form's serve
    const PathCosts *costs;
    GArray *links; // of PathLink, from the end of the chain backwards
    int before;    // messages that leave the first rank of the chain before that of the chain, and are as long
    int sent;      // messages that leave the last rank of the chain; all are as long as this or longer
    Hop least;
};

// The least elements of messages on a chain, how many segments of full length these have at least, and any message has
// at most, in the text with segments, and the operations of all texts that are run, for each rank.
enum { LEAST_ELEMENTS = 8, WHOLE_SEGMENTS = 3, MOST_SEGMENTS = 32, FORM_OPERATIONS = 32 };

// Finds the ranks from which a rank has received up to its goal.
static Peers sources(const Walker *x)
{
    Peers from = {0};
    for (int i = 0; i < x->n_received; i++)
        peers_add(&from, x->received[i].from);
    return from;
}

// Returns true if with segments, x[1], a rank has received from no other ranks, and from rank `from` all segments of
// what it has received from there without; the longest has `segment` bytes.
static bool received_segments(const Walker x[2], int from, size_t segment)
{
    const Peers of = sources(&x[0]);
    size_t longest = 0, left = 0;
    for (int i = 0; i < x[0].n_received; i++)
        left += x[0].received[i].from == from ? (x[0].received[i].len + segment - 1) / segment : 0;
    for (int i = 0; i < x[1].n_received; i++) {
        const Received *r = &x[1].received[i];
        if (!peers_have(&of, r->from))
            return false;
        longest = r->from == from ? MAX(longest, r->len) : longest;
        left -= r->from == from && left > 0;
    }
    return longest == segment && left == 0;
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
    return form->costs->ports > 1 ? 0 : (form->before + 1) * floor((double)first->len / (double)segment) - 1;
}

// Returns how many segments leave the last rank that are not shorter than the others.
static double sent_segments(const PathForm *form, size_t segment)
{
    return form->sent == 0 ? 0 : form->sent * floor((double)form->least.len / (double)MIN(segment, form->least.len));
}

// Segments of any length from `shortest` to `longest` bytes; both are SIZE_MAX if nothing is cut.
typedef struct Cuts {
    size_t shortest, longest;
} Cuts;

// Returns how long they occupy its only port at least.
static double sent_time(const PathForm *form, Cuts segments)
{
    const size_t len = MIN(segments.shortest, form->least.len);
    double gap_s = INFINITY;
    for (int i = 0; i < form->costs->n_levels && form->sent > 0; i++)
        if (form->least.level == ANY_LEVEL || form->least.level == i)
            gap_s = MIN(gap_s, path_gap(form->costs, i, len));
    return form->sent > 0 ? sent_segments(form, segments.longest) * gap_s : 0;
}

static bool same_peers(const Peers *a, const Peers *b)
{
    bool all = a->n == b->n && a->n <= PEERS;
    for (int i = 0; i < a->n && all; i++)
        all = peers_have(b, a->rank[i]);
    return all;
}

// Returns true if a rank sends at most `segment` bytes at a time, at least n times, and so occupies its port for at
// least `port_s`.
static bool sends_segments(const Walker *x, double n, size_t segment, double port_s)
{
    return x->longest_sent <= segment && x->sent >= n && x->out_sum_s >= port_s * (1 - 1e-9);
}

// Notes what leaves the last rank, unless its segments are shorter than `segment`.
static void find_sent(PathForm *form, const Walker x[2], size_t segment)
{
    if (x->costs->ports > 1 || x[0].sent == 0 || x[0].shortest < WHOLE_SEGMENTS * segment)
        return;
    form->sent = x[0].sent;
    form->least = (Hop){same_peers(&x[0].to, &x[1].to) ? x[0].sent_level : ANY_LEVEL, x[0].shortest};
    const double sent = sent_segments(form, segment);
    if (!sends_segments(&x[1], sent, segment, sent_time(form, (Cuts){segment, segment})))
        form->sent = 0;
}

// Adds the links of a walk, as long as the same walk with segments goes the same way.
static void find_links(PathForm *form, Walker x[2], const Operation op[2], int rank, size_t segment)
{
    ChainWalk whole = walk_from(rank), cut = whole;
    uint64_t operations = 0;
    while (operations < FORM_OPERATIONS * (uint64_t)op->c.p + WALK_OPERATIONS) {
        const bool more = walk_on(&x[0], &op[0], &whole, INFINITY);
        if (x[0].longest > MOST_SEGMENTS * segment) // the text with segments would be long
            return;
        const bool cut_more = walk_on(&x[1], &op[1], &cut, INFINITY);
        const PathLink *last = form->links->len ? &g_array_index(form->links, PathLink, form->links->len - 1) : NULL;
        operations += x[0].operations + x[1].operations;
        if (x[0].goal < 0)
            find_sent(form, x, segment);
        if (last && x[0].there && x[1].there && x[0].shortest >= last->hop.len && x[0].sent_level == last->hop.level &&
            same_peers(&x[0].to, &x[1].to)) {
            form->before = x[0].sent - 1;
            const size_t len = MIN(segment, last->hop.len);
            const double gap_s = path_gap(form->costs, last->hop.level, len),
                         n = segments_before(form, &last->hop, len);
            if (!sends_segments(&x[1], n, segment, n * gap_s))
                form->before = 0;
        }
        if (!more || !cut_more || whole.rank != cut.rank || whole.hop.len < WHOLE_SEGMENTS * segment ||
            !received_segments(x, whole.rank, segment))
            return;
        add_link(form, &whole.hop);
        form->before = 0;
    }
}

// Makes an empty form; with NULL it has costs of its own.
static PathForm *form_new(const PathCosts *costs)
{
    PathForm *form = g_new0(PathForm, 1);
    form->costs = costs ? costs : &form->own;
    form->links = g_array_new(FALSE, FALSE, sizeof(PathLink));
    return form;
}

// Returns how long the chain takes at least: as many segments as the longest make, each as fast as the shortest.
static double chain_time(const PathForm *form, Cuts segments)
{
    double s = 0;
    for (guint i = 0; i < form->links->len; i++) {
        const PathLink *link = &g_array_index(form->links, PathLink, i);
        const size_t len = MIN(segments.shortest, link->hop.len);
        s += link->n * path_way(form->costs, link->hop.level, len);
        if (i + 1 == form->links->len)
            s += segments_before(form, &link->hop, MIN(segments.longest, link->hop.len)) *
                 path_gap(form->costs, link->hop.level, len);
    }
    return s;
}

// Gives `best` the parts of `other` that take longer with segments of this many bytes, and frees `other`.
static void take_longer(PathForm *best, PathForm *other, size_t segment)
{
    const Cuts segments = {segment, segment};
    if (sent_time(other, segments) > sent_time(best, segments)) {
        best->sent = other->sent;
        best->least = other->least;
    }
    if (chain_time(other, segments) > chain_time(best, segments)) {
        GArray *links = best->links;
        best->before = other->before;
        best->links = other->links;
        other->links = links;
    }
    path_form_free(other);
}

PathForm *path_form(const Operation *op, const CollParam *segment, const Platform *platform, Transfer transfer,
                    const Mapping *map)
{
    const int p = op->c.p, from_root[] = {p - 1, 0, p / 2};
    Operation of[2] = {*op, *op};
    Walker x[2];
    // A limit may cut off only the first part of a message.
    if (!segment_is_length(segment) || !set_segment(&of[0], segment, 0))
        return NULL;
    PathForm *best = form_new(NULL);
    path_costs_begin(&best->own, platform, transfer, map);
    walker_begin(&x[0], best->costs);
    walker_begin(&x[1], best->costs);
    for (size_t i = 0; i < G_N_ELEMENTS(from_root); i++) {
        const int rank = (op->c.root + from_root[i]) % p;
        ChainWalk first = walk_from(rank);
        const size_t len = walk_on(&x[0], &of[0], &first, INFINITY) ? first.hop.len : x[0].shortest;
        if (len < LEAST_ELEMENTS * op->c.elem)
            continue;
        // Segments of this length do not divide `len`, so the last one is shorter.
        const size_t length = len * 2 / 7 / op->c.elem * op->c.elem;
        PathForm *form = form_new(best->costs);
        if (set_segment(&of[1], segment, length))
            find_links(form, x, of, rank, length);
        take_longer(best, form, length);
    }
    walker_end(&x[0]);
    walker_end(&x[1]);
    return best;
}

void path_form_free(PathForm *form)
{
    if (!form)
        return;
    g_array_unref(form->links);
    if (form->costs == &form->own)
        path_costs_end(&form->own);
    g_free(form);
}

static double form_time(const PathForm *form, Cuts segments)
{
    return fmax(chain_time(form, segments), sent_time(form, segments));
}

double path_form_time(const PathForm *form, size_t segment)
{
    const size_t cut = segment == 0 ? SIZE_MAX : segment;
    return form_time(form, (Cuts){cut, cut});
}

double path_form_least(const PathForm *form, size_t shortest, size_t longest)
{
    double least_s = path_form_time(form, 0);
    for (size_t from = shortest; from < longest;) {
        const size_t to = from + from / 16 + 1;
        least_s = fmin(least_s, form_time(form, (Cuts){from, to}));
        from = to;
    }
    return least_s;
}

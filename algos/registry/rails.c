// Groups of ranks that use several connections of a node, and the order of their blocks.
#include "registry/rails.h"
#include "api/blocks.h"
#include "api/communicate.h"
#include "registry/composition.h"
#include "shapes/node.h"
#include <glib.h>

// ---- Groups --------------------------------------------------------------------------------------------------------

static int share_size(const Coll *c)
{
    return c->nodes->equal / c->par.leaders;
}

int rails_shares(const Coll *c, int node)
{
    return MIN(c->par.leaders, coll_nodes_size(c->nodes, node));
}

RailsShare rails_share(const Coll *c, int node, int share)
{
    const int n = rails_shares(c, node), k = coll_nodes_size(c->nodes, node), size = k / n, longer = k % n;
    return (RailsShare){.first = share * size + MIN(share, longer), .size = size + (share < longer)};
}

int rails_share_of(const Coll *c, int rank)
{
    const int node = c->nodes->of[rank], n = rails_shares(c, node), k = coll_nodes_size(c->nodes, node);
    const int local = c->nodes->local[rank], size = k / n, longer = k % n;
    return local < longer * (size + 1) ? local / (size + 1) : (local - longer) / size;
}

static int rank_in_share(const Coll *up, int i)
{
    const CollNodes *nodes = up->nodes;
    const int node = nodes->of[up->rank];
    return nodes->member[nodes->first[node] + rails_share(up, node, rails_share_of(up, up->rank)).first + i];
}

static Coll share_group(const Coll *c)
{
    const RailsShare share = rails_share(c, c->nodes->of[c->rank], rails_share_of(c, c->rank));
    Coll group = coll_sub(c, share.size, c->nodes->local[c->rank] - share.first, rank_in_share);
    group.level = COLL_INNER_LEVEL;
    return group;
}

static int leader_in_node(const Coll *up, int i)
{
    return up->nodes->member[up->nodes->first[up->nodes->of[up->rank]] + i * share_size(up)];
}

static int leader_of_all(const Coll *up, int i)
{
    return up->nodes->member[i * share_size(up)];
}

static int counterpart(const Coll *up, int i)
{
    const int size = share_size(up);
    return up->nodes->member[i * size + up->nodes->local[up->rank] % size];
}

Coll rails_group(const Coll *c, RailsGroup kind)
{
    Coll group = *c;
    if (kind == RAILS_ALL)
        return group;
    if (kind == RAILS_LANE)
        return coll_lane(c);
    if (kind == RAILS_NODE) {
        group = coll_node_under(c, LEADER_FIRST);
        group.root = 0;
        return group;
    }
    if (kind == RAILS_SHARE)
        return share_group(c);
    const int size = share_size(c), local = c->nodes->local[c->rank], share = local / size;
    const int of_all = c->nodes->of[c->rank] * c->par.leaders + share;
    const bool leads = local % size == 0;
    if (kind == RAILS_COUNTERPARTS)
        return coll_sub(c, c->nodes->n * c->par.leaders, of_all, counterpart);
    if (kind == RAILS_NODE_LEADERS)
        group = coll_sub(c, c->par.leaders, leads ? share : -1, leader_in_node);
    else
        return coll_sub(c, c->nodes->n * c->par.leaders, leads ? of_all : -1, leader_of_all);
    group.level = COLL_INNER_LEVEL;
    return group;
}

static bool part_can(const Coll *c, int i, int rank)
{
    Coll one = *c;
    one.rank = rank;
    const Coll group = rails_group(&one, c->par.of->groups[i]);
    return coll_can(&group, c->par.part[i]);
}

// All ranks must come to the same answer. Nodes of one size are alike, so each rank asks for the groups of the first
// rank of one of them, and for those of the last if shares may differ in size.
// It asks with the buffers of the whole operation: a need that asks for a length has a fallback, so the length does not
// matter.
static bool parts_can(const Coll *c)
{
    bool can = true;
    for (int i = 0; can && i < COLL_MAX_PARTS && c->par.part[i]; i++) {
        if (c->par.of->groups[i] == RAILS_ALL) {
            can = part_can(c, i, c->rank);
            continue;
        }
        for (int size = 0; can && size < c->nodes->n_sizes; size++) {
            const int *end = c->nodes->first + c->nodes->sized[size], *member = c->nodes->member;
            can = part_can(c, i, member[end[0]]) && (c->nodes->equal || part_can(c, i, member[end[1] - 1]));
        }
    }
    return can;
}

const CollNeed need_group_parts = {parts_can, "a part cannot run", "parts that can run"};

static bool leaders_divide(const Coll *c)
{
    const int k = coll_nodes_equal(c->nodes);
    return k > 0 && k % c->par.leaders == 0;
}

const CollNeed need_leaders = {leaders_divide, "the nodes are not of equal size, or leaders do not divide it",
                               "nodes of equal size, which leaders divides"};

static bool shares_are_several(const Coll *c)
{
    return c->par.leaders < coll_nodes_equal(c->nodes);
}

const CollNeed need_several_in_shares = {shares_are_several, "a share has one rank", "shares of several ranks"};

// ---- Blocks --------------------------------------------------------------------------------------------------------

// Writes of[..], or the numbers themselves if `of` is NULL, column by column.
static const int *columns_of(const Coll *c, int rows, int columns, int run, const int *of)
{
    int *which = coll_ints(c, (size_t)rows * (size_t)columns * (size_t)run), n = 0;
    for (int column = 0; column < columns; column++)
        for (int row = 0; row < rows; row++)
            for (int i = 0, at = (row * columns + column) * run; i < run; i++)
                which[n++] = of ? of[at + i] : at + i;
    return which;
}

const int *rails_order(const Coll *c, int shares)
{
    if (shares == c->nodes->equal)
        return c->nodes->lane;
    return columns_of(c, c->nodes->n, shares, c->nodes->equal / shares, c->nodes->member);
}

int rails_full_lanes(const CollNodes *nodes)
{
    int least = coll_nodes_size(nodes, 0);
    for (int i = 0; i < nodes->n_sizes; i++)
        least = MIN(least, coll_nodes_size(nodes, nodes->sized[i]));
    return least;
}

static Slice block_of_lane(const Blocks *lanes, int number)
{
    return number < lanes->n ? block(lanes, number) : slice_at(lanes->all, lanes->all.len, 0);
}

Coll rails_lane(const Coll *c, Slice vector)
{
    Coll lane = rails_group(c, RAILS_LANE);
    const Blocks lanes = blocks_even(c, vector, rails_full_lanes(c->nodes));
    lane.root = c->nodes->of[c->root];
    lane.in = lane.out = block_of_lane(&lanes, c->nodes->local[c->rank]);
    return lane;
}

// Writes where n blocks of these lengths begin if they lie one after the other, and where the last one ends.
static void place_one_by_one(const size_t *len, int n, size_t *at)
{
    at[0] = 0;
    for (int i = 0; i < n; i++)
        at[i + 1] = at[i] + len[i];
}

CollCounts rails_one_by_one(const Coll *c, const size_t *len, int n)
{
    size_t *at = coll_sizes(c, (size_t)n + 1);
    place_one_by_one(len, n, at);
    return (CollCounts){.len = len, .at = at};
}

const CollNodes *rails_share_equally(const Coll *c, Slice s)
{
    const CollNodes *nodes = coll_nodes(c);
    const size_t elements = s.len / c->elem;
    const bool equal = nodes && nodes->n > 1 && nodes->equal > 1;
    return equal && elements % (size_t)nodes->n == 0 && elements % (size_t)c->p != 0 ? nodes : NULL;
}

// Writes the lengths of the blocks of all ranks where a node has key.first elements of key.second bytes, and behind them
// where they begin.
static void make_cut(const Coll *c, CollKey key, size_t *len)
{
    const CollNodes *nodes = coll_nodes(c);
    const size_t k = (size_t)nodes->equal;
    for (int i = 0; i < c->p; i++)
        len[i] = (key.first / k + ((size_t)nodes->local[i] < key.first % k)) * key.second;
    place_one_by_one(len, c->p, len + c->p);
}

Blocks rails_cut(const Coll *c, Slice s, CollCounts *counts)
{
    const CollNodes *nodes = rails_share_equally(c, s);
    if (!nodes)
        return blocks_even(c, s, c->p);
    const size_t p = (size_t)c->p;
    const CollKey key = {s.len / c->elem / (size_t)nodes->n, c->elem};
    const size_t *len = coll_nodes_sizes(c, make_cut, key, 2 * p + 1);
    *counts = (CollCounts){.len = len, .at = len + p};
    return (Blocks){.all = s, .n = c->p, .elem = c->elem, .counts = counts};
}

void rails_lane_blocks(const Coll *c, Coll *node, CollCounts *counts, Slice vector)
{
    node->counts = NULL;
    node->counts_shift = 0;
    if (coll_nodes_equal(c->nodes))
        return;
    size_t *len = coll_sizes(c, (size_t)node->p);
    const Blocks lanes = blocks_even(c, vector, rails_full_lanes(c->nodes));
    for (int i = 0; i < node->p; i++)
        len[i] = block_of_lane(&lanes, i).len;
    *counts = rails_one_by_one(c, len, node->p);
    node->counts = counts;
}

int rails_holder(int lanes, int node, int number)
{
    return number < lanes ? number : (node + number) % lanes;
}

// Writes RailsHands.first, and behind it RailsHands.order.
static void make_hands(const Coll *c, CollKey key, int *first)
{
    (void)key;
    const CollNodes *nodes = c->nodes;
    const int lanes = rails_full_lanes(nodes);
    int *order = first + lanes * nodes->n + 1, n = 0;
    for (int lane = 0; lane < lanes; lane++)
        for (int node = 0; node < nodes->n; node++) {
            const int *member = coll_nodes_members(nodes, node), size = coll_nodes_size(nodes, node);
            first[lane * nodes->n + node] = n;
            order[n++] = member[lane];
            // The first number from `lanes` on whose holder this is.
            const int from = lanes + (lane + lanes - rails_holder(lanes, node, lanes)) % lanes;
            for (int number = from; number < size; number += lanes)
                order[n++] = member[number];
        }
    first[lanes * nodes->n] = n;
}

RailsHands rails_hands(const Coll *c)
{
    const int lanes = rails_full_lanes(c->nodes), places = lanes * c->nodes->n + 1;
    const int *first = coll_nodes_table(c, make_hands, (CollKey){0}, (size_t)places + (size_t)c->p);
    return (RailsHands){.lanes = lanes, .order = first + places, .first = first};
}

void rails_let_have(Coll *view, CollCounts *counts, const Blocks *b, const RailsHands *hands, const int *first,
                    int step, int n)
{
    size_t *len = coll_sizes(view, (size_t)view->p);
    for (int i = 0; i < view->p; i++) {
        const int begin = i < n ? first[i * step] : 0, end = i < n ? first[(i + 1) * step] : 0;
        len[i] = blocks_total(b, end - begin, hands->order + begin);
    }
    *counts = rails_one_by_one(view, len, view->p);
    view->counts = counts;
    view->counts_shift = 0;
}

const int *rails_by_number(const Coll *c, int size)
{
    return size == c->nodes->equal ? c->nodes->lane : columns_of(c, c->p / size, size, 1, c->nodes->member);
}

const int *rails_columns(const Coll *c, int rows, int columns, int run)
{
    return columns_of(c, rows, columns, run, NULL);
}

CollCounts rails_lengths(const Coll *c, const Blocks *b, const int *which, int n, int size)
{
    size_t *len = coll_sizes(c, (size_t)n);
    for (int i = 0; i < n; i++)
        len[i] = blocks_total(b, size, which + i * size);
    return rails_one_by_one(c, len, n);
}

void rails_chunks(Coll *view, CollCounts *counts, const Blocks *b, const int *which, int size)
{
    view->counts = NULL;
    view->counts_shift = 0;
    if (b->counts || b->longer > 0) {
        *counts = rails_lengths(view, b, which, view->p, size);
        view->counts = counts;
    }
}

void rails_exchanged(Coll *view, CollCounts *counts, const Blocks *b, const int *which, int size)
{
    view->counts = NULL;
    if (!b->counts)
        return;
    const int p = view->p;
    size_t *len = coll_sizes(view, (size_t)p), *at = coll_sizes(view, (size_t)p + 1), end = 0;
    for (int i = 0; i < p; i++) {
        const int number = (view->rank + i) % p;
        len[number] = blocks_total(b, size, which + i * size);
        at[number] = end;
        end += len[number];
    }
    at[p] = end;
    *counts = (CollCounts){.len = len, .at = at};
    view->counts = counts;
    view->counts_shift = view->rank;
}

Blocks rails_copies(const Coll *c, Slice s, CollCounts *counts, const Blocks *b, const int *which, int n)
{
    if (!b->counts && b->all.len % ((size_t)b->n * b->elem) == 0)
        return blocks_even(c, s, n);
    *counts = rails_lengths(c, b, which, n, 1);
    return (Blocks){.all = s, .n = n, .elem = b->elem, .counts = counts};
}

// ---- Nodes that meet in rounds --------------------------------------------------------------------------------------

int rails_partner(int node, int round, int n)
{
    const int itself = 2 * node % n;
    return round == n - 1 ? node : (n + (round < itself ? round : round + 1) - node) % n;
}

void rails_tell(const Coll *c, const CollAlgorithm *allgather, size_t bytes)
{
    Coll node = coll_node_under(c, LEADER_FIRST);
    node.elem = bytes;
    node.in = coll_scratch(c, bytes);
    node.out = coll_scratch(c, (size_t)node.p * bytes);
    coll_call(&node, allgather);
}

// ---- Symmetry ------------------------------------------------------------------------------------------------------

// Returns true if ranks that have the same number in two nodes see their nodes alike, and if the distance of two nodes
// is that of their numbers.
static bool regular(const Coll *c)
{
    const CollNodes *inner = c->nodes->inner;
    return c->nodes->equal && c->nodes->ordered && (!inner || (inner->equal && inner->ordered));
}

// Returns the number of the caller's node, counted from the root's.
static int node_v(const Coll *c)
{
    const int n = c->nodes->of[c->rank] - c->nodes->of[c->root];
    return n < 0 ? n + c->nodes->n : n;
}

// Returns the v of the rank that has the caller's number in the node that is `ahead` nodes behind the root's; if that
// is not smaller than the caller's v, returns the caller's.
static int v_in_node(const Coll *c, int ahead)
{
    Coll other = *c;
    other.rank = (c->nodes->of[c->root] + ahead) % c->nodes->n * c->nodes->equal + c->nodes->local[c->rank];
    return MIN(coll_v(&other), coll_v(c));
}

int rails_same_lane(const Coll *c, const Coll *lane, const CollAlgorithm *part, bool rooted)
{
    // Blocks of different lengths would be written in bytes, and differ from rank to rank.
    const size_t len = MAX(lane->in.len, lane->out.len), parts = (size_t)lane->p * c->elem;
    if (!regular(c) || len % parts != 0 || (rooted && node_v(c) == 0))
        return coll_v(c);
    const int like = (call_same(lane, part) + lane->root) % lane->p;
    const int ahead = (like - c->nodes->of[c->root] + c->nodes->n) % c->nodes->n;
    return rooted && ahead == 0 ? coll_v(c) : v_in_node(c, ahead);
}

int rails_same_across(const Coll *c, RailsGroup kind, const CollAlgorithm *part)
{
    const Coll here = rails_group(c, kind);
    Coll first = here; // the one of the first node that stands where the caller stands in its own
    first.rank = here.rank % c->par.leaders;
    return regular(c) && call_same(&here, part) == call_same(&first, part) ? v_in_node(c, 0) : coll_v(c);
}

int rails_same_node(const Coll *c, bool rooted)
{
    if (!regular(c) || (rooted && node_v(c) == 0))
        return coll_v(c);
    // Behind the root in its node, the ranks of the next node come first; the others begin with the root's node.
    return rooted ? v_in_node(c, 1) : MIN(v_in_node(c, 0), v_in_node(c, 1));
}

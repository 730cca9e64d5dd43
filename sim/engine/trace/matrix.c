#include "engine/trace/matrix.h"
#include "base/error.h"

// ---- Levels ---------------------------------------------------------------------------------------------------------

// Returns the units of ranks whose codes differ in at most `bits` low bits.
static CollNodes *units_of(const Mapping *map, int bits)
{
    g_autoptr(GHashTable) known = g_hash_table_new(g_int64_hash, g_int64_equal);
    g_autofree uint64_t *key = g_new(uint64_t, map->p);
    g_autofree int *of = g_new(int, map->p);
    for (int rank = 0; rank < map->p; rank++) {
        key[rank] = bits < 64 ? map->code[rank] >> bits : 0;
        gpointer unit = NULL;
        if (!g_hash_table_lookup_extended(known, &key[rank], NULL, &unit)) {
            unit = GINT_TO_POINTER((int)g_hash_table_size(known));
            g_hash_table_insert(known, &key[rank], unit);
        }
        of[rank] = GPOINTER_TO_INT(unit);
    }
    return coll_nodes_new(map->p, of);
}

// Returns in how many low bits the codes of two ranks of one unit of a level differ at most.
static int bits_of(const Mapping *map, int level)
{
    int bits = 0;
    while (bits < 64 && map->level_of_bits[bits + 1] <= level)
        bits++;
    return bits;
}

// Adds a level unless its units have one rank each. Takes the units.
static void add_level(Matrix *x, const char *name, CollNodes *units)
{
    if (units->n == x->p) {
        coll_nodes_free(units);
        return;
    }
    x->level[x->n_levels++] = (MatrixLevel){.name = name, .units = units};
}

static void find_levels(Matrix *x, const Mapping *map, const Levels *levels)
{
    if (!map)
        return;
    x->level = g_new0(MatrixLevel, map->n_levels + 1);
    if (map->code)
        for (int i = 0; i + 1 < map->n_levels; i++)
            add_level(x, levels->at[i].name, units_of(map, bits_of(map, i)));
    else
        add_level(x, "node", coll_nodes_new(map->p, map->nodes->of));
    if (x->n_levels > 0)
        x->level[x->n_levels++] = (MatrixLevel){.name = "far"};
}

// Sets how many ranks a cell has: the least number for at most `most` cells, or up to half as many more if the edges of
// cells are then edges of a level's units.
static void find_cells(Matrix *x, int most)
{
    const int least = (x->p + most - 1) / most;
    x->width = least;
    for (int i = x->n_levels - 2; i >= 0; i--) {
        const int block = coll_nodes_block(x->level[i].units);
        for (int width = least; block && width <= least + least / 2; width++)
            if (width % block == 0 || block % width == 0) {
                x->width = width;
                i = 0;
                break;
            }
    }
    x->n = (x->p + x->width - 1) / x->width;
    x->cell = g_new0(MatrixSum, (size_t)x->n * (size_t)x->n);
}

static Matrix *matrix_new(int p, const Mapping *map, const Levels *levels, int most)
{
    Matrix *x = g_new0(Matrix, 1);
    x->p = p;
    find_levels(x, map, levels);
    find_cells(x, CLAMP(most, 1, MATRIX_CELLS));
    return x;
}

void matrix_free(Matrix *x)
{
    if (!x)
        return;
    for (int i = 0; i < x->n_levels; i++)
        coll_nodes_free(x->level[i].units);
    g_free(x->level);
    g_free(x->cell);
    g_free(x);
}

// ---- Messages -------------------------------------------------------------------------------------------------------

static void add_sum(MatrixSum *to, uint64_t messages, uint64_t bytes)
{
    to->messages += messages;
    to->bytes += bytes;
}

// Adds the same `times` times.
static void add_times(MatrixSum *to, const MatrixSum *each, int times)
{
    add_sum(to, each->messages * (uint64_t)times, each->bytes * (uint64_t)times);
}

// Adds messages from one rank to another one.
static void add_pair(Matrix *x, int from, int to, uint64_t messages, uint64_t bytes)
{
    add_sum(&x->cell[(size_t)(from / x->width) * (size_t)x->n + (size_t)(to / x->width)], messages, bytes);
    add_sum(&x->all, messages, bytes);
    for (int i = 0; i < x->n_levels; i++) {
        const CollNodes *units = x->level[i].units;
        if (units && units->of[from] != units->of[to])
            continue;
        add_sum(&x->level[i].sum, messages, bytes);
        break;
    }
}

// Returns how many of a unit's ranks are below `rank`.
static int members_below(const CollNodes *units, int unit, int rank)
{
    int low = units->first[unit], high = units->first[unit + 1];
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (units->member[middle] < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low - units->first[unit];
}

// Adds messages from one rank to each of first .. end - 1: `each` says how many, and their bytes.
static void add_range(Matrix *x, int from, int first, int end, const MatrixSum *each)
{
    if (end <= first + 1) {
        if (end > first)
            add_pair(x, from, first, each->messages, each->bytes);
        return;
    }
    MatrixSum *row = &x->cell[(size_t)(from / x->width) * (size_t)x->n];
    for (int to = first, next; to < end; to = next) {
        next = MIN(end, (to / x->width + 1) * x->width);
        add_times(&row[to / x->width], each, next - to);
    }
    add_times(&x->all, each, end - first);
    int inside = 0;
    for (int i = 0; i < x->n_levels; i++) {
        const CollNodes *units = x->level[i].units;
        const int unit = units ? units->of[from] : 0;
        const int share = units ? members_below(units, unit, end) - members_below(units, unit, first) : end - first;
        add_times(&x->level[i].sum, each, share - inside);
        inside = share;
    }
}

// ---- The messages of a schedule -------------------------------------------------------------------------------------

// A send of a class, and in how many rounds of a loop a rank does it.
typedef struct MatrixSend {
    const Op *op;
    Stride stride;
    uint64_t rounds;
} MatrixSend;

// What each rank of a class sends to each of `n` peers. `to` is the first of these peers, in the form of Op.to.
typedef struct MatrixRun {
    int32_t to, n;
    MatrixSum each;
} MatrixRun;

// What the ranks of a class send.
typedef struct MatrixClass {
    GArray *sends; // of MatrixSend: those whose lengths or relative peers differ between ranks or rounds
    GArray *runs;  // of MatrixRun: all others
} MatrixClass;

static int by_peer(gconstpointer a, gconstpointer b)
{
    const MatrixRun *x = a, *y = b;
    return (x->to > y->to) - (x->to < y->to);
}

// Sums up what goes to one peer, and joins peers that follow each other and get the same.
static void join_runs(GArray *runs)
{
    guint kept = 0;
    g_array_sort(runs, by_peer);
    for (guint i = 0; i < runs->len; i++) {
        const MatrixRun run = g_array_index(runs, MatrixRun, i);
        MatrixRun *last = kept ? &g_array_index(runs, MatrixRun, kept - 1) : NULL;
        if (last && last->to == run.to && last->n == run.n)
            add_sum(&last->each, run.each.messages, run.each.bytes);
        else
            g_array_index(runs, MatrixRun, kept++) = run;
    }
    g_array_set_size(runs, kept);
    kept = 0;
    for (guint i = 0; i < runs->len; i++) {
        const MatrixRun run = g_array_index(runs, MatrixRun, i);
        MatrixRun *last = kept ? &g_array_index(runs, MatrixRun, kept - 1) : NULL;
        if (last && last->to + last->n == run.to && last->each.messages == run.each.messages &&
            last->each.bytes == run.each.bytes)
            last->n += run.n;
        else
            g_array_index(runs, MatrixRun, kept++) = run;
    }
    g_array_set_size(runs, kept);
}

// Sets *run if a send has the same length and the same relative peers for all ranks, and its peers follow each other if
// it has several. Returns false otherwise.
static bool as_run(const Schedule *s, const MatrixSend *send, MatrixRun *run)
{
    const Op *op = send->op;
    if (op->group || (op->out_cut && s->cuts[op->out_cut].longer > 0))
        return false;
    const uint64_t bytes = length_of(s, 0, op->out_cut, op->out, 0, 0);
    *run = (MatrixRun){op->to, 1, {send->rounds, send->rounds * bytes}};
    if (send->rounds == 1 || send->stride.to == 0)
        return true;
    if (send->rounds > (uint64_t)s->p || (send->stride.to != 1 && send->stride.to != -1))
        return false;
    const int n = (int)send->rounds, first = send->stride.to == 1 ? op->to : op->to - n + 1;
    *run = (MatrixRun){first, n, {1, bytes}};
    return first >= 0 && first + n <= s->p;
}

static MatrixClass class_new(const Schedule *s, const Class *c)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(MatrixSend));
    for (uint32_t i = 0; i < c->n_ops; i++) {
        const Op *op = &c->ops[i];
        if (op->kind == OP_SEND || op->kind == OP_ISEND || op->kind == OP_SENDRECV) {
            const MatrixSend send = {op, c->loops ? c->strides[i] : (Stride){0}, 1};
            g_array_append_val(all, send);
        }
        for (guint k = all->len; op->kind == OP_LOOP && k-- > 0;) {
            MatrixSend *send = &g_array_index(all, MatrixSend, k);
            if (send->op < op - op->to)
                break;
            send->rounds = op->out.bytes;
        }
    }
    const MatrixClass x = {g_array_new(FALSE, FALSE, sizeof(MatrixSend)), g_array_new(FALSE, FALSE, sizeof(MatrixRun))};
    for (guint i = 0; i < all->len; i++) {
        const MatrixSend send = g_array_index(all, MatrixSend, i);
        MatrixRun run;
        if (as_run(s, &send, &run))
            g_array_append_val(x.runs, run);
        else
            g_array_append_val(x.sends, send);
    }
    join_runs(x.runs);
    return x;
}

// Adds what v sends to each of the peers first .. end - 1, all below p, which are numbered as v is.
static void add_peers(Matrix *x, const Schedule *s, int v, int first, int end, const MatrixSum *each)
{
    const int wraps = s->p - s->root, from = rank_of(s, v); // rank 0 is v = wraps
    if (first < wraps)
        add_range(x, from, first + s->root, MIN(end, wraps) + s->root, each);
    if (end > wraps)
        add_range(x, from, MAX(first, wraps) - wraps, end - wraps, each);
}

static void add_run(Matrix *x, const Schedule *s, int v, const MatrixRun *run)
{
    const int end = run->to + run->n;
    for (int at = run->to, n; at < end; at += n) {
        const int peer = peer_of(s, v, at, 0, 0);
        n = s->peers == PEERS_XOR ? 1 : MIN(end - at, s->p - peer);
        // The peers of an aligned block of XOR distances are an aligned block of ranks.
        while (s->peers == PEERS_XOR && at % (2 * n) == 0 && at + 2 * n <= end)
            n *= 2;
        const int first = s->peers == PEERS_XOR ? peer & ~(n - 1) : peer;
        add_peers(x, s, v, first, first + n, &run->each);
    }
}

// Returns for how many rounds from this one on, at most `most`, the length stays the same.
static uint64_t same_length(const Schedule *s, int v, const MatrixSend *send, uint64_t round, uint64_t most)
{
    const int32_t stride = send->stride.out;
    const Op *op = send->op;
    if (!op->out_cut)
        return most;
    if (op->out.blocks.count != 1 || stride < -1 || stride > 1)
        return 1;
    const int block = cut_first(s, v, op->out, stride, (uint32_t)round), longer = s->cuts[op->out_cut].longer;
    const int end = block < longer ? longer : s->p; // of the blocks that are as long as this one
    const int rounds = stride > 0 ? end - block : block - (block < longer ? 0 : longer) + 1;
    return stride ? MIN(most, (uint64_t)rounds) : most;
}

// Adds the messages of some rounds, the first of them at `round`, and returns of how many. Their peers are consecutive.
static uint64_t add_rounds(Matrix *x, const Schedule *s, int v, const MatrixSend *send, uint64_t round)
{
    const Op *op = send->op;
    const int32_t move = send->stride.to;
    const uint64_t left = same_length(s, v, send, round, send->rounds - round);
    const int peer = op_peer(s, v, op, op->to, move, (uint32_t)round);
    const MatrixSum each = {1, length_of(s, v, op->out_cut, op->out, send->stride.out, (uint32_t)round)};
    const int most = move == 1 ? s->p - peer : move == -1 ? peer + 1 : 1;
    const int n = (int)MIN(left, (uint64_t)most), first = move == -1 ? peer - n + 1 : peer;
    add_peers(x, s, v, first, first + n, &each);
    return (uint64_t)n;
}

// Adds the messages of a rank's send.
static void add_send(Matrix *x, const Schedule *s, int v, const MatrixSend *send)
{
    const Op *op = send->op;
    if (send->rounds == 1 || op->group || send->stride.to == 0) {
        const int peer = op_peer(s, v, op, op->to, 0, 0);
        const uint64_t bytes =
            (uint64_t)schedule_sum_length(s, v, op->out_cut, op->out, send->stride.out, send->rounds);
        add_pair(x, rank_of(s, v), rank_of(s, peer), send->rounds, bytes);
        return;
    }
    for (uint64_t round = 0; round < send->rounds;)
        round += add_rounds(x, s, v, send, round);
}

// ---- Sends of unequal blocks to one peer ----------------------------------------------------------------------------
// Where all blocks of a cut are alike but the first ones have an element more, ranks of a class differ only in how many
// of the blocks that they send are longer. These are counted for all ranks at once.

// Returns whether a send goes to one peer, with a length in blocks.
static bool is_still(const MatrixSend *send)
{
    return send->op->out_cut && !send->op->group && (send->rounds == 1 || send->stride.to == 0);
}

static int by_peer_and_cut(gconstpointer a, gconstpointer b)
{
    const MatrixSend *x = a, *y = b;
    if (is_still(x) != is_still(y))
        return is_still(x) ? -1 : 1;
    if (x->op->to != y->op->to)
        return x->op->to < y->op->to ? -1 : 1;
    return x->op->out_cut - y->op->out_cut;
}

// Adds `times` visits of n <= p blocks from block `first` on, modulo p, to differences of p + 1 entries.
static void visit_blocks(uint64_t *differences, int p, int64_t first, int n, uint64_t times)
{
    const int begin = (int)(((first % p) + p) % p), end = begin + n;
    differences[begin] += times;
    differences[MIN(end, p)] -= times;
    if (end > p) {
        differences[0] += times;
        differences[end - p] -= times;
    }
}

// Returns how many steps it takes to sum up the lengths of a send for one rank.
static uint64_t work_of(const MatrixSend *send)
{
    const bool simple = send->op->out.blocks.count == 1 && send->stride.out >= -1 && send->stride.out <= 1;
    return simple || send->stride.out == 0 ? 1 : send->rounds;
}

// Adds the blocks that a send of v = 0 visits.
static void visit_send(uint64_t *differences, int p, const MatrixSend *send)
{
    const int64_t first = send->op->out.blocks.first;
    const int count = send->op->out.blocks.count, stride = send->stride.out;
    if (stride == 0 || send->rounds == 1) {
        visit_blocks(differences, p, first, count, send->rounds);
    } else if (work_of(send) == 1) {
        const int rest = (int)(send->rounds % (uint64_t)p);
        visit_blocks(differences, p, 0, p, send->rounds / (uint64_t)p);
        visit_blocks(differences, p, stride > 0 ? first : first - rest + 1, rest, 1);
    } else {
        for (uint64_t round = 0; round < send->rounds; round++)
            visit_blocks(differences, p, first + (int64_t)stride * (int64_t)round, count, 1);
    }
}

// Adds sends of class k that go to one peer with blocks of one cut, for all ranks of the class.
static void add_together(Matrix *x, const Schedule *s, uint32_t k, const MatrixSend *sends, guint n)
{
    const Cut *cut = &s->cuts[sends->op->out_cut];
    const int p = s->p;
    g_autofree uint64_t *visits = g_new0(uint64_t, p + 2); // as differences; then of each block; then of all before it
    MatrixSum least = {0};
    for (guint i = 0; i < n; i++) {
        visit_send(visits, p, &sends[i]);
        add_sum(&least, sends[i].rounds, sends[i].rounds * (uint64_t)sends[i].op->out.blocks.count * cut->size);
    }
    uint64_t now = 0, before = 0;
    for (int i = 0; i <= p; i++) {
        now += visits[i];
        visits[i] = before;
        before += now;
    }
    for (int v = 0; v < p; v++) {
        if ((s->class_of ? s->class_of[v] : 0) != k)
            continue;
        const int first = v ? p - v : 0, end = first + cut->longer; // the longer blocks, relative to v
        uint64_t longer = visits[MIN(end, p)] - visits[first];
        longer += end > p ? visits[end - p] : 0;
        const int peer = peer_of(s, v, sends->op->to, 0, 0);
        add_pair(x, rank_of(s, v), rank_of(s, peer), least.messages, least.bytes + longer * cut->elem);
    }
}

// Adds the sends of a class that add_together takes, and removes them from the class, where this is less work.
static void add_still(Matrix *x, const Schedule *s, uint32_t k, uint64_t ranks, GArray *sends)
{
    g_array_sort(sends, by_peer_and_cut);
    guint kept = 0;
    for (guint i = 0, n; i < sends->len; i += n) {
        const MatrixSend *first = &g_array_index(sends, MatrixSend, i);
        uint64_t work = work_of(first);
        for (n = 1; i + n < sends->len && by_peer_and_cut(first, first + n) == 0; n++)
            work += work_of(first + n);
        if (is_still(first) && ranks > 2 && ranks * work > 2 * (uint64_t)s->p) {
            add_together(x, s, k, first, n);
            continue;
        }
        for (guint at = 0; at < n; at++)
            g_array_index(sends, MatrixSend, kept++) = g_array_index(sends, MatrixSend, i + at);
    }
    g_array_set_size(sends, kept);
}

Matrix *matrix_of_schedule(const Schedule *s, const Mapping *map, const Levels *levels, int most)
{
    Matrix *x = matrix_new(s->p, map, levels, most);
    g_autofree MatrixClass *classes = g_new(MatrixClass, s->n_classes);
    g_autofree uint64_t *ranks = schedule_class_ranks(s, s->p);
    for (uint32_t k = 0; k < s->n_classes; k++) {
        classes[k] = class_new(s, &s->classes[k]);
        add_still(x, s, k, ranks[k], classes[k].sends);
    }
    for (int v = 0; v < s->p; v++) {
        const MatrixClass *of = &classes[s->class_of ? s->class_of[v] : 0];
        for (guint i = 0; i < of->sends->len; i++)
            add_send(x, s, v, &g_array_index(of->sends, MatrixSend, i));
        for (guint i = 0; i < of->runs->len; i++)
            add_run(x, s, v, &g_array_index(of->runs, MatrixRun, i));
    }
    for (uint32_t k = 0; k < s->n_classes; k++) {
        g_array_unref(classes[k].sends);
        g_array_unref(classes[k].runs);
    }
    return x;
}

Matrix *matrix_of_goal(const Goal *goal, int most, GError **error)
{
    g_autoptr(Matrix) x = matrix_new((int)goal_n_hosts(goal), NULL, NULL, most);
    for (uint32_t i = 0; i < goal_n_ops(goal); i++) {
        const GoalOp *op = goal_op(goal, i);
        if (op->kind != GOAL_SEND)
            continue;
        if (op->size >= SCHEDULE_MOST - x->all.bytes) {
            bad_input(error, "the messages have 2^62 bytes or more in all; allowed: less");
            return NULL;
        }
        add_pair(x, (int)op->host, (int)op->peer, 1, op->size);
    }
    return g_steal_pointer(&x);
}

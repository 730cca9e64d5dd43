#include "trace/matrix.h"
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

// Adds a message of so many bytes from one rank to each of first .. end - 1.
static void add_range(Matrix *x, int from, int first, int end, uint64_t bytes)
{
    if (end <= first + 1) {
        if (end > first)
            add_pair(x, from, first, 1, bytes);
        return;
    }
    MatrixSum *row = &x->cell[(size_t)(from / x->width) * (size_t)x->n];
    for (int to = first, next; to < end; to = next) {
        next = MIN(end, (to / x->width + 1) * x->width);
        add_sum(&row[to / x->width], (uint64_t)(next - to), (uint64_t)(next - to) * bytes);
    }
    add_sum(&x->all, (uint64_t)(end - first), (uint64_t)(end - first) * bytes);
    int inside = 0;
    for (int i = 0; i < x->n_levels; i++) {
        const CollNodes *units = x->level[i].units;
        const int unit = units ? units->of[from] : 0;
        const int share = units ? members_below(units, unit, end) - members_below(units, unit, first) : end - first;
        add_sum(&x->level[i].sum, (uint64_t)(share - inside), (uint64_t)(share - inside) * bytes);
        inside = share;
    }
}

// ---- The messages of a schedule -------------------------------------------------------------------------------------

// A send of a class, which a rank does in so many rounds of a loop.
typedef struct MatrixSend {
    const Op *op;
    Stride stride;
    uint64_t rounds;
} MatrixSend;

// Returns the sends of a class, as an array of MatrixSend. Free with g_array_unref.
static GArray *sends_of(const Class *c)
{
    GArray *sends = g_array_new(FALSE, FALSE, sizeof(MatrixSend));
    for (uint32_t i = 0; i < c->n_ops; i++) {
        const Op *op = &c->ops[i];
        if (op->kind == OP_SEND || op->kind == OP_ISEND || op->kind == OP_SENDRECV) {
            const MatrixSend send = {op, c->loops ? c->strides[i] : (Stride){0}, 1};
            g_array_append_val(sends, send);
        }
        for (guint k = sends->len; op->kind == OP_LOOP && k-- > 0;) {
            MatrixSend *send = &g_array_index(sends, MatrixSend, k);
            if (send->op < op - op->to)
                break;
            send->rounds = op->out.bytes;
        }
    }
    return sends;
}

// Adds a message from v to each of the peers first .. end - 1, all below p, which are numbered as v is.
static void add_peers(Matrix *x, const Schedule *s, int v, int first, int end, uint64_t bytes)
{
    const int wraps = s->p - s->root, from = rank_of(s, v); // rank 0 is v = wraps
    if (first < wraps)
        add_range(x, from, first + s->root, MIN(end, wraps) + s->root, bytes);
    if (end > wraps)
        add_range(x, from, MAX(first, wraps) - wraps, end - wraps, bytes);
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
    const uint64_t bytes = length_of(s, v, op->out_cut, op->out, send->stride.out, (uint32_t)round);
    if (s->peers == PEERS_XOR && move == 1) {
        // The peers of an aligned block of distances are an aligned block of ranks.
        const uint64_t at = (uint64_t)op->to + round;
        uint64_t block = 1;
        while (at % (2 * block) == 0 && 2 * block <= left)
            block *= 2;
        const int first = (int)((uint64_t)peer & ~(block - 1));
        add_peers(x, s, v, first, first + (int)block, bytes);
        return block;
    }
    if (s->peers == PEERS_XOR || (move != 1 && move != -1)) {
        add_peers(x, s, v, peer, peer + 1, bytes);
        return 1;
    }
    const int n = (int)MIN(left, (uint64_t)(move > 0 ? s->p - peer : peer + 1));
    const int first = move > 0 ? peer : peer - n + 1;
    add_peers(x, s, v, first, first + n, bytes);
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

Matrix *matrix_of_schedule(const Schedule *s, const Mapping *map, const Levels *levels, int most)
{
    Matrix *x = matrix_new(s->p, map, levels, most);
    g_autofree GArray **sends = g_new0(GArray *, s->n_classes);
    for (uint32_t k = 0; k < s->n_classes; k++)
        sends[k] = sends_of(&s->classes[k]);
    for (int v = 0; v < s->p; v++) {
        const GArray *of = sends[s->class_of ? s->class_of[v] : 0];
        for (guint i = 0; i < of->len; i++)
            add_send(x, s, v, &g_array_index(of, MatrixSend, i));
    }
    for (uint32_t k = 0; k < s->n_classes; k++)
        g_array_unref(sends[k]);
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

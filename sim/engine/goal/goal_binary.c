#include "engine/goal/goal_binary.h"
#include "base/error.h"

enum {
    MARK = 4223,
    MARK_USED = 2342,
    HEAD = GOAL_BINARY_MARK + 6,
    RANK = 16, // bytes per rank in the table of blocks
    OPERATION = 39,
};

// What a block says of an operation before its dependents are known.
typedef struct GoalRecord {
    uint32_t required, done, started; // dependencies; dependents by requires, and by irequires
    uint32_t found;                   // dependencies that were found among the dependents of others
} GoalRecord;

typedef struct GoalBinary {
    Lines *file;
    uint64_t at; // the number of the next byte
    Goal *goal;
    uint32_t n_ranks, n_edges;
    uint8_t cpu, nic;      // the highest that are allowed
    GArray *end;           // per rank, of uint64_t: the byte behind its block
    GArray *records;       // of GoalRecord: the operations of the rank that is read
    GArray *free;          // of uint32_t: those that it lists as free
    uint64_t n_dependents; // of the operations of this rank that were read
} GoalBinary;

static gboolean fail(const GoalBinary *b, GError **error, const char *format, ...) G_GNUC_PRINTF(3, 4);
static gboolean fail(const GoalBinary *b, GError **error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *what = g_strdup_vprintf(format, args);
    va_end(args);
    return bad_input(error, "%s: byte %" G_GUINT64_FORMAT ": %s", b->file->name, b->at, what);
}

static uint32_t u32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static uint64_t u64(const uint8_t *bytes)
{
    return u32(bytes) | (uint64_t)u32(bytes + 4) << 32;
}

// Takes the next n bytes of the file, which are valid until the next call. Returns NULL if the file ends before.
static const uint8_t *take(GoalBinary *b, size_t n, GError **error)
{
    if (!lines_fill(b->file, n, error))
        return NULL;
    const char *bytes = b->file->next;
    if ((size_t)(b->file->end - bytes) < n) {
        fail(b, error, "the file ends too early; allowed: %zu more bytes", n - (size_t)(b->file->end - bytes));
        return NULL;
    }
    b->file->next += n;
    b->at += n;
    return (const uint8_t *)bytes;
}

static gboolean read_head(GoalBinary *b, GError **error)
{
    const uint8_t *head = take(b, HEAD, error);
    if (!head)
        return FALSE;
    b->at = 0;
    if (u64(head) == MARK_USED)
        return fail(b, error, "LogGOPSim has used this schedule up (--save-mem); allowed: what txt2bin wrote");
    b->at = GOAL_BINARY_MARK;
    b->n_ranks = u32(head + GOAL_BINARY_MARK);
    if (b->n_ranks == 0 || b->n_ranks >= GOAL_ANY)
        return fail(b, error, "there are %u ranks; allowed: 1 .. %u", b->n_ranks, GOAL_ANY - 1);
    b->cpu = head[GOAL_BINARY_MARK + 4];
    b->nic = head[GOAL_BINARY_MARK + 5];
    b->goal = goal_new(b->n_ranks);
    b->at = HEAD;

    uint64_t begin = HEAD + (uint64_t)b->n_ranks * RANK;
    for (uint32_t rank = 0; rank < b->n_ranks; rank++) {
        const uint8_t *row = take(b, RANK, error);
        if (!row)
            return FALSE;
        const uint64_t first = u64(row) + GOAL_BINARY_MARK, end = u64(row + 8) + GOAL_BINARY_MARK;
        if (first != begin || end < begin) {
            b->at -= RANK;
            return fail(b, error,
                        "the block of rank %u is at %" G_GUINT64_FORMAT " .. %" G_GUINT64_FORMAT
                        "; allowed: to begin at %" G_GUINT64_FORMAT,
                        rank, first, end, begin);
        }
        g_array_append_val(b->end, end);
        begin = end;
    }
    return TRUE;
}

// Reads the operation and leaves its dependents, whose indices are behind all operations, to read_dependents().
static gboolean read_operation(GoalBinary *b, uint32_t rank, GError **error)
{
    static const GoalKind kinds[] = {[1] = GOAL_SEND, [2] = GOAL_RECV, [3] = GOAL_CALC};
    const uint8_t *x = take(b, OPERATION, error);
    if (!x)
        return FALSE;
    const GoalRecord record = {.required = u32(x), .done = u32(x + 23), .started = u32(x + 31)};
    const uint8_t kind = x[4], cpu = x[21], nic = x[22];
    const uint32_t first_done = u32(x + 27), first_started = u32(x + 35);
    const gboolean calc = kind == 3;
    const uint32_t peer = calc ? 0 : u32(x + 5), tag = calc ? 0 : u32(x + 17);
    const uint64_t before = b->n_dependents;
    b->n_dependents += (uint64_t)record.done + record.started;
    b->at -= OPERATION; // errors name the byte at which the operation begins
    if (kind < 1 || kind > 3)
        return fail(b, error, "an operation is of kind %u; allowed: 1 (send), 2 (recv), 3 (calc)", kind);
    if (peer >= b->n_ranks && !(kinds[kind] == GOAL_RECV && peer == GOAL_ANY))
        return fail(b, error, "the peer of an operation is %u; allowed: a rank, at most %u%s", peer, b->n_ranks - 1,
                    kinds[kind] == GOAL_RECV ? ", or 4294967295" : "");
    if (cpu > b->cpu || nic > b->nic)
        return fail(b, error, "an operation is on CPU %u and NIC %u; allowed: at most %u and %u, as the head says", cpu,
                    nic, b->cpu, b->nic);
    if ((record.done > 0 && first_done != before) || (record.started > 0 && first_started != before + record.done))
        return fail(b, error,
                    "the dependents of an operation begin at %u and %u; allowed: %" G_GUINT64_FORMAT
                    " and %" G_GUINT64_FORMAT,
                    first_done, first_started, before, before + record.done);
    if (u64(x + 9) > GOAL_MAX_SIZE)
        return fail(b, error, "the size of an operation is %" G_GUINT64_FORMAT "; allowed: at most %" G_GUINT64_FORMAT,
                    u64(x + 9), GOAL_MAX_SIZE);
    if (goal_n_ops(b->goal) == GOAL_MAX_OPS)
        return fail(b, error, "there are too many operations; allowed: at most %u", GOAL_MAX_OPS);
    b->at += OPERATION;
    const uint32_t op = goal_add(b->goal, rank, kinds[kind], u64(x + 9), peer, tag);
    if (cpu > 0 || nic > 0)
        goal_place(b->goal, op, cpu, calc ? 0 : nic);
    g_array_append_val(b->records, record);
    return TRUE;
}

static gboolean read_dependents(GoalBinary *b, uint32_t first, GError **error)
{
    const uint32_t n_ops = b->records->len;
    for (uint32_t op = 0; op < n_ops; op++) {
        const GoalRecord record = g_array_index(b->records, GoalRecord, op);
        for (uint64_t i = 0; i < (uint64_t)record.done + record.started; i++) {
            const uint8_t *x = take(b, 4, error);
            const uint32_t after = x ? u32(x) : 0;
            if (!x)
                return FALSE;
            if (after >= n_ops)
                return fail(b, error, "operation %u is not in its rank; allowed: at most %u", after, n_ops - 1);
            if (b->n_edges++ == GOAL_MAX_OPS)
                return fail(b, error, "there are too many dependencies; allowed: at most %u", GOAL_MAX_OPS);
            (i < record.done ? goal_require : goal_irequire)(b->goal, first + after, first + op);
            g_array_index(b->records, GoalRecord, after).found++;
        }
    }
    return TRUE;
}

// Checks that every operation of the rank has as many dependencies as it says, and that the free ones are those listed.
static gboolean check_counts(GoalBinary *b, uint32_t rank, GError **error)
{
    guint n_free = 0;
    for (uint32_t op = 0; op < b->records->len; op++) {
        const GoalRecord *record = &g_array_index(b->records, GoalRecord, op);
        if (record->required != record->found)
            return fail(b, error, "operation %u of rank %u says that it has %u dependencies; allowed: %u, as listed",
                        op, rank, record->required, record->found);
        if (record->required > 0)
            continue;
        if (n_free == b->free->len || g_array_index(b->free, uint32_t, n_free) != op)
            return fail(b, error, "operation %u of rank %u requires nothing; allowed: to list it as free", op, rank);
        n_free++;
    }
    return n_free == b->free->len ||
           fail(b, error, "rank %u lists %u free operations; allowed: %u", rank, b->free->len, n_free);
}

static gboolean read_block(GoalBinary *b, uint32_t rank, GError **error)
{
    const uint64_t end = g_array_index(b->end, uint64_t, rank);
    const uint8_t *head = take(b, 8, error);
    if (!head)
        return FALSE;
    const uint32_t n_ops = u32(head), n_free = u32(head + 4), first = goal_n_ops(b->goal);
    g_array_set_size(b->free, 0);
    g_array_set_size(b->records, 0);
    b->n_dependents = 0;
    for (uint32_t i = 0; i < n_free; i++) {
        const uint8_t *x = take(b, 4, error);
        const uint32_t op = x ? u32(x) : 0;
        if (!x)
            return FALSE;
        g_array_append_val(b->free, op);
    }
    for (uint32_t i = 0; i < n_ops; i++)
        if (!read_operation(b, rank, error))
            return FALSE;
    return read_dependents(b, first, error) && check_counts(b, rank, error) &&
           (b->at == end ||
            fail(b, error,
                 "the block of rank %u ends here; allowed: at %" G_GUINT64_FORMAT ", as its rank's offsets say", rank,
                 end));
}

static gboolean read_file(GoalBinary *b, GError **error)
{
    if (!read_head(b, error))
        return FALSE;
    for (uint32_t rank = 0; rank < b->n_ranks; rank++)
        if (!read_block(b, rank, error))
            return FALSE;
    return lines_fill(b->file, 1, error) &&
           (b->file->next == b->file->end ||
            fail(b, error, "the file goes on; allowed: its end, behind the last rank"));
}

gboolean goal_binary_is(const char *bytes, size_t n)
{
    const uint64_t mark = n < GOAL_BINARY_MARK ? 0 : u64((const uint8_t *)bytes);
    return mark == MARK || mark == MARK_USED;
}

Goal *goal_binary_read(Lines *file, GError **error)
{
    GoalBinary b = {.file = file,
                    .end = g_array_new(FALSE, FALSE, sizeof(uint64_t)),
                    .records = g_array_new(FALSE, FALSE, sizeof(GoalRecord)),
                    .free = g_array_new(FALSE, FALSE, sizeof(uint32_t))};
    if (!read_file(&b, error))
        g_clear_pointer(&b.goal, goal_free);
    g_array_unref(b.end);
    g_array_unref(b.records);
    g_array_unref(b.free);
    return b.goal;
}

#include "engine/replay/lengths.h"
#include "engine/replay/cost.h"

// The lengths of one operation are low .. high.
typedef struct LengthRange {
    uint64_t low, high;
} LengthRange;

// The ranges that were looked at last, each at a place that its numbers determine; most schedules have few ranges.
enum { SEEN_BITS = 8, SEEN = 1 << SEEN_BITS };

typedef struct LengthCheck {
    const Measured *figures;
    int innermost;  // the levels innermost .. n_levels - 1 occur
    bool one, step; // some messages may have T = one, or T = step
    Lengths result;
    const Site *site;
    uint64_t levels; // lengths_outlast_nics: of these, by bits
    bool outlast;
    LengthRange seen[SEEN];
} LengthCheck;

static bool is_message(int kind)
{
    return kind == OP_SEND || kind == OP_ISEND || kind == OP_SENDRECV;
}

static LengthRange range_of(const Schedule *s, const Op *op)
{
    if (!op->out_cut)
        return (LengthRange){op->out.bytes, op->out.bytes};
    const Cut *cut = &s->cuts[op->out_cut];
    const int blocks = op->out.blocks.count, most = MIN(blocks, cut->longer),
              least = MAX(blocks - (s->p - cut->longer), 0);
    const uint64_t size = (uint64_t)blocks * cut->size;
    return (LengthRange){size + (uint64_t)least * cut->elem, size + (uint64_t)most * cut->elem};
}

// Returns whether no gap is above the time in the other table, for lengths low .. high. Both are straight between the
// points of either table, so the points and the ends of the range decide. Between points rounding may add a little to a
// gap, so if there are any lengths between the ends, a gap must be below the time there, by more than rounding.
static bool stays_within(const Table *gap, const Table *time, LengthRange r)
{
    const double most = r.low == r.high ? 1 : 1 - 1e-12;
    if (table_time_at(gap, r.low) > most * table_time_at(time, r.low) ||
        table_time_at(gap, r.high) > most * table_time_at(time, r.high))
        return false;
    const Table *const tables[] = {gap, time};
    for (int k = 0; k < 2 && r.low < r.high; k++)
        for (int i = 0; i < tables[k]->n; i++) {
            const uint64_t n = tables[k]->at[i].bytes;
            if (n > r.low && n < r.high && table_time_at(gap, n) > most * table_time_at(time, n))
                return false;
        }
    return true;
}

static bool same_table(const Table *a, const Table *b)
{
    bool same = a->n == b->n;
    for (int i = 0; same && i < a->n; i++)
        same = a->at[i].bytes == b->at[i].bytes && a->at[i].value == b->at[i].value;
    return same;
}

// Returns whether every time is above 0, and no gap is above it. A time can only be 0 beyond the last point of a table
// that falls there.
static bool gap_within(const Table *gap, const Table *time, LengthRange r)
{
    return table_time_at(time, r.high) > 0 && (same_table(gap, time) || stays_within(gap, time, r));
}

static void check(LengthCheck *x, LengthRange r)
{
    for (int k = x->innermost; k < x->figures->n_levels; k++) {
        const MeasuredLevel *level = &x->figures->level[k];
        x->result.all_eager &= (int64_t)r.high <= level->eager;
        x->result.none_eager &= (int64_t)r.low > level->eager;
        if (x->result.gaps_within && (x->one || !level->step))
            x->result.gaps_within = gap_within(level->gap, level->one, r);
        if (x->result.gaps_within && x->step && level->step)
            x->result.gaps_within = gap_within(level->gap, level->step, r);
    }
}

// Returns whether every gap is above the time for which its message occupies a NIC, by more than rounding, for lengths
// low .. high. Between two points of the gap the one is straight and the other bends up, so the points and the ends of
// the range decide.
static bool outlasts_nic(const Table *gap, const Site *site, LengthRange r)
{
    const double least = 1 + 1e-6;
    bool good = table_time_at(gap, r.low) > least * cost_nic(site, r.low) &&
                table_time_at(gap, r.high) > least * cost_nic(site, r.high);
    for (int i = 0; good && i < gap->n; i++) {
        const uint64_t n = gap->at[i].bytes;
        good = n <= r.low || n >= r.high || table_time_at(gap, n) > least * cost_nic(site, n);
    }
    return good;
}

static void check_nics(LengthCheck *x, LengthRange r)
{
    for (int k = 0; k < x->figures->n_levels; k++)
        if (x->levels >> k & 1)
            x->outlast = x->outlast && outlasts_nic(x->figures->level[k].gap, x->site, r);
}

// Calls `look` for the lengths of every operation of every class, at least once for each range.
static void each_range(const Schedule *s, LengthCheck *x, void (*look)(LengthCheck *x, LengthRange r))
{
    for (int i = 0; i < SEEN; i++)
        x->seen[i] = (LengthRange){1, 0}; // not a range
    for (uint32_t c = 0; c < s->n_classes; c++)
        for (const Op *op = s->classes[c].ops; op->kind != OP_END; op++) {
            if (!is_message(op->kind))
                continue;
            const LengthRange r = range_of(s, op);
            LengthRange *seen = &x->seen[(r.low + r.high) * 0x9e3779b97f4a7c15u >> (64 - SEEN_BITS)];
            if (seen->low == r.low && seen->high == r.high)
                continue;
            *seen = r;
            look(x, r);
        }
}

bool lengths_outlast_nics(const Schedule *s, const Site *site, uint64_t levels)
{
    LengthCheck x = {.figures = site->measured, .site = site, .levels = levels, .outlast = true};
    each_range(s, &x, check_nics);
    return x.outlast;
}

Lengths lengths_of(const Schedule *s, const Site *site)
{
    const uint32_t alone = 1u << OP_SEND | 1u << OP_RECV | 1u << OP_ISEND | 1u << OP_IRECV;
    LengthCheck x = {.figures = site->measured,
                     .innermost = site->code ? 0 : site->n_levels - 1,
                     .one = s->kinds & alone,
                     .step = s->kinds & 1u << OP_SENDRECV,
                     .result = {true, true, true}};
    each_range(s, &x, check);
    return x.result;
}

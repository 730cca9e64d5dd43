#include "reference_figures.h"

static int64_t table_at_bytes(const ReferenceTable *x, int64_t bytes)
{
    int i = 1; // the line through the points i - 1 and i
    if (x->n == 1 || bytes <= x->at[0].bytes)
        return x->at[0].time;
    while (i < x->n - 1 && bytes > x->at[i].bytes)
        i++;
    if (bytes > x->at[i].bytes && x->at[i].time < x->at[i - 1].time)
        return x->at[i].time;
    const int64_t width = x->at[i].bytes - x->at[i - 1].bytes, height = x->at[i].time - x->at[i - 1].time,
                  product = height * (bytes - x->at[i - 1].bytes);
    g_assert(product % width == 0);
    return x->at[i - 1].time + product / width;
}

// Returns the factor of the node's memory as a fraction of *whole.
static int64_t memory_factor(const ReferenceMachine *x, int64_t bytes, int64_t *whole)
{
    const ReferencePoint *low = x->memory, *high = low;
    for (int i = 0; i < x->n_points && high->bytes < bytes; i++) {
        low = high;
        high = &x->memory[i];
    }
    const int64_t width = MAX(high->bytes - low->bytes, 1), above = CLAMP(bytes - low->bytes, 0, width);
    *whole = REFERENCE_FACTOR * width;
    return low->factor * width + (high->factor - low->factor) * (high == low ? 0 : above);
}

// Returns T of a message between two ranks that exchange long messages.
static int64_t swap_time(const ReferenceFigures *f, int level, int64_t bytes)
{
    const int64_t quarters = f->swap * table_at_bytes(f->step[level].n ? &f->step[level] : &f->one[level], bytes);
    g_assert(quarters % REFERENCE_QUARTERS == 0);
    return quarters / REFERENCE_QUARTERS;
}

// Returns T of a message, by the term for which it occupies a memory.
static int64_t memory_time(const ReferenceFigures *f, ReferenceTermKind kind, int level, int64_t bytes)
{
    const bool swaps = kind == REFERENCE_MEMORY_SWAP && bytes >= f->swap_from;
    const bool one = kind == REFERENCE_MEMORY || !f->step[level].n;
    return swaps ? swap_time(f, level, bytes) : table_at_bytes(one ? &f->one[level] : &f->step[level], bytes);
}

ReferenceTermKind reference_take(const ReferenceFigures *f, int level, int64_t bytes)
{
    const ReferenceTable *take = &f->take[level];
    const bool same = !take->n || table_at_bytes(take, bytes) == table_at_bytes(&f->gap[level], bytes);
    return same ? REFERENCE_GAP : REFERENCE_TAKE;
}

int64_t reference_term_value(const ReferenceFigures *f, const ReferenceMachine *machine, const ReferenceTerm *x)
{
    switch (x->kind) {
    case REFERENCE_ONE:
        return table_at_bytes(&f->one[x->level], x->bytes);
    case REFERENCE_STEP:
        return table_at_bytes(&f->step[x->level], x->bytes);
    case REFERENCE_SWAP:
        return swap_time(f, x->level, x->bytes);
    case REFERENCE_FAR:
        return f->far;
    case REFERENCE_TAKE:
        return table_at_bytes(&f->take[x->level], x->bytes);
    case REFERENCE_GAP:
        return table_at_bytes(&f->gap[x->level], x->bytes);
    case REFERENCE_SHARE: {
        const int64_t quarters = f->lambda[x->level] * table_at_bytes(&f->gap[x->level], x->bytes);
        g_assert(quarters % REFERENCE_QUARTERS == 0);
        return quarters / REFERENCE_QUARTERS;
    }
    case REFERENCE_MEMORY:
    case REFERENCE_MEMORY_STEP:
    case REFERENCE_MEMORY_SWAP: {
        const int64_t bytes_time = memory_time(f, x->kind, x->level, x->bytes) - memory_time(f, x->kind, x->level, 1);
        int64_t whole;
        const int64_t product = memory_factor(machine, x->bytes, &whole) * MAX(bytes_time, 0);
        g_assert(product % whole == 0);
        return product / whole;
    }
    case REFERENCE_WORK_RATE:
        return f->work[x->level].per_byte;
    case REFERENCE_WORK_TABLE:
        return table_at_bytes(&f->work[x->level].table, x->bytes);
    case REFERENCE_NIC_RATE:
        return machine->per_byte;
    case REFERENCE_NIC_MESSAGES:
        return machine->per_message;
    case REFERENCE_LINK:
        return 1;
    case N_REFERENCE_TERMS:
        break;
    }
    g_assert_not_reached();
}

int reference_term_compare(gconstpointer a, gconstpointer b)
{
    const ReferenceTerm *x = a, *y = b;
    return x->kind != y->kind     ? (x->kind > y->kind) - (x->kind < y->kind)
           : x->level != y->level ? x->level - y->level
                                  : (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

char *reference_terms_text(const GArray *terms)
{
    static const char *const names[] = {"one",  "step",  "swap",     "far",          "gap",
                                        "take", "share", "memory",   "memory_step",  "memory_swap",
                                        "",     "",      "nic.rate", "nic.messages", "link"};
    static const char *const works[] = {"gamma", "copy", "fresh"};
    GString *s = g_string_new(NULL);
    for (guint i = 0; i < terms->len; i++) {
        const ReferenceTerm *x = &g_array_index(terms, ReferenceTerm, i);
        const bool works_here = x->kind == REFERENCE_WORK_RATE || x->kind == REFERENCE_WORK_TABLE;
        g_string_append_printf(s, "%s%" G_GINT64_FORMAT " %s", i ? " " : "", x->count,
                               works_here ? works[x->level] : names[x->kind]);
        if (!works_here && x->level >= 0)
            g_string_append_printf(s, ".%d", x->level);
        if (x->bytes >= 0)
            g_string_append_printf(s, "(%" G_GINT64_FORMAT ")", x->bytes);
    }
    return g_string_free(s, FALSE);
}

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

int64_t reference_term_value(const ReferenceFigures *f, const ReferenceMachine *machine, const ReferenceTerm *x)
{
    switch (x->kind) {
    case REFERENCE_ONE:
        return table_at_bytes(&f->one[x->level], x->bytes);
    case REFERENCE_STEP:
        return table_at_bytes(&f->step[x->level], x->bytes);
    case REFERENCE_GAP:
        return table_at_bytes(&f->gap[x->level], x->bytes);
    case REFERENCE_SHARE: {
        const int64_t quarters = f->lambda[x->level] * table_at_bytes(&f->gap[x->level], x->bytes);
        g_assert(quarters % REFERENCE_QUARTERS == 0);
        return quarters / REFERENCE_QUARTERS;
    }
    case REFERENCE_MEMORY:
    case REFERENCE_MEMORY_STEP: {
        const ReferenceTable *table = x->kind == REFERENCE_MEMORY ? &f->one[x->level] : &f->step[x->level];
        const int64_t bytes_time = table_at_bytes(table, x->bytes) - table_at_bytes(table, 1);
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
    static const char *const names[] = {"one",         "step", "gap", "share",    "memory",
                                        "memory_step", "",     "",    "nic.rate", "nic.messages"};
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

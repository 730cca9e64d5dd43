#include "engine/goal/goal_labels.h"
#include <string.h>

typedef struct GoalLabelSlot {
    uint32_t rank; // the value of GoalLabels.rank when it was set; any other is from an earlier rank
    uint32_t op;
} GoalLabelSlot;

struct GoalLabels {
    uint32_t rank, count;
    uint32_t base; // the number of the rank's first label; 0 if that has no number
    GoalLabelSlot *slot;
    size_t n_slots;
    GStringChunk *names;
    GTree *others; // name -> op
    GString *key;  // a copy of the label that is looked for, with a \0 at its end
};

enum { SPARE = 1024 };

GoalLabels *goal_labels_new(void)
{
    GoalLabels *labels = g_new0(GoalLabels, 1);
    labels->names = g_string_chunk_new(4096);
    labels->others = g_tree_new((GCompareFunc)strcmp);
    labels->key = g_string_new(NULL);
    return labels;
}

void goal_labels_free(GoalLabels *labels)
{
    g_free(labels->slot);
    g_string_chunk_free(labels->names);
    g_tree_unref(labels->others);
    g_string_free(labels->key, TRUE);
    g_free(labels);
}

void goal_labels_begin(GoalLabels *labels)
{
    labels->rank++; // this empties all slots at once
    labels->count = 0;
    if (g_tree_nnodes(labels->others) > 0) {
        g_tree_unref(labels->others);
        labels->others = g_tree_new((GCompareFunc)strcmp);
        g_string_chunk_clear(labels->names);
    }
}

// Returns TRUE if the label is l and a number of at most 9 digits, and sets *number. A label with leading zeros (l01)
// is a name, because l1 is another label.
static gboolean is_numbered(const char *label, size_t length, uint32_t *number)
{
    if (label[0] != 'l' || length < 2 || length > 10 || (label[1] == '0' && length > 2))
        return FALSE;
    *number = 0;
    for (size_t i = 1; i < length; i++) {
        if (!g_ascii_isdigit(label[i]))
            return FALSE;
        *number = *number * 10 + (uint32_t)(label[i] - '0');
    }
    return TRUE;
}

static const char *key_of(const GoalLabels *labels, const char *label, size_t length)
{
    g_string_truncate(labels->key, 0);
    return g_string_append_len(labels->key, label, (gssize)length)->str;
}

static uint32_t find_other(const GoalLabels *labels, const char *label, size_t length)
{
    gpointer op;
    if (g_tree_nnodes(labels->others) == 0 ||
        !g_tree_lookup_extended(labels->others, key_of(labels, label, length), NULL, &op))
        return GOAL_NO_LABEL;
    return GPOINTER_TO_UINT(op);
}

uint32_t goal_labels_find(const GoalLabels *labels, const char *label, size_t length)
{
    uint32_t number;
    if (is_numbered(label, length, &number) && number >= labels->base && number - labels->base < labels->n_slots &&
        labels->slot[number - labels->base].rank == labels->rank)
        return labels->slot[number - labels->base].op;
    return find_other(labels, label, length);
}

static void grow(GoalLabels *labels, size_t least)
{
    const size_t n = MAX(2 * labels->n_slots, least);
    labels->slot = g_renew(GoalLabelSlot, labels->slot, n);
    memset(labels->slot + labels->n_slots, 0, (n - labels->n_slots) * sizeof(GoalLabelSlot));
    labels->n_slots = n;
}

gboolean goal_labels_add(GoalLabels *labels, const char *label, size_t length, uint32_t op)
{
    uint32_t number;
    if (labels->count > 0 && goal_labels_find(labels, label, length) != GOAL_NO_LABEL)
        return FALSE;
    const gboolean numbered = is_numbered(label, length, &number);
    if (labels->count == 0)
        labels->base = numbered ? number : 0;
    // A number far beyond the labels so far is treated as a name, so that the slots remain in proportion to the labels.
    if (numbered && number >= labels->base && number - labels->base < 2 * (size_t)labels->count + SPARE) {
        const size_t at = number - labels->base;
        if (at >= labels->n_slots)
            grow(labels, at + 1);
        labels->slot[at] = (GoalLabelSlot){labels->rank, op};
    } else {
        char *name = g_string_chunk_insert_len(labels->names, label, (gssize)length);
        g_tree_insert(labels->others, name, GUINT_TO_POINTER(op));
    }
    labels->count++;
    return TRUE;
}

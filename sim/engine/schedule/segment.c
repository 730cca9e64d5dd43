#include "engine/schedule/segment.h"
#include "api/backend.h"
#include "api/make.h"
#include <glib.h>
#include <stdlib.h>
#include <string.h>

typedef struct SegmentPass {
    CollRun run;
    int p, rank;
    int *met;      // met[q]: the last rank whose text raised its flag for queue q; -1 if none did yet
    size_t *queue; // queue[r]: the bytes of the queue of rank r that are touched
    GArray *flags; // of uint64_t: queue * p + who
} SegmentPass;

static void touch(SegmentPass *pass, const Coll *view, const Slice *s)
{
    if (!is_slot(*s))
        return;
    size_t *end = &pass->queue[slot_owner(*s)];
    const size_t slot = view->par.fragment / view->elem * view->elem;
    *end = MAX(*end, s->off + (is_lent(*s) ? s->len : slot)); // the whole slot
}

static void look_at(CollRun *run, const CollIssue *op)
{
    SegmentPass *pass = (SegmentPass *)run;
    touch(pass, op->view, op->in);
    touch(pass, op->view, op->out);
    touch(pass, op->view, op->right);
    if (op->kind == COLL_RAISE && pass->met[op->to] != pass->rank) {
        const uint64_t flag = (uint64_t)op->to * (uint64_t)pass->p + (uint64_t)pass->rank;
        pass->met[op->to] = pass->rank;
        g_array_append_val(pass->flags, flag);
    }
}

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static size_t in_whole(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

// Runs one rank's text.
static void run_text(SegmentPass *pass, const Operation *op, int rank)
{
    const Coll view = coll_make(op->algorithm->collective, &op->c, rank, op->m, &pass->run);
    coll_run_reset(&pass->run);
    pass->rank = rank;
    op->algorithm->run(&view);
}

SegmentLayout *segment_layout(const Operation *op)
{
    const int p = op->c.p;
    SegmentPass pass = {.p = p, .met = g_new(int, p), .queue = g_new0(size_t, p + 1)};
    pass.flags = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    memset(pass.met, 0xff, (size_t)p * sizeof *pass.met);
    coll_run_init(&pass.run, look_at);
    pass.run.most_segments = COLL_MOST_SEGMENTS;
    for (int rank = 0; rank < p; rank++)
        run_text(&pass, op, rank);
    coll_run_clear(&pass.run);
    g_free(pass.met);

    SegmentLayout *layout = g_new(SegmentLayout, 1);
    *layout = (SegmentLayout){.p = p, .queue = pass.queue, .n_flags = pass.flags->len};
    layout->flags = (uint64_t *)(void *)g_array_free(pass.flags, FALSE);
    if (layout->n_flags > 0)
        qsort(layout->flags, layout->n_flags, sizeof *layout->flags, by_number);
    size_t at = layout->n_flags * SEGMENT_LINE;
    for (int rank = 0; rank <= p; rank++) {
        const size_t len = layout->queue[rank];
        layout->queue[rank] = at;
        at += in_whole(len, SEGMENT_LINE);
    }
    layout->bytes = at;
    return layout;
}

void segment_layout_free(SegmentLayout *layout)
{
    if (!layout)
        return;
    g_free(layout->queue);
    g_free(layout->flags);
    g_free(layout);
}

size_t segment_flag(const SegmentLayout *layout, int queue, int who)
{
    const uint64_t key = (uint64_t)queue * (uint64_t)layout->p + (uint64_t)who;
    size_t low = 0, high = layout->n_flags;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (layout->flags[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < layout->n_flags && layout->flags[low] == key ? low * SEGMENT_LINE : SIZE_MAX;
}

size_t segment_bytes(const Operation *op)
{
    SegmentLayout *layout = segment_layout(op);
    const size_t bytes = layout->bytes;
    segment_layout_free(layout);
    return bytes;
}

size_t segment_allocated(const Operation *op)
{
    const size_t p = (size_t)op->c.p, slots = (size_t)op->c.par.slots;
    const size_t slot = in_whole((size_t)op->c.par.fragment, SEGMENT_PAGE) + in_whole(p * SEGMENT_NOTICE, SEGMENT_PAGE);
    return p * slots * slot;
}

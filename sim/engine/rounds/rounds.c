#include "engine/rounds/rounds.h"
#include "base/units.h"
#include "engine/rounds/texts.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_LINES = 24, MESSAGES_WIDTH = 74 };

// ---- A run with unit costs ------------------------------------------------------------------------------------------

// A send or a receive that was issued and not yet waited for.
typedef struct RoundPending {
    bool receives;
    bool moves, done; // it is transferred in the present round; it was transferred in an earlier round
    int peer;
    const CollOp *op;
} RoundPending;

typedef struct RoundPlayer {
    const GArray *ops; // of CollOp: what the rank's text does
    GArray *pending;   // of RoundPending, in the order of issue
    guint at;
    bool issued; // the operation at `at` has issued its messages
} RoundPlayer;

typedef struct RoundStage {
    int p;
    RoundPlayer *players;
    GArray *messages; // of RoundMessage, by rounds
} RoundStage;

static void issue(RoundPlayer *x, bool receives, const CollOp *op)
{
    const RoundPending q = {.receives = receives, .peer = receives ? op->from : op->to, .op = op};
    g_array_append_val(x->pending, q);
}

// Returns true if the slices overlap.
static bool holds(const Slice *s, const Slice *part)
{
    return s->buf == part->buf && s->off < part->off + part->len && part->off < s->off + s->len;
}

// Marks the message that brought an operand of a reduction: of the two operands, the one that came last.
static void mark_reduced(RoundStage *g, int rank, const CollOp *op)
{
    for (guint i = g->messages->len; i-- > 0;) {
        RoundMessage *x = &g_array_index(g->messages, RoundMessage, i);
        if (x->to == rank && (holds(&op->out, &x->into) || holds(&op->right, &x->into))) {
            x->reduced = true;
            return;
        }
    }
}

// Returns true if the flag that an await waits for has been raised. Flags, like all of shared memory, take no time
// here.
static bool is_raised(const RoundStage *g, const CollOp *op)
{
    const RoundPlayer *x = &g->players[op->from];
    for (guint i = x->at; i-- > 0;) {
        const CollOp *raise = &g_array_index(x->ops, CollOp, i);
        if (raise->kind == COLL_RAISE && raise->to == op->to)
            return raise->n >= op->n;
    }
    return false;
}

// Returns true if everything that the operation waits for has been transferred, and removes it from x->pending.
static bool is_over(const RoundStage *g, RoundPlayer *x, const CollOp *op)
{
    const guint n = x->pending->len;
    guint first, count = 1, missing = 0;
    switch (op->kind) {
    case COLL_SEND:
    case COLL_RECV:
        first = n - 1;
        break;
    case COLL_SENDRECV:
        first = n - (count = 2);
        break;
    case COLL_WAIT:
        first = n - 1 - (guint)op->n;
        break;
    case COLL_WAITALL:
        first = n - (count = (guint)op->n);
        break;
    case COLL_AWAIT:
        return is_raised(g, op);
    case COLL_THROTTLE:
        for (guint i = 0; i < n; i++)
            missing += !g_array_index(x->pending, RoundPending, i).done;
        return missing < (guint)op->n;
    default:
        return true;
    }
    for (guint i = first; i < first + count; i++)
        if (!g_array_index(x->pending, RoundPending, i).done)
            return false;
    g_array_remove_range(x->pending, first, count);
    return true;
}

// Runs the rank until it must wait or ends. Returns true if it raised a flag.
static bool go_on(RoundStage *g, int rank)
{
    RoundPlayer *x = &g->players[rank];
    bool raised = false;
    for (; x->at < x->ops->len; x->at++, x->issued = false) {
        const CollOp *op = &g_array_index(x->ops, CollOp, x->at);
        if (!x->issued && coll_kind_receives(op->kind))
            issue(x, true, op);
        if (!x->issued && coll_kind_sends(op->kind))
            issue(x, false, op);
        if (!x->issued && op->kind == COLL_REDUCE_OP)
            mark_reduced(g, rank, op);
        x->issued = true;
        raised |= op->kind == COLL_RAISE;
        if (!is_over(g, x, op))
            break;
    }
    return raised;
}

// Returns the message at the head of the rank's queue; NULL if the queue is empty.
static RoundPending *first_send(const RoundPlayer *x)
{
    for (guint i = 0; i < x->pending->len; i++) {
        RoundPending *q = &g_array_index(x->pending, RoundPending, i);
        if (!q->receives && !q->done)
            return q;
    }
    return NULL;
}

// Plays one round, in which every rank receives at most one message. It belongs to the rank's earliest receive whose
// message is at the head of its sender's queue. Returns false if no rank received a message.
static bool play_round(RoundStage *g, int round)
{
    const guint before = g->messages->len;
    for (bool raised = true; raised;) {
        raised = false;
        for (int v = 0; v < g->p; v++)
            raised |= go_on(g, v);
    }
    for (int v = 0; v < g->p; v++)
        for (guint i = 0; i < g->players[v].pending->len; i++) {
            RoundPending *r = &g_array_index(g->players[v].pending, RoundPending, i);
            RoundPending *s = r->receives && !r->done ? first_send(&g->players[r->peer]) : NULL;
            if (!s || s->peer != v)
                continue;
            const RoundMessage x = {round, r->peer, v, s->op->out.len, r->op->in, false};
            g_array_append_val(g->messages, x);
            r->moves = s->moves = true;
            break;
        }
    for (int v = 0; v < g->p; v++)
        for (guint i = 0; i < g->players[v].pending->len; i++) {
            RoundPending *q = &g_array_index(g->players[v].pending, RoundPending, i);
            q->done |= q->moves;
        }
    return g->messages->len > before;
}

GArray *rounds_play(const Operation *op)
{
    g_autoptr(GPtrArray) texts = texts_of(op);
    RoundStage g = {.p = op->c.p, .messages = g_array_new(FALSE, FALSE, sizeof(RoundMessage))};
    g.players = g_new0(RoundPlayer, g.p);
    for (int v = 0; v < g.p; v++) {
        g.players[v].ops = g_ptr_array_index(texts, v);
        g.players[v].pending = g_array_new(FALSE, FALSE, sizeof(RoundPending));
    }
    for (int round = 1; play_round(&g, round);)
        round++;
    for (int v = 0; v < g.p; v++)
        g_array_unref(g.players[v].pending);
    g_free(g.players);
    return g.messages;
}

// ---- The drawing ----------------------------------------------------------------------------------------------------

// Consecutive rounds that look alike. `text` has lines of the form "BYTES\tMESSAGES".
typedef struct RoundRow {
    int first, last;
    guint messages;
    char *text;
} RoundRow;

static void row_clear(gpointer row)
{
    g_free(((RoundRow *)row)->text);
}

static int by_size(const void *a, const void *b)
{
    const RoundMessage *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return x->reduced != y->reduced ? x->reduced - y->reduced : x->from - y->from;
}

bool rounds_between(const RoundMessage *x, const CollNodes *nodes)
{
    return nodes && nodes->of[x->from] != nodes->of[x->to];
}

// Returns "r -> r+1" or "r <-> r xor 4" if all ranks send to the same relative peer, else NULL. Free with g_free.
static char *alike_text(const RoundMessage *x, guint n, int p, bool exchanges)
{
    const int by = (x->to - x->from + p) % p, with = x->from ^ x->to;
    bool shift = p > 2 && n == (guint)p && by != 0, exchange = shift;
    for (guint i = 0; i < n; i++) {
        shift = shift && (x[i].to - x[i].from + p) % p == by && x[i].reduced == x->reduced;
        exchange = exchange && (x[i].from ^ x[i].to) == with && x[i].reduced == x->reduced;
    }
    if (exchange && (exchanges || !shift))
        return g_strdup_printf("r <%s r xor %d", x->reduced ? "=>" : "->", with);
    if (shift)
        return g_strdup_printf("r %s r%+d", x->reduced ? "=>" : "->", 2 * by > p ? by - p : by);
    return NULL;
}

// Adds messages of one size in columns; two that cross share a cell, and * marks messages between nodes.
static void add_group(GString *text, const RoundMessage *x, guint n, const CollNodes *nodes)
{
    g_autoptr(GPtrArray) cells = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *size = units_format_size(x->bytes);
    const char *arrow = x->reduced ? "=>" : "->";
    size_t width = 0, column = 0;
    for (guint i = 0; i < n; i++) {
        const bool writes = x[i].from == x[i].to;
        bool crossed = false;
        for (guint k = 0; k < n && !crossed && !writes; k++)
            crossed = x[k].from == x[i].to && x[k].to == x[i].from;
        if (crossed && x[i].from > x[i].to)
            continue;
        char *cell = writes ? g_strdup_printf("%d writes", x[i].from)
                            : g_strdup_printf("%d %s%s %d%s", x[i].from, crossed ? "<" : "", arrow, x[i].to,
                                              rounds_between(&x[i], nodes) ? "*" : "");
        width = MAX(width, strlen(cell));
        g_ptr_array_add(cells, cell);
    }
    for (guint i = 0; i < cells->len; i++, column += width + 3) {
        if (i == 0 || column + width > MESSAGES_WIDTH) {
            g_string_append_printf(text, "%s%s\t", text->len ? "\n" : "", i == 0 ? size : "");
            column = 0;
        }
        g_string_append_printf(text, "%-*s   ", (int)width, (char *)g_ptr_array_index(cells, i));
    }
}

static char *round_text(RoundMessage *x, guint n, int p, bool exchanges, const CollNodes *nodes)
{
    qsort(x, n, sizeof *x, by_size);
    GString *text = g_string_new(NULL);
    g_autofree char *alike = alike_text(x, n, p, exchanges), *most = units_format_size(x->bytes),
                    *least = units_format_size(x[n - 1].bytes);
    if (alike && x->bytes == x[n - 1].bytes)
        g_string_append_printf(text, "%s\t%s", most, alike);
    else if (alike)
        g_string_append_printf(text, "%s..%s\t%s", least, most, alike);
    guint between = 0;
    for (guint i = 0; alike && i < n; i++)
        between += rounds_between(&x[i], nodes);
    if (between == n)
        g_string_append_c(text, '*');
    else if (between)
        g_string_append_printf(text, ", %u of %u between nodes", between, n);
    for (guint i = 0, end; !alike && i < n; i = end) {
        for (end = i + 1; end < n && x[end].bytes == x[i].bytes && x[end].reduced == x[i].reduced;)
            end++;
        add_group(text, &x[i], end - i, nodes);
    }
    return g_string_free(text, FALSE);
}

static GArray *rows_of(GArray *messages, int p, bool exchanges, const CollNodes *nodes)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(RoundRow));
    g_array_set_clear_func(rows, row_clear);
    for (guint i = 0, end; i < messages->len; i = end) {
        RoundMessage *x = &g_array_index(messages, RoundMessage, i);
        for (end = i; end < messages->len && g_array_index(messages, RoundMessage, end).round == x->round;)
            end++;
        const int round = x->round;
        RoundRow row = {round, round, end - i, round_text(x, end - i, p, exchanges, nodes)};
        RoundRow *last = rows->len ? &g_array_index(rows, RoundRow, rows->len - 1) : NULL;
        if (last && strcmp(last->text, row.text) == 0) {
            last->last = row.last;
            last->messages += row.messages;
            g_free(row.text);
        } else {
            g_array_append_val(rows, row);
        }
    }
    return rows;
}

static void add_row(GString *text, const RoundRow *row, char **lines)
{
    for (int i = 0; lines[i]; i++) {
        g_autofree char *round = row->first == row->last ? g_strdup_printf("%d", row->first)
                                                         : g_strdup_printf("%d..%d", row->first, row->last);
        char *tab = strchr(lines[i], '\t');
        g_string_append_printf(text, "  %10s  %10.*s  %s\n", i ? "" : round, (int)(tab - lines[i]), lines[i],
                               g_strchomp(tab + 1));
    }
}

char *rounds_draw(GArray *messages, int p, bool exchanges, const CollNodes *nodes)
{
    GString *drawing = g_string_new("\n");
    g_autoptr(GArray) rows = rows_of(messages, p, exchanges, nodes);
    guint lines = 0, shown = 0, k = 0;
    bool every = false, reduced = false, between = false, shared = false;
    for (guint i = 0; i < messages->len && !shared; i++) {
        const RoundMessage *x = &g_array_index(messages, RoundMessage, i);
        shared = x->from == x->to;
    }
    if (rows->len)
        g_string_append_printf(drawing, "  %10s  %10s  %s\n", "round", "bytes", shared ? "accesses" : "messages");
    else
        g_string_append(drawing, "  no messages\n");
    for (; k < rows->len; k++) {
        const RoundRow *row = &g_array_index(rows, RoundRow, k);
        g_auto(GStrv) text = g_strsplit(row->text, "\n", -1);
        if (k > 0 && lines + g_strv_length(text) > MAX_LINES)
            break;
        lines += g_strv_length(text);
        shown += row->messages;
        every |= strstr(row->text, "r ") != NULL;
        reduced |= strchr(row->text, '=') != NULL;
        between |= strchr(row->text, '*') != NULL;
        add_row(drawing, row, text);
    }
    if (k < rows->len) {
        const int more = g_array_index(rows, RoundRow, rows->len - 1).last - g_array_index(rows, RoundRow, k).first + 1;
        const guint left = messages->len - shown;
        g_string_append_printf(drawing, "  and %d more round%s with %u %s%s\n", more, more == 1 ? "" : "s", left,
                               shared ? "access" : "message",
                               left == 1 ? ""
                               : shared  ? "es"
                                         : "s");
    }
    if (shared)
        g_string_append_printf(drawing, "  (-> reads the queue of%s)\n", reduced ? ", => and reduces" : "");
    else if (every || reduced || between)
        g_string_append_printf(drawing, "  (%s%s%s%s%s)\n", every ? "r: every rank, modulo p" : "",
                               every && reduced ? "; " : "", reduced ? "=> is reduced on arrival" : "",
                               (every || reduced) && between ? "; " : "", between ? "*: between nodes" : "");
    return g_string_free(drawing, FALSE);
}

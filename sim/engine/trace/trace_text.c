#include "base/units.h"
#include "engine/replay/path.h"
#include "engine/trace/trace.h"

char *trace_missing(const Trace *t)
{
    GString *s = g_string_new(NULL);
    if (t->n_ranks < t->p)
        g_string_append_printf(s, "%d of %d ranks", t->p - t->n_ranks, t->p);
    if (t->cut >= 0) {
        g_autofree char *when = units_format_time((double)t->cut / 1e9);
        g_string_append_printf(s, "%swhat begins at %s or later on the others", s->len ? ", and " : "", when);
        if (t->n_ranks == t->p)
            g_string_printf(s, "what begins at %s or later", when);
    }
    if (t->window)
        g_string_append_printf(s, "%swhat is outside of --from and --to", s->len ? ", and " : "");
    if (t->path_left)
        g_string_append_printf(s, "%sthe last %u steps of the critical path", s->len ? ", and " : "", t->path_left);
    if (t->no_path)
        g_string_append_printf(s, "%s%s", s->len ? ", and " : "", t->no_path);
    return g_string_free(s, s->len == 0);
}

char *trace_name(const TraceSlice *s)
{
    if (s->track == TRACE_OUT)
        return g_strdup_printf("to %d", s->peer);
    if (s->track == TRACE_IN)
        return g_strdup_printf("from %d", s->peer);
    if (s->node >= 0)
        return g_strdup_printf("%d to %d", s->rank, s->peer);
    if (s->track == TRACE_CPU)
        return g_strdup(s->waits ? "wait" : path_kind_name(s->kind == OP_SEND || s->kind == OP_RECV ? s->op : s->kind));
    if (s->peer < 0)
        return g_strdup_printf("%d %s", s->rank, path_kind_name(s->kind));
    if (s->kind == PATH_NIC || s->kind == PATH_MEMORY) // the rank may be at either end of the message
        return g_strdup_printf("%d %s with %d", s->rank, path_kind_name(s->kind), s->peer);
    return s->kind == OP_RECV || s->kind == PATH_IN || op_shares(s->kind)
               ? g_strdup_printf("%d %s from %d", s->rank, path_kind_name(s->kind), s->peer)
               : g_strdup_printf("%d %s to %d", s->rank, path_kind_name(s->kind), s->peer);
}

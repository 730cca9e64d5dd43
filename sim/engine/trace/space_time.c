#include "engine/trace/space_time.h"
#include "base/escape.h"
#include "base/units.h"
#include "engine/schedule/schedule.h"
#include <math.h>

enum { LEFT = 62, TOP = 58, WIDE = 900, RIGHT = 24, BOTTOM = 66, TICKS = 8 };
#define AWAY_LOOKS "fill=\"#fff\" stroke=\"#888\" stroke-width=\"0.8\" stroke-dasharray=\"3 3\""
enum { LINK_TEXT = 22, LINK_HIGH = 34 }; // of the row of the busiest link
enum { STEEP = 2 };                      // pixels; a path that goes to another rank within less looks vertical

// The picture while it is written.
typedef struct SpaceTime {
    FILE *to;
    const Trace *t;
    double row;         // the height of a rank's row
    int64_t begin, end; // ns, of the time that is shown
    int *place;         // by rank: its row; -1 for a rank that is not in the picture
    bool jumps;         // the critical path goes to another rank in next to no time
} SpaceTime;

static double x_of(const SpaceTime *g, int64_t ns)
{
    const double span = (double)MAX(g->end - g->begin, 1);
    return LEFT + WIDE * CLAMP((double)(ns - g->begin) / span, 0, 1);
}

// Returns where a rank's line is; its row is around it.
static double y_of(const SpaceTime *g, int rank)
{
    return TOP + g->row * (g->place[rank] + 0.5);
}

static void put_text(const SpaceTime *g, double x, double y, const char *anchor, const char *more, const char *text)
{
    g_autofree char *plain = escape_xml(text);
    fprintf(g->to, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>%s</text>\n", x, y, anchor, more, plain);
}

// Draws a rectangle on a rank's line.
static void put_bar(const SpaceTime *g, const TraceSlice *s, double height, const char *looks)
{
    const double x = x_of(g, s->begin), w = x_of(g, s->end) - x;
    if (w > 0)
        fprintf(g->to, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" %s/>\n", x,
                y_of(g, s->rank) - height / 2, w, height, looks);
}

static bool is_own_work(const TraceSlice *s)
{
    return !s->waits && (op_works(s->kind) || s->kind == PATH_CALC || (op_shares(s->kind) && s->kind != (int)OP_AWAIT));
}

// Draws what ranks do: time in which a rank goes on with nothing of its own is hatched.
static void put_work(const SpaceTime *g)
{
    for (guint i = 0; i < g->t->slices->len; i++) {
        const TraceSlice *s = &g_array_index(g->t->slices, TraceSlice, i);
        if (s->track != TRACE_CPU)
            continue;
        if (s->kind == PATH_ARRIVAL)
            put_bar(g, s, 0.1 * g->row, AWAY_LOOKS);
        else if (is_own_work(s))
            put_bar(g, s, 0.44 * g->row, "fill=\"#444\"");
        else if (s->works)
            put_bar(g, s, 0.32 * g->row, "fill=\"#999\"");
        else
            put_bar(g, s, 0.22 * g->row, "fill=\"url(#wait)\" stroke=\"#999\" stroke-width=\"0.4\"");
    }
}

// Draws the messages whose ends are both in the picture.
static void put_messages(const SpaceTime *g)
{
    for (guint i = 0; i < g->t->slices->len; i++) {
        const TraceSlice *s = &g_array_index(g->t->slices, TraceSlice, i);
        if (s->track != TRACE_OUT || !s->flows)
            continue;
        const int down = g->place[s->peer] > g->place[s->rank] ? 1 : -1;
        const double from = y_of(g, s->rank) + down * 0.22 * g->row, to = y_of(g, s->peer) - down * 0.22 * g->row;
        const int64_t thin = MIN(s->end - s->begin, s->came - s->begin) / 5; // the band's width in time
        fprintf(g->to, "<polygon points=\"%.2f,%.2f %.2f,%.2f %.2f,%.2f %.2f,%.2f\"/>\n", x_of(g, s->begin), from,
                x_of(g, s->begin + thin), from, x_of(g, s->came), to, x_of(g, s->came - thin), to);
    }
}

static bool is_end(const TraceSlice *s, int rank)
{
    return s->rank == rank || s->peer == rank;
}

// Returns at which rank the path is at the end of a step: at one end of its message where the next step goes on. `next` is NULL
// for the last step.
static int path_after(const TraceSlice *s, const TraceSlice *next)
{
    if (s->peer < 0 || !next || next->rank == s->rank)
        return s->rank;
    return next->rank == s->peer || (next->peer == s->peer && next->peer != s->rank) ? s->peer : s->rank;
}

// Appends a line of the path. If it does not go on from `end`, where the line before ended, a new one begins.
static void add_line(GString *path, const double from[2], const double to[2], const double end[2])
{
    const bool goes_on = path->len && from[0] == end[0] && from[1] == end[1];
    if (!goes_on)
        g_string_append_printf(path, "M%.2f,%.2f ", from[0], from[1]);
    g_string_append_printf(path, "L%.2f,%.2f ", to[0], to[1]);
}

// Finds the critical path: along a rank's line while it is there, and across with a message. If the sender came to a message
// last, the path is at the sender before; if the receiver did, at the receiver. Where it looks vertical it is in `jumps`.
static void find_path(const SpaceTime *g, GString *path, GString *jumps)
{
    int at = -1; // the rank where the path is
    double end[2] = {NAN, NAN}, none[2] = {NAN, NAN};
    for (guint i = g->t->slices->len - g->t->path_steps; i < g->t->slices->len; i++) {
        const TraceSlice *s = &g_array_index(g->t->slices, TraceSlice, i);
        const bool far = s->peer >= 0 && (s->kind == OP_RECV || s->kind == OP_AWAIT);
        const int from = at >= 0 && is_end(s, at) ? at
                         : far                    ? s->peer
                                                  : s->rank,
                  to = path_after(s, i + 1 < g->t->slices->len ? s + 1 : NULL);
        at = to;
        if (g->place[from] < 0 || g->place[to] < 0 || s->end < g->begin || s->begin > g->end) {
            end[0] = end[1] = NAN;
            continue;
        }
        const double first[2] = {x_of(g, s->begin), y_of(g, from)}, last[2] = {x_of(g, s->end), y_of(g, to)};
        if (first[0] == end[0] && first[1] != end[1])
            add_line(jumps, end, first, none);
        if (last[0] - first[0] < STEEP && first[1] != last[1])
            add_line(jumps, first, last, none);
        else
            add_line(path, first, last, end);
        end[0] = last[0];
        end[1] = last[1];
    }
}

// Draws the critical path. A light rim sets it apart from what is filled, in grey too.
static void put_path(SpaceTime *g)
{
    g_autoptr(GString) path = g_string_new(NULL), jumps = g_string_new(NULL);
    find_path(g, path, jumps);
    g->jumps = jumps->len > 0;
    fprintf(g->to,
            "<defs>\n<path fill=\"none\" stroke-linejoin=\"round\" id=\"path\" d=\"%s\"/>\n</defs>\n"
            "<use href=\"#path\" stroke=\"#fff\" stroke-width=\"5\"/>"
            "<use href=\"#path\" stroke=\"#c01818\" stroke-width=\"2.6\"/>\n",
            path->str);
    if (g->jumps)
        fprintf(g->to,
                "<path fill=\"none\" stroke=\"#c01818\" stroke-width=\"1.6\" stroke-dasharray=\"2 3\" d=\"%s\"/>\n",
                jumps->str);
}

static const TraceLink *busiest(const SpaceTime *g)
{
    return g->t->links && g->t->links->len ? &g_array_index(g->t->links, TraceLink, 0) : NULL;
}

// Returns the height of the row of the busiest link.
static double link_row(const SpaceTime *g)
{
    return busiest(g) ? LINK_TEXT + LINK_HIGH + 8 : 0;
}

// Draws the busiest link above `bottom`: how many messages share it.
static void put_link(const SpaceTime *g, double bottom)
{
    const TraceLink *x = busiest(g);
    if (!x)
        return;
    g_autofree char *size = units_format_size((size_t)x->bytes),
                    *text = g_strdup_printf("busiest link, %s: %s bytes, at most %u messages at a time", x->name, size,
                                            x->most);
    put_text(g, LEFT, bottom - LINK_HIGH - 8, "start", "", text);
    for (guint i = 0; i + 1 < x->counts->len; i++) {
        const TraceLinkCount *c = &g_array_index(x->counts, TraceLinkCount, i);
        const double from = x_of(g, c->at), w = x_of(g, c[1].at) - from,
                     high = LINK_HIGH * (double)c->messages / x->most;
        if (w > 0 && c->messages)
            fprintf(g->to,
                    "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"#7a5195\" stroke=\"#4b2e63\" "
                    "stroke-width=\"0.5\"/>\n",
                    from, bottom - high, w, high);
    }
    for (uint32_t n = 1; n <= x->most && x->most <= 4; n++) {
        g_autofree char *number = g_strdup_printf("%u", n);
        put_text(g, LEFT - 8, bottom - LINK_HIGH * (double)n / x->most + 4, "end", " font-size=\"10\"", number);
    }
}

// Returns how far apart the marks on the time axis are, in ns: 1, 2 or 5 times a power of 10, so that at most TICKS + 1 of them
// are in the time that is shown.
static int64_t tick_step(int64_t span)
{
    for (int64_t ten = 1;; ten *= 10) {
        static const int64_t factors[] = {1, 2, 5};
        for (size_t i = 0; i < G_N_ELEMENTS(factors); i++)
            if (span / (factors[i] * ten) <= TICKS)
                return factors[i] * ten;
    }
}

static void put_axes(const SpaceTime *g, double bottom)
{
    const int64_t step = tick_step(g->end - g->begin);
    for (guint i = 0; i < g->t->ranks->len; i++) {
        const int rank = g_array_index(g->t->ranks, int, i);
        g_autofree char *name = g_strdup_printf("%d", rank);
        fprintf(g->to, "<line x1=\"%d\" x2=\"%d\" y1=\"%.2f\" y2=\"%.2f\" stroke=\"#bbb\" stroke-width=\"0.6\"/>\n",
                LEFT, LEFT + WIDE, y_of(g, rank), y_of(g, rank));
        put_text(g, LEFT - 8, y_of(g, rank) + 4, "end", "", name);
    }
    fprintf(g->to, "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#333\"/>\n", LEFT, LEFT + WIDE, bottom,
            bottom);
    for (int64_t at = (g->begin + step - 1) / step * step; at <= g->end; at += step) {
        g_autofree char *when = units_format_time((double)at / 1e9);
        fprintf(g->to, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#333\"/>\n", x_of(g, at),
                x_of(g, at), bottom, bottom + 5);
        put_text(g, x_of(g, at), bottom + 19, "middle", "", when);
    }
    put_text(g, LEFT - 8, TOP - 8, "end", "", "rank");
}

// Says below the title which parts of the run the picture lacks.
static void put_missing(const SpaceTime *g)
{
    g_autofree char *missing = trace_missing(g->t), *line = g_strconcat("missing: ", missing, NULL);
    if (missing)
        put_text(g, LEFT, 43, "start", " fill=\"#555\"", line);
}

// Marks the items of the legend that occur in the picture.
static void find_items(const SpaceTime *g, bool *has)
{
    const Trace *t = g->t;
    has[5] = g->jumps;
    has[3] = t->path_steps > 0;
    for (guint i = 0; i + t->path_steps < t->slices->len; i++) {
        const TraceSlice *s = &g_array_index(t->slices, TraceSlice, i);
        if (s->track == TRACE_OUT)
            has[0] = true;
        else if (s->track == TRACE_CPU && s->kind == PATH_ARRIVAL)
            has[6] = true;
        else if (s->track == TRACE_CPU)
            has[s->works ? 4 : is_own_work(s) ? 1 : 2] = true;
    }
}

static void put_legend(const SpaceTime *g, double y)
{
    static const char *const looks[] = {
        "fill=\"#9db7d5\" stroke=\"#47618a\" stroke-width=\"0.5\"",
        "fill=\"#444\"",
        "fill=\"url(#wait)\" stroke=\"#999\" stroke-width=\"0.4\"",
        "fill=\"#c01818\" height=\"3\"",
        "fill=\"#999\"",
        "fill=\"none\" stroke=\"#c01818\" stroke-width=\"1.6\" stroke-dasharray=\"2 3\" height=\"0.1\"",
        (AWAY_LOOKS " height=\"4\"")};
    static const char *const names[] = {
        "message",       "own work",          "sends, receives or waits",
        "critical path", "work on a message", ".. goes to another rank in next to no time",
        "not arrived"};
    static const int width[] = {120, 120, 230, 150, 180, 300, 0};
    bool has[G_N_ELEMENTS(names)] = {false};
    find_items(g, has);
    int x = LEFT;
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        if (!has[i])
            continue;
        const bool thin = i == 3 || i >= 5;
        fprintf(g->to, "<rect x=\"%d\" y=\"%.1f\" width=\"26\" %s%s/>\n", x, thin ? y - 6 : y - 9,
                thin ? "" : "height=\"10\" ", looks[i]);
        put_text(g, x + 33, y, "start", "", names[i]);
        x += width[i];
    }
}

// Sets the time that is shown: from the first to the last slice of a rank, or the whole run if there is none.
static void find_span(SpaceTime *g)
{
    g->begin = g->t->end;
    for (guint i = 0; i + g->t->path_steps < g->t->slices->len; i++) {
        const TraceSlice *s = &g_array_index(g->t->slices, TraceSlice, i);
        g->begin = MIN(g->begin, s->begin);
        g->end = MAX(g->end, s->end);
    }
    if (g->begin > g->end) {
        g->begin = 0;
        g->end = g->t->end;
    }
}

void space_time_write(const Trace *t, const char *title, FILE *to)
{
    const int n = t->n_ranks;
    SpaceTime g = {.to = to, .t = t, .row = n <= 12 ? 34 : n <= 24 ? 24 : 16, .place = g_new(int, t->p)};
    for (int rank = 0; rank < t->p; rank++)
        g.place[rank] = -1;
    for (int i = 0; i < n; i++)
        g.place[g_array_index(t->ranks, int, (guint)i)] = i;
    find_span(&g);
    const double bottom = TOP + g.row * n + link_row(&g), high = bottom + BOTTOM;
    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" width=\"%d\" height=\"%.0f\" "
            "font-family=\"sans-serif\" font-size=\"12\" fill=\"#111\">\n",
            LEFT + WIDE + RIGHT, high, LEFT + WIDE + RIGHT, high);
    g_autofree char *plain = escape_xml(title);
    fprintf(to, "<title>%s</title>\n", plain);
    fputs("<defs><pattern id=\"wait\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
          "patternTransform=\"rotate(45)\"><rect width=\"5\" height=\"5\" fill=\"#fff\"/>"
          "<line x1=\"0\" y1=\"0\" x2=\"0\" y2=\"5\" stroke=\"#888\" stroke-width=\"1.6\"/></pattern></defs>\n",
          to);
    fprintf(to, "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n");
    put_text(&g, LEFT, 24, "start", " font-size=\"15\" font-weight=\"bold\"", title);
    put_missing(&g);
    put_axes(&g, bottom);
    put_work(&g);
    fputs("<g fill=\"#9db7d5\" fill-opacity=\"0.75\" stroke=\"#47618a\" stroke-width=\"0.5\">\n", to);
    put_messages(&g);
    fputs("</g>\n", to);
    put_path(&g);
    put_link(&g, bottom);
    put_legend(&g, bottom + 48);
    fputs("</svg>\n", to);
    g_free(g.place);
}

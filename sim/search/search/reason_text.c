#include "search/search/reason.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- Numbers --------------------------------------------------------------------------------------------------------

// Appends a number in whole and parts, such as "2", "1/2" or "1.79".
static void add_ratio(GString *s, int64_t num, int64_t den)
{
    g_assert(den > 0);
    if (num % den == 0)
        g_string_append_printf(s, "%" G_GINT64_FORMAT, num / den);
    else if (den % num == 0)
        g_string_append_printf(s, "1/%" G_GINT64_FORMAT, den / num);
    else
        g_string_append_printf(s, "%.3g", (double)num / (double)den);
}

// Appends a term of a sum: " + 2 log2 p" or " + 2/p", or its beginning, "2 log2 p".
static void add_part(GString *s, int64_t n, int64_t scale, const char *what)
{
    if (n == 0)
        return;
    g_string_append(s, !s->len ? (n < 0 ? "-" : "") : n < 0 ? " - " : " + ");
    const gboolean over = *what == '/', alone = !*what || over;
    if (llabs(n) != scale || alone)
        add_ratio(s, llabs(n), scale);
    g_string_append_printf(s, "%s%s", alone || llabs(n) == scale ? "" : " ", what);
}

static const char *letter(const Reason *of)
{
    return of->nodes ? "N" : "p";
}

// Compares two numbers at the largest x at which they differ. Returns 0 if they are equal wherever both are known.
static int compare(const Growth *a, const Growth *b)
{
    for (int i = a->n - 1; i >= 0; i--)
        for (int k = 0; k < b->n; k++) {
            const __int128 left = (__int128)a->num[i] * b->den[k], right = (__int128)b->num[k] * a->den[i];
            if (a->x[i] == b->x[k] && left != right)
                return left > right ? 1 : -1;
        }
    return 0;
}

// Appends the number that was counted at x[i]; "once" for 1 time.
static void add_counted(GString *s, const Growth *g, int i, const char *unit)
{
    if (*unit && g->num[i] == g->den[i]) {
        g_string_append(s, "once");
        return;
    }
    add_ratio(s, g->num[i], g->den[i]);
    g_string_append(s, unit);
}

// Returns a number as it grows, "2(p - 1)", "log2 p + 3", or as it was counted, "9 at p = 4 and 33 at p = 128". `unit`
// follows the numbers, such as " times". Free with g_free.
static char *growth_text(const Reason *of, const Growth *g, const char *unit)
{
    GString *s = g_string_new(NULL);
    const char *const x = letter(of);
    if (!g->known) {
        add_counted(s, g, 0, unit);
        g_string_append_printf(s, " at %s = %" G_GINT64_FORMAT " and ", x, g->x[0]);
        add_counted(s, g, g->n - 1, unit);
        g_string_append_printf(s, " at %s = %" G_GINT64_FORMAT, x, g->x[g->n - 1]);
        return g_string_free(s, FALSE);
    }
    g_autofree char *log = g_strdup_printf("log2 %s", x), *over = g_strdup_printf("/%s", x),
                    *many = g_strdup_printf("%s log2 %s", x, x);
    if (g->line != 0 && g->line == -g->fixed && g->log == 0 && g->many == 0 && g->rest == 0 && g->line != g->scale) {
        add_ratio(s, g->line, g->scale);
        g_string_append_printf(s, "(%s - 1)", x);
    } else {
        add_part(s, g->many, g->scale, many);
        add_part(s, g->line, g->scale, x);
        add_part(s, g->log, g->scale, log);
        add_part(s, g->fixed, g->scale, "");
        add_part(s, g->rest, g->scale, over);
    }
    if (s->len == 0)
        g_string_append_c(s, '0');
    g_string_append(s, unit);
    return g_string_free(s, FALSE);
}

// Returns TRUE if no byte is on the critical path, because the model charges none: logp.
static gboolean is_free(const Growth *g)
{
    return g->n > 0 && g->num[0] == 0 && g->num[g->n - 1] == 0;
}

static const char free_text[] = "; a byte takes no time in this model";

// Returns how often something happens to each byte: "once", "less than twice, whatever p is" or "log2 p times". Free with
// g_free.
static char *times_text(const Reason *of, const Growth *g)
{
    const gboolean bounded = g->known && g->line == 0 && g->log == 0 && g->many == 0;
    GString *s = g_string_new(NULL);
    if (!bounded) {
        g_string_free(s, TRUE);
        return growth_text(of, g, " times");
    }
    if (g->fixed == 0 && g->rest == 0)
        g_string_append(s, "never");
    else if (g->fixed == g->scale)
        g_string_append(s, "once");
    else if (g->fixed == 2 * g->scale)
        g_string_append(s, "twice");
    else {
        add_ratio(s, g->fixed, g->scale);
        g_string_append(s, " times");
    }
    if (g->rest < 0)
        g_string_prepend(s, "less than ");
    if (g->rest > 0)
        g_string_prepend(s, "little more than ");
    if (g->fixed || g->rest)
        g_string_append_printf(s, ", whatever %s is", letter(of));
    return g_string_free(s, FALSE);
}

// ---- Sentences ------------------------------------------------------------------------------------------------------

// Returns "2(p - 1) messages" or "1 wait for a flag". Free with g_free.
static char *messages_text(const Reason *x)
{
    g_autofree char *n = growth_text(x, &x->messages, "");
    const gboolean one = strcmp(n, "1") == 0;
    return g_strdup_printf("%s %s", n,
                           x->shared ? (one ? "wait for a flag" : "waits for flags") : (one ? "message" : "messages"));
}

static const char *sends(const Reason *x)
{
    return x->shared ? "takes as long as copying" : "sends";
}

static const char *what(const Reason *x)
{
    return x->block ? "m bytes" : "each byte";
}

static char *done(const Reason *x, GString *s)
{
    if (x->nodes || x->others)
        g_string_append_printf(s, " (%s%s%s)", letter(x), x->nodes ? ": nodes" : "",
                               x->others ? x->nodes ? ", a power of two" : ": a power of two" : "");
    g_string_append_c(s, '.');
    return g_string_free(s, FALSE);
}

// Returns what goes first: "32 log2 N - 1 messages", "(p - 1) m bytes" or "none". Free with g_free.
static char *queue_text(const Reason *x, const Growth *g, gboolean bytes)
{
    g_autofree char *n = growth_text(x, g, "");
    const gboolean sum = strchr(n, ' ') != NULL && *n != '(';
    return g->num[g->n - 1] == 0 ? g_strdup("none")
           : bytes               ? g_strdup_printf(sum ? "(%s) m bytes" : "%s m bytes", n)
                                 : g_strdup_printf("%s messages", n);
}

// Appends who waits for messages of other ranks, which go first through what all share.
static void add_queues(GString *s, const Reason *x, const Reason *y)
{
    const gboolean messages = x->before.n && y->before.n && compare(&x->before, &y->before) != 0;
    if (!messages && (!x->queued.n || !y->queued.n || compare(&x->queued, &y->queued) == 0))
        return;
    g_autofree char *one = queue_text(x, messages ? &x->before : &x->queued, !messages),
                    *two = queue_text(y, messages ? &y->before : &y->queued, !messages);
    g_string_append_printf(s, "; in %s, %s of other ranks go first through %s, and in %s %s", x->name, one,
                           messages ? "the NIC" : "what ranks share", y->name, two);
}

char *reason_text(const Reason *x)
{
    GString *s = g_string_new(NULL);
    g_autofree char *messages = messages_text(x);
    g_string_printf(s, "%s has %s one after the other", x->name, messages);
    if (is_free(&x->sent))
        g_string_append(s, free_text);
    else if (x->sent.n) {
        g_autofree char *times = times_text(x, &x->sent);
        g_string_append_printf(s, ", and %s %s %s", sends(x), what(x), times);
    }
    return done(x, s);
}

// Appends what two algorithms with the same numbers of messages and bytes differ in.
static void add_equal(GString *s, const Reason *x, const Reason *y)
{
    const int reduced = x->reduced.n && y->reduced.n ? compare(&x->reduced, &y->reduced) : 0;
    const Reason *less = reduced <= 0 ? x : y, *more = less == x ? y : x;
    g_autofree char *messages = messages_text(x), *sent = x->sent.n ? times_text(x, &x->sent) : NULL,
                    *few = times_text(less, &less->reduced), *many = times_text(more, &more->reduced);
    g_string_append_printf(s, "Both have %s one after the other", messages);
    if (is_free(&x->sent))
        g_string_append(s, free_text);
    else if (sent)
        g_string_append_printf(s, " and %s %s %s", x->shared ? "take as long as copying" : "send", what(x), sent);
    if (reduced)
        g_string_append_printf(s, "; %s reduces each byte %s, and %s %s", less->name, few, more->name, many);
}

char *reason_pair_text(const Reason *x, const Reason *y)
{
    GString *s = g_string_new(NULL);
    const int messages = compare(&x->messages, &y->messages),
              sent = x->sent.n && y->sent.n ? compare(&x->sent, &y->sent) : 0;
    if (messages == 0 && sent == 0) {
        add_equal(s, x, y);
        add_queues(s, x, y);
        return done(x, s);
    }
    const Reason *short_ = messages <= 0 ? x : y, *other = short_ == x ? y : x, *long_ = sent <= 0 ? x : y,
                 *last = long_ == x ? y : x;
    g_autofree char *few = growth_text(short_, &short_->messages, ""), *both = messages_text(x),
                    *many = growth_text(other, &other->messages, ""),
                    *little = x->sent.n && y->sent.n ? times_text(long_, &long_->sent) : NULL,
                    *much = little ? times_text(last, &last->sent) : NULL;
    if (messages == 0)
        g_string_append_printf(s, "Both have %s one after the other", both);
    else
        g_string_append_printf(s, "%s has fewer %s one after the other, %s against %s%s", short_->name,
                               x->shared ? "waits for flags" : "messages", few, many,
                               sent && long_ != short_ ? ", which counts for short messages" : "");
    if (sent)
        g_string_append_printf(s, "; %s %s %s %s, and %s %s%s", long_->name, sends(x), what(x), little, last->name,
                               much, messages && long_ != short_ ? ", which counts for long ones" : "");
    else if (is_free(&x->sent))
        g_string_append(s, free_text);
    else if (little)
        g_string_append_printf(s, "; both %s %s %s", x->shared ? "take as long as copying" : "send", what(x), little);
    add_queues(s, x, y);
    return done(x, s);
}

char *reason_of_pair(const Request *r, const CollAlgorithm *a, const CollAlgorithm *b, int per_node)
{
    Reason x, y;
    return reason_find(r, a, per_node, &x) && reason_find(r, b, per_node, &y) ? reason_pair_text(&x, &y) : NULL;
}

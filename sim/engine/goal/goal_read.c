#include "base/error.h"
#include "engine/goal/goal_binary.h"
#include "engine/goal/goal_labels.h"
#include "engine/goal/goal_text.h"
#include "base/lines.h"
#include "base/nearest.h"
#include <string.h>

enum { NO_RANK = -1 };

typedef struct GoalReader {
    Lines lines;
    gboolean in_comment;
    gint64 rank;           // the rank whose block is open, or NO_RANK
    uint32_t n_ranks, due; // due: the rank that must come next
    Goal *goal;            // NULL before num_ranks
    GoalLabels *labels;
    uint64_t n_edges;
} GoalReader;

// ---- Tokens: a take_ function moves *at behind what it has read -----------------------------------------------------

// A label as a part of the line, n letters long; n is 0 if there is none.
typedef struct Label {
    const char *at;
    size_t n;
} Label;

static gboolean fail(const GoalReader *r, GError **error, const char *format, ...) G_GNUC_PRINTF(3, 4);
static gboolean fail(const GoalReader *r, GError **error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *what = g_strdup_vprintf(format, args);
    va_end(args);
    return bad_input(error, "%s:%" G_GUINT64_FORMAT ": %s", r->lines.name, r->lines.line, what);
}

static inline gboolean is_name_letter(char c)
{
    return g_ascii_isalnum(c) || c == '_';
}

static inline void skip_blanks(char **at)
{
    while (**at == ' ' || **at == '\t')
        ++*at;
}

static gboolean at_line_end(const char *at)
{
    return at[0] == '\n' || (at[0] == '\r' && at[1] == '\n');
}

static gboolean unexpected(const GoalReader *r, const char *at, const char *allowed, GError **error)
{
    if (at_line_end(at))
        return fail(r, error, "the line ends; allowed: %s", allowed);
    size_t n = 1;
    while (is_name_letter(at[0]) && is_name_letter(at[n]))
        n++;
    g_autofree char *token = g_strndup(at, n), *quoted = error_quote(token);
    return fail(r, error, "unexpected %s; allowed: %s", *at ? quoted : "byte 0", allowed);
}

// Takes a word if the text at *at begins with it. As in LogGOPSim's reader, more letters may follow the word.
static inline gboolean take(char **at, const char *word, size_t n)
{
    skip_blanks(at);
    if (memcmp(*at, word, n) != 0) // this may read behind the line's end (LINES_BEHIND), where no word can begin
        return FALSE;
    *at += n;
    return TRUE;
}
#define TAKE(at, word) take(at, word, sizeof(word) - 1)

static gboolean take_number(const GoalReader *r, char **at, const char *what, uint64_t max, uint64_t *value,
                            GError **error)
{
    skip_blanks(at);
    if (!g_ascii_isdigit(**at))
        return unexpected(r, *at, what, error);
    char *first = *at;
    uint64_t n = 0;
    gboolean fits = TRUE;
    for (; g_ascii_isdigit(**at); ++*at) {
        const uint64_t digit = (uint64_t)(**at - '0');
        fits = fits && n <= (UINT64_MAX - digit) / 10;
        n = n * 10 + digit;
    }
    if (!fits || n > max) {
        g_autofree char *digits = g_strndup(first, (gsize)(*at - first)), *quoted = error_quote(digits);
        return fail(r, error, "%s is too large; allowed: %s, at most %" G_GUINT64_FORMAT, quoted, what, max);
    }
    *value = n;
    return TRUE;
}

// Takes a peer or a tag. -1 becomes GOAL_ANY, and so do 4294967295 and 18446744073709551615, which LogGOPSim's reader
// takes for -1 and its Schedgen writes.
static gboolean take_or_any(const GoalReader *r, char **at, const char *what, uint64_t max, uint64_t *value,
                            GError **error)
{
    static const char *const any[] = {"-1", "4294967295", "18446744073709551615"};
    skip_blanks(at);
    for (size_t i = 0; i < G_N_ELEMENTS(any); i++) {
        if (**at != *any[i])
            continue;
        const size_t n = strlen(any[i]);
        if (strncmp(*at, any[i], n) != 0 || g_ascii_isdigit((*at)[n]))
            continue;
        *at += n;
        *value = GOAL_ANY;
        return TRUE;
    }
    return take_number(r, at, what, max, value, error);
}

static Label take_letters(char **at)
{
    const char *first = *at;
    while (is_name_letter(**at))
        ++*at;
    return (Label){first, (size_t)(*at - first)};
}

static char *label_text(Label label)
{
    g_autofree char *text = g_strndup(label.at, label.n);
    return error_quote(text);
}

// Checks that a statement is over: only a comment, the end of the line or the end of the block may follow.
static gboolean check_over(const GoalReader *r, char **at, const char *allowed, GError **error)
{
    skip_blanks(at);
    const gboolean comment = (*at)[0] == '/' && ((*at)[1] == '/' || (*at)[1] == '*');
    return comment || **at == '}' || at_line_end(*at) || unexpected(r, *at, allowed, error);
}

// ---- Statements -----------------------------------------------------------------------------------------------------

// The optional tag, CPU and NIC behind an operation.
typedef struct GoalPlace {
    uint64_t tag, cpu, nic;
} GoalPlace;

static gboolean take_place(const GoalReader *r, char **at, gboolean calc, GoalPlace *place, GError **error)
{
    const char *allowed = calc ? "cpu or the end of the line" : "tag, cpu, nic or the end of the line";
    if (!calc && TAKE(at, "tag")) {
        allowed = "cpu, nic or the end of the line";
        if (!take_or_any(r, at, "a tag or -1", UINT32_MAX, &place->tag, error))
            return FALSE;
    }
    if (TAKE(at, "cpu")) {
        allowed = calc ? "the end of the line" : "nic or the end of the line";
        if (!take_number(r, at, "a CPU", UINT8_MAX, &place->cpu, error))
            return FALSE;
    }
    if (!calc && TAKE(at, "nic")) {
        allowed = "the end of the line";
        if (!take_number(r, at, "a NIC", UINT8_MAX, &place->nic, error))
            return FALSE;
    }
    return check_over(r, at, allowed, error);
}

static gboolean take_peer(const GoalReader *r, char **at, GoalKind kind, uint64_t *peer, GError **error)
{
    const gboolean recv = kind == GOAL_RECV;
    if (recv ? !TAKE(at, "from") : !TAKE(at, "to"))
        return unexpected(r, *at, recv ? "from" : "to", error);
    return recv ? take_or_any(r, at, "a rank or -1", r->n_ranks - 1, peer, error)
                : take_number(r, at, "a rank", r->n_ranks - 1, peer, error);
}

static gboolean take_operation(GoalReader *r, char **at, GoalKind kind, Label label, GError **error)
{
    uint64_t size, peer = 0;
    GoalPlace place = {0};
    const gboolean calc = kind == GOAL_CALC;
    if (r->rank == NO_RANK)
        return fail(r, error, "an operation is outside of a rank; allowed: num_ranks N, rank R { first");
    if (!take_number(r, at, calc ? "nanoseconds" : "a number of bytes", GOAL_MAX_SIZE, &size, error))
        return FALSE;
    if (!calc && !TAKE(at, "b"))
        return unexpected(r, *at, "b, for bytes", error);
    if ((!calc && !take_peer(r, at, kind, &peer, error)) || !take_place(r, at, calc, &place, error))
        return FALSE;
    if (goal_n_ops(r->goal) == GOAL_MAX_OPS)
        return fail(r, error, "there are too many operations; allowed: at most %u", GOAL_MAX_OPS);
    const uint32_t op = goal_add(r->goal, (uint32_t)r->rank, kind, size, (uint32_t)peer, (uint32_t)place.tag);
    if (place.cpu || place.nic)
        goal_place(r->goal, op, (unsigned)place.cpu, (unsigned)place.nic);
    if (label.n > 0 && !goal_labels_add(r->labels, label.at, label.n, op)) {
        g_autofree char *quoted = label_text(label);
        return fail(r, error, "label %s appears twice in rank %" G_GINT64_FORMAT "; allowed: once", quoted, r->rank);
    }
    return TRUE;
}

static uint32_t find_label(const GoalReader *r, Label label, GError **error)
{
    const uint32_t op = r->rank == NO_RANK ? GOAL_NO_LABEL : goal_labels_find(r->labels, label.at, label.n);
    if (op == GOAL_NO_LABEL) {
        g_autofree char *quoted = label_text(label);
        fail(r, error, "no operation is labelled %s; allowed: a label from above, in the same rank", quoted);
    }
    return op;
}

static gboolean take_dependency(GoalReader *r, char **at, Label label, GError **error)
{
    const gboolean started = TAKE(at, "irequires");
    if (!started && !TAKE(at, "requires"))
        return unexpected(r, *at, ":, requires or irequires behind a label", error);
    skip_blanks(at);
    if (!g_ascii_isalpha(**at))
        return unexpected(r, *at, "a label", error);
    const Label required = take_letters(at);
    if (!check_over(r, at, "the end of the line", error))
        return FALSE;
    const uint32_t after = find_label(r, label, error);
    const uint32_t before = after == GOAL_NO_LABEL ? after : find_label(r, required, error);
    if (before == GOAL_NO_LABEL)
        return FALSE;
    if (r->n_edges++ == GOAL_MAX_OPS)
        return fail(r, error, "there are too many dependencies; allowed: at most %u", GOAL_MAX_OPS);
    (started ? goal_irequire : goal_require)(r->goal, after, before);
    return TRUE;
}

static gboolean take_n_ranks(GoalReader *r, char **at, GError **error)
{
    uint64_t n;
    if (r->goal)
        return fail(r, error, "num_ranks appears twice; allowed: once");
    if (!take_number(r, at, "a number of ranks", UINT32_MAX - 1, &n, error))
        return FALSE;
    if (n == 0)
        return fail(r, error, "num_ranks is 0; allowed: 1 or more");
    r->n_ranks = (uint32_t)n;
    r->goal = goal_new(r->n_ranks);
    return TRUE;
}

static gboolean open_rank(GoalReader *r, char **at, GError **error)
{
    uint64_t rank;
    if (!r->goal)
        return fail(r, error, "a rank comes before num_ranks; allowed: num_ranks N first");
    if (r->rank != NO_RANK)
        return fail(r, error, "a rank begins within rank %" G_GINT64_FORMAT "; allowed: } first", r->rank);
    if (!take_number(r, at, "a rank", r->n_ranks - 1, &rank, error))
        return FALSE;
    if (r->due == r->n_ranks)
        return fail(r, error, "rank %" G_GUINT64_FORMAT " appears twice; allowed: every rank once", rank);
    if (rank != r->due)
        return fail(r, error, "rank %" G_GUINT64_FORMAT " is out of order; allowed: every rank once, rank %u here",
                    rank, r->due);
    skip_blanks(at);
    if (**at != '{')
        return unexpected(r, *at, "{", error);
    ++*at;
    r->rank = r->due++;
    goal_labels_begin(r->labels);
    return TRUE;
}

static gboolean is_word(Label label, const char *word)
{
    return label.n == strlen(word) && memcmp(label.at, word, label.n) == 0;
}

static gboolean take_statement(GoalReader *r, char **at, GError **error)
{
    static const char *const operations[] = {[GOAL_SEND] = "send", [GOAL_RECV] = "recv", [GOAL_CALC] = "calc"};
    const Label first = take_letters(at), none = {0};
    for (GoalKind kind = GOAL_SEND; kind <= GOAL_CALC; kind++)
        if (is_word(first, operations[kind]))
            return take_operation(r, at, kind, none, error);
    if (is_word(first, "rank"))
        return open_rank(r, at, error);
    if (is_word(first, "num_ranks"))
        return take_n_ranks(r, at, error);
    skip_blanks(at);
    if (**at != ':')
        return take_dependency(r, at, first, error);
    ++*at;
    for (GoalKind kind = GOAL_SEND; kind <= GOAL_CALC; kind++)
        if (take(at, operations[kind], 4))
            return take_operation(r, at, kind, first, error);
    return unexpected(r, *at, "send, recv or calc", error);
}

// Returns the text behind the comment's end, or the end of the line if the comment goes on.
static char *skip_comment(GoalReader *r, char *at)
{
    for (; *at != '\n'; at++)
        if (at[0] == '*' && at[1] == '/') {
            r->in_comment = FALSE;
            return at + 2;
        }
    return at;
}

static gboolean take_line(GoalReader *r, char *at, GError **error)
{
    for (;;) {
        if (r->in_comment)
            at = skip_comment(r, at);
        skip_blanks(&at);
        if (at_line_end(at) || (at[0] == '/' && at[1] == '/'))
            return TRUE;
        if (at[0] == '/' && at[1] == '*') {
            r->in_comment = TRUE;
            at += 2;
        } else if (*at == '}' && r->rank != NO_RANK) {
            r->rank = NO_RANK;
            at++;
        } else if (!g_ascii_isalpha(*at)) {
            return unexpected(r, at, "num_ranks, rank, send, recv, calc, a label, } or a comment", error);
        } else if (!take_statement(r, &at, error)) {
            return FALSE;
        }
    }
}

// ---- The whole file -----------------------------------------------------------------------------------------------

// Checks what only the end of the file shows: that all ranks are there.
static gboolean check_whole(GoalReader *r, GError **error)
{
    r->lines.line = MAX(r->lines.line - 1, 1); // errors name the last line
    if (r->in_comment)
        return fail(r, error, "the file ends within a comment; allowed: */ first");
    if (r->rank != NO_RANK)
        return fail(r, error, "the file ends within rank %" G_GINT64_FORMAT "; allowed: } first", r->rank);
    if (!r->goal)
        return fail(r, error, "the file ends without num_ranks; allowed: num_ranks N, then each rank R { ... }");
    if (r->due < r->n_ranks)
        return fail(r, error, "the file ends before rank %u; allowed: all ranks 0 .. %u", r->due, r->n_ranks - 1);
    return TRUE;
}

static Goal *read_text(GoalReader *r, GError **error)
{
    r->rank = NO_RANK;
    r->labels = goal_labels_new();
    char *line = NULL;
    gboolean good;
    do
        good = lines_next(&r->lines, &line, error) && (!line || take_line(r, line, error));
    while (good && line);
    good = good && check_whole(r, error);
    if (!good)
        g_clear_pointer(&r->goal, goal_free);
    goal_labels_free(r->labels);
    return r->goal;
}

// Reads the text or the binary form, whichever the first bytes show, and closes the file.
static Goal *read_all(GoalReader *r, GError **error)
{
    Goal *goal = NULL;
    if (lines_fill(&r->lines, GOAL_BINARY_MARK, error)) {
        const gboolean binary = goal_binary_is(r->lines.next, (size_t)(r->lines.end - r->lines.next));
        goal = binary ? goal_binary_read(&r->lines, error) : read_text(r, error);
    }
    lines_close(&r->lines);
    return goal;
}

Goal *goal_read(const char *path, GError **error)
{
    GoalReader r = {0};
    return lines_open(&r.lines, path, error) ? read_all(&r, error) : NULL;
}

Goal *goal_parse(const char *text, size_t length, const char *name, GError **error)
{
    GoalReader r = {0};
    lines_of_text(&r.lines, text, length, name);
    return read_all(&r, error);
}

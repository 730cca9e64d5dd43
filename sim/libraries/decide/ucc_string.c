#include "libraries/decide/ucc_string.h"
#include "base/distinct.h"
#include "base/error.h"
#include "libraries/decide/ucc.h"
#include <limits.h>
#include <string.h>

enum { MOST_PIECES = 1000, MOST_RULES = 2000, MEMORIES = 5, HOST = 1, ALL_MEMORIES = (1 << MEMORIES) - 1 };
static const char *const memories[MEMORIES] = {"host", "cuda", "cuda-managed", "rocm", "rocm-managed"};

typedef struct Token {
    char *text;
    GArray *collectives;    // of int, indices of ucc_collectives; NULL for all
    int memories;           // bits; 0 for all
    gint64 score;           // -1 for none
    GArray *ranges, *teams; // of RuleRange, NULL for all; the end of a range of bytes is not in it
    char *algorithm;        // a number or a name; NULL for none
} Token;

static void array_free(GArray *array)
{
    if (array)
        g_array_unref(array);
}

static void token_clear(void *data)
{
    Token *t = data;
    g_free(t->text);
    g_free(t->algorithm);
    array_free(t->collectives);
    array_free(t->ranges);
    array_free(t->teams);
}

// ---- Tokens ---------------------------------------------------------------------------------------------------------

// Returns the pieces of a text between delimiters, without empty ones. Free with g_strfreev.
static char **split(const char *text, const char *delimiter)
{
    g_auto(GStrv) all = g_strsplit(text, delimiter, -1);
    GPtrArray *pieces = g_ptr_array_new();
    for (char **piece = all; *piece; piece++)
        if (**piece)
            g_ptr_array_add(pieces, g_strdup(*piece));
    g_ptr_array_add(pieces, NULL);
    return (char **)g_ptr_array_free(pieces, FALSE);
}

static gboolean is_number(const char *text)
{
    return text[strspn(text, "0123456789")] == '\0';
}

// Returns a text of digits as the library's atoi() reads it.
static gint64 number_of(const char *text)
{
    return (gint32)g_ascii_strtoll(text, NULL, 10);
}

static gboolean take_collectives(Token *t, const char *text)
{
    g_auto(GStrv) words = split(text, ",");
    g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(int));
    for (char **word = words; *word; word++) {
        const int index = ucc_collective(*word);
        if (index < 0)
            return FALSE;
        g_array_append_val(found, index);
    }
    if (!t->collectives && found->len > 0)
        t->collectives = g_array_ref(found);
    return found->len > 0;
}

static gboolean take_memories(Token *t, const char *text)
{
    g_auto(GStrv) words = split(text, ",");
    int found = 0;
    for (char **word = words; *word; word++) {
        int i = 0;
        while (i < MEMORIES && g_ascii_strcasecmp(memories[i], *word) != 0)
            i++;
        if (i == MEMORIES)
            return FALSE;
        found |= 1 << i;
    }
    t->memories = found;
    return found != 0;
}

static gboolean take_score(Token *t, const char *text)
{
    const gboolean most = g_ascii_strcasecmp(text, "inf") == 0;
    if (!most && !is_number(text))
        return FALSE;
    t->score = most ? G_MAXINT32 : MAX(number_of(text), 0);
    return TRUE;
}

// Reads a size as UCX does: digits, then B, K, M, G or T, then perhaps a b; or inf.
static gboolean read_bytes(const char *text, gint64 *bytes)
{
    static const char units[] = "BKMGT";
    const size_t digits = strspn(text, "0123456789");
    const char *unit = text[digits] ? strchr(units, g_ascii_toupper(text[digits])) : units;
    const size_t rest = digits + (text[digits] != '\0');
    if (g_ascii_strcasecmp(text, "inf") == 0) {
        *bytes = RULES_NO_LIMIT;
        return TRUE;
    }
    if (digits == 0 || digits > 18 || !unit || (text[rest] && g_ascii_strcasecmp(text + rest, "b") != 0))
        return FALSE;
    gint64 value = g_ascii_strtoll(text, NULL, 10);
    for (int i = 0; i < (int)(unit - units); i++)
        if (__builtin_mul_overflow(value, (gint64)1024, &value))
            value = RULES_NO_LIMIT;
    *bytes = value;
    return TRUE;
}

static gboolean take_ranges(Token *t, const char *text)
{
    g_auto(GStrv) words = split(text, ",");
    g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(RuleRange));
    for (char **word = words; *word; word++) {
        g_auto(GStrv) ends = split(*word, "-");
        RuleRange range;
        if (g_strv_length(ends) != 2 || !read_bytes(ends[0], &range.first) || !read_bytes(ends[1], &range.last))
            return FALSE;
        g_array_append_val(found, range);
    }
    t->ranges = found->len > 0 ? g_array_ref(found) : NULL;
    return found->len > 0;
}

static gboolean take_teams(Token *t, const char *text)
{
    const size_t n = strlen(text);
    if (n < 2 || text[0] != '[' || text[n - 1] != ']')
        return FALSE;
    g_autofree char *inner = g_strndup(text + 1, n - 2);
    g_auto(GStrv) words = split(inner, ",");
    g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(RuleRange));
    for (char **word = words; *word; word++) {
        g_auto(GStrv) ends = split(*word, "-");
        const guint n_ends = g_strv_length(ends);
        const gboolean open = n_ends == 2 && g_ascii_strcasecmp(ends[1], "inf") == 0;
        if (n_ends < 1 || n_ends > 2 || !is_number(ends[0]) || (n_ends == 2 && !open && !is_number(ends[1])))
            return FALSE;
        const RuleRange range = {number_of(ends[0]), open ? RULES_NO_LIMIT : number_of(ends[n_ends - 1])};
        if (range.last < range.first)
            return FALSE;
        g_array_append_val(found, range);
    }
    t->teams = found->len > 0 ? g_array_ref(found) : NULL;
    return found->len > 0;
}

static gboolean take_algorithm(Token *t, const char *text)
{
    if (text[0] == '@')
        t->algorithm = g_strdup(text + 1);
    return text[0] == '@';
}

// Takes a qualifier for the first thing that it can be and that the token does not have.
static gboolean take(Token *t, const char *text)
{
    return (!t->collectives && take_collectives(t, text)) || (!t->memories && take_memories(t, text)) ||
           (t->score < 0 && take_score(t, text)) || (!t->ranges && take_ranges(t, text)) ||
           (!t->teams && take_teams(t, text)) || (!t->algorithm && take_algorithm(t, text));
}

// Says why a qualifier is none.
static const char *hint_of(const char *text)
{
    return g_ascii_strcasecmp(text, "cpu") == 0                    ? ", whose name for memory is host"
           : g_ascii_strcasecmp(text, "reduce_scatter_block") == 0 ? ", whose name for it is reduce_scatter"
           : strchr(text, '_') && g_str_has_prefix(text, "cuda")   ? ", whose name for it is cuda-managed"
                                                                   : "";
}

// Reads the tokens of a string (Token). Returns NULL, and a trap says why, if UCC refuses it. Free with g_array_unref.
static GArray *read_tokens(RulesFile *file, const char *text, size_t line)
{
    g_auto(GStrv) words = split(text, "#");
    g_autoptr(GArray) tokens = g_array_new(FALSE, FALSE, sizeof(Token));
    guint pieces = 0;
    g_array_set_clear_func(tokens, token_clear);
    for (char **word = words; *word; word++) {
        const Token none = {.text = g_strdup(*word), .score = -1};
        g_array_append_val(tokens, none);
        Token *t = &g_array_index(tokens, Token, tokens->len - 1);
        g_auto(GStrv) qualifiers = split(*word, ":");
        for (char **q = qualifiers; *q; q++)
            if (!take(t, *q)) {
                g_autofree char *shown = error_quote(*q);
                rules_trap(file, TRAP_IGNORED, line,
                           "UCC refuses the whole string and selects by default, because %s says nothing to it%s",
                           shown, hint_of(*q));
                return NULL;
            }
        pieces += 1 + (t->ranges ? t->ranges->len : 0) + (t->teams ? t->teams->len : 0);
        if (pieces > MOST_PIECES) {
            rules_trap(file, TRAP_IGNORED, line, "a string of more than %d tokens and ranges is not read here",
                       MOST_PIECES);
            return NULL;
        }
    }
    return g_steal_pointer(&tokens);
}

// ---- What a team makes of a string ----------------------------------------------------------------------------------

// A range of bytes of one collective and one kind of memory.
typedef struct StringPiece {
    gint64 start, end; // `end` is not in it
    int algorithm;     // its id in the tables; 0 for the default
    gint64 score;      // -1 for the default
    guint token;
} StringPiece;

typedef struct Team {
    RulesFile *file;
    const GArray *tokens;
    size_t line;
    const UccScope *scope;
    RuleRange ranks;                           // teams of these sizes read the same
    GArray *pieces[UCC_COLLECTIVES][MEMORIES]; // of StringPiece, by start
} Team;

static const Token *token_at(const Team *x, guint i)
{
    return &g_array_index(x->tokens, Token, i);
}

static gboolean is_noted(const RulesFile *file, size_t line, const char *text)
{
    for (guint i = 0; i < file->traps->len; i++) {
        const Trap *trap = &g_array_index(file->traps, Trap, i);
        if (trap->line == line && strcmp(trap->text, text) == 0)
            return TRUE;
    }
    return FALSE;
}

static void add_note(const Team *x, TrapKind kind, const char *format, ...) G_GNUC_PRINTF(3, 4);
// Reports once what holds for several sizes of teams.
static void add_note(const Team *x, TrapKind kind, const char *format, ...)
{
    va_list words;
    va_start(words, format);
    g_autofree char *text = g_strdup_vprintf(format, words);
    va_end(words);
    if (!is_noted(x->file, x->line, text))
        rules_trap(x->file, kind, x->line, "%s", text);
}

// Adds a piece. Returns FALSE if its range is empty, or overlaps another one.
static gboolean add_piece(GArray *pieces, const StringPiece *piece)
{
    guint from = 0, to = pieces->len;
    while (from < to) {
        const guint half = from + (to - from) / 2;
        if (g_array_index(pieces, StringPiece, half).start < piece->start)
            from = half + 1;
        else
            to = half;
    }
    if (piece->start >= piece->end || (from > 0 && g_array_index(pieces, StringPiece, from - 1).end > piece->start) ||
        (from < pieces->len && g_array_index(pieces, StringPiece, from).start < piece->end))
        return FALSE;
    g_array_insert_vals(pieces, from, piece, 1);
    return TRUE;
}

// Returns the id of the algorithm that a token names for a collective; 0 if it names none, and -1 if UCC refuses it.
static int algorithm_of(const Team *x, const Token *t, int index)
{
    const UccCollective *c = &ucc_collectives[index];
    if (!t->algorithm)
        return 0;
    g_autofree char *shown = error_quote(t->text);
    if (!c->chooses) {
        add_note(
            x, TRAP_IGNORED,
            "UCC refuses the whole string and selects by default, because %s names an algorithm of %s, which has none "
            "to "
            "choose",
            shown, c->name);
        return -1;
    }
    const Tables *names = x->file->names;
    const Collective ours = tuned_ours(tuned_collective(c->mpi));
    const LibraryAlgorithm *a = NULL;
    for (guint i = 0; i < names->algorithms->len && !a; i++) {
        const LibraryAlgorithm *known = &g_array_index(names->algorithms, LibraryAlgorithm, i);
        const gboolean same = is_number(t->algorithm) ? number_of(t->algorithm) == known->id - 1
                                                      : g_ascii_strcasecmp(t->algorithm, known->name) == 0;
        a = known->collective == ours && same ? known : NULL;
    }
    if (!a)
        add_note(x, TRAP_IGNORED,
                 "UCC refuses the whole string and selects by default, because %s has no algorithm of %s that %s means",
                 x->file->library->title, c->name, shown);
    else if (!*t->algorithm)
        add_note(x, TRAP_MISREAD, "%s: @ without a name is algorithm 0 (%s)", shown, a->name);
    return a ? a->id : -1;
}

// Adds what a token says. Returns FALSE if UCC refuses the string for it: what counts is whether the last of its ranges,
// in the last of its kinds of memory and of its collectives, can be added. Others that cannot are left out.
static gboolean add_token(Team *x, guint k)
{
    const Token *t = token_at(x, k);
    const int n = t->collectives ? (int)t->collectives->len : UCC_COLLECTIVES;
    const guint n_ranges = t->ranges ? t->ranges->len : 1;
    gboolean good = TRUE;
    int left_out = -1;
    g_autofree char *shown = error_quote(t->text);
    for (int i = 0; i < n; i++) {
        const int index = t->collectives ? g_array_index(t->collectives, int, i) : i, id = algorithm_of(x, t, index);
        if (id < 0)
            return FALSE;
        for (int m = 0; m < MEMORIES; m++)
            for (guint r = 0; (t->memories ? t->memories : ALL_MEMORIES) & 1 << m && r < n_ranges; r++) {
                const RuleRange all = {0, RULES_NO_LIMIT},
                                range = t->ranges ? g_array_index(t->ranges, RuleRange, r) : all;
                const StringPiece piece = {range.first, range.last, id, t->score, k};
                good = add_piece(x->pieces[index][m], &piece);
                if (!good && 1 << m == HOST)
                    left_out = index;
            }
    }
    if (good && left_out >= 0)
        add_note(x, TRAP_UNREAD, "a range of %s is left out for %s, as it is empty or overlaps another one", shown,
                 ucc_collectives[left_out].name);
    if (!good)
        add_note(x, TRAP_IGNORED,
                 "for teams of %" G_GINT64_FORMAT
                 " ranks%s, UCC refuses the whole string and selects by default, because a "
                 "range of %s is empty or overlaps another one",
                 x->ranks.first, x->ranks.last > x->ranks.first ? " and some more" : "", shown);
    return good;
}

static gboolean fits_team(const Token *t, gint64 ranks)
{
    gboolean fits = !t->teams;
    for (guint i = 0; t->teams && i < t->teams->len; i++) {
        const RuleRange team = g_array_index(t->teams, RuleRange, i);
        fits |= team.first <= ranks && ranks <= team.last;
    }
    return fits;
}

// Adds a rule, or widens the one of the same piece for smaller teams.
static void add_rule(const Team *x, int index, const StringPiece *piece)
{
    GArray *rules = x->file->rules;
    LibraryRule rule = {
        .collective = tuned_collective(ucc_collectives[index].mpi),
        .when = rule_when(x->ranks,
                          (RuleRange){piece->start, piece->end == RULES_NO_LIMIT ? RULES_NO_LIMIT : piece->end - 1}),
        .line = x->line,
        .id = piece->score == 0 ? 0 : piece->algorithm,
        .runs = piece->score == 0 ? RULE_ELSEWHERE : NULL,
        .params = x->scope->section,
        .set = (int)piece->token};
    rule.when.per_node = x->scope->per_node;
    rule.when.nodes = x->scope->nodes;
    for (guint i = 0; i < rules->len; i++) {
        LibraryRule *old = &g_array_index(rules, LibraryRule, i);
        if (old->line == rule.line && old->collective == rule.collective && old->set == rule.set &&
            old->when.bytes.first == rule.when.bytes.first && old->when.bytes.last == rule.when.bytes.last &&
            old->when.ranks.last == x->ranks.first - 1) {
            old->when.ranks.last = x->ranks.last;
            return;
        }
    }
    if (rules->len < MOST_RULES)
        g_array_append_val(rules, rule);
    else
        add_note(x, TRAP_NOTE, "of this string, rules beyond the first %d are not shown", MOST_RULES);
}

// Reads the string as teams of some sizes do.
static void read_team(Team *x)
{
    gboolean good = TRUE;
    for (int c = 0; c < UCC_COLLECTIVES; c++)
        for (int m = 0; m < MEMORIES; m++)
            g_array_set_size(x->pieces[c][m], 0);
    for (guint k = 0; k < x->tokens->len && good; k++) {
        const Token *t = token_at(x, k);
        if (fits_team(t, x->ranks.first) && (t->score >= 0 || t->algorithm))
            good = add_token(x, k);
    }
    for (int c = 0; c < UCC_COLLECTIVES && good; c++)
        for (guint i = 0; ucc_collectives[c].mpi && i < x->pieces[c][0]->len; i++) {
            const StringPiece *piece = &g_array_index(x->pieces[c][0], StringPiece, i);
            if (piece->score == 0 || piece->algorithm)
                add_rule(x, c, piece);
        }
}

// Returns the sizes of teams from which on another set of tokens counts (gint64), each once and in order.
static GArray *team_ends(const GArray *tokens, RuleRange ranks)
{
    GArray *ends = g_array_new(FALSE, FALSE, sizeof(gint64));
    const gint64 first = MAX(ranks.first, 2);
    g_array_append_val(ends, first);
    for (guint i = 0; i < tokens->len; i++) {
        const GArray *teams = g_array_index(tokens, Token, i).teams;
        for (guint k = 0; teams && k < teams->len; k++) {
            const RuleRange team = g_array_index(teams, RuleRange, k);
            const gint64 next = team.last == RULES_NO_LIMIT ? first : team.last + 1;
            if (team.first > first && team.first <= ranks.last)
                g_array_append_val(ends, team.first);
            if (next > first && next <= ranks.last)
                g_array_append_val(ends, next);
        }
    }
    return distinct_sort(ends, distinct_by_number);
}

// Reports tokens that say nothing, and what a score does.
static void judge_tokens(RulesFile *file, const GArray *tokens, size_t line)
{
    for (guint i = 0; i < tokens->len; i++) {
        const Token *t = &g_array_index(tokens, Token, i);
        g_autofree char *shown = error_quote(t->text);
        if (t->score < 0 && !t->algorithm)
            rules_trap(file, TRAP_UNREAD, line, "%s has no effect, as it has neither an algorithm nor a score", shown);
        else if (t->score > 0 && !t->algorithm)
            rules_trap(file, TRAP_NOTE, line, "%s: a score chooses between layers, and no algorithm", shown);
        else if (t->memories && !(t->memories & HOST))
            rules_trap(file, TRAP_NOTE, line, "%s is not about the host's memory, and is not shown", shown);
    }
}

// Reports rules whose algorithm cannot run on some of their teams.
static void judge_rules(RulesFile *file, guint first)
{
    for (guint i = first; i < file->rules->len; i++) {
        const LibraryRule *rule = &g_array_index(file->rules, LibraryRule, i);
        const LibraryAlgorithm *a = rule->id ? tables_tuned(file->names, rule->collective, rule->id) : NULL;
        const LibraryAlgorithm *other = a ? tables_tuned(file->names, rule->collective, a->else_runs) : NULL;
        const RuleRange ranks = rule->when.ranks;
        if (a && other && a->needs & LIBRARY_NEEDS_EVEN && (ranks.first % 2 || ranks.first < ranks.last))
            rules_trap(file, TRAP_ELSE, rule->line, "%s %s needs an even number of ranks; otherwise %s runs",
                       tuned_collectives[rule->collective].name, a->name, other->name);
    }
}

void ucc_string_read(RulesFile *file, const char *text, size_t line, const UccScope *scope)
{
    g_autoptr(GArray) tokens = read_tokens(file, text, line);
    if (!tokens)
        return;
    judge_tokens(file, tokens, line);
    const guint before = file->rules->len;
    Team x = {.file = file, .tokens = tokens, .line = line, .scope = scope};
    for (int c = 0; c < UCC_COLLECTIVES; c++)
        for (int m = 0; m < MEMORIES; m++)
            x.pieces[c][m] = g_array_new(FALSE, FALSE, sizeof(StringPiece));
    g_autoptr(GArray) ends = team_ends(tokens, scope->ranks);
    for (guint i = 0; i < ends->len; i++) {
        const gint64 first = g_array_index(ends, gint64, i);
        x.ranks = (RuleRange){first, i + 1 < ends->len ? g_array_index(ends, gint64, i + 1) - 1 : scope->ranks.last};
        if (x.ranks.first <= x.ranks.last)
            read_team(&x);
    }
    judge_rules(file, before);
    for (int c = 0; c < UCC_COLLECTIVES; c++)
        for (int m = 0; m < MEMORIES; m++)
            g_array_unref(x.pieces[c][m]);
}

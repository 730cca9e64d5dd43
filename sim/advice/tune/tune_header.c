#include "advice/tune/tune_header.h"
#include "base/error.h"
#include "advice/tune/header_text.h"
#include <string.h>

enum { TUNE_HEADER_COLUMNS = 100 }; // of lines with several rules

typedef struct HeaderChoice {
    Collective collective; // the default, which is choice 0, serves all
    TuneChoice choice;
    const LibraryAlgorithm *algorithm; // NULL for the default
} HeaderChoice;

// A rule for ranks and sizes from these on, up to the next rule's.
typedef struct HeaderRule {
    gint64 ranks, bytes;
    guint choice, otherwise; // numbers of choices; `otherwise` is for calls that do not meet the needs of `choice`
} HeaderRule;

typedef struct Header {
    const Tables *tables;
    const GArray *parts;
    GArray *choices; // of HeaderChoice
} Header;

gboolean tune_header_prefix(const char *text)
{
    for (const char *c = text; *c; c++)
        if (!g_ascii_isalnum(*c) && *c != '_')
            return FALSE;
    return g_ascii_isalpha(*text) && strlen(text) <= 40;
}

static const TuneHeaderPart *part_at(const Header *h, guint i)
{
    return &g_array_index(h->parts, TuneHeaderPart, i);
}

// ---- Rules ----------------------------------------------------------------------------------------------------------

// Returns the algorithm that a choice of Open MPI names by its id, and one of MPICH, which has no ids, by its place.
static const LibraryAlgorithm *library_algorithm(const Tables *tables, Collective collective, int id)
{
    if (tables->library->family == LIBRARY_MPICH)
        return &g_array_index(tables->algorithms, LibraryAlgorithm, id - 1);
    return tables_algorithm(tables, collective, id);
}

static const LibraryAlgorithm *choice_algorithm(const Header *h, guint choice)
{
    return g_array_index(h->choices, HeaderChoice, choice).algorithm;
}

static int needs_of(const Header *h, guint choice)
{
    const LibraryAlgorithm *a = choice_algorithm(h, choice);
    return a ? a->needs : 0;
}

// Returns the number of a choice, which is added if it is new.
static guint choice_number(Header *h, Collective collective, TuneChoice choice)
{
    const LibraryAlgorithm *a = choice.id ? library_algorithm(h->tables, collective, choice.id) : NULL;
    const HeaderChoice new = {collective, choice, a};
    g_assert(!a == (choice.id == 0));
    for (guint i = a ? 1 : 0; i < h->choices->len; i++) {
        const HeaderChoice *old = &g_array_index(h->choices, HeaderChoice, i);
        if (!a || (old->collective == collective && memcmp(&old->choice, &choice, sizeof choice) == 0))
            return i;
    }
    g_array_append_val(h->choices, new);
    return h->choices->len - 1;
}

// Returns the choice for calls of the last rule that do not meet the needs of its choice. If these depend on the ranks
// alone, it is what the library runs then. A library that has too few elements for an algorithm, or an operation that
// does not commute, may run a much slower one; there it is what the rules say of smaller sizes.
static guint otherwise_of(Header *h, Collective collective, const GArray *rules)
{
    const HeaderRule *rule = &g_array_index(rules, HeaderRule, rules->len - 1);
    const LibraryAlgorithm *a = choice_algorithm(h, rule->choice);
    if (!a || a->needs == 0)
        return 0;
    if ((a->needs & ~(LIBRARY_NEEDS_POW2 | LIBRARY_NEEDS_EVEN | LIBRARY_NEEDS_TWO)) == 0) {
        const LibraryAlgorithm *b = a->else_runs ? tables_algorithm(h->tables, collective, a->else_runs) : NULL;
        return b && b->needs == 0 ? choice_number(h, collective, (TuneChoice){.id = b->id}) : 0;
    }
    for (guint i = rules->len - 1; i-- > 0 && rule[-1].ranks == rule->ranks; rule--)
        if (needs_of(h, rule[-1].choice) == 0)
            return rule[-1].choice;
    return 0;
}

static void add_rule(Header *h, const Tune *tune, GArray *rules, gint64 ranks, gint64 bytes, TuneChoice choice)
{
    const LibraryAlgorithm *a = choice.id ? library_algorithm(h->tables, tune->collective, choice.id) : NULL;
    const gboolean asks = a && header_text_asks(a->needs);
    const HeaderRule rule = {ranks, bytes, asks ? choice_number(h, tune->collective, choice) : 0, 0};
    g_array_append_val(rules, rule);
    g_array_index(rules, HeaderRule, rules->len - 1).otherwise = otherwise_of(h, tune->collective, rules);
}

// Returns the rules of a collective, of HeaderRule, with the default where tune->rules say nothing. They ascend by
// ranks and then by bytes; those of a number of ranks begin at 0 bytes. Free with g_array_unref.
static GArray *rules_of(Header *h, const Tune *tune)
{
    const TuneChoice usual = {0};
    GArray *rules = g_array_new(FALSE, FALSE, sizeof(HeaderRule));
    for (guint i = 0; i < tune->rules->len; i++) {
        const LibraryRule *rule = &g_array_index(tune->rules, LibraryRule, i),
                          *next = i + 1 < tune->rules->len ? rule + 1 : NULL;
        const gboolean first = i == 0 || rule[-1].when.ranks.first != rule->when.ranks.first,
                       last = !next || next->when.ranks.first != rule->when.ranks.first;
        if (first && rule->when.bytes.first > 0)
            add_rule(h, tune, rules, rule->when.ranks.first, 0, usual);
        add_rule(h, tune, rules, rule->when.ranks.first, rule->when.bytes.first,
                 (TuneChoice){rule->id, rule->fanout, rule->segment, rule->max_requests});
        if (rule->when.bytes.last != RULES_NO_LIMIT && (last || next->when.bytes.first > rule->when.bytes.last + 1))
            add_rule(h, tune, rules, rule->when.ranks.first, rule->when.bytes.last + 1, usual);
        if (last && (!next || next->when.ranks.first > rule->when.ranks.last + 1))
            add_rule(h, tune, rules, rule->when.ranks.last + 1, 0, usual);
    }
    return rules;
}

// ---- Sizes ----------------------------------------------------------------------------------------------------------

typedef enum { SIZE_IS_NOTHING, SIZE_IS_COUNTED, SIZE_IS_PER_RANK } HeaderSize;

// Returns how the bytes of the rules come about from the size of a call.
static HeaderSize size_of(const Tune *tune)
{
    HeaderSize size = SIZE_IS_NOTHING;
    for (guint i = 0; i < tune->places->len; i++) {
        const TunePlace *place = &g_array_index(tune->places, TunePlace, i);
        if (place->bytes == 0)
            continue;
        size = place->bytes == (gint64)place->m ? SIZE_IS_COUNTED : SIZE_IS_PER_RANK;
        g_assert(size == SIZE_IS_COUNTED || place->bytes == place->p * (gint64)place->m);
    }
    return size;
}

static const char *size_meaning(const Tune *tune)
{
    const CollectiveInfo *info = &collectives[tune->collective];
    return size_of(tune) == SIZE_IS_NOTHING
               ? (info->vector ? "not asked" : "not asked, because it differs between ranks")
           : info->vector && info->counts ? "the whole vector, the blocks of all ranks together"
           : info->vector                 ? "the whole vector"
           : info->counts                 ? "the mean block of a rank, rounded down"
                                          : "the block of one rank";
}

// ---- Text -----------------------------------------------------------------------------------------------------------

// Appends the comment that begins the header. What users write, such as the name of a machine, must not end it.
static void add_comment(GString *s, const Header *h, const char *prefix, const GPtrArray *lines)
{
    Collective first = part_at(h, 0)->any->collective; // the example has a reduction, if there is one
    for (guint i = 1; i < h->parts->len && !collectives[first].reduces; i++)
        first = part_at(h, i)->any->collective;
    const gboolean reduces = collectives[first].reduces;
    g_autofree char *capitals = g_ascii_strup(prefix, -1), *collective = g_ascii_strup(collectives[first].name, -1);
    g_string_append(s, "/*\n");
    for (guint i = 0; i < lines->len; i++) {
        g_autoptr(GString) line = g_string_new(lines->pdata[i]);
        g_string_replace(line, "*/", "* /", 0);
        g_string_replace(line, "/*", "/ *", 0);
        g_string_append_printf(s, " *%s%s\n", line->len ? " " : "", line->str);
    }
    g_string_append_printf(s,
                           " *\n *     const %s_choice *choice =\n"
                           " *         %s_algorithm(%s_%s, ranks, count * element, element, %s%s);\n */\n",
                           prefix, prefix, capitals, collective, reduces ? capitals : "", reduces ? "_COMMUTES" : "0");
}

static void add_collectives(GString *s, const Header *h)
{
    g_string_append(s, "/* The collectives, and what the size of a call is. */\ntypedef enum {\n");
    for (guint i = 0; i < h->parts->len; i++) {
        const Tune *tune = part_at(h, i)->any;
        g_autofree char *name = g_ascii_strup(collectives[tune->collective].name, -1),
                        *line = g_strdup_printf("    @_%s,", name);
        g_string_append_printf(s, "%-28s /* %s */\n", line, size_meaning(tune));
    }
    g_string_append(s, "    @_COLLECTIVES            /* their number */\n} $_collective;\n\n");
}

static void add_choices(GString *s, const Header *h)
{
    g_string_append(s, "static const $_choice $_choices[] = {\n"
                       "    /* id, segment, fanout, max_requests, needs, name */\n");
    for (guint i = 0; i < h->choices->len; i++) {
        const HeaderChoice *x = &g_array_index(h->choices, HeaderChoice, i);
        const TuneChoice *c = &x->choice;
        g_autoptr(GString) needs = g_string_new(NULL);
        header_text_needs(needs, needs_of(h, i));
        g_string_append_printf(s, "    {%d, %d, %d, %d, %s, \"%s\"}, /* %u%s%s */\n", c->id, c->segment, c->fanout,
                               c->max_requests, needs->str, x->algorithm ? x->algorithm->name : "default", i,
                               i ? ": " : "", i ? collectives[x->collective].name : "");
    }
    g_string_append(s, "};\n\n");
}

// Appends "7 knomial, segments of 4096 bytes".
static void add_choice_text(GString *s, const Header *h, guint choice)
{
    const HeaderChoice *x = &g_array_index(h->choices, HeaderChoice, choice);
    const TuneChoice *c = &x->choice;
    if (x->algorithm && x->algorithm->id) // MPICH's have none
        g_string_append_printf(s, "%d ", c->id);
    g_string_append(s, x->algorithm ? x->algorithm->name : "default");
    if (c->segment)
        g_string_append_printf(s, ", segments of %d bytes", c->segment);
    if (c->fanout)
        g_string_append_printf(s, ", fanout %d", c->fanout);
    if (c->max_requests)
        g_string_append_printf(s, ", %d requests", c->max_requests);
}

// Appends rules, one a line with its meaning, or `packed` with those of a number of ranks in one line if they fit.
static void add_rules(GString *s, const Header *h, const GArray *rules, gboolean packed)
{
    size_t column = 0;
    for (guint i = 0; i < rules->len; i++) {
        const HeaderRule *rule = &g_array_index(rules, HeaderRule, i);
        if (!packed) {
            g_string_append_printf(s, "    {%6" G_GINT64_FORMAT ", %11" G_GINT64_FORMAT ", %3u, %3u}, /* ", rule->ranks,
                                   rule->bytes, rule->choice, rule->otherwise);
            add_choice_text(s, h, rule->choice);
            if (needs_of(h, rule->choice)) {
                g_string_append(s, "; or else ");
                add_choice_text(s, h, rule->otherwise);
            }
            g_string_append(s, " */\n");
            continue;
        }
        g_autofree char *line = g_strdup_printf("{%" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ", %u, %u},", rule->ranks,
                                                rule->bytes, rule->choice, rule->otherwise);
        const gboolean breaks =
            i > 0 && (rule[-1].ranks != rule->ranks || column + strlen(line) + 1 > TUNE_HEADER_COLUMNS);
        g_string_append_printf(s, "%s%s%s", breaks ? "\n" : "", i == 0 || breaks ? "    " : " ", line);
        column = (i == 0 || breaks ? 4 : column + 1) + strlen(line);
    }
    g_string_append(s, packed ? "\n" : "");
}

static gboolean same_rules(const GArray *a, const GArray *b)
{
    return a->len == b->len && (a->len == 0 || memcmp(a->data, b->data, a->len * sizeof(HeaderRule)) == 0);
}

// Appends the rules of a collective under a name, and what they gain.
static void add_table(GString *s, const Header *h, const Tune *tune, const GArray *rules, const char *name,
                      const char *operations, gboolean packed)
{
    g_autofree char *means = tune_means(tune);
    g_string_append_printf(s, "/* %s%s: %s", collectives[tune->collective].name, operations, means);
    if (collectives[tune->collective].reduces)
        g_string_append_printf(s, "; tuned with elements of %" G_GSIZE_FORMAT " bytes", tune->elem);
    g_string_append(s, " */\n");
    if (rules->len == 0)
        return;
    g_string_append_printf(s, "static const struct $_rule $_%s[] = {\n", name);
    if (!packed)
        g_string_append_printf(s, "    /* %s, choice, otherwise */\n",
                               size_of(tune) == SIZE_IS_PER_RANK ? "ranks, ranks x size" : "ranks,        size");
    add_rules(s, h, rules, packed);
    g_string_append(s, "};\n");
}

// Appends the name of a table's rules, and their number.
static void add_row(GString *s, const GArray *rules, const char *name)
{
    if (rules->len)
        g_string_append_printf(s, "{$_%s, %u}", name, rules->len);
    else
        g_string_append(s, "{NULL, 0}");
}

// Appends all tables of rules, and to `rows` the table of tables.
static void add_tables(GString *s, Header *h, GString *rows, gboolean packed)
{
    for (guint i = 0; i < h->parts->len; i++) {
        const TuneHeaderPart *part = part_at(h, i);
        const CollectiveInfo *info = &collectives[part->any->collective];
        const HeaderSize size = size_of(part->any);
        g_autoptr(GArray) any = rules_of(h, part->any),
                          commuting = part->commuting ? rules_of(h, part->commuting) : NULL;
        const gboolean two = commuting && !same_rules(any, commuting);
        g_autofree char *name = two ? g_strconcat(info->name, "_commutative", NULL) : g_strdup(info->name);
        add_table(s, h, part->any, any, info->name, two ? ", any operation" : "", packed);
        if (two)
            add_table(s, h, part->commuting, commuting, name, ", operations that commute", packed);
        g_string_append(s, "\n");
        g_string_append_printf(rows, "    {\"%s\", %d, %d, {", info->name, info->vector, size == SIZE_IS_PER_RANK);
        add_row(rows, any, info->name);
        g_string_append(rows, ", ");
        add_row(rows, two ? commuting : any, name);
        g_string_append(rows, "}},\n");
    }
}

static guint count_lines(const char *text)
{
    guint n = 0;
    for (; (text = strchr(text, '\n')); text++)
        n++;
    return n;
}

// Returns the header's text after the comment. Free with g_free.
static char *make_body(Header *h, const char *prefix, gboolean packed)
{
    g_autofree char *capitals = g_ascii_strup(prefix, -1);
    g_autoptr(GString) tables = g_string_new(NULL), rows = g_string_new(NULL);
    GString *s = g_string_new("#ifndef @_H\n#define @_H\n\n#include <stddef.h>\n#include <stdint.h>\n\n");
    add_tables(tables, h, rows, packed);
    add_collectives(s, h);
    header_text_public(s);
    header_text_private(s);
    add_choices(s, h);
    g_string_append(s, tables->str);
    g_string_append(s, "static const struct {\n"
                       "    const char *name;\n"
                       "    int whole;    /* the size is that of the whole vector */\n"
                       "    int per_rank; /* rules have the size times the number of ranks */\n"
                       "    struct $_table rules[2]; /* of any operation, and of one that commutes */\n"
                       "} $_tables[] = {\n");
    g_string_append(s, rows->str);
    g_string_append(s, "};\n\n");
    header_text_functions(s);
    g_string_replace(s, "$", prefix, 0);
    g_string_replace(s, "@", capitals, 0);
    return g_string_free(s, FALSE);
}

char *tune_header(const Tables *tables, const GArray *parts, const char *prefix, const GPtrArray *about, GError **error)
{
    const HeaderChoice usual = {0};
    Header h = {tables, parts, g_array_new(FALSE, FALSE, sizeof(HeaderChoice))};
    GString *text = g_string_new(NULL);
    guint n = 0;
    g_array_append_val(h.choices, usual);
    for (int packed = 0; packed <= 1 && (packed == 0 || n > TUNE_HEADER_LINES); packed++) {
        g_autofree char *body = make_body(&h, prefix, packed);
        g_string_truncate(text, 0);
        add_comment(text, &h, prefix, about);
        g_string_append(text, body);
        n = count_lines(text->str);
    }
    g_array_unref(h.choices);
    if (n <= TUNE_HEADER_LINES)
        return g_string_free(text, FALSE);
    g_string_free(text, TRUE);
    bad_input(error,
              "the header would have %u lines; allowed: at most %d, as with a larger --within, fewer -p or -m, or "
              "fewer collectives",
              n, TUNE_HEADER_LINES);
    return NULL;
}

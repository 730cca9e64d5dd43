#include "answer/engine/show.h"
#include "answer/report/report.h"
#include "out/wrap.h"
#include "base/units.h"
#include "engine/rounds/rounds.h"
#include "engine/schedule/parse.h"
#include "engine/schedule/segment.h"
#include "search/search/reason.h"
#include <stdio.h>
#include <string.h>

enum { LABEL = 14 };

// ---- The facts ------------------------------------------------------------------------------------------------------

static void print_fact(FILE *to, const char *label, const char *text)
{
    g_autofree char *head = g_strdup_printf("  %-*s", LABEL - 2, label);
    wrap_print(to, head, text);
}

static bool has_word(const char *text, const char *word)
{
    const size_t n = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at++)
        if ((at == text || !g_ascii_isalpha(at[-1])) && !g_ascii_isalpha(at[n]))
            return true;
    return false;
}

// Returns what the letters in the formula mean, without those that its text explains itself. Free with g_free.
static char *letters_text(const CollAlgorithm *a)
{
    const struct {
        const char *letter, *meaning;
        bool explained;
    } letters[] = {
        {"p", "ranks", false},
        {"m", "bytes of ", a->collective == COLL_BARRIER},
        {"s", "slots", !algorithm_param(a, "slots")},
        {"S", "segments", strstr(a->cost, "S segments")},
        {"k", "= radix", !algorithm_param(a, "radix")},
        {"c", "= ceil(log2 p)", strstr(a->cost, "c = ")},
        {"f", a->shared ? "= fragment" : "= floor(log2 p)", strstr(a->cost, "f = floor")},
        {"alpha", "a message", false},
        {"beta", "a byte sent", false},
        {"write", "a byte written", false},
        {"read", "a byte read", false},
        {"lanes", "ranks that read at full speed", false},
        {"flag", "a flag's way", false},
        {"gamma", "a byte reduced", false},
    };
    GString *s = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(letters); i++)
        if (has_word(a->cost, letters[i].letter) && !letters[i].explained)
            g_string_append_printf(s, "%s%s %s%s", s->len ? ", " : "", letters[i].letter, letters[i].meaning,
                                   strcmp(letters[i].letter, "m") == 0 ? collectives[a->collective].message : "");
    return g_string_free(s, FALSE);
}

static char *needs_text(const CollAlgorithm *a)
{
    GString *s = g_string_new(algorithm_n_needs(a) ? NULL : "nothing");
    for (int i = 0; i < algorithm_n_needs(a); i++)
        g_string_append_printf(s, "%s%s", i ? ", " : "", a->needs[i]->text);
    const bool count = has_word(s->str, "count");
    if (algorithm_n_needs(a) && a->otherwise)
        g_string_append_printf(s, "; else %s runs", a->otherwise);
    if (count)
        g_string_append(s, " (count: elements of m)");
    return g_string_free(s, FALSE);
}

// Appends the parameters that an alias sets, as " (prestep=mpich)".
static void add_presets(GString *s, const CollAlgorithm *a, const char *alias)
{
    const char *before = " (";
    for (int i = 0; i < COLL_MAX_PRESETS && a->presets[i].alias; i++) {
        const CollPreset *preset = &a->presets[i];
        if (strcmp(preset->alias, alias) != 0)
            continue;
        g_autofree char *value =
            preset->part ? g_strdup(preset->part) : param_text(algorithm_param(a, preset->param), preset->value);
        g_string_append_printf(s, "%s%s=%s", before, preset->param, value);
        before = ", ";
    }
    if (*before == ',')
        g_string_append_c(s, ')');
}

static char *names_text(const CollAlgorithm *a)
{
    static const char *const whose[][2] = {{"ompi:", "Open MPI id "}, {"ompi-main:", "Open MPI (later than 4.1) id "},
                                           {"mpich:", "MPICH "},      {"smpi:", "SimGrid "},
                                           {"ucc:", "UCC "},          {"libnbc:", "libnbc "},
                                           {"intel:", "Intel id "}};
    GString *s = g_string_new(NULL);
    for (int i = 0; i < COLL_MAX_ALIASES && a->aliases[i]; i++) {
        const char *name = a->aliases[i], *owner = "";
        for (size_t k = 0; k < G_N_ELEMENTS(whose); k++)
            if (g_str_has_prefix(a->aliases[i], whose[k][0])) {
                owner = whose[k][1];
                name = a->aliases[i] + strlen(whose[k][0]);
            }
        g_string_append_printf(s, "%s%s%s", i ? ", " : "", owner, name);
        add_presets(s, a, a->aliases[i]);
    }
    return g_string_free(s, FALSE);
}

static void print_facts(FILE *to, const CollAlgorithm *a)
{
    g_autofree char *letters = letters_text(a), *needs = needs_text(a), *names = names_text(a);
    fprintf(to, "%s %s\n\n", collectives[a->collective].name, a->name);
    print_fact(to, "what", a->summary);
    print_fact(to, "cost", a->cost);
    if (a->unknown)
        print_fact(to, "no form", a->unknown);
    if (*letters)
        print_fact(to, "where", letters);
    print_fact(to, "needs", needs);
    for (int i = 0; i < algorithm_n_params(a); i++) {
        g_autofree char *range = param_range(&a->params[i]);
        g_autofree char *text = g_strdup_printf("%s: %s; %s", a->params[i].name, range, a->params[i].help);
        print_fact(to, i ? "" : "parameters", text);
    }
    if (collectives[a->collective].reduces)
        print_fact(to, "order",
                   a->ordered ? "of the ranks is kept: any associative operation"
                              : "of the ranks is not kept: commutative operations only");
    if (*names)
        print_fact(to, "known as", names);
    print_fact(to, "source", a->source);
}

// ---- The run --------------------------------------------------------------------------------------------------------

static void print_point(FILE *to, const Request *r, const Point *x, const Operation *op)
{
    g_autofree char *size = units_format_size(x->m), *layout = request_layout(r);
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_printf(text, "%d rank%s", x->p, x->p == 1 ? "" : "s");
    if (r->question.collective != COLL_BARRIER)
        g_string_append_printf(text, ", m = %s", size);
    if (collectives[r->question.collective].rooted)
        g_string_append_printf(text, ", root %d", x->root);
    g_string_append(text, layout);
    for (int i = 0; i < algorithm_n_params(op->algorithm); i++) {
        const CollParam *param = &op->algorithm->params[i];
        // A fallback may have parts, which the algorithm that was asked for lacks.
        const int64_t value = param_get(param, &op->c.par),
                      asked = op->algorithm == x->algorithm ? param_get(param, &x->asked) : value;
        g_autofree char *written = param_text(param, value);
        g_string_append_printf(text, ", %s = %s", param->name, written);
        if (value != asked)
            g_string_append_printf(text, " (of %" G_GINT64_FORMAT ")", asked);
    }
    fputc('\n', to);
    wrap_print(to, "", text->str);
    if (x->ran != x->algorithm)
        fprintf(to, "%s, so %s runs\n", x->why, x->ran->name);
}

static char *messages_text(uint64_t n)
{
    return g_strdup_printf("%" G_GUINT64_FORMAT " message%s", n, n == 1 ? "" : "s");
}

static void print_shared_totals(FILE *to, const Operation *op, const Totals *t, int rounds)
{
    g_autofree char *written = units_format_size(t->bytes_written), *read = units_format_size(t->bytes_read),
                    *most = units_format_size(t->max_bytes_read), *segment = units_format_size(segment_bytes(op));
    fprintf(to, "%" G_GUINT64_FORMAT " write%s, %s bytes, %" G_GUINT64_FORMAT " read%s, %s bytes", t->writes,
            t->writes == 1 ? "" : "s", written, t->reads, t->reads == 1 ? "" : "s", read);
    if (rounds > 0)
        fprintf(to, ", %d round%s", rounds, rounds == 1 ? "" : "s");
    fprintf(to, "\na rank reads at most %s bytes; the segment has %s\n", most, segment);
}

static void print_totals(FILE *to, const Totals *t, bool reduces, int rounds)
{
    g_autofree char *messages = messages_text(t->messages), *most = messages_text(t->max_messages_sent);
    g_autofree char *sent = units_format_size(t->bytes_sent), *most_sent = units_format_size(t->max_bytes_sent),
                    *reduced = units_format_size(t->max_bytes_reduced);
    fprintf(to, "%s, %s bytes", messages, sent);
    if (rounds > 0)
        fprintf(to, ", %d round%s", rounds, rounds == 1 ? "" : "s");
    fprintf(to, "; a rank sends at most %s, %s bytes%s", most, most_sent, reduces ? "," : "");
    if (reduces)
        fprintf(to, "\nand reduces %s", reduced);
    fputc('\n', to);
}

static void print_kinds(FILE *to, uint32_t kinds)
{
    if (kinds == 1)
        fputs("All ranks do the same, relative to their own number.\n", to);
    else
        fprintf(to, "%u kinds of ranks: the others do, relative to themselves, what one of these does\n", kinds);
}

// Returns the messages of a schedule, or its accesses to shared memory.
static uint64_t events_of(const Schedule *s, const Totals *t)
{
    return s->shared ? t->writes + t->reads : t->messages;
}

// Returns the messages of the operation, by rounds; empty if there are too many to draw. Free with g_array_unref.
static GArray *messages_of(const Operation *op, const Schedule *s, const Totals *t)
{
    return events_of(s, t) > MAX_DRAWN_MESSAGES ? g_array_new(FALSE, FALSE, sizeof(RoundMessage))
           : s->shared                          ? shared_rounds_play(op)
                                                : rounds_play(op);
}

// Prints how many of the messages go from one node to another.
static void print_between(FILE *to, const GArray *messages, const CollNodes *nodes)
{
    uint64_t n = 0, bytes = 0;
    for (guint i = 0; i < messages->len; i++) {
        const RoundMessage *x = &g_array_index(messages, RoundMessage, i);
        n += rounds_between(x, nodes);
        bytes += rounds_between(x, nodes) ? x->bytes : 0;
    }
    g_autofree char *text = messages_text(n), *size = units_format_size(bytes);
    fprintf(to, "between nodes: %s, %s bytes\n", text, size);
}

// Prints totals and rounds. `nodes` may be NULL.
static void print_rounds(FILE *to, const Operation *op, const Schedule *s, const Totals *t, GArray *messages,
                         const CollNodes *nodes)
{
    const uint64_t n = events_of(s, t);
    const char *const what = s->shared ? "accesses" : "messages";
    const int rounds = messages->len ? g_array_index(messages, RoundMessage, messages->len - 1).round : 0;
    if (op->algorithm->shared)
        print_shared_totals(to, op, t, rounds);
    else
        print_totals(to, t, collectives[op->algorithm->collective].reduces, rounds);
    if (s->mixed) {
        g_autofree char *written = units_format_size(t->bytes_written), *read = units_format_size(t->bytes_read);
        fprintf(to, "in shared memory, not drawn: %s bytes written, %s bytes read\n", written, read);
    }
    if (nodes && n <= MAX_DRAWN_MESSAGES)
        print_between(to, messages, nodes);
    print_kinds(to, s->n_classes);
    if (n > MAX_DRAWN_MESSAGES) {
        fprintf(to, "\n  not drawn: more than %d %s\n", MAX_DRAWN_MESSAGES, what);
        return;
    }
    g_autofree char *drawing = rounds_draw(messages, op->c.p, s->peers == PEERS_XOR, nodes);
    fputs(drawing, to);
    if (messages->len < n)
        fprintf(to, "  %" G_GUINT64_FORMAT " %s never come: the operation does not end; see collsim run\n",
                n - messages->len, what);
}

// ---- For machines ---------------------------------------------------------------------------------------------------

// Makes the sheet "rows": the messages, round by round. Free with sheet_free.
static Sheet *messages_sheet(const Question *q, const Point *x, const GArray *messages, const CollNodes *nodes)
{
    static const char *const columns[] = {"collective", "algorithm",     "params",        "ranks",
                                          "bytes",      "root",          "round",         "from_rank",
                                          "to_rank",    "message_bytes", "between_nodes", NULL};
    Sheet *sheet = sheet_new("rows", columns);
    sheet_text(sheet, "collective", question_name(q));
    sheet_text(sheet, "algorithm", x->algorithm->name);
    sheet_take(sheet, "params", point_params(x, FALSE));
    sheet_count(sheet, "ranks", x->p);
    sheet_count(sheet, "bytes", (int64_t)x->m);
    sheet_count(sheet, "root", x->root);
    for (guint i = 0; i < messages->len; i++) {
        const RoundMessage *m = &g_array_index(messages, RoundMessage, i);
        sheet_row(sheet);
        sheet_count(sheet, "round", m->round);
        sheet_count(sheet, "from_rank", m->from);
        sheet_count(sheet, "to_rank", m->to);
        sheet_count(sheet, "message_bytes", (int64_t)m->bytes);
        if (nodes)
            sheet_count(sheet, "between_nodes", rounds_between(m, nodes));
    }
    return sheet;
}

// Makes the sheet "algorithm", which has one row: the facts. Free with sheet_free.
static Sheet *facts_sheet(const Question *q, const Point *x, const char *explanation)
{
    const CollAlgorithm *a = x->algorithm;
    Sheet *sheet = sheet_new("algorithm", (const char *const[]){"collective", "algorithm", "summary", "cost", "needs",
                                                                "aliases", "source", "ran", "explanation", NULL});
    sheet_row(sheet);
    sheet_text(sheet, "collective", question_name(q));
    sheet_text(sheet, "algorithm", a->name);
    sheet_text(sheet, "summary", a->summary);
    sheet_text(sheet, "cost", a->cost);
    sheet_take(sheet, "needs", needs_text(a));
    sheet_take(sheet, "aliases", algorithm_aliases(a));
    sheet_text(sheet, "source", a->source);
    sheet_take(sheet, "ran", point_ran(x));
    sheet_text(sheet, "explanation", explanation);
    return sheet;
}

// Returns a sentence that says what the algorithm's critical path has under the textbook's model, and how that grows with
// the ranks; NULL if it cannot be counted. Free with g_free.
static char *explanation_text(const Request *r, const Point *x)
{
    Request timed = *r; // borrowed, apart from the platform and what request_mapping() keeps
    Reason reason;
    timed.machine.platform = platform_load(PLATFORM_DEFAULT, NULL);
    timed.machine.model = x->algorithm->shared ? &shared_model : &hockney_model;
    timed.machine.placed = NULL;
    char *text = timed.machine.platform && reason_find(&timed, x->algorithm, request_per_node(r, 0), &reason)
                     ? reason_text(&reason)
                     : NULL;
    platform_free(timed.machine.platform);
    g_clear_pointer(&timed.machine.placed, g_hash_table_unref);
    return text;
}

gboolean show_report(const Answer *answer, const Request *r, const Point *x, const Operation *op, const Schedule *s,
                     const Totals *totals, const Memory *memory)
{
    g_autoptr(GArray) messages = messages_of(op, s, totals);
    const CollNodes *nodes = s->shared ? NULL : op->c.nodes;
    g_autofree char *explanation = explanation_text(r, x);
    const gboolean ended =
        messages->len >= events_of(s, totals) || // flags alone are drawn, and do not count as accesses
        events_of(s, totals) > MAX_DRAWN_MESSAGES;
    if (answer->format != FORMAT_TABLE) {
        g_autoptr(Sheet) rows = messages_sheet(&r->question, x, messages, nodes),
                         facts = facts_sheet(&r->question, x, explanation);
        answer_sheets(answer, "show", (const Sheet *const[]){rows, facts}, 2);
        return ended;
    }
    print_facts(answer->to, x->algorithm);
    print_point(answer->to, r, x, op);
    print_rounds(answer->to, op, s, totals, messages, nodes);
    if (memory) {
        fputc('\n', answer->to);
        report_memory(answer->to, &r->question, x, memory);
    }
    if (explanation) {
        fputc('\n', answer->to);
        wrap_print(answer->to, "", explanation);
    }
    return ended;
}

#include "answer/show.h"
#include "base/units.h"
#include "rounds/rounds.h"
#include "schedule/names.h"
#include <stdio.h>
#include <string.h>

enum { WIDTH = 100, LABEL = 14 };

// ---- The facts ----------------------------------------------------------------------------------------------------------

// Prints a label and a text, broken into lines between words.
static void print_fact(const char *label, const char *text)
{
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    size_t column = WIDTH;
    for (char **w = words; *w; w++) {
        if (column + 1 + strlen(*w) > WIDTH) {
            printf("%s  %-*s%s", w == words ? "" : "\n", LABEL - 2, w == words ? label : "", *w);
            column = LABEL + strlen(*w);
        } else {
            printf(" %s", *w);
            column += 1 + strlen(*w);
        }
    }
    puts("");
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

static char *names_text(const CollAlgorithm *a)
{
    static const char *const whose[][2] = {{"ompi:", "Open MPI id "},
                                           {"ompi-main:", "Open MPI (later than 4.1) id "},
                                           {"mpich:", "MPICH "},
                                           {"smpi:", "SimGrid "}};
    GString *s = g_string_new(NULL);
    for (int i = 0; i < COLL_MAX_ALIASES && a->aliases[i]; i++) {
        const char *name = a->aliases[i], *owner = "";
        for (size_t k = 0; k < G_N_ELEMENTS(whose); k++)
            if (g_str_has_prefix(a->aliases[i], whose[k][0])) {
                owner = whose[k][1];
                name = a->aliases[i] + strlen(whose[k][0]);
            }
        g_string_append_printf(s, "%s%s%s", i ? ", " : "", owner, name);
    }
    return g_string_free(s, FALSE);
}

void show_facts(const CollAlgorithm *a)
{
    g_autofree char *letters = letters_text(a), *needs = needs_text(a), *names = names_text(a);
    printf("%s %s\n\n", collectives[a->collective].name, a->name);
    print_fact("what", a->summary);
    print_fact("cost", a->cost);
    if (a->unknown)
        print_fact("no form", a->unknown);
    if (*letters)
        print_fact("where", letters);
    print_fact("needs", needs);
    for (int i = 0; i < algorithm_n_params(a); i++) {
        g_autofree char *range = param_range(&a->params[i]);
        g_autofree char *text = g_strdup_printf("%s: %s; %s", a->params[i].name, range, a->params[i].help);
        print_fact(i ? "" : "parameters", text);
    }
    if (collectives[a->collective].reduces)
        print_fact("order", a->ordered ? "of the ranks is kept: any associative operation"
                                       : "of the ranks is not kept: commutative operations only");
    if (*names)
        print_fact("known as", names);
    print_fact("source", a->source);
}

// ---- The run ------------------------------------------------------------------------------------------------------------

void show_point(const Request *r, const Point *x, const Operation *op)
{
    g_autofree char *size = units_format_size(x->m);
    printf("\n%d rank%s", x->p, x->p == 1 ? "" : "s");
    if (r->collective != COLL_BARRIER)
        printf(", m = %s", size);
    if (collectives[r->collective].rooted)
        printf(", root %d", x->root);
    g_autofree char *layout = request_layout(r);
    fputs(layout, stdout);
    for (int i = 0; i < algorithm_n_params(op->algorithm); i++) {
        const CollParam *param = &op->algorithm->params[i];
        const int64_t value = param_get(param, &op->c.par), asked = param_get(param, &x->asked);
        g_autofree char *text = param_text(param, value);
        printf(", %s = %s", param->name, text);
        if (op->algorithm == x->algorithm && value != asked)
            printf(" (of %" G_GINT64_FORMAT ")", asked);
    }
    puts("");
    if (x->ran != x->algorithm)
        printf("%s, so %s runs\n", x->why, x->ran->name);
}

static char *messages_text(uint64_t n)
{
    return g_strdup_printf("%" G_GUINT64_FORMAT " message%s", n, n == 1 ? "" : "s");
}

static void print_shared_totals(const Operation *op, const Totals *t, int rounds)
{
    g_autofree char *written = units_format_size(t->bytes_written), *read = units_format_size(t->bytes_read),
                    *most = units_format_size(t->max_bytes_read),
                    *segment = units_format_size(shm_segment(op->c.p, &op->c.par));
    printf("%" G_GUINT64_FORMAT " write%s, %s bytes, %" G_GUINT64_FORMAT " read%s, %s bytes", t->writes,
           t->writes == 1 ? "" : "s", written, t->reads, t->reads == 1 ? "" : "s", read);
    if (rounds > 0)
        printf(", %d round%s", rounds, rounds == 1 ? "" : "s");
    printf("\na rank reads at most %s bytes; the segment has %s\n", most, segment);
}

static void print_totals(const Totals *t, bool reduces, int rounds)
{
    g_autofree char *messages = messages_text(t->messages), *most = messages_text(t->max_messages_sent);
    g_autofree char *sent = units_format_size(t->bytes_sent), *most_sent = units_format_size(t->max_bytes_sent),
                    *reduced = units_format_size(t->max_bytes_reduced);
    printf("%s, %s bytes", messages, sent);
    if (rounds > 0)
        printf(", %d round%s", rounds, rounds == 1 ? "" : "s");
    printf("; a rank sends at most %s, %s bytes%s", most, most_sent, reduces ? "," : "");
    if (reduces)
        printf("\nand reduces %s", reduced);
    puts("");
}

static void print_kinds(uint32_t kinds)
{
    if (kinds == 1)
        puts("all ranks do the same, relative to themselves");
    else
        printf("%u kinds of ranks: the others do, relative to themselves, what one of these does\n", kinds);
}

gboolean show_rounds(const Operation *op, const Schedule *s, const Totals *t)
{
    const uint64_t n = s->shared ? t->writes + t->reads : t->messages;
    const char *const what = s->shared ? "accesses" : "messages";
    const bool drawn = n <= MAX_DRAWN_MESSAGES;
    g_autoptr(GArray) messages = !drawn      ? g_array_new(FALSE, FALSE, sizeof(RoundMessage))
                                 : s->shared ? shared_rounds_play(op)
                                             : rounds_play(op);
    const int rounds = messages->len ? g_array_index(messages, RoundMessage, messages->len - 1).round : 0;
    if (op->algorithm->shared)
        print_shared_totals(op, t, rounds);
    else
        print_totals(t, collectives[op->algorithm->collective].reduces, rounds);
    print_kinds(s->n_classes);
    if (!drawn) {
        printf("\n  not drawn: more than %d %s\n", MAX_DRAWN_MESSAGES, what);
        return TRUE;
    }
    g_autofree char *drawing = rounds_draw(messages, op->c.p, s->peers == PEERS_XOR);
    fputs(drawing, stdout);
    if (messages->len == n)
        return TRUE;
    printf("  the other %" G_GUINT64_FORMAT " %s never come: it does not end; see collsim run\n", n - messages->len,
           what);
    return FALSE;
}

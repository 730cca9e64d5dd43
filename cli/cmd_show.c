#include "answer/engine/show.h"
#include "ask/ask.h"
#include "out/note.h"
#include "ask/plugins.h"
#include "base/error.h"
#include "cli.h"
#include "engine/rounds/rounds.h"
#include "engine/schedule/parse.h"
#include "engine/schedule/record.h"
#include "search/search/points.h"
#include <stdio.h>

typedef struct ShowOptions {
    char *ranks, *bytes, *root, *counts, *displs, *per_node, *map;
    char **params;
    AnswerOptions answer;
} ShowOptions;

static void options_clear(ShowOptions *o)
{
    g_free(o->ranks);
    g_free(o->bytes);
    g_free(o->root);
    g_free(o->counts);
    g_free(o->displs);
    g_free(o->per_node);
    g_free(o->map);
    g_strfreev(o->params);
    answer_options_clear(&o->answer);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ShowOptions, options_clear)

static const char help_text[] = "Draws the rounds of an algorithm, message by message, and prints what it does,\n"
                                "needs and costs. The last sentence says what its critical path has, and how that\n"
                                "grows with p, a power of two.\n"
                                "\n"
                                "  collsim show bcast binomial\n"
                                "  collsim show bcast pipeline -p 5 -m 64 --param segment=16\n"
                                "  collsim show allreduce rabenseifner -p 13\n"
                                "  collsim show bcast mpich:auto -p 4x4 -m 64\n"
                                "\n" HELP_BYTES "\n" HELP_COUNTS;

// Makes the one point that is drawn. By default it has 8 bytes per rank and 8 ranks, on 2 nodes if the algorithm groups
// ranks by node.
static GPtrArray *find_point(char **words, const ShowOptions *o, Request *r, GError **error)
{
    size_t root = 0;
    if (!collective_parse(words[0], &r->question.collective, error) || !ask_plugin_params(o->params, error))
        return NULL;
    g_autofree char *name = ask_plugin(words[1], r->question.collective, error);
    if (!name || !request_name_algorithm(r, name, error))
        return NULL;
    const CollAlgorithm *a = question_only(&r->question);
    if (!a) {
        bad_input(error, "show %s: these are several algorithms; allowed: one", words[1]);
        return NULL;
    }
    const char *const eight = algorithm_needs_nodes(a) && !o->per_node && !o->map ? "2x4" : "8";
    if (!ask_ranks(o->ranks ? o->ranks : eight, o->per_node, o->map, r, error))
        return NULL;
    const size_t p = g_array_index(r->question.ranks, size_t, 0);
    if (r->question.ranks->len > 1 || p > MAX_DRAWN_RANKS) {
        g_autofree char *quoted = error_quote(o->ranks);
        bad_input(error, "-p %s; allowed: one number, 1 .. %d", quoted, MAX_DRAWN_RANKS);
        return NULL;
    }
    const CollectiveInfo *info = &collectives[r->question.collective];
    size_t m = info->vector ? 8 * p : 8;
    if (!options_number("-m", o->bytes, 0, LIMIT_BYTES, &m, error))
        return NULL;
    if (o->root && !info->rooted) {
        bad_input(error, "--root: %s has no root; allowed: with a collective that has one, such as bcast", info->name);
        return NULL;
    }
    if (!options_number("--root", o->root, 0, p - 1, &root, error))
        return NULL;
    m = r->question.collective == COLL_BARRIER ? 0 : m;
    r->question.root = (int)root;
    r->question.elem = 1;
    r->question.params = o->params;
    r->question.sizes = g_array_new(FALSE, FALSE, sizeof m);
    g_array_append_val(r->question.sizes, m);
    return question_counts(&r->question, o->counts, o->displs, error) && question_no_lists(&r->question, error)
               ? points_make(r, error)
               : NULL;
}

// Takes what a library decided for LIB:auto in place of the name, and notes it.
static void take_decision(Point *x)
{
    if (!x->decision)
        return;
    g_autofree char *decided = decision_text(x->decision);
    note("%s runs %s%s%s", x->algorithm->name, decided, x->decision->missing ? "; " : "",
         x->decision->missing ? x->decision->missing : "");
    x->algorithm = x->decision->entry;
}

int cmd_show(int argc, char **argv, GError **error)
{
    g_auto(ShowOptions) o = {0};
    const GOptionEntry entries[] = {
        ENTRY_STRING("ranks", 'p', o.ranks, "ranks, at most 64 (default 8, or 2x4: 2 nodes of 4)", "P"),
        ENTRY_STRING("bytes", 'm', o.bytes, "size in bytes (default 8 bytes per rank)", "BYTES"),
        ENTRY_ONE_ROOT(o.root),
        ENTRY_PARAM(o.params),
        ENTRY_COUNTS(o.counts),
        ENTRY_DISPLS(o.displs),
        ENTRY_PER_NODE(o.per_node),
        ENTRY_MAP(o.map),
        ANSWER_ENTRIES(o.answer),
        {NULL},
    };
    g_auto(GStrv) words = NULL;
    if (!options_parse(argc, argv, "COLLECTIVE ALGORITHM", help_text, entries, 2, 2, &words, error))
        return 2;
    g_auto(Request) r = {.question.connection = MEMORY_CONNECTION};
    g_autoptr(GPtrArray) points = find_point(words, &o, &r, error);
    if (!points)
        return 2;
    Point *x = g_ptr_array_index(points, 0);
    take_decision(x);
    const Operation op = point_operation(&r, x);
    const bool of_memory = collectives[r.question.collective].rooted && !collectives[r.question.collective].vector;
    Totals totals;
    g_auto(Answer) answer = {0};
    Schedule *s = schedule_admit(&op, &(RecordOptions){.mixes = true}, 0, &totals, error);
    const Memory memory = s && of_memory ? memory_of(&op) : (Memory){0};
    if (!s || !memory_check(&memory, op.algorithm->name, x->p, error) || !answer_open(&answer, &o.answer, error)) {
        schedule_free(s);
        return 2;
    }
    const gboolean ended = show_report(&answer, &r, x, &op, s, &totals, of_memory ? &memory : NULL);
    schedule_free(s);
    return !answer_close(&answer, error) ? 2 : ended ? 0 : 1;
}

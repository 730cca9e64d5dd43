#include "answer/advice/learn_answer.h"
#include "answer/report/report.h"
#include "answer/advice/tune_answer.h"
#include "base/units.h"
#include "engine/schedule/parse.h"
#include "advice/tune/tune.h"
#include <math.h>
#include <string.h>

// ---- Texts ----------------------------------------------------------------------------------------------------------

static const Request *first_request(const LearnAnswer *x)
{
    return x->requests->pdata[0];
}

// Returns a feature's value as people write it.
static char *feature_text(LearnFeature feature, gint64 value)
{
    switch (feature) {
    case FEATURE_OP:
        return g_strdup(collectives[value].name);
    case FEATURE_M:
        return units_format_size((size_t)value);
    case FEATURE_LATENCY:
    case FEATURE_STREAM:
        return units_format_time((double)value * 1e-12);
    default:
        return g_strdup_printf("%" G_GINT64_FORMAT, value);
    }
}

char *learn_question(const LearnAnswer *x, const CartNode *node)
{
    g_autofree char *value = feature_text((LearnFeature)node->feature, node->value);
    const gboolean named = x->learnt->table.kinds[node->feature] == CART_NAMED;
    return g_strdup_printf("%s %s %s", learn_feature_names[node->feature], named ? "=" : "<=", value);
}

char *learn_leaf_text(const LearnAnswer *x, guint node)
{
    const LearnChoice *c = learn_choice(x->data, cart_node(x->learnt->tree, node)->choice);
    GString *text = g_string_new(collectives[c->collective].name);
    const CollParams usual = algorithm_defaults(c->entry);
    g_string_append_printf(text, " %d %s", c->id, c->name);
    for (int i = 0; i < algorithm_n_params(c->entry); i++) {
        const CollParam *param = &c->entry->params[i];
        const int64_t value = param_get(param, &c->par);
        g_autofree char *shown = param_text(param, value);
        if (value != param_get(param, &usual))
            g_string_append_printf(text, " %s=%s", param->name, shown);
    }
    return g_string_free(text, FALSE);
}

// ---- Sheets ---------------------------------------------------------------------------------------------------------

// Names what a test left out: "p = 4", or the platform.
static char *test_text(const LearnAnswer *x, const LearnTest *test)
{
    const LearnTests *all = x->tests;
    if (test == &all->inner || test == &all->outer || test == &all->known)
        return g_strdup(test == &all->inner ? "interpolated" : test == &all->outer ? "extrapolated" : "nothing");
    if (all->feature != FEATURE_LATENCY) {
        g_autofree char *value = feature_text(all->feature, test->left_out);
        return g_strdup_printf("%s = %s", learn_feature_names[all->feature], value);
    }
    for (guint i = 0; i < x->data->points->len; i++)
        if (learn_point(x->data, i)->x[FEATURE_LATENCY] == test->left_out)
            return g_strdup(learn_point(x->data, i)->request->machine.platform->name);
    g_assert_not_reached();
}

static void add_test(Sheet *sheet, const LearnAnswer *x, const LearnTest *test)
{
    const struct {
        const char *best, *mean, *worst;
        const LearnScore *score;
    } scores[] = {{"tree_best", "tree_x_mean", "tree_x_worst", &test->tree},
                  {"nearest_best", "nearest_x_mean", "nearest_x_worst", &test->nearest},
                  {"single_best", "single_x_mean", "single_x_worst", &test->single},
                  {"default_best", "default_x_mean", "default_x_worst", &test->usual},
                  {"params_best", "params_x_mean", "params_x_worst", &test->params}};
    if (!test->points)
        return;
    sheet_row(sheet);
    sheet_take(sheet, "test", test_text(x, test));
    sheet_count(sheet, "extrapolated", test->extrapolated);
    sheet_count(sheet, "tested", test->points);
    sheet_count(sheet, "unknown", test->usual.unknown);
    sheet_number(sheet, "median_error", test->median_error);
    sheet_number(sheet, "p90_error", test->p90_error);
    for (size_t i = 0; i < G_N_ELEMENTS(scores); i++) {
        sheet_count(sheet, scores[i].best, scores[i].score->best);
        sheet_number(sheet, scores[i].mean, scores[i].score->mean);
        sheet_number(sheet, scores[i].worst, scores[i].score->worst);
    }
}

// Makes the sheet "rows": what the tree is worth. Free with sheet_free.
static Sheet *tests_sheet(const LearnAnswer *x)
{
    Sheet *sheet = sheet_new(
        "rows",
        (const char *const[]){
            "test",         "extrapolated",   "tested",          "tree_best",   "tree_x_mean",   "tree_x_worst",
            "nearest_best", "nearest_x_mean", "nearest_x_worst", "single_best", "single_x_mean", "single_x_worst",
            "default_best", "default_x_mean", "default_x_worst", "params_best", "params_x_mean", "params_x_worst",
            "median_error", "p90_error",      "unknown",         NULL});
    const Request *r = first_request(x);
    g_autoptr(GString) machines = g_string_new(NULL);
    for (guint i = 0; i < x->requests->len; i++)
        g_string_append_printf(machines, "%s%s", i ? "," : "",
                               ((const Request *)x->requests->pdata[i])->machine.platform->name);
    sheet_add_columns(sheet, (const char *const[]){"library", "platform", "model", "transfer", "sets", NULL});
    sheet_text(sheet, "library", r->library.only->library->name);
    sheet_text(sheet, "platform", machines->str);
    sheet_text(sheet, "model", r->machine.model->name);
    sheet_text(sheet, "transfer", r->machine.model->transfers ? transfer_names[r->machine.options.transfer] : NULL);
    sheet_take(sheet, "sets", r->machine.sets ? g_strjoinv(";", r->machine.sets) : NULL);
    for (guint i = 0; i < x->tests->each->len; i++)
        add_test(sheet, x, &g_array_index(x->tests->each, LearnTest, i));
    add_test(sheet, x, &x->tests->inner);
    add_test(sheet, x, &x->tests->outer);
    add_test(sheet, x, &x->tests->known);
    return sheet;
}

static guint points_of(const LearnData *data, Collective collective)
{
    guint n = 0;
    for (guint i = 0; i < data->labels->len; i++)
        n += learn_label(data, i)->collective == collective ? learn_label(data, i)->points : 0;
    return n;
}

// Makes the sheet "labels": how often each id is the best; with `seldom` also those that never are. Free with
// sheet_free.
static Sheet *labels_sheet(const LearnAnswer *x, gboolean seldom)
{
    Sheet *sheet = sheet_new("labels", (const char *const[]){"collective", "label", "label_name", "algorithm",
                                                             "best_at", "grid_points", NULL});
    for (guint i = 0, choice = 0; i < x->data->labels->len; i++) {
        const LearnLabel *label = learn_label(x->data, i);
        while (learn_choice(x->data, choice)->label != i)
            choice++;
        if (!label->points && !seldom)
            continue;
        sheet_row(sheet);
        sheet_text(sheet, "collective", collectives[label->collective].name);
        sheet_count(sheet, "label", label->id);
        sheet_text(sheet, "label_name", label->name);
        sheet_text(sheet, "algorithm", learn_choice(x->data, choice)->entry->name);
        sheet_count(sheet, "best_at", label->points);
        sheet_count(sheet, "grid_points", points_of(x->data, label->collective));
    }
    return sheet;
}

static void fill_choice(Sheet *sheet, const LearnChoice *c)
{
    sheet_text(sheet, "collective", collectives[c->collective].name);
    sheet_count(sheet, "label", c->id);
    sheet_text(sheet, "label_name", c->name);
    sheet_text(sheet, "algorithm", c->entry->name);
    g_autofree char *params = params_text(c->entry, &c->par);
    sheet_text(sheet, "params", g_strdelimit(params, " ", ';'));
}

// Returns the geometric mean of x over the points of a node at which its choice is not the best; NAN without one.
static double misfit_x(const CartNode *node)
{
    return node->misses ? exp2((double)node->cost / LEARN_UNIT / node->misses) : NAN;
}

// Makes the sheet "mistakes": which ids were taken for which, at the points that were left out. Free with sheet_free.
static Sheet *mistakes_sheet(const LearnAnswer *x)
{
    Sheet *sheet = sheet_new("mistakes", (const char *const[]){"collective", "label", "label_name", "chosen_label",
                                                               "chosen_name", "mistaken", "mistaken_x", NULL});
    for (guint i = 0; i < x->tests->mistakes->len; i++) {
        const LearnMistake *m = &g_array_index(x->tests->mistakes, LearnMistake, i);
        const LearnLabel *best = learn_label(x->data, m->best), *chosen = learn_label(x->data, m->chosen);
        sheet_row(sheet);
        sheet_text(sheet, "collective", collectives[best->collective].name);
        sheet_count(sheet, "label", best->id);
        sheet_text(sheet, "label_name", best->name);
        sheet_count(sheet, "chosen_label", chosen->id);
        sheet_text(sheet, "chosen_name", chosen->name);
        sheet_count(sheet, "mistaken", m->points);
        sheet_number(sheet, "mistaken_x", m->mean);
    }
    return sheet;
}

// Makes the sheet "tree": a row for each node. Free with sheet_free.
static Sheet *tree_sheet(const LearnAnswer *x)
{
    const Cart *tree = x->learnt->tree;
    Sheet *sheet = sheet_new("tree", (const char *const[]){"node", "parent", "branch", "question", "collective",
                                                           "label", "label_name", "algorithm", "params", "grown_from",
                                                           "misfits", "misfit_x", NULL});
    for (guint i = 0; i < tree->len; i++) {
        const CartNode *node = cart_node(tree, i);
        sheet_row(sheet);
        sheet_count(sheet, "node", i);
        if (i) {
            sheet_count(sheet, "parent", node->above);
            sheet_text(sheet, "branch", cart_node(tree, node->above)->yes == i ? "yes" : "no");
        }
        if (node->feature >= 0)
            sheet_take(sheet, "question", learn_question(x, node));
        else
            fill_choice(sheet, learn_choice(x->data, cart_node(x->learnt->tree, i)->choice));
        sheet_count(sheet, "grown_from", node->rows);
        sheet_count(sheet, "misfits", node->misses);
        sheet_number(sheet, "misfit_x", misfit_x(node));
    }
    return sheet;
}

// The logarithms of a feature over all points, for models that want numbers from 0 to 1.
typedef struct Encoding {
    double least, most;
} Encoding;

static double log2_of(gint64 value)
{
    return log2((double)MAX(value, 1));
}

static Encoding encoding_of(const LearnData *data, LearnFeature feature)
{
    Encoding x = {INFINITY, 0};
    for (guint i = 0; i < data->points->len; i++) {
        const double at = log2_of(learn_point(data, i)->x[feature]);
        x = (Encoding){fmin(x.least, at), fmax(x.most, at)};
    }
    return x;
}

// Fills the logarithm of a value, and where it is between those of the least and the largest value.
static void encode(Sheet *sheet, const char *log2_column, const char *scaled_column, const Encoding *x, gint64 value)
{
    const double at = log2_of(value);
    sheet_number(sheet, log2_column, at);
    sheet_number(sheet, scaled_column, x->most > x->least ? (at - x->least) / (x->most - x->least) : 0);
}

// Returns a digit for each collective of the data, in the order of their names: 1 for this one. Free with g_free.
static char *one_hot_of(const LearnData *data, Collective collective)
{
    GString *text = g_string_new(NULL);
    for (Collective k = 0; k < N_COLLECTIVES; k++)
        if (data->n[k] > 0)
            g_string_append_printf(text, "%s%d", text->len ? ";" : "", k == collective);
    return g_string_free(text, FALSE);
}

// Makes the sheet "data": a row for each point and choice. Free with sheet_free.
static Sheet *data_sheet(const LearnAnswer *x)
{
    const LearnData *data = x->data;
    Sheet *sheet = sheet_new("data", (const char *const[]){"collective",
                                                           "ranks",
                                                           "per_node",
                                                           "bytes",
                                                           "element",
                                                           "platform",
                                                           "label",
                                                           "label_name",
                                                           "algorithm",
                                                           "params",
                                                           "given",
                                                           "time_s",
                                                           "is_best",
                                                           "default_s",
                                                           "ranks_log2",
                                                           "ranks_scaled",
                                                           "bytes_log2",
                                                           "bytes_scaled",
                                                           "collective_one_hot",
                                                           NULL});
    const Encoding ranks = encoding_of(data, FEATURE_P), bytes = encoding_of(data, FEATURE_M);
    for (guint i = 0; i < data->points->len; i++) {
        const LearnPoint *point = learn_point(data, i);
        g_autofree char *one_hot = one_hot_of(data, point->collective);
        const guint first = data->first[point->collective];
        for (guint c = first; c < first + data->n[point->collective]; c++) {
            sheet_row(sheet);
            fill_choice(sheet, learn_choice(data, c));
            sheet_text(sheet, "given", learn_choice(data, c)->given);
            sheet_count(sheet, "ranks", point->p);
            if (point->per_node)
                sheet_count(sheet, "per_node", point->per_node);
            sheet_count(sheet, "bytes", (int64_t)point->m);
            sheet_count(sheet, "element", (int64_t)point->elem);
            sheet_text(sheet, "platform", point->request->machine.platform->name);
            sheet_number(sheet, "time_s", learn_time(data, point, c));
            sheet_count(sheet, "is_best", point->best == c);
            sheet_number(sheet, "default_s", point->default_s);
            encode(sheet, "ranks_log2", "ranks_scaled", &ranks, point->x[FEATURE_P]);
            encode(sheet, "bytes_log2", "bytes_scaled", &bytes, point->x[FEATURE_M]);
            sheet_text(sheet, "collective_one_hot", one_hot);
        }
    }
    return sheet;
}

void learn_write_data(const LearnAnswer *x, FILE *to)
{
    g_autoptr(Sheet) sheet = data_sheet(x);
    sheet_csv(sheet, to);
}

// ---- Tables ---------------------------------------------------------------------------------------------------------

// Prints a node and those below it, after the answer that leads to it.
static void print_node(const LearnAnswer *x, guint at, int indent, const char *answer, FILE *to)
{
    const CartNode *node = cart_node(x->learnt->tree, at);
    fprintf(to, "%*s%s", indent, "", answer);
    if (node->feature < 0) {
        g_autofree char *text = learn_leaf_text(x, at);
        fprintf(to, "%s (%u point%s", text, node->rows, node->rows == 1 ? "" : "s");
        if (node->misses)
            fprintf(to, ", %u misfit%s of x %.3g", node->misses, node->misses == 1 ? "" : "s", misfit_x(node));
        fputs(")\n", to);
        return;
    }
    g_autofree char *question = learn_question(x, node);
    fprintf(to, "%s?\n", question);
    const int next = indent + (*answer ? 2 : 0);
    print_node(x, node->yes, next, "yes: ", to);
    print_node(x, node->no, next, "no:  ", to);
}

static void print_title(const LearnAnswer *x, FILE *to)
{
    const Request *r = first_request(x);
    const guint n = x->data->points->len;
    gsize times = 0;
    for (guint i = 0; i < n; i++)
        times += x->data->n[learn_point(x->data, i)->collective];
    for (guint i = 0; i < x->requests->len; i++) {
        g_autofree char *machine = report_machine_text(x->requests->pdata[i]);
        if (i == 0)
            fprintf(to, "%s%s\n", r->library.only->library->title, machine);
        else
            fprintf(to, "and%s\n", machine);
    }
    fprintf(to, "%u choice%s, %u of which run differently; %u points, %zu times", x->data->choices->len,
            x->data->choices->len == 1 ? "" : "s", x->data->different, n, times);
    if (x->data->omitted)
        fprintf(to, "; %u points at which nothing can run", x->data->omitted);
    fputs("\n", to);
    report_remarks(to, r, NULL);
}

void learn_report(const Answer *answer, const LearnAnswer *x)
{
    enum { MOST_MISTAKES = 10 };
    static const SheetView of_mistakes[] = {{"collective"},  {"label"},    {"label_name"}, {"chosen_label"},
                                            {"chosen_name"}, {"mistaken"}, {"mistaken_x"}, {NULL}};
    static const SheetView of_labels[] = {{"collective"}, {"label"},       {"label_name"}, {"algorithm"},
                                          {"best_at"},    {"grid_points"}, {NULL}};
    static const SheetView of_tests[] = {{"test"},           {"tested"},         {"tree_best"},       {"tree_x_mean"},
                                         {"tree_x_worst"},   {"nearest_x_mean"}, {"nearest_x_worst"}, {"single_x_mean"},
                                         {"single_x_worst"}, {"default_x_mean"}, {"default_x_worst"}, {NULL}};
    const gboolean table = answer->format == FORMAT_TABLE;
    g_autoptr(Sheet) tests = tests_sheet(x), labels = labels_sheet(x, !table), tree = tree_sheet(x),
                     mistakes = mistakes_sheet(x);
    if (!table) {
        g_autoptr(Sheet) data = answer->format == FORMAT_JSON ? data_sheet(x) : NULL,
                         notes = report_remarks_sheet(first_request(x), NULL);
        answer_sheets(answer, "learn", (const Sheet *const[]){tests, labels, tree, mistakes, data, notes}, 6);
        return;
    }
    FILE *to = answer->to;
    print_title(x, to);
    fputs("\nTests: x is the time of what is chosen / the time of the best choice\n", to);
    sheet_table(tests, of_tests, 0, sheet_rows(tests), "", to);
    const LearnTest *sums[] = {&x->tests->inner, &x->tests->outer};
    for (int i = 0; i < 2; i++) {
        const char *name = i ? "extrapolated" : "interpolated";
        if (!isnan(sums[i]->params.mean))
            fprintf(to, "%s: parameters alone, against the best of the id chosen: x %.3g, worst %.3g\n", name,
                    sums[i]->params.mean, sums[i]->params.worst);
        if (!isnan(sums[i]->median_error))
            fprintf(to, "%s: times by terms are wrong by %.2g %% (median), %.2g %% (p90)\n", name,
                    100 * sums[i]->median_error, 100 * sums[i]->p90_error);
    }
    fputs("\nBest choices\n", to);
    sheet_table(labels, of_labels, 0, sheet_rows(labels), "", to);
    if (sheet_rows(mistakes) > 0)
        fputs("\nMistakes of the tree, those first that cost most\n", to);
    sheet_table(mistakes, of_mistakes, 0, MIN(MOST_MISTAKES, sheet_rows(mistakes)), "", to);
    if (sheet_rows(mistakes) > MOST_MISTAKES)
        fprintf(to, "and %u others\n", sheet_rows(mistakes) - MOST_MISTAKES);
    const guint leaves = cart_leaves(x->learnt->tree), depth = cart_depth(x->learnt->tree);
    fprintf(to, "\nThe tree, grown from all points: %u %s, at most %u question%s; each leaf saves %.3g doubling%s\n",
            leaves, leaves == 1 ? "leaf" : "leaves", depth, depth == 1 ? "" : "s",
            (double)x->learnt->saved / LEARN_UNIT, x->learnt->saved == LEARN_UNIT ? "" : "s");
    print_node(x, 0, 0, "", to);
}

gboolean learn_write_rules(const LearnAnswer *x, FILE *to, GError **error)
{
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free),
                         left_out = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *rules = learn_rules(x->learnt, left_out, error);
    if (!rules)
        return FALSE;
    const Request *r = first_request(x);
    g_autofree char *machine = report_machine_text(r);
    g_ptr_array_add(lines, g_strdup_printf("Rules for %s: the tree of collsim learn", r->library.only->library->title));
    g_ptr_array_add(lines, g_strdup_printf("for p %s and sizes %s%s%s.", x->ranks, x->sizes, machine,
                                           x->requests->len > 1 ? " and others" : ""));
    g_ptr_array_add(lines, g_strdup_printf("Grown from %u points, it is as fast as the best choice at %u of them.",
                                           x->tests->known.points, x->tests->known.tree.best));
    for (guint i = 0; i < left_out->len; i++)
        g_ptr_array_add(lines, g_strdup(left_out->pdata[i]));
    tune_answer_note(r->library.only->library, lines);
    g_autofree char *text = tune_comment(r->library.only->library, rules, lines);
    fputs(text, to);
    return TRUE;
}

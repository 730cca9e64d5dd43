// The library of collsim.h: the same times as the program, every absurd argument answered by an error, and the same answers
// from eight threads at once as from one.
#include "base/budget.h"
#include "base/error.h"
#include "library/collsim.h"
#include "tap.h"
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static collsim_platform *open_platform(const char *name)
{
    collsim_error *error = NULL;
    collsim_platform *platform = collsim_platform_open(name, &error);
    g_assert_cmpstr(collsim_error_message(error), ==, "");
    return platform;
}

static collsim_request *ask(const collsim_platform *platform, const char *collective, const char *names)
{
    collsim_request *r = collsim_request_new(platform, collective, NULL);
    g_assert_nonnull(r);
    g_assert_cmpint(collsim_request_ranks(r, (const int[]){8, 13}, 2, NULL), ==, COLLSIM_OK);
    g_assert_cmpint(collsim_request_sizes(r, (const uint64_t[]){64, 65536}, 2, NULL), ==, COLLSIM_OK);
    g_assert_cmpint(collsim_request_algorithms(r, names, NULL), ==, COLLSIM_OK);
    return r;
}

// Fails unless there is an error with this code and a message of one line that says what is allowed.
static void expect(collsim_error *error, int code, const char *part)
{
    g_assert_nonnull(error);
    g_assert_cmpint(collsim_error_code(error), ==, code);
    g_assert_nonnull(strstr(collsim_error_message(error), part));
    g_assert_null(strchr(collsim_error_message(error), '\n'));
    collsim_error_free(error);
}

// ---- Answers --------------------------------------------------------------------------------------------------------

// Fails unless the ends of a run are in order, and its columns hold its counts and the machine's figures.
static void check_columns(const collsim_run *run)
{
    const double rounding = 1 + 1e-12; // of the mean
    g_assert_true(run->end_min_s > 0 && run->end_min_s <= run->end_mean_s * rounding &&
                  run->end_mean_s <= run->end_max_s);
    g_assert_cmpfloat(run->end_max_s, ==, run->time_s);
    double value = 0, alpha_s = 0;
    for (size_t k = 0; k < run->n_columns; k++) {
        const collsim_column *x = &run->columns[k];
        g_assert_true(x->count == -1 || x->value == (double)x->count);
        if (strcmp(x->name, "alpha_s") == 0)
            alpha_s = x->value;
        if (strcmp(x->name, "alpha_count") == 0)
            value = (double)x->count * alpha_s;
    }
    g_assert_cmpfloat(value, ==, (double)run->terms[0].count * run->terms[0].value_s);
    g_assert_cmpstr(run->terms[0].name, ==, "alpha");
    g_assert_true(!run->counts && !run->displs);
}

// Fails unless the terms of a run add up to its time.
static void check_terms(const collsim_run *run)
{
    double value = 0;
    for (size_t k = 0; k < run->n_terms; k++)
        value += (double)run->terms[k].count * run->terms[k].value_s;
    g_assert_cmpfloat(fabs(value - run->time_s), <=, 1e-15 * run->time_s * 4);
}

static void predict(void)
{
    collsim_platform *platform = open_platform("generic-100g");
    collsim_request *r = ask(platform, "MPI_Bcast", "binomial,scatter_ring_allgather");
    collsim_runs *runs = collsim_predict(r, NULL);
    g_assert_cmpuint(collsim_runs_count(runs), ==, 8);
    const collsim_run *run = collsim_runs_at(runs, 2);
    g_assert_cmpstr(run->algorithm, ==, "binomial");
    g_assert_cmpint(run->p, ==, 8);
    g_assert_cmpuint(run->bytes, ==, 65536);
    g_assert_cmpstr(run->certificate, ==, "3 alpha + 196608 beta");
    check_columns(run);
    g_assert_cmpuint(run->n_terms, ==, 3);
    g_assert_cmpuint(run->messages, ==, 7);
    for (size_t i = 0; i < 8; i++)
        check_terms(collsim_runs_at(runs, i));
    g_assert_null(collsim_runs_at(runs, 8));
    collsim_runs_free(runs);
    g_assert_cmpint(collsim_request_option(r, "model", "loggops", NULL), ==, COLLSIM_OK);
    runs = collsim_predict(r, NULL);
    g_assert_cmpuint(collsim_runs_count(runs), ==, 8);
    g_assert_cmpuint(collsim_runs_at(runs, 0)->n_terms, ==, 6);
    for (size_t i = 0; i < 8; i++)
        check_terms(collsim_runs_at(runs, i));
    collsim_runs_free(runs);
    collsim_request_free(r);
    collsim_platform_free(platform);
}

// What the fields of a run hold whose values follow from the text of binomial on 8 ranks and from what was asked.
static void fields(void)
{
    collsim_platform *platform = open_platform("lumi");
    const char *const collectives_asked[] = {"bcast", "reduce"};
    for (uint64_t reduces = 0; reduces < 2; reduces++) { // a reduction has the messages of a broadcast, turned around
        collsim_request *r = ask(platform, collectives_asked[reduces], "binomial");
        collsim_request_option(r, "arrival", "one-late:20us", NULL);
        collsim_runs *runs = collsim_predict(r, NULL);
        const collsim_run *run = collsim_runs_at(runs, 0);
        g_assert_cmpuint(run->messages, ==, 7);
        g_assert_cmpuint(run->bytes_sent, ==, 7 * 64);
        g_assert_cmpuint(run->max_messages_sent, ==, reduces ? 1 : 3);
        g_assert_cmpuint(run->max_messages_received, ==, reduces ? 3 : 1);
        g_assert_cmpuint(run->max_bytes_sent, ==, run->max_messages_sent * 64);
        g_assert_cmpuint(run->max_bytes_received, ==, run->max_messages_received * 64);
        g_assert_cmpuint(run->max_bytes_reduced, ==, reduces * 3 * 64);
        g_assert_cmpfloat(run->last_arrival_s, ==, 20e-6);
        g_assert_cmpfloat(run->mean_end_s, ==, run->end_mean_s);
        g_assert_cmpfloat(run->end_min_s, <, run->end_mean_s);
        g_assert_cmpint(run->nodes, ==, 0);
        g_assert_nonnull(strstr(run->costs, "alpha"));
        collsim_runs_free(runs);
        collsim_request_option(r, "arrival", "random:20us:1", NULL);
        collsim_request_option(r, "seeds", "5", NULL);
        runs = collsim_predict(r, NULL);
        g_assert_cmpfloat(collsim_runs_at(runs, 0)->median_s, <, collsim_runs_at(runs, 0)->p99_s);
        collsim_runs_free(runs);
        collsim_request_free(r);
    }
    collsim_request *r = ask(platform, "bcast", "ompi-5:auto");
    collsim_runs *runs = collsim_predict(r, NULL);
    g_assert_nonnull(collsim_runs_at(runs, 0)->setting);
    collsim_runs_free(runs);
    collsim_request_free(r);
    r = ask(platform, "allgatherv", "ring");
    runs = collsim_predict(r, NULL);
    g_assert_cmpstr(collsim_runs_at(runs, 0)->counts, ==, "equal");
    g_assert_cmpstr(collsim_runs_at(runs, 0)->displs, ==, "consecutive");
    collsim_runs_free(runs);
    collsim_request_free(r);
    r = ask(platform, "bcast", "binomial");
    runs = collsim_predict(r, NULL); // of 64K: the bound sends every byte once, and binomial three times
    g_assert_cmpfloat(collsim_runs_at(runs, 2)->x_best, ==, 1);
    g_assert_cmpfloat(collsim_runs_at(runs, 2)->x_bound, >, 1);
    collsim_runs_free(runs);
    collsim_request_free(r);
    collsim_platform_free(platform);
}

// The terms that messages of measured pay beyond their tables: doubling reacts and exchanges, and a root takes messages.
// What collsim_platform_set makes neutral is not paid.
static void further_terms(void)
{
    static const char text[] = "[measured]\none = 0:2us 64M:2us\none.source = x\ngap = 0:0.5us 64M:0.5us\n"
                               "gap.source = x\ntake = 0:0.25us 8K:0.25us\ntake.source = x\nfar = 0.75us\n"
                               "far.source = x\nswap = 1.5\nswap.source = x\n";
    static const struct {
        const char *collective, *algorithm, *neutral, *certificate[2];
        size_t m;
        double time_s[2];
    } runs[] = {{"allgather",
                 "recursive_doubling",
                 "far=0",
                 {"1 one(16) + 1 one(8) + 1 far", "1 one(16) + 1 one(8)"},
                 8,
                 {4.75e-6, 4e-6}},
                {"allgather",
                 "recursive_doubling",
                 "swap=1",
                 {"1 swap(4M) + 1 swap(8M)", "1 one(4M) + 1 one(8M)"},
                 4 << 20,
                 {6e-6, 4e-6}},
                {"gather", "linear", "take=gap", {"1 one(8) + 2 take(8)", "1 one(8) + 2 gap(8)"}, 8, {2.5e-6, 3e-6}}};
    for (size_t i = 0; i < G_N_ELEMENTS(runs); i++)
        for (int k = 0; k < 2; k++) {
            collsim_platform *platform = collsim_platform_parse("three", text, strlen(text), NULL);
            g_assert_nonnull(platform);
            if (k > 0)
                g_assert_cmpint(collsim_platform_set(platform, runs[i].neutral, NULL), ==, COLLSIM_OK);
            collsim_request *r = ask(platform, runs[i].collective, runs[i].algorithm);
            g_assert_cmpint(collsim_request_option(r, "model", "measured", NULL), ==, COLLSIM_OK);
            g_assert_cmpint(collsim_request_ranks(r, (const int[]){4}, 1, NULL), ==, COLLSIM_OK);
            g_assert_cmpint(collsim_request_sizes(r, &runs[i].m, 1, NULL), ==, COLLSIM_OK);
            collsim_runs *answer = collsim_predict(r, NULL);
            g_assert_cmpuint(collsim_runs_count(answer), ==, 1);
            const collsim_run *run = collsim_runs_at(answer, 0);
            g_assert_cmpstr(run->certificate, ==, runs[i].certificate[k]);
            g_assert_cmpfloat(fabs(run->time_s - runs[i].time_s[k]), <=, 1e-15);
            check_terms(run);
            collsim_runs_free(answer);
            collsim_request_free(r);
            collsim_platform_free(platform);
        }
}

// Lists as texts: the same points as arrays, and nodes.
static void lists(void)
{
    collsim_platform *platform = open_platform("lumi");
    collsim_request *r = ask(platform, "bcast", "binomial");
    g_assert_cmpint(collsim_request_ranks_list(r, "8, 2x16,3..4", NULL), ==, COLLSIM_OK);
    g_assert_cmpint(collsim_request_sizes_list(r, "64K..1M:x16", NULL), ==, COLLSIM_OK);
    collsim_runs *runs = collsim_predict(r, NULL);
    collsim_decisions *decisions = collsim_decide(r, "ompi-4.1", NULL);
    static const int p[] = {8, 32, 3, 4}, per_node[] = {0, 16, 0, 0};
    g_assert_cmpuint(collsim_runs_count(runs), ==, 8);
    g_assert_cmpuint(collsim_decisions_count(decisions), ==, 8);
    for (size_t i = 0; i < 8; i++) {
        const collsim_run *run = collsim_runs_at(runs, i);
        const collsim_decision *decision = collsim_decisions_at(decisions, i);
        g_assert_cmpint(run->p, ==, p[i / 2]);
        g_assert_cmpint(run->per_node, ==, per_node[i / 2]);
        g_assert_cmpint(decision->per_node, ==, per_node[i / 2]);
        g_assert_cmpuint(run->bytes, ==, i % 2 ? 1 << 20 : 1 << 16);
    }
    collsim_runs_free(runs);
    collsim_decisions_free(decisions);
    collsim_error *e = NULL;
    collsim_request_option(r, "per-node", "4", NULL);
    g_assert_null(collsim_predict(r, &e));
    expect(g_steal_pointer(&e), COLLSIM_INPUT, "per-node and ranks as NxK both place the ranks");
    collsim_request_option(r, "per-node", NULL, NULL);
    collsim_request_option(r, "map", "cyclic:8", NULL);
    g_assert_null(collsim_predict(r, &e));
    expect(g_steal_pointer(&e), COLLSIM_INPUT, "puts 8 ranks on a node, and NxK puts 16 there");
    g_assert_cmpint(collsim_request_ranks(r, (const int[]){8}, 1, NULL), ==, COLLSIM_OK); // without nodes again
    runs = collsim_predict(r, NULL);
    g_assert_cmpuint(collsim_runs_count(runs), ==, 2);
    collsim_runs_free(runs);
    collsim_request_free(r);
    collsim_platform_free(platform);
}

// What `best` finds with an option; the caller frees it.
static collsim_runs *best_with(collsim_request *r, const char *name, const char *value)
{
    g_assert_cmpint(collsim_request_option(r, name, value, NULL), ==, COLLSIM_OK);
    collsim_runs *runs = collsim_best(r, 1000, NULL);
    g_assert_nonnull(runs);
    g_assert_cmpint(collsim_request_option(r, name, NULL, NULL), ==, COLLSIM_OK);
    return runs;
}

static gboolean has_algorithm(const collsim_runs *runs, const char *name)
{
    for (size_t i = 0; i < collsim_runs_count(runs); i++)
        if (strcmp(collsim_runs_at(runs, i)->algorithm, name) == 0)
            return TRUE;
    return FALSE;
}

// The options of the search for the best: algorithms that it passes over, and how near the bound it ends.
static void search(void)
{
    static const struct {
        const char *name, *value, *message;
    } bad[] = {{"without", "hybird", "without: unknown allreduce algorithm 'hybird', did you mean hybrid?"},
               {"without", "", "without"},
               {"within", "5", "within '5'; allowed: at least 0% and below 100%, such as 5%"},
               {"within", "100%", "within '100%'; allowed: "}};
    collsim_platform *platform = open_platform("lumi");
    collsim_request *r = ask(platform, "allreduce", "all");
    collsim_request_option(r, "element", "8", NULL);
    collsim_request_sizes(r, (const uint64_t[]){16384}, 1, NULL);
    collsim_request_ranks(r, (const int[]){24}, 1, NULL);
    collsim_runs *all = best_with(r, "without", NULL);
    const char *fastest = collsim_runs_at(all, 0)->algorithm;
    g_autofree char *without = g_strconcat(fastest, ",reduce/hybrid", NULL);
    g_autofree char *note = g_strconcat("left out: ", without, " (without)", NULL);
    collsim_runs *fewer = best_with(r, "without", without);
    g_assert_true(has_algorithm(all, fastest) && !has_algorithm(fewer, fastest));
    g_assert_cmpfloat(collsim_runs_at(all, 0)->time_s, <, collsim_runs_at(fewer, 0)->time_s);
    g_assert_cmpstr(collsim_runs_note(fewer, 0), ==, note);
    collsim_runs_free(all);
    collsim_runs_free(fewer);
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        collsim_error *e = NULL;
        collsim_request_option(r, bad[i].name, bad[i].value, NULL);
        g_assert_null(collsim_best(r, 1, &e));
        expect(e, COLLSIM_INPUT, bad[i].message);
        collsim_request_option(r, bad[i].name, NULL, NULL);
    }
    collsim_request_free(r);
    r = ask(platform, "bcast", "all");
    collsim_request_sizes(r, (const uint64_t[]){8}, 1, NULL);
    collsim_request_ranks(r, (const int[]){64}, 1, NULL);
    collsim_runs *runs = best_with(r, "within", "1%");
    all = best_with(r, "within", NULL);
    g_assert_cmpuint(collsim_runs_count(runs), <, collsim_runs_count(all));
    g_assert_cmpfloat(collsim_runs_at(runs, 0)->time_s, <=, 1.01 * collsim_runs_at(all, 0)->time_s);
    collsim_runs_free(runs);
    collsim_runs_free(all);
    collsim_request_free(r);
    collsim_platform_free(platform);
}

static void rank(void)
{
    collsim_platform *platform = open_platform("lumi");
    collsim_request *r = ask(platform, "allreduce", "all");
    g_assert_cmpint(collsim_request_option(r, "element", "8", NULL), ==, COLLSIM_OK);
    collsim_runs *runs = collsim_rank(r, NULL), *best = collsim_best(r, 1, NULL);
    size_t ranked = 0;
    for (size_t i = 0; i < collsim_runs_count(best); i++) { // the fastest of each place, then what cannot run there
        const collsim_run *run = collsim_runs_at(best, i);
        g_assert_true(run->place ? run->place == 1 && run->time_s > 0 : isnan(run->time_s) && run->why);
        ranked += run->place == 1;
    }
    g_assert_cmpuint(ranked, ==, 4);
    g_assert_cmpuint(collsim_runs_count(best), >, 4);
    double before = 0, first_s = 0;
    int place = 0;
    for (size_t i = 0, k = 0; i < collsim_runs_count(runs); i++) {
        const collsim_run *run = collsim_runs_at(runs, i);
        if (run->place == 1) {
            while (collsim_runs_at(best, k)->place != 1)
                k++;
            g_assert_cmpfloat(collsim_runs_at(best, k++)->time_s, <=, run->time_s);
            first_s = run->time_s;
        } else if (run->place) {
            g_assert_cmpint(run->place, ==, place + 1);
            g_assert_cmpfloat(run->time_s, >=, before);
        }
        g_assert_true(run->place ? run->x_best == run->time_s / first_s && run->x_bound >= 1
                                 : isnan(run->x_best) && isnan(run->x_bound));
        place = run->place;
        before = run->time_s;
        g_assert_true(run->time_s > 0 || (isnan(run->time_s) && run->why && !run->place));
    }
    collsim_runs_free(runs);
    collsim_runs_free(best);
    collsim_request_free(r);
    collsim_platform_free(platform);
}

static void decide(void)
{
    collsim_platform *platform = open_platform("generic-100g");
    collsim_request *r = ask(platform, "bcast", "ompi-4.1:auto");
    collsim_decisions *decisions = collsim_decide(r, "ompi-4.1", NULL);
    collsim_runs *runs = collsim_predict(r, NULL);
    g_assert_cmpuint(collsim_decisions_count(decisions), ==, 4);
    for (size_t i = 0; i < 4; i++) {
        const collsim_decision *decision = collsim_decisions_at(decisions, i);
        g_assert_cmpstr(decision->library, ==, "ompi-4.1");
        g_assert_cmpstr(decision->algorithm, ==, collsim_runs_at(runs, i)->ran);
        g_assert_nonnull(decision->setting);
    }
    collsim_runs_free(runs);
    collsim_decisions_free(decisions);
    collsim_request_free(r);
    collsim_platform_free(platform);
}

// ---- Arguments ------------------------------------------------------------------------------------------------------

// Fails unless a call that got a NULL returned NULL, or COLLSIM_INPUT, with an error that says so.
static void no_object(const void *returned, collsim_error **error)
{
    g_assert_null(returned);
    expect(g_steal_pointer(error), COLLSIM_INPUT, "is NULL; allowed: ");
}

static void no_code(int returned, collsim_error **error)
{
    g_assert_cmpint(returned, ==, COLLSIM_INPUT);
    expect(g_steal_pointer(error), COLLSIM_INPUT, "is NULL; allowed: ");
}

// Returns what ompi-4.1 decides with an option, and its time. Free with g_free.
static char *with_option(const char *name, const char *value, double *time_s)
{
    collsim_platform *platform = open_platform("leonardo");
    collsim_request *r = ask(platform, "bcast", "ompi-4.1:auto");
    g_assert_cmpint(collsim_request_ranks_list(r, "4x4", NULL), ==, COLLSIM_OK);
    g_assert_cmpint(collsim_request_sizes_list(r, "8M", NULL), ==, COLLSIM_OK);
    g_assert_cmpint(collsim_request_option(r, name, value, NULL), ==, COLLSIM_OK);
    collsim_decisions *decisions = collsim_decide(r, "ompi-4.1", NULL);
    collsim_runs *runs = collsim_predict(r, NULL);
    *time_s = collsim_runs_at(runs, 0)->time_s;
    char *text = g_strdup(collsim_decisions_at(decisions, 0)->text);
    collsim_runs_free(runs);
    collsim_decisions_free(decisions);
    collsim_request_free(r);
    collsim_platform_free(platform);
    return text;
}

// HAN decides in 4.1 if its priority is raised, and its variables change what it takes.
static void han(void)
{
    double none_s, first_s, long_s, simple_s;
    g_autofree char *none = with_option("han", NULL, &none_s), *first = with_option("han", "priority=40", &first_s),
                    *longer = with_option("han", "priority=40,segsize=1M", &long_s),
                    *simple = with_option("han", "priority=40,algorithm=simple", &simple_s);
    g_assert_false(g_str_has_prefix(none, "han"));
    g_assert_true(g_str_has_prefix(first, "han") && g_str_has_prefix(longer, "han") && g_str_has_prefix(simple, "han"));
    g_assert_true(none_s != first_s && first_s != long_s && first_s != simple_s && long_s != simple_s);
    collsim_error *e = NULL;
    collsim_platform *platform = open_platform("leonardo");
    collsim_request *r = ask(platform, "bcast", "ompi-4.1:auto");
    collsim_request_option(r, "han", "segsize=1M", NULL);
    collsim_request_option(r, "no-han", "yes", NULL);
    g_assert_null(collsim_predict(r, &e));
    expect(g_steal_pointer(&e), COLLSIM_INPUT, "han says how HAN works, and no-han that it does not");
    collsim_request_free(r);
    collsim_platform_free(platform);
}

static void null_arguments(void)
{
    collsim_error *e = NULL;
    const int one = 1;
    const uint64_t eight = 8;
    const char *file = NULL;
    collsim_platform *platform = open_platform("generic-100g");
    collsim_request *r = collsim_request_new(platform, "bcast", NULL);
    no_object(collsim_platform_open(NULL, &e), &e);
    no_object(collsim_platform_parse("x", NULL, 1, &e), &e);
    no_object(collsim_platform_parse(NULL, "x", 1, &e), &e);
    no_code(collsim_platform_set(NULL, "alpha=1us", &e), &e);
    no_code(collsim_platform_set(platform, NULL, &e), &e);
    no_object(collsim_platform_text(NULL, &e), &e);
    no_object(collsim_request_new(NULL, "bcast", &e), &e);
    no_object(collsim_request_new(platform, NULL, &e), &e);
    no_code(collsim_request_ranks(NULL, &one, 1, &e), &e);
    no_code(collsim_request_ranks(r, NULL, 1, &e), &e);
    no_code(collsim_request_ranks_list(NULL, "8", &e), &e);
    no_code(collsim_request_ranks_list(r, NULL, &e), &e);
    no_code(collsim_request_sizes_list(NULL, "8", &e), &e);
    no_code(collsim_request_sizes_list(r, NULL, &e), &e);
    no_code(collsim_request_sizes(NULL, &eight, 1, &e), &e);
    no_code(collsim_request_sizes(r, NULL, 1, &e), &e);
    no_code(collsim_request_algorithms(NULL, "all", &e), &e);
    no_code(collsim_request_algorithms(r, NULL, &e), &e);
    no_code(collsim_request_option(NULL, "root", "1", &e), &e);
    no_code(collsim_request_option(r, NULL, "1", &e), &e);
    no_object(collsim_predict(NULL, &e), &e);
    no_object(collsim_rank(NULL, &e), &e);
    no_object(collsim_best(NULL, 1, &e), &e);
    no_object(collsim_decide(NULL, "ompi", &e), &e);
    no_object(collsim_decide(r, NULL, &e), &e);
    no_object(collsim_calibrate(NULL, &file, 1, NULL, "x", &e), &e);
    no_object(collsim_calibrate("hockney", &file, 1, NULL, "x", &e), &e);
    no_object(collsim_calibrate("hockney", NULL, 1, NULL, "x", &e), &e);
    no_object(collsim_calibrate("hockney", &file, 1, NULL, NULL, &e), &e);
    g_assert_null(collsim_predict(r, NULL)); // nobody wants to know why
    collsim_request_free(r);
    collsim_platform_free(platform);
}

static void null_objects(void)
{
    g_assert_cmpuint(collsim_runs_count(NULL) + collsim_decisions_count(NULL) + collsim_algorithm_count(NULL), ==, 0);
    g_assert_null(collsim_runs_at(NULL, 0));
    g_assert_null(collsim_runs_note(NULL, 0));
    g_assert_null(collsim_decisions_at(NULL, 0));
    g_assert_null(collsim_platform_name(NULL));
    g_assert_null(collsim_collective_name(SIZE_MAX));
    g_assert_null(collsim_algorithm_name("bcast", SIZE_MAX));
    g_assert_null(collsim_algorithm_name(NULL, 0));
    g_assert_cmpint(collsim_error_code(NULL), ==, COLLSIM_OK);
    g_assert_cmpstr(collsim_error_message(NULL), ==, "");
    collsim_runs_free(NULL);
    collsim_decisions_free(NULL);
    collsim_platform_free(NULL);
    collsim_error_free(NULL);
    collsim_request_free(NULL);
    collsim_free(NULL);
}

// An option, and a part of the message with which a run refuses it.
static const struct {
    const char *name, *value, *part;
} refused[] = {
    {"root", "-1", "allowed: 0 .. p-1"},
    {"root", "13", "allowed: 0 .. p-1"},
    {"element", "0", "allowed: 1 .. 1073741824"},
    {"element", "99999999999999999999", "allowed: 1 .. "},
    {"element", "3", "whole elements"},
    {"per-node", "0", "allowed: 1 .. "},
    {"map", "block:0", "allowed: "},
    {"map", "/nowhere", "/nowhere"},
    {"counts", "linear", "allowed: with a v-collective"},
    {"model", "hockny", "did you mean hockney?"},
    {"transfer", "fast", "allowed: "},
    {"param", "segment", "allowed: "},
    {"param", "segment=-1", "allowed: "},
    {"only", "mvapich", "allowed: "},
    {"han", "", "han ''; allowed: segsize=BYTES"},
    {"han", "segsize=0", "han 'segsize=0'; allowed: segsize=BYTES"},
    {"non-commutative", "yes", "allowed: with a reduction"},
};

static void absurd_options(void)
{
    collsim_error *error = NULL;
    collsim_platform *platform = open_platform("generic-100g");
    for (size_t i = 0; i < G_N_ELEMENTS(refused); i++) {
        collsim_request *r = ask(platform, "bcast", "chain");
        g_assert_cmpint(collsim_request_option(r, refused[i].name, refused[i].value, NULL), ==, COLLSIM_OK);
        g_test_message("%s %s", refused[i].name, refused[i].value);
        g_assert_null(collsim_predict(r, &error));
        expect(g_steal_pointer(&error), COLLSIM_INPUT, refused[i].part);
        g_assert_cmpint(collsim_request_option(r, refused[i].name, NULL, NULL), ==, COLLSIM_OK);
        collsim_runs *runs = collsim_predict(r, NULL);
        g_assert_cmpuint(collsim_runs_count(runs), ==, 4);
        collsim_runs_free(runs);
        collsim_request_free(r);
    }
    collsim_platform_free(platform);
}

static void bad_code(int code, collsim_error **error, const char *part)
{
    g_assert_cmpint(code, ==, COLLSIM_INPUT);
    expect(g_steal_pointer(error), COLLSIM_INPUT, part);
}

static void bad_object(const void *object, collsim_error **error, const char *part)
{
    g_assert_null(object);
    expect(g_steal_pointer(error), COLLSIM_INPUT, part);
}

static void absurd_numbers(void)
{
    collsim_error *e = NULL;
    collsim_platform *platform = open_platform("generic-100g");
    collsim_request *r = ask(platform, "allreduce", "ring");
    const int ranks[] = {8, -8};
    const uint64_t large = UINT64_MAX, many = (uint64_t)1 << 40;
    const char *file = "x";
    bad_code(collsim_request_ranks(r, ranks, 2, &e), &e, "ranks[1] is -8; allowed: 1 .. 134217728");
    bad_code(collsim_request_ranks(r, ranks, 0, &e), &e, "ranks has 0 values; allowed: 1 .. 10000");
    bad_code(collsim_request_ranks(r, ranks, SIZE_MAX, &e), &e, "allowed: 1 .. 10000");
    bad_code(collsim_request_sizes(r, &large, 1, &e), &e, "bytes[0] is 18446744073709551615; allowed: 0 .. ");
    bad_code(collsim_request_ranks_list(r, "", &e), &e, "allowed: ");
    bad_code(collsim_request_ranks_list(r, "8,-8", &e), &e, "allowed: ");
    bad_code(collsim_request_ranks_list(r, "8x", &e), &e, "is not NxK; allowed: ");
    bad_code(collsim_request_ranks_list(r, "1x1..20000", &e), &e, "allowed: ");
    bad_code(collsim_request_sizes_list(r, "8x8", &e), &e, "allowed: ");
    bad_code(collsim_request_sizes_list(r, "\xff", &e), &e, "allowed: UTF-8");
    bad_code(collsim_request_algorithms(r, "rng", &e), &e, "did you mean ring?");
    bad_code(collsim_request_algorithms(r, "", &e), &e, "allowed: ");
    bad_code(collsim_request_algorithms(r, "\xff", &e), &e, "allowed: UTF-8");
    bad_code(collsim_request_option(r, "rot", "1", &e), &e, "did you mean root?");
    bad_code(collsim_request_option(r, "full", "maybe", &e), &e, "allowed: ");
    bad_object(collsim_best(r, 0, &e), &e, "allowed: 1 .. 1000");
    bad_object(collsim_best(r, INT_MIN, &e), &e, "allowed: 1 .. 1000");
    bad_object(collsim_best(r, INT_MAX, &e), &e, "allowed: 1 .. 1000");
    bad_object(collsim_decide(r, "mvapich", &e), &e, "allowed: ");
    bad_object(collsim_platform_parse("x", "", SIZE_MAX, &e), &e, "allowed: at most 65536");
    bad_object(collsim_calibrate("hockney", &file, SIZE_MAX, NULL, "x", &e), &e, "allowed: 1 .. 1000");
    collsim_request_free(r);
    r = ask(platform, "bcast", "pipeline");
    collsim_request_sizes(r, &many, 1, NULL);
    collsim_request_option(r, "param", "segment=1", NULL);
    g_assert_null(collsim_predict(r, &e));
    expect(g_steal_pointer(&e), COLLSIM_TOO_MUCH, "allowed: ");
    collsim_request_free(r);
    collsim_platform_free(platform);
}

// ---- Calibration ----------------------------------------------------------------------------------------------------

static void calibrate_base(void)
{
    static const char text[] =
        "[levels]\nnode = 4 ranks\n[hockney]\nalpha = 9us\nalpha.source = old\nbeta = 7ns/B\n"
        "beta.source = old\ngamma = 0.3ns/B\ngamma.source = old\n[measured]\none = 8:5us 64:6us\n"
        "one.source = old\n[node]\nnic.rate = 20GB/s\nnic.rate.source = old\n";
    static const char log[] = "bytes,time_us\n1,0.3001\n1024,0.4024\n4096,0.7096\n65536,6.8536\n";
    g_autofree char *file = NULL;
    const int fd = g_file_open_tmp("collsim-XXXXXX", &file, NULL);
    g_assert_cmpint(fd, >=, 0);
    g_close(fd, NULL);
    g_assert_true(g_file_set_contents(file, log, -1, NULL));
    g_autofree char *label = g_strdup_printf("one@node=pingpong=%s", file);
    const char *const files[] = {label};
    collsim_error *error = NULL;
    collsim_platform *base = collsim_platform_parse("base", text, strlen(text), NULL);
    collsim_platform *new = collsim_calibrate("hockney", files, 1, base, "new", &error);
    g_assert_cmpstr(collsim_error_message(error), ==, "");
    char *written = collsim_platform_text(new, NULL);
    static const char *const kept[] = {
        "node = 4 ranks",  "alpha.node = 300ns", "alpha = 9us",        "beta.node = 0.1ns/B", "beta = 7ns/B",
        "gamma = 0.3ns/B", "alpha.source = old", "one = 8:5us 64:6us", "model = hockney",     "nic.rate = 20GB/s"};
    for (size_t i = 0; i < G_N_ELEMENTS(kept); i++)
        g_assert_nonnull(strstr(written, kept[i]));
    g_remove(file);
    collsim_free(written);
    collsim_platform_free(new);
    collsim_platform_free(base);
}

// ---- Threads --------------------------------------------------------------------------------------------------------

// Returns everything that some calls on a platform say, as text; free with g_free.
static gpointer say(gpointer name)
{
    GString *text = g_string_new(NULL);
    collsim_platform *platform = open_platform(name);
    collsim_request *r = ask(platform, "allreduce", "all");
    collsim_request_ranks(r, (const int[]){9}, 1, NULL);
    collsim_request_sizes(r, (const uint64_t[]){65536}, 1, NULL);
    collsim_request_option(r, "element", "8", NULL);
    collsim_runs *list[] = {collsim_rank(r, NULL), collsim_best(r, 3, NULL)};
    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; i < collsim_runs_count(list[k]); i++) {
            const collsim_run *run = collsim_runs_at(list[k], i);
            g_string_append_printf(text, "%s %s %d %a %s %s\n", run->algorithm, run->params, run->place, run->time_s,
                                   run->certificate ? run->certificate : "", run->why ? run->why : "");
        }
        collsim_runs_free(list[k]);
    }
    collsim_decisions *decisions = collsim_decide(r, "mpich-4.0", NULL);
    for (size_t i = 0; i < collsim_decisions_count(decisions); i++)
        g_string_append_printf(text, "%s\n", collsim_decisions_at(decisions, i)->text);
    collsim_decisions_free(decisions);
    collsim_request_free(r);
    collsim_platform_free(platform);
    return g_string_free(text, FALSE);
}

static void threads(void)
{
    static const char *const names[] = {"lumi", "generic-100g", "leonardo", "alps"};
    enum { N = 8 };
    GThread *thread[N];
    char *alone[G_N_ELEMENTS(names)];
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        alone[i] = say((gpointer)(uintptr_t)names[i]);
    for (int i = 0; i < N; i++)
        thread[i] = g_thread_new("say", say, (gpointer)(uintptr_t)names[i % G_N_ELEMENTS(names)]);
    for (int i = 0; i < N; i++) {
        g_autofree char *text = g_thread_join(thread[i]);
        g_assert_cmpstr(text, ==, alone[i % G_N_ELEMENTS(names)]);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        g_free(alone[i]);
}

static gpointer predict_all(gpointer request)
{
    collsim_error *e = NULL;
    collsim_runs *runs = collsim_predict(request, &e);
    g_assert_null(runs);
    return e;
}

// A request that is stopped runs no further point: before a call, and from another thread during one, whose list would take
// minutes.
static void stops(void)
{
    collsim_platform *platform = open_platform("lumi");
    for (int during = 0; during < 2; during++) {
        collsim_error *e = NULL;
        collsim_request *r = ask(platform, "allreduce", "all");
        g_assert_cmpint(collsim_request_ranks_list(r, "4001..4200", &e), ==, COLLSIM_OK);
        if (!during)
            collsim_request_stop(r);
        GThread *thread = g_thread_new("predict", predict_all, r);
        if (during)
            collsim_request_stop(r);
        expect(g_thread_join(thread), COLLSIM_STOPPED, "stopped; allowed: to ask again");
        g_assert_null(collsim_best(r, 1, &e));
        expect(g_steal_pointer(&e), COLLSIM_STOPPED, "stopped");
        collsim_request_free(r);
    }
    collsim_request *r = ask(platform, "allreduce", "ring"); // another request is not affected
    collsim_runs *runs = collsim_predict(r, NULL);
    g_assert_cmpuint(collsim_runs_count(runs), >, 0);
    collsim_runs_free(runs);
    collsim_request_stop(NULL);
    collsim_request_free(r);
    collsim_platform_free(platform);
}

// ---- Memory ---------------------------------------------------------------------------------------------------------

static gboolean exhaust(gpointer bytes, gpointer unused, GError **error)
{
    (void)unused;
    if (!budget_take(BUDGET_FREE, "x", 1, error))
        return FALSE;
    budget_exhausted(*(const uint64_t *)bytes);
}

static void memory(void)
{
    uint64_t bytes = 12345;
    for (int i = 0; i < 2; i++) { // the second time would wait forever if the first one had kept its part of the budget
        GError *error = NULL;
        g_assert_false(budget_try(exhaust, &bytes, NULL, &error));
        g_assert_error(error, COLLSIM_ERROR, COLLSIM_ERROR_TOO_MUCH);
        g_assert_nonnull(strstr(error->message, "12345 bytes more"));
        g_error_free(error);
    }
}

static void add_tests(void)
{
    g_test_add_func("/library/predict", predict);
    g_test_add_func("/library/fields", fields);
    g_test_add_func("/library/further-terms", further_terms);
    g_test_add_func("/library/lists", lists);
    g_test_add_func("/library/rank", rank);
    g_test_add_func("/library/search", search);
    g_test_add_func("/library/decide", decide);
    g_test_add_func("/library/han", han);
    g_test_add_func("/library/null-arguments", null_arguments);
    g_test_add_func("/library/null-objects", null_objects);
    g_test_add_func("/library/absurd-options", absurd_options);
    g_test_add_func("/library/absurd-numbers", absurd_numbers);
    g_test_add_func("/library/calibrate-base", calibrate_base);
    g_test_add_func("/library/threads", threads);
    g_test_add_func("/library/stops", stops);
    g_test_add_func("/library/memory", memory);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}

#include "answer/advice/tune_answer.h"
#include "base/distinct.h"
#include "base/escape.h"
#include "answer/report/report.h"
#include "base/error.h"
#include "base/units.h"
#include "base/version.h"
#include "answer/advice/tune_family.h"
#include "out/note.h"
#include "engine/schedule/parse.h"
#include "advice/tune/setting.h"
#include "advice/tune/tune_header.h"
#include "advice/tune/verify.h"
#include "libraries/decide/decide_ways.h"
#include "libraries/decide/rules_call.h"
#include <string.h>

static const TuneFamily *family_of(const Request *r)
{
    return tune_family(r->library.only->library);
}

void tune_answer_notes(const Request *r, GPtrArray *lines)
{
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    request_unknowns(r, notes);
    for (guint i = 0; i < notes->len; i++)
        tune_line(lines, "NOTE: %s.", (char *)notes->pdata[i]);
    for (guint i = 0; r->left_out && i < r->left_out->len; i++)
        tune_line(lines, "Left out: %s.", (const char *)r->left_out->pdata[i]);
    for (guint i = 0; r->of_default && i < r->of_default->len; i++)
        tune_line(lines, "NOTE: %s.", (const char *)r->of_default->pdata[i]);
}

// Adds a line that says where the rules come from.
static void add_grid(GPtrArray *lines, const TuneAnswer *x)
{
    const RequestOptions *o = x->options;
    g_autofree char *machine = report_machine_text(x->request);
    tune_line(lines, "for p %s and sizes %s%s.", o->ranks ? o->ranks : ASK_LIBRARY_RANKS,
              o->sizes ? o->sizes : ASK_LIBRARY_SIZES, machine);
    tune_answer_notes(x->request, lines);
}

// Returns the lines of a header's comment (char *). Free with g_ptr_array_unref.
static GPtrArray *about_lines(const TuneAnswer *x)
{
    const Request *r = x->request;
    GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
    tune_line(lines, "Which algorithm of %s to run, as collsim %s tune has found", r->library.only->library->title,
              COLLSIM_VERSION);
    add_grid(lines, x);
    tune_line(lines, "%s", "");
    tune_line(lines,
              "Where the size is asked, the algorithm is, at each point of this grid, %g %% sure to be faster than",
              x->sure);
    tune_line(lines,
              "the default, and takes at most %g %% more time than the best of those that the library can be told",
              100 * x->within);
    tune_line(lines,
              "to run. The rules of a number of ranks serve those up to the next one of the grid, and the rule of");
    tune_line(lines, "a size the sizes up to the next rule's. Above the rules of a collective are the times of the");
    tune_line(lines,
              "default and of the rules, divided by the best, and in brackets by the best of what is sure: geometric");
    tune_line(lines, "means over the grid, and the worst.");
    family_of(r)->header_holds(lines, r);
    return lines;
}

void tune_pair_clear(TunePair *pair)
{
    g_free(pair->algorithms);
    g_free(pair->first);
    g_free(pair->load);
}

// What pair_settings() collects: each variable in this form.
typedef struct PairSettings {
    GStrvBuilder *words;
    const char *form;
} PairSettings;

static void add_setting(gpointer settings, const char *name, const char *value)
{
    const PairSettings *x = settings;
    g_autofree char *word = escape_shell(value), *text = g_strdup_printf(x->form, name, word);
    g_strv_builder_add(x->words, text);
}

// Returns what loads a pair, its variables in a form, joined by a separator. Free with g_free.
static char *pair_settings(const TuneAnswer *x, const GPtrArray *tunes, const char *folder, const char *form,
                           const char *separator)
{
    const TunePairNames names = tune_family_pair(x->request->library.only->library);
    g_autofree char *all = g_canonicalize_filename(folder, NULL), *first = g_build_filename(all, names.first, NULL),
                    *second = g_build_filename(all, names.algorithms, NULL);
    g_autoptr(GStrvBuilder) words = g_strv_builder_new();
    PairSettings settings = {words, form};
    family_of(x->request)->pair_variables(x->request, tunes, first, second, add_setting, &settings);
    g_auto(GStrv) each = g_strv_builder_end(words);
    return g_strjoinv(separator, each);
}

// Returns a command that starts a program with a pair. Free with g_free.
static char *pair_command(const TuneAnswer *x, const GPtrArray *tunes, const char *folder)
{
    const TuneFamily *family = family_of(x->request);
    g_autofree char *words = pair_settings(x, tunes, folder, family->setting, " ");
    return g_strdup_printf(family->run, words);
}

gboolean tune_answer_is_pair(const Request *r)
{
    const TuneFamily *family = family_of(r);
    gboolean nodes = FALSE; // several of them, with several ranks
    for (guint i = 0; i < r->question.ranks->len; i++) {
        const int per_node = request_per_node(r, i), p = (int)g_array_index(r->question.ranks, size_t, i);
        nodes |= per_node > 1 && per_node < p;
    }
    return nodes && family->decides_first && family->decides_first(&r->library);
}

void tune_answer_ask(Request *r, gboolean header, gboolean any_operation)
{
    const TuneFamily *family = family_of(r);
    RequestLibrary *lib = &r->library;
    lib->by_file = TRUE;
    lib->any_operation = any_operation;
    lib->pair = !header && tune_answer_is_pair(r);
    lib->no_compositions = !lib->pair;
    lib->no_han = !lib->pair && (lib->no_han || (family->alone && family->decides_first(lib) &&
                                                 request_several_nodes(r))); // a file acts on what HAN leaves
}

char *tune_answer_load(const RequestLibrary *lib, const char *file)
{
    g_autofree char *load = tune_family(lib->only->library)->load(lib, file);
    return g_strdup_printf(tune_family(lib->only->library)->run, load);
}

char *tune_answer_most(const Tune *tune, const Platform *platform, double percent)
{
    const TunePlace *most = tune_most(tune);
    if (!most)
        return NULL;
    const Sure sure = tune_sure(most, platform);
    g_autofree char *size = units_format_size(most->m), *text = report_sure_text(&sure, percent);
    return tune->collective == COLL_BARRIER ? g_strdup_printf("%d ranks: %s", most->p, text)
                                            : g_strdup_printf("%s bytes on %d ranks: %s", size, most->p, text);
}

// Returns whose calls rules are for: "bcast", "bcast in a node" or "bcast between nodes". Free with g_free.
static char *calls_text(const Tune *tune)
{
    static const char *const parts[] = {
        [TUNE_CALLS] = "", [TUNE_IN_NODES] = " in a node", [TUNE_BETWEEN_NODES] = " between nodes"};
    return g_strconcat(collectives[tune->collective].name, parts[tune->part], NULL);
}

// Returns the lines of the file's comment (char *). Free with g_ptr_array_unref.
static GPtrArray *header_lines(const TuneAnswer *x, const GPtrArray *tunes, const char *folder)
{
    const Request *r = x->request;
    GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
    const TuneFamily *family = family_of(r);
    g_auto(GStrv) limits = g_strsplit(family->limits[folder != NULL], "\n", -1);
    tune_line(lines, "Rules for %s, made by collsim %s tune", r->library.only->library->title, COLLSIM_VERSION);
    add_grid(lines, x);
    if (folder) {
        const TunePairNames names = tune_family_pair(r->library.only->library);
        g_autofree char *command = pair_command(x, tunes, folder);
        tune_line(lines, "This is one of two files, %s for %s and %s for %s. Load both with", names.first,
                  names.for_first, names.algorithms, names.for_algorithms);
        tune_line(lines, "  %s", command);
    } else {
        family->add_load(lines, r);
    }
    for (char **line = limits; *line; line++)
        tune_line(lines, "%s", *line);
    tune_line(lines, "%s",
              family->operations         ? family->operations
              : r->library.any_operation ? "Its results are right for any operation."
                                         : "ONLY FOR COMMUTATIVE OPERATIONS: with others, some results are wrong.");
    tune_line(lines,
              "Expected times over those of the best that the library can be told to run: means over the grid. In");
    tune_line(lines,
              "brackets are those over the best of what is %g %% sure to be faster than the default, or over the",
              x->sure);
    tune_line(lines, "default where nothing is; at each point these rules are within %g %% of it.", 100 * x->within);
    int width = 20; // of the names, at least
    for (guint i = 0; i < tunes->len; i++) {
        g_autofree char *name = calls_text(tunes->pdata[i]);
        width = MAX(width, (int)strlen(name));
    }
    for (guint i = 0; i < tunes->len; i++) {
        const Tune *tune = tunes->pdata[i];
        if (tune->places->len == 0)
            continue;
        g_autofree char *name = calls_text(tune), *means = tune_means(tune),
                        *most = tune_answer_most(tune, r->machine.platform, x->sure),
                        *searched = contest_counts_text(&tune->searched, " settings");
        tune_line(lines, "  %-*s elements of %" G_GSIZE_FORMAT ": %s", width, name, tune->elem, means);
        if (most)
            tune_line(lines, "  %-*s most at %s", width, "", most);
        tune_line(lines, "  %-*s searched %s", width, "", searched);
    }
    return lines;
}

// Adds what the rules cost at n random calls to the lines.
static gboolean add_verified(GPtrArray *lines, const TuneAnswer *answer, const GPtrArray *tunes, guint n,
                             GError **error)
{
    enum { WORST = 5 };
    Request *r = answer->request;
    const double within = answer->within;
    g_autoptr(GPtrArray) none = g_ptr_array_new();
    const TuneFamily *family = family_of(r);
    g_autofree char *text = family->write(r, tunes, none, error),
                    *han_text = text && r->library.pair ? family->write_first(r, tunes, none, error) : NULL;
    if (!text || (r->library.pair && !han_text))
        return FALSE;
    const Library *library = r->library.only->library;
    g_autoptr(RulesFile) file = rules_parse(text, strlen(text), "rules", library, error),
                         han = han_text ? rules_parse(han_text, strlen(han_text), "han", library, error) : NULL;
    const RulesPair pair = {file, han};
    g_autoptr(GArray) which = g_array_new(FALSE, FALSE, sizeof(VerifyOf));
    for (guint i = 0; i < tunes->len; i++) {
        const Tune *tune = tunes->pdata[i];
        const VerifyOf of = {tune->collective, tune->elem, tune->segsize};
        if (tune->part == TUNE_CALLS)
            g_array_append_val(which, of);
    }
    g_autoptr(Verify) x = !file || (han_text && !han) ? NULL
                          : han ? verify_file(r, file, rules_pair_decision, &pair, which, n, error)
                                : verify_file(r, file, rules_decision, file, which, n, error);
    if (!x)
        return FALSE;
    g_autofree char *before = tune_ratio(x->mean_before);
    tune_line(lines, "At %u random calls off the grid: default %s, these rules %.3f; %.1f %% are above %g.",
              x->places->len, before, x->mean, 100 * verify_above(x, 1 + 2 * within), 1 + 2 * within);
    for (guint i = 0; i < MIN(x->places->len, WORST) && verify_x(&g_array_index(x->places, VerifyPlace, i)) > 1; i++) {
        const VerifyPlace *place = &g_array_index(x->places, VerifyPlace, i);
        g_autofree char *time = units_format_time(place->file_s), *best = units_format_time(place->best_s),
                        *size = units_format_size(place->m);
        tune_line(lines, "  x %.3f: %s on %d ranks, %s bytes: %s, %s; best %s, %s", verify_x(place),
                  collectives[place->collective].name, place->p, size, place->runs, time, place->best, best);
    }
    return TRUE;
}

// Tunes a collective, and adds it to `tunes`. Returns NULL and an error on bad input.
static const Tune *add_tune(const TuneAnswer *x, Collective collective, gboolean by_call, GPtrArray *tunes,
                            GError **error)
{
    return setting_add(x->request, collective, ask_library_element(x->options, collective), x->within, by_call, tunes,
                       error);
}

const Tune *tune_answer_add(const TuneAnswer *x, Collective collective, GPtrArray *tunes, GError **error)
{
    return add_tune(x, collective, FALSE, tunes, error);
}

// Marks the collectives that HAN's algorithms for the collective call within nodes.
static void mark_parts(const Request *r, Collective collective, gboolean marked[N_COLLECTIVES])
{
    const guint last = r->question.ranks->len - 1;
    DecideCall call = request_call(r, (int)g_array_index(r->question.ranks, size_t, last), request_per_node(r, last),
                                   r->question.elem, NULL);
    call.collective = collective;
    g_autoptr(GArray) ways = decide_ways(r->library.only, collective, &r->library.han);
    for (guint i = 0; i < ways->len; i++) {
        g_autoptr(Decision) d = decide_way(r->library.only, &call, &g_array_index(ways, DecideWay, i));
        for (int k = 0; d && k < algorithm_n_params(d->entry); k++)
            if (d->entry->params[k].within && tune_can(r->library.only, d->entry->params[k].of))
                marked[d->entry->params[k].of] = TRUE;
    }
}

// Returns the numbers of ranks of a node in the grid, each once (size_t). Returns NULL if there are none, or if rules
// for them could act on all ranks of a call.
static GArray *node_sizes(const Request *r)
{
    g_autoptr(GArray) sizes = g_array_new(FALSE, FALSE, sizeof(size_t));
    size_t most = 0, least = SIZE_MAX;
    for (guint i = 0; i < r->question.ranks->len; i++) {
        const size_t k = (size_t)request_per_node(r, i), p = g_array_index(r->question.ranks, size_t, i);
        if (k > 1 && k < p && !distinct_has_size(sizes, k))
            g_array_append_val(sizes, k);
        most = MAX(most, k);
        least = MIN(least, p);
    }
    return sizes->len && most < least && r->machine.map.kind != MAP_FILE ? g_steal_pointer(&sizes) : NULL;
}

gboolean tune_answer_nodes(const TuneAnswer *x, GPtrArray *tunes, GError **error)
{
    Request *r = x->request;
    gboolean marked[N_COLLECTIVES] = {FALSE}, good = TRUE;
    g_autoptr(GArray) sizes = r->library.pair && family_of(r)->first_leaves_nodes ? node_sizes(r) : NULL,
                      per_node = g_array_new(FALSE, FALSE, sizeof(int));
    for (int i = 0; i < N_COLLECTIVES && sizes; i++)
        if (x->chosen[i])
            mark_parts(r, (Collective)i, marked);
    for (guint i = 0; sizes && i < sizes->len; i++) {
        const int k = (int)g_array_index(sizes, size_t, i);
        g_array_append_val(per_node, k);
    }
    GArray *const all_ranks = r->question.ranks, *const all_per_node = r->question.per_node;
    if (!sizes)
        return TRUE;
    r->question.ranks = sizes;
    r->question.per_node = per_node;
    r->library.pair = FALSE; // HAN leaves one node to tuned
    for (int i = 0; i < N_COLLECTIVES && good; i++)
        if (marked[i] && !tune_calls_others(r->library.only, (Collective)i)) {
            Tune *tune =
                tune_compute(r, (Collective)i, ask_library_element(x->options, (Collective)i), x->within, FALSE, error);
            good = tune != NULL;
            if (!good)
                break;
            tune->part = TUNE_IN_NODES;
            g_ptr_array_add(tunes, tune);
        }
    r->library.pair = TRUE;
    r->question.ranks = all_ranks;
    r->question.per_node = all_per_node;
    return good;
}

// Tunes the collectives that are chosen, those whose algorithms call others after these. Returns NULL and an error on
// bad input. Free with g_ptr_array_unref.
static GPtrArray *tune_chosen(const TuneAnswer *x, const gboolean chosen[N_COLLECTIVES], gboolean by_call,
                              GError **error)
{
    const Tables *only = x->request->library.only;
    g_autoptr(GPtrArray) tunes = setting_new();
    if (!by_call && !tune_answer_nodes(x, tunes, error))
        return NULL;
    for (int calls = 0; calls <= 1; calls++)
        for (int i = 0; i < N_COLLECTIVES; i++)
            if (chosen[i] && tune_can(only, (Collective)i) && tune_calls_others(only, (Collective)i) == calls &&
                !add_tune(x, (Collective)i, by_call, tunes, error))
                return NULL;
    return g_steal_pointer(&tunes);
}

char *tune_answer_header(const TuneAnswer *x, const char *prefix, GError **error)
{
    Request *r = x->request;
    gboolean again[N_COLLECTIVES];
    for (int i = 0; i < N_COLLECTIVES; i++)
        again[i] = x->chosen[i] && collectives[i].reduces;
    r->question.ordered = TRUE;
    g_autoptr(GPtrArray) any = tune_chosen(x, x->chosen, TRUE, error), commuting = NULL;
    r->library.any_operation = r->question.ordered = FALSE;
    if (!any || !(commuting = tune_chosen(x, again, TRUE, error)))
        return NULL;
    if (any->len == 0) {
        bad_input(error,
                  "%s cannot be told what to run for this collective, so a header would be empty; allowed: others, "
                  "such as bcast",
                  r->library.only->library->name);
        return NULL;
    }
    g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(TuneHeaderPart));
    g_autoptr(GPtrArray) about = about_lines(x);
    for (guint i = 0, k = 0; i < any->len; i++) {
        TuneHeaderPart part = {any->pdata[i], NULL};
        if (again[part.any->collective])
            part.commuting = commuting->pdata[k++];
        g_array_append_val(parts, part);
    }
    return tune_header(r->library.only, parts, prefix, about, error);
}

char *tune_answer_text(const TuneAnswer *x, const GPtrArray *tunes, GError **error)
{
    g_autoptr(GPtrArray) lines = header_lines(x, tunes, NULL);
    return family_of(x->request)->write(x->request, tunes, lines, error);
}

void tune_answer_note(const Library *library, const GPtrArray *lines)
{
    for (guint i = 0; i < lines->len && !tune_has_comments(library); i++)
        if (!g_str_has_prefix(lines->pdata[i], "NOTE: ")) // these are noted for every library
            note_line(lines->pdata[i]);
}

// Notes the collectives of a file for main that Open MPI's own schema lacks or calls otherwise than its reader.
static void note_schema(const Library *library, const GPtrArray *tunes)
{
    static const char *const lacking[] = {"allgatherv", "reduce_scatter", "reduce_scatter_block", NULL};
    g_autoptr(GString) names = g_string_new("");
    for (guint i = 0; i < tunes->len && library->id == LIBRARY_OMPI_MAIN; i++) {
        const Tune *tune = tunes->pdata[i];
        const char *name = collectives[tune->collective].name;
        if (tune->rules->len > 0 && g_strv_contains(lacking, name))
            g_string_append_printf(names, "%s%s", names->len ? ", " : "", name);
    }
    if (names->len > 0)
        note("Open MPI reads %s, which its schema of rules files lacks: a validator refuses this file", names->str);
}

// Finds the rules, and returns the lines of the comment that goes with them, which says what `verify` random calls
// cost. `folder` is that of a pair, or NULL. Notes what the library's file has no place for. Returns NULL and an error
// on bad input; both results are freed with g_ptr_array_unref.
static GPtrArray *find_rules(const TuneAnswer *x, guint verify, const char *folder, GPtrArray **tunes, GError **error)
{
    g_autoptr(GPtrArray) lines = NULL;
    const Library *library = x->request->library.only->library;
    if (!(*tunes = tune_chosen(x, x->chosen, FALSE, error)))
        return NULL;
    lines = header_lines(x, *tunes, folder);
    if (verify > 0 && !add_verified(lines, x, *tunes, verify, error))
        return NULL;
    tune_answer_note(library, lines);
    note_schema(library, *tunes);
    return g_steal_pointer(&lines);
}

char *tune_answer_file(const TuneAnswer *x, guint verify, GError **error)
{
    g_autoptr(GPtrArray) tunes = NULL, lines = find_rules(x, verify, NULL, &tunes, error);
    return lines ? family_of(x->request)->write(x->request, tunes, lines, error) : NULL;
}

static gboolean pair_texts(const TuneAnswer *x, const GPtrArray *tunes, const char *folder, const GPtrArray *lines,
                           TunePair *pair, GError **error)
{
    const TuneFamily *family = family_of(x->request);
    g_autofree char *command = pair_command(x, tunes, folder),
                    *exports = pair_settings(x, tunes, folder, family->export, "\n");
    pair->load = g_strdup_printf("%s\n\n%s\n", command, exports);
    pair->first = family->write_first(x->request, tunes, lines, error);
    pair->algorithms = pair->first ? family->write(x->request, tunes, lines, error) : NULL;
    return pair->algorithms != NULL;
}

gboolean tune_answer_texts(const TuneAnswer *x, const GPtrArray *tunes, const char *folder, TunePair *pair,
                           GError **error)
{
    g_autoptr(GPtrArray) lines = header_lines(x, tunes, folder);
    return pair_texts(x, tunes, folder, lines, pair, error);
}

gboolean tune_answer_pair(const TuneAnswer *x, guint verify, const char *folder, TunePair *pair, GError **error)
{
    g_autoptr(GPtrArray) tunes = NULL, lines = find_rules(x, verify, folder, &tunes, error);
    return lines && pair_texts(x, tunes, folder, lines, pair, error);
}

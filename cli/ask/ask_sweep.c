#include "ask/ask_sweep.h"
#include "ask/ask.h"
#include "ask/ask_hash.h"
#include "ask/machines.h"
#include "ask/once.h"
#include "ask/plugins.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/number.h"
#include "engine/plugin/plugin.h"
#include "engine/schedule/parse.h"
#include <string.h>

// What a block of the grid needs as long as it is there.
typedef struct AskedBlock {
    Request request;
    char **sets, **params;
} AskedBlock;

// The state of making a grid.
typedef struct Maker {
    const SweepSpec *spec;
    AskedSweep *sweep;
    gboolean several;     // collectives: an algorithm need not exist in each of them
    GHashTable *found;    // names of algorithms that some collective has
    GHashTable *missing;  // the others, with what is wrong with them
    gboolean transferred; // some model had a choice of transfers
    GChecksum *sum;
} Maker;

static void asked_block_free(gpointer data)
{
    AskedBlock *x = data;
    request_clear(&x->request);
    g_strfreev(x->sets);
    g_strfreev(x->params);
    g_free(x);
}

void asked_sweep_clear(AskedSweep *x)
{
    g_clear_pointer(&x->grid, sweep_grid_free); // before what it points into
    g_clear_pointer(&x->blocks, g_ptr_array_unref);
    g_clear_pointer(&x->hash, g_free);
}

// ---- Roots ----------------------------------------------------------------------------------------------------------

// Returns the roots of a collective; NULL and an error on bad input. Free with g_array_unref.
static GArray *read_roots(const char *text, Collective collective, gboolean several, GError **error)
{
    g_autoptr(GArray) roots = g_array_new(FALSE, FALSE, sizeof(int));
    g_auto(GStrv) words = machines_split(text && collectives[collective].rooted ? text : "0");
    if (text && !collectives[collective].rooted && !several) {
        bad_input(error, "--root: %s has no root; allowed: with a collective that has one, such as bcast",
                  collectives[collective].name);
        return NULL;
    }
    for (char **word = words; *word; word++) {
        int root = -1;
        if (strcmp(*word, "all") != 0 && !number_int(*word, 0, LIMIT_RANKS - 1, &root)) {
            g_autofree char *shown = error_quote(*word);
            bad_input(error, "--root %s; allowed: 0 .. p-1, or all, joined by commas", shown);
            return NULL;
        }
        g_array_append_val(roots, root);
    }
    return g_steal_pointer(&roots);
}

// ---- Algorithms -----------------------------------------------------------------------------------------------------

static const char tuned_prefix[] = "tuned:";

// What the names of a specification stand for in one collective.
typedef struct Names {
    gboolean all, tuned_all, best;
    guint plain;      // how many algorithms of the request were named without `tuned:`
    GPtrArray *tuned; // of const CollAlgorithm *
} Names;

// Adds a name; `tuned` says that it had the prefix `tuned:`, which is cut off. The algorithms that run with given
// parameters are added to the request.
static gboolean add_one(Request *r, const char *of, gboolean tuned, Names *names, GError **error)
{
    if (!tuned && strcmp(of, "best") == 0)
        return names->best = TRUE;
    if (strcmp(of, "all") == 0)
        return *(tuned ? &names->tuned_all : &names->all) = TRUE;
    if (!tuned)
        return request_name_algorithm(r, of, error);
    const CollAlgorithm *a = algorithm_parse(r->question.collective, of, error);
    if (a && !g_ptr_array_find(names->tuned, a, NULL))
        g_ptr_array_add(names->tuned, (gpointer)(uintptr_t)a);
    return a != NULL;
}

// Loads the files among the names, before a collective that such a file has no algorithm of can leave its name out.
static gboolean load_files(const SweepSpec *spec, GError **error)
{
    g_auto(GStrv) words = machines_split(spec->text[SWEEP_ALGORITHM]);
    for (char **word = words; *word; word++) {
        const char *of = g_str_has_prefix(*word, tuned_prefix) ? *word + strlen(tuned_prefix) : *word;
        if (algorithm_is_file(of) && !plugin_load(of, error))
            return FALSE;
    }
    return TRUE;
}

// Adds a name of the specification, or the algorithms of a file.
static gboolean add_name(Request *r, const char *name, Names *names, GError **error)
{
    const gboolean tuned = g_str_has_prefix(name, tuned_prefix);
    g_autofree char *list = ask_plugins(tuned ? name + strlen(tuned_prefix) : name, r, error);
    g_auto(GStrv) of = list ? g_strsplit(list, ",", -1) : NULL;
    for (char **one = of; one && *one; one++)
        if (!add_one(r, *one, tuned, names, error))
            return FALSE;
    return list != NULL;
}

// Adds all names. With several collectives, one that this collective does not have is left out, and must be found in
// another one.
static gboolean add_names(Maker *maker, Request *r, Names *names, GError **error)
{
    g_auto(GStrv) words = machines_split(maker->spec->text[SWEEP_ALGORITHM]);
    for (char **word = words; *word; word++) {
        g_autoptr(GError) wrong = NULL;
        if (add_name(r, *word, names, &wrong)) {
            g_hash_table_add(maker->found, g_strdup(*word));
        } else if (maker->several) {
            g_hash_table_replace(maker->missing, g_strdup(*word), g_strdup(wrong->message));
        } else {
            g_propagate_error(error, g_steal_pointer(&wrong));
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean check_names(const Maker *maker, GError **error)
{
    GHashTableIter iter;
    gpointer name, wrong;
    g_hash_table_iter_init(&iter, maker->missing);
    while (g_hash_table_iter_next(&iter, &name, &wrong))
        if (!g_hash_table_contains(maker->found, name))
            return bad_input(error, "%s", (const char *)wrong);
    return TRUE;
}

// ---- Blocks ---------------------------------------------------------------------------------------------------------

// Fills in a request for a collective on a machine. The names are NULL for a search, which has its algorithms already.
static gboolean fill_request(Maker *maker, const RequestOptions *o, Collective collective, Names *names, Request *r,
                             GError **error)
{
    r->question.collective = collective;
    if (names && !add_names(maker, r, names, error))
        return FALSE;
    if (names)
        names->plain = r->question.named ? r->question.named->len : 0;
    for (guint i = 0; names && !r->question.named && !names->all && i < names->tuned->len; i++)
        question_add(&r->question, names->tuned->pdata[i]); // which decide the model
    return ask_points(o, r, error) && ask_machine(o, r, error) && request_check_map(r, error);
}

static void append_choice(GArray *choices, const CollAlgorithm *a, const CollParams *asked)
{
    const SweepChoice x = {.algorithm = a, .asked = *asked};
    g_array_append_val(choices, x);
}

static gboolean add_variants(GArray *choices, const Question *q, const CollAlgorithm *a, GError **error)
{
    g_autoptr(GArray) variants = question_variants(q, a, NULL, error);
    for (guint i = 0; variants && i < variants->len; i++)
        append_choice(choices, a, &g_array_index(variants, CollParams, i));
    return variants != NULL;
}

// Adds the search among the parameters of an algorithm, or among all algorithms if `a` is NULL.
static gboolean add_search(Maker *maker, const RequestOptions *o, const Request *r, const CollAlgorithm *a,
                           GArray *choices, GError **error)
{
    AskedBlock *kept = g_new0(AskedBlock, 1); // of its texts
    SweepChoice x = {.search = g_new0(Request, 1),
                     .name = a ? g_strconcat(tuned_prefix, a->name, NULL) : g_strdup("best")};
    RequestOptions own = *o;
    own.params = NULL;
    own.model = (char *)(uintptr_t)r->machine.model->name;
    own.transfer = r->machine.model->transfers ? (char *)(uintptr_t)transfer_names[r->machine.options.transfer] : NULL;
    own.sets = kept->sets = g_strdupv(o->sets);
    g_ptr_array_add(maker->sweep->blocks, kept);
    if (a)
        question_add(&x.search->question, a);
    g_array_append_val(choices, x);
    return fill_request(maker, &own, r->question.collective, NULL, x.search, error);
}

static gboolean timed(const Request *r, const CollAlgorithm *a)
{
    return a->collective == r->question.collective && a->shared == r->machine.model->shared;
}

// Makes the choices of a block, in the order: all, other names, tuned algorithms, the best one.
static gboolean make_choices(Maker *maker, const RequestOptions *o, Request *r, const Names *names, GArray *choices,
                             GError **error)
{
    g_autoptr(GPtrArray) plain = g_ptr_array_new();
    for (int i = 0; names->all && i < n_algorithms; i++)
        if (timed(r, algorithms[i]))
            g_ptr_array_add(plain, (gpointer)(uintptr_t)algorithms[i]);
    for (guint i = 0; i < names->plain; i++)
        if (!g_ptr_array_find(plain, r->question.named->pdata[i], NULL))
            g_ptr_array_add(plain, r->question.named->pdata[i]);
    for (guint i = 0; i < plain->len; i++)
        question_add(&r->question, plain->pdata[i]);
    if (plain->len > 0 && !request_check_params(r, error))
        return FALSE;
    for (guint i = 0; i < plain->len; i++)
        if (!add_variants(choices, &r->question, plain->pdata[i], error))
            return FALSE;
    for (int i = 0; i < n_algorithms; i++)
        if ((names->tuned_all ? timed(r, algorithms[i]) : g_ptr_array_find(names->tuned, algorithms[i], NULL)) &&
            !add_search(maker, o, r, algorithms[i], choices, error))
            return FALSE;
    return (!names->best || add_search(maker, o, r, NULL, choices, error)) &&
           (choices->len > 0 || maker->several ||
            bad_input(error, "model %s times none of these algorithms of %s; allowed: others, or another model",
                      r->machine.model->name, collectives[r->question.collective].name));
}

// Returns a block with texts of its own.
static AskedBlock *block_new(Maker *maker, char **sets)
{
    const GPtrArray *params = maker->spec->params;
    AskedBlock *x = g_new0(AskedBlock, 1);
    x->sets = g_strdupv(sets);
    x->params = params && params->len ? g_new0(char *, params->len + 1) : NULL;
    for (guint i = 0; x->params && i < params->len; i++)
        x->params[i] = g_strdup(params->pdata[i]);
    g_ptr_array_add(maker->sweep->blocks, x);
    return x;
}

// Sets the transfer, and *done if the model has no choice and the grid has the block already.
static gboolean set_transfer(Maker *maker, RequestMachine *machine, const char *transfer, gboolean first,
                             gboolean *done, GError **error)
{
    int index = 0;
    *done = transfer && !machine->model->transfers && !first;
    if (!transfer || !machine->model->transfers)
        return TRUE;
    maker->transferred = TRUE;
    const gboolean known = nearest_find("transfer", transfer, transfer_names, &index, error);
    machine->options.transfer = (Transfer)index;
    return known;
}

// Adds the block of a collective on a machine. `transfer` may be NULL; `first` says that it is the first of the list.
static gboolean add_block(Maker *maker, const RequestOptions *options, Collective collective, const char *transfer,
                          gboolean first, GError **error)
{
    AskedBlock *x = block_new(maker, options->sets);
    gboolean done = FALSE;
    const SweepSpec *spec = maker->spec;
    g_autoptr(GPtrArray) tuned = g_ptr_array_new();
    g_autoptr(GArray) choices = sweep_choices_new();
    g_autoptr(GArray) roots = read_roots(spec->text[SWEEP_ROOT], collective, maker->several, error);
    Names names = {.tuned = tuned};
    RequestOptions o = *options;
    o.sets = x->sets;
    o.params = x->params;
    if (!roots || !fill_request(maker, &o, collective, &names, &x->request, error) ||
        !once_points(&x->request, error) || !set_transfer(maker, &x->request.machine, transfer, first, &done, error))
        return FALSE;
    if (done)
        return TRUE;
    o.sets = options->sets; // ask_sets has replaced the keys of its own
    if (!make_choices(maker, &o, &x->request, &names, choices, error))
        return FALSE;
    if (choices->len == 0)
        return TRUE;
    ask_hash_block(maker->sum, spec, &x->request, choices, roots);
    ask_note_unknowns(&x->request);
    return sweep_grid_add(maker->sweep->grid, &x->request, g_steal_pointer(&choices), g_steal_pointer(&roots), error);
}

// Adds the blocks of a collective under a model, one for each transfer that it knows.
static gboolean add_transfers(Maker *maker, const RequestOptions *o, Collective collective, GError **error)
{
    const char *list = maker->spec->text[SWEEP_TRANSFER];
    g_auto(GStrv) transfers = machines_split(list ? list : "");
    for (guint i = 0; transfers[i]; i++)
        if (!add_block(maker, o, collective, list ? transfers[i] : NULL, i == 0, error))
            return FALSE;
    return TRUE;
}

static gboolean add_models(Maker *maker, RequestOptions *o, Collective collective, GError **error)
{
    const char *list = maker->spec->text[SWEEP_MODEL];
    g_auto(GStrv) names = machines_split(list ? list : "");
    for (char **model = names; *model; model++) {
        o->model = list ? *model : NULL;
        if (!add_transfers(maker, o, collective, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean add_machines(Maker *maker, Collective collective, const GPtrArray *variants, GError **error)
{
    char *const *text = maker->spec->text;
    for (guint i = 0; i < variants->len; i++) {
        const AskedMachine *variant = variants->pdata[i];
        RequestOptions o = {.libraries = TRUE,
                            .ranks = text[SWEEP_P],
                            .sizes = text[SWEEP_M],
                            .element = text[SWEEP_ELEMENT],
                            .counts = text[SWEEP_COUNTS],
                            .displs = text[SWEEP_DISPLS],
                            .per_node = text[SWEEP_PER_NODE],
                            .map = text[SWEEP_MAP],
                            .on = {text[SWEEP_TOPOLOGY], text[SWEEP_ROUTING], text[SWEEP_NODES]},
                            .platform = variant->platform,
                            .sets = variant->sets};
        if (!add_models(maker, &o, collective, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean read_prune(const char *text, double *prune, GError **error)
{
    *prune = 0;
    if (!text || (number_real(text, prune) && *prune >= 1))
        return TRUE;
    g_autofree char *shown = error_quote(text);
    return bad_input(error, "--prune %s; allowed: a number from 1 on", shown);
}

static gboolean make_grid(Maker *maker, GError **error)
{
    const SweepSpec *spec = maker->spec;
    g_autoptr(GPtrArray) sets = g_ptr_array_new();
    if (!once_lists(spec, error) || !load_files(spec, error))
        return FALSE;
    for (guint i = 0; spec->sets && i < spec->sets->len; i++)
        g_ptr_array_add(sets, spec->sets->pdata[i]);
    g_ptr_array_add(sets, NULL);
    g_autoptr(GPtrArray) machines =
        machines_make(spec->text[SWEEP_PLATFORM], spec->sets ? (char **)sets->pdata : NULL, error);
    g_auto(GStrv) words = machines_split(spec->text[SWEEP_COLLECTIVE]);
    maker->several = words[1] != NULL;
    if (machines && !once_machines(machines, error))
        return FALSE;
    for (char **word = words; machines && *word; word++) {
        Collective collective;
        if (!collective_parse(*word, &collective, error) || !add_machines(maker, collective, machines, error))
            return FALSE;
    }
    return machines && check_names(maker, error) &&
           (!spec->text[SWEEP_TRANSFER] || maker->transferred ||
            bad_input(error, "--transfer: these models have no choice of transfers; allowed: with --model hockney"));
}

gboolean ask_sweep(const SweepSpec *spec, AskedSweep *sweep, GError **error)
{
    double prune;
    *sweep = (AskedSweep){.blocks = g_ptr_array_new_with_free_func(asked_block_free)};
    for (int i = SWEEP_COLLECTIVE; i <= SWEEP_ALGORITHM; i++)
        if (!spec->text[i])
            return bad_input(error, "the sweep has no %s; allowed: with %s = .. in [sweep], or COLLECTIVE ALGORITHM",
                             sweep_key_names[i], sweep_key_names[i]);
    if (!read_prune(spec->text[SWEEP_PRUNE], &prune, error))
        return FALSE;
    sweep->grid = sweep_grid_new(prune);
    g_autoptr(GHashTable) found = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
                          missing = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    Maker maker = {.spec = spec, .sweep = sweep, .found = found, .missing = missing, .sum = sum};
    ask_hash_text(sum, "prune", spec->text[SWEEP_PRUNE]);
    if (!make_grid(&maker, error) || !ask_hash_plugins(sum, error))
        return FALSE;
    if (sweep->grid->points == 0)
        return bad_input(error, "the models time none of these algorithms; allowed: others, or other models");
    sweep->hash = g_strdup(g_checksum_get_string(sum));
    return TRUE;
}

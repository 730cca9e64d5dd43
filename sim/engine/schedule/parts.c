#include "engine/schedule/parts.h"
#include "base/distinct.h"
#include "api/backend.h"
#include "api/make.h"
#include <glib.h>

// A run for which every part is a copy of its entry, so that two parts with the same algorithm can be distinguished.
typedef struct PartsPass {
    CollRun run; // the first field: the callbacks get a pointer to it
    const CollAlgorithm *algorithm;
    CollAlgorithm copy[COLL_MAX_PARTS];
    CollParams par[COLL_MAX_PARTS]; // the defaults of the copies
    GPtrArray *texts;               // of char *, without duplicates
    GPtrArray *fell, *ran;          // the parts (CollAlgorithm) that fell back somewhere, and those that ran themselves
} PartsPass;

static void pass_over(CollRun *run, const CollIssue *op)
{
    (void)run;
    (void)op;
}

// Returns the name of the parameter whose part was called, or of the collective if it is a part of a part.
static const char *name_of(const PartsPass *pass, const CollAlgorithm *called)
{
    for (int i = 0; i < algorithm_n_params(pass->algorithm); i++) {
        const CollParam *param = &pass->algorithm->params[i];
        if (param->kind == PARAM_ALGORITHM &&
            called == &pass->copy[(param->field - offsetof(CollParams, part)) / sizeof *pass->par->part])
            return param->name;
    }
    return collectives[called->collective].name;
}

static void add_once(GPtrArray *parts, const CollAlgorithm *part)
{
    if (!g_ptr_array_find(parts, part, NULL))
        g_ptr_array_add(parts, (gpointer)part);
}

static void note_part(CollRun *run, const CollAlgorithm *called, const CollAlgorithm *ran, const char *why)
{
    PartsPass *pass = (PartsPass *)run;
    add_once(why ? pass->fell : pass->ran, called);
    if (why)
        distinct_take(pass->texts, g_strdup_printf("%s: %s (%s)", name_of(pass, called), ran->name, why));
}

static void run_text(PartsPass *pass, const Operation *op, const CollParams *par, int rank)
{
    Coll all = op->c;
    all.par = *par;
    const Coll view = coll_make(op->algorithm->collective, &all, rank, op->m, &pass->run);
    coll_run_reset(&pass->run);
    op->algorithm->run(&view);
}

// Runs the first rank of one node of each size, and of a node that is not the root's.
static void run_nodes(PartsPass *pass, const Operation *op, const CollParams *par)
{
    const CollNodes *nodes = op->c.nodes;
    for (int i = 0; i < nodes->n_sizes; i++)
        run_text(pass, op, par, nodes->member[nodes->first[nodes->sized[i]]]);
    if (nodes->n > 1)
        run_text(pass, op, par, nodes->member[nodes->first[nodes->of[op->c.root] == 0]]);
}

// Runs the texts of some ranks, but not those of parts that call no parts if `skips_parts`. Returns FALSE if the
// algorithm has no parts.
static gboolean run_some(PartsPass *pass, const Operation *op, bool skips_parts)
{
    CollParams par = op->c.par;
    pass->algorithm = op->algorithm;
    pass->texts = g_ptr_array_new_with_free_func(g_free);
    pass->fell = g_ptr_array_new();
    pass->ran = g_ptr_array_new();
    if (!par.part[0])
        return FALSE;
    for (int i = 0; i < COLL_MAX_PARTS && par.part[i]; i++) {
        const CollAlgorithm *entry = par.part[i];
        pass->par[i] = algorithm_defaults(entry);
        pass->copy[i] = *entry;
        pass->copy[i].variant_of = algorithm_entry(entry);
        pass->copy[i].defaults = &pass->par[i];
        par.part[i] = &pass->copy[i];
    }
    coll_run_init(&pass->run, pass_over);
    pass->run.part_runs = note_part;
    pass->run.most_segments = COLL_MOST_SEGMENTS;
    pass->run.no_copies = true;
    pass->run.skips_parts = skips_parts;
    run_text(pass, op, &par, op->c.root);
    if (op->c.nodes)
        run_nodes(pass, op, &par);
    coll_run_clear(&pass->run);
    return TRUE;
}

static void clear(PartsPass *pass)
{
    g_ptr_array_unref(pass->texts);
    g_ptr_array_unref(pass->fell);
    g_ptr_array_unref(pass->ran);
}

char *parts_else(const Operation *op)
{
    PartsPass pass = {0};
    char *text = NULL;
    if (run_some(&pass, op, false) && pass.texts->len > 0) {
        g_ptr_array_add(pass.texts, NULL);
        text = g_strjoinv("; ", (char **)pass.texts->pdata);
    }
    clear(&pass);
    return text;
}

gboolean parts_never_run(const Operation *op)
{
    PartsPass pass = {0};
    gboolean never = FALSE;
    run_some(&pass, op, true);
    for (guint i = 0; i < pass.fell->len; i++)
        never = never || !g_ptr_array_find(pass.ran, pass.fell->pdata[i], NULL);
    clear(&pass);
    return never;
}

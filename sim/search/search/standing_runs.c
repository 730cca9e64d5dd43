// Runs that would say what an earlier one has said.
#include "search/search/standing.h"
#include "search/search/tries.h"
#include <string.h>

// A run of a try, and above which time it was of no use; INFINITY if there was no such time.
typedef struct StandingRun {
    Try try;
    double enough_s;
} StandingRun;

// Returns what some ranks do in the try; 0 if that is not compared.
static TextPrint print_of(Contest *x, const Try *try)
{
    x->prints = x->prints ? x->prints : g_hash_table_new_full(NULL, NULL, NULL, g_free);
    const TextPrint *known = g_hash_table_lookup(x->prints, GINT_TO_POINTER(try->number));
    if (known)
        return *known;
    Point point = point_tried(x->request, algorithms[try->algorithm], &try->par, x->p, x->per_node, x->m);
    const Operation op = point_operation(x->request, &point);
    const TextPrint print = point.why ? (TextPrint){{0}} : tries_print(&op);
    g_hash_table_insert(x->prints, GINT_TO_POINTER(try->number), g_memdup2(&print, sizeof print));
    return print;
}

// Runs on a flat machine with fewer messages of their own than this cost too little to be compared.
enum { FLAT_WORK = 1 << 16 };

gboolean standing_same(Contest *x, const Try *a, const Try *b)
{
    // On a flat machine, closed forms order most tries, and a run may cost less than the texts of a sample. Bounds are
    // compared first, because other ranks' texts have part in them, and a print takes much longer than a look at them.
    const gboolean cheap = x->flat && (a->by_form || a->work < FLAT_WORK);
    if (cheap || x->p <= TRY_FEW_RANKS || a->longest > 0 || b->longest > 0 || a->algorithm != b->algorithm ||
        a->least_s != b->least_s)
        return FALSE;
    const TextPrint one = print_of(x, a), two = print_of(x, b);
    return one.word[0] != 0 && memcmp(&one, &two, sizeof one) == 0;
}

gboolean standing_is_alike(Contest *x, const Standing *c, const Try *try)
{
    const double enough_s = standing_enough_s(x, c, try);
    for (guint i = 0; c->runs && i < c->runs->len; i++) {
        const StandingRun *ran = &g_array_index(c->runs, StandingRun, i);
        if (ran->try.oddity <= try->oddity && ran->enough_s >= (enough_s > 0 ? enough_s : INFINITY) &&
            standing_same(x, &ran->try, try))
            return TRUE;
    }
    return FALSE;
}

void standing_note_run(const Contest *x, Standing *c, const Try *try)
{
    const double enough_s = standing_enough_s(x, c, try);
    const StandingRun one = {*try, enough_s > 0 ? enough_s : INFINITY};
    c->runs = c->runs ? c->runs : g_array_new(FALSE, FALSE, sizeof one);
    g_array_append_val(c->runs, one);
}

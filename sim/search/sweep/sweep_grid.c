#include "search/sweep/sweep_grid.h"
#include "base/error.h"
#include "search/form/bounds.h"
#include "search/form/text_bound.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// The fastest closed form at a place.
typedef struct SweepForm {
    double time_s;    // INFINITY if no choice has one
    const char *name; // of the algorithm
} SweepForm;

static void block_free(gpointer data)
{
    SweepBlock *x = data;
    g_array_unref(x->choices);
    g_array_unref(x->roots);
    g_array_unref(x->ranks_first);
    g_free(x);
}

SweepGrid *sweep_grid_new(double prune)
{
    SweepGrid *x = g_new0(SweepGrid, 1);
    x->prune = prune;
    x->blocks = g_ptr_array_new_with_free_func(block_free);
    g_mutex_init(&x->lock);
    x->fastest = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    return x;
}

void sweep_grid_free(SweepGrid *x)
{
    if (!x)
        return;
    g_ptr_array_unref(x->blocks);
    g_hash_table_unref(x->fastest);
    g_mutex_clear(&x->lock);
    g_free(x);
}

static void choice_clear(gpointer data)
{
    SweepChoice *x = data;
    if (x->search)
        request_clear(x->search);
    g_free(x->search);
    g_free(x->name);
}

GArray *sweep_choices_new(void)
{
    GArray *choices = g_array_new(FALSE, TRUE, sizeof(SweepChoice));
    g_array_set_clear_func(choices, choice_clear);
    return choices;
}

// ---- The order of points --------------------------------------------------------------------------------------------

// Compares as points_faster does where times are equal; searches come last.
static int by_oddity(const void *a, const void *b)
{
    const SweepChoice *x = *(const SweepChoice *const *)a, *y = *(const SweepChoice *const *)b;
    if (x->search || y->search)
        return x->search && y->search ? strcmp(x->name, y->name) : x->search ? 1 : -1;
    const int odder = points_oddity(x->algorithm, &x->asked) - points_oddity(y->algorithm, &y->asked);
    const int after = odder ? odder : strcmp(x->algorithm->name, y->algorithm->name);
    return after ? after : params_compare(x->algorithm, &x->asked, &y->asked);
}

static void set_orders(GArray *choices)
{
    g_autofree SweepChoice **sorted = g_new(SweepChoice *, MAX(choices->len, 1));
    for (guint i = 0; i < choices->len; i++)
        sorted[i] = &g_array_index(choices, SweepChoice, i);
    qsort(sorted, choices->len, sizeof *sorted, by_oddity);
    for (guint i = 0; i < choices->len; i++)
        sorted[i]->order = i;
}

static guint64 root_count(const SweepBlock *x, guint64 p)
{
    guint64 n = 0;
    for (guint i = 0; i < x->roots->len; i++)
        n += g_array_index(x->roots, int, i) < 0 ? p : 1;
    return n;
}

gboolean sweep_grid_add(SweepGrid *grid, const Request *r, GArray *choices, GArray *roots, GError **error)
{
    SweepBlock *x = g_new0(SweepBlock, 1);
    *x = (SweepBlock){.request = r,
                      .choices = choices,
                      .roots = roots,
                      .first = grid->points,
                      .first_place = grid->places,
                      .ranks_first = g_array_new(FALSE, FALSE, sizeof(guint64))};
    guint64 points = 0;
    gboolean fits = choices->len > 0;
    g_ptr_array_add(grid->blocks, x);
    set_orders(choices);
    for (guint i = 0; fits && i < r->question.ranks->len; i++) {
        guint64 of_p = root_count(x, g_array_index(r->question.ranks, size_t, i)), sum;
        g_array_append_val(x->ranks_first, points);
        fits = g_uint64_checked_mul(&of_p, of_p, r->question.sizes->len) &&
               g_uint64_checked_mul(&of_p, of_p, choices->len) && g_uint64_checked_add(&sum, points, of_p);
        points = fits ? sum : points;
    }
    if (!fits || points > SWEEP_MOST_POINTS - grid->points)
        return bad_input(error, "the grid has more than 10,000,000 points; allowed: at most so many, in all of its "
                                "dimensions together");
    x->end = grid->points = grid->points + points;
    grid->places += points / choices->len;
    return TRUE;
}

// Sets the root from its number among the roots at this p.
static int root_at(const SweepBlock *x, guint64 p, guint64 number)
{
    for (guint i = 0; i < x->roots->len; i++) {
        const int root = g_array_index(x->roots, int, i);
        const guint64 n = root < 0 ? p : 1;
        if (number < n)
            return root < 0 ? (int)number : root;
        number -= n;
    }
    g_assert_not_reached();
}

SweepCell sweep_grid_at(const SweepGrid *grid, guint64 index)
{
    guint low = 0, high = grid->blocks->len - 1;
    while (low < high) { // the first block that ends behind the point
        const guint middle = (low + high) / 2;
        if (((const SweepBlock *)grid->blocks->pdata[middle])->end > index)
            high = middle;
        else
            low = middle + 1;
    }
    const SweepBlock *x = grid->blocks->pdata[low];
    const Request *r = x->request;
    guint64 rest = index - x->first;
    guint i = 0;
    while (i + 1 < r->question.ranks->len && g_array_index(x->ranks_first, guint64, i + 1) <= rest)
        i++;
    const guint64 p = g_array_index(r->question.ranks, size_t, i), roots = root_count(x, p),
                  place = rest / x->choices->len;
    rest -= g_array_index(x->ranks_first, guint64, i);
    const guint64 choice = rest % x->choices->len, root = rest / x->choices->len % roots,
                  size = rest / x->choices->len / roots;
    return (SweepCell){.index = index,
                       .place = x->first_place + place,
                       .digits = low + i + size + root + choice,
                       .block = x,
                       .choice = &g_array_index(x->choices, SweepChoice, choice),
                       .p = (int)p,
                       .per_node = request_per_node(r, i),
                       .root = root_at(x, p, root),
                       .m = g_array_index(r->question.sizes, size_t, size)};
}

// ---- What is pruned -------------------------------------------------------------------------------------------------

// Returns the fastest closed form of the choices at the place of a cell.
static SweepForm find_fastest(const SweepCell *cell)
{
    const Request *r = cell->block->request;
    SweepForm fastest = {INFINITY, NULL};
    for (guint i = 0; i < cell->block->choices->len; i++) {
        const SweepChoice *choice = &g_array_index(cell->block->choices, SweepChoice, i);
        Point *point = choice->search ? NULL
                                      : point_make(r, choice->algorithm, &choice->asked, cell->p, cell->per_node,
                                                   cell->m, cell->root, NULL);
        if (point && point->ran && !point->why) {
            const Operation op = point_operation(r, point);
            const double time_s = point_form(r, point, &op);
            if (time_s < fastest.time_s)
                fastest = (SweepForm){time_s, choice->algorithm->name};
        }
        point_free(point);
    }
    return fastest;
}

static SweepForm fastest_at(SweepGrid *grid, const SweepCell *cell)
{
    g_mutex_lock(&grid->lock);
    const SweepForm *known = g_hash_table_lookup(grid->fastest, &cell->place);
    const SweepForm copy = known ? *known : (SweepForm){0};
    g_mutex_unlock(&grid->lock);
    if (known)
        return copy;
    const SweepForm found = find_fastest(cell);
    g_mutex_lock(&grid->lock);
    g_hash_table_insert(grid->fastest, g_memdup2(&cell->place, sizeof cell->place), g_memdup2(&found, sizeof found));
    g_mutex_unlock(&grid->lock);
    return found;
}

// Returns the note of a point that is pruned; NULL if it is not.
static char *prune(SweepGrid *grid, const SweepCell *cell, Point *point)
{
    const Request *r = cell->block->request;
    if (grid->prune <= 0 || !point->ran || r->machine.model != &hockney_model)
        return NULL;
    const SweepForm fastest = fastest_at(grid, cell);
    if (!(fastest.time_s > 0 && isfinite(fastest.time_s)))
        return NULL;
    const Mapping *map = request_mapping(&r->machine, cell->p, cell->per_node);
    const Operation op = point_operation(r, point);
    const double form_s = point_form(r, point, &op),
                 least_s = isnan(form_s)
                               ? text_bound(&op, r->machine.platform, r->machine.options.transfer, map, INFINITY)
                               : form_s;
    return least_s > grid->prune * fastest.time_s ? g_strdup_printf("pruned: at least %.3g times the closed form of %s",
                                                                    least_s / fastest.time_s, fastest.name)
                                                  : NULL;
}

// ---- Running --------------------------------------------------------------------------------------------------------

// Returns what an error says in a row: what is too large or too much does not depend on the machine that is asked.
static char *note_of(GError *error)
{
    const char *allowed = strstr(error->message, "; allowed: ");
    const int length = (int)(allowed ? allowed - error->message : (gssize)strlen(error->message));
    char *note = g_error_matches(error, COLLSIM_ERROR, COLLSIM_ERROR_TOO_LARGE)
                     ? g_strdup("cannot run: 2^62 bytes or more in all messages")
                 : g_error_matches(error, COLLSIM_ERROR, COLLSIM_ERROR_TOO_MUCH)
                     ? g_strdup("cannot run: too much to simulate")
                     : g_strdup_printf("cannot run: %.*s", length, error->message);
    g_error_free(error);
    return note;
}

// Returns a point that only says what did not run.
static Point *blank(const SweepCell *cell)
{
    const CollAlgorithm *only = cell->choice->search ? question_only(&cell->choice->search->question) : NULL;
    const CollParams par = only ? algorithm_defaults(only) : cell->choice->asked;
    Point *x = g_new0(Point, 1);
    *x = (Point){.algorithm = only ? only : cell->choice->algorithm,
                 .par = par,
                 .asked = par,
                 .p = cell->p,
                 .per_node = cell->per_node,
                 .m = cell->m,
                 .root = cell->root,
                 .time_s = NAN};
    return x;
}

// Searches for the best parameters. Returns NULL and sets *note if nothing can run.
static Point *search(const SweepCell *cell, char **note)
{
    Request at = *cell->choice->search; // its roots are those of the block
    const Request *const r = &at;
    g_autoptr(GError) error = NULL;
    at.question.root = cell->root;
    for (int i = 0; i < n_algorithms; i++) { // only to find what is wrong with the place
        const CollAlgorithm *a = request_algorithm(r, i);
        const CollParams par = a ? algorithm_defaults(a) : (CollParams){0};
        Point *x = a ? point_make(r, a, &par, cell->p, cell->per_node, cell->m, cell->root, &error) : NULL;
        point_free(x);
        if (error) {
            *note = note_of(g_steal_pointer(&error));
            return NULL;
        }
    }
    const ContestPlace place = {cell->p, cell->per_node, cell->m};
    g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof place);
    g_array_append_val(places, place);
    g_autoptr(GPtrArray) contests = contest_make_places(r, 1, places);
    if (!contest_run_all(contests, NULL, NULL, &error)) {
        *note = note_of(g_steal_pointer(&error));
        return NULL;
    }
    const GPtrArray *ranking = ((const Contest *)contests->pdata[0])->ranking;
    if (ranking->len == 0) {
        *note = g_strdup("cannot run: no parameters meet its needs");
        return NULL;
    }
    return g_steal_pointer(&((Contender *)ranking->pdata[0])->point);
}

// Runs a choice without a search.
static Point *run(SweepGrid *grid, const SweepCell *cell, char **note)
{
    const Request *r = cell->block->request;
    GError *error = NULL;
    Point *x = point_make(r, cell->choice->algorithm, &cell->choice->asked, cell->p, cell->per_node, cell->m,
                          cell->root, &error);
    if (x && (*note = prune(grid, cell, x)))
        x->time_s = NAN;
    if (!x || (!*note && !point_run(x, r, &error))) {
        point_free(x);
        *note = note_of(error);
        return NULL;
    }
    if (!x->prediction && !*note) {
        *note = g_strdup_printf("cannot run: %s", x->why);
        x->time_s = NAN;
    } else if (x->prediction && x->prediction->stuck->len > 0) {
        *note = g_strdup("does not end: a deadlock");
        x->time_s = NAN;
    }
    return x;
}

Point *sweep_grid_run(SweepGrid *grid, const SweepCell *cell, char **note)
{
    *note = NULL;
    Point *x = cell->choice->search ? search(cell, note) : run(grid, cell, note);
    return x ? x : blank(cell);
}

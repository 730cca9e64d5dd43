#include "judge/audit/suited.h"
#include "base/error.h"
#include "base/rounding.h"
#include "search/search/contest.h"
#include <math.h>
#include <string.h>

static const char usual_library[] = "ompi-4.1";
static const int ranks[] = {2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256, 512, 1024};
enum { MOST_RANKS = 64 }; // of a claim with rivals: all numbers of ranks from 2 to this
enum { LEAST_BYTES = 64, MOST_BYTES = 16 << 20, STEP = 4 };

// Fills in a request for the best time of a collective; its platform is borrowed, so clear it with release().
static gboolean make_request(Request *r, Collective collective, const Platform *platform, GError **error)
{
    *r = (Request){.question.collective = collective,
                   .question.elem = collectives[collective].reduces ? 8 : 1,
                   .machine.platform = (Platform *)(uintptr_t)platform,
                   .machine.model = &hockney_model,
                   .machine.options = {.transfer = TRANSFER_RENDEZVOUS}};
    const Library *library = library_find(usual_library, error);
    return library && (r->library.only = request_tables(&r->library, library, error));
}

static void release(Request *r)
{
    r->machine.platform = NULL;
    request_clear(r);
}

// Returns the least time at each place, in a new array; NAN where nothing can run. NULL and an error on failure.
static double *least_times(const Request *r, const GArray *places, GError **error)
{
    g_autoptr(GPtrArray) contests = contest_make_places(r, 1, places);
    // Numbers other than the usual ones would change no verdict of the tables here, and take five times as long.
    for (guint i = 0; i < contests->len; i++)
        ((Contest *)contests->pdata[i])->usual = TRUE;
    if (!contest_run_all(contests, NULL, NULL, error))
        return NULL;
    double *times = g_new(double, places->len);
    for (guint i = 0; i < places->len; i++) {
        const Contest *contest = contests->pdata[i];
        times[i] = contest->ranking->len ? ((const Contender *)contest->ranking->pdata[0])->point->time_s : NAN;
    }
    return times;
}

// Returns the points of the grid, of ContestPlace; only those that a claim is about, unless it is NULL.
static GArray *places_of(const Claim *c)
{
    GArray *places = g_array_new(FALSE, FALSE, sizeof(ContestPlace));
    const gboolean every = c && c->rivals;
    for (int i = 0; i < (every ? MOST_RANKS - 1 : (int)G_N_ELEMENTS(ranks)); i++)
        for (size_t m = LEAST_BYTES; m <= MOST_BYTES; m *= STEP) {
            double values[MAX_SYMBOLS] = {0};
            const int p = every ? i + 2 : ranks[i];
            const Sample sample = {.p = p, .m = (double)m};
            const ContestPlace place = {.p = p, .m = m};
            if (c)
                claim_point(c, &sample, &c->par, values);
            if (!c || claim_covers(c, values))
                g_array_append_val(places, place);
        }
    return places;
}

// Returns the least time at each place, as least_times does: of the named algorithms (const CollAlgorithm *), or of all
// that the library has if `named` is NULL. `params` are those that named algorithms must have, as in a claim.
static double *times_of(const GPtrArray *named, const char *params, Collective collective, const Platform *platform,
                        const GArray *places, GError **error)
{
    Request r;
    double *times = NULL;
    g_auto(GStrv) given = *params ? g_strsplit(params, ";", -1) : NULL;
    if (make_request(&r, collective, platform, error)) {
        if (named) {
            r.library.only = NULL;
            r.question.params = given;
            r.question.named = g_ptr_array_new();
            for (guint i = 0; i < named->len; i++)
                question_add(&r.question, named->pdata[i]);
        }
        times = least_times(&r, places, error);
    }
    release(&r);
    return times;
}

// The best times of a collective, on the whole grid.
typedef struct Bests {
    GArray *places;
    double *time_s[N_COLLECTIVES]; // NULL until they are needed
} Bests;

// Returns the best time that the library has at a place of the grid.
static double best_at(const Bests *bests, Collective collective, const ContestPlace *place)
{
    for (guint i = 0; i < bests->places->len; i++) {
        const ContestPlace *at = &g_array_index(bests->places, ContestPlace, i);
        if (at->p == place->p && at->m == place->m)
            return bests->time_s[collective][i];
    }
    g_assert_not_reached();
}

// Returns the least time at each place of what a claim is compared with: its rivals, or what the library has. Free with
// g_free; NULL and an error on failure.
static double *others_of(const Claim *c, const Platform *platform, Bests *bests, const GArray *places, GError **error)
{
    if (c->rivals)
        return times_of(c->rivals, "", c->collective, platform, places, error);
    double **best = &bests->time_s[c->collective];
    if (!*best && !(*best = times_of(NULL, "", c->collective, platform, bests->places, error)))
        return NULL;
    double *times = g_new(double, places->len);
    for (guint i = 0; i < places->len; i++)
        times[i] = best_at(bests, c->collective, &g_array_index(places, ContestPlace, i));
    return times;
}

// Returns "ring, rabenseifner". Free with g_free.
static char *names_of(const GPtrArray *rivals)
{
    GString *const names = g_string_new(NULL);
    for (guint i = 0; i < rivals->len; i++)
        g_string_append_printf(names, "%s%s", i ? ", " : "", ((const CollAlgorithm *)rivals->pdata[i])->name);
    return g_string_free(names, FALSE);
}

static gboolean judge(const Claim *c, const Platform *platform, Bests *bests, Audited *result, GError **error)
{
    double values[MAX_SYMBOLS] = {0}, worst = 0;
    const double most = claim_value(c, (const double[SAMPLE_PARTS]){0}, values);
    if (!isfinite(most) || most < 1)
        return bad_input(error, "%s: %g times the best is claimed; allowed: a number, 1 or above", c->id, most);
    g_autoptr(GArray) places = places_of(c);
    if (!places->len)
        return bad_input(error, "%s: `where` holds at no point of the grid; allowed: a condition that holds at some",
                         c->id);
    g_autoptr(GPtrArray) itself = g_ptr_array_new();
    g_ptr_array_add(itself, (void *)(uintptr_t)c->algorithm);
    g_autofree double *own = times_of(itself, c->params, c->collective, platform, places, error);
    g_autofree double *others = own ? others_of(c, platform, bests, places, error) : NULL;
    g_autofree char *whom = c->rivals ? names_of(c->rivals) : g_strdup(usual_library);
    int good = 0, n = 0;
    const ContestPlace *at = NULL;
    if (!others)
        return FALSE;
    for (guint i = 0; i < places->len; i++) {
        if (isnan(own[i]) || isnan(others[i]))
            continue;
        const double x = others[i] > 0 ? own[i] / others[i] : 1;
        n++;
        good += x <= most || rounding_explains(x, most, 0);
        if (x > worst) {
            worst = x;
            at = &g_array_index(places, ContestPlace, i);
        }
    }
    result->points = n;
    result->verdict.kind = n == 0 ? VERDICT_NONE : good == n ? VERDICT_EXACT : good ? VERDICT_PART : VERDICT_WRONG;
    result->verdict_text = n == 0 ? g_strdup("runs at none of the points")
                                  : g_strdup_printf("%s: at most %g times the best of %s at %d of %d points",
                                                    verdict_names[result->verdict.kind], most, whom, good, n);
    if (n == 0 || good == n)
        return TRUE;
    result->point = g_strdup_printf("p=%d m=%zu", at->p, at->m);
    result->claimed = g_strdup_printf("at most %g", most);
    result->truth = g_strdup_printf("%.4g times the best", worst);
    return TRUE;
}

gboolean suited_judge_all(const GPtrArray *claims, const Platform *platform, GArray *results, GError **error)
{
    Bests bests = {.places = places_of(NULL)};
    const gboolean timed = platform_need(platform, hockney_model.keys, hockney_model.n_keys, hockney_model.name, NULL);
    gboolean good = TRUE;
    for (guint i = 0; i < claims->len && good; i++) {
        const Claim *c = claims->pdata[i];
        Audited *result = &g_array_index(results, Audited, i);
        result->claim = c;
        result->verdict = result->order = (Verdict){.kind = VERDICT_NONE, .at = -1};
        good = c->kind != CLAIM_SUITED || !*c->text || !timed || judge(c, platform, &bests, result, error);
    }
    for (int i = 0; i < N_COLLECTIVES; i++)
        g_free(bests.time_s[i]);
    g_array_unref(bests.places);
    return good;
}

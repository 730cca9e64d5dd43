// The times of guidelines that are predicted: those of a grid, and those of measurements.
#include "advice/guidelines/guidelines.h"
#include "base/parallel.h"
#include "coll.h"
#include "search/search/measurement_rows.h"
#include <math.h>
#include <string.h>

static GuidelinePlace *place_at(const Guidelines *x, guint i)
{
    return x->places->pdata[i];
}

static GuidelineTime *time_at(const Guidelines *x, guint i)
{
    return &g_array_index(x->times, GuidelineTime, i);
}

// ---- reduce_local -------------------------------------------------------------------------------------------------------

static void run_local(const Coll *c)
{
    coll_reduce(c, c->out, c->out, c->in);
}

// What a rank does that reduces m bytes with as many others, as an algorithm of one rank.
static const CollAlgorithm reduce_local = {.collective = COLL_REDUCE, .name = "reduce_local", .run = run_local};

// ---- One time -----------------------------------------------------------------------------------------------------------

typedef struct PredictJob {
    const Request *request; // `own` or that of the grid
    Request own;            // of a measurement; empty in a grid
    const CollAlgorithm *algorithm;
    int p, per_node;
    GuidelineTime *time;
} PredictJob;

static void job_free(gpointer data)
{
    PredictJob *job = data;
    if (job->request == &job->own) {
        g_clear_pointer(&job->own.library.autos, g_ptr_array_unref);
        job->own.library.tables = NULL;
        measurement_request_clear(&job->own);
    }
    g_free(job);
}

// Predicts a time. What is too large to simulate stays unknown.
static gboolean run_job(gpointer data, gpointer unused, GError **error)
{
    PredictJob *job = data;
    GuidelineTime *time = job->time;
    g_autoptr(GError) why = NULL;
    (void)unused;
    Point *point = point_new(job->request, job->algorithm, job->p, job->per_node, time->m, error);
    if (!point)
        return FALSE;
    if (point_run(point, job->request, &why) && point_timed(point))
        time->time_s[GUIDELINE_PREDICTED] = time->mean ? prediction_mean(point->prediction) : point->time_s;
    time->entry = point->decision ? point->decision->entry : NULL;
    time->decided = point->decision ? decision_text(point->decision) : NULL;
    time->missing = g_strdup(why ? why->message : point->decision ? point->decision->missing : NULL);
    point_free(point);
    return TRUE;
}

static gboolean run_jobs(Guidelines *x, const GPtrArray *jobs, GError **error)
{
    const ParallelWork work = {.run = run_job, .what = "calls"};
    if (!parallel_run(jobs, &work, error))
        return FALSE;
    x->has[GUIDELINE_PREDICTED] = TRUE;
    return TRUE;
}

// Names what the library runs of the request's collective, as the only algorithm. Returns it.
static const CollAlgorithm *name_library(Request *r, DecidePart *decide, gconstpointer from)
{
    request_name_none(r);
    if (decide)
        return request_name_decider(r, r->library.only, "rules", decide, from);
    request_name_default(r, r->library.only);
    return g_ptr_array_index(r->question.named, 0);
}

// ---- A grid -------------------------------------------------------------------------------------------------------------

enum { MOST_BYTES = 16 << 20 };

static void add_sizes(const Guidelines *x, GuidelinePlace *place, const GArray *sizes)
{
    const size_t none = 0;
    for (int c = 0; c < N_GUIDELINE_COLLECTIVES; c++)
        for (guint i = 0; i < sizes->len && c != COLL_BARRIER; i++)
            if (g_array_index(sizes, size_t, i) % x->elem[c] == 0)
                g_array_append_val(place->sizes[c], g_array_index(sizes, size_t, i));
    g_array_append_val(place->sizes[COLL_BARRIER], none);
}

// Adds the places of a grid, and for each on several nodes the one with a rank on each of these.
static void add_places(Guidelines *x, const Request *r)
{
    for (guint i = 0; i < r->question.ranks->len; i++) {
        const int p = (int)g_array_index(r->question.ranks, size_t, i), k = request_per_node(r, i);
        if (p < 2)
            continue;
        guidelines_place(x, "", p, k, TRUE);
        if (k > 1 && p % k == 0 && p > k && r->machine.map.kind != MAP_FILE)
            guidelines_place(x, "", p / k, 1, FALSE);
    }
    for (guint i = 0; i < x->places->len; i++)
        add_sizes(x, place_at(x, i), r->question.sizes);
}

// Predicts all times of a collective.
static gboolean predict_collective(Guidelines *x, Request *r, int collective, DecidePart *decide, gconstpointer from,
                                   GError **error)
{
    const gboolean local = collective == GUIDELINE_LOCAL;
    g_autoptr(GPtrArray) jobs = g_ptr_array_new_with_free_func(job_free);
    r->question.collective = local ? COLL_REDUCE : (Collective)collective;
    r->question.elem = x->elem[collective];
    const CollAlgorithm *library = name_library(r, decide, from);
    for (guint i = 0; i < x->times->len; i++) {
        GuidelineTime *time = time_at(x, i);
        const GuidelinePlace *place = place_at(x, time->place);
        if (time->collective != collective ||
            (!local && !question_check_size(&r->question, (size_t)place->p, time->m, NULL)))
            continue;
        PredictJob *job = g_new0(PredictJob, 1);
        *job = (PredictJob){.request = r,
                            .algorithm = local ? &reduce_local : library,
                            .p = local ? 1 : place->p,
                            .per_node = local ? MIN(place->per_node, 1) : place->per_node,
                            .time = time};
        g_ptr_array_add(jobs, job);
    }
    const gboolean good = run_jobs(x, jobs, error);
    request_name_none(r);
    return good;
}

gboolean guidelines_predict(Guidelines *x, Request *r, DecidePart *decide, gconstpointer from, GError **error)
{
    x->most = MOST_BYTES;
    for (guint i = 0; i < r->question.sizes->len; i++)
        x->most = MAX(x->most, g_array_index(r->question.sizes, size_t, i));
    add_places(x, r);
    guidelines_expand(x, TRUE);
    KnownTimes *own = known_begin(&r->known);
    gboolean good = TRUE;
    for (int c = 0; c < N_GUIDELINE_COLLECTIVES && good; c++)
        good = predict_collective(x, r, c, decide, from, error);
    known_end(&r->known, own);
    guidelines_judge(x);
    return good;
}

// ---- Measurements -------------------------------------------------------------------------------------------------------

// Makes the job of a measured time. Returns NULL and an error if its log's map is not one.
static PredictJob *job_of_log(Request *r, const GuidelinePlace *place, GuidelineTime *time,
                              const CollAlgorithm *library, GError **error)
{
    PredictJob *job = g_new0(PredictJob, 1);
    LogSample sample = *time->sample;
    const gboolean local = time->collective == GUIDELINE_LOCAL;
    job->algorithm = local ? &reduce_local : library;
    job->time = time;
    time->time_s[GUIDELINE_PREDICTED] = NAN;
    job->p = local ? 1 : (sample.p = place->p);
    job->per_node = local ? 0 : (sample.per_node = place->per_node);
    job->request = &job->own;
    sample.params = "";
    if (!sample.map || local)
        sample.map = "";
    if (local)
        sample = (LogSample){.collective = COLL_REDUCE, .p = 1, .params = "", .map = "", .bytes = sample.bytes};
    sample.mean |= time->mean;
    if (!measurement_request(&sample, r->machine.platform, r->machine.model, &job->own, error)) {
        job_free(job);
        return NULL;
    }
    job->own.machine.options.transfer = r->machine.options.transfer;
    job->own.library = r->library;
    job->own.library.autos = r->library.autos ? g_ptr_array_ref(r->library.autos) : NULL;
    job->own.known = r->known;
    return job;
}

gboolean guidelines_predict_logs(Guidelines *x, Request *r, DecidePart *decide, gconstpointer from, GError **error)
{
    gboolean good = TRUE;
    for (int c = 0; c < N_GUIDELINE_COLLECTIVES && good; c++) {
        g_autoptr(GPtrArray) jobs = g_ptr_array_new_with_free_func(job_free);
        r->question.collective = c == GUIDELINE_LOCAL ? COLL_REDUCE : (Collective)c;
        const CollAlgorithm *library = name_library(r, decide, from);
        for (guint i = 0; i < x->times->len && good; i++) {
            GuidelineTime *time = time_at(x, i);
            PredictJob *job =
                time->collective == c ? job_of_log(r, place_at(x, time->place), time, library, error) : NULL;
            if (job)
                g_ptr_array_add(jobs, job);
            else
                good = time->collective != c;
        }
        good = good && run_jobs(x, jobs, error);
        g_ptr_array_set_size(jobs, 0);
        request_name_none(r);
    }
    g_array_set_size(x->rows, 0);
    guidelines_judge(x);
    return good;
}

#include "explore/explore_jobs.h"
#include "explore/explore_worker.h"
#include "base/error.h"
#include "base/scratch.h"
#include "base/text.h"
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    MOST_WAITING = 512,      // requests
    MOST_KEPT = 48 << 20,    // bytes of answers
    MOST_PRINTED = 32 << 20, // bytes of one answer
    CPU_SECONDS = 60         // of one process
};

struct ExploreJob {
    ExploreJobs *jobs;
    char *page;
    ExploreView view;
    ExploreLine *line;
    ExploreReady ready; // NULL once it was called, or if nobody waits
    gpointer user;
    GSubprocess *process; // NULL until the job runs, and while the worker runs its first command
    char *answer;         // the file with the worker's answer; NULL if no worker runs it
    gboolean second;      // the job is at its second command
    gint64 begin_us;      // when it began to run
    GBytes *printed;
    char *path; // of the picture; NULL if there is none
};

// What the commands of a line have answered.
typedef struct ExploreKept {
    char *line;
    GBytes *printed, *picture;
    gint64 took_us;
} ExploreKept;

struct ExploreJobs {
    char *program;
    ExploreWorker *worker;        // of maps: these are what one waits for
    Scratch pictures;             // and answers of the worker
    GPtrArray *waiting, *running; // of ExploreJob; those that wait are owned
    guint most;                   // jobs at a time
    guint made;                   // pictures, for their names
    guint starter;                // the source that starts jobs; 0 if there is none
    GQueue kept;                  // of ExploreKept, the last one first
    gsize kept_bytes;
};

static void kept_free(gpointer data)
{
    ExploreKept *const kept = data;
    g_free(kept->line);
    g_bytes_unref(kept->printed);
    g_clear_pointer(&kept->picture, g_bytes_unref);
    g_free(kept);
}

static void job_free(gpointer data)
{
    ExploreJob *const job = data;
    if (job->path)
        g_unlink(job->path);
    if (job->answer)
        g_unlink(job->answer);
    g_clear_object(&job->process);
    g_clear_pointer(&job->printed, g_bytes_unref);
    explore_line_free(job->line);
    g_free(job->path);
    g_free(job->answer);
    g_free(job->page);
    g_free(job);
}

ExploreJobs *explore_jobs_new(const char *program, GError **error)
{
    Scratch pictures;
    if (!scratch_open(&pictures, error))
        return NULL;
    ExploreJobs *const jobs = g_new0(ExploreJobs, 1);
    jobs->program = g_strdup(program);
    jobs->worker = explore_worker_new(program);
    jobs->pictures = pictures;
    jobs->waiting = g_ptr_array_new();
    jobs->running = g_ptr_array_new();
    jobs->most = MAX(g_get_num_processors(), 2);
    g_queue_init(&jobs->kept);
    return jobs;
}

void explore_jobs_free(ExploreJobs *jobs)
{
    if (jobs->starter)
        g_source_remove(jobs->starter);
    for (guint i = 0; i < jobs->running->len; i++) { // their ends are not waited for
        const ExploreJob *const job = jobs->running->pdata[i];
        if (job->process)
            g_subprocess_force_exit(job->process);
    }
    explore_worker_free(jobs->worker);
    g_ptr_array_set_free_func(jobs->waiting, job_free);
    g_ptr_array_unref(jobs->waiting);
    g_ptr_array_unref(jobs->running);
    scratch_clear(&jobs->pictures);
    g_queue_clear_full(&jobs->kept, kept_free);
    g_free(jobs->program);
    g_free(jobs);
}

// ---- Answers that are known -----------------------------------------------------------------------------------------

static gsize size_of(const ExploreKept *kept)
{
    return g_bytes_get_size(kept->printed) + (kept->picture ? g_bytes_get_size(kept->picture) : 0);
}

static void keep(ExploreJobs *jobs, const ExploreAnswer *answer)
{
    ExploreKept *const kept = g_new0(ExploreKept, 1);
    kept->line = g_strdup(answer->line);
    kept->printed = g_bytes_ref(answer->printed);
    kept->picture = answer->picture ? g_bytes_ref(answer->picture) : NULL;
    kept->took_us = answer->took_us;
    g_queue_push_head(&jobs->kept, kept);
    jobs->kept_bytes += size_of(kept);
    while (jobs->kept_bytes > MOST_KEPT && jobs->kept.length > 1) {
        ExploreKept *const last = g_queue_pop_tail(&jobs->kept);
        jobs->kept_bytes -= size_of(last);
        kept_free(last);
    }
}

static const ExploreKept *known(ExploreJobs *jobs, const char *line)
{
    for (GList *at = jobs->kept.head; at; at = at->next)
        if (strcmp(((const ExploreKept *)at->data)->line, line) == 0) {
            g_queue_unlink(&jobs->kept, at);
            g_queue_push_head_link(&jobs->kept, at);
            return at->data;
        }
    return NULL;
}

// ---- Processes ------------------------------------------------------------------------------------------------------

static void start_waiting(ExploreJobs *jobs);

// Calls ready(), and forgets the job, which runs no more.
static void end_job(ExploreJob *job, ExploreEnd end, GBytes *picture, const char *error)
{
    ExploreJobs *const jobs = job->jobs;
    const ExploreAnswer answer = {end,     job->line->text, end == EXPLORE_DONE ? job->printed : NULL,
                                  picture, error,           g_get_monotonic_time() - job->begin_us};
    const ExploreReady ready = job->ready;
    job->ready = NULL;
    if (end == EXPLORE_DONE)
        keep(jobs, &answer);
    if (ready)
        ready(&answer, job->user);
    g_ptr_array_remove(jobs->running, job);
    job_free(job);
    start_waiting(jobs);
}

// Ends a job whose command failed. `why` is empty if the command was killed.
static void fail(ExploreJob *job, const char *why)
{
    end_job(job, EXPLORE_FAILED, NULL, *why ? why : "the command was killed; it may take at most a minute of CPU time");
}

// Returns the last line of what a command has written to stderr, without the name of the program. Free with g_free.
static char *complaint(GBytes *written)
{
    gsize length;
    const char *const data = g_bytes_get_data(written, &length);
    g_autofree char *all = g_utf8_make_valid(data ? data : "", (gssize)length);
    g_strchomp(all);
    const char *const line = strrchr(all, '\n') ? strrchr(all, '\n') + 1 : all;
    return g_strdup(g_str_has_prefix(line, "collsim: ") ? line + strlen("collsim: ") : line);
}

// Runs in the child. It ends with the server, and when its CPU time is used up.
static void limit_child(gpointer unused)
{
    const struct rlimit limit = {CPU_SECONDS, CPU_SECONDS + 1};
    explore_worker_follow(unused);
    setrlimit(RLIMIT_CPU, &limit);
}

static void process_ended(GObject *source, GAsyncResult *result, gpointer data);

// Starts a command, which reads `in` unless it is NULL.
static gboolean start_process(ExploreJob *job, char **words, GBytes *in, GError **error)
{
    const GSubprocessFlags flags = G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE |
                                   (in ? G_SUBPROCESS_FLAGS_STDIN_PIPE : G_SUBPROCESS_FLAGS_NONE);
    g_autoptr(GSubprocessLauncher) launcher = g_subprocess_launcher_new(flags);
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    for (char **word = words; *word; word++)
        g_ptr_array_add(all, *word);
    all->pdata[0] = job->jobs->program;
    if (job->path && (job->second || !job->line->second))
        all->pdata[all->len - 1] = job->path;
    g_ptr_array_add(all, NULL);
    g_subprocess_launcher_set_child_setup(launcher, limit_child, NULL, NULL);
    g_clear_object(&job->process);
    job->process = g_subprocess_launcher_spawnv(launcher, (const char *const *)all->pdata, error);
    if (job->process)
        g_subprocess_communicate_async(job->process, in, NULL, process_ended, job);
    return job->process != NULL;
}

// Goes on with a job whose command has ended well: with the second command, or with the answer.
static void go_on(ExploreJob *job, GBytes *printed)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = NULL;
    gsize length = 0;
    if (!job->second)
        job->printed = g_bytes_ref(printed);
    if (!job->second && job->line->second) {
        job->second = TRUE;
        if (!start_process(job, job->line->second, job->printed, &error))
            end_job(job, EXPLORE_FAILED, NULL, error->message);
        return;
    }
    if (job->path && !(text = text_read(job->path, MOST_PRINTED, &length, &error))) {
        end_job(job, EXPLORE_FAILED, NULL, error->message);
        return;
    }
    g_autoptr(GBytes) picture = text ? g_bytes_new_take(g_steal_pointer(&text), length) : NULL;
    end_job(job, EXPLORE_DONE, picture, NULL);
}

static void process_ended(GObject *source, GAsyncResult *result, gpointer data)
{
    ExploreJob *const job = data;
    GSubprocess *const process = G_SUBPROCESS(source);
    g_autoptr(GBytes) printed = NULL, written = NULL;
    g_autoptr(GError) error = NULL;
    const gboolean read = g_subprocess_communicate_finish(process, result, &printed, &written, &error);
    if (!job->ready) { // replaced, or dropped
        end_job(job, EXPLORE_REPLACED, NULL, NULL);
    } else if (!read) {
        end_job(job, EXPLORE_FAILED, NULL, error->message);
    } else if (g_bytes_get_size(printed) > MOST_PRINTED) {
        end_job(job, EXPLORE_FAILED, NULL, "the answer is too long for a page");
    } else if (g_subprocess_get_successful(process)) {
        go_on(job, printed);
    } else {
        g_autofree char *why = complaint(written);
        fail(job, why);
    }
}

// Takes the answer of the worker.
static void worked(const char *why, gpointer data)
{
    ExploreJob *const job = data;
    g_autoptr(GError) error = NULL;
    char *text;
    gsize length = 0;
    if (!job->ready) {
        end_job(job, EXPLORE_REPLACED, NULL, NULL);
    } else if (why) {
        fail(job, why);
    } else if (!(text = text_read(job->answer, MOST_PRINTED, &length, &error))) {
        end_job(job, EXPLORE_FAILED, NULL, error->message);
    } else {
        g_autoptr(GBytes) printed = g_bytes_new_take(text, length);
        go_on(job, printed);
    }
}

// Gives the first command of a map to the worker. Returns FALSE if it is busy; the command then runs as any other does.
static gboolean give_to_worker(ExploreJob *job)
{
    ExploreJobs *const jobs = job->jobs;
    if (job->view != EXPLORE_MAP)
        return FALSE;
    job->answer = g_strdup_printf("%s/%u.csv", jobs->pictures.folder, ++jobs->made);
    if (explore_worker_run(jobs->worker, job->line->first, job->answer, worked, job))
        return TRUE;
    g_clear_pointer(&job->answer, g_free);
    return FALSE;
}

static void start_waiting(ExploreJobs *jobs)
{
    while (jobs->waiting->len > 0 && jobs->running->len < jobs->most) {
        ExploreJob *const job = g_ptr_array_steal_index(jobs->waiting, 0);
        g_autoptr(GError) error = NULL;
        if (job->line->picture)
            job->path = g_strdup_printf("%s/%u.svg", jobs->pictures.folder, ++jobs->made);
        job->begin_us = g_get_monotonic_time();
        g_ptr_array_add(jobs->running, job);
        if (!give_to_worker(job) && !start_process(job, job->line->first, NULL, &error)) {
            end_job(job, EXPLORE_FAILED, NULL, error->message); // which starts those that are left
            return;
        }
    }
}

// ---- Requests -------------------------------------------------------------------------------------------------------

void explore_jobs_drop(ExploreJob *job)
{
    job->ready = NULL;
    if (job->process)
        g_subprocess_force_exit(job->process); // process_ended() frees the job
    else if (job->answer)
        explore_worker_stop(job->jobs->worker); // .. and worked() this one
    else if (g_ptr_array_remove(job->jobs->waiting, job))
        job_free(job);
}

// Ends what the same page has asked of the same view before.
static void replace(ExploreJobs *jobs, const char *page, ExploreView view)
{
    GPtrArray *const lists[] = {jobs->waiting, jobs->running};
    for (guint k = 0; k < G_N_ELEMENTS(lists); k++)
        for (guint i = lists[k]->len; i > 0; i--) {
            ExploreJob *const job = lists[k]->pdata[i - 1];
            if (!job->ready || job->view != view || strcmp(job->page, page) != 0)
                continue;
            const ExploreAnswer answer = {.end = EXPLORE_REPLACED, .line = job->line->text};
            job->ready(&answer, job->user);
            explore_jobs_drop(job);
        }
}

static gboolean start_later(gpointer data)
{
    ExploreJobs *const jobs = data;
    jobs->starter = 0;
    start_waiting(jobs);
    return G_SOURCE_REMOVE;
}

ExploreJob *explore_jobs_run(ExploreJobs *jobs, const char *page, ExploreView view, ExploreLine *line,
                             ExploreReady ready, gpointer user)
{
    replace(jobs, page, view);
    const ExploreKept *const kept = known(jobs, line->text);
    if (kept || jobs->waiting->len >= MOST_WAITING) {
        ExploreAnswer answer = {.end = EXPLORE_BUSY, .line = line->text};
        if (kept)
            answer = (ExploreAnswer){EXPLORE_DONE, line->text, kept->printed, kept->picture, NULL, kept->took_us};
        ready(&answer, user);
        explore_line_free(line);
        return NULL;
    }
    ExploreJob *const job = g_new0(ExploreJob, 1);
    *job = (ExploreJob){.jobs = jobs, .page = g_strdup(page), .view = view, .line = line, .ready = ready, .user = user};
    g_ptr_array_add(jobs->waiting, job);
    if (!jobs->starter) // later, so that a job does not end before its owner knows it
        jobs->starter = g_idle_add(start_later, jobs);
    return job;
}

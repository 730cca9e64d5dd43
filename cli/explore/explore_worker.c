#include "explore/explore_worker.h"
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>

struct ExploreWorker {
    char *program;
    GSubprocess *process;      // NULL until the first request, and once it has ended
    GDataInputStream *replies; // .. of the process
    gboolean stopped;          // .. and is to end
    ExploreWorked worked;      // NULL if it is idle
    gpointer user;
};

ExploreWorker *explore_worker_new(const char *program)
{
    ExploreWorker *const worker = g_new0(ExploreWorker, 1);
    worker->program = g_strdup(program);
    return worker;
}

static void end_process(ExploreWorker *worker)
{
    if (worker->process)
        g_subprocess_force_exit(worker->process);
    g_clear_object(&worker->replies);
    g_clear_object(&worker->process);
    worker->stopped = FALSE;
}

void explore_worker_free(ExploreWorker *worker)
{
    end_process(worker);
    g_free(worker->program);
    g_free(worker);
}

void explore_worker_follow(gpointer unused)
{
    (void)unused;
    signal(SIGPIPE, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

static gboolean start_process(ExploreWorker *worker)
{
    g_autoptr(GSubprocessLauncher) launcher = g_subprocess_launcher_new(
        G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
    g_subprocess_launcher_set_child_setup(launcher, explore_worker_follow, NULL, NULL);
    worker->process = g_subprocess_launcher_spawn(launcher, NULL, worker->program, "serve", NULL);
    if (worker->process)
        worker->replies = g_data_input_stream_new(g_subprocess_get_stdout_pipe(worker->process));
    return worker->process != NULL;
}

// Takes the reply of a request, "STATUS ERROR".
static void replied(GObject *source, GAsyncResult *result, gpointer data)
{
    ExploreWorker *const worker = data;
    g_autofree char *line = g_data_input_stream_read_line_finish(G_DATA_INPUT_STREAM(source), result, NULL, NULL);
    const ExploreWorked worked = worker->worked;
    const char *const error = line ? strchr(line, ' ') : NULL;
    const gboolean good = line && g_str_has_prefix(line, "0 ");
    worker->worked = NULL;
    if (!line || worker->stopped)
        end_process(worker);
    worked(good ? NULL : error ? error + 1 : "", worker->user);
}

gboolean explore_worker_run(ExploreWorker *worker, char *const *words, const char *file, ExploreWorked worked,
                            gpointer user)
{
    g_autoptr(GString) request = g_string_new(file);
    if (worker->worked || (!worker->process && !start_process(worker)))
        return FALSE;
    for (char *const *word = words + 1; *word; word++) {
        g_string_append_c(request, '\0');
        g_string_append(request, *word);
    }
    g_string_append_len(request, "\0", 2);
    // A request is shorter than a pipe holds, and the worker is idle, so this does not wait.
    if (!g_output_stream_write_all(g_subprocess_get_stdin_pipe(worker->process), request->str, request->len, NULL, NULL,
                                   NULL)) {
        end_process(worker);
        return FALSE;
    }
    worker->worked = worked;
    worker->user = user;
    g_data_input_stream_read_line_async(worker->replies, G_PRIORITY_DEFAULT, NULL, replied, worker);
    return TRUE;
}

void explore_worker_stop(ExploreWorker *worker)
{
    if (!worker->process)
        return;
    worker->stopped = TRUE;
    g_subprocess_force_exit(worker->process); // the end of its replies then ends the request
}

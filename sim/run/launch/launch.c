#include "run/launch/launch.h"
#include "run/launch/child.h"
#include "base/error.h"
#include "engine/plugin/plugin.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

// A backend that runs.
typedef struct Run {
    const Launch *launch;
    const JobPlan *plan;
    const Job *job;
    int n, answered;
    JobResult *result;
    GError *error; // what is wrong with its answers
} Run;

// ---- Answers -------------------------------------------------------------------------------------------------------

// Takes an answer. Returns FALSE and an error in the run if it is not the next one.
static gboolean take_answer(Run *run, const char *line)
{
    int number;
    JobResult result;
    if (run->answered == run->n)
        return bad_input(&run->error, "'%.60s' is not a result; allowed: nothing after the results of %d jobs", line,
                         run->n);
    if (!job_result_parse(line, &number, &result, &run->error))
        return FALSE;
    const gboolean timed = run->job[run->answered].kind != JOB_LIKE;
    if (number != run->answered || (!result.wrong && timed != (result.repetitions > 0))) {
        job_result_clear(&result);
        return bad_input(&run->error, "'%.60s' is not a result; allowed: the result of job %d", line, run->answered);
    }
    run->result[run->answered++] = result;
    if (run->launch->progress)
        run->launch->progress(run->answered, run->n, run->launch->user);
    return TRUE;
}

static ChildLine take_line(const char *line, gboolean out, void *user)
{
    Run *run = user;
    if (run->error)
        return CHILD_NOISE;
    if (out && *line == '@')
        return take_answer(run, line) ? CHILD_ANSWER : CHILD_BAD;
    // After a failure smpirun prints its command line.
    const gboolean repeats = strstr(line, " --cfg=") || g_str_has_prefix(line, "Execution failed");
    return run->launch->kind == LAUNCH_SMPI && repeats ? CHILD_NOISE : CHILD_OTHER;
}

static gboolean judge(const Run *run, const Child *c, GError **error)
{
    if (run->error) {
        g_propagate_error(error, g_error_copy(run->error));
        return FALSE;
    }
    if (run->answered == run->n && child_good(c))
        return TRUE;
    g_autofree char *where = NULL;
    if (run->answered < run->n) {
        g_autofree char *job = job_text(&run->job[run->answered], run->plan->p);
        where = g_strdup_printf(" in '%.100s'", job);
    }
    g_autofree char *end = child_end(c, where ? where : " after its last job");
    return bad_input(error, "%s on %d ranks %s", launch_programs[run->launch->kind], run->plan->p, end);
}

// ---- Runs ----------------------------------------------------------------------------------------------------------

static char *plan_of_jobs(const JobPlan *plan, const Job *job, int n)
{
    GString *text = g_string_new(NULL);
    g_autofree char *head = job_plan_text(plan);
    g_string_append_printf(text, "%s\n", head);
    for (guint i = 0; i < plugin_all()->len; i++) {
        const Plugin *plugin = g_ptr_array_index(plugin_all(), i);
        g_autofree char *line = job_plugin_text(plugin->library);
        g_string_append_printf(text, "%s\n", line);
    }
    for (int i = 0; i < n; i++) {
        g_autofree char *line = job_text(&job[i], plan->p);
        g_string_append_printf(text, "%s\n", line);
    }
    g_string_append(text, "end\n");
    return g_string_free(text, FALSE);
}

static gboolean write_files(LaunchFiles *files, const Launch *launch, const JobPlan *plan, const Job *job, int n,
                            GError **error)
{
    g_autofree char *jobs = plan_of_jobs(plan, job, n);
    if (!scratch_open(&files->scratch, error) || !scratch_write(&files->scratch, "plan", jobs, &files->plan, error))
        return FALSE;
    if (launch->kind != LAUNCH_SMPI)
        return TRUE;
    SimgridMachine machine = *launch->machine;
    machine.p = plan->p;
    g_autofree char *xml = simgrid_xml(&machine, error), *hosts = xml ? simgrid_hostfile(&machine) : NULL;
    return xml && scratch_write(&files->scratch, "platform.xml", xml, &files->platform, error) &&
           scratch_write(&files->scratch, "hosts", hosts, &files->hosts, error);
}

static void remove_files(LaunchFiles *files)
{
    scratch_clear(&files->scratch);
    g_free(files->plan);
    g_free(files->platform);
    g_free(files->hosts);
}

static gboolean run_files(const LaunchFiles *files, Run *run, Child *child, GError **error)
{
    // SMPI's ranks read the plan from a file. So do those of mpirun, because its standard input is not reliable:
    // MPICH's mpirun loses what a rank does not read at once, and Open MPI's sometimes dies. Any other launcher may
    // start rank 0 on a machine that does not have the file, so it gets the plan through its standard input.
    const gboolean by_file = run->launch->kind == LAUNCH_SMPI || !run->launch->launcher;
    g_autoptr(GPtrArray) argv = launch_argv(run->launch, run->plan->p, files, error);
    if (!argv)
        return FALSE;
    g_ptr_array_add(argv, g_strdup(by_file ? files->plan : "-"));
    g_ptr_array_add(argv, NULL);
    const char *const input = by_file ? "/dev/null" : files->plan;
    const int in = open(input, O_RDONLY | O_CLOEXEC);
    if (in < 0)
        return bad_input(error, "%s: %s; allowed: a file that can be opened while collsim runs", input,
                         g_strerror(errno));
    const gboolean started = child_run(child, (char *const *)argv->pdata, in, error);
    close(in);
    if (started && run->launch->started)
        *run->launch->started = TRUE;
    return started && judge(run, child, error);
}

gboolean launch_run(const Launch *launch, const JobPlan *plan, const Job *job, int n, JobResult *result, GError **error)
{
    Run run = {.launch = launch, .plan = plan, .job = job, .n = n, .result = result};
    Child child = {.patience_s = launch->patience_s > 0 ? launch->patience_s : PATIENCE_S + plan->budget_s,
                   .take = take_line,
                   .user = &run};
    LaunchFiles files = {0};
    memset(result, 0, (size_t)n * sizeof *result);
    const gboolean good = write_files(&files, launch, plan, job, n, error) && run_files(&files, &run, &child, error);
    remove_files(&files);
    g_clear_error(&run.error);
    child_clear(&child);
    if (child.signal)
        raise(child.signal);
    return good;
}

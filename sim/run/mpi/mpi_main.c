// collsim-mpi, collsim-mpich and collsim-smpi: run and time the jobs of a plan (run/launch/job.h). `collsim measure`
// and `collsim check` start them:
//
//   mpirun -np 4 collsim-mpi PLAN             rank 0 reads the plan and sends it to the others
//   srun -n 4 collsim-mpi - < PLAN            the same, if rank 0 may run where the file does not exist
//   smpirun .. collsim-smpi PLAN              every rank reads the plan, which takes no simulated time
#include "base/limits.h"
#include "base/text.h"
#include "run/mpi/host.h"
#include "run/mpi/mpi_measure.h"
#include "engine/plugin/plugin.h"
#include <glib.h>
#include <stdio.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
// MPI libraries leak memory at the end of a program, so leaks cannot be checked here.
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}
#endif

static char *read_all(const char *path)
{
    size_t len;
    g_autofree char *text = text_read(path, LIMIT_PLAN_BYTES, &len, NULL);
    return text && text_check(text, len, LIMIT_PLAN_BYTES, path, NULL) ? g_steal_pointer(&text) : NULL;
}

// Returns the plan's text; NULL if it cannot be read. Free with g_free.
static char *read_plan(const char *path, MPI_Comm comm)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    if (host_one_clock())
        return read_all(path);
    char *text = rank == 0 ? read_all(path) : NULL;
    int n = text ? (int)strlen(text) : -1;
    MPI_Bcast(&n, 1, MPI_INT, 0, comm);
    if (n < 0)
        return NULL;
    text = rank == 0 ? text : g_malloc0((gsize)n + 1);
    MPI_Bcast(text, n, MPI_CHAR, 0, comm);
    return text;
}

// Loads the plugins, whose lines come first, and returns the first line of a job.
static char **load_plugins(char **line, GError **error)
{
    for (; !*error && *line; line++) {
        g_autofree char *library = job_plugin_parse(*line);
        if (!library)
            break;
        plugin_load(library, error);
    }
    return line;
}

// Runs all jobs. Returns the exit status: 0, or 2 if the plan is bad. All ranks notice that, and rank 0 prints the
// error.
static int run_plan(const char *text, MpiRun *run)
{
    g_auto(GStrv) line = g_strsplit(text, "\n", -1);
    g_autoptr(GError) error = NULL;
    JobPlan plan;
    if (job_plan_parse(line[0] ? line[0] : "", &plan, &error) && plan.p != run->p)
        g_set_error(&error, G_FILE_ERROR, 0,
                    "%d ranks were started, not %d; is the launcher that of another MPI library?", run->p, plan.p);
    char **jobs = error ? NULL : load_plugins(line + 1, &error);
    for (int i = 0; !error && jobs[i] && strcmp(jobs[i], "end") != 0; i++) {
        Job job;
        JobResult result;
        if (!job_parse(jobs[i], run->p, &job, &error))
            break;
        mpi_measure(run, &plan, &job, i == 0, &result);
        if (run->rank == 0) {
            g_autofree char *answer = job_result_text(i, &result);
            puts(answer);
            fflush(stdout);
        }
        job_result_clear(&result);
        job_clear(&job);
    }
    if (error && run->rank == 0)
        fprintf(stderr, "collsim-mpi: %s\n", error->message);
    return error ? 2 : 0;
}

int main(int argc, char **argv)
{
    // collsim asks this way which library the program was built with. It works without a launcher.
    if (argc == 2 && strcmp(argv[1], "--library") == 0) {
        char version[MPI_MAX_LIBRARY_VERSION_STRING];
        int len;
        MPI_Get_library_version(version, &len);
        printf("%s\n", version);
        return 0;
    }
    if (argc != 2) {
        fputs("Usage: collsim-mpi PLAN|-\n", stderr);
        return 2;
    }
    MPI_Init(&argc, &argv);
    MpiRun run;
    mpi_run_init(&run, MPI_COMM_WORLD);
    g_autofree char *text = read_plan(argv[1], MPI_COMM_WORLD);
    const int status = text ? run_plan(text, &run) : 2;
    if (!text && run.rank == 0)
        fprintf(stderr, "collsim-mpi: cannot read the plan %s\n", argv[1]);
    mpi_run_clear(&run);
    MPI_Finalize();
    return status;
}

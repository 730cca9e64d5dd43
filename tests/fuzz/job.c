// The lines between collsim and a backend: a plan, a job of 4 ranks, or a result. What is read is written as a line
// that reads back as the same.
#include "fuzz.h"
#include "run/launch/job.h"

static void plan(const char *line)
{
    JobPlan x, y;
    g_autoptr(GError) error = NULL;
    if (!fuzz_outcome(job_plan_parse(line, &x, &error), &error))
        return;
    g_autofree char *text = job_plan_text(&x);
    g_assert_true(job_plan_parse(text, &y, NULL));
    g_autofree char *again = job_plan_text(&y);
    g_assert_cmpstr(text, ==, again);
}

static void plugin(const char *line)
{
    g_autofree char *library = job_plugin_parse(line), *text = library ? job_plugin_text(library) : NULL;
    g_autofree char *again = text ? job_plugin_parse(text) : NULL;
    g_assert_cmpstr(library, ==, again);
}

static void job(const char *line)
{
    enum { P = 4 };
    Job x, y;
    g_autoptr(GError) error = NULL;
    if (!fuzz_outcome(job_parse(line, P, &x, &error), &error))
        return;
    g_autofree char *text = job_text(&x, P);
    g_assert_true(job_parse(text, P, &y, NULL));
    g_autofree char *again = job_text(&y, P);
    g_assert_cmpstr(text, ==, again);
    job_clear(&x);
    job_clear(&y);
}

static void result(const char *line)
{
    JobResult x, y;
    int number;
    g_autoptr(GError) error = NULL;
    if (!fuzz_outcome(job_result_parse(line, &number, &x, &error), &error))
        return;
    g_autofree char *text = job_result_text(number, &x);
    g_assert_true(job_result_parse(text, &number, &y, NULL));
    g_autofree char *again = job_result_text(number, &y);
    g_assert_cmpstr(text, ==, again);
    job_result_clear(&x);
    job_result_clear(&y);
}

FUZZ_HARNESS(job)
{
    g_auto(GStrv) text = fuzz_lines(data, size, 0);
    plan(text[0]);
    plugin(text[0]);
    job(text[0]);
    result(text[0]);
    return 0;
}

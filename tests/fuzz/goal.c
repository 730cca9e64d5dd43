// GOAL schedules, as text or in binary: what is read runs, and reads back as the same graph when it is written.
#include "fuzz.h"
#include "engine/goal/goal_text.h"
#include "engine/loggops/loggops.h"
#include "engine/replay/replay.h"
#include "engine/schedule/schedule_graph.h"
#include <stdlib.h>

static const LoggopsTicks ticks = {.L = 100, .o = 30, .g = 20, .G = 3, .O = 2, .S = 50, .gamma = 1};
static const LoggopsParams params = {100, 30, 20, 3, 2, 50, 1};

// Returns the graph as text; free with free.
static char *written(const Goal *goal, size_t *length)
{
    char *text = NULL;
    FILE *to = open_memstream(&text, length);
    goal_write(goal, to);
    fclose(to);
    return text;
}

static void read_back(const Goal *goal)
{
    size_t length, length_again;
    char *text = written(goal, &length);
    g_autoptr(GError) error = NULL;
    g_autoptr(Goal) read = goal_parse(text, length, "written", &error);
    g_assert_no_error(error);
    char *again = written(read, &length_again);
    g_assert_cmpmem(text, length, again, length_again);
    free(again);
    free(text);
}

// Runs the graph on both kinds of clocks, which agree if each message has a byte.
static void run(const Goal *goal)
{
    g_autoptr(GError) error = NULL;
    if (!fuzz_outcome(loggops_ticks_fit(goal, &ticks, &error), &error))
        return;
    gboolean empty = FALSE;
    for (uint32_t op = 0; op < goal_n_ops(goal); op++)
        empty |= goal_op(goal, op)->kind == GOAL_SEND && goal_op(goal, op)->size == 0;
    g_autoptr(LoggopsResult) doubles = loggops_run(goal, &params);
    g_autoptr(LoggopsTicksResult) result = loggops_run_ticks(goal, &ticks);
    for (uint32_t i = 0; doubles->finish && i < goal_n_hosts(goal); i++)
        loggops_stamp(doubles, i);
    g_assert_true(empty || (doubles->finish != NULL) == (result->finish != NULL));
    for (uint32_t i = 0; !empty && result->finish && i < goal_n_hosts(goal); i++)
        if (doubles->finish[i] < 0x1p50)
            g_assert_true((double)result->finish[i] == doubles->finish[i]);
}

// Replays the graph under every discipline of hockney.
static void replay_all(const Goal *goal)
{
    g_autoptr(GError) error = NULL;
    if (!fuzz_outcome(schedule_graph_check(goal, &error), &error))
        return;
    Schedule *s = schedule_graph_new(goal, "goal");
    const Totals totals = schedule_totals(s);
    if (fuzz_outcome(schedule_check(&totals, "goal", s->p, &error), &error))
        for (Transfer transfer = TRANSFER_RENDEZVOUS; transfer <= TRANSFER_EAGER_PORT; transfer++) {
            const Hockney model = {.alpha = 1e-6, .beta = 1e-9, .gamma = 1e-9, .transfer = transfer};
            g_autoptr(Replay) r = replay(s, &model, &(ReplayOptions){.path = true}, &error);
            fuzz_outcome(r != NULL, &error);
        }
    schedule_free(s);
}

FUZZ_HARNESS(goal)
{
    enum { MOST_OPS = 2000, MOST_HOSTS = 2000 };
    g_autoptr(GError) error = NULL;
    g_autoptr(Goal) goal = goal_parse((const char *)data, size, "f.goal", &error);
    if (!fuzz_outcome(goal != NULL, &error) || goal_n_ops(goal) > MOST_OPS || goal_n_hosts(goal) > MOST_HOSTS)
        return 0;
    read_back(goal);
    run(goal);
    replay_all(goal);
    return 0;
}
